"""What is proposed as knowledge, checked before anything is read or written."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from trinho.access.actor import Principal
from trinho.access.domains import DomainKey, parse_domain
from trinho.documents.scalars import read_fraction, read_instant
from trinho.domain.arguments import expect_text, expect_texts
from trinho.domain.ids import MemoryId, parse_memory_id
from trinho.domain.knowledge import MAX_CONTENT_BYTES, Knowledge, MemoryType, Status, Veracity, topic_key
from trinho.errors import EvidenceNotFoundError, InvalidEntryError, TrinhoError
from trinho.lifecycle.confidence import capped, initial_confidence
from trinho.lifecycle.quotation import says_enough
from trinho.retrieval.framing import forges

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from trinho.application.session import Session

MAX_TOPIC = 100
_Word = TypeVar("_Word", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class FactDraft:
    """What is proposed. Texts of closed sets are parsed; what is left out is filled by the rules of the actor."""

    content: str
    domain: str
    topic: str
    repo: str | None = None
    memory_type: MemoryType | str | None = None
    veracity: Veracity | str | None = None
    evidence: str | None = None
    confidence: float | None = None
    valid_until: datetime | str | None = None
    sources: Sequence[str] = ()
    agent: str | None = None


class Checked(NamedTuple):
    """A draft of which everything that can be checked beforehand is sound."""

    content: str
    key: DomainKey
    topic: str
    knowledge: Knowledge


def checked(session: Session, draft: FactDraft) -> Checked:
    content = expect_content("content", draft.content)
    key = parse_domain(draft.domain, draft.repo)
    topic = _topic(draft.topic)
    veracity = _veracity_given(session, draft)
    return Checked(
        content,
        key,
        topic,
        Knowledge(
            domain=key.name,
            topic=topic,
            memory_type=one_of("memory_type", MemoryType, draft.memory_type) or MemoryType.FACT,
            veracity=veracity,
            confidence=_confidence_given(session, draft.confidence, veracity),
            author=session.actor.name,
            agent=draft.agent or "",
            sources=names(session, "sources", draft.sources),
            valid_until=_until(session, draft.valid_until),
            status=Status.HELD if must_wait(session, veracity) else Status.ACTIVE,
        ),
    )


def must_wait(session: Session, veracity: Veracity) -> bool:
    """Whether a person has to accept it first: an agent says it, and has it from a tool, a page or an import."""
    if isinstance(session.actor, Principal):
        return False
    return session.workspace.strict or veracity in (Veracity.TOOL, Veracity.IMPORTED, Veracity.UNKNOWN)


def expect_content(name: str, content: object) -> str:
    """The text without blank ends; InvalidEntryError if it is none, too long, or forges what we put around texts."""
    expect_text(name, content)
    text = str(content).strip()
    if not text:
        raise InvalidEntryError(name, str(content), "say something")
    size = len(text.encode(errors="replace"))
    if size > MAX_CONTENT_BYTES:
        raise InvalidEntryError(name, text, f"it has {size} bytes, the limit is {MAX_CONTENT_BYTES}; make it an entry")
    forged = forges(text)
    if forged:
        raise InvalidEntryError(name, text, f"it looks like {forged}; say it in a sentence")
    return text


def _topic(topic: object) -> str:
    expect_text("topic", topic)
    text = " ".join(str(topic).split())
    if not topic_key(text):
        raise InvalidEntryError("topic", str(topic), "say in a few words what it is about")
    if len(text) > MAX_TOPIC or not text.isprintable():
        raise InvalidEntryError("topic", text, f"give one line of at most {MAX_TOPIC} characters")
    return text


def one_of(name: str, words: type[_Word], given: _Word | str | None) -> _Word | None:
    """The word of a closed set, or None where none is given; InvalidEntryError for any other."""
    try:
        return None if given is None else words(given)
    except ValueError as error:
        raise InvalidEntryError(name, str(given), f"choose one of {', '.join(words)}") from error


def _veracity_given(session: Session, draft: FactDraft) -> Veracity:
    given = one_of("veracity", Veracity, draft.veracity)
    expect_text("evidence", draft.evidence, optional=True)
    if isinstance(session.actor, Principal):
        return given or Veracity.STATED
    if given is Veracity.STATED or (given is None and draft.evidence):
        _expect_said(session, draft.evidence or "")
        return Veracity.STATED
    return given or Veracity.INFERRED


def _expect_said(session: Session, quote: str) -> None:
    """Return if a person typed the quote in one turn of the present run; EvidenceNotFoundError else."""
    if not says_enough(quote):
        raise EvidenceNotFoundError(quote, too_short=True)
    workspace, name = session.workspace, session.session
    run = None if name is None else workspace.ledger.runs.run(name)
    transcripts = None if workspace.open_transcripts is None else workspace.open_transcripts()
    if run is None or transcripts is None or not transcripts.holds(run):
        raise EvidenceNotFoundError(quote, unknown_run=True)
    if not transcripts.says(run, quote):
        raise EvidenceNotFoundError(quote)


def _confidence_given(session: Session, given: object, veracity: Veracity) -> float:
    if given is None:
        return initial_confidence(veracity)
    try:
        confidence = read_fraction(given if isinstance(given, str) else repr(given))
    except ValueError as error:
        raise InvalidEntryError("confidence", str(given), str(error)) from error
    return confidence if isinstance(session.actor, Principal) else capped(confidence, veracity)


def _until(session: Session, given: datetime | str | None) -> datetime | None:
    if given is None:
        return None
    try:
        until = given if isinstance(given, datetime) else read_instant(str(given).strip())
        ahead = until > session.workspace.clock()
    except (ValueError, TypeError) as error:
        raise InvalidEntryError("valid_until", str(given), str(error)) from error
    if not ahead:
        raise InvalidEntryError("valid_until", str(given), "give a time that is still to come")
    return until


def names(session: Session, field: str, given: Sequence[str]) -> tuple[str, ...]:
    """The sources that are named: observations of the actor's, or entries that it may read; InvalidEntryError else."""
    expect_texts(field, given)
    for name in given:
        if session.workspace.ledger.knowledge.observation(name) is None:
            _expect_source(session, field, name)
    return tuple(given)


def _expect_source(session: Session, field: str, name: str) -> None:
    try:
        memory_id = parse_memory_id(name)
        seen: Callable[[MemoryId], bool] = session.sees()
        if seen(memory_id):
            session.workspace.store.read(memory_id)
            return
    except TrinhoError:
        pass
    raise InvalidEntryError(field, name, "name an observation, or an entry that is there")
