"""Keeping knowledge small and of one mind: restatements merged, hot items promoted, agents' beliefs compared."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import unified_diff
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from trinho.access.decision import Allow
from trinho.access.domains import DomainKey
from trinho.access.engine import decide
from trinho.access.request import MemoryRequest
from trinho.application import domains, facts, reindex, secrets
from trinho.application.act import writing
from trinho.application.entries import Loaded, load
from trinho.application.memory import next_version, put
from trinho.documents.codec import Document, encode, first_line
from trinho.domain.conflict import Conflict, ConflictState
from trinho.domain.entry import EntryType, Kind
from trinho.domain.knowledge import Knowledge, MemoryType, Veracity, topic_key
from trinho.domain.notes import KEPT_HOT_ITEMS, HotItem
from trinho.errors import TrinhoError
from trinho.lifecycle.belief import outranks
from trinho.lifecycle.confidence import WEIGHTS, capped, initial_confidence, restated
from trinho.lifecycle.conflict import Label, judge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trinho.application.act import Change, Writing
    from trinho.application.session import Session
    from trinho.domain.ids import MemoryId
    from trinho.lifecycle.conflict import Judgement

PROMOTED = "working-memory"  # the domain of facts that were hot items
_LASTING = frozenset(
    {
        MemoryType.FACT,
        MemoryType.PREFERENCE,
        MemoryType.DECISION,
        MemoryType.GOAL,
        MemoryType.INSTRUCTION,
        MemoryType.RELATIONSHIP,
        MemoryType.LEARNING,
        MemoryType.OBSERVATION,
    }
)
_LEAST_BELIEF, _MOST_BELIEF = 0.5, 0.95
_MOST_RAISED, _RAISED_EACH = 0.2, 0.1


@dataclass(frozen=True, slots=True)
class Consolidated:
    """What was done, or with a dry run would be: `run` takes it back, `diff` shows it file by file."""

    run: int | None
    merged: tuple[tuple[MemoryId, MemoryId], ...]  # the one that stays, the one that is superseded
    promoted: tuple[MemoryId, ...]
    pruned: int
    conflicts: tuple[tuple[MemoryId, MemoryId], ...]
    diff: str


class _Merge(NamedTuple):
    """Facts that say the same, the one that stays first, and how sure it is then."""

    stays: Loaded
    go: tuple[Loaded, ...]
    confidence: float


def consolidate(session: Session, *, dry_run: bool = False) -> Consolidated:
    """Merge restatements, promote hot items that last, prune what is over. Nothing new where it was just done."""
    if not dry_run and session.workspace.ledger.knowledge.hot_roles():
        domains.ensure(session, DomainKey(PROMOTED))
    with session.auditing("consolidate", None), writing(session) as turn:
        merges = [_merge(pair) for pair in _restatements(session)]
        items, over = _hot(turn)
        changes, diff = _merging(turn, merges)
        promoted = _promotions(turn, items)
        for memory_id, raw in promoted:
            changes.append(put(turn, "create", memory_id, raw, next_version(session, memory_id), None))
            diff.append(_diff(str(memory_id), b"", raw))
        run = None if dry_run or not changes else turn.perform(changes)
        if not dry_run:
            session.workspace.ledger.knowledge.drop_hot([item.number for item in over])
    session.record("consolidate", None)
    merged = tuple((each.stays.entry.id, gone.entry.id) for each in merges for gone in each.go)
    return Consolidated(run, merged, tuple(id for id, _ in promoted), len(over), (), "".join(diff))


def harmonize(session: Session, *, dry_run: bool = False) -> Consolidated:
    """Where agents say the same of a thing it becomes one belief; where they don't, a person is asked."""
    with session.auditing("harmonize", None), writing(session) as turn:
        merges, conflicts = [], []
        for group in _groups(session).values():
            for one, other in combinations(group, 2):
                if one.decoded.document.knowledge.author == other.decoded.document.knowledge.author:
                    continue
                said = judge(one.entry.body, other.entry.body)
                if said.label is Label.RESTATES and said.sure:
                    merges.append(_belief(one, other))
                elif said.label is not Label.COEXISTS:
                    conflicts.append((one.entry.id, other.entry.id, said))
        merges = _disjoint(merges)
        gone = {each.entry.id for merge in merges for each in merge.go}
        conflicts = _unknown(session, [each for each in conflicts if gone.isdisjoint(each[:2])])
        changes, diff = _merging(turn, merges)
        run = None if dry_run or not changes else turn.perform(changes)
        if not dry_run:
            for older, newer, said in conflicts:
                _open(turn, older, newer, said)
    session.record("harmonize", None)
    merged = tuple((each.stays.entry.id, gone.entry.id) for each in merges for gone in each.go)
    told = tuple((older, newer) for older, newer, _ in conflicts)
    return Consolidated(run, merged, (), 0, told, "".join(diff))


