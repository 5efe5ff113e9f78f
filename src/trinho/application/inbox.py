"""What waits for a person: entries that are held, to be accepted or rejected as they were shown."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trinho.access.domains import is_policy
from trinho.access.request import ReservedAct
from trinho.application import reindex
from trinho.application.act import writing
from trinho.application.entries import Loaded, load
from trinho.application.facts import Proposed, believe, rewriting, settle
from trinho.application.memory import expect_version, retire, turn_or_conflict
from trinho.application.policies import replaced
from trinho.domain.entry import Kind
from trinho.domain.ids import parse_memory_id
from trinho.domain.knowledge import Status
from trinho.errors import InvalidMemoryIdError, NotFoundError, NotHeldError
from trinho.lifecycle.belief import Relation, Resolution
from trinho.lifecycle.conflict import Judgement, Label

if TYPE_CHECKING:
    from trinho.application.act import Writing
    from trinho.application.session import Session
    from trinho.documents.codec import Document
    from trinho.domain.ids import MemoryId
    from trinho.ports.index import Listed


@dataclass(frozen=True, slots=True)
class Accepted:
    """An entry that takes part from now on; for a fact also what became of it among the others."""

    id: MemoryId
    proposed: Proposed | None = None


def listing(session: Session) -> list[Listed]:
    """Everything that is held, oldest first."""
    session.authorize_act(ReservedAct.INBOX)
    rows = reindex.ask(session, lambda index: index.listing(session.sees()))
    session.record("inbox", None)
    held = [row for row in rows if row.knowledge.status is Status.HELD]
    return sorted(held, key=lambda row: (row.created_at, str(row.id)))


def held(session: Session, id: str) -> Loaded:
    """A held entry as it is to be shown to the person who decides."""
    memory_id = session.parse(ReservedAct.INBOX.value, id)
    session.authorize_act(ReservedAct.INBOX, memory_id)
    with session.auditing(ReservedAct.INBOX.value, str(memory_id)):
        return _expect_held(load(session.workspace, memory_id))


def accept(session: Session, id: str, expected_version: int) -> Accepted:
    """Let the entry take part, if it still is what was shown: the version stands for its very bytes."""
    memory_id = session.parse("inbox accept", id)
    session.authorize_act(ReservedAct.INBOX, memory_id)
    with session.auditing("inbox accept", str(memory_id)), writing(session) as turn:
        loaded = _expect_held(load(session.workspace, memory_id))
        expect_version(memory_id, expected_version, loaded.entry.version)
        before = loaded.decoded.document
        document = before._replace(knowledge=before.knowledge._replace(status=Status.ACTIVE))
        accepted = Accepted(memory_id, _taken_in(turn, loaded, document))
    session.record("inbox accept", str(memory_id), version=expected_version)
    return accepted


def reject(session: Session, id: str, expected_version: int) -> int:
    """Move the entry to the trash; answers with the run that `undo` takes back."""
    memory_id = session.parse("inbox reject", id)
    session.authorize_act(ReservedAct.INBOX, memory_id)
    with session.auditing("inbox reject", str(memory_id)), writing(session) as turn:
        loaded = _expect_held(load(session.workspace, memory_id))
        expect_version(memory_id, expected_version, loaded.entry.version)
        run = turn_or_conflict(turn, retire("delete", loaded.file, loaded.entry.version))
    session.record("inbox reject", str(memory_id), version=expected_version)
    return run


def _taken_in(turn: Writing, loaded: Loaded, document: Document) -> Proposed | None:
    memory_id = loaded.entry.id
    olds = _there(turn, document.knowledge.supersedes)
    if document.kind is Kind.FACT and not is_policy(memory_id):
        if not olds:
            return believe(turn, memory_id, document, loaded)
        judgement = Judgement(Label.CONTRADICTS, sure=True, reason="accepted in its place by a person")
        relations = tuple(Relation(old, judgement) for old in olds)
        return settle(turn, memory_id, document, Resolution(relations, supersedes=tuple(olds)), olds, loaded)
    changes = [rewriting(turn, loaded, document), *(replaced(turn, old, memory_id) for old in olds.values())]
    turn.perform(changes)
    return None


def _there(turn: Writing, names: tuple[str, ...]) -> dict[MemoryId, Loaded]:
    """Of the entries that it is to supersede those that are there and that nothing else has superseded since."""
    found = {}
    for name in names:
        with suppress(NotFoundError, InvalidMemoryIdError):
            loaded = load(turn.session.workspace, parse_memory_id(name))
            if not loaded.decoded.document.knowledge.superseded_by:
                found[loaded.entry.id] = loaded
    return found


def _expect_held(loaded: Loaded) -> Loaded:
    if loaded.decoded.document.knowledge.status is not Status.HELD:
        raise NotHeldError(str(loaded.entry.id))
    return loaded
