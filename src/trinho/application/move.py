"""Giving an entry another ID."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trinho.application import secrets
from trinho.application.act import writing
from trinho.application.entries import entry_of, load, read_document
from trinho.application.memory import expect_shown, writable
from trinho.application.undo import move_change
from trinho.domain.ids import Scope

if TYPE_CHECKING:
    from trinho.application.session import Session
    from trinho.domain.entry import Entry


def move(session: Session, id: str, to: str) -> Entry:
    """The entry under its new ID; the old one answers with where it went."""
    source = writable(session, "move", id)
    target = writable(session, "move", to)
    session.authorize("move", "read", source)
    session.authorize_change("move", source)
    session.authorize_change("move", target)  # what comes to others this way would wait for nobody
    secrets.refuse_in_name(session, "move", target)
    with session.auditing("move", str(source)), writing(session) as turn:
        loaded = load(session.workspace, source)
        expect_shown(session, loaded)
        if target.scope is not source.scope and target.scope is not Scope.PRIVATE:
            secrets.warnings_or_refuse(session, target, loaded.file.raw)
        session.workspace.store.expect_free(target, session.sees())
        version = loaded.entry.version
        decoded = read_document(loaded.file._replace(id=target))
        moved = entry_of(target, version, decoded.document, decoded.warnings)
        turn.perform([move_change("move", loaded.file, target, version)])
        return moved