# -- facts ----------------------------------------------------------------------------------------------------------


def _groups(session: Session) -> dict[tuple[object, ...], list[Loaded]]:
    """The active facts that the actor may change, by store, domain and topic, the oldest first."""
    now, sees = session.workspace.clock(), session.sees()
    rows = [row for row in reindex.ask(session, lambda index: index.listing(sees)) if facts.is_active(row, now)]
    groups: dict[tuple[object, ...], list[Loaded]] = {}
    for row in sorted(rows, key=lambda row: (row.created_at, str(row.id))):
        if isinstance(decide(MemoryRequest(session.actor, "write", row.id)), Allow):
            try:
                loaded = load(session.workspace, row.id)
            except TrinhoError:  # doctor tells of it
                continue
            key = (row.id.branch, row.knowledge.domain, topic_key(row.knowledge.topic))
            groups.setdefault(key, []).append(loaded)
    return {key: group for key, group in groups.items() if len(group) > 1}


def _restatements(session: Session) -> Iterator[list[Loaded]]:
    """Facts of one group that say the same, each in one answer only."""
    for group in _groups(session).values():
        left = list(group)
        while left:
            first = left.pop(0)
            same = [other for other in left if _says_the_same(first, other)]
            left = [other for other in left if other not in same]
            if same:
                yield [first, *same]


def _says_the_same(one: Loaded, other: Loaded) -> bool:
    said = judge(one.entry.body, other.entry.body)
    return said.label is Label.RESTATES and said.sure


def _merge(same: Sequence[Loaded]) -> _Merge:
    """The best founded stays, of equals the oldest; each of the others is one more mention."""
    stays = same[0]
    for other in same[1:]:
        if outranks(_veracity(other), _veracity(stays)):
            stays = other
    go = tuple(each for each in same if each is not stays)
    confidence = _confidence(stays)
    for each in go:
        confidence = restated(confidence, _veracity(each))
    return _Merge(stays, go, confidence)


def _belief(one: Loaded, other: Loaded) -> _Merge:
    """One belief of two agents, more certain than each was alone."""
    merge = _merge([one, other])
    mean = (_confidence(one) + _confidence(other)) / 2
    raised = mean + min(_MOST_RAISED, _RAISED_EACH)
    return merge._replace(confidence=min(_MOST_BELIEF, max(_LEAST_BELIEF, raised)))


def _disjoint(merges: list[_Merge]) -> list[_Merge]:
    """Those of which each fact is in one only."""
    taken: set[MemoryId] = set()
    kept = []
    for each in merges:
        ids = {each.stays.entry.id, *(gone.entry.id for gone in each.go)}
        if taken.isdisjoint(ids):
            taken |= ids
            kept.append(each)
    return kept


def _merging(turn: Writing, merges: list[_Merge]) -> tuple[list[Change], list[str]]:
    changes, diff = [], []
    for each in merges:
        for loaded, document in _documents(turn, each):
            change = facts.rewriting(turn, loaded, document)
            changes.append(change)
            raw = encode(document._replace(version=loaded.entry.version + 1), loaded.decoded)
            diff.append(_diff(str(loaded.entry.id), loaded.file.raw, raw))
    return changes, diff


