"""The index in SQLite keeps the contract, and what befalls its file befalls nothing else."""

from __future__ import annotations

import os
import random
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest
from tests.contracts.index_contract import IndexContract, everything, holding, ids, record

from trinho.adapters.sqlite.index import FORMAT, SqliteIndex
from trinho.domain.versions import FileMark
from trinho.errors import (
    StoreBusyError,
    StoreDamagedError,
    StoreError,
    StoreForkedError,
    StoreFormatNewerError,
    StoreReadOnlyError,
)
from trinho.ports.index import Quarantined

if TYPE_CHECKING:
    from collections.abc import Callable


class TestSqliteIndex(IndexContract):
    def make(self, folder: Path) -> SqliteIndex:
        return SqliteIndex(str(folder / "index.db"))


class TestSqliteIndexInMemory(IndexContract):
    def make(self, folder: Path) -> SqliteIndex:
        return SqliteIndex("", memory=True)


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "index.db")


def filled(path: str, count: int = 3) -> SqliteIndex:
    index = SqliteIndex(path)
    index.put(record(f"shared:n{n}", f"red word{n} " + "filler " * 20, name=f"name {n}") for n in range(count))
    return index


def in_the_file(path: str) -> apsw.Connection:
    return apsw.Connection(path)


def checkpointed(index: SqliteIndex, path: str) -> None:
    index.close()
    connection = in_the_file(path)
    connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    connection.close()  # as the last one, with SQLite's own way of closing, it empties the log and removes it
    assert not Path(f"{path}-wal").exists()


def test_it_is_there_when_it_is_opened_again(path: str) -> None:
    filled(path).close()
    index = SqliteIndex(path)
    assert ids(index.listing(everything)) == ["shared:n0", "shared:n1", "shared:n2"]
    assert holding(index, "word1") == ["shared:n1"]
    assert not index.stale()


def test_two_that_are_open_see_each_other(path: str) -> None:
    one, other = SqliteIndex(path), SqliteIndex(path)
    one.put([record("shared:a", "red")])
    assert holding(other, "red") == ["shared:a"]
    assert not one.stale()
    assert not other.stale()


