"""From a question to the entries that answer it, and why each came or didn't."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from trinho.application import reindex
from trinho.application.entries import Loaded, load, version_of
from trinho.domain.arguments import expect_project, expect_text, expect_texts, expect_whole
from trinho.domain.ids import MemoryId
from trinho.errors import (
    InvalidEntryError,
    MemoryEntryNotFoundError,
    PathTraversalError,
    TrinhoError,
    UnauthorizedMemoryAccessError,
    UnreadableEntryError,
)
from trinho.lifecycle.staleness import age_in_words
from trinho.ports.index import Listed, Match
from trinho.retrieval.budget import DEFAULT_RESULTS
from trinho.retrieval.ranker import order_matches
from trinho.retrieval.snippet import snippet
from trinho.retrieval.words import query_terms

if TYPE_CHECKING:
    from trinho.application.session import Session
    from trinho.domain.entry import Entry, EntryType, Kind

MOST_RESULTS = 1000
INACTIVE = {
    "semantic": "no embedding model is installed",
    "temporal": "this version recalls by words only",
    "graph": "this version recalls by words only",
}
Mode = Literal["keyword", "semantic", "hybrid"]
Visible = Callable[[MemoryId], bool]


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A question. `scope` is a grant's text; kinds and types empty let every one through."""

    text: str
    scope: str | None = None
    kinds: frozenset[Kind] = frozenset()
    types: frozenset[EntryType] = frozenset()
    limit: int = DEFAULT_RESULTS
    mode: Mode = "hybrid"
    project: str | None = None  # preferred among equals


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a result stands where it stands: its rank by words and the terms that it holds."""

    rank: int
    matched: tuple[str, ...]
    missing: tuple[str, ...]
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class Result:
    """One entry that answers a query. The score is the number of query terms that it holds."""

    entry: Entry
    score: float
    snippet: str
    age: str
    why: Reason


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The results, best first, and how many visible entries held any of the terms."""

    query: SearchQuery
    results: tuple[Result, ...]
    total_considered: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why an entry came for a query, or why it did not."""

    query: str
    id: str
    verdict: Literal["shown", "absent"]
    reason: str
    code: str | None = None
    grant_that_would_open: str | None = None
    rank: int | None = None
    why: Reason | None = None


def search(session: Session, query: SearchQuery) -> SearchAnswer:
    """Authorize, retrieve, rank and record one search."""
    sees = _scope(session, query.scope, "search")
    with session.auditing("search", query.scope):
        _expect_sound(query)
        answer = _answer(session, query, sees)
    session.record("search", query.scope)
    return answer


def listing(
    session: Session, scope: str | None, kinds: frozenset[Kind], types: frozenset[EntryType], project: str | None
) -> list[Listed]:
    """Every entry that the actor may read, in the order of its ID."""
    sees = _scope(session, scope, "list")
    with session.auditing("list", scope):
        expect_project(project)
        rows = [row for row in reindex.ask(session, lambda index: index.listing(sees)) if _fits(row, kinds, types)]
    session.record("list", scope)
    return [row for row in rows if project is None or (row.id.parts[0] == "project" and row.id.owner == project)]


def with_versions(session: Session, rows: Iterable[Listed]) -> Iterator[tuple[Listed, int]]:
    """Rows of a listing with the versions of their files; one that is gone or unreadable by now is passed over."""
    ledger = session.workspace.ledger
    for row in rows:
        last = ledger.observed(row.id)
        if last is not None and last.sha256 == row.sha256:
            yield row, last.version
            continue
        with suppress(MemoryEntryNotFoundError, UnreadableEntryError, PathTraversalError):
            yield row, version_of(session.workspace, session.workspace.store.read(row.id))


def explain(session: Session, text: str, id: str, limit: int = DEFAULT_RESULTS) -> Explanation:
    """Why the entry is, or isn't, among the first `limit` results of the query."""
    memory_id = session.parse("explain", id)
    try:
        session.authorize("explain", "read", memory_id)
    except UnauthorizedMemoryAccessError as error:
        grant = error.fields["grant_that_would_open"]
        return Explanation(
            text,
            id,
            "absent",
            "not granted",
            code=error.error_code,
            grant_that_would_open=grant if isinstance(grant, str) else None,
        )
    with session.auditing("explain", str(memory_id)):
        expect_text("query", text)
        expect_whole("limit", limit, 1)
        explanation = _explain(session, text, memory_id, limit)
    session.record("explain", id)
    return explanation


