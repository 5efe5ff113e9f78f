"""An agent's client is told to start us, and to stop doing so: a person's act, of just what they were shown."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from trinho.access.request import ReservedAct
from trinho.errors import TrinhoError, UnknownActorError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trinho.application.session import Session
    from trinho.ports.clients import ClientSettings, FileChange, Wiring

# What makes the scanner load its rules, which takes seconds the first time, and is no secret
_PROBE = "token = 0123456789"
_LONGEST_LINE = 1_000


def installing(session: Session, client: ClientSettings, wiring: Wiring) -> list[FileChange]:
    """What is to be changed; UnknownActorError if no role is called so."""
    session.authorize_act(ReservedAct.SETUP)
    with session.auditing("setup", None):
        roles = list(session.workspace.roles())
        if wiring.role not in roles:
            raise UnknownActorError(wiring.role, roles)
        return client.installing(wiring)


def removing(session: Session, client: ClientSettings, folder: str | None) -> list[FileChange]:
    session.authorize_act(ReservedAct.SETUP)
    with session.auditing("setup", None):
        return client.removing(folder)


def forget(session: Session, client: ClientSettings, folder: str | None) -> None:
    """Forget that a client was set up, where nothing of it is left."""
    session.authorize_act(ReservedAct.SETUP)
    with session.auditing("setup", None):
        client.forget(folder)


def apply(session: Session, client: ClientSettings, changes: Sequence[FileChange]) -> None:
    """Write just what was planned, and get ready what the first session would otherwise wait for."""
    session.authorize_act(ReservedAct.SETUP)
    with session.auditing("setup", None):
        client.apply(changes)
    session.record("setup", None)
    workspace = session.workspace
    try:
        workspace.scanner.scan(_PROBE, workspace.allowed_secrets.salt)
    except TrinhoError as error:
        session.notices.append(error.message)


def diff(change: FileChange) -> str:
    """A change as a person reads it. Of a file with endless lines just what goes in."""
    before, after = (
        [] if raw is None else raw.decode(errors="backslashreplace").splitlines()
        for raw in (change.before, change.after)
    )
    name = change.path if change.leads_to is None else f"{change.path} -> {change.leads_to}"
    was, will = (name if raw is not None else "/dev/null" for raw in (change.before, change.after))
    lines = list(difflib.unified_diff(before, after, was, will, lineterm="")) or [f"--- {was}", f"+++ {will}"]
    if any(len(line) > _LONGEST_LINE for line in lines):
        put_in = [f"+{line}" for text in change.texts for line in text.decode().splitlines()]
        lines = [*lines[:2], "@@ lines too long to show; what goes in, or else goes out, is ours alone @@", *put_in]
    return "\n".join(lines)
