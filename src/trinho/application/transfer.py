"""Bringing folders of Markdown in, and giving everything back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trinho.access.request import ReservedAct
from trinho.application.act import Change, Writing, writing
from trinho.application.memory import next_version, put
from trinho.documents.codec import UnreadableTextError, decode
from trinho.documents.names import segment_from
from trinho.domain.entry import MAX_ENTRY_BYTES
from trinho.domain.ids import MemoryId, parse_memory_id, segment_fault
from trinho.errors import InvalidMemoryIdError, MemoryEntryNotFoundError, TrinhoError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trinho.application.session import Session
    from trinho.ports.source import SourceFile
    from trinho.ports.store import StoredFile


@dataclass(slots=True)
class Imported:
    """What came in, what was there already, and what was left out and why. Paths are those of the source."""

    run: int | None = None
    added: list[tuple[str, MemoryId]] = field(default_factory=list)
    unchanged: list[tuple[str, MemoryId]] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)


def import_markdown(session: Session, files: Iterable[SourceFile], into: str) -> Imported:
    """Each file becomes an entry below `into`, byte for byte, all in one run. What is there is never overwritten."""
    session.authorize_act(ReservedAct.IMPORT)
    branch = session.parse("import", f"{into}:any").parts[:-1]
    report = Imported()
    with session.auditing("import", into), writing(session) as turn:
        changes: list[Change] = []
        taken: set[MemoryId] = set()
        for file in files:
            reason = _take(turn, file, branch, taken, changes, report)
            if reason:
                report.skipped.append((file.path, reason))
        if changes:
            report.run = turn.perform(changes)
    return report


def _take(
    turn: Writing,
    file: SourceFile,
    branch: tuple[str, ...],
    taken: set[MemoryId],
    changes: list[Change],
    report: Imported,
) -> str | None:
    """Plan one file; the answer is why it is left out."""
    if file.fault or file.raw is None:
        return file.fault
    try:
        memory_id = parse_memory_id(":".join((*branch, *(_segment(part) for part in file.parts))))
    except InvalidMemoryIdError as error:
        return str(error.fields["reason"])
    if memory_id in taken:
        return f"another file of this folder is `{memory_id}` already"
    reason = _fault(file.raw, memory_id, turn)
    if reason:
        return reason
    turn.session.authorize("import", "write", memory_id)
    present = _present(turn.session, memory_id)
    if present is not None:
        if present.raw == file.raw:
            report.unchanged.append((file.path, memory_id))
            return None
        return f"`{memory_id}` exists with other content"
    taken.add(memory_id)
    declared = decode(file.raw, memory_id, turn.now).document.version
    version = max(declared or 1, next_version(turn.session, memory_id))
    changes.append(put(turn, "import", memory_id, file.raw, version, None))
    report.added.append((file.path, memory_id))
    return None


def _segment(part: str) -> str:
    return part if segment_fault(part) is None else segment_from(part)


def _fault(raw: bytes, memory_id: MemoryId, turn: Writing) -> str | None:
    if len(raw) > MAX_ENTRY_BYTES:
        return f"it has {len(raw)} bytes, the limit is {MAX_ENTRY_BYTES}"
    try:
        decoded = decode(raw, memory_id, turn.now)
    except UnreadableTextError as error:
        return error.reason
    if decoded.broken:
        line, reason = decoded.broken
        return f"broken frontmatter in line {line}: {reason}"
    return None


def _present(session: Session, memory_id: MemoryId) -> StoredFile | None:
    try:
        return session.workspace.store.read(memory_id)
    except MemoryEntryNotFoundError:
        return None


@dataclass(frozen=True, slots=True)
class Exported:
    """The files of the entries that the actor may read, and those that could not be read, with the reason."""

    files: tuple[StoredFile, ...]
    skipped: tuple[tuple[str, str], ...]


def export(session: Session, scope: str | None) -> Exported:
    """Every file below the scope that the actor may read, sound or not, byte for byte."""
    sees = session.sees()
    if scope is not None:
        grant = session.parse_scope("export", scope)
        session.authorize("export", "read", grant)
        allowed = sees
        sees = lambda memory_id: grant.covers(memory_id) and allowed(memory_id)  # noqa: E731 - a narrower predicate
    files, skipped = [], []
    for found in session.workspace.store.scan():
        if found.id is None or not sees(found.id):
            continue
        try:
            files.append(session.workspace.store.read(found.id))
        except TrinhoError as error:
            skipped.append((found.path, error.message))
    session.record("export", scope)
    return Exported(tuple(files), tuple(skipped))
