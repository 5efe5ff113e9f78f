"""The state ledger in SQLite."""

from __future__ import annotations

import os
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

import apsw

from trinho.adapters.sqlite import projects
from trinho.adapters.sqlite.connection import (
    PATIENCE_SECONDS,
    Database,
    DatabaseDamagedError,
    folder_turn,
    open_file,
    open_memory,
    open_reading,
    translated,
)
from trinho.adapters.sqlite.unicode import storable
from trinho.domain.audit import ChainHead
from trinho.domain.ids import MemoryId, parse_memory_id
from trinho.domain.moves import ends
from trinho.domain.versions import Observed, effective_version
from trinho.errors import InvalidMemoryIdError, StoreDamagedError, StoreFormatNewerError, StoreReadOnlyError, plural
from trinho.ports.ledger import always

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from trinho.adapters.sqlite.knowledge import SqliteKnowledge

FORMAT = 4
_SMALLEST = 512  # bytes of the smallest page that SQLite has
_HINT = (
    "restore it from a backup, or move it away with its -wal and -shm: versions then go on from what the entries say"
)
_FIRST_SCHEMA = (
    "CREATE TABLE versions (id TEXT PRIMARY KEY, version INTEGER NOT NULL, sha256 TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE moves (id TEXT PRIMARY KEY, target TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE chain (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL) STRICT",
    "CREATE TABLE runs (one INTEGER PRIMARY KEY CHECK (one = 1), settled INTEGER NOT NULL) STRICT",
    """CREATE TABLE pointers (folder TEXT NOT NULL, target TEXT NOT NULL, line TEXT NOT NULL,
    PRIMARY KEY (folder, target)) STRICT, WITHOUT ROWID""",
    "CREATE TABLE notes (name TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID",
)


