"""Proposing, superseding and showing facts."""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING, Literal

from trinho.access.domains import DomainKey, parse_domain
from trinho.application import domains, reindex, secrets
from trinho.application.act import writing
from trinho.application.entries import Loaded, file_at, load
from trinho.application.memory import fetch, put, turn_or_conflict
from trinho.application.proposal import Checked, FactDraft, checked
from trinho.documents.codec import Document, encode, first_line
from trinho.domain.arguments import expect_text
from trinho.domain.conflict import Conflict, ConflictState
from trinho.domain.entry import Draft, EntryType, Kind
from trinho.domain.ids import MemoryId, parse_memory_id
from trinho.domain.knowledge import Knowledge, Status, Veracity
from trinho.errors import (
    AlreadySupersededError,
    MemoryEntryNotFoundError,
    TrinhoError,
    UnreadableEntryError,
)
from trinho.lifecycle.belief import Claim, Relation, Resolution, outranks, resolve
from trinho.lifecycle.confidence import initial_confidence, restated
from trinho.lifecycle.conflict import Judgement, Label

if TYPE_CHECKING:
    from datetime import datetime

    from trinho.application.act import Change, Writing
    from trinho.application.session import Session
    from trinho.domain.entry import Entry
    from trinho.domain.notes import Counts
    from trinho.ports.index import Listed

Outcome = Literal["added", "restated", "superseded", "coexists"]

MOST_COMPARED = 50  # the newest facts of a topic with which a new one is compared
_LONGEST_SLUG = 60  # bytes of a topic in an ID


@dataclass(frozen=True, slots=True)
class Proposed:
    """What became of a proposal. `id` is that of the fact that now says it; `held` if a person must accept it first."""

    outcome: Outcome
    id: MemoryId
    relations: tuple[Relation, ...] = ()
    superseded: tuple[MemoryId, ...] = ()
    conflict_id: int | None = None
    held: bool = False
    note: str | None = None


def propose(session: Session, draft: FactDraft) -> Proposed:
    """Add what the draft says to what is known: new, said again, in place of what it corrects, or beside it."""
    with session.auditing("propose_fact", None):
        given = checked(session, draft)
        memory_id = new_id(given.key, "facts", given.topic, given.content, session)
    session.authorize("propose_fact", "write", memory_id)
    with session.auditing("propose_fact", str(memory_id)):
        secrets.refuse_in_name(session, "propose_fact", memory_id)
        secrets.refuse_in_draft(session, memory_id, Draft(f"{given.topic}\n{given.content}"))
        domains.ensure(session, given.key)
        with writing(session) as turn:
            # Another process may have said the same since
            memory_id = new_id(given.key, "facts", given.topic, given.content, session)
            document = _document(turn, given)
            if given.knowledge.status is Status.HELD:
                _perform(turn, [_placing(turn, memory_id, document)])
                return Proposed("added", memory_id, held=True, note="held until a person accepts it")
            return believe(turn, memory_id, document)


def supersede(session: Session, id: str, content: str, reason: str | None = None) -> Proposed:
    """Put a new fact in the place of one. One that is better founded stays beside it until a person decides."""
    memory_id = session.parse("supersede_fact", id)
    session.authorize("supersede_fact", "read", memory_id)
    with session.auditing("supersede_fact", str(memory_id)):
        loaded = load(session.workspace, memory_id)
        said = loaded.decoded.document.knowledge
        expect_fact(loaded)
        expect_current(session, loaded)
        expect_text("reason", reason, optional=True)
        key = key_of(memory_id, said)
        draft = FactDraft(content, key.name, said.topic or memory_id.parts[-1], key.project, said.memory_type)
        given = checked(session, draft)
        new = new_id(key, "facts", given.topic, content, session)
    session.authorize("supersede_fact", "write", new)
    with session.auditing("supersede_fact", str(memory_id)):
        secrets.refuse_in_draft(session, new, Draft(content))
        with writing(session) as turn:
            loaded = load(session.workspace, memory_id)
            expect_current(session, loaded)
            new = new_id(key, "facts", given.topic, content, session)
            document = _document(turn, given)
            judgement = Judgement(Label.CONTRADICTS, sure=True, reason=reason or "superseded by its author's word")
            relations = (Relation(memory_id, judgement),)
            veracity = given.knowledge.veracity or Veracity.UNKNOWN
            if given.knowledge.status is Status.HELD:
                held = document._replace(knowledge=document.knowledge._replace(supersedes=(str(memory_id),)))
                _perform(turn, [_placing(turn, new, held)])
                return Proposed("added", new, relations, held=True, note="held until a person accepts it")
            if outranks(said.veracity or Veracity.UNKNOWN, veracity):
                return settle(turn, new, document, Resolution(relations, doubtful=(memory_id,)), {memory_id: loaded})
            return settle(turn, new, document, Resolution(relations, supersedes=(memory_id,)), {memory_id: loaded})


