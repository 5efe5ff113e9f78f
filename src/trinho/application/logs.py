"""The day's log: dated lines that are only ever added, by any number of writers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trinho.application import secrets
from trinho.application.act import writing
from trinho.application.entries import load
from trinho.application.facts import rewriting
from trinho.application.memory import next_version, put, turn_or_conflict
from trinho.application.proposal import expect_content
from trinho.documents.codec import Document, encode
from trinho.domain.arguments import expect_project
from trinho.domain.entry import Draft, EntryType, Kind
from trinho.domain.ids import parse_memory_id
from trinho.errors import MemoryEntryNotFoundError

if TYPE_CHECKING:
    from datetime import datetime

    from trinho.application.session import Session
    from trinho.domain.entry import Entry
    from trinho.domain.ids import MemoryId


def append(session: Session, text: str, project: str | None = None) -> Entry:
    """A line in today's log of the project, or of the workspace. The day is that of UTC."""
    with session.auditing("log_append", None):
        line = " ".join(expect_content("text", text).split())
        expect_project(project)
        memory_id = log_of(session.workspace.clock(), project)
    session.authorize("log_append", "write", memory_id)
    with session.auditing("log_append", str(memory_id)):
        secrets.refuse_in_draft(session, memory_id, Draft(line))
        with writing(session) as turn:
            memory_id = log_of(turn.now, project)
            bullet = f"- {turn.now:%H:%M} {line}"
            try:
                loaded = load(session.workspace, memory_id)
            except MemoryEntryNotFoundError:
                version = next_version(session, memory_id)
                raw = encode(_begun(turn.now, version, bullet))
                turn_or_conflict(turn, put(turn, "create", memory_id, raw, version, None))
            else:
                body = f"{loaded.entry.body.rstrip()}\n{bullet}"
                document = loaded.decoded.document._replace(body=body, updated_at=turn.now)
                turn_or_conflict(turn, rewriting(turn, loaded, document))
            return load(session.workspace, memory_id).entry


def log_of(at: datetime, project: str | None) -> MemoryId:
    """The log of a day."""
    branch = "shared" if project is None else f"project:{project}"
    return parse_memory_id(f"{branch}:logs:{at:%Y:%m:%Y-%m-%d}")


def _begun(at: datetime, version: int, bullet: str) -> Document:
    return Document(
        name=f"{at:%Y-%m-%d}",
        description=f"Log of {at:%Y-%m-%d}",
        type=EntryType.PROJECT,
        kind=Kind.LOG,
        version=version,
        created_at=at,
        updated_at=at,
        body=bullet,
    )
