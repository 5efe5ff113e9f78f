"""How everything that writes is done: one turn, audited before it happens, settled after a crash."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from trinho.application.entries import declared_version
from trinho.domain.audit import AuditEvent, AuditLine
from trinho.domain.chain import head_of
from trinho.domain.ids import MemoryId, parse_memory_id
from trinho.domain.versions import Observed, effective_version
from trinho.errors import InvalidMemoryIdError, MemoryEntryNotFoundError, TrinhoError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from trinho.application.session import Session
    from trinho.domain.act import Step
    from trinho.ports.store import WriteTurn

WRITES = frozenset({"create", "update", "delete", "move", "undo", "import", "purge"})
_TICK = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Change:
    """What one write does to one entry: how the audit names it, its step, and what is seen afterwards."""

    operation: str
    id: MemoryId
    version: int
    step: Callable[[int], Step]  # given the number of the audit line
    after: Mapping[MemoryId, Observed] = field(default_factory=dict)
    to: MemoryId | None = None


@dataclass(frozen=True, slots=True)
class Writing:
    """A turn to write, with an instant that is later than anything written before."""

    session: Session
    turn: WriteTurn
    now: datetime

    def perform(self, changes: Sequence[Change], *, undoes: int | None = None) -> int:
        """Do the changes as one run and answer with its number. On an error nothing of it is done."""
        session, ledger = self.session, self.session.workspace.ledger
        lines = session.record_writes([self._event(change, undoes) for change in changes])
        run = lines[0].seq
        steps = [change.step(line.seq) for change, line in zip(changes, lines, strict=True)]
        try:
            self.turn.commit(steps, run)
        except TrinhoError as error:
            self._record_failure(changes, run, lines[-1], error)
            raise
        after = {id: seen for change in changes for id, seen in change.after.items()}
        ledger.commit(after, lines[-1].seq, head_of(lines[-1]))
        for change in changes:
            if change.to is not None:
                ledger.record_move(change.id, change.to)
        session.written.update(dict.fromkeys(after))
        return run

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
        )

    def _record_failure(self, changes: Sequence[Change], run: int, last: AuditLine, error: TrinhoError) -> None:
        # The failure that the caller has to hear of is the first one, not that of telling about it
        with suppress(TrinhoError):
            for change in changes:
                self.session.record(change.operation, str(change.id), version=change.version, error=error, run=run)
            self.session.workspace.ledger.commit({}, last.seq, None)


@contextmanager
def writing(session: Session) -> Iterator[Writing]:
    """The one turn to write. What a crashed process left unsettled is settled first."""
    with session.workspace.store.writing() as turn:
        newest = _settle(session)
        now = session.workspace.clock()
        if newest is not None:
            now = max(now, newest.at + _TICK)
        yield Writing(session, turn, now)


def _settle(session: Session) -> AuditLine | None:
    """Find out what became of the runs after the last settled one; answers with the newest audit line."""
    audit, ledger = session.workspace.audit, session.workspace.ledger
    newest = next(audit.newest(), None)
    if newest is None:
        return None
    if ledger.chain_head() is None:  # a new ledger: what the trail tells was settled under the old one
        ledger.commit({}, newest.seq, head_of(newest))
        return newest
    settled = ledger.settled_run()
    if newest.seq <= settled:
        return newest
    for run, lines in _unsettled(session, settled).items():
        _settle_run(session, run, lines)
    ledger.commit({}, newest.seq, None)
    return next(audit.newest(), newest)


def _unsettled(session: Session, settled: int) -> dict[int, list[AuditLine]]:
    """The runs after `settled` of which the trail tells no end, oldest first."""
    runs: dict[int, list[AuditLine]] = {}
    ended = set()
    for line in session.workspace.audit.newest():
        if line.seq <= settled:
            break
        event = line.event
        if event.operation == "recover" or event.result == "error":
            ended.add(event.run)
        elif event.operation in WRITES and event.result == "allowed":
            runs.setdefault(event.run or line.seq, []).append(line)
    return {run: lines[::-1] for run, lines in sorted(runs.items()) if run not in ended}


def _settle_run(session: Session, run: int, lines: list[AuditLine]) -> None:
    after: dict[MemoryId, Observed] = {}
    for line in lines:
        for text in (line.event.id, line.event.to):
            seen = _look_again(session, text)
            if seen is not None:
                after[seen[0]] = seen[1]
    ledger = session.workspace.ledger
    ledger.commit(after, run, None)
    for line in lines:
        _settle_move(session, line, after)
    session.written.update(dict.fromkeys(after))
    finished = bool(after)
    event = AuditEvent(
        session.actor.name,
        "recover",
        lines[0].event.id,
        "allowed" if finished else "error",
        code="FINISHED" if finished else "INTERRUPTED",
        session=session.session,
        run=run,
    )
    session.workspace.audit.append([event], session.workspace.clock(), durable=False)


def _settle_move(session: Session, line: AuditLine, after: Mapping[MemoryId, Observed]) -> None:
    if line.event.to is None or line.event.id is None:
        return
    source, target = parse_memory_id(line.event.id), parse_memory_id(line.event.to)
    if target in after and source in after and not after[source].sha256:
        session.workspace.ledger.record_move(source, target)


def _look_again(session: Session, text: str | None) -> tuple[MemoryId, Observed] | None:
    """What is at an ID now, if that isn't what the ledger remembers."""
    if text is None:
        return None
    try:
        memory_id = parse_memory_id(text)
    except InvalidMemoryIdError:
        return None
    ledger, store = session.workspace.ledger, session.workspace.store
    last = ledger.observed(memory_id)
    try:
        file = store.read(memory_id)
    except MemoryEntryNotFoundError:
        if last is None or not last.sha256:
            return None
        return memory_id, Observed(last.version, "")
    except TrinhoError:  # unreadable: left for doctor
        return None
    if last is not None and last.sha256 == file.sha256:
        return None
    version = effective_version(last, file.sha256, declared_version(file))
    return memory_id, Observed(version, file.sha256)
