"""What an agent is told beside a prompt: what is known of it and was not shown in this run before."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from trinho.access.domains import is_policy
from trinho.application import ranking, reindex, runs
from trinho.domain.arguments import expect_project, expect_text
from trinho.lifecycle.staleness import age_in_words
from trinho.retrieval.framing import framed, harmless
from trinho.retrieval.snippet import snippet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
    with suppress(_IndexIsBehindError), reindex.as_it_is(session):
        return _fitting(session, _answers(session, asked, project, as_indexed=True))
    return _fitting(session, _answers(session, asked, project, as_indexed=False))


class _IndexIsBehindError(Exception):
    """A file that would be shown is no longer as the index has it."""


def _answers(
    session: Session, asked: str, project: str | None, *, as_indexed: bool
) -> Iterator[tuple[Entry, list[str]]]:
    """The entries that answer and were not shown before, best first, with the words that each is to be shown by.

    Rules and the role's own note were told when the session began.
    """
    query = ranking.SearchQuery(asked, kinds=ranking.KNOWN, limit=_LOOKED_AT, project=project)
    answer = ranking.ranked(session, query, session.sees())
    terms = [*answer.asked.written, *answer.asked.terms]
    before = runs.shown_before(session)
    for each in answer.candidates:
        if each.scored is None or is_policy(each.row.id):
            continue
        loaded = ranking.load_ranked(session, each.row)
        if as_indexed and (loaded is None or loaded.file.sha256 != each.row.sha256):
            raise _IndexIsBehindError
        if loaded is not None and (str(each.row.id), loaded.entry.version) not in before:
            yield loaded.entry, terms


def _fitting(session: Session, answers: Iterable[tuple[Entry, list[str]]]) -> _Told:
    """The first that have room."""
    now = session.workspace.clock()
    told = _Told([], [])
    room = MOST_CHARACTERS
    for entry, terms in answers:
        text = entry.body if len(entry.body) <= _WHOLE else snippet(entry.body, terms, _WHOLE)
        line = f"- {' '.join(harmless(text).split())} ({entry.id}, {age_in_words(entry.updated_at, now)})"
        if len(line) < room:
            room -= len(line) + 1
            told.lines.append(line)
            told.included.append((str(entry.id), entry.version))
        if len(told.lines) == MOST_ENTRIES:
            break
    return told
