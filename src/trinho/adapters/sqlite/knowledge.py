"""The state of knowledge in the ledger's file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from trinho.adapters.sqlite.unicode import storable
from trinho.domain.conflict import Conflict, ConflictState
from trinho.domain.knowledge import MemoryType
from trinho.domain.notes import Counts, HotItem, Observation

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from contextlib import AbstractContextManager

    import apsw

    from trinho.domain.ids import MemoryId

SCHEMA = (
    """CREATE TABLE counters (id TEXT PRIMARY KEY, mentions INTEGER NOT NULL, recalls INTEGER NOT NULL,
    recalled INTEGER) STRICT, WITHOUT ROWID""",
    """CREATE TABLE conflicts (number INTEGER PRIMARY KEY AUTOINCREMENT, loser TEXT NOT NULL, winner TEXT NOT NULL,
    label TEXT NOT NULL, state TEXT NOT NULL, at INTEGER NOT NULL, by TEXT NOT NULL, overturns INTEGER) STRICT""",
    """CREATE TABLE hot (number INTEGER PRIMARY KEY AUTOINCREMENT, role TEXT NOT NULL, session TEXT NOT NULL,
    content TEXT NOT NULL, memory_type TEXT NOT NULL, importance REAL NOT NULL, created INTEGER NOT NULL,
    expires INTEGER NOT NULL) STRICT""",
    "CREATE INDEX hot_of ON hot (role)",
    """CREATE TABLE observations (id TEXT PRIMARY KEY, note TEXT NOT NULL, text TEXT NOT NULL, at INTEGER NOT NULL)
    STRICT, WITHOUT ROWID""",
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_CONFLICTS = "SELECT number, loser, winner, label, state, at, by, overturns FROM conflicts"
_HOT = "SELECT number, role, session, content, memory_type, importance, created, expires FROM hot"


class SqliteKnowledge:
    """See ports.knowledge.KnowledgeLedger; the ledger lends its connection."""

    def __init__(
        self,
        reading: Callable[[], AbstractContextManager[apsw.Connection]],
        writing: Callable[[], AbstractContextManager[apsw.Connection]],
    ) -> None:
        self._reading = reading
        self._writing = writing

    def counts(self, ids: Collection[MemoryId]) -> dict[MemoryId, Counts]:
        return {id: self._counts(str(id)) for id in ids}

    def _counts(self, key: str) -> Counts:
        rows = self._rows("SELECT mentions, recalls FROM counters WHERE id = ?", key)
        return Counts(*rows[0]) if rows else Counts()

    def mention(self, id: MemoryId) -> None:
        with self._writing() as connection:
            connection.execute(
                "INSERT INTO counters VALUES (?, 2, 0, NULL) ON CONFLICT DO UPDATE SET mentions = mentions + 1",
                (str(id),),
            )

    def recalled(self, ids: Collection[MemoryId], at: datetime) -> None:
        when = _number(at)
        with self._writing() as connection:
            connection.executemany(
                """INSERT INTO counters VALUES (?1, 1, 1, ?2)
                ON CONFLICT DO UPDATE SET recalls = recalls + 1, recalled = ?2""",
                [(str(id), when) for id in ids],
            )

    def conflicts(self, state: ConflictState | None = None) -> list[Conflict]:
        if state is None:
            rows = self._rows(f"{_CONFLICTS} ORDER BY number")
        else:
            rows = self._rows(f"{_CONFLICTS} WHERE state = ? ORDER BY number", state.value)
        return [
            Conflict(number, loser, winner, label, ConflictState(told), _instant(at), by, overturns)
            for number, loser, winner, label, told, at, by, overturns in rows
        ]

    def add_conflict(self, conflict: Conflict) -> int:
        _, loser, winner, label, state, at, by, overturns = conflict
        values = (loser, winner, storable(label), state.value, _number(at), storable(by), overturns)
        return self._insert("INSERT INTO conflicts VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)", values)

    def set_state(self, number: int, state: ConflictState) -> None:
        with self._writing() as connection:
            connection.execute("UPDATE conflicts SET state = ? WHERE number = ?", (state.value, number))

    def hot(self, role: str) -> list[HotItem]:
        rows = self._rows(f"{_HOT} WHERE role = ? ORDER BY number", role)
        return [
            HotItem(number, of, session, content, MemoryType(kind), importance, _instant(created), _instant(expires))
            for number, of, session, content, kind, importance, created, expires in rows
        ]

    def add_hot(self, item: HotItem) -> int:
        _, role, session, content, memory_type, importance, created, expires = item
        values = (role, storable(session), storable(content), memory_type.value, importance)
        return self._insert(
            "INSERT INTO hot VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)", (*values, _number(created), _number(expires))
        )

    def drop_hot(self, numbers: Collection[int]) -> None:
        with self._writing() as connection:
            connection.executemany("DELETE FROM hot WHERE number = ?", [(number,) for number in numbers])

    def hot_roles(self) -> Sequence[str]:
        return [row[0] for row in self._rows("SELECT DISTINCT role FROM hot ORDER BY role")]

    def add_observation(self, observation: Observation) -> None:
        with self._writing() as connection:
            connection.execute(
                "INSERT INTO observations VALUES (?, ?, ?, ?)",
                (observation.id, observation.note, storable(observation.text), _number(observation.at)),
            )

    def observation(self, id: str) -> Observation | None:
        rows = self._rows("SELECT id, note, text, at FROM observations WHERE id = ?", storable(id))
        return Observation(rows[0][0], rows[0][1], rows[0][2], _instant(rows[0][3])) if rows else None

    def forget(self, id: MemoryId) -> None:
        key = str(id)
        with self._writing() as connection:
            connection.execute("DELETE FROM counters WHERE id = ?", (key,))
            connection.execute("DELETE FROM conflicts WHERE loser = ?1 OR winner = ?1", (key,))
            connection.execute("DELETE FROM observations WHERE note = ?", (key,))

    def _insert(self, sql: str, values: tuple[Any, ...]) -> int:
        with self._writing() as connection:
            connection.execute(sql, values)
            return connection.last_insert_rowid()

    def _rows(self, sql: str, *values: str) -> list[tuple[Any, ...]]:
        with self._reading() as connection:
            return connection.execute(sql, values).fetchall()


def _number(at: datetime) -> int:
    return (at - _EPOCH) // _MICROSECOND


def _instant(number: int) -> datetime:
    return _EPOCH + timedelta(microseconds=number)
