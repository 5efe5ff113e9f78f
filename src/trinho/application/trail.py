"""The audit trail, as far as the actor may see it."""

from __future__ import annotations

import sys
from itertools import islice
from typing import TYPE_CHECKING

from trinho.access.actor import Principal
from trinho.domain.arguments import expect_whole
from trinho.domain.ids import parse_memory_id
from trinho.errors import InvalidMemoryIdError

if TYPE_CHECKING:
    from trinho.application.session import Session
    from trinho.domain.audit import AuditLine, AuditReport


def newest(session: Session, limit: int) -> list[AuditLine]:
    """The last lines, oldest first: all for the person, for an agent those about what it may read or did itself."""
    expect_whole("limit", limit, 0)
    lines = (line for line in session.workspace.audit.newest() if _shown(session, line))
    return list(islice(lines, min(limit, sys.maxsize)))[::-1]


def verify(session: Session) -> AuditReport:
    """Whether the whole chain holds."""
    return session.workspace.audit.verify()


def is_person(session: Session) -> bool:
    """Whether numbers that count everybody's acts may be shown."""
    return isinstance(session.actor, Principal)


def _shown(session: Session, line: AuditLine) -> bool:
    event = line.event
    if is_person(session):
        return True
    # Whoever comes first after a crash settles what another left; that tells of the other's entry
    if event.actor == session.actor.name and event.operation != "recover":
        return True
    if event.id is None:
        return False
    try:
        ids = [parse_memory_id(text) for text in (event.id, event.to) if text is not None]
    except InvalidMemoryIdError:  # a scope, or what somebody else mistyped
        return False
    sees = session.sees()
    return all(sees(memory_id) for memory_id in ids)
