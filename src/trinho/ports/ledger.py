"""State that can't be derived from the files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from trinho.domain.audit import ChainHead
    from trinho.domain.ids import MemoryId
    from trinho.domain.versions import Observed
    from trinho.ports.knowledge import KnowledgeLedger
    from trinho.ports.projects import ProjectLedger, RunLedger


def always() -> bool:
    """For bytes that nobody can have replaced."""
    return True


class VersionLedger(Protocol):
    """Remembers which bytes were seen at which version of an ID."""

    def observed(self, id: MemoryId) -> Observed | None:
        """The last state seen, or None."""
        ...

    def observe(
        self, id: MemoryId, sha256: str, declared: int | None, is_current: Callable[[], bool] = always
    ) -> int | None:
        """The version of these bytes (see effective_version), remembered from now on; atomic between processes.

        Bytes that were not seen before get a number only while `is_current` says that they still stand there; else
        the answer is None. It is asked while nobody else can be given a number, so that no two contents share one.
        """
        ...

    def commit(self, changes: Mapping[MemoryId, Observed], run: int | None, head: ChainHead | None) -> None:
        """Remember, in one transaction, what a run wrote, that it is done, and the head of the audit chain."""
        ...

    def moved_to(self, id: MemoryId) -> list[MemoryId]:
        """Where the entry of that ID may be by now: the ends of the ways that lead from there, in their order."""
        ...

    def moved_from(self, id: MemoryId) -> list[MemoryId]:
        """The IDs from which one step leads here."""
        ...

    def record_move(self, id: MemoryId, *to: MemoryId) -> None:
        """Remember that an entry has another ID now, one of these; an earlier move back is forgotten."""
        ...

    def forget(self, id: MemoryId) -> None:
        """Remove what could hold text of an entry, leaving its version; nothing of it stays in the file."""
        ...


class ChainLedger(Protocol):
    """Remembers the end of the audit chain and how far the runs are known to be done."""

    def chain_head(self) -> ChainHead | None:
        """The last line appended, or None."""
        ...

    def advance_chain(self, head: ChainHead) -> None:
        """Move the head forward; a smaller seq than the present one is ignored."""
        ...

    def settled_run(self) -> int | None:
        """The last run that is known to be done or rolled back; None where no run was ever committed."""
        ...


class PointerLedger(Protocol):
    """Remembers which lines of a folder's MEMORY.md are ours, so that people's own lines are never touched."""

    def pointers(self, folder: str) -> dict[str, str]:
        """Link target → the line that we wrote, of one folder."""
        ...

    def pointed(self) -> list[str]:
        """The folders of which lines are remembered."""
        ...

    def set_pointers(self, folder: str, lines: Mapping[str, str]) -> None:
        """Replace what is remembered of a folder."""
        ...


class NoteLedger(Protocol):
    """Keeps short named remarks about the store's health."""

    def notes(self) -> dict[str, str]:
        """All of them."""
        ...

    def set_note(self, name: str, text: str | None) -> None:
        """Set one, or remove it with None."""
        ...


class Ledger(VersionLedger, ChainLedger, PointerLedger, NoteLedger, Protocol):
    """All of the state ledger."""

    @property
    def knowledge(self) -> KnowledgeLedger:
        """Its part that speaks of knowledge; what `forget` removes goes from there too."""
        ...

    @property
    def projects(self) -> ProjectLedger:
        """Its part that speaks of projects."""
        ...

    @property
    def runs(self) -> RunLedger:
        """Its part that speaks of the runs of clients."""
        ...

    def check(self) -> Sequence[str]:
        """What is wrong with the ledger's file, in words; empty if nothing is."""
        ...

    def holding(self, texts: Collection[bytes]) -> list[str]:
        """The ledger's files in which one of the texts stands."""
        ...

    def close(self) -> None: ...
