"""What an agent keeps for itself: its note, dated observations, and hot items of a session."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from trinho.application import secrets
from trinho.application.act import writing
from trinho.application.entries import load
from trinho.application.facts import rewriting
from trinho.application.memory import next_version, put, turn_or_conflict
from trinho.application.proposal import expect_content, one_of
from trinho.documents.codec import Document, encode, first_line
from trinho.domain.arguments import expect_text
from trinho.domain.audit import AuditEvent
from trinho.domain.chain import head_of
from trinho.domain.entry import MAX_ENTRY_BYTES, EntryType, Kind, format_instant
from trinho.domain.ids import parse_memory_id
from trinho.domain.knowledge import MemoryType
from trinho.domain.notes import HOT_LIFE, MOST_HOT_ITEMS, HotItem, Observation
from trinho.errors import BodyTooLargeError, InvalidEntryError, MemoryEntryNotFoundError

if TYPE_CHECKING:
    from trinho.application.act import Writing
    from trinho.application.session import Session
    from trinho.domain.entry import Entry
    from trinho.domain.ids import MemoryId

NO_SESSION = "default"
_LONGEST_LIFE = timedelta(days=366)


def note_of(session: Session, agent: str | None = None) -> MemoryId:
    """The ID of the actor's note, or of that of one agent in its role."""
    whose = ("private", session.actor.name)
    parts = (*whose, "notes") if agent is None else (*whose, "agents", agent, "notes")
    return parse_memory_id(":".join(parts))


def show(session: Session, agent: str | None = None) -> Entry | None:
    """The note, or None where nothing was noted yet."""
    memory_id = note_of(session, agent)
    session.authorize("notes show", "read", memory_id)
    with session.auditing("notes show", str(memory_id)):
        try:
            entry = load(session.workspace, memory_id).entry
        except MemoryEntryNotFoundError:
            entry = None
    session.record("notes show", str(memory_id), version=None if entry is None else entry.version)
    return entry


def replace(session: Session, content: str, agent: str | None = None) -> Entry:
    """The note with this text in the place of what it said."""
    memory_id = note_of(session, agent)
    session.authorize("update_my_notes", "write", memory_id)
    with session.auditing("update_my_notes", str(memory_id)):
        expect_text("content", content)
        with writing(session) as turn:
            return _write(turn, memory_id, content)


def observe(session: Session, content: str, agent: str | None = None) -> Observation:
    """A dated line at the end of the note; facts can name its ID as their source."""
    memory_id = note_of(session, agent)
    session.authorize("record_observation", "write", memory_id)
    with session.auditing("record_observation", str(memory_id)):
        text = " ".join(expect_content("content", content).split())
        with writing(session) as turn:
            at = format_instant(turn.now)
            id = f"obs-{sha256(f'{memory_id}{at}{text}'.encode(errors='replace')).hexdigest()[:8]}"
            line = f"- {at[:16]}Z [{id}] {text}"
            _write(turn, memory_id, "\n".join(filter(None, (_body(turn, memory_id).rstrip("\n"), line))))
            observation = Observation(id, str(memory_id), text, turn.now)
            session.workspace.ledger.knowledge.add_observation(observation)
    return observation


def remember(
    session: Session,
    content: str,
    *,
    memory_type: MemoryType | str | None = None,
    importance: float = 0.5,
    life: timedelta | None = None,
) -> HotItem:
    """Something that the role remembers for the rest of its session, or for as long as is said."""
    memory_id = note_of(session)
    session.authorize("remember", "write", memory_id)
    with session.auditing("remember", str(memory_id)):
        text = expect_content("content", content)
        kind = one_of("memory_type", MemoryType, memory_type) or MemoryType.OBSERVATION
        if not _is_share(importance):
            raise InvalidEntryError("importance", str(importance), "give a number from 0 to 1")
        life = HOT_LIFE if life is None else life
        if not timedelta(0) < life <= _LONGEST_LIFE:
            raise InvalidEntryError("ttl", str(life), "give a time from a second to a year")
        secrets.refuse_in_text(session, "content", text)  # it has no file of which a person could be warned
        with writing(session) as turn:
            item = HotItem(
                0,
                session.actor.name,
                session.session or NO_SESSION,
                text,
                kind,
                float(importance),
                turn.now,
                turn.now + life,
            )
            last = session.record_writes([AuditEvent(session.actor.name, "remember", str(memory_id), "allowed")])[-1]
            ledger = session.workspace.ledger
            number = ledger.knowledge.add_hot(item)
            held = ledger.knowledge.hot(item.role)
            ledger.knowledge.drop_hot([old.number for old in held[: max(0, len(held) - MOST_HOT_ITEMS)]])
            ledger.commit({}, last.seq, head_of(last))
    return item._replace(number=number)


def remembered(session: Session, *, whole_role: bool = False) -> list[HotItem]:
    """The hot items of the actor's session that haven't expired, newest first; or those of all its sessions."""
    memory_id = note_of(session)
    session.authorize("remembered", "read", memory_id)
    now = session.workspace.clock()
    mine = session.session or NO_SESSION
    items = [
        item
        for item in session.workspace.ledger.knowledge.hot(session.actor.name)
        if item.expires_at > now and (whole_role or item.session == mine)
    ]
    session.record("remembered", str(memory_id))
    return items[::-1]


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _body(turn: Writing, memory_id: MemoryId) -> str:
    try:
        return load(turn.session.workspace, memory_id).entry.body
    except MemoryEntryNotFoundError:
        return ""


def _write(turn: Writing, memory_id: MemoryId, content: str) -> Entry:
    size = len(content.encode(errors="replace"))
    if size > MAX_ENTRY_BYTES:
        raise BodyTooLargeError(str(memory_id), size, MAX_ENTRY_BYTES)
    try:
        loaded = load(turn.session.workspace, memory_id)
    except MemoryEntryNotFoundError:
        version = next_version(turn.session, memory_id)
        document = Document(
            name="notes",
            description=first_line(content),
            type=EntryType.USER,
            kind=Kind.DRAFT,
            version=version,
            created_at=turn.now,
            updated_at=turn.now,
            body=content,
        )
        raw = encode(document)
        change = put(turn, "create", memory_id, raw, version, None)
    else:
        document = loaded.decoded.document._replace(body=content, updated_at=turn.now)
        raw = content.encode(errors="replace")
        change = rewriting(turn, loaded, document)
    secrets.warnings_or_refuse(turn.session, memory_id, raw)
    turn_or_conflict(turn, change)
    return load(turn.session.workspace, memory_id).entry