def test_only_the_owner_may_read_its_files(path: str, tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        index = filled(path)
    finally:
        os.umask(old)
    modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    assert modes == {"index.db": 0o600, "index.db-wal": 0o600, "index.db-shm": 0o600}
    index.close()


def test_clearing_leaves_no_byte(path: str, tmp_path: Path) -> None:
    index = SqliteIndex(path)
    index.put(
        [record("shared:a", "xylophone", name="zeppelin"), Quarantined("quagga", None, FileMark(1, 2, 3), 0, "x")]
    )
    assert b"zeppelin" in b"".join(file.read_bytes() for file in tmp_path.iterdir())
    index.clear()
    left = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    for text in (b"xylophone", b"zeppelin", b"quagga"):
        assert text not in left
    assert not index.stale()


def test_clearing_under_another_one_makes_that_stale(path: str) -> None:
    one, other = filled(path), SqliteIndex(path)
    one.clear()
    assert other.stale()
    assert not one.stale()
    assert len(other.listing(everything)) == 3  # until it is opened again it answers from what it has


@pytest.mark.parametrize("how", ["deleted", "replaced"])
def test_a_file_that_goes_while_it_is_open_is_noticed(path: str, how: str) -> None:
    index = filled(path)
    for suffix in ("", "-wal", "-shm"):
        os.unlink(path + suffix)
    if how == "replaced":
        SqliteIndex(path).close()
    assert index.stale()
    again = SqliteIndex(path)
    assert again.marks() == {}
    assert not again.stale()


def test_a_log_that_was_removed_costs_at_most_what_was_in_it(path: str) -> None:
    checkpointed(filled(path), path)
    index = SqliteIndex(path)
    index.put([record("shared:later", "red")])
    index.close()
    os.unlink(f"{path}-wal")
    os.unlink(f"{path}-shm")
    again = SqliteIndex(path)
    assert len(again.marks()) == 3


def test_a_link_or_a_pipe_in_its_place_is_set_aside(path: str, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    os.symlink(target, path)
    SqliteIndex(path).close()
    assert not target.exists()
    assert os.path.islink(f"{path}.damaged")
    os.unlink(path)
    os.mkfifo(path)
    SqliteIndex(path).close()
    assert os.path.isfile(path)


def test_a_folder_in_its_place_is_set_aside_with_what_is_in_it(path: str) -> None:
    for name in (path, f"{path}-wal", f"{path}.damaged"):
        os.mkdir(name)
        os.mkdir(f"{name}/somebody's")
    SqliteIndex(path).close()
    kept = [name for name, folders, _ in os.walk(os.path.dirname(path)) if "somebody's" in folders]
    assert len(kept) == 3


def test_a_folder_that_is_not_there_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(StoreReadOnlyError):
        SqliteIndex(str(tmp_path / "none" / "index.db"))


def test_it_is_refused_after_a_fork(path: str) -> None:
    index = filled(path)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            for use in (index.marks, index.clear, lambda: index.put([record()]), lambda: index.listing(everything)):
                with pytest.raises(StoreForkedError):
                    use()
            index.close()
            code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert len(index.listing(everything)) == 3
    assert not index.stale()


def test_another_writer_is_waited_for_and_then_told_of(path: str) -> None:
    filled(path).close()
    other = in_the_file(path)
    other.execute("BEGIN IMMEDIATE")
    index = SqliteIndex(path, patience=0.1)
    with pytest.raises(StoreBusyError):
        index.put([record()])
    assert len(index.listing(everything)) == 3
    other.execute("ROLLBACK")
    index.put([record()])
    other.close()


# -- formats


def test_a_newer_format_is_neither_read_nor_written(path: str) -> None:
    filled(path).close()
    _set_format(path, FORMAT + 1)
    before = Path(path).read_bytes()
    with pytest.raises(StoreFormatNewerError) as caught:
        SqliteIndex(path)
    assert "trinho index rebuild" in caught.value.hint
    assert Path(path).read_bytes() == before


def test_a_newer_format_is_thrown_away_when_a_fresh_one_is_asked_for(path: str) -> None:
    filled(path).close()
    _set_format(path, FORMAT + 1)
    index = SqliteIndex(path, fresh=True)
    assert index.marks() == {}
    index.put([record()])
    index.close()
    assert len(SqliteIndex(path).marks()) == 1


def test_an_older_format_is_begun_anew(path: str) -> None:
    other = in_the_file(path)
    other.execute("CREATE TABLE files (path)")
    other.execute("INSERT INTO files VALUES ('shared/a.md')")
    other.close()
    index = SqliteIndex(path)
    assert index.marks() == {}
    index.put([record()])
    assert len(index.marks()) == 1


def _set_format(path: str, number: int) -> None:
    connection = in_the_file(path)
    connection.execute(f"PRAGMA user_version = {number}")
    connection.close()


# -- damage


def _truncated_to_nothing(raw: bytes) -> bytes:
    return b""


def _halved(raw: bytes) -> bytes:
    return raw[: len(raw) // 2]


def _no_database(raw: bytes) -> bytes:
    return b"no database" * 1000


def _overwritten(raw: bytes) -> bytes:
    return raw[:4096] + b"\xa5" * (len(raw) - 4096)


@pytest.mark.parametrize("damage", [_truncated_to_nothing, _halved, _no_database, _overwritten])
def test_a_damaged_file_is_found_at_open_and_begun_anew(path: str, damage: Callable[[bytes], bytes]) -> None:
    checkpointed(filled(path, 200), path)
    Path(path).write_bytes(damage(Path(path).read_bytes()))
    index = SqliteIndex(path, check=True)
    assert index.marks() == {}
    index.put([record("shared:a", "red")])
    assert holding(index, "red") == ["shared:a"]
    assert not index.stale()
    assert Path(f"{path}.damaged").exists() == (damage is not _truncated_to_nothing)


@pytest.mark.parametrize("table", ["words_data", "words_config", "files", "words_docsize"])
def test_damage_met_in_use_leads_to_a_new_file(path: str, table: str) -> None:
    index = filled(path)
    index.close()
    other = in_the_file(path)
    other.execute(f"DROP TABLE {table}")
    other.close()
    index = SqliteIndex(path)
    with suppress(StoreDamagedError):  # unless the check at open was first, or it is no damage to a question
        holding(index, "red")
    index.put([record("shared:a", "red")])
    index.drop(["shared/n0.md"])
    assert "shared:a" in holding(index, "red")


def test_a_question_to_a_damaged_file_is_not_answered_from_the_new_one(path: str) -> None:
    checkpointed(filled(path, 2000), path)
    index = SqliteIndex(path)
    _overwrite_postings(path)
    with pytest.raises(StoreDamagedError) as caught:
        holding(index, "red")
    assert "ask again" in caught.value.hint
    assert Path(f"{path}.damaged").exists()
    assert index.stale()
    assert index.marks() == {}
    index.put([record("shared:a", "red")])
    assert holding(index, "red") == ["shared:a"]
    index.close()
    assert not SqliteIndex(path).stale()


def test_writing_into_a_damaged_file_goes_on_in_the_new_one(path: str) -> None:
    checkpointed(filled(path, 2000), path)
    index = SqliteIndex(path)
    raw = Path(path).read_bytes()
    Path(path).write_bytes(raw[:8192] + b"\xa5" * (len(raw) - 8192))
    index.put([record("shared:a", "red")])
    assert set(index.marks()) == {"shared/a.md"}
    assert index.stale()


def test_a_new_file_of_another_process_is_not_set_aside(path: str) -> None:
    checkpointed(filled(path, 2000), path)
    one, other = SqliteIndex(path), SqliteIndex(path)
    _overwrite_postings(path)
    for index in (one, other):
        with pytest.raises(StoreDamagedError):
            holding(index, "red")
        index.put([record("shared:a", "red")])
    assert set(one.marks()) == set(other.marks()) == {"shared/a.md"}


def test_no_flipped_byte_brings_an_untyped_error(path: str) -> None:
    checkpointed(filled(path, 40), path)
    sound = Path(path).read_bytes()
    for number in range(60):
        chance = random.Random(number)
        raw = bytearray(sound)
        for _ in range(chance.choice((1, 5, 100))):
            raw[chance.randrange(len(raw))] = chance.randrange(256)
        for suffix in ("-wal", "-shm"):
            Path(path + suffix).unlink(missing_ok=True)
        Path(path).write_bytes(raw)
        _use(path)


def _use(path: str) -> None:
    """Whatever happened, there is a typed answer, and the next one works."""
    try:
        index = SqliteIndex(path)
    except StoreFormatNewerError:
        return
    for ask in (
        index.marks,
        index.quarantined,
        lambda: index.listing(everything),
        lambda: holding(index, "red"),
    ):
        with suppress(StoreError):
            ask()
    index.put([record("shared:a", "red")])
    index.close()


def _overwrite_postings(path: str) -> None:
    """Spoil the pages of the words, and no other."""
    connection = in_the_file(path)
    pages = connection.execute("SELECT pageno FROM dbstat WHERE name = 'words_data' AND pagetype = 'leaf'").fetchall()
    connection.close()
    with open(path, "r+b") as file:
        for (page,) in pages:
            file.seek((int(str(page)) - 1) * 4096)
            file.write(b"\xa5" * 4096)
