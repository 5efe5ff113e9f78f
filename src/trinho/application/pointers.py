"""MEMORY.md, the index of each scope folder, follows the entries."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from trinho.application import reindex
from trinho.documents.memory_index import MAX_ENTRY_LINES, Pointer, refresh
from trinho.domain.ids import parse_memory_id
from trinho.errors import TrinhoError

if TYPE_CHECKING:
    from trinho.application.session import Session, Workspace
    from trinho.ports.index import Listed
    from trinho.ports.store import WriteTurn

# The note that stands from the beginning of a purge to its end, with the IDs
PURGING = "purging"
# No file of a folder can have this name, so it is free in the ledger for what isn't about one
_IMPORTED = ":imported"


def flush(session: Session) -> None:
    """Bring index and MEMORY.md up to what this session wrote. What fails is told and made good by the next write."""
    if not session.written and not session.unlisted:
        return
    try:
        purging = PURGING in session.workspace.ledger.notes()
        _index(session)
        folders = dict.fromkeys(memory_id.folder for memory_id in session.unlisted)
        with session.workspace.store.writing() as turn:
            for folder in folders:
                _refresh(session, turn, folder)
    except TrinhoError as error:
        session.notices.append(f"MEMORY.md is not up to date: {error.message}")
        return
    session.unlisted.clear()
    if purging:
        wipe(session)
        session.workspace.ledger.set_note(PURGING, None)


def wipe(session: Session) -> None:
    """Leave no byte of what is being purged in index and ledger; for when nothing else holds it any more."""
    workspace = session.workspace
    for text in purged_ids(workspace):
        workspace.ledger.forget(parse_memory_id(text))
    reindex.rebuild(session)


def purged_ids(workspace: Workspace) -> list[str]:
    """The entries of which a purge has begun and not ended."""
    return workspace.ledger.notes().get(PURGING, "").split("\n")


def _index(session: Session) -> None:
    if session.workspace.index.marks():
        reindex.catch_up(session)
    else:
        reindex.reconcile(session)


def _refresh(session: Session, turn: WriteTurn, folder: tuple[str, ...]) -> None:
    workspace = session.workspace
    place = workspace.store.folder_path(folder)
    rows = workspace.index.listing(lambda memory_id: memory_id.folder == folder, place + "/")
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
