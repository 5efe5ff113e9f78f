"""What an agent is told at the start of a task."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from trinho.application import ranking
from trinho.domain.arguments import expect_project, expect_text, expect_whole
from trinho.lifecycle.staleness import age_in_words, staleness_note
from trinho.retrieval.budget import CHARACTER_BUDGET, fitting
from trinho.retrieval.framing import framed, harmless
from trinho.retrieval.ranker import DeterministicContextRanker

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from trinho.application.session import Session
    from trinho.domain.entry import Entry
    from trinho.domain.ids import MemoryId

# A budget of characters can't hold more entries than this, each needs a heading
_MOST_ENTRIES = 200


@dataclass(frozen=True, slots=True)
class MemoryContext:
    """Text for a model, and what is and isn't in it. Lengths in characters; `omitted_entry_ids` didn't fit."""

    text: str
    characters_used: int
    truncated: bool
    omitted_entry_ids: tuple[MemoryId, ...]
    included: tuple[tuple[MemoryId, int], ...]


def build_memory_context(
    entries: Sequence[Entry], now: datetime, character_budget: int = CHARACTER_BUDGET
) -> MemoryContext:
    """As many of the entries as fit, in their order, framed as background; the frame counts too."""
    blocks = [_block(entry, now) for entry in entries]
    frame = len(_framed([""])) - 1  # an empty block has no line of its own
    fits = fitting([len(block) + 1 for block in blocks], character_budget - frame)
    kept = [block for block, fit in zip(blocks, fits, strict=True) if fit]
    text = _framed(kept) if kept else ""
    return MemoryContext(
        text,
        len(text),
        not all(fits),
        tuple(entry.id for entry, fit in zip(entries, fits, strict=True) if not fit),
        tuple((entry.id, entry.version) for entry, fit in zip(entries, fits, strict=True) if fit),
    )


def for_task(
    session: Session, task: str, character_budget: int = CHARACTER_BUDGET, project: str | None = None
) -> MemoryContext:
    """The entries that fit the task and the budget; audited as shown to the actor."""
    with session.auditing("context", None):
        expect_text("task", task)
        expect_whole("character_budget", character_budget, 0)
        expect_project(project)
        entries, beyond = _entries(session, task, project)
        context = build_memory_context(entries, session.workspace.clock(), character_budget)
        if beyond:
            context = replace(context, truncated=True, omitted_entry_ids=(*context.omitted_entry_ids, *beyond))
    included = tuple((str(id), version) for id, version in context.included)
    session.record("context", None, included=included)
    return context


def _entries(session: Session, task: str, project: str | None) -> tuple[list[Entry], list[MemoryId]]:
    """The entries that speak of the task, in the deterministic order, and the IDs of those beyond any budget."""
    query = ranking.SearchQuery(task, limit=ranking.MOST_RESULTS, project=project)
    found = ranking.ranked(session, query, session.sees())
    if not found.asked.terms:
        return [], []
    rows = [candidate.row for candidate in found.candidates]
    loaded = (ranking.load_ranked(session, row) for row in rows[:_MOST_ENTRIES])
    entries = [each.entry for each in loaded if each is not None]
    return DeterministicContextRanker().rank(task, entries), [row.id for row in rows[_MOST_ENTRIES:]]


def _block(entry: Entry, now: datetime) -> str:
    note = staleness_note(entry.updated_at, now)
    lines = [f"## {entry.id} ({entry.kind}, {age_in_words(entry.updated_at, now)})"]
    if note:
        lines.append(f"({note})")
    lines.append(harmless(entry.body.strip() or entry.description))
    return "\n".join(lines) + "\n"


def _framed(blocks: Sequence[str]) -> str:
    return framed("\n".join(blocks).removesuffix("\n"))
