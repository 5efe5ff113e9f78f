"""Decisions of a saved meeting, taken in as facts of the domain `decisions`, once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trinho.application import facts, reindex
from trinho.application.entries import load
from trinho.application.proposal import FactDraft
from trinho.domain.arguments import expect_text
from trinho.domain.entry import MAX_ENTRY_BYTES
from trinho.domain.knowledge import MemoryType
from trinho.errors import BodyTooLargeError, TrinhoError
from trinho.lifecycle.minutes import decisions_in

if TYPE_CHECKING:
    from trinho.application.facts import Proposed
    from trinho.application.session import Session

DOMAIN = "decisions"
_TOPIC_WORDS = 8


@dataclass(frozen=True, slots=True)
class Harvested:
    """What each decision became, those that were known already, and those that were refused, with the reason."""

    proposed: tuple[Proposed, ...]
    known: int
    refused: tuple[tuple[str, str], ...]


def harvest(session: Session, text: str, meeting: str | None = None, repo: str | None = None) -> Harvested:
    """Propose each decision that the minutes mark; one that was harvested before is passed by."""
    with session.auditing("harvest_decisions", None):
        expect_text("text", text)
        expect_text("meeting", meeting, optional=True)
        size = len(text.encode(errors="replace"))
        if size > MAX_ENTRY_BYTES:
            raise BodyTooLargeError("the minutes", size, MAX_ENTRY_BYTES)
        known = _known(session)
    proposed: list[Proposed] = []
    refused: list[tuple[str, str]] = []
    found = decisions_in(text)
    new = [decision for decision in found if _words(decision) not in known]
    for decision in new:
        topic = " ".join(decision.split()[:_TOPIC_WORDS])[:90].rstrip(" ,;:.")
        draft = FactDraft(decision, DOMAIN, topic, repo, MemoryType.DECISION)
        try:
            proposed.append(facts.propose(session, draft))
        except TrinhoError as error:
            if error.exit_status in (3, 8):  # it will be the same for all
                raise
            refused.append((decision[:60], error.message))
    session.record("harvest_decisions", None if meeting is None else session.nameable(meeting[:100]))
    return Harvested(tuple(proposed), len(found) - len(new), tuple(refused))


def _known(session: Session) -> set[str]:
    """What the domain says already, also what was superseded since: it was taken in once."""
    rows = reindex.ask(session, lambda index: index.about(session.sees(), DOMAIN))
    known = set()
    for row in rows:
        try:
            known.add(_words(load(session.workspace, row.id).entry.body))
        except TrinhoError:  # doctor tells of it
            continue
    return known


def _words(text: str) -> str:
    return " ".join(text.split()).casefold()
