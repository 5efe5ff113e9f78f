"""Taking a run back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trinho.access.actor import PRINCIPAL
from trinho.application.act import Change, Writing, writing
from trinho.application.entries import file_at, version_of
from trinho.application.memory import next_version, put, retire
from trinho.application.trail import is_person
from trinho.documents.codec import UnreadableTextError, decode, encode
from trinho.domain.act import Move
from trinho.domain.ids import MemoryId, parse_memory_id
from trinho.domain.versions import Observed
from trinho.errors import (
    FileChangedError,
    MemoryEntryAlreadyExistsError,
    RunNotFoundError,
    UndoConflictError,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trinho.application.session import Session
    from trinho.domain.audit import AuditLine
    from trinho.ports.store import StoredFile

_MOST_DIGITS = 18  # of a number that a run can have; Python refuses to read very long ones
UNDOABLE = frozenset({"create", "update", "delete", "move", "import", "undo"})


@dataclass(frozen=True, slots=True)
class Undone:
    """What an undo did: its own run, the run it took back, and the entries that changed with what became of them."""

    run: int
    undoes: int
    entries: tuple[tuple[MemoryId, str], ...]


def undo(session: Session, run: str | None = None) -> Undone:
    """Take back a run, or the last one that isn't taken back yet. UndoConflictError if it was built upon since."""
    with session.auditing("undo", None if run is None else shown(run)), writing(session) as turn:
        lines = _find(session, run)
        number = lines[0].event.run or lines[0].seq
        told_as = str(number) if is_person(session) else run  # runs are numbered over everybody's acts
        for memory_id in _ids(lines):
            session.authorize("undo", "write", memory_id)
            session.authorize_free("undo", memory_id)
        changes, told = [], []
        for line in reversed(lines):
            change, what = _reverse(turn, line, told_as)
            changes.append(change)
            told.append((change.to or change.id, what))
        try:
            own = turn.perform(changes, undoes=number)
        except (FileChangedError, MemoryEntryAlreadyExistsError) as error:
            raise UndoConflictError(told_as, str(error.fields["id"]), "changed while it was undone") from error
    return Undone(own, number, tuple(told))


def _find(session: Session, run: str | None) -> list[AuditLine]:
    """The lines of the run to take back, oldest first."""
    wanted = None
    if run is not None:
        if not run.isascii() or not run.isdigit() or len(run) > _MOST_DIGITS:
            raise RunNotFoundError(run)
        wanted = int(run)
    sees = session.sees()
    purged: set[MemoryId] = set()
    for number, lines in _runs(session, purged):
        if not all(sees(memory_id) for memory_id in _ids(lines)):
            continue  # as if it weren't there
        if wanted is None and lines[0].event.operation != "undo" and _is_meant(session, lines):
            if purged.isdisjoint(_ids(lines)):
                return lines
            continue  # nothing is left of it to go back to
        if wanted == number:
            return lines
        if wanted is not None and number < wanted:
            break
    raise RunNotFoundError(run)


def _ids(lines: list[AuditLine]) -> list[MemoryId]:
    return [parse_memory_id(text) for line in lines for text in (line.event.id, line.event.to) if text is not None]


def _is_meant(session: Session, lines: list[AuditLine]) -> bool:
    """Whether a bare undo means this run: the person's is the last of all, an agent's the last of its own."""
    return session.actor.name in (PRINCIPAL, lines[0].event.actor)


def _runs(session: Session, purged: set[MemoryId]) -> Iterator[tuple[int, list[AuditLine]]]:
    """The runs that can be taken back, newest first: done, and not undone since.

    `purged` is given the entries that were purged later than the run at hand.
    """
    failed: set[int] = set()
    undone: set[int] = set()
    lines: list[AuditLine] = []
    for line in session.workspace.audit.newest():
        event = line.event
        number = event.run or line.seq
        if lines and (lines[-1].event.run or lines[-1].seq) != number:
            yield from _whole(lines, failed, undone)
            lines = []
        if event.result == "allowed" and event.operation == "purge":
            purged.update(_ids([line]))
        elif event.result == "allowed" and event.to is not None and not purged.isdisjoint(_ids([line])):
            purged.update(_ids([line]))  # what was purged had another ID before
        if event.run is not None and (event.result == "error"):
            failed.add(event.run)
        elif event.operation in UNDOABLE and event.result == "allowed":
            lines.append(line)
    if lines:
        yield from _whole(lines, failed, undone)


def _whole(lines: list[AuditLine], failed: set[int], undone: set[int]) -> Iterator[tuple[int, list[AuditLine]]]:
    first = lines[-1]
    number = first.event.run or first.seq
    if number in failed:
        return
    if first.event.undoes is not None and number not in undone:
        undone.add(first.event.undoes)
    if number not in undone:
        yield number, lines[::-1]


