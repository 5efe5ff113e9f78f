"""What there is to choose from: a line for each entry that may matter for a prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trinho.application import ranking, reindex
from trinho.domain.arguments import expect_project, expect_text
from trinho.lifecycle.staleness import age_in_words
from trinho.retrieval.framing import harmless

if TYPE_CHECKING:
    from trinho.application.session import Session
    from trinho.domain.ids import MemoryId
    from trinho.ports.index import Listed

MOST_ENTRIES = 200


class Manifest(NamedTuple):
    """The entries in the order of their lines; the text has one line each: `[type] ID (age): description`."""

    ids: tuple[MemoryId, ...]
    text: str


def manifest(session: Session, prompt: str, project: str | None = None) -> Manifest:
    """At most MOST_ENTRIES entries that the actor may read: those that answer the prompt, then the newest.

    Everything comes from the index: no file is read.
    """
    with session.auditing("manifest", None):
        expect_text("prompt", prompt)
        expect_project(project)
        rows = _rows(session, prompt, project)
    session.record("manifest", None)
    now = session.workspace.clock()
    lines = (f"[{row.type}] {row.id} ({age_in_words(row.updated_at, now)}): {_said(row)}\n" for row in rows)
    return Manifest(tuple(row.id for row in rows), "".join(lines))


def _rows(session: Session, prompt: str, project: str | None) -> list[Listed]:
    sees = session.sees()
    found = ranking.ranked(session, ranking.SearchQuery(prompt, limit=MOST_ENTRIES, project=project), sees)
    rows = {candidate.row.id: candidate.row for candidate in found.candidates[:MOST_ENTRIES]}
    if len(rows) < MOST_ENTRIES:
        newest = reindex.ask(session, lambda index: index.read(lambda reader: reader.newest(sees, MOST_ENTRIES * 2)))
        now = session.workspace.clock()
        for row in newest:
            if len(rows) < MOST_ENTRIES and ranking.left_out(row, now) is None:
                rows.setdefault(row.id, row)
    return list(rows.values())


def _said(row: Listed) -> str:
    return harmless(" ".join((row.description or row.name).split()))
