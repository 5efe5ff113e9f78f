"""The search index in SQLite: one table of files, and FTS5 for the postings alone."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from trinho.adapters.sqlite.connection import Database, DatabaseDamaged
from trinho.domain.entry import EntryType, Kind
from trinho.domain.ids import parse_memory_id
from trinho.errors import StoreFormatNewerError
from trinho.ports.index import IndexRecord, Listed, Match, Quarantined, Visible
from trinho.ports.store import FileMark

SCHEMA = 1
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TABLES = (
    "CREATE TABLE IF NOT EXISTS file(row INTEGER PRIMARY KEY, path TEXT UNIQUE NOT NULL, id TEXT, inode INTEGER, size INTEGER,"
    " mtime_ns INTEGER, sha256 TEXT, kind TEXT, type TEXT, name TEXT, description TEXT, created INTEGER, updated INTEGER,"
    " line INTEGER, reason TEXT)",
    "CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(body, content='', contentless_delete=1,"
    ' tokenize="unicode61 remove_diacritics 0")',
    f"PRAGMA user_version = {SCHEMA}",
)
_LISTED = "f.id, f.kind, f.type, f.name, f.description, f.created, f.updated"


class SqliteIndex:
    """See ports.index.SearchIndex."""

    def __init__(self, path: str, *, memory: bool = False) -> None:
        self._path = path
        self._memory = memory
        try:
            self._open()
        except DatabaseDamaged:
            self._set_aside()
            self._open()

    def _open(self) -> None:
        self._db = Database(self._path, memory=self._memory)
        found = self._db.schema
        if found > SCHEMA:
            self._db.close()
            raise StoreFormatNewerError(self._path, found, SCHEMA)
        with self._db.writing() as connection:
            for table in _TABLES:
                connection.execute(table).fetchall()

    def marks(self) -> dict[str, FileMark]:
        rows = self._db.rows("SELECT path, inode, size, mtime_ns FROM file")
        return {path: FileMark(inode, size, mtime) for path, inode, size, mtime in rows}  # type: ignore[misc,arg-type]

    def put(self, records: Iterable[IndexRecord | Quarantined]) -> None:
        with self._db.writing() as connection:
            for record in records:
                self._forget(connection, record.path)
                self._add(connection, record)

    def drop(self, paths: Iterable[str]) -> None:
        with self._db.writing() as connection:
            for path in paths:
                self._forget(connection, path)

    def _forget(self, connection, path: str) -> None:  # type: ignore[no-untyped-def]
        rows = connection.execute("DELETE FROM file WHERE path = ? RETURNING row", (path,)).fetchall()
        for row in rows:
            connection.execute("DELETE FROM words WHERE rowid = ?", row).fetchall()

    def _add(self, connection, record: IndexRecord | Quarantined) -> None:  # type: ignore[no-untyped-def]
        mark = record.mark
        if isinstance(record, Quarantined):
            row = (record.path, None if record.id is None else str(record.id), mark.inode, mark.size, mark.mtime_ns)
            connection.execute(
                "INSERT INTO file(path, id, inode, size, mtime_ns, line, reason) VALUES(?, ?, ?, ?, ?, ?, ?)",
                (*row, record.line, record.reason),
            ).fetchall()
            return
        connection.execute(
            "INSERT INTO file(path, id, inode, size, mtime_ns, sha256, kind, type, name, description, created, updated)"
            " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                record.path,
                str(record.id),
                mark.inode,
                mark.size,
                mark.mtime_ns,
                record.sha256,
                record.kind.value,
                record.type.value,
                record.name,
                record.description,
                _micros(record.created_at),
                _micros(record.updated_at),
            ),
        ).fetchall()
        connection.execute(
            "INSERT INTO words(rowid, body) VALUES(?, ?)", (connection.last_insert_rowid(), record.words)
        ).fetchall()

    def matching(self, terms: Sequence[str], visible: Visible) -> list[Match]:
        held: dict[int, list[int]] = {}
        for place, term in enumerate(terms):
            quoted = '"' + term.replace('"', '""') + '" *'
            for (row,) in self._db.rows("SELECT rowid FROM words WHERE words MATCH ?", (quoted,)):
                held.setdefault(row, []).append(place)  # type: ignore[arg-type]
        matches = []
        for row, places in held.items():
            for found in self._db.rows(f"SELECT {_LISTED} FROM file f WHERE row = ?", (row,)):
                listed = _listed(found)
                if visible(listed.id):
                    matches.append(Match(listed, tuple(places)))
        return sorted(matches, key=lambda match: str(match.row.id))

    def listing(self, visible: Visible, under: str = "") -> list[Listed]:
        rows = self._db.rows(
            f"SELECT {_LISTED} FROM file f WHERE reason IS NULL AND path >= ?1 AND path < ?1 || char(0x10ffff) ORDER BY id",
            (under,),
        )
        return [listed for row in rows if visible((listed := _listed(row)).id)]

    def quarantined(self) -> list[Quarantined]:
        rows = self._db.rows(
            "SELECT path, id, inode, size, mtime_ns, line, reason FROM file WHERE reason IS NOT NULL ORDER BY path"
        )
        return [
            Quarantined(path, None if id is None else parse_memory_id(id), FileMark(inode, size, mtime), line, reason)  # type: ignore[arg-type]
            for path, id, inode, size, mtime, line, reason in rows
        ]

    def clear(self) -> None:
        self._db.close()
        if not self._memory:
            for suffix in ("", "-wal", "-shm", ".damaged", "-wal.damaged", "-shm.damaged"):
                with suppress(FileNotFoundError):
                    os.unlink(self._path + suffix)
        self._open()

    def _set_aside(self) -> None:
        for suffix in ("", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                os.replace(self._path + suffix, f"{self._path}{suffix}.damaged")

    def close(self) -> None:
        self._db.close()


def _listed(row: Sequence[object]) -> Listed:
    id, kind, type, name, description, created, updated = row
    return Listed(
        parse_memory_id(str(id)),
        Kind(str(kind)),
        EntryType(str(type)),
        str(name),
        str(description),
        _EPOCH + timedelta(microseconds=int(str(created))),
        _EPOCH + timedelta(microseconds=int(str(updated))),
    )


def _micros(at: datetime) -> int:
    return (at - _EPOCH) // timedelta(microseconds=1)
