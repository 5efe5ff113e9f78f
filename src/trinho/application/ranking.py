"""From a question to the entries that may answer it, best first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from trinho.application import reindex
from trinho.application.entries import Loaded, load
from trinho.domain.entry import Kind, format_instant
from trinho.domain.knowledge import MemoryType, Status
from trinho.errors import TrinhoError
from trinho.lifecycle.decay import factor
from trinho.retrieval import lexical
from trinho.retrieval.budget import DEFAULT_RESULTS
from trinho.retrieval.words import Asked, asked

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from trinho.access.grant import Sight
    from trinho.application.session import Session
    from trinho.domain.entry import EntryType
    from trinho.ports.index import Listed, WordReader

MOST_RESULTS = 1000
KNOWN = frozenset({Kind.FACT, Kind.DECISION, Kind.REFERENCE})  # logs and drafts are no knowledge yet
Mode = Literal["keyword", "semantic", "hybrid"]
# What the caller's own project knows comes before the same from elsewhere; another project's answer to the same
# question is mostly the wrong one, and still better than none
OWN_PROJECT = 1.35
OTHER_PROJECT = 0.1
# What a fact counts of which nobody is sure; one that is certain counts whole
LEAST_SURE = 0.8
_SPARE = 10  # read beside those that are shown, since some of them may have been replaced or be gone


class SearchQuery(NamedTuple):
    """A question. `scope` is a grant's text; kinds and types empty let every one through."""

    text: str
    scope: str | None = None
    kinds: frozenset[Kind] = frozenset()
    types: frozenset[EntryType] = frozenset()
    limit: int = DEFAULT_RESULTS
    mode: Mode = "hybrid"
    project: str | None = None  # whose entries come first
    domain: str | None = None  # only entries of this domain
    as_of: datetime | str | None = None  # what was believed then


class Candidate(NamedTuple):
    """An entry that may answer a query; `scored` is None for one that came by its age alone."""

    row: Listed
    score: float
    boost: float = 1.0
    scored: lexical.Scored | None = None
    decay: float = 1.0
    confidence: float = 1.0


class Found(NamedTuple):
    """What a query asked for, the candidates, best first, and how many entries were considered."""

    asked: Asked
    candidates: Sequence[Candidate]
    considered: int


def ranked(
    session: Session, query: SearchQuery, sees: Sight, at: datetime | None = None, scored: int = lexical.MOST_SCORED
) -> Found:
    """The entries that answer the query, best first, somewhat more than its limit; without words, the newest.

    `scored` is how many are looked at more closely at least.
    """
    question = asked(query.text)
    now = at or session.workspace.clock()

    def found(reader: WordReader) -> Found:
        if question.terms:
            return by_words(reader, question, query, sees, now, scored)
        rows = reader.newest(sees, min(query.limit, MOST_RESULTS) + _SPARE, query.kinds, query.types)
        kept = [Candidate(row, 0.0) for row in rows if left_out(row, now) is None]
        return Found(question, kept, reader.statistics(sees).entries)

    return reindex.ask(session, lambda index: index.read(found))


def left_out(row: Listed, now: datetime) -> str | None:
    """Why default recall passes an entry over, if it does."""
    said = row.knowledge
    if said.status is Status.HELD:
        return "held until a person accepts it"
    if said.superseded_by:
        return f"superseded by {said.superseded_by}"
    if said.valid_until is not None and said.valid_until <= now:
        return f"expired: it was valid until {format_instant(said.valid_until)}"
    return None


def by_words(
    reader: WordReader,
    question: Asked,
    query: SearchQuery,
    sees: Sight,
    now: datetime,
    scored: int = lexical.MOST_SCORED,
) -> Found:
    """The same over one state of the index, at an instant."""
    most = min(query.limit, MOST_RESULTS) + _SPARE
    ranking = lexical.rank(reader, question, sees, query.kinds, query.types, max(most, scored))
    boosts = {each.row: _boost(reader.branch_of(each.row), query.project) for each in ranking.scored}
    best = sorted(ranking.scored, key=lambda each: (-each.score * boosts[each.row], each.row))
    if not best or not ranking.is_answer(best[0]):
        return Found(question, (), ranking.considered)
    candidates = _candidates(reader, best[:most], boosts, now)
    if len(candidates) < query.limit and len(best) > most:
        candidates = _candidates(reader, best, boosts, now)
    return Found(question, candidates, ranking.considered)


def _candidates(
    reader: WordReader, best: Sequence[lexical.Scored], boosts: Mapping[int, float], now: datetime
) -> list[Candidate]:
    rows = reader.listed([each.row for each in best])
    candidates = [
        _weighed(rows[each.row], each, boosts[each.row], now)
        for each in best
        if each.row in rows and left_out(rows[each.row], now) is None
    ]
    return sorted(candidates, key=order)


def _weighed(row: Listed, scored: lexical.Scored, boost: float, now: datetime) -> Candidate:
    """A fact counts by its age and by how sure it is, too; what isn't one says nothing of either."""
    if row.kind is not Kind.FACT:
        return Candidate(row, scored.score * boost, boost, scored)
    said = row.knowledge
    decay = factor(said.memory_type or MemoryType.FACT, now - row.updated_at)
    confidence = LEAST_SURE + (1 - LEAST_SURE) * (1.0 if said.confidence is None else said.confidence)
    return Candidate(row, scored.score * boost * decay * confidence, boost, scored, decay, confidence)


def order(candidate: Candidate) -> tuple[float, int, float, str]:
    """By score; equals as the deterministic ranker has them."""
    terms = 0 if candidate.scored is None else len(candidate.scored.terms)
    return (-round(candidate.score, 9), -terms, -candidate.row.updated_at.timestamp(), str(candidate.row.id))


def _boost(branch: tuple[str, ...], project: str | None) -> float:
    if project is None or branch[0] != "project":
        return 1.0
    return OWN_PROJECT if branch[1] == project else OTHER_PROJECT


def load_ranked(session: Session, row: Listed) -> Loaded | None:
    """The entry behind a row as it is on disk now; None if it can't be shown any more."""
    try:
        loaded = load(session.workspace, row.id)
    except TrinhoError:  # gone or broken since it was indexed: doctor tells of it
        return None
    return None if loaded.decoded.broken else loaded
