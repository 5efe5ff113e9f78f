"""The runs of clients: where their transcripts lie, and what was shown in them."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from trinho.domain.run import ClientRun
from trinho.errors import StoreFullError, StoreReadOnlyError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import datetime

    from trinho.application.session import Session

_BEGINNING = "beginning"  # among the shown entries, none of which can be called so; its version is a hash


def heard_of(session: Session, transcript: str, project: str | None, process: int | None = None) -> None:
    """Remember where the present run keeps what is said, and that the client's process is at it."""
    if session.session is None:
        return
    if process is not None:
        _at_work(session, session.session, process)
    known = session.workspace.ledger.runs.run(session.session)
    if known is not None and (known.transcript, known.project) == (transcript, project):
        return  # the usual case: nothing to write
    if known is not None and known.transcript != transcript and _is_kept(session, known):
        # Whoever speaks later can't point it elsewhere: Codex names the file of a subagent, an agent any file
        transcript = known.transcript
        if known.project == project:
            return
    run = ClientRun(session.session, transcript, project, session.workspace.clock())
    _remembering(session, lambda: session.workspace.ledger.runs.heard_of(run))


def _at_work(session: Session, name: str, process: int) -> None:
    runs = session.workspace.ledger.runs
    at = runs.at_work(process)
    if at is None or at[0] != name:
        _remembering(session, lambda: runs.set_at_work(process, name, session.workspace.clock()))


def at_work(session: Session, process: int, since: datetime) -> str | None:
    """The run that a client's process came to since then; before, another process may have had its number."""
    at = session.workspace.ledger.runs.at_work(process)
    return None if at is None or at[1] < since else at[0]


def _is_kept(session: Session, run: ClientRun) -> bool:
    open_transcripts = session.workspace.open_transcripts
    return open_transcripts is not None and open_transcripts().holds(run)


def shown_before(session: Session) -> set[tuple[str, int]]:
    """ID and version of what the present run was shown."""
    return set() if session.session is None else session.workspace.ledger.runs.surfaced(session.session)


def show(session: Session, entries: Collection[tuple[str, int]]) -> None:
    """They are before the agent's eyes from now on."""
    if session.session is not None and entries:
        name, now = session.session, session.workspace.clock()
        _remembering(session, lambda: session.workspace.ledger.runs.add_surfaced(name, entries, now))


def begin_with(session: Session, text: str) -> bool:
    """Note what the present run is told at its beginning; whether that isn't before the agent's eyes already."""
    told = (_BEGINNING, int.from_bytes(sha256(text.encode(errors="replace")).digest()[:7]))
    if told in shown_before(session):
        return False
    show(session, [told])
    return True


def forget_shown(session: Session) -> None:
    """Nothing is before the agent's eyes any more."""
    if session.session is not None:
        name = session.session
        _remembering(session, lambda: session.workspace.ledger.runs.forget_surfaced(name))


def _remembering(session: Session, act: Callable[[], None]) -> None:
    """Do without where the memory can't be written: then something may be shown twice."""
    try:
        act()
    except (StoreReadOnlyError, StoreFullError) as error:
        session.notices.append(f"the run is not remembered: {error.message}")