class SqliteLedger:
    """State that can't be derived, in one file; see ports.ledger.Ledger.

    Opened for reading only it answers `observe` without remembering, and StoreReadOnlyError to what would change it.
    """

    def __init__(
        self, path: str, *, read_only: bool = False, shared_memory: bool = True, patience: float = PATIENCE_SECONDS
    ) -> None:
        """Open or make the ledger; `shared_memory` as for open_file.

        StoreFormatNewerError if a newer Trinho wrote it, StoreDamagedError if it can't be read.
        """
        self._path = path
        self._read_only = read_only
        with self._damage_told():
            self._database = _open_reading(path, patience) if read_only else _open(path, patience, shared_memory)
        self.projects = self.runs = projects.SqliteProjects(self._reading, self._writing)

    @cached_property
    def knowledge(self) -> SqliteKnowledge:
        from trinho.adapters.sqlite.knowledge import SqliteKnowledge  # not every command asks for it

        return SqliteKnowledge(self._reading, self._writing)

    # -- versions -----------------------------------------------------------------------------------------------

    def observed(self, id: MemoryId) -> Observed | None:
        with self._reading() as connection:
            return _observed(connection, str(id))

    def observe(
        self, id: MemoryId, sha256: str, declared: int | None, is_current: Callable[[], bool] = always
    ) -> int | None:
        key = str(id)
        with self._reading() as connection:
            last = _observed(connection, key)
        if last is not None and last.sha256 == sha256:  # the usual case: nothing to remember, no lock
            return last.version
        if self._read_only:
            return effective_version(last, sha256, declared)
        with self._writing() as connection:
            if not is_current():
                return None
            # INVARIANT: what was read before the transaction decides nothing, another process may have been faster.
            version = effective_version(_observed(connection, key), sha256, declared)
            _remember(connection, key, Observed(version, sha256))
        return version

    def commit(self, changes: Mapping[MemoryId, Observed], run: int | None, head: ChainHead | None) -> None:
        with self._writing() as connection:
            for id, state in changes.items():
                _remember(connection, str(id), state)
            if run is not None:
                connection.execute(
                    "INSERT INTO runs VALUES (1, ?) ON CONFLICT DO UPDATE SET settled = max(settled, excluded.settled)",
                    (run,),
                )
            if head is not None:
                _advance(connection, head)

    def moved_to(self, id: MemoryId) -> list[MemoryId]:
        with self._reading() as connection:
            return ends(
                id, lambda each: self._targets(_rows(connection, "SELECT target FROM moves WHERE id = ?", str(each)))
            )

    def moved_from(self, id: MemoryId) -> list[MemoryId]:
        with self._reading() as connection:
            rows = _rows(connection, "SELECT target, id FROM moves WHERE instr(target, ?)", str(id))
            return sorted(_id(self._path, row[1]) for row in rows if id in self._targets([row]))

    def _targets(self, rows: list[tuple[Any, ...]]) -> list[MemoryId]:
        """A way that leads to one of several entries has them a line each."""
        return [_id(self._path, text) for row in rows for text in row[0].split("\n")]

    def record_move(self, id: MemoryId, *to: MemoryId) -> None:
        targets = [str(target) for target in to if target != id]
        if not targets:
            return
        with self._writing() as connection:
            # The entry lives there now, so whatever led away from there is over; thus no circle comes about
            connection.executemany("DELETE FROM moves WHERE id = ?", [(target,) for target in targets])
            connection.execute("INSERT OR REPLACE INTO moves VALUES (?, ?)", (str(id), "\n".join(targets)))

    def forget(self, id: MemoryId) -> None:
        self.knowledge.forget(id)
        self.projects.forget(str(id))
        with self._writing() as connection:
            connection.execute("DELETE FROM moves WHERE id = ?", (str(id),))
            for target, source in _rows(connection, "SELECT target, id FROM moves WHERE instr(target, ?)", str(id)):
                left = [text for text in target.split("\n") if text != str(id)]
                connection.execute("DELETE FROM moves WHERE id = ?", (source,))
                if left:
                    connection.execute("INSERT INTO moves VALUES (?, ?)", (source, "\n".join(left)))
        with self._reading() as connection:
            # What is copied for the new file must not go to a temporary one
            connection.execute("PRAGMA temp_store = MEMORY")
            connection.execute("VACUUM")
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)

    # -- audit chain and runs -----------------------------------------------------------------------------------

    def chain_head(self) -> ChainHead | None:
        with self._reading() as connection:
            rows = _rows(connection, "SELECT seq, hash FROM chain")
        return ChainHead(*rows[0]) if rows else None

    def advance_chain(self, head: ChainHead) -> None:
        with self._writing() as connection:
            _advance(connection, head)

    def settled_run(self) -> int | None:
        with self._reading() as connection:
            rows = _rows(connection, "SELECT settled FROM runs")
        settled: int | None = rows[0][0] if rows else None
        return settled

    # -- pointers and notes -------------------------------------------------------------------------------------

    def pointers(self, folder: str) -> dict[str, str]:
        with self._reading() as connection:
            sql = "SELECT target, line FROM pointers WHERE folder = ? ORDER BY target"
            return dict(_rows(connection, sql, folder))

    def pointed(self) -> list[str]:
        with self._reading() as connection:
            return [row[0] for row in _rows(connection, "SELECT DISTINCT folder FROM pointers ORDER BY folder")]

    def set_pointers(self, folder: str, lines: Mapping[str, str]) -> None:
        with self._writing() as connection:
            connection.execute("DELETE FROM pointers WHERE folder = ?", (folder,))
            rows = [(folder, storable(target), storable(line)) for target, line in lines.items()]
            connection.executemany("INSERT INTO pointers VALUES (?, ?, ?)", rows)

    def notes(self) -> dict[str, str]:
        with self._reading() as connection:
            return dict(_rows(connection, "SELECT name, text FROM notes ORDER BY name"))

    def set_note(self, name: str, text: str | None) -> None:
        with self._writing() as connection:
            if text is None:
                connection.execute("DELETE FROM notes WHERE name = ?", (name,))
            else:
                connection.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (name, storable(text)))

    # -- the file -----------------------------------------------------------------------------------------------

    def check(self) -> Sequence[str]:
        return self._database.faults()

    def holding(self, texts: Collection[bytes]) -> list[str]:
        with self._damage_told():
            return self._database.holding(texts)

    def close(self) -> None:
        self._database.close()

    @contextmanager
    def _reading(self) -> Iterator[apsw.Connection]:
        # One level where two would read better: every write asks the ledger ten times
        try:
            yield self._database.connection
        except (apsw.Error, UnicodeDecodeError) as error:
            fault = translated(error, self._path)
            if isinstance(fault, DatabaseDamagedError):
                raise StoreDamagedError(self._path, fault.reason, _HINT) from error
            raise fault from error

    @contextmanager
    def _writing(self) -> Iterator[apsw.Connection]:
        if self._read_only:
            raise StoreReadOnlyError(self._path, "it was opened for reading only")
        with self._damage_told(), self._database.writing() as connection:
            yield connection

    @contextmanager
    def _damage_told(self) -> Iterator[None]:
        try:
            yield
        except DatabaseDamagedError as damage:
            raise StoreDamagedError(self._path, damage.reason, _HINT) from damage