def believe(turn: Writing, memory_id: MemoryId, document: Document, held: Loaded | None = None) -> Proposed:
    """Take a fact in among the active ones of its topic; `held` is its file where it waited to be accepted."""
    olds = current(turn.session, memory_id, document.knowledge, turn.now)
    claims = [Claim(old.entry.id, old.entry.body, _veracity(old.decoded.document)) for old in olds]
    resolution = resolve(Claim(memory_id, document.body, _veracity(document)), claims)
    return settle(turn, memory_id, document, resolution, {old.entry.id: old for old in olds}, held)


def settle(
    turn: Writing,
    memory_id: MemoryId,
    document: Document,
    resolution: Resolution,
    olds: dict[MemoryId, Loaded],
    held: Loaded | None = None,
) -> Proposed:
    """Do what was resolved, as one act."""
    relations = resolution.relations
    if resolution.restates is not None:
        return _say_again(turn, olds[resolution.restates], document, relations, held)
    said = document.knowledge
    if resolution.loses_to is not None:
        lost = said._replace(superseded_by=str(resolution.loses_to))
        _perform(turn, [_placing(turn, memory_id, document._replace(knowledge=lost), held)])
        number = _note(turn, memory_id, resolution.loses_to, Label.CONTRADICTS, ConflictState.SUPERSEDED)
        note = f"`{resolution.loses_to}` is better founded, so this is kept as superseded; a person can overturn it"
        return Proposed("superseded", memory_id, relations, (memory_id,), number, note=note)
    beaten = resolution.supersedes
    won = said._replace(supersedes=tuple(map(str, beaten)))
    # INVARIANT: the winner comes first. From then on it says what it supersedes, and readers go by that
    changes = [_placing(turn, memory_id, document._replace(knowledge=won), held)]
    changes += [_replaced(turn, olds[old], memory_id) for old in beaten]
    _perform(turn, changes)
    labels = {relation.to: relation.judgement.label for relation in relations}
    numbers = [_note(turn, old, memory_id, labels[old], ConflictState.SUPERSEDED) for old in beaten]
    numbers += [_note(turn, old, memory_id, labels[old], ConflictState.OPEN) for old in resolution.doubtful]
    became: Outcome = "superseded" if beaten else "coexists" if resolution.doubtful else "added"
    doubt = "it may contradict another fact; a person decides (`trinho conflicts`)" if resolution.doubtful else None
    return Proposed(became, memory_id, relations, beaten, numbers[-1] if numbers else None, note=doubt)


def _say_again(
    turn: Writing, old: Loaded, document: Document, relations: tuple[Relation, ...], held: Loaded | None
) -> Proposed:
    """Strengthen the fact that says the same; said by a better source it is that source's from now on."""
    before, said = old.decoded.document, document.knowledge
    veracity = _veracity(document)
    known = before.knowledge.veracity or Veracity.UNKNOWN
    raised = restated(_confidence(before), veracity)
    better = veracity if outranks(veracity, known) else before.knowledge.veracity
    sources = tuple(dict.fromkeys((*before.knowledge.sources, *said.sources)))
    knowledge = before.knowledge._replace(confidence=raised, veracity=better, sources=sources)
    changes = [rewriting(turn, old, before._replace(knowledge=knowledge, updated_at=turn.now))]
    if held is not None:
        changes.append(retiring(held))
    _perform(turn, changes)
    turn.session.workspace.ledger.knowledge.mention(old.entry.id)
    return Proposed("restated", old.entry.id, relations)


