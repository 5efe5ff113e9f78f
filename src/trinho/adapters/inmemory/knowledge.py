"""The state of knowledge in dictionaries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trinho.domain.notes import Counts

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from trinho.domain.conflict import Conflict, ConflictState
    from trinho.domain.ids import MemoryId
    from trinho.domain.notes import HotItem, Observation


class InMemoryKnowledge:
    """Forgets everything with the process; see ports.knowledge.KnowledgeLedger."""

    def __init__(self) -> None:
        self._counts: dict[MemoryId, Counts] = {}
        self._conflicts: dict[int, Conflict] = {}
        self._hot: dict[int, HotItem] = {}
        self._observations: dict[str, Observation] = {}
        self._last = 0

    def counts(self, ids: Collection[MemoryId]) -> dict[MemoryId, Counts]:
        return {id: self._counts.get(id, Counts()) for id in ids}

    def mention(self, id: MemoryId) -> None:
        counts = self._counts.get(id, Counts())
        self._counts[id] = counts._replace(mentions=counts.mentions + 1)

    def recalled(self, ids: Collection[MemoryId], at: datetime) -> None:  # noqa: ARG002 - it isn't asked for again
        for id in ids:
            counts = self._counts.get(id, Counts())
            self._counts[id] = counts._replace(recalls=counts.recalls + 1)

    def conflicts(self, state: ConflictState | None = None) -> list[Conflict]:
        return [each for each in self._conflicts.values() if state is None or each.state is state]

    def add_conflict(self, conflict: Conflict) -> int:
        number = self._number()
        self._conflicts[number] = conflict._replace(number=number)
        return number

    def set_state(self, number: int, state: ConflictState) -> None:
        self._conflicts[number] = self._conflicts[number]._replace(state=state)

    def hot(self, role: str) -> list[HotItem]:
        return [item for item in self._hot.values() if item.role == role]

    def add_hot(self, item: HotItem) -> int:
        number = self._number()
        self._hot[number] = item._replace(number=number)
        return number

    def drop_hot(self, numbers: Collection[int]) -> None:
        for number in numbers:
            self._hot.pop(number, None)

    def hot_roles(self) -> Sequence[str]:
        return sorted({item.role for item in self._hot.values()})

    def add_observation(self, observation: Observation) -> None:
        self._observations[observation.id] = observation

    def observation(self, id: str) -> Observation | None:
        return self._observations.get(id)

    def forget(self, id: MemoryId) -> None:
        self._counts.pop(id, None)
        about = [number for number, each in self._conflicts.items() if str(id) in (each.loser, each.winner)]
        for number in about:
            del self._conflicts[number]
        self._observations = {key: each for key, each in self._observations.items() if each.note != str(id)}

    def _number(self) -> int:
        self._last += 1
        return self._last
