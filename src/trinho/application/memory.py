"""The five doors: search, get, create, update, delete. Each parses, authorizes, does, and is audited."""

from __future__ import annotations

from datetime import datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from trinho.access.domains import domain_said
from trinho.application.act import Change, Writing, writing
from trinho.application.entries import Loaded, entry_of, load, version_of
from trinho.documents.codec import Decoded, Document, UnreadableTextError, decode, encode, first_line, redescribed
from trinho.domain.act import Place, Retire
from trinho.domain.entry import MAX_ENTRY_BYTES, Draft, Entry, EntryType, Kind
from trinho.domain.ids import Scope
from trinho.domain.knowledge import NOTHING_SAID, Knowledge, Status
from trinho.domain.versions import Observed
from trinho.errors import (
    BodyTooLargeError,
    BrokenFrontmatterError,
    FileChangedError,
    InvalidEntryError,
    MemoryEntryNotFoundError,
    MemoryVersionConflictError,
)

if TYPE_CHECKING:
    from trinho.application.ranking import SearchQuery
    from trinho.application.recall import SearchAnswer
    from trinho.application.session import Session
    from trinho.domain.ids import MemoryId
    from trinho.ports.store import StoredFile

_TICK = timedelta(microseconds=1)


class MemoryService:
    """Whatever an actor does with entries goes through one of these five methods."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def search(self, query: SearchQuery) -> SearchAnswer:
        """The entries that answer the query best, of those that the actor may read."""
        from trinho.application import recall  # reading one entry doesn't pay for the whole of recall

        return recall.search(self._session, query)

    def get(self, id: str | MemoryId) -> Entry:
        """The entry as it is on disk now."""
        return fetch(self._session, "get", id).entry

    def create(self, id: str | MemoryId, draft: Draft) -> Entry:
        """A new entry; MemoryEntryAlreadyExistsError rather than overwrite one."""
        session = self._session
        from trinho.application import secrets  # reading one entry doesn't pay for it

        memory_id = writable(session, "create", id)
        with session.auditing("create", str(memory_id)):
            expect_draft(draft)
        secrets.refuse_in_name(session, "create", memory_id)
        with session.auditing("create", str(memory_id)):
            secrets.refuse_in_draft(session, memory_id, draft)
            with writing(session) as turn:
                session.workspace.store.expect_free(memory_id, session.sees())
                return _place_new(turn, memory_id, draft)

    def update(self, id: str | MemoryId, draft: Draft, expected_version: int, document: bytes | None = None) -> Entry:
        """The entry changed where the draft says so; MemoryVersionConflictError if it isn't at that version.

        `document` is the whole file as a person edited it, over which the draft is laid.
        """
        session = self._session
        from trinho.application import secrets  # reading one entry doesn't pay for it

        memory_id = writable(session, "update", id)
        session.authorize_change("update", memory_id)
        with session.auditing("update", str(memory_id)):
            expect_draft(draft)
            expect_version_number(expected_version)
            secrets.refuse_in_draft(session, memory_id, draft, document)
            with writing(session) as turn:
                loaded = load(session.workspace, memory_id)
                expect_shown(session, loaded)
                expect_version(memory_id, expected_version, loaded.entry.version)
                return _place_over(turn, loaded, draft, document)

    def delete(self, id: str | MemoryId, expected_version: int) -> int:
        """Move the entry to the trash, if it is at that version; answers with the run that `undo` takes back."""
        session = self._session
        memory_id = writable(session, "delete", id)
        session.authorize_change("delete", memory_id)
        with session.auditing("delete", str(memory_id)):
            expect_version_number(expected_version)
        with session.auditing("delete", str(memory_id)), writing(session) as turn:
            file = session.workspace.store.read(memory_id)
            if session.hidden_domains():
                expect_shown(session, load(session.workspace, memory_id))
            version = version_of(session.workspace, file)
            expect_version(memory_id, expected_version, version)
            return turn_or_conflict(turn, retire("delete", file, version))


def fetch(session: Session, operation: str, text: str | MemoryId) -> Loaded:
    """Read one entry for the actor: parsed, authorized, audited under the operation's name."""
    memory_id = session.parse(operation, text)
    session.authorize(operation, "read", memory_id)
    with session.auditing(operation, str(memory_id)):
        try:
            loaded = load(session.workspace, memory_id)
            expect_shown(session, loaded)
        except MemoryEntryNotFoundError as error:
            moved = _moved_to(session, memory_id)
            raise MemoryEntryNotFoundError(str(memory_id), moved) from error
    session.record(operation, str(memory_id), version=loaded.entry.version)
    return loaded


def expect_shown(session: Session, loaded: Loaded) -> None:
    """Return if the entry isn't said to be of a domain that is hidden from the actor: such a one isn't there."""
    id = loaded.entry.id
    if domain_said(id, loaded.decoded.document.knowledge.domain) in session.hidden_domains():
        raise MemoryEntryNotFoundError(str(id))


def writable(session: Session, operation: str, text: str | MemoryId) -> MemoryId:
    """The ID, if the actor may write there by a generic command."""
    memory_id = session.parse(operation, text)
    session.authorize(operation, "write", memory_id)
    session.authorize_free(operation, memory_id)
    return memory_id


def expect_version(memory_id: MemoryId, expected: int, actual: int) -> None:
    if actual != expected:
        raise MemoryVersionConflictError(str(memory_id), expected, actual)


def expect_version_number(expected: object) -> None:
    """Return if a version can be so; InvalidEntryError otherwise."""
    from trinho.domain.arguments import expect_whole  # reading an entry needs none of these

    expect_whole("expected_version", expected, 0)