# -- what there is --------------------------------------------------------------------------------------------------


def current(session: Session, memory_id: MemoryId, said: Knowledge, now: datetime) -> list[Loaded]:
    """The active facts of the same store, domain and topic that the actor may read, newest first."""
    rows = reindex.ask(session, lambda index: index.about(session.sees(), said.domain, said.topic))
    rows = [row for row in rows if row.id.branch == memory_id.branch and row.id != memory_id and is_active(row, now)]
    rows.sort(key=lambda row: (-row.updated_at.timestamp(), str(row.id)))
    loaded = []
    for row in rows[:MOST_COMPARED]:
        with suppress(MemoryEntryNotFoundError, UnreadableEntryError):
            loaded.append(load(session.workspace, row.id))
    return loaded


def is_active(row: Listed, now: datetime) -> bool:
    """Whether it is a fact that holds at present."""
    said = row.knowledge
    return (
        row.kind is Kind.FACT
        and said.status is Status.ACTIVE
        and not said.superseded_by
        and (said.valid_until is None or said.valid_until > now)
    )


def listing(
    session: Session, domain: str | None = None, *, everything: bool = False, as_of: datetime | str | None = None
) -> list[Listed]:
    """The facts that the actor may read, in the order of their IDs; with `everything` also those that hold no more.

    `as_of` asks for those that were believed then.
    """
    if as_of is not None:
        return _believed(session, domain, as_of)
    with session.auditing("fact list", None):
        key = None if domain is None else parse_domain(domain)
        now = session.workspace.clock()
        sees = session.sees()
        if key is None:
            rows = reindex.ask(session, lambda index: index.listing(sees))
        else:
            rows = reindex.ask(session, lambda index: index.about(sees, key.name))
            rows = [row for row in rows if key_of(row.id, row.knowledge) == key]
    session.record("fact list", None)
    return [row for row in rows if row.kind is Kind.FACT and (everything or is_active(row, now))]


