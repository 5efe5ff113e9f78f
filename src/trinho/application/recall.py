"""From a question to the entries that answer it, and why each came or didn't."""

from __future__ import annotations

from contextlib import closing, suppress
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from trinho.access.domains import Permission, domain_of, domain_said, parse_domain
from trinho.access.grant import Chosen, Overlap, Sight, covering
from trinho.application import reindex
from trinho.application.entries import entry_of, load, version_of
from trinho.application.ranking import (
    MOST_RESULTS,
    Candidate,
    Found,
    Mode,
    SearchQuery,
    by_words,
    left_out,
    load_ranked,
    order,
    ranked,
)
from trinho.domain.arguments import expect_project, expect_text, expect_texts, expect_whole
from trinho.domain.entry import Kind
from trinho.errors import (
    InvalidEntryError,
    MemoryEntryNotFoundError,
    PathTraversalError,
    StoreBusyError,
    StoreFullError,
    StoreReadOnlyError,
    TrinhoError,
    UnauthorizedMemoryAccessError,
    UnreadableEntryError,
)
from trinho.lifecycle.staleness import age_in_words
from trinho.retrieval import lexical
from trinho.retrieval.budget import DEFAULT_RESULTS
from trinho.retrieval.snippet import snippet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from trinho.application.session import Session
    from trinho.documents.codec import Decoded
    from trinho.domain.entry import Entry, EntryType
    from trinho.domain.ids import MemoryId
    from trinho.ports.index import Listed, WordReader
    from trinho.retrieval.words import Asked

INACTIVE = {
    "semantic": "no embedding model is installed",
    "temporal": "this version recalls by words only",
    "graph": "this version recalls by words only",
}


class Reason(NamedTuple):
    """Why a result stands where it stands: its rank by words, which of the query's it holds, and their share of it."""

    rank: int
    matched: tuple[str, ...]
    missing: tuple[str, ...]
    boost: float = 1.0
    coverage: float = 1.0
    in_other_words: tuple[str, ...] = ()
    decay: float = 1.0
    confidence: float = 1.0


class Result(NamedTuple):
    """One entry that answers a query. Scores compare the results of one query, and mean nothing beside another's."""

    entry: Entry
    score: float
    snippet: str
    age: str
    why: Reason


class SearchAnswer(NamedTuple):
    """The results, best first, and how many visible entries held any of the terms."""

    query: SearchQuery
    results: tuple[Result, ...]
    total_considered: int

    @property
    def inactive_voices(self) -> dict[str, str]:
        """The voices that were asked for and didn't speak, with the reason."""
        return {} if self.query.mode == "keyword" else INACTIVE


class Explanation(NamedTuple):
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
        if query.domain is not None:
            sees = Overlap(_of_domain(session, query.domain), sees)
        answer = _answer(session, query, sees) if query.as_of is None else _answer_then(session, query, sees)
    session.record("search", session.nameable(query.scope))
    facts = [result.entry.id for result in answer.results if result.entry.kind is Kind.FACT]
    if facts:
        with suppress(StoreReadOnlyError, StoreFullError, StoreBusyError):  # to count is no reason to fail
            session.workspace.ledger.knowledge.recalled(facts, session.workspace.clock())
    return answer


def listing(
    session: Session, scope: str | None, kinds: frozenset[Kind], types: frozenset[EntryType], project: str | None
) -> list[Listed]:
    """Every entry that the actor may read, in the order of its ID."""
    sees = _scope(session, scope, "list")
    with session.auditing("list", scope):
        expect_project(project)
        rows = [row for row in reindex.ask(session, lambda index: index.listing(sees)) if _fits(row, kinds, types)]
    session.record("list", session.nameable(scope))
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


def explain(
    session: Session, text: str, id: str, limit: int = DEFAULT_RESULTS, project: str | None = None
) -> Explanation:
    """Why the entry is, or isn't, among the first `limit` results of the query, asked from `project`."""
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
        expect_project(project)
        explanation = _explain(session, SearchQuery(text, limit=limit, project=project), memory_id)
    session.record("explain", session.nameable(id))
    return explanation


def _expect_sound(query: SearchQuery) -> None:
    expect_text("query", query.text)
    expect_texts("kinds", query.kinds)
    expect_texts("types", query.types)
    expect_whole("limit", query.limit, 1)
    expect_project(query.project)
    if query.mode not in get_args(Mode):
        raise InvalidEntryError("mode", str(query.mode), f"choose one of {', '.join(get_args(Mode))}")


def _scope(session: Session, scope: str | None, operation: str) -> Sight:
    if scope is None:
        return session.sees()
    grant = session.parse_scope(operation, scope)
    session.authorize(operation, "read", grant)
    return Overlap(covering([grant]), session.sees())


def _of_domain(session: Session, text: str) -> Sight:
    """What is of a domain: lies in its branches, or says that it is of it. A hidden one is refused."""
    key = parse_domain(text)
    session.authorize_domain("search", key, Permission.READ)
    rows = reindex.ask(session, lambda index: index.about(session.sees(), key.name))
    said = {row.id for row in rows if domain_said(row.id, row.knowledge.domain) == key}
    return Chosen(lambda each: domain_of(each) == key or each in said)


