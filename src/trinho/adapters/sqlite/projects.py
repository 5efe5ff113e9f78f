"""Projects and the runs of clients in the ledger's file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from trinho.adapters.sqlite.unicode import storable
from trinho.domain.project import Registered
from trinho.domain.run import ClientRun

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from contextlib import AbstractContextManager

    import apsw

SCHEMA = (
    """CREATE TABLE projects (id TEXT PRIMARY KEY, slug TEXT NOT NULL, root TEXT NOT NULL, remote TEXT,
    token TEXT NOT NULL) STRICT, WITHOUT ROWID""",
    "CREATE TABLE places (place TEXT PRIMARY KEY, project TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """CREATE TABLE client_runs (session TEXT PRIMARY KEY, transcript TEXT NOT NULL, project TEXT, at INTEGER NOT NULL)
    STRICT, WITHOUT ROWID""",
    """CREATE TABLE surfaced (session TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
    PRIMARY KEY (session, id)) STRICT, WITHOUT ROWID""",
)
PROCESSES_SCHEMA = (
    "CREATE TABLE client_processes (process INTEGER PRIMARY KEY, session TEXT NOT NULL, at INTEGER NOT NULL) STRICT",
)
_MOST_RUNS = 1_000
_PROJECTS = "SELECT id, slug, root, remote, token FROM projects"
_AT = f"{_PROJECTS} WHERE id = (SELECT project FROM places WHERE place = ?)"  # noqa: S608 - nothing from outside
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class SqliteProjects:
    """See ports.projects.ProjectLedger and RunLedger; the ledger lends its connection."""

    def __init__(
        self,
        reading: Callable[[], AbstractContextManager[apsw.Connection]],
        writing: Callable[[], AbstractContextManager[apsw.Connection]],
    ) -> None:
        self._reading = reading
        self._writing = writing

    def projects(self) -> list[Registered]:
        return [Registered(*row) for row in self._rows(f"{_PROJECTS} ORDER BY id")]

    def at(self, place: str) -> Registered | None:
        with self._reading() as connection:
            return _at(connection, place)

    def places(self, id: str) -> list[str]:
        return [row[0] for row in self._rows("SELECT place FROM places WHERE project = ? ORDER BY place", id)]

    def register(self, project: Registered, place: str) -> Registered:
        with self._writing() as connection:
            known = _at(connection, place)
            if known is not None:
                return known
            _put(connection, project, place)
        return project

    def settle(self, project: Registered, place: str, instead_of: str | None = None) -> None:
        with self._writing() as connection:
            if instead_of is not None:
                connection.execute("DELETE FROM places WHERE place = ?", (storable(instead_of),))
            _put(connection, project, place)

    def heard_of(self, run: ClientRun) -> None:
        values = (storable(run.session), storable(run.transcript), run.project, (run.at - _EPOCH) // _MICROSECOND)
        with self._writing() as connection:
            connection.execute("INSERT OR REPLACE INTO client_runs VALUES (?, ?, ?, ?)", values)
            old = "SELECT session FROM client_runs ORDER BY at DESC LIMIT -1 OFFSET ?"
            for (session,) in connection.execute(old, (_MOST_RUNS,)).fetchall():
                connection.execute("DELETE FROM client_runs WHERE session = ?", (session,))
                connection.execute("DELETE FROM surfaced WHERE session = ?", (session,))

    def run(self, session: str) -> ClientRun | None:
        rows = self._rows(
            "SELECT session, transcript, project, at FROM client_runs WHERE session = ?", storable(session)
        )
        if not rows:
            return None
        name, transcript, project, at = rows[0]
        return ClientRun(name, transcript, project, _EPOCH + timedelta(microseconds=at))

    def set_at_work(self, process: int, session: str, at: datetime) -> None:
        with self._writing() as connection:
            values = (process, storable(session), (at - _EPOCH) // _MICROSECOND)
            connection.execute("INSERT OR REPLACE INTO client_processes VALUES (?, ?, ?)", values)
            old = "SELECT process FROM client_processes ORDER BY at DESC LIMIT -1 OFFSET ?"
            connection.execute(f"DELETE FROM client_processes WHERE process IN ({old})", (_MOST_RUNS,))  # noqa: S608 - nothing from outside

    def at_work(self, process: int) -> tuple[str, datetime] | None:
        rows = self._rows("SELECT session, at FROM client_processes WHERE process = ?", process)
        return (rows[0][0], _EPOCH + timedelta(microseconds=rows[0][1])) if rows else None

    def surfaced(self, session: str) -> set[tuple[str, int]]:
        return {
            (id, version)
            for id, version in self._rows("SELECT id, version FROM surfaced WHERE session = ?", storable(session))
        }

    def add_surfaced(self, session: str, shown: Collection[tuple[str, int]], at: datetime) -> None:
        with self._writing() as connection:
            # A run that was never told of is known from now on, so that it is forgotten in its turn
            connection.execute(
                "INSERT OR IGNORE INTO client_runs VALUES (?, '', NULL, ?)",
                (storable(session), (at - _EPOCH) // _MICROSECOND),
            )
            connection.executemany(
                "INSERT OR REPLACE INTO surfaced VALUES (?, ?, ?)",
                [(storable(session), id, version) for id, version in shown],
            )

    def forget_surfaced(self, session: str) -> None:
        with self._writing() as connection:
            connection.execute("DELETE FROM surfaced WHERE session = ?", (storable(session),))

    def forget(self, id: str) -> None:
        """Nothing of an entry stays."""
        with self._writing() as connection:
            connection.execute("DELETE FROM surfaced WHERE id = ?", (id,))

    def _rows(self, sql: str, *values: str | int) -> list[tuple[Any, ...]]:
        with self._reading() as connection:
            return connection.execute(sql, values).fetchall()


def _at(connection: apsw.Connection, place: str) -> Registered | None:
    rows: list[tuple[Any, ...]] = connection.execute(_AT, (storable(place),)).fetchall()
    return Registered(*rows[0]) if rows else None


def _put(connection: apsw.Connection, project: Registered, place: str) -> None:
    values = (project.id, project.slug, storable(project.root), project.remote, project.token)
    connection.execute("INSERT OR REPLACE INTO projects VALUES (?, ?, ?, ?, ?)", values)
    connection.execute("INSERT OR REPLACE INTO places VALUES (?, ?)", (storable(place), project.id))
