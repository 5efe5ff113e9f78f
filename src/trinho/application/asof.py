"""What was believed on a day: told by the trail and by what each write kept of the file it changed."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from trinho.access.domains import domain_said
from trinho.application import reindex
from trinho.application.entries import file_at
from trinho.application.settle import WRITES
from trinho.documents.codec import Decoded, UnreadableTextError, decode
from trinho.documents.scalars import read_instant
from trinho.domain.ids import MemoryId, parse_memory_id
from trinho.domain.knowledge import Status
from trinho.domain.versions import FileMark
from trinho.errors import InvalidEntryError, InvalidMemoryIdError
from trinho.ports.index import IndexRecord, Listed
from trinho.retrieval.indexing import words_of

if TYPE_CHECKING:
    from trinho.application.session import Session


class Believed(NamedTuple):
    """An entry as it was: what the index would have told of it, and its document."""

    row: Listed
    decoded: Decoded


def instant(given: datetime | str) -> datetime:
    """The moment that is asked for; a day is asked for as it ended. InvalidEntryError if it is none."""
    if isinstance(given, datetime):
        return given
    text = str(given).strip()
    try:
        at = read_instant(text)
    except ValueError as error:
        raise InvalidEntryError("as_of", text, str(error)) from error
    return at if len(text) > len("YYYY-MM-DD") else at.replace(hour=23, minute=59, second=59, microsecond=999_999)


def changed_since(session: Session, at: datetime) -> dict[MemoryId, bytes | None]:
    """What each entry held that was written after the moment, by any governed write."""
    states: dict[MemoryId, bytes | None] = {}
    failed: set[int | None] = set()
    store = session.workspace.store
    for line in session.workspace.audit.newest():
        if line.at <= at:
            break
        event = line.event
        if event.result == "error":
            failed.add(event.run)
        if event.result != "allowed" or event.operation not in WRITES or event.id is None:
            continue
        if (event.run or line.seq) in failed:
            continue
        with suppress(InvalidMemoryIdError):
            memory_id = parse_memory_id(event.id)
            if event.to is None:
                states[memory_id] = store.kept(line.seq)
            else:
                target = parse_memory_id(event.to)
                states[memory_id] = _held(session, target, states)
                states[target] = None
    return states


def _held(session: Session, memory_id: MemoryId, states: dict[MemoryId, bytes | None]) -> bytes | None:
    if memory_id in states:
        return states[memory_id]
    file = file_at(session.workspace, memory_id)
    return None if file is None else file.raw


def believed(session: Session, at: datetime) -> list[Listed]:
    """The entries that took part in recall at the moment and that the actor may read, in the order of their IDs."""
    sees = session.sees()
    changed = changed_since(session, at)
    rows = [
        row
        for row in reindex.ask(session, lambda index: index.listing(sees))
        if row.id not in changed and row.created_at <= at
    ]
    rows += [each.row for each in documents(session, at, changed)]
    return sorted(_unbeaten(rows, at), key=lambda row: str(row.id))


def documents(session: Session, at: datetime, changed: dict[MemoryId, bytes | None]) -> list[Believed]:
    """Those of the changed entries that the actor may read, as they were."""
    sees, hidden = session.sees(), session.hidden_domains()
    found = []
    for memory_id, raw in changed.items():
        if raw is None or not sees(memory_id):
            continue
        with suppress(UnreadableTextError):
            decoded = decode(raw, memory_id, at)
            if not decoded.broken and domain_said(memory_id, decoded.document.knowledge.domain) not in hidden:
                found.append(Believed(_row(memory_id, raw, decoded), decoded))
    return found


def record(believed: Believed) -> IndexRecord:
    """What an index holds of an entry as it was."""
    row, document = believed.row, believed.decoded.document
    return IndexRecord(
        path=f"{row.id}.md",
        id=row.id,
        mark=FileMark(0, 0, 0),
        sha256=row.sha256,
        kind=row.kind,
        type=row.type,
        name=row.name,
        description=row.description,
        created_at=row.created_at,
        updated_at=row.updated_at,
        body_sha256="",
        words=words_of(row.id, document.name, document.description, document.body),
        knowledge=row.knowledge,
    )


def _unbeaten(rows: list[Listed], at: datetime) -> list[Listed]:
    """Without what was held, over, or superseded."""
    active = [row for row in rows if row.knowledge.status is Status.ACTIVE]
    return [
        row
        for row in active
        if not row.knowledge.superseded_by and (row.knowledge.valid_until is None or row.knowledge.valid_until > at)
    ]


def _row(memory_id: MemoryId, raw: bytes, decoded: Decoded) -> Listed:
    document = decoded.document
    return Listed(
        memory_id,
        document.kind,
        document.type,
        document.name,
        document.description,
        document.created_at,
        document.updated_at,
        sha256(raw).hexdigest(),
        document.knowledge,
        len(raw),
    )
