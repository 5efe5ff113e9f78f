"""How everything that writes is done: one turn, audited before it happens, settled after a crash."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from trinho.application.settle import settle
from trinho.domain.audit import AuditEvent
from trinho.domain.chain import head_of
from trinho.errors import OutOfMemoryError, StoreBusyError, StoreError, StoreIOError, TrinhoError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from trinho.application.session import Session
    from trinho.domain.act import Step
    from trinho.domain.audit import AuditLine
    from trinho.domain.ids import MemoryId
    from trinho.domain.versions import FileMark, Observed
    from trinho.ports.store import WriteTurn

DEGRADED = "degraded"  # the note that stands from a failure of the device to the next write that succeeds
_TICK = timedelta(microseconds=1)


class Change(NamedTuple):
    """What one write does to one entry: how the audit names it, its step, and what is seen afterwards."""

    operation: str
    id: MemoryId
    version: int
    step: Callable[[int], Step]  # given the number of the audit line
    after: Mapping[MemoryId, Observed]
    to: MemoryId | None = None
    placed: FileMark | None = None


class Writing(NamedTuple):
    """A turn to write, with an instant that is later than anything written before."""

    session: Session
    turn: WriteTurn
    now: datetime

    def perform(self, changes: Sequence[Change], *, undoes: int | None = None) -> int:
        """Do the changes as one run and answer with its number. On an error nothing of it is done."""
        session = self.session
        lines = session.record_writes([self._event(change, undoes) for change in changes])
        run = lines[0].seq
        steps = [change.step(line.seq) for change, line in zip(changes, lines, strict=True)]
        try:
            self.turn.commit(steps, run)
        except TrinhoError as error:
            self._record_failure(changes, run, lines[-1], error)
            raise
        self._remember(changes, lines[-1])
        return run

    def _remember(self, changes: Sequence[Change], last: AuditLine) -> None:
        session, ledger = self.session, self.session.workspace.ledger
        after = {id: seen for change in changes for id, seen in change.after.items()}
        session.written.update(dict.fromkeys(after))
        try:
            for change in changes:
                if change.to is not None:
                    ledger.record_move(change.id, change.to)
            ledger.commit(after, last.seq, head_of(last))
            recovered(session)
        except (StoreError, StoreBusyError, OutOfMemoryError) as error:
            # It is done, for the files are the truth; the next turn finds the run in the trail and settles it
            session.notices.append(f"the ledger is not up to date: {error.message}")

    def _event(self, change: Change, undoes: int | None) -> AuditEvent:
        return AuditEvent(
            self.session.actor.name,
            change.operation,
            str(change.id),
            "allowed",
            version=change.version,
            session=self.session.session,
            to=None if change.to is None else str(change.to),
            undoes=undoes,
            placed=change.placed,
        )

    def _record_failure(self, changes: Sequence[Change], run: int, last: AuditLine, error: TrinhoError) -> None:
        # The failure that the caller has to hear of is the first one, not that of telling about it
        with suppress(TrinhoError):
            for change in changes:
                self.session.record(change.operation, str(change.id), version=change.version, error=error, run=run)
            self.session.workspace.ledger.commit({}, last.seq, None)


def recovered(session: Session) -> None:
    """A write succeeded, so the device works again. The note is looked for once, and after each failure."""
    if session.may_be_degraded and DEGRADED in session.workspace.ledger.notes():
        session.workspace.ledger.set_note(DEGRADED, None)
    session.may_be_degraded = False


@contextmanager
def writing(session: Session) -> Iterator[Writing]:
    """The one turn to write. What a crashed process left unsettled is settled first."""
    try:
        with session.workspace.store.writing() as turn:
            newest = settle(session)
            now = session.workspace.clock()
            if newest is not None:
                now = max(now, newest.at + _TICK)
            yield Writing(session, turn, now)
    except StoreIOError as error:
        with suppress(TrinhoError):
            session.may_be_degraded = True
            session.workspace.ledger.set_note(DEGRADED, f"a write failed: {error.message}")
        raise
