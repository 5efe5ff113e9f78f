"""Conflicts between facts: seeing them, and a person's word on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from trinho.access.request import ReservedAct
from trinho.application import reindex
from trinho.application.act import writing
from trinho.application.entries import load
from trinho.application.facts import rewriting
from trinho.domain.arguments import expect_whole
from trinho.domain.conflict import Conflict, ConflictState
from trinho.domain.ids import parse_memory_id
from trinho.errors import ConflictNotFoundError, ConflictPassedError, InvalidEntryError

if TYPE_CHECKING:
    from trinho.application.act import Change, Writing
    from trinho.application.entries import Loaded
    from trinho.application.session import Session
    from trinho.domain.ids import MemoryId

Winner = Literal["older", "newer", "both"]


def listing(session: Session, state: ConflictState | str | None = None) -> list[Conflict]:
    """The conflicts of which the actor may read both sides, oldest first."""
    with session.auditing("conflicts", None):
        try:
            wanted = None if state is None else ConflictState(state)
        except ValueError as error:
            raise InvalidEntryError("status", str(state), f"choose one of {', '.join(ConflictState)}") from error
        sees = session.sees()
        reindex.refresh(session)
        rows = [
            row
            for row in session.workspace.ledger.knowledge.conflicts(wanted)
            if sees(parse_memory_id(row.loser)) and sees(parse_memory_id(row.winner))
        ]
    session.record("conflicts", None)
    return rows


def settle(session: Session, number: int, winner: Winner) -> Conflict:
    """A person's word on an open conflict: the newer fact holds, the older, or both do."""
    session.authorize_act(ReservedAct.OVERTURN)
    with session.auditing("conflicts settle", None), writing(session) as turn:
        conflict = _conflict(session, number)
        if conflict.state is not ConflictState.OPEN:
            raise ConflictPassedError(number, f"it is {conflict.state}; `trinho conflicts overturn {number}` turns it")
        if winner == "both":
            session.workspace.ledger.knowledge.set_state(number, ConflictState.SETTLED)
            session.record("conflicts settle", None)
            return conflict._replace(state=ConflictState.SETTLED)
        pair = (conflict.winner, conflict.loser) if winner == "newer" else (conflict.loser, conflict.winner)
        decided = _decide(turn, conflict, *pair)
    session.record("conflicts settle", decided.winner)
    return decided


def overturn(session: Session, number: int) -> Conflict:
    """The other one holds from now on; what was decided stays as a row, and this is another."""
    session.authorize_act(ReservedAct.OVERTURN)
    with session.auditing("conflicts overturn", None), writing(session) as turn:
        conflict = _conflict(session, number)
        if conflict.state in (ConflictState.OVERTURNED, ConflictState.SETTLED):
            raise ConflictPassedError(number, f"it is {conflict.state} already")
        decided = _decide(turn, conflict, conflict.loser, conflict.winner)
    session.record("conflicts overturn", decided.winner)
    return decided


def _decide(turn: Writing, conflict: Conflict, winner: str, loser: str) -> Conflict:
    """One act on two files: the winner takes the loser's place."""
    workspace = turn.session.workspace
    won, lost = load(workspace, parse_memory_id(winner)), load(workspace, parse_memory_id(loser))
    _expect_free(conflict, won, by=loser)
    _expect_free(conflict, lost, by=winner)
    supersedes = tuple(dict.fromkeys((*won.decoded.document.knowledge.supersedes, loser)))
    left = tuple(each for each in lost.decoded.document.knowledge.supersedes if each != winner)
    turn.perform(
        [
            _saying(turn, won, supersedes=supersedes, superseded_by=""),
            _saying(turn, lost, supersedes=left, superseded_by=winner),
        ]
    )
    ledger = workspace.ledger.knowledge
    was_open = conflict.state is ConflictState.OPEN
    ledger.set_state(conflict.number, ConflictState.SETTLED if was_open else ConflictState.OVERTURNED)
    row = Conflict(
        0,
        loser,
        winner,
        conflict.label,
        ConflictState.SUPERSEDED,
        turn.now,
        turn.session.actor.name,
        overturns=conflict.number,
    )
    return row._replace(number=ledger.add_conflict(row))


def _saying(turn: Writing, loaded: Loaded, *, supersedes: tuple[str, ...], superseded_by: str) -> Change:
    document = loaded.decoded.document
    said = document.knowledge._replace(supersedes=supersedes, superseded_by=superseded_by)
    # Where both still say that they have superseded the other, the one that was written last has
    updated = document.updated_at if superseded_by else turn.now
    return rewriting(turn, loaded, document._replace(knowledge=said, updated_at=updated))


def _expect_free(conflict: Conflict, loaded: Loaded, *, by: str) -> None:
    """A fact that a third one has superseded since takes no part in this any more."""
    superseded_by = loaded.decoded.document.knowledge.superseded_by
    if superseded_by and superseded_by != by:
        raise ConflictPassedError(conflict.number, f"`{loaded.entry.id}` was superseded by `{superseded_by}` since")


def _conflict(session: Session, number: int) -> Conflict:
    expect_whole("conflict", number, 1)
    found = [row for row in session.workspace.ledger.knowledge.conflicts() if row.number == number]
    if not found:
        raise ConflictNotFoundError(number)
    return found[0]


def sides(conflict: Conflict) -> tuple[MemoryId, MemoryId]:
    """The two facts: the loser or older, the winner or newer."""
    return parse_memory_id(conflict.loser), parse_memory_id(conflict.winner)
