"""The ledger in SQLite keeps the contract, between processes too, and says what befell its file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest
from tests.contracts.knowledge_contract import KnowledgeContract, conflict
from tests.contracts.ledger_contract import ONE, TWO, A, B, LastingLedgerContract
from tests.contracts.projects_contract import ProjectsContract

from trinho.adapters.sqlite.ledger import FORMAT, SqliteLedger
from trinho.domain.audit import ChainHead
from trinho.domain.versions import Observed
from trinho.errors import (
    StoreBusyError,
    StoreDamagedError,
    StoreForkedError,
    StoreFormatNewerError,
    StoreReadOnlyError,
)

if TYPE_CHECKING:
    from collections.abc import Callable


class TestSqliteLedger(LastingLedgerContract):
    def make(self, folder: Path) -> SqliteLedger:
        return SqliteLedger(str(folder / "ledger.db"))


class TestSqliteProjects(ProjectsContract):
    def make(self, folder: Path) -> SqliteLedger:
        return SqliteLedger(str(folder / "ledger.db"))


class TestSqliteKnowledge(KnowledgeContract):
    def make(self, folder: Path) -> SqliteLedger:
        return SqliteLedger(str(folder / "ledger.db"))

    def test_it_lasts(self, tmp_path: Path) -> None:
        ledger = self.make(tmp_path)
        ledger.knowledge.add_conflict(conflict())
        ledger.close()
        assert len(self.make(tmp_path).knowledge.conflicts()) == 1

    @pytest.mark.parametrize("found", [1, 2, 3])
    def test_a_ledger_of_an_earlier_format_is_brought_forward(self, tmp_path: Path, found: int) -> None:
        path = str(tmp_path / "ledger.db")
        ledger = SqliteLedger(path)
        ledger.commit({A: Observed(3, "ab")}, 7, None)
        ledger.close()
        connection = apsw.Connection(path)
        of_two = ("counters", "conflicts", "hot", "observations")
        of_three = ("projects", "places", "client_runs", "surfaced")
        of_four = ("client_processes",)
        for table in (of_four, of_three + of_four, of_two + of_three + of_four)[3 - found]:
            connection.execute(f"DROP TABLE {table}")
        connection.execute(f"PRAGMA user_version = {found}").fetchall()
        connection.close()
        reading = SqliteLedger(path, read_only=True)
        assert (reading.observed(A), reading.knowledge.conflicts()) == (Observed(3, "ab"), [])
        reading.close()
        again = SqliteLedger(path)
        again.knowledge.add_conflict(conflict())
        assert again.runs.at_work(7) is None
        assert (again.observed(A), again.settled_run(), len(again.knowledge.conflicts())) == (Observed(3, "ab"), 7, 1)


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "ledger.db")


def filled(path: str) -> SqliteLedger:
    ledger = SqliteLedger(path)
    ledger.commit({A: Observed(3, ONE)}, 12, ChainHead(14, TWO))
    ledger.set_pointers("shared", {"a.md": "- [A](a.md)"})
    return ledger


def test_the_usual_case_writes_nothing(path: str) -> None:
    ledger = filled(path)
    before = Path(f"{path}-wal").read_bytes()
    assert ledger.observe(A, ONE, 9) == 3
    assert Path(f"{path}-wal").read_bytes() == before


def test_only_the_owner_may_read_its_files(path: str, tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        ledger = filled(path)
    finally:
        os.umask(old)
    assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}
    ledger.close()


def test_forgetting_leaves_no_byte_of_what_was_replaced(path: str, tmp_path: Path) -> None:
    ledger = filled(path)
    ledger.set_pointers("shared", {"xylophone.md": "- [zeppelin](xylophone.md)"})
    ledger.record_move(A, B)
    ledger.set_pointers("shared", {})
    ledger.forget(B)
    left = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    for text in (b"zeppelin", b"xylophone", b"shared:b"):
        assert text not in left
    assert ledger.observed(A) == Observed(3, ONE)


# -- reading only


def test_a_ledger_for_reading_observes_without_remembering(path: str) -> None:
    filled(path).close()
    ledger = SqliteLedger(path, read_only=True)
    assert ledger.observe(A, ONE, None) == 3
    assert ledger.observe(A, TWO, None) == 4
    assert ledger.observe(B, ONE, 5) == 5
    assert ledger.observed(A) == Observed(3, ONE)
    assert ledger.observed(B) is None
    assert ledger.pointers("shared") == {"a.md": "- [A](a.md)"}
    assert list(ledger.check()) == []


def test_a_ledger_for_reading_changes_nothing(path: str, tmp_path: Path) -> None:
    filled(path).close()
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir() if file.suffix != ".db-shm"}
    ledger = SqliteLedger(path, read_only=True)
    changes: list[Callable[[], None]] = [
        lambda: ledger.commit({}, 1, None),
        lambda: ledger.record_move(A, B),
        lambda: ledger.forget(A),
        lambda: ledger.advance_chain(ChainHead(99, ONE)),
        lambda: ledger.set_pointers("shared", {}),
        lambda: ledger.set_note("a", "b"),
    ]
    for change in changes:
        with pytest.raises(StoreReadOnlyError):
            change()
    ledger.observe(A, TWO, None)
    ledger.close()
    after = {file.name: file.read_bytes() for file in tmp_path.iterdir() if file.suffix != ".db-shm"}
    assert after == before


def test_reading_where_there_is_none_makes_none(path: str, tmp_path: Path) -> None:
    for place in (path, str(tmp_path / "none" / "ledger.db")):
        ledger = SqliteLedger(place, read_only=True)
        assert ledger.observe(A, ONE, None) == 1
        assert ledger.observed(A) is None
        assert ledger.chain_head() is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_can_be_read(path: str, tmp_path: Path) -> None:
    filled(path).close()
    connection = apsw.Connection(path)
    connection.close()  # takes the log with it
    os.chmod(path, 0o400)
    os.chmod(tmp_path, 0o500)
    try:
        with pytest.raises(StoreReadOnlyError):
            SqliteLedger(path)
        assert SqliteLedger(path, read_only=True).observed(A) == Observed(3, ONE)
    finally:
        os.chmod(tmp_path, 0o700)


# -- formats and damage


@pytest.mark.parametrize("read_only", [False, True])
def test_a_newer_format_is_left_as_it_is(path: str, read_only: bool) -> None:
    filled(path).close()
    connection = apsw.Connection(path)
    connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
    connection.close()
    before = Path(path).read_bytes()
    with pytest.raises(StoreFormatNewerError):
        SqliteLedger(path, read_only=read_only)
    assert Path(path).read_bytes() == before


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("raw", [b"no database" * 1000, b"x"], ids=["text", "a byte"])
def test_what_is_no_ledger_is_told_and_left_as_it_is(path: str, raw: bytes, read_only: bool) -> None:
    Path(path).write_bytes(raw)
    with pytest.raises(StoreDamagedError) as caught:
        SqliteLedger(path, read_only=read_only)
    assert "backup" in caught.value.hint
    assert Path(path).read_bytes() == raw


def test_a_database_of_somebody_else_is_no_ledger(path: str) -> None:
    connection = apsw.Connection(path)
    connection.execute("CREATE TABLE theirs (a)")
    connection.close()
    with pytest.raises(StoreDamagedError):
        SqliteLedger(path)


def test_a_file_cut_to_nothing_is_not_taken_for_a_new_one(path: str) -> None:
    filled(path).close()
    os.truncate(path, 0)
    with pytest.raises(StoreDamagedError):
        SqliteLedger(path)


def test_damage_met_in_use_is_told(path: str) -> None:
    filled(path).close()
    connection = apsw.Connection(path)
    connection.execute("DROP TABLE versions")
    connection.close()
    ledger = SqliteLedger(path)
    with pytest.raises(StoreDamagedError):
        ledger.observe(A, TWO, None)
    assert ledger.pointers("shared") == {"a.md": "- [A](a.md)"}


def test_the_check_finds_spoilt_pages(path: str) -> None:
    ledger = filled(path)
    ledger.forget(B)  # brings everything from the log into the file
    ledger.close()
    raw = Path(path).read_bytes()
    Path(path).write_bytes(raw[:4096] + b"\xa5" * (len(raw) - 4096))
    ledger = SqliteLedger(path)
    assert list(ledger.check()) != []


# -- processes


def test_it_is_refused_after_a_fork(path: str) -> None:
    ledger = filled(path)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            for use in (lambda: ledger.observed(A), lambda: ledger.observe(A, TWO, None), ledger.notes):
                with pytest.raises(StoreForkedError):
                    use()
            ledger.close()
            code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert ledger.observe(A, TWO, None) == 4


def test_another_writer_is_waited_for_and_then_told_of(path: str) -> None:
    filled(path).close()
    other = apsw.Connection(path)
    other.execute("BEGIN IMMEDIATE")
    ledger = SqliteLedger(path, patience=0.1)
    with pytest.raises(StoreBusyError):
        ledger.observe(A, TWO, None)
    assert ledger.observe(A, ONE, None) == 3
    other.execute("ROLLBACK")
    assert ledger.observe(A, TWO, None) == 4
    other.close()


WORKER = """
import sys
from trinho.adapters.sqlite.ledger import SqliteLedger
from trinho.domain.audit import ChainHead
from trinho.domain.ids import parse_memory_id
from trinho.domain.versions import Observed

path, number, turns = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
ledger = SqliteLedger(path)
common, own = parse_memory_id("shared:common"), parse_memory_id(f"shared:own{number}")
for turn in range(turns):
    print(ledger.observe(common, f"{number:04}{turn:060}", None))
    ledger.commit({own: Observed(turn + 1, f"{turn:064}")}, number * turns + turn, ChainHead(turn, f"{number:064}"))
ledger.close()
"""


def test_four_processes_observe_and_commit_at_once(path: str) -> None:
    turns = 200
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, path, str(number), str(turns)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(4)
    ]
    told = [worker.communicate(timeout=60) for worker in workers]
    assert [errors for _, errors in told] == [""] * 4
    # Every state was other bytes than the one before, so each got a version of its own, without a gap.
    versions = [[int(line) for line in printed.split()] for printed, _ in told]
    assert sorted(version for each in versions for version in each) == list(range(1, 4 * turns + 1))
    assert all(each == sorted(each) for each in versions)
    ledger = SqliteLedger(path)
    assert ledger.settled_run() == 4 * turns - 1
    head = ledger.chain_head()
    assert head is not None
    assert head.seq == turns - 1
    assert list(ledger.check()) == []
