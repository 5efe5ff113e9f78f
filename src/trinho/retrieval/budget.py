"""As much background knowledge as fits a budget, framed so that it can't pass for instructions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from trinho.domain.entry import Entry
from trinho.domain.ids import MemoryId
from trinho.retrieval.framing import close_fence, harmless, open_fence

CHARACTER_BUDGET = 8000


@dataclass(frozen=True, slots=True)
class MemoryContext:
    """Text for a model, and what is and isn't in it. Lengths in characters; `omitted` didn't fit."""

    text: str
    characters_used: int
    truncated: bool
    omitted_entry_ids: tuple[MemoryId, ...]
    included: tuple[tuple[MemoryId, int], ...]


def build_memory_context(
    entries: Sequence[Entry], now: datetime, character_budget: int = CHARACTER_BUDGET
) -> MemoryContext:
    """Take the entries in the order given; one that doesn't fit is left out and named, and the next one is tried."""
    blocks: list[str] = []
    included: list[Entry] = []
    omitted: list[MemoryId] = []
    left = character_budget - len(_framed([""]))
    for entry in entries:
        block = _block(entry, now)
        if len(block) + 1 <= left:
            blocks.append(block)
            included.append(entry)
            left -= len(block) + 1
        else:
            omitted.append(entry.id)
    text = _framed(blocks) if blocks else ""
    return MemoryContext(
        text, len(text), bool(omitted), tuple(omitted), tuple((entry.id, entry.version) for entry in included)
    )


def _block(entry: Entry, now: datetime) -> str:
    from trinho.lifecycle.staleness import age_in_words, staleness_note

    note = staleness_note(entry.updated_at, now)
    lines = [f"## {entry.id} ({entry.kind}, {age_in_words(entry.updated_at, now)})"]
    if note:
        lines.append(f"({note})")
    lines.append(harmless(entry.body.strip() or entry.description))
    return "\n".join(lines) + "\n"


def _framed(blocks: Sequence[str]) -> str:
    inside = "\n".join(blocks)
    mark = sha256(inside.encode()).hexdigest()[:12]
    return f"{open_fence(mark)}\n{inside}{close_fence(mark)}\n"