def _reverse(turn: Writing, line: AuditLine, run: str | None) -> tuple[Change, str]:
    """The change that takes one line of a run back, and in a word what it does to the entry."""
    event = line.event
    memory_id = parse_memory_id(event.id or "")
    if event.to is not None:
        return _move_back(turn, memory_id, parse_memory_id(event.to), event.version, run)
    kept = turn.session.workspace.store.kept(line.seq)
    file = file_at(turn.session.workspace, memory_id)
    if file is None:
        return _bring_back(turn, memory_id, line, kept, run)
    version = version_of(turn.session.workspace, file)
    if event.version != version and event.version not in _same_content(turn.session, line, version):
        raise UndoConflictError(run, str(memory_id), "has changed since")
    if kept is None:
        if event.operation == "update":
            raise UndoConflictError(run, str(memory_id), "has lost what it was before")
        return retire("undo", file, version), "removed"
    return _put_back(turn, memory_id, kept, file, version), "restored"


def _same_content(session: Session, line: AuditLine, version: int) -> set[int]:
    """The versions whose content the present one repeats, because later runs were taken back."""
    taken_back: dict[int, int] = {}
    versions: dict[int, int] = {}
    for later in session.workspace.audit.newest():
        if later.seq <= line.seq:
            break
        event = later.event
        if event.id != line.event.id or event.result != "allowed" or event.version is None:
            continue
        versions[event.run or later.seq] = event.version
        if event.undoes is not None:
            taken_back[event.version] = event.undoes
    same: set[int] = set()
    while version in taken_back and taken_back[version] in versions:
        version = versions[taken_back[version]] - 1  # an update goes from one version to the next
        if version in same:
            break
        same.add(version)
    return same


def _bring_back(
    turn: Writing, memory_id: MemoryId, line: AuditLine, kept: bytes | None, run: str | None
) -> tuple[Change, str]:
    """A deleted entry returns byte for byte, and so at the version that it had."""
    if kept is None:
        raise UndoConflictError(run, str(memory_id), "is gone, and nothing of it is kept")
    last = turn.session.workspace.ledger.observed(memory_id)
    if not _took_away(turn.session, line) or (last is not None and last.version != line.event.version):
        raise UndoConflictError(run, str(memory_id), "was deleted since")
    version = next_version(turn.session, memory_id) if last is None else last.version
    return put(turn, "undo", memory_id, kept, version, None), "restored"


def _took_away(session: Session, line: AuditLine) -> bool:
    """Whether the act of a line removed the entry: a delete, or the undo of what had brought it."""
    event = line.event
    if event.operation != "undo":
        return event.operation == "delete"
    for undone in session.workspace.audit.newest():
        earlier = undone.event
        if (earlier.run or undone.seq) != event.undoes or earlier.id != event.id or earlier.result != "allowed":
            continue
        if earlier.operation not in UNDOABLE:  # after a crash the run tells its end, too
            continue
        if earlier.operation == "undo":
            return session.workspace.store.kept(undone.seq) is None  # it had brought the entry back
        return earlier.operation in ("create", "import")
    return False


def _put_back(turn: Writing, memory_id: MemoryId, kept: bytes, file: StoredFile, version: int) -> Change:
    """What an update replaced returns as a newer version, since versions only count up."""
    try:
        decoded = decode(kept, memory_id, turn.now)
        document = decoded.document
        declares = document.version is not None and not decoded.broken
        raw = encode(document._replace(version=version + 1), decoded) if declares else kept
    except UnreadableTextError:
        raw = kept
    return put(turn, "undo", memory_id, raw, version + 1, file)


def _move_back(
    turn: Writing, source: MemoryId, target: MemoryId, version: int | None, run: str | None
) -> tuple[Change, str]:
    file = file_at(turn.session.workspace, target)
    if file is None or version is None or version_of(turn.session.workspace, file) != version:
        raise UndoConflictError(run, str(target), "has changed since")
    if file_at(turn.session.workspace, source) is not None:
        raise UndoConflictError(run, str(source), "exists again")
    return move_change("undo", file, source, version), "moved back"


def move_change(operation: str, file: StoredFile, to: MemoryId, version: int) -> Change:
    """The change that gives an entry another ID; its bytes and so its version stay."""
    return Change(
        operation,
        file.id,
        version,
        lambda _: Move(file.id, to, file.sha256),
        {file.id: Observed(version, ""), to: Observed(version, file.sha256)},
        to,
    )
