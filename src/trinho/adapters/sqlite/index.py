"""The search index in SQLite: the files, the words in them for finding, and the same words for judging."""

from __future__ import annotations

import os
from operator import itemgetter
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import apsw

from trinho.adapters.sqlite.connection import (
    PATIENCE_SECONDS,
    Database,
    DatabaseDamagedError,
    folder_turn,
    open_file,
    open_memory,
    remove_files,
    rename_files,
)
from trinho.adapters.sqlite.rows import (
    LISTED_COLUMNS,
    MARK_COLUMNS,
    QUARANTINED_COLUMNS,
    RECORD_COLUMNS,
    Row,
    decoding,
    id_of,
    listed,
    marks_of,
    microseconds,
    path_key,
    quarantined,
    values_of,
)
from trinho.adapters.sqlite.unicode import storable
from trinho.adapters.sqlite.words import NO_BRANCH, KindRows, SqliteWords, row_of
from trinho.domain.knowledge import Status, topic_key
from trinho.errors import StoreDamagedError, StoreFormatNewerError, StoreFullError
from trinho.ports.index import Answer, IndexRecord, Listed, Quarantined, Visible, WordReader

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from contextlib import AbstractContextManager

    from trinho.domain.ids import MemoryId
    from trinho.domain.versions import FileMark

FORMAT = 4
_CHECKED_BYTES = 128 * 1024  # a file up to this size is checked at open: a millisecond
_P = ParamSpec("_P")
_Q = TypeVar("_Q")
_T = TypeVar("_T")

# The tokenizer cuts where trinho.retrieval.words says that words end. Only postings are kept of them: no text, no
# positions. The texts beside them are what is scored; they lie apart from the files, which are read whole at each open.
# A branch is `shared`, a project or a role, with how many words its entries have.
_SCHEMA = (
    """CREATE TABLE files (row INTEGER PRIMARY KEY, path NOT NULL UNIQUE, inode INTEGER NOT NULL, size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL, id TEXT, line INTEGER, reason TEXT, sha256 TEXT, kind TEXT, type TEXT, name TEXT,
    description TEXT, created INTEGER, updated INTEGER, body TEXT, domain TEXT, topic TEXT, knowledge TEXT)""",
    "CREATE INDEX bodies ON files (body) WHERE body IS NOT NULL",
    "CREATE INDEX domains ON files (domain, topic) WHERE domain IS NOT NULL",
    "CREATE TABLE replaced (loser TEXT NOT NULL, winner TEXT NOT NULL, row INTEGER NOT NULL, updated INTEGER NOT NULL)",
    "CREATE INDEX losers ON replaced (loser)",
    "CREATE INDEX winners ON replaced (row)",
    "CREATE INDEX ages ON files (updated) WHERE updated IS NOT NULL",
    """CREATE TABLE texts (row INTEGER PRIMARY KEY, body TEXT NOT NULL, head TEXT NOT NULL, summary TEXT NOT NULL,
    accented TEXT NOT NULL, meanings TEXT NOT NULL, sequence TEXT, place TEXT)""",
    "CREATE INDEX sequences ON texts (sequence, place) WHERE sequence IS NOT NULL",
    """CREATE TABLE branches (branch INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, entries INTEGER NOT NULL,
    body INTEGER NOT NULL, head INTEGER NOT NULL, summary INTEGER NOT NULL)""",
    """CREATE VIRTUAL TABLE words USING fts5(text, content='', contentless_delete=1, detail=none,
    tokenize="ascii tokenchars '_'")""",
    f"PRAGMA user_version = {FORMAT}",
)
_PLACES = ", ".join("?" * len(RECORD_COLUMNS.split(",")))
_INSERT = f"INSERT INTO files ({RECORD_COLUMNS}) VALUES ({_PLACES})"  # noqa: S608 - constants
_LISTING = f"SELECT {LISTED_COLUMNS}, NULL FROM files WHERE reason IS NULL"  # noqa: S608


