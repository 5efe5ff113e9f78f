"""After a crash: what became of the writes that the trail announces and the ledger doesn't know as done."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trinho.application.entries import declared_version, file_at
from trinho.domain.audit import LEDGER_MADE_ANEW, AuditEvent, AuditLine
from trinho.domain.chain import head_of
from trinho.domain.ids import MemoryId, parse_memory_id
from trinho.domain.versions import Observed, effective_version
from trinho.errors import InvalidMemoryIdError, TrinhoError

if TYPE_CHECKING:
    from trinho.application.session import Session
    from trinho.domain.versions import FileMark
    from trinho.ports.store import StoredFile

WRITES = frozenset({"create", "update", "delete", "move", "undo", "import", "purge"})


def settle(session: Session) -> AuditLine | None:
    """Find out what became of the runs after the last settled one; answers with the newest audit line."""
    audit, ledger = session.workspace.audit, session.workspace.ledger
    newest = next(audit.newest(), None)
    settled = ledger.settled_run()
    if settled is None:  # a new ledger: what the trail tells, if it tells anything, was settled under an older one
        if newest is not None and ledger.chain_head() is None:
            note = AuditEvent(session.actor.name, "recover", None, "allowed", code=LEDGER_MADE_ANEW)
            [newest] = audit.append([note], session.workspace.clock(), durable=True)
        ledger.commit({}, newest.seq if newest else 0, head_of(newest) if newest else None)
        return newest
    if newest is None or newest.seq <= settled:
        return newest
    for run in _unsettled(session, settled):
        _settle_run(session, run)
    ledger.commit({}, newest.seq, None)
    return next(audit.newest(), newest)


class _Run(NamedTuple):
    """A run of which the ledger doesn't know the end, its lines oldest first; `told` if the trail knows it."""

    number: int
    lines: tuple[AuditLine, ...]
    told: bool


def _unsettled(session: Session, settled: int) -> list[_Run]:
    """The runs after `settled` that may have been done, oldest first."""
    runs: dict[int, list[AuditLine]] = {}
    failed, told = set(), set()
    for line in session.workspace.audit.newest():
        if line.seq <= settled:
            break
        event = line.event
        if event.result == "error":
            failed.add(event.run)
        elif event.operation == "recover":
            told.add(event.run)
        elif event.operation in WRITES and event.result == "allowed":
            runs.setdefault(event.run or line.seq, []).append(line)
    return [
        _Run(number, tuple(reversed(lines)), number in told)
        for number, lines in sorted(runs.items())
        if number not in failed
    ]


def _settle_run(session: Session, run: _Run) -> None:
    workspace = session.workspace
    ends = [_end_of(session, line) for line in run.lines]
    after = {memory_id: seen for end in ends for memory_id, seen in end.seen.items()}
    for line, end in zip(run.lines, ends, strict=True):
        if end.done and line.event.id is not None and line.event.to is not None:
            workspace.ledger.record_move(parse_memory_id(line.event.id), parse_memory_id(line.event.to))
    session.written.update(dict.fromkeys(after))
    done = [end.done for end in ends]
    if not run.told:
        event = AuditEvent(
            session.actor.name,
            "recover",
            run.lines[0].event.id,
            "allowed" if any(done) else "error",
            code="FINISHED" if all(done) else "INCOMPLETE" if any(done) else "INTERRUPTED",
            session=session.session,
            run=run.number,
        )
        workspace.audit.append([event], workspace.clock(), durable=True)
    # INVARIANT: after the trail tells the end, since a settled run is never looked at again
    workspace.ledger.commit(after, run.lines[-1].seq, None)


class _End(NamedTuple):
    """What became of what a line announced: whether it was done, and the state of its IDs that is to be remembered."""

    done: bool
    seen: dict[MemoryId, Observed]


def _end_of(session: Session, line: AuditLine) -> _End:
    """Told by what is there and what was kept; not by the ledger, for a reader may have remembered the new bytes."""
    event = line.event
    try:
        memory_id = parse_memory_id(event.id or "")
        target = None if event.to is None else parse_memory_id(event.to)
    except InvalidMemoryIdError:  # no line of ours
        return _End(False, {})
    try:
        file = file_at(session.workspace, memory_id)
        there = None if target is None else file_at(session.workspace, target)
    except TrinhoError:  # unreadable: left for doctor
        return _End(True, {})
    if target is not None:
        return _end_of_move(session, line, file, target, there)
    if event.operation == "purge":
        return _End(file is None, _look_again(session, memory_id, file))
    if event.placed is not None and file is not None:
        return _end_of_placing(session, line, file, event.placed)
    kept = session.workspace.store.kept(line.seq)
    done = kept is not None and (file is None or file.raw != kept)
    return _End(done, _look_again(session, memory_id, file))


def _end_of_placing(session: Session, line: AuditLine, file: StoredFile, placed: FileMark) -> _End:
    """Bytes that aren't those that were placed are somebody's work, and a version of their own."""
    event = line.event
    kept = session.workspace.store.kept(line.seq)
    last = session.workspace.ledger.observed(file.id)
    announced = event.version or 1
    if file.mark == placed:
        known = last is not None and last.sha256 == file.sha256
        return _End(True, {} if known else {file.id: Observed(announced, file.sha256)})
    before = kept == file.raw or (last is not None and last.sha256 == file.sha256 and last.version < announced)
    if before or (event.operation == "update" and kept is None):  # nothing was replaced
        return _End(False, _look_again(session, file.id, file))
    newer = max(announced, last.version if last else 0) + 1
    return _End(kept is not None or file.mark.inode == placed.inode, {file.id: Observed(newer, file.sha256)})


def _end_of_move(
    session: Session, line: AuditLine, file: StoredFile | None, target: MemoryId, there: StoredFile | None
) -> _End:
    memory_id = parse_memory_id(line.event.id or "")
    seen = _look_again(session, memory_id, file)
    if file is not None or there is None:
        return _End(False, {**seen, **_look_again(session, target, there)})
    last = session.workspace.ledger.observed(memory_id)
    same = last is not None and last.sha256 == there.sha256
    version = (line.event.version or 1) + (0 if same else 1)
    return _End(True, {memory_id: Observed(version, ""), target: Observed(version, there.sha256)})


def _look_again(session: Session, memory_id: MemoryId, file: StoredFile | None) -> dict[MemoryId, Observed]:
    """What is at an ID now, if that isn't what the ledger remembers."""
    last = session.workspace.ledger.observed(memory_id)
    if file is None:
        return {} if last is None or not last.sha256 else {memory_id: Observed(last.version, "")}
    if last is not None and last.sha256 == file.sha256:
        return {}
    return {memory_id: Observed(effective_version(last, file.sha256, declared_version(file)), file.sha256)}
