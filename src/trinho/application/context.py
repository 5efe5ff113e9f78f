"""What an agent is told at the start of a task."""

from __future__ import annotations

from trinho.application import recall
from trinho.application.session import Session
from trinho.domain.entry import Entry
from trinho.retrieval.budget import CHARACTER_BUDGET, MemoryContext, build_memory_context

# A budget of characters can't hold more entries than this, each needs a heading
_MOST_ENTRIES = 200


def for_task(session: Session, task: str, character_budget: int = CHARACTER_BUDGET) -> MemoryContext:
    """The entries that fit the task and the budget, framed as background; audited as shown to the actor."""
    with session.auditing("context", None):
        entries = _entries(session, task)
        context = build_memory_context(entries, session.workspace.clock(), character_budget)
    included = tuple((str(id), version) for id, version in context.included)
    session.record("context", None, included=included)
    return context


def _entries(session: Session, task: str) -> list[Entry]:
    """The entries that hold a word of the task, in the deterministic order."""
    terms, matches = recall.ranked(session, task, session.sees())
    if not terms:
        return []
    loaded = (recall.load_ranked(session, match) for match in matches[:_MOST_ENTRIES])
    return [each.entry for each in loaded if each is not None]
