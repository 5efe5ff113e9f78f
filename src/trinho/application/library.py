"""One open memory, as a library offers it."""

from __future__ import annotations

from types import TracebackType

from trinho.application import context, doctor, forget, move, pointers, recall, reindex, trail, transfer, undo
from trinho.application.memory import MemoryService
from trinho.application.session import Session
from trinho.domain.audit import AuditLine, AuditReport
from trinho.domain.entry import Draft, Entry, EntryType, Kind
from trinho.errors import InvalidEntryError
from trinho.ports.index import Listed
from trinho.retrieval.budget import CHARACTER_BUDGET, MemoryContext


class Memory:
    """What one actor can ask of one root. Use it as a context manager, or close it: closing updates the index."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.service = MemoryService(session)

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Bring index and MEMORY.md up to date and let go of the root."""
        try:
            pointers.flush(self.session)
        finally:
            self.session.workspace.close()

    def get(self, id: str) -> Entry:
        return self.service.get(id)

    def create(
        self,
        id: str,
        body: str,
        *,
        kind: Kind | str | None = None,
        type: EntryType | str | None = None,
        name: str | None = None,
        description: str | None = None,
    ) -> Entry:
        return self.service.create(id, draft(body, kind, type, name, description))

    def update(
        self,
        id: str,
        body: str | None = None,
        *,
        expected_version: int,
        kind: Kind | str | None = None,
        type: EntryType | str | None = None,
        name: str | None = None,
        description: str | None = None,
    ) -> Entry:
        return self.service.update(id, draft(body, kind, type, name, description), expected_version)

    def delete(self, id: str, *, expected_version: int) -> int:
        return self.service.delete(id, expected_version)

    def search(
        self, query: str, *, scope: str | None = None, limit: int = recall.DEFAULT_RESULTS
    ) -> recall.SearchAnswer:
        return self.service.search(recall.SearchQuery(query, scope=scope, limit=limit))

    def list(
        self,
        *,
        scope: str | None = None,
        kinds: frozenset[Kind] = frozenset(),
        types: frozenset[EntryType] = frozenset(),
        project: str | None = None,
    ) -> list[Listed]:
        return recall.listing(self.session, scope, kinds, types, project)

    def explain(self, query: str, id: str, *, limit: int = recall.DEFAULT_RESULTS) -> recall.Explanation:
        return recall.explain(self.session, query, id, limit)

    def build_memory_context(self, task: str, character_budget: int = CHARACTER_BUDGET) -> MemoryContext:
        return context.for_task(self.session, task, character_budget)

    def undo(self, run: str | int | None = None) -> undo.Undone:
        return undo.undo(self.session, None if run is None else str(run))

    def move(self, id: str, to: str) -> Entry:
        return move.move(self.session, id, to)

    def purge(self, id: str) -> forget.Purged:
        return forget.purge(self.session, id)

    def audit(self, limit: int = 50) -> list[AuditLine]:
        return trail.newest(self.session, limit)

    def verify_audit(self) -> AuditReport:
        return trail.verify(self.session)

    def rebuild_index(self) -> int:
        return reindex.rebuild(self.session)

    def doctor(self) -> doctor.Diagnosis:
        return doctor.examine(self.session)

    def export(self, scope: str | None = None) -> transfer.Exported:
        return transfer.export(self.session, scope)


def draft(
    body: str | None,
    kind: Kind | str | None,
    type: EntryType | str | None,
    name: str | None,
    description: str | None,
) -> Draft:
    """The draft that plain values make; InvalidEntryError names a kind or type that there isn't."""
    return Draft(body, as_kind(kind), as_type(type), name, description)


def as_kind(text: Kind | str | None) -> Kind | None:
    """The kind of that name, or InvalidEntryError."""
    try:
        return None if text is None else Kind(text)
    except ValueError as error:
        raise InvalidEntryError("kind", str(text), f"choose one of {', '.join(Kind)}") from error


def as_type(text: EntryType | str | None) -> EntryType | None:
    """The type of that name, or InvalidEntryError."""
    try:
        return None if text is None else EntryType(text)
    except ValueError as error:
        raise InvalidEntryError("type", str(text), f"choose one of {', '.join(EntryType)}") from error
