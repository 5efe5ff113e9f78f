"""The state ledger in SQLite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trinho.adapters.sqlite.connection import Database, DatabaseDamaged
from trinho.domain.audit import ChainHead
from trinho.domain.ids import MemoryId, parse_memory_id
from trinho.domain.versions import Observed, effective_version
from trinho.errors import StoreDamagedError, StoreFormatNewerError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SCHEMA = 1
_TABLES = (
    "CREATE TABLE IF NOT EXISTS observed(id TEXT PRIMARY KEY, version INTEGER NOT NULL, sha256 TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS moved(id TEXT PRIMARY KEY, target TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS state(name TEXT PRIMARY KEY, number INTEGER, text TEXT) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS pointer(folder TEXT, target TEXT, line TEXT NOT NULL, PRIMARY KEY(folder, target)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS note(name TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID",
    f"PRAGMA user_version = {SCHEMA}",
)


class SqliteLedger:
    """See ports.ledger.Ledger."""

    def __init__(self, path: str, *, read_only: bool = False) -> None:
        self._path = path
        try:
            self._db = Database(path, read_only=read_only)
            found = self._db.schema
            if found > SCHEMA:
                self._db.close()
                raise StoreFormatNewerError(path, found, SCHEMA)
            if found < SCHEMA and not read_only:
                with self._db.writing() as connection:
                    for table in _TABLES:
                        connection.execute(table).fetchall()
        except DatabaseDamaged as error:
            hint = "restore it from a backup, or move it away: versions then follow the files"
            raise StoreDamagedError(path, str(error), hint) from error
        self._read_only = read_only

    def observed(self, id: MemoryId) -> Observed | None:
        rows = self._db.rows("SELECT version, sha256 FROM observed WHERE id = ?", (str(id),))
        return Observed(int(str(rows[0][0])), str(rows[0][1])) if rows else None

    def observe(self, id: MemoryId, sha256: str, declared: int | None) -> int:
        last = self.observed(id)
        if last is not None and last.sha256 == sha256:
            return last.version
        if self._read_only:
            return effective_version(last, sha256, declared)
        with self._db.writing() as connection:
            version = effective_version(self.observed(id), sha256, declared)
            connection.execute("REPLACE INTO observed VALUES(?, ?, ?)", (str(id), version, sha256)).fetchall()
        return version

    def commit(self, changes: Mapping[MemoryId, Observed], run: int, head: ChainHead | None) -> None:
        with self._db.writing() as connection:
            for id, seen in changes.items():
                row = (str(id), seen.version, seen.sha256)
                connection.execute("REPLACE INTO observed VALUES(?, ?, ?)", row).fetchall()
                if seen.sha256:
                    connection.execute("DELETE FROM moved WHERE id = ?", (str(id),)).fetchall()
            _raise_state(connection, "settled", run, "")
            if head is not None:
                _raise_state(connection, "head", head.seq, head.hash)

    def moved_to(self, id: MemoryId) -> MemoryId | None:
        name, seen = str(id), {str(id)}
        while rows := self._db.rows("SELECT target FROM moved WHERE id = ?", (name,)):
            name = str(rows[0][0])
            if name in seen:
                return None
            seen.add(name)
        return None if name == str(id) else parse_memory_id(name)

    def record_move(self, id: MemoryId, to: MemoryId) -> None:
        with self._db.writing() as connection:
            connection.execute("DELETE FROM moved WHERE id = ?", (str(to),)).fetchall()
            connection.execute("REPLACE INTO moved VALUES(?, ?)", (str(id), str(to))).fetchall()

    def forget(self, id: MemoryId) -> None:
        with self._db.writing() as connection:
            connection.execute("DELETE FROM moved WHERE id = ?1 OR target = ?1", (str(id),)).fetchall()
        for statement in ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"):
            self._db.rows(statement)

    def chain_head(self) -> ChainHead | None:
        rows = self._db.rows("SELECT number, text FROM state WHERE name = 'head'")
        return ChainHead(int(str(rows[0][0])), str(rows[0][1])) if rows else None

    def advance_chain(self, head: ChainHead) -> None:
        with self._db.writing() as connection:
            _raise_state(connection, "head", head.seq, head.hash)

    def settled_run(self) -> int:
        rows = self._db.rows("SELECT number FROM state WHERE name = 'settled'")
        return int(str(rows[0][0])) if rows else 0

    def pointers(self, folder: str) -> dict[str, str]:
        rows = self._db.rows("SELECT target, line FROM pointer WHERE folder = ?", (folder,))
        return {str(target): str(line) for target, line in rows}

    def set_pointers(self, folder: str, lines: Mapping[str, str]) -> None:
        with self._db.writing() as connection:
            connection.execute("DELETE FROM pointer WHERE folder = ?", (folder,)).fetchall()
            rows = [(folder, target, line) for target, line in lines.items()]
            connection.executemany("INSERT INTO pointer VALUES(?, ?, ?)", rows).fetchall()

    def notes(self) -> dict[str, str]:
        return {str(name): str(text) for name, text in self._db.rows("SELECT name, text FROM note")}

    def set_note(self, name: str, text: str | None) -> None:
        with self._db.writing() as connection:
            if text is None:
                connection.execute("DELETE FROM note WHERE name = ?", (name,)).fetchall()
            else:
                connection.execute("REPLACE INTO note VALUES(?, ?)", (name, text)).fetchall()

    def check(self) -> Sequence[str]:
        try:
            answers = [str(row[0]) for row in self._db.rows("PRAGMA quick_check")]
        except DatabaseDamaged as error:
            return [str(error)]
        return [] if answers == ["ok"] else answers

    def close(self) -> None:
        self._db.close()


def _raise_state(connection, name: str, number: int, text: str) -> None:  # type: ignore[no-untyped-def]
    connection.execute(
        "INSERT INTO state VALUES(?, ?, ?) ON CONFLICT(name) DO UPDATE SET number = excluded.number, "
        "text = excluded.text WHERE excluded.number > state.number",
        (name, number, text),
    ).fetchall()