def _documents(turn: Writing, merge: _Merge) -> Iterator[tuple[Loaded, Document]]:
    """The one that stays comes first: from then on it says what it supersedes."""
    stays = merge.stays.decoded.document
    gone = tuple(str(each.entry.id) for each in merge.go)
    sources = [source for each in merge.go for source in each.decoded.document.knowledge.sources]
    knowledge = stays.knowledge._replace(
        confidence=merge.confidence,
        supersedes=tuple(dict.fromkeys((*stays.knowledge.supersedes, *gone))),
        sources=tuple(dict.fromkeys((*stays.knowledge.sources, *sources))),
    )
    yield merge.stays, stays._replace(knowledge=knowledge, updated_at=turn.now)
    for each in merge.go:
        document = each.decoded.document
        said = document.knowledge._replace(superseded_by=str(merge.stays.entry.id))
        yield each, document._replace(knowledge=said)


def _unknown(
    session: Session, found: list[tuple[MemoryId, MemoryId, Judgement]]
) -> list[tuple[MemoryId, MemoryId, Judgement]]:
    """Those between which no conflict was ever noted."""
    noted = {frozenset((row.loser, row.winner)) for row in session.workspace.ledger.knowledge.conflicts()}
    return [each for each in found if frozenset((str(each[0]), str(each[1]))) not in noted]


def _open(turn: Writing, older: MemoryId, newer: MemoryId, said: Judgement) -> None:
    actor = turn.session.actor.name
    conflict = Conflict(0, str(older), str(newer), said.label.value, ConflictState.OPEN, turn.now, actor)
    turn.session.workspace.ledger.knowledge.add_conflict(conflict)


def _veracity(loaded: Loaded) -> Veracity:
    return loaded.decoded.document.knowledge.veracity or Veracity.UNKNOWN


def _confidence(loaded: Loaded) -> float:
    known = loaded.decoded.document.knowledge.confidence
    return initial_confidence(_veracity(loaded)) if known is None else known


# -- hot items ------------------------------------------------------------------------------------------------------


def _hot(turn: Writing) -> tuple[list[HotItem], list[HotItem]]:
    """The hot items that are kept, of the actor's role or for the person of all, and those that go."""
    session = turn.session
    ledger = session.workspace.ledger.knowledge
    roles = [session.actor.name] if session.is_agent else list(ledger.hot_roles())
    kept: list[HotItem] = []
    over: list[HotItem] = []
    for role in roles:
        items = ledger.hot(role)
        alive = [item for item in items if item.expires_at > turn.now]
        newest = alive[-KEPT_HOT_ITEMS:]
        kept += newest
        over += [item for item in items if item not in newest]
    return kept, over


def _promotions(turn: Writing, items: list[HotItem]) -> list[tuple[MemoryId, bytes]]:
    """Files of facts for the hot items that last and that nothing says yet."""
    session = turn.session
    key = DomainKey(PROMOTED)
    rows = reindex.ask(session, lambda index: index.about(session.sees(), PROMOTED))
    said = {_words(load(session.workspace, row.id).entry.body) for row in rows}
    promoted = []
    for item in items:
        if item.memory_type not in _LASTING or _words(item.content) in said:
            continue
        said.add(_words(item.content))
        topic = item.session if item.session != "default" else f"agent {item.role}"
        memory_id = facts.new_id(key, "facts", topic, item.content, session)
        if not isinstance(decide(MemoryRequest(session.actor, "write", memory_id)), Allow):
            continue
        if secrets.reason_to_skip(session, item.content.encode(errors="replace")) is None:
            promoted.append((memory_id, _promoted(turn, item, topic)))
    return promoted


def _promoted(turn: Writing, item: HotItem, topic: str) -> bytes:
    knowledge = Knowledge(
        domain=PROMOTED,
        topic=topic,
        memory_type=item.memory_type,
        veracity=Veracity.INFERRED,
        confidence=capped(min(item.importance, WEIGHTS[Veracity.INFERRED]), Veracity.INFERRED),
        author=item.role,
    )
    return encode(
        Document(
            name=topic,
            description=first_line(item.content),
            type=EntryType.PROJECT,
            kind=Kind.FACT,
            version=1,
            created_at=turn.now,
            updated_at=turn.now,
            body=item.content,
            knowledge=knowledge,
        )
    )


def _words(text: str) -> str:
    return " ".join(text.split()).casefold()


def _diff(name: str, before: bytes, after: bytes) -> str:
    old, new = (raw.decode(errors="replace").splitlines(keepends=True) for raw in (before, after))
    return "".join(unified_diff(old, new, name if before else "/dev/null", name))