def _believed(session: Session, domain: str | None, as_of: datetime | str) -> list[Listed]:
    from trinho.application import asof  # most lists are of the present

    with session.auditing("fact list", None):
        key = None if domain is None else parse_domain(domain)
        rows = [row for row in asof.believed(session, asof.instant(as_of)) if row.kind is Kind.FACT]
    session.record("fact list", None)
    return [row for row in rows if key is None or key_of(row.id, row.knowledge) == key]


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact with what is said and counted of it."""

    entry: Entry
    knowledge: Knowledge
    counts: Counts


def show(session: Session, id: str) -> Fact:
    """The fact of that ID, whatever became of it."""
    loaded = fetch(session, "fact show", id)
    expect_fact(loaded)
    memory_id = loaded.entry.id
    said = loaded.decoded.document.knowledge._replace(superseded_by=_superseded_by(session, loaded))
    counts = session.workspace.ledger.knowledge.counts([memory_id])[memory_id]
    return Fact(loaded.entry, said, counts)


def key_of(memory_id: MemoryId, said: Knowledge) -> DomainKey:
    """The domain of a fact: what it says, or where it lies."""
    name = said.domain or (memory_id.segments[1] if len(memory_id.segments) > 1 else memory_id.segments[0])
    return DomainKey(name, memory_id.owner if memory_id.parts[0] == "project" else None)


def expect_fact(loaded: Loaded) -> None:
    """Return if the entry is a fact; else it is as if there were none of that ID."""
    if loaded.decoded.document.kind is not Kind.FACT:
        raise MemoryEntryNotFoundError(str(loaded.entry.id))


def expect_current(session: Session, loaded: Loaded) -> None:
    """Return unless another has superseded it."""
    superseded_by = _superseded_by(session, loaded)
    if superseded_by:
        raise AlreadySupersededError(str(loaded.entry.id), superseded_by)


def _superseded_by(session: Session, loaded: Loaded) -> str:
    """What has superseded it, as it says itself or its winner does."""
    own = loaded.decoded.document.knowledge.superseded_by
    if own:
        return own
    sees, path = session.sees(), session.workspace.store.path_of(loaded.entry.id)
    rows = reindex.ask(session, lambda index: index.listing(sees, path))
    return next((row.knowledge.superseded_by for row in rows if row.id == loaded.entry.id), "")


# -- making and changing files --------------------------------------------------------------------------------------


def new_id(key: DomainKey, branch: str, topic: str, content: str, session: Session) -> MemoryId:
    """An ID of its own for a new record of the domain: no file has it, and none ever had."""
    slug = _slug(topic)
    for number in count():
        text = f"{topic}\0{content}\0{session.actor.name}\0{number}"
        digest = sha256(text.encode(errors="replace")).hexdigest()[:8]
        memory_id = parse_memory_id(":".join((*key.branch, branch, key.name, f"{slug}-{digest}" if slug else digest)))
        if session.workspace.ledger.observed(memory_id) is None and file_at(session.workspace, memory_id) is None:
            return memory_id
    raise AssertionError  # pragma: no cover - there is always a next one


def _slug(text: str) -> str:
    """The words of a text as the part of an ID."""
    words = re.sub(r"[\W_]+", "-", unicodedata.normalize("NFC", text).casefold()).strip("-")
    while len(words.encode()) > _LONGEST_SLUG:
        words = words[:-1]
    slug = words.strip("-")
    try:
        parse_memory_id(f"shared:{slug}-0")
    except TrinhoError:  # letters of two alphabets, and the like
        return "".join(c for c in slug if c.isascii()).strip("-")
    return slug


def _document(turn: Writing, given: Checked) -> Document:
    return Document(
        name=given.topic,
        description=first_line(given.content),
        type=EntryType.PROJECT,
        kind=Kind.FACT,
        version=1,
        created_at=turn.now,
        updated_at=turn.now,
        body=given.content,
        knowledge=given.knowledge,
    )


def _placing(turn: Writing, memory_id: MemoryId, document: Document, held: Loaded | None = None) -> Change:
    if held is not None:
        return rewriting(turn, held, document)
    from trinho.application.memory import next_version

    version = next_version(turn.session, memory_id)
    return put(turn, "create", memory_id, encode(document._replace(version=version)), version, None)


def rewriting(turn: Writing, loaded: Loaded, document: Document) -> Change:
    """The change that gives an entry's file what the document says, at its next version."""
    version = loaded.entry.version + 1
    raw = encode(document._replace(version=version), loaded.decoded)
    return put(turn, "update", loaded.entry.id, raw, version, loaded.file)


def retiring(loaded: Loaded) -> Change:
    """The change that takes an entry into the trash."""
    from trinho.application.memory import retire

    return retire("delete", loaded.file, loaded.entry.version)


def _replaced(turn: Writing, old: Loaded, by: MemoryId) -> Change:
    before = old.decoded.document
    return rewriting(turn, old, before._replace(knowledge=before.knowledge._replace(superseded_by=str(by))))


def _perform(turn: Writing, changes: list[Change]) -> int:
    return turn.perform(changes) if len(changes) > 1 else turn_or_conflict(turn, changes[0])


def _note(turn: Writing, loser: MemoryId, winner: MemoryId, label: Label, state: ConflictState) -> int:
    actor = turn.session.actor.name
    conflict = Conflict(0, str(loser), str(winner), label.value, state, turn.now, actor)
    return turn.session.workspace.ledger.knowledge.add_conflict(conflict)


def _veracity(document: Document) -> Veracity:
    return document.knowledge.veracity or Veracity.UNKNOWN


def _confidence(document: Document) -> float:
    known = document.knowledge.confidence
    return initial_confidence(_veracity(document)) if known is None else known
