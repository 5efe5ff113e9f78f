"""After a crash: what became of the writes that the trail announces and the ledger doesn't know as done."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from trinho.application.entries import declared_version
from trinho.domain.audit import AuditEvent, AuditLine
from trinho.domain.chain import head_of
from trinho.domain.ids import MemoryId, parse_memory_id
from trinho.domain.versions import Observed, effective_version
from trinho.errors import InvalidMemoryIdError, MemoryEntryNotFoundError, TrinhoError

if TYPE_CHECKING:
    from trinho.application.session import Session

WRITES = frozenset({"create", "update", "delete", "move", "undo", "import", "purge"})


def settle(session: Session) -> AuditLine | None:
    """Find out what became of the runs after the last settled one; answers with the newest audit line."""
    audit, ledger = session.workspace.audit, session.workspace.ledger
    newest = next(audit.newest(), None)
    settled = ledger.settled_run()
    if settled is None:  # a new ledger: what the trail tells, if it tells anything, was settled under an older one
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
    done = [line for line in run.lines if _is_done(session, line)]
    after: dict[MemoryId, Observed] = {}
    for line in run.lines:
        for text in (line.event.id, line.event.to):
            after.update(_look_again(session, text))
    for line in done:
        if line.event.id is not None and line.event.to is not None:
            workspace.ledger.record_move(parse_memory_id(line.event.id), parse_memory_id(line.event.to))
    session.written.update(dict.fromkeys(after))
    if not run.told:
        event = AuditEvent(
            session.actor.name,
            "recover",
            run.lines[0].event.id,
            "allowed" if done else "error",
            code="FINISHED" if done else "INTERRUPTED",
            session=session.session,
            run=run.number,
        )
        workspace.audit.append([event], workspace.clock(), durable=True)
    # INVARIANT: after the trail tells the end, since a settled run is never looked at again
    workspace.ledger.commit(after, run.lines[-1].seq, None)


def _is_done(session: Session, line: AuditLine) -> bool:
    """Whether the files are as the line announced, told by what is there and what was kept.

    Not by the ledger alone: a reader may have remembered the new bytes already.
    """
    event = line.event
    here = _bytes_at(session, event.id)
    if event.to is not None:
        return here is None and _bytes_at(session, event.to) is not None
    kept = session.workspace.store.kept(line.seq)
    if kept is not None:  # it was linked before the file was replaced or taken away
        return here != kept
    if event.operation in ("update", "delete"):
        return False
    if event.operation == "purge":
        return here is None
    return here is not None and (event.operation != "undo" or _came_back(session, line, here))


def _came_back(session: Session, line: AuditLine, here: bytes) -> bool:
    """Whether a deleted file returned, rather than one stayed that an undo was about to change."""
    last = session.workspace.ledger.observed(parse_memory_id(line.event.id or ""))
    if last is None or last.sha256 != sha256(here).hexdigest():
        return True
    return line.event.version is not None and last.version > line.event.version


def _bytes_at(session: Session, text: str | None) -> bytes | None:
    """The file at an ID; empty where there is one that can't be read."""
    try:
        return session.workspace.store.read(parse_memory_id(text or "")).raw
    except (MemoryEntryNotFoundError, InvalidMemoryIdError):
        return None
    except TrinhoError:
        return b""


def _look_again(session: Session, text: str | None) -> dict[MemoryId, Observed]:
    """What is at an ID now, if that isn't what the ledger remembers."""
    try:
        memory_id = parse_memory_id(text or "")
    except InvalidMemoryIdError:
        return {}
    last = session.workspace.ledger.observed(memory_id)
    try:
        file = session.workspace.store.read(memory_id)
    except MemoryEntryNotFoundError:
        return {} if last is None or not last.sha256 else {memory_id: Observed(last.version, "")}
    except TrinhoError:  # unreadable: left for doctor
        return {}
    if last is not None and last.sha256 == file.sha256:
        return {}
    return {memory_id: Observed(effective_version(last, file.sha256, declared_version(file)), file.sha256)}