def ranked(session: Session, text: str, sees: Visible, project: str | None = None) -> tuple[list[str], list[Match]]:
    """The query's terms, and every visible entry that holds one, best first; without terms, the newest first."""
    terms = query_terms(text)
    if terms:
        matches = reindex.ask(session, lambda index: index.matching(terms, sees))
    else:
        matches = [Match(row, ()) for row in reindex.ask(session, lambda index: index.listing(sees))]
    return terms, order_matches(matches, project)


def load_ranked(session: Session, match: Match) -> Loaded | None:
    """The entry behind a match as it is on disk now; None if it can't be shown any more."""
    try:
        loaded = load(session.workspace, match.row.id)
    except TrinhoError:  # gone or broken since it was indexed: doctor tells of it
        return None
    return None if loaded.decoded.broken else loaded


def _expect_sound(query: SearchQuery) -> None:
    expect_text("query", query.text)
    expect_texts("kinds", query.kinds)
    expect_texts("types", query.types)
    expect_whole("limit", query.limit, 1)
    expect_project(query.project)
    if query.mode not in get_args(Mode):
        raise InvalidEntryError("mode", str(query.mode), f"choose one of {', '.join(get_args(Mode))}")


def _scope(session: Session, scope: str | None, operation: str) -> Visible:
    sees = session.sees()
    if scope is None:
        return sees
    grant = session.parse_scope(operation, scope)
    session.authorize(operation, "read", grant)
    return lambda memory_id: grant.covers(memory_id) and sees(memory_id)


def _fits(row: Listed, kinds: frozenset[Kind], types: frozenset[EntryType]) -> bool:
    return (not kinds or row.kind in kinds) and (not types or row.type in types)


def _answer(session: Session, query: SearchQuery, sees: Visible) -> SearchAnswer:
    terms, matches = ranked(session, query.text, sees, query.project)
    matches = [match for match in matches if _fits(match.row, query.kinds, query.types)]
    limit = min(query.limit, MOST_RESULTS)
    results: list[Result] = []
    for match in matches:
        if len(results) >= limit:
            break
        loaded = load_ranked(session, match)
        if loaded is not None:
            results.append(_result(session, terms, match, loaded.entry, len(results) + 1))
    return SearchAnswer(query, tuple(results), len(matches))


def _result(session: Session, terms: list[str], match: Match, entry: Entry, rank: int) -> Result:
    return Result(
        entry,
        float(len(match.terms)),
        snippet(entry.body or entry.description, terms),
        age_in_words(entry.updated_at, session.workspace.clock()),
        _reason(terms, match, rank),
    )


def _reason(terms: list[str], match: Match, rank: int) -> Reason:
    matched = tuple(terms[place] for place in match.terms)
    return Reason(rank, matched, tuple(term for term in terms if term not in matched))


def _explain(session: Session, text: str, memory_id: MemoryId, limit: int) -> Explanation:
    terms, matches = ranked(session, text, session.sees())
    for place, match in enumerate(matches, 1):
        if match.row.id == memory_id:
            why = _reason(terms, match, place)
            if place <= limit:
                return Explanation(text, str(memory_id), "shown", f"rank {place}", rank=place, why=why)
            reason = f"below rank: {place}, and {limit} are shown"
            return Explanation(text, str(memory_id), "absent", reason, rank=place, why=why)
    return Explanation(text, str(memory_id), "absent", _absence(session, terms, memory_id))


def _absence(session: Session, terms: list[str], memory_id: MemoryId) -> str:
    try:
        loaded = load(session.workspace, memory_id)
    except MemoryEntryNotFoundError:
        return "no such entry"
    except TrinhoError as error:
        return f"quarantined: {error.message}"
    if loaded.decoded.broken:
        line, reason = loaded.decoded.broken
        return f"quarantined: line {line}: {reason}"
    return f"it holds none of: {', '.join(terms)}"
