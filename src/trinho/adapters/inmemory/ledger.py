"""The state ledger in dictionaries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trinho.adapters.inmemory.knowledge import InMemoryKnowledge
from trinho.adapters.inmemory.projects import InMemoryProjects
from trinho.domain.moves import ends
from trinho.domain.versions import Observed, effective_version
from trinho.ports.ledger import always

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from trinho.domain.audit import ChainHead
    from trinho.domain.ids import MemoryId


class InMemoryLedger:
    """Forgets everything with the process; see ports.ledger.Ledger."""

    def __init__(self) -> None:
        self._versions: dict[MemoryId, Observed] = {}
        self._moves: dict[MemoryId, tuple[MemoryId, ...]] = {}
        self._head: ChainHead | None = None
        self._settled: int | None = None
        self._pointers: dict[str, dict[str, str]] = {}
        self._notes: dict[str, str] = {}
        self.knowledge = InMemoryKnowledge()
        self.projects = self.runs = InMemoryProjects()

    def observed(self, id: MemoryId) -> Observed | None:
        return self._versions.get(id)

    def observe(
        self, id: MemoryId, sha256: str, declared: int | None, is_current: Callable[[], bool] = always
    ) -> int | None:
        last = self._versions.get(id)
        if last is not None and last.sha256 == sha256:
            return last.version
        if not is_current():
            return None
        version = effective_version(last, sha256, declared)
        self._remember(id, Observed(version, sha256))
        return version

    def commit(self, changes: Mapping[MemoryId, Observed], run: int | None, head: ChainHead | None) -> None:
        for id, state in changes.items():
            self._remember(id, state)
        if run is not None:
            self._settled = max(self._settled or 0, run)
        if head is not None:
            self.advance_chain(head)

    def moved_to(self, id: MemoryId) -> list[MemoryId]:
        return ends(id, lambda each: self._moves.get(each, ()))

    def moved_from(self, id: MemoryId) -> list[MemoryId]:
        return sorted(source for source, targets in self._moves.items() if id in targets)

    def record_move(self, id: MemoryId, *to: MemoryId) -> None:
        targets = tuple(target for target in to if target != id)
        if targets:
            # The entry lives there now, so whatever led away from there is over; thus no circle comes about
            for target in targets:
                self._moves.pop(target, None)
            self._moves[id] = targets

    def forget(self, id: MemoryId) -> None:
        self.knowledge.forget(id)
        self.projects.forget(str(id))
        left = {source: tuple(t for t in to if t != id) for source, to in self._moves.items() if source != id}
        self._moves = {source: to for source, to in left.items() if to}

    def chain_head(self) -> ChainHead | None:
        return self._head

    def advance_chain(self, head: ChainHead) -> None:
        if self._head is None or head.seq > self._head.seq:
            self._head = head

    def settled_run(self) -> int | None:
        return self._settled

    def pointers(self, folder: str) -> dict[str, str]:
        return dict(self._pointers.get(folder, {}))

    def pointed(self) -> list[str]:
        return sorted(folder for folder, lines in self._pointers.items() if lines)

    def set_pointers(self, folder: str, lines: Mapping[str, str]) -> None:
        self._pointers[folder] = dict(lines)

    def notes(self) -> dict[str, str]:
        return dict(self._notes)

    def set_note(self, name: str, text: str | None) -> None:
        if text is None:
            self._notes.pop(name, None)
        else:
            self._notes[name] = text

    def check(self) -> Sequence[str]:
        return []

    def holding(self, texts: Collection[bytes]) -> list[str]:
        held = "\n".join(map(str, (self._moves, self._pointers, self._notes)))
        return ["the ledger"] if any(text.decode(errors="replace") in held for text in texts) else []

    def close(self) -> None:
        """Nothing is held outside."""

    def _remember(self, id: MemoryId, state: Observed) -> None:
        self._versions[id] = state
        if state.sha256:  # there is an entry again, so the way to where an earlier one went is over
            self._moves.pop(id, None)
