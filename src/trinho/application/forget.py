"""Removing every byte of an entry that this root can reach."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trinho.access.request import ReservedAct
from trinho.application import pointers, reindex
from trinho.application.act import recovered, writing
from trinho.application.entries import file_at, version_of
from trinho.domain.audit import AuditEvent
from trinho.domain.chain import head_of
from trinho.domain.ids import parse_memory_id
from trinho.domain.versions import Observed
from trinho.errors import MemoryEntryNotFoundError

if TYPE_CHECKING:
    from trinho.application.session import Session
    from trinho.domain.ids import MemoryId
    from trinho.ports.store import StoredFile

OUT_OF_REACH = (
    "backups and copies of the root",
    "git history and remotes, if the root is or was under version control",
    "transcripts of clients that were shown the entry",
    "freed blocks of the disk, until the file system uses them again",
)


# Lines of the frontmatter that many entries share and that tell nothing of this one
_HARMLESS = (b"created:", b"updated:", b"version:", b"type:", b"kind:", b"name:")
# Lines with fewer bytes stand in many files and would prove nothing
_DISTINCT = 8


@dataclass(frozen=True, slots=True)
class Purged:
    """What a purge removed, and what it can't reach.

    `sought` lines of the entry were looked for in every file of the root; `leftovers` are those that hold one.
    """

    id: MemoryId
    copies: int
    sought: int
    leftovers: tuple[str, ...]
    out_of_reach: tuple[str, ...] = OUT_OF_REACH


def purge(session: Session, id: str) -> Purged:
    """Erase the entry and every kept copy of it, for good. The audit trail keeps its ID."""
    memory_id = purgeable(session, id)
    with session.auditing("purge", str(memory_id)):
        reindex.look_over(session)  # what moved by hand left copies under another ID
        copies, texts = _erase(session, memory_id)
        pointers.flush(session, [memory_id])
        if memory_id in pointers.purged_ids(session.workspace):  # MEMORY.md may hold it yet; the rest must not
            pointers.wipe(session, [memory_id])
        return Purged(memory_id, copies, len(texts), _leftovers(session, texts))


def _erase(session: Session, memory_id: MemoryId) -> tuple[int, set[bytes]]:
    """Remove the files; answers with how many, and with the lines that stood in them. Safe to be repeated."""
    with writing(session) as turn:
        workspace = session.workspace
        file = file_at(session.workspace, memory_id)
        found = _kept(session, memory_id)
        kept = list(found)
        texts = _texts(session, file, kept)
        last = workspace.ledger.observed(memory_id)
        if file is None and not kept and last is None:
            raise MemoryEntryNotFoundError(str(memory_id))
        version = 0 if file is None else version_of(workspace, file)
        # Under the IDs that it had before, too, unless another entry has them now: an undo finds nothing of it there
        had = {name for name in found.values() if file_at(workspace, parse_memory_id(name)) is None}
        names = [*sorted(had - {str(memory_id)}), str(memory_id)]
        lines = session.record_writes(
            [AuditEvent(session.actor.name, "purge", name, "allowed", version=version or None) for name in names]
        )
        pointers.begin_purge(workspace, memory_id)
        turn.turn.erase(memory_id, kept)
        gone = Observed(max(version, last.version if last else 0), "")
        workspace.ledger.commit({memory_id: gone}, lines[-1].seq, head_of(lines[-1]))
        recovered(session)
        session.written[memory_id] = None
    return len(kept) + (file is not None), texts


def purgeable(session: Session, id: str) -> MemoryId:
    """The ID, if the actor may purge it."""
    memory_id = session.parse("purge", id)
    session.authorize_act(ReservedAct.PURGE, memory_id)
    session.authorize("purge", "write", memory_id)
    return memory_id


def _kept(session: Session, memory_id: MemoryId) -> dict[int, str]:
    """The numbers of the kept copies of an entry, each with the ID that it had at the time."""
    names = _moved_by_hand(session, memory_id)
    numbers: dict[int, str] = {}
    failed: set[int | None] = set()
    for line in session.workspace.audit.newest():
        event = line.event
        if event.result == "error":
            failed.add(event.run)
        if event.result != "allowed":
            continue
        # A run that failed or was interrupted moved nothing, and what it had put aside may be there all the same
        if event.to is not None and event.id is not None and (event.run or line.seq) not in failed:
            came = event.to in names
            names -= {event.id, event.to}  # what had these names before it was another entry's
            if came:
                names.add(event.id)
        if event.id is not None and event.id in names and session.workspace.store.kept(line.seq) is not None:
            numbers[line.seq] = event.id
    return numbers


def _moved_by_hand(session: Session, memory_id: MemoryId) -> set[str]:
    """The ID, and those that the entry had before somebody moved its file; of such moves the trail tells nothing."""
    names: set[MemoryId] = set()
    waiting = [memory_id]
    while waiting:
        here = waiting.pop()
        if here not in names:
            names.add(here)
            waiting += session.workspace.ledger.moved_from(here)
    return set(map(str, names))


def _texts(session: Session, file: StoredFile | None, kept: list[int]) -> set[bytes]:
    """The lines by which the purged text would be known again; short ones prove nothing."""
    store = session.workspace.store
    raws = [b"" if file is None else file.raw, *(store.kept(seq) or b"" for seq in kept)]
    lines = {line.strip() for raw in raws for line in raw.split(b"\n")}
    return {line for line in lines if len(line) >= _DISTINCT and not line.startswith(_HARMLESS)}


def _leftovers(session: Session, texts: set[bytes]) -> tuple[str, ...]:
    workspace = session.workspace
    databases = (*workspace.ledger.holding(texts), *workspace.index.holding(texts))
    return (*workspace.store.holding(texts), *(path.removeprefix(f"{workspace.root}/") for path in databases))
