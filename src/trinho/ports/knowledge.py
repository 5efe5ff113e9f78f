"""State of knowledge that can't be derived from the files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from trinho.domain.conflict import Conflict, ConflictState
    from trinho.domain.ids import MemoryId
    from trinho.domain.notes import Counts, HotItem, Observation


class CounterLedger(Protocol):
    """Counts what happens to entries; no file and no score changes by it."""

    def counts(self, ids: Collection[MemoryId]) -> dict[MemoryId, Counts]:
        """Of each ID."""
        ...

    def mention(self, id: MemoryId) -> None:
        """It was said once more."""
        ...

    def recalled(self, ids: Collection[MemoryId], at: datetime) -> None:
        """They were shown."""
        ...


class ConflictLedger(Protocol):
    """Remembers conflicts, whatever became of them."""

    def conflicts(self, state: ConflictState | None = None) -> list[Conflict]:
        """All, or those in one state, oldest first."""
        ...

    def add_conflict(self, conflict: Conflict) -> int:
        """Remember one; answers with the number that it has from now on."""
        ...

    def set_state(self, number: int, state: ConflictState) -> None:
        """What became of one."""
        ...


class NotesLedger(Protocol):
    """Remembers what agents keep for a while."""

    def hot(self, role: str) -> list[HotItem]:
        """All hot items of a role, oldest first, also expired ones."""
        ...

    def add_hot(self, item: HotItem) -> int:
        """Remember one; answers with the number that it has from now on."""
        ...

    def drop_hot(self, numbers: Collection[int]) -> None:
        """Forget these."""
        ...

    def hot_roles(self) -> Sequence[str]:
        """The roles that have hot items."""
        ...

    def add_observation(self, observation: Observation) -> None:
        """Remember it, also when its note is replaced."""
        ...

    def observation(self, id: str) -> Observation | None:
        """The observation of that ID."""
        ...


class KnowledgeLedger(CounterLedger, ConflictLedger, NotesLedger, Protocol):
    """All of it."""

    def forget(self, id: MemoryId) -> None:
        """Remove what stands about an entry."""
        ...