def _answer_then(session: Session, query: SearchQuery, sees: Sight) -> SearchAnswer:
    """The answer as it would have been: what was written since is read as it was, beside what wasn't."""
    from trinho.application import asof  # most questions are about the present

    at = asof.instant(query.as_of or "")
    changed = asof.changed_since(session, at)
    then = {row.id: row for row in asof.believed(session, at) if sees(row.id) and _fits(row, query.kinds, query.types)}
    kept = ranked(
        session, query._replace(limit=MOST_RESULTS), Overlap(Chosen(lambda each: each not in changed), sees), at
    )
    pairs: list[tuple[Candidate, Decoded | None]] = [(each, None) for each in kept.candidates if each.row.id in then]
    old = {each.row.id: each for each in asof.documents(session, at, changed) if each.row.id in then}
    considered = kept.considered
    if old:
        with closing(session.workspace.scratch_index()) as index:
            index.put(map(asof.record, old.values()))
            again = index.read(lambda reader: by_words(reader, kept.asked, query, sees, at))
        pairs += [(each, old[each.row.id].decoded) for each in again.candidates if each.row.id in old]
        considered += again.considered
    pairs.sort(key=lambda pair: order(pair[0]))
    entries = ((candidate, _entry_then(session, candidate, decoded)) for candidate, decoded in pairs)
    shown = [(candidate, entry) for candidate, entry in entries if entry is not None][: min(query.limit, MOST_RESULTS)]
    results = [_result(session, kept.asked, candidate, entry, rank) for rank, (candidate, entry) in enumerate(shown, 1)]
    return SearchAnswer(query, tuple(results), considered)


def _entry_then(session: Session, candidate: Candidate, decoded: Decoded | None) -> Entry | None:
    if decoded is not None:
        return entry_of(candidate.row.id, decoded.document.version or 1, decoded.document)
    loaded = load_ranked(session, candidate.row)
    return None if loaded is None else loaded.entry


def _fits(row: Listed, kinds: frozenset[Kind], types: frozenset[EntryType]) -> bool:
    return (not kinds or row.kind in kinds) and (not types or row.type in types)


def _answer(session: Session, query: SearchQuery, sees: Sight) -> SearchAnswer:
    found = ranked(session, query, sees)
    limit = min(query.limit, MOST_RESULTS)
    results: list[Result] = []
    for candidate in found.candidates:
        if len(results) >= limit:
            break
        loaded = load_ranked(session, candidate.row)
        if loaded is not None:
            results.append(_result(session, found.asked, candidate, loaded.entry, len(results) + 1))
    return SearchAnswer(query, tuple(results), found.considered)


def _result(session: Session, question: Asked, candidate: Candidate, entry: Entry, rank: int) -> Result:
    return Result(
        entry,
        round(candidate.score, 6),
        snippet(entry.body or entry.description, [*question.written, *question.terms]),
        age_in_words(entry.updated_at, session.workspace.clock()),
        _reason(question, candidate, rank),
    )


def _reason(question: Asked, candidate: Candidate, rank: int) -> Reason:
    if candidate.scored is None:
        return Reason(rank, (), (), candidate.boost)
    held = candidate.scored.terms
    matched = tuple(word for place, word in enumerate(question.written) if place in held)
    alike = candidate.scored.alike
    missing = tuple(word for place, word in enumerate(question.written) if place not in held | alike)
    in_other_words = tuple(question.written[place] for place in sorted(alike))
    coverage = round(candidate.scored.coverage, 4)
    weighed = round(candidate.decay, 4), round(candidate.confidence, 4)
    return Reason(rank, matched, missing, candidate.boost, coverage, in_other_words, *weighed)


def _explain(session: Session, query: SearchQuery, memory_id: MemoryId) -> Explanation:
    found = ranked(session, query._replace(limit=MOST_RESULTS), session.sees())
    for place, candidate in enumerate(found.candidates, 1):
        if candidate.row.id == memory_id:
            why = _reason(found.asked, candidate, place)
            if place <= query.limit:
                return Explanation(query.text, str(memory_id), "shown", f"rank {place}", rank=place, why=why)
            reason = f"below rank: {place}, and {query.limit} are shown"
            return Explanation(query.text, str(memory_id), "absent", reason, rank=place, why=why)
    return Explanation(query.text, str(memory_id), "absent", _absence(session, found, memory_id))


def _absence(session: Session, found: Found, memory_id: MemoryId) -> str:
    question, nothing_is_shown = found.asked, not found.candidates
    try:
        loaded = load(session.workspace, memory_id)
    except MemoryEntryNotFoundError:
        return "no such entry"
    except TrinhoError as error:
        return f"quarantined: {error.message}"
    if loaded.decoded.broken:
        line, reason = loaded.decoded.broken
        return f"quarantined: line {line}: {reason}"

    def judged(reader: WordReader) -> str:
        row = reader.row_of(memory_id)
        if row is None:
            return "it is not in the index: run `trinho doctor`"
        listed = reader.listed([row]).get(row)
        if listed is not None and (reason := left_out(listed, session.workspace.clock())):
            return reason
        held = lexical.held(reader, question, session.sees(), row)
        if not held.coverage:
            return f"it holds none of: {', '.join(question.written)}"
        words = ", ".join(question.written[place] for place in sorted(held.terms | held.alike)) or "what its log says"
        if nothing_is_shown:
            return f"nothing is shown, since the best says too little of the question; this one holds {words}"
        return f"below rank: others hold more than {words}"

    return session.workspace.index.read(judged)