def expect_draft(draft: object) -> None:
    """Return if each field of the draft is what it can be; InvalidEntryError otherwise."""
    from trinho.domain.arguments import expect_text

    if not isinstance(draft, Draft):
        raise InvalidEntryError("draft", repr(draft), "give a Draft")
    for name in ("body", "name", "description"):
        expect_text(name, getattr(draft, name), optional=True)
    for name, kind in (("kind", Kind), ("type", EntryType)):
        value = getattr(draft, name)
        if value is not None and not isinstance(value, kind):
            raise InvalidEntryError(name, repr(value), f"give a {kind.__name__}")


def next_version(session: Session, memory_id: MemoryId) -> int:
    """The version of a new entry: one more than the last that its name ever had."""
    last = session.workspace.ledger.observed(memory_id)
    return 1 if last is None else last.version + 1


def retire(operation: str, file: StoredFile, version: int) -> Change:
    """The change that takes an entry away into the trash."""
    return Change(
        operation,
        file.id,
        version,
        lambda seq: Retire(file.id, file.sha256, seq),
        {file.id: Observed(version, "")},
    )


def put(
    turn: Writing, operation: str, memory_id: MemoryId, raw: bytes, version: int, over: StoredFile | None
) -> Change:
    """The change that writes a document, new or over the file that was read."""
    _expect_size(memory_id, raw)
    staged = turn.turn.stage(memory_id, raw)
    expect = None if over is None else over.sha256
    return Change(
        operation,
        memory_id,
        version,
        lambda seq: Place(memory_id, staged.name, expect, seq),
        {memory_id: Observed(version, sha256(raw).hexdigest())},
        placed=staged.mark,
    )


def turn_or_conflict(turn: Writing, change: Change) -> int:
    """Perform one change; a file that somebody else wrote meanwhile is a version conflict."""
    try:
        return turn.perform([change])
    except FileChangedError as error:
        session = turn.session
        file = session.workspace.store.read(change.id)
        conflict = MemoryVersionConflictError(str(change.id), change.version, version_of(session.workspace, file))
        conflict.audited = True
        raise conflict from error


def _place_new(turn: Writing, memory_id: MemoryId, draft: Draft) -> Entry:
    waits = turn.session.workspace.strict and turn.session.is_agent and memory_id.scope is not Scope.PRIVATE
    version = next_version(turn.session, memory_id)
    body = draft.body or ""
    document = Document(
        name=memory_id.parts[-1],
        description=first_line(body),
        type=EntryType.PROJECT,
        kind=Kind.REFERENCE,
        version=version,
        created_at=turn.now,
        updated_at=turn.now,
        body=body,
        knowledge=Knowledge(status=Status.HELD) if waits else NOTHING_SAID,
    )
    document = _drafted(document, draft)
    raw = encode(document)
    # What others read was looked at before the turn: there is nothing in the file but the draft and the ID
    warnings = _screened(turn, memory_id, raw) if memory_id.scope is Scope.PRIVATE else ()
    turn_or_conflict(turn, put(turn, "create", memory_id, raw, version, None))
    return entry_of(memory_id, version, document, warnings)


def _place_over(turn: Writing, loaded: Loaded, draft: Draft, edited: bytes | None) -> Entry:
    memory_id, file = loaded.file.id, loaded.file
    base = loaded.decoded if edited is None else _edited(memory_id, edited, turn.now)
    if base.broken:
        line, reason = base.broken
        path = turn.session.workspace.store.path_of(memory_id)
        raise BrokenFrontmatterError(str(memory_id), path, line, reason)
    version = loaded.entry.version + 1
    now = max(turn.now, _after(loaded.entry.updated_at))
    document = redescribed(_drafted(base.document, draft)._replace(version=version, updated_at=now), base)
    raw = encode(document, base)
    told = _screened(turn, memory_id, raw)
    turn_or_conflict(turn, put(turn, "update", memory_id, raw, version, file))
    warnings = decode(raw, memory_id, now).warnings if base.warnings else ()
    return entry_of(memory_id, version, document, warnings + told)


def _screened(turn: Writing, memory_id: MemoryId, raw: bytes) -> tuple[str, ...]:
    """What to tell of secrets in a document that may be written all the same; SecretDetectedError if it may not."""
    from trinho.application import secrets  # reading one entry doesn't pay for it

    return secrets.warnings_or_refuse(turn.session, memory_id, raw)


def _after(updated: datetime) -> datetime:
    """A later instant; the last one that there is stays."""
    try:
        return updated + _TICK
    except OverflowError:
        return updated


def _drafted(document: Document, draft: Draft) -> Document:
    """The document with what the draft says; an empty name or description says nothing."""
    return Document(
        name=draft.name or document.name,
        description=draft.description or document.description,
        type=draft.type or document.type,
        kind=draft.kind or document.kind,
        version=document.version,
        created_at=document.created_at,
        updated_at=document.updated_at,
        body=document.body if draft.body is None else draft.body,
        knowledge=document.knowledge,
    )


def _edited(memory_id: MemoryId, raw: bytes, now: datetime) -> Decoded:
    try:
        return decode(raw, memory_id, now)
    except UnreadableTextError as fault:
        raise InvalidEntryError("document", "", fault.reason) from fault


def _expect_size(memory_id: MemoryId, raw: bytes) -> None:
    if len(raw) > MAX_ENTRY_BYTES:
        raise BodyTooLargeError(str(memory_id), len(raw), MAX_ENTRY_BYTES)


def _moved_to(session: Session, memory_id: MemoryId) -> str | None:
    """Where an entry that isn't there went, if the actor may know."""
    from trinho.application import reindex  # only where there is no such entry

    reindex.look_over(session)
    seen = list(filter(session.sees(), session.workspace.ledger.moved_to(memory_id)))
    near = [target for target in seen if target.branch == memory_id.branch] or seen
    return str(near[0]) if len(near) == 1 else None
