"""How every SQLite file is opened, and that its errors are ours."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest

import trinho.adapters.sqlite
from trinho.adapters.sqlite.connection import (
    Database,
    DatabaseDamagedError,
    folder_turn,
    open_file,
    open_reading,
    translating,
)
from trinho.errors import (
    OutOfMemoryError,
    StoreBusyError,
    StoreFullError,
    StoreIOError,
    StoreReadOnlyError,
    TrinhoError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "some #1?.db")


@pytest.fixture
def database(path: str) -> Iterator[Database]:
    database = open_file(path)
    with database.writing() as connection:
        connection.execute("CREATE TABLE t (a)")
    yield database
    database.close()


def pragma(database: Database, name: str) -> object:
    with database.reading() as connection:
        return connection.pragma(name)


def test_how_a_file_is_opened(database: Database) -> None:
    assert pragma(database, "journal_mode") == "wal"
    assert pragma(database, "synchronous") == 1
    assert pragma(database, "secure_delete") == 1
    assert pragma(database, "busy_timeout") == 10_000
    assert pragma(database, "foreign_keys") == 0
    assert pragma(database, "wal_autocheckpoint") == 1000
    with database.reading() as connection:
        assert connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, -1) == 1


def test_closing_leaves_the_log_to_the_next_checkpoint(path: str, database: Database) -> None:
    before = Path(path).read_bytes()
    database.close()
    assert Path(f"{path}-wal").stat().st_size > 0
    assert Path(path).read_bytes() == before


def test_a_transaction_is_done_whole_or_not_at_all(database: Database) -> None:
    with pytest.raises(ZeroDivisionError), database.writing() as connection:  # noqa: PT012 - the break is what is tested
        connection.execute("INSERT INTO t VALUES (1)")
        raise ZeroDivisionError
    with database.writing() as connection:
        connection.execute("INSERT INTO t VALUES (2)")
    with database.reading() as connection:
        assert connection.execute("SELECT a FROM t").fetchall() == [(2,)]


def test_a_transaction_that_failed_leaves_none_open(database: Database) -> None:
    with pytest.raises(DatabaseDamagedError), database.writing() as connection:
        connection.execute("INSERT INTO nothing VALUES (1)")
    with database.reading() as connection:
        assert not connection.in_transaction


def test_every_write_begins_as_one() -> None:
    folder = Path(trinho.adapters.sqlite.__path__[0])
    for module in folder.glob("*.py"):
        text = module.read_text()
        begun = re.findall(r'"\s*(?:BEGIN|SAVEPOINT)\b[^"]*"', text, re.IGNORECASE)
        # A plain one is for reading alone, where there is nothing to upgrade to
        allowed = ['"BEGIN"', '"BEGIN IMMEDIATE"'] if module.name == "connection.py" else []
        assert begun == allowed, module.name
        # apsw's connection is itself a context manager, which makes a savepoint
        assert not re.search(r"\bwith (?:self\._)?connection\b", text), module.name


def test_what_is_open_for_reading_is_not_written(path: str, database: Database) -> None:
    reading = open_reading(path)
    with reading.reading() as connection:
        assert connection.execute("SELECT count(*) FROM t").fetchall() == [(0,)]
    with pytest.raises(StoreReadOnlyError), reading.writing() as connection:
        connection.execute("INSERT INTO t VALUES (1)")
    reading.close()


@pytest.mark.parametrize(
    ("raised", "becomes"),
    [
        (apsw.BusyError, StoreBusyError),
        (apsw.LockedError, StoreBusyError),
        (apsw.ProtocolError, StoreBusyError),
        (apsw.CantOpenError, StoreReadOnlyError),
        (apsw.ReadOnlyError, StoreReadOnlyError),
        (apsw.FullError, StoreFullError),
        (apsw.IOError, StoreIOError),
        (apsw.NoMemError, OutOfMemoryError),
        (apsw.CorruptError, DatabaseDamagedError),
        (apsw.NotADBError, DatabaseDamagedError),
    ],
)
def test_each_error_of_sqlite_becomes_one_of_ours(raised: type[apsw.Error], becomes: type[Exception]) -> None:
    with pytest.raises(becomes) as caught, translating("some.db"):
        raise raised("as sqlite says it")
    assert "some.db" in str(caught.value) or becomes is OutOfMemoryError
    if isinstance(caught.value, TrinhoError):
        assert caught.value.hint


def test_an_error_of_the_caller_stays_what_it_is() -> None:
    with pytest.raises(KeyError), translating("some.db"):
        raise KeyError("a")


def test_a_full_disk_is_told_and_the_old_state_is_whole(path: str, database: Database) -> None:
    with database.reading() as connection:
        connection.execute("PRAGMA max_page_count = 4")
    with pytest.raises(StoreFullError), database.writing() as connection:
        connection.execute("INSERT INTO t VALUES (zeroblob(100000))")
    with database.reading() as connection:
        assert connection.execute("SELECT count(*) FROM t").fetchall() == [(0,)]
    with database.writing() as connection:
        connection.execute("INSERT INTO t VALUES (1)")


def test_a_replaced_file_is_noticed(path: str, database: Database) -> None:
    assert not database.replaced()
    Path(path).rename(f"{path}.aside")
    assert database.replaced()
    Path(path).touch()
    assert database.replaced()


class TestLog:
    """The log is taken into the file again and again; what keeps it from that is told."""

    @pytest.fixture(autouse=True)
    def _small(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(f"{Database.__module__}.MOST_LOG_BYTES", 6 << 20)

    def write(self, database: Database, times: int) -> None:
        for _ in range(times):
            with database.writing() as connection:
                connection.execute("INSERT OR REPLACE INTO t (rowid, a) VALUES (1, randomblob(1000000))")

    def test_it_stays_small_where_nobody_reads_on(self, path: str, database: Database) -> None:
        self.write(database, 30)
        assert Path(f"{path}-wal").stat().st_size < 6 << 20
        assert not database.faults()

    def test_who_reads_on_and_on_is_told_of_until_it_ends(self, path: str) -> None:
        with contextlib.closing(open_file(path)) as database:
            with database.writing() as connection:
                connection.execute("CREATE TABLE t (a)")
            with contextlib.closing(apsw.Connection(path)) as reader:
                reader.execute("BEGIN")
                assert reader.execute("SELECT count(*) FROM t").fetchall() == [(0,)]
                self.write(database, 12)
                [fault] = database.faults()
                assert re.fullmatch(r"its log has \d\d MiB: a process reads it without end", fault)
                assert reader.execute("SELECT count(*) FROM t").fetchall() == [(0,)]
            self.write(database, 3)
            assert not database.faults()

    def test_our_own_readers_let_it_go(self, tmp_path: Path) -> None:
        with trinho.open_memory(tmp_path / "root", environment={}) as memory:
            memory.create("shared:a", "a lantern")
            assert len(memory.search("lantern").results) == len(memory.entries()) == 1
            for name in ("index.db", "ledger.db"):
                with contextlib.closing(apsw.Connection(str(tmp_path / "root/.trinho" / name))) as other:
                    [(busy, _, _)] = other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                    assert not busy, name


def test_one_at_a_time_opens_files_in_a_folder(path: str) -> None:
    with folder_turn(path), pytest.raises(StoreBusyError), folder_turn(path, patience=0.05):
        pass
    with folder_turn(path, patience=0):
        pass


def test_a_query_loads_neither_the_other_sqlite_nor_fts5s_python_part() -> None:
    code = (
        "import sys\n"
        "from trinho.access.grant import Everything\n"
        "from trinho.adapters.sqlite.index import SqliteIndex\n"
        "SqliteIndex('', memory=True).read(lambda reader: reader.postings('a', Everything(), 9))\n"
        "print(sorted({'sqlite3', '_sqlite3', 'apsw.fts5', 'apsw.ext'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[]\n"