def _open(path: str, patience: float, shared_memory: bool) -> Database:
    with folder_turn(path, patience):
        _refuse_cut_off(path)
        database = open_file(path, patience, shared_memory=shared_memory)
        try:
            _bring_forward(database, _format(database, path))
        except BaseException:
            database.close()
            raise
    return database


def _open_reading(path: str, patience: float) -> Database:
    """The file for reading; what isn't there yet remembers nothing."""
    _refuse_cut_off(path)
    try:
        database = open_reading(path, patience)
    except FileNotFoundError:
        database = open_memory()
    found = _format(database, path)
    return database if found == FORMAT else _forward_in_memory(database, found)


def _forward_in_memory(database: Database, found: int) -> Database:
    """A copy that is brought forward, since the file can't be."""
    copy = open_memory()
    if found:
        with database.reading() as source, copy.connection.backup("main", source, "main") as backup:
            backup.step()
    database.close()
    _bring_forward(copy, found)
    return copy


def _refuse_cut_off(path: str) -> None:
    """SQLite takes what is left of a file that was cut for a new one, and we would forget without a word."""
    try:
        size, log = (os.path.getsize(place) if os.path.exists(place) else 0 for place in (path, f"{path}-wal"))
    except OSError:
        return  # opening it says why
    if 0 < size < _SMALLEST:
        raise DatabaseDamagedError(path, f"it ends after {plural(size, 'byte', 'bytes')}")
    if size == 0 and log > 0:
        raise DatabaseDamagedError(path, "it is empty, and its log is not")


def _format(database: Database, path: str) -> int:
    """The format of a ledger, 0 if it is empty; StoreFormatNewerError where this version doesn't know it."""
    with database.reading() as connection:
        found = int(connection.pragma("user_version"))
        tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    if found > FORMAT:
        raise StoreFormatNewerError(path, found, FORMAT)
    if found == 0 and tables != [(0,)]:
        raise DatabaseDamagedError(path, "it has tables and no format")
    return found


def _steps() -> tuple[tuple[str, ...], ...]:
    """What brings a ledger of each format to the next one; the first is of an empty file."""
    from trinho.adapters.sqlite import knowledge

    return _FIRST_SCHEMA, knowledge.SCHEMA, projects.SCHEMA, projects.PROCESSES_SCHEMA


def _bring_forward(database: Database, found: int) -> None:
    if found == FORMAT:
        return
    with database.writing() as connection:
        for statement in (statement for step in _steps()[found:] for statement in step):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {FORMAT}")


def _rows(connection: apsw.Connection, sql: str, *values: str) -> list[tuple[Any, ...]]:
    """All rows at once; the strict tables vouch for their types."""
    return connection.execute(sql, values).fetchall()


def _observed(connection: apsw.Connection, key: str) -> Observed | None:
    rows = _rows(connection, "SELECT version, sha256 FROM versions WHERE id = ?", key)
    return Observed(*rows[0]) if rows else None


def _remember(connection: apsw.Connection, key: str, state: Observed) -> None:
    connection.execute("INSERT OR REPLACE INTO versions VALUES (?, ?, ?)", (key, state.version, state.sha256))
    if state.sha256:  # there is an entry again, so the way to where an earlier one went is over
        connection.execute("DELETE FROM moves WHERE id = ?", (key,))


def _advance(connection: apsw.Connection, head: ChainHead) -> None:
    connection.execute(
        """INSERT INTO chain VALUES (1, ?, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq, hash = excluded.hash
        WHERE excluded.seq > seq""",
        (head.seq, head.hash),
    )


def _id(path: str, text: str) -> MemoryId:
    try:
        return parse_memory_id(text)
    except InvalidMemoryIdError as error:
        raise DatabaseDamagedError(path, error.message) from error