class SqliteIndex:
    """A derived file that may go at any time; see ports.index.SearchIndex.

    A damaged file is renamed to `….damaged` and a new one begun. Writing goes on with that; a question that was asked
    of the damaged one is a StoreDamagedError, since the new one can't answer it yet. `stale` then says so.
    """

    def __init__(
        self,
        path: str,
        *,
        memory: bool = False,
        fresh: bool = False,
        check: bool = False,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        """Open or make the index. `memory` needs no file, `fresh` deletes what is there, `check` looks it all over.

        StoreFormatNewerError if a newer Trinho wrote it, StoreReadOnlyError if it can't be written.
        """
        self._path = path
        self._memory = memory
        self._patience = patience
        self._set_aside = False
        self._kinds = KindRows()
        self._database = self._open(fresh=fresh, check=check)

    def marks(self) -> dict[str, FileMark]:
        sql = f"SELECT {MARK_COLUMNS} FROM files"  # noqa: S608
        return self._again(lambda: self._decoded(marks_of, self._rows(sql)))

    def put(self, records: Iterable[IndexRecord | Quarantined]) -> None:
        given = list(records)
        if given:
            self._again(lambda: self._put(given))

    def drop(self, paths: Iterable[str]) -> None:
        given = list(paths)
        if given:
            self._again(lambda: self._drop(given))

    def read(self, question: Callable[[WordReader], Answer]) -> Answer:
        return self._asked(lambda: self._read(question))

    def listing(self, visible: Visible, under: str = "") -> list[Listed]:
        return self._asked(lambda: [row for row, _ in self._seen(*_listing_query(under), visible)])

    def about(self, visible: Visible, domain: str, topic: str | None = None) -> list[Listed]:
        narrowed, values = ("", (domain,)) if topic is None else (" AND topic = ?", (domain, topic_key(topic)))
        sql = f"{_LISTING} AND domain = ?{narrowed} ORDER BY id"
        return self._asked(lambda: [row for row, _ in self._seen(sql, values, visible)])

    def same_bodies(self, visible: Visible) -> list[list[MemoryId]]:
        sql = """SELECT body, id FROM files WHERE body IN
            (SELECT body FROM files WHERE body IS NOT NULL GROUP BY body HAVING count(*) > 1) ORDER BY id"""
        groups: dict[object, list[MemoryId]] = {}
        for body, text in self._asked(lambda: self._rows(sql)):
            memory_id = self._decoded(id_of, text)
            if visible(memory_id):
                groups.setdefault(body, []).append(memory_id)
        return sorted(group for group in groups.values() if len(group) > 1)

    def check(self) -> Sequence[str]:
        return self._database.faults()

    def holding(self, texts: Collection[bytes]) -> list[str]:
        return self._asked(lambda: self._database.holding(texts))

    def quarantined(self) -> list[Quarantined]:
        sql = f"SELECT {QUARANTINED_COLUMNS} FROM files WHERE reason IS NOT NULL"  # noqa: S608
        found = self._asked(lambda: self._decoded(_each, quarantined, self._rows(sql)))
        return sorted(found, key=lambda file: file.path)

    def clear(self) -> None:
        self._database.check_process()
        self._database.close()
        self._database = self._open(fresh=True)
        self._set_aside = False

    def stamp(self) -> object:
        with self._database.reading() as connection:
            return id(connection), connection.pragma("data_version"), connection.total_changes()

    def stale(self) -> bool:
        """Whether the file was deleted, replaced or set aside since it was opened: open it again and reconcile."""
        return self._set_aside or self._database.replaced()

    def close(self) -> None:
        self._database.close()

    def _put(self, records: list[IndexRecord | Quarantined]) -> None:
        with self._database.writing() as connection:
            branches = _Branches(connection)
            last = {record.path: record for record in records}
            for path in last:
                branches.remove(path)
            # Postings are written in the order of their rows, or one at a time
            given = sorted(((branches.row_for(record), record) for record in last.values()), key=itemgetter(0))
            for row, record in given:
                branches.insert(row, record)
            branches.write()

    def _drop(self, paths: list[str]) -> None:
        with self._database.writing() as connection:
            branches = _Branches(connection)
            for path in paths:
                branches.remove(path)
            branches.write()

    def _read(self, question: Callable[[WordReader], Answer]) -> Answer:
        with self._database.snapshot() as connection:
            return question(SqliteWords(connection, self._path, self._kinds))

    def _seen(self, sql: str, values: Row, visible: Visible) -> list[tuple[Listed, object]]:
        """The visible entries among rows of LISTED_COLUMNS and one more."""
        seen: list[tuple[Listed, object]] = []
        for *columns, more in self._rows(sql, values):
            memory_id = self._decoded(id_of, columns[0])
            if visible(memory_id):
                seen.append((self._decoded(listed, memory_id, columns), more))
        return seen

    def _rows(self, sql: str, values: Row = ()) -> list[Row]:
        with self._database.reading() as connection:
            return connection.execute(sql, values).fetchall()

    def _decoded(self, read: Callable[_P, _T], *values: _P.args, **named: _P.kwargs) -> _T:
        return decoding(self._path, read, *values, **named)

    def _again(self, act: Callable[[], _T]) -> _T:
        """Do it, on a new file if the present one turns out to be damaged."""
        try:
            return act()
        except DatabaseDamagedError:
            self._begin_anew()
            return act()

    def _asked(self, ask: Callable[[], _T]) -> _T:
        """Ask it; of a damaged file there is no answer."""
        try:
            return ask()
        except DatabaseDamagedError as damage:
            self._begin_anew()
            hint = "ask again: it was set aside, and the next command rebuilds it from the files"
            raise StoreDamagedError(self._path, damage.reason, hint) from damage

    def _begin_anew(self) -> None:
        self._database.close()
        with self._turn():
            if not self._database.replaced():  # else another process was here first
                rename_files(self._path, f"{self._path}.damaged")
            self._database = _open_current(self._path, self._patience)
        self._set_aside = True

    def _open(self, *, fresh: bool, check: bool = False) -> Database:
        if self._memory:
            return _with_schema(open_memory())
        with self._turn():
            if fresh:
                for path in (self._path, f"{self._path}.damaged"):
                    remove_files(path)
            try:
                return _open_current(self._path, self._patience, check=check)
            except (DatabaseDamagedError, StoreDamagedError):  # damaged, or something else in its place
                rename_files(self._path, f"{self._path}.damaged")
                return _open_current(self._path, self._patience)

    def _turn(self) -> AbstractContextManager[None]:
        return folder_turn(self._path, self._patience)


def _open_current(path: str, patience: float, *, check: bool = False) -> Database:
    """The file in the present format: an older one is begun anew."""
    database = open_file(path, patience)
    try:
        found = _format(database)
        if found > FORMAT:
            raise StoreFormatNewerError(path, found, FORMAT, "install a newer trinho, or run `trinho index rebuild`")
        if found == FORMAT:
            _look_over(database, path, check=check)
            return database
        if not _is_empty(database):
            database.close()
            remove_files(path)
            database = open_file(path, patience)
        return _with_schema(database)
    except BaseException:
        database.close()
        raise


def _look_over(database: Database, path: str, *, check: bool) -> None:
    if check or os.path.getsize(path) <= _CHECKED_BYTES:
        with database.reading() as connection:
            found = connection.execute("PRAGMA quick_check(1)").fetchall()
        if found != [("ok",)]:
            raise DatabaseDamagedError(path, str(found[0][0]))


def _format(database: Database) -> int:
    with database.reading() as connection:
        return int(connection.pragma("user_version"))


def _is_empty(database: Database) -> bool:
    with database.reading() as connection:
        return connection.execute("SELECT count(*) FROM sqlite_schema").fetchall() == [(0,)]


def _with_schema(database: Database) -> Database:
    with database.writing() as connection:
        for statement in _SCHEMA:
            connection.execute(statement)
    return database


def _each(read: Callable[[_Q], _T], rows: Iterable[_Q]) -> list[_T]:
    return [read(row) for row in rows]


class _Branches:
    """Files put and removed in one transaction, and what that makes of the branches."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._numbers: dict[str, int] = {}
        self._changes: dict[int, list[int]] = {}

    def row_for(self, record: IndexRecord | Quarantined) -> int:
        if isinstance(record, Quarantined):
            return row_of(record.path, NO_BRANCH)
        return row_of(str(record.id), self._number(":".join(record.id.branch)))

    def remove(self, path: str) -> None:
        found = self._connection.execute("DELETE FROM files WHERE path = ? RETURNING row", (path_key(path),)).fetchall()
        if not found:
            return
        row: Any = found[0][0]
        self._connection.execute("DELETE FROM replaced WHERE row = ?", (row,))
        sql = "DELETE FROM texts WHERE row = ? RETURNING body, head, summary"
        for texts in self._connection.execute(sql, (row,)).fetchall():
            self._connection.execute("DELETE FROM words WHERE rowid = ?", (row,))
            self._change(row & NO_BRANCH, -1, [str(text) for text in texts])

    def insert(self, row: int, record: IndexRecord | Quarantined) -> None:
        while True:
            try:
                self._connection.execute(_INSERT, values_of(row, record))
                break
            except apsw.ConstraintError:  # two IDs with one hash: by chance in a million entries of one branch, hardly
                row += NO_BRANCH + 1
        if isinstance(record, Quarantined):
            return
        if record.knowledge.status is Status.ACTIVE:
            branch = [*record.id.branch]
            replaced = [
                (storable(loser), str(record.id), row, microseconds(record.updated_at))
                for loser in record.knowledge.supersedes
                if loser.split(":")[: len(branch)] == branch
            ]
            self._connection.executemany("INSERT INTO replaced VALUES (?, ?, ?, ?)", replaced)
        texts = tuple(text.encode("utf-8", "replace").decode() for text in record.words)
        sequence, place = record.place or (None, None)
        self._connection.execute("INSERT INTO texts VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (row, *texts, sequence, place))
        body, head, summary, _, meanings = texts
        self._connection.execute(
            "INSERT INTO words (rowid, text) VALUES (?, ?)", (row, body + head + summary + meanings)
        )
        self._change(row & NO_BRANCH, 1, (body, head, summary))

    def write(self) -> None:
        sql = "UPDATE branches SET entries = entries + ?, body = body + ?, head = head + ?, summary = summary + ?"
        for branch, changes in self._changes.items():
            self._connection.execute(f"{sql} WHERE branch = ?", (*changes, branch))

    def _number(self, name: str) -> int:
        if name not in self._numbers:
            self._numbers[name] = self._numbered(name)
        return self._numbers[name]

    def _numbered(self, name: str) -> int:
        found: list[Any] = self._connection.execute("SELECT branch FROM branches WHERE name = ?", (name,)).fetchall()
        if found:
            return int(found[0][0])
        last: Any = self._connection.execute("SELECT coalesce(max(branch), 0) FROM branches").fetchall()[0][0]
        if last + 1 >= NO_BRANCH:
            raise StoreFullError("the index", f"it can tell {NO_BRANCH - 1} projects and roles apart, no more")
        self._connection.execute("INSERT INTO branches VALUES (?, ?, 0, 0, 0, 0)", (last + 1, name))
        return int(last) + 1

    def _change(self, branch: int, by: int, texts: Sequence[str]) -> None:
        changes = self._changes.setdefault(branch, [0, 0, 0, 0])
        changes[0] += by
        for place, text in enumerate(texts, 1):
            changes[place] += by * max(0, text.count(" ") - 1)


def _listing_query(under: str) -> tuple[str, Row]:
    if not under:
        return f"{_LISTING} ORDER BY id", ()
    # Every path that begins so lies before the one that goes on with the last character that there is
    return f"{_LISTING} AND path >= ?1 AND path < ?1 || char(0x10ffff) ORDER BY id", (path_key(under),)
