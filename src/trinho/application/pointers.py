"""MEMORY.md, the index of each scope folder, follows the entries."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from trinho.application import reindex
from trinho.documents.memory_index import MAX_ENTRY_LINES, Pointer, refresh
from trinho.domain.ids import parse_memory_id
from trinho.domain.knowledge import Status
from trinho.errors import TrinhoError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from trinho.application.session import Session, Workspace
    from trinho.domain.ids import MemoryId
    from trinho.ports.index import Listed
    from trinho.ports.store import WriteTurn

# The note that stands from the beginning of a purge to its end, with the IDs
PURGING = "purging"
# No file of a folder can have this name, so it is free in the ledger for what isn't about one
_IMPORTED = ":imported"


def flush(session: Session, purged: Iterable[MemoryId] = (), *, behind_too: bool = False) -> None:
    """Bring index and MEMORY.md up to what this session wrote. What fails is told and made good by the next write.

    With `behind_too` also where it wrote nothing, and something went by hand. Of entries that are being purged, the
    `purged` ones and those of others, no byte stays in index and ledger.
    """
    if not session.written and not session.unlisted and not behind_too:
        return
    gone = set(purged)
    try:
        gone.update(purged_ids(session.workspace))
        _index(session)
        workspace = session.workspace
        behind = workspace.ledger.notes().get(reindex.BEHIND, "")
        # An entry that is purged may have been listed anywhere before somebody moved its file
        places = workspace.ledger.pointed() if gone else behind.split("\n")
        listed = (folder for place in places if (folder := folder_at(workspace, place)) is not None)
        folders = dict.fromkeys((*(memory_id.folder for memory_id in (*session.unlisted, *sorted(gone))), *listed))
        with session.workspace.store.writing() as turn:
            for folder in folders:
                _refresh(session, turn, folder)
            if behind and workspace.ledger.notes().get(reindex.BEHIND) == behind:
                workspace.ledger.set_note(reindex.BEHIND, None)
    except TrinhoError as error:
        session.notices.append(f"MEMORY.md is not up to date: {error.message}")
        return
    session.unlisted.clear()
    if gone:
        wipe(session, gone)
        _end_purges(session, gone)


def wipe(session: Session, purged: Iterable[MemoryId]) -> None:
    """Leave no byte of what is being purged in index and ledger; for when nothing else holds it any more."""
    for memory_id in purged:
        session.workspace.ledger.forget(memory_id)
    reindex.rebuild(session)


def begin_purge(workspace: Workspace, memory_id: MemoryId) -> None:
    """Note it, in a writer's turn: whoever writes next after a crash ends it."""
    _note(workspace, [*purged_ids(workspace), memory_id])


def purged_ids(workspace: Workspace) -> list[MemoryId]:
    """The entries of which a purge has begun and not ended."""
    return [parse_memory_id(text) for text in workspace.ledger.notes().get(PURGING, "").split("\n") if text]


def _end_purges(session: Session, ended: Collection[MemoryId]) -> None:
    with session.workspace.store.writing():  # another one may begin a purge meanwhile
        _note(session.workspace, [each for each in purged_ids(session.workspace) if each not in ended])


def _note(workspace: Workspace, purged: Iterable[MemoryId]) -> None:
    workspace.ledger.set_note(PURGING, "\n".join(dict.fromkeys(map(str, purged))) or None)


def _index(session: Session) -> None:
    if session.workspace.index.marks():
        reindex.catch_up(session)
    else:
        reindex.reconcile(session)


def _refresh(session: Session, turn: WriteTurn, folder: tuple[str, ...]) -> None:
    workspace = session.workspace
    place = workspace.store.folder_path(folder)
    rows = workspace.index.listing(lambda memory_id: memory_id.folder == folder, place + "/")
    rows = [row for row in rows if row.knowledge.status is Status.ACTIVE and not row.knowledge.superseded_by]
    rows.sort(key=lambda row: (-row.updated_at.timestamp(), str(row.id)))
    wanted = [_pointer(session, row, place) for row in rows[:MAX_ENTRY_LINES]]
    text = workspace.store.index_text(folder)
    ours = workspace.ledger.pointers(place)
    refreshed, lines = refresh(text, wanted, ours)
    if not rows and refreshed and _is_imported(workspace, place, refreshed):
        refreshed = ""
    if refreshed != text:
        turn.write_index(folder, refreshed, text)
    if lines != ours:
        workspace.ledger.set_pointers(place, lines)


def folder_at(workspace: Workspace, place: str) -> tuple[str, ...] | None:
    """The folder, as MemoryId.folder names it, whose MEMORY.md lies at the place; None where there can be none."""
    listed = workspace.store.id_at(f"{place}/entry.md")
    return None if listed is None or workspace.store.folder_path(listed.folder) != place else listed.folder


def remember_imported(workspace: Workspace, place: str, text: str) -> None:
    """An index that an import brought goes again with the last entry of its folder, unless somebody wrote into it."""
    workspace.ledger.set_pointers(f"{place}/{_IMPORTED}", {_IMPORTED: _digest(text)})


def _is_imported(workspace: Workspace, place: str, text: str) -> bool:
    return workspace.ledger.pointers(f"{place}/{_IMPORTED}").get(_IMPORTED) == _digest(text)


def _digest(text: str) -> str:
    # The last line gets its end when others are added behind it
    return sha256(text.rstrip("\r\n").encode(errors="surrogateescape")).hexdigest()


def _pointer(session: Session, row: Listed, place: str) -> Pointer:
    target = session.workspace.store.path_of(row.id)[len(place) + 1 :]
    return Pointer(target, row.name, row.description)
