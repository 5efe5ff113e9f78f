"""What an agent is told beside a prompt: what is known of it and was not shown in this run before."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from trinho.access.domains import is_policy
from trinho.application import ranking, reindex, runs
from trinho.domain.arguments import expect_project, expect_text
from trinho.errors import FileChangedError
from trinho.lifecycle.staleness import age_in_words
from trinho.retrieval.framing import framed, harmless
from trinho.retrieval.snippet import snippet

if TYPE_CHECKING:
    from datetime import datetime

    from trinho.application.session import Session
    from trinho.domain.entry import Entry

SHORTEST_PROMPT = 20  # characters; a shorter one is no question
MOST_ENTRIES = 5
MOST_CHARACTERS = 2_400  # twice what facts get in a preamble: here nothing stands beside them
_WHOLE = 500  # characters of an entry that is shown as it is; of a longer one what answers
_LOOKED_AT = 10
_ASKED = 4_000  # characters of a prompt that are looked at: what is pasted behind them is no question


class _Told(NamedTuple):
    """Lines, and the ID and version of the entry behind each."""

    lines: list[str]
    included: list[tuple[str, int]]


def recalled(session: Session, prompt: str, project: str | None = None) -> str:
    """A line for each entry that answers the prompt, framed; empty if none does. Audited as shown."""
    with session.auditing("prompt", None):
        expect_text("prompt", prompt)
        expect_project(project)
        asked = prompt.strip()[:_ASKED]
        if len(asked) < SHORTEST_PROMPT:
            return ""
        lines, included = _told(session, asked, project)
    session.record("prompt", None, included=tuple(included))
    if not lines:
        return ""
    runs.show(session, included)
    return framed("\n".join(lines))


def _told(session: Session, asked: str, project: str | None) -> _Told:
    """What answers, by the index as it is; by the files if one that would be shown is no longer as the index has it.

    A person waits for this, so the tree is not looked over: a file that came by hand is found once a session has begun
    or any other command has asked since.
    """
    if session.workspace.watch is not None:
        reindex.refresh(session)
    with suppress(FileChangedError), reindex.as_it_is(session):
        return _by_the_index(session, asked, project)
    return _by_the_index(session, asked, project)


def _by_the_index(session: Session, asked: str, project: str | None) -> _Told:
    """A line for each entry that answers, best first; FileChangedError if the index is trusted and wrong.

    Rules and the role's own note were told when the session began.
    """
    query = ranking.SearchQuery(asked, kinds=ranking.KNOWN, limit=_LOOKED_AT, project=project)
    answer = ranking.ranked(session, query, session.sees())
    terms = [*answer.asked.written, *answer.asked.terms]
    before = runs.shown_before(session)
    now = session.workspace.clock()
    told = _Told([], [])
    room = MOST_CHARACTERS
    for each in answer.candidates:
        if each.scored is None or is_policy(each.row.id):
            continue
        loaded = ranking.load_ranked(session, each.row)
        if session.trusts_index and (loaded is None or loaded.file.sha256 != each.row.sha256):
            raise FileChangedError(str(each.row.id))
        if loaded is None or (name := (str(each.row.id), loaded.entry.version)) in before:
            continue
        line = _line(loaded.entry, terms, now)
        if len(line) + 1 > room:
            continue
        room -= len(line) + 1
        told.lines.append(line)
        told.included.append(name)
        if len(told.lines) == MOST_ENTRIES:
            break
    return told


def _line(entry: Entry, terms: list[str], now: datetime) -> str:
    text = entry.body if len(entry.body) <= _WHOLE else snippet(entry.body, terms, _WHOLE)
    return f"- {' '.join(harmless(text).split())} ({entry.id}, {age_in_words(entry.updated_at, now)})"
