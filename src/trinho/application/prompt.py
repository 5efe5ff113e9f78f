"""What an agent is told beside a prompt: what is known of it and was not shown in this run before."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from trinho.access.domains import is_policy
from trinho.application import recall, runs
from trinho.domain.arguments import expect_project, expect_text
from trinho.lifecycle.staleness import age_in_words
from trinho.retrieval.framing import close_fence, harmless, open_fence
from trinho.retrieval.snippet import snippet

if TYPE_CHECKING:
    from trinho.application.session import Session
    from trinho.domain.entry import Entry

SHORTEST_PROMPT = 20  # characters; a shorter one is no question
MOST_ENTRIES = 5
MOST_CHARACTERS = 2_400
_WHOLE = 500  # characters of an entry that is shown as it is; of a longer one what answers
_LOOKED_AT = 10
_ASKED = 4_000  # characters of a prompt that are looked at: what is pasted behind them is no question


def recalled(session: Session, prompt: str, project: str | None = None) -> str:
    """A line for each entry that answers the prompt, framed; empty if none does. Audited as shown."""
    with session.auditing("prompt", None):
        expect_text("prompt", prompt)
        expect_project(project)
        asked = prompt.strip()[:_ASKED]
        if len(asked) < SHORTEST_PROMPT:
            return ""
        found = _found(session, asked, project)
        if not found:
            session.record("prompt", None)
            return ""
        before = runs.shown_before(session)
        now = session.workspace.clock()
        lines: list[str] = []
        included: list[tuple[str, int]] = []
        room = MOST_CHARACTERS
        for entry, terms in found:
            if (str(entry.id), entry.version) in before:
                continue
            text = entry.body if len(entry.body) <= _WHOLE else snippet(entry.body, terms, _WHOLE)
            line = f"- {' '.join(harmless(text).split())} ({entry.id}, {age_in_words(entry.updated_at, now)})"
            if len(line) + 1 > room:
                continue
            room -= len(line) + 1
            lines.append(line)
            included.append((str(entry.id), entry.version))
            if len(lines) == MOST_ENTRIES:
                break
    session.record("prompt", None, included=tuple(included))
    if not lines:
        return ""
    runs.show(session, included)
    told = "\n".join(lines)
    mark = sha256(told.encode(errors="replace")).hexdigest()[:12]
    return f"{open_fence(mark)}\n{told}\n{close_fence(mark)}\n"


def _found(session: Session, asked: str, project: str | None) -> list[tuple[Entry, list[str]]]:
    """What answers, by the index as it is; by the files if one that would be shown is no longer as the index has it.

    A person waits for this, so the tree is not looked over: a file that came by hand is found once a session has begun
    or any other command has asked since.
    """
    session.trusts_index = True
    found = _by_the_index(session, asked, project)
    if found is None:
        session.trusts_index = False
        found = _by_the_index(session, asked, project)
    return found or []


def _by_the_index(session: Session, asked: str, project: str | None) -> list[tuple[Entry, list[str]]] | None:
    """The entries that answer, best first, with the words that each is to be shown by; None if a file has changed.

    Rules were told when the session began.
    """
    query = recall.SearchQuery(asked, limit=_LOOKED_AT, project=project)
    answer = recall.ranked(session, query, session.sees())
    terms = [*answer.asked.written, *answer.asked.terms]
    found: list[tuple[Entry, list[str]]] = []
    for each in answer.candidates:
        if each.scored is None or is_policy(each.row.id):
            continue
        loaded = recall.load_ranked(session, each.row)
        if session.trusts_index and (loaded is None or loaded.file.sha256 != each.row.sha256):
            return None
        if loaded is not None:
            found.append((loaded.entry, terms))
    return found
