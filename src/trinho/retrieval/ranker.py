"""The deterministic order: more matched terms, then newer, then by ID. No learned score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trinho.retrieval.words import index_words, query_terms, split_words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from trinho.domain.entry import Entry
    from trinho.domain.ids import MemoryId


class DeterministicContextRanker:
    """Ranks entries for a query in the same order each time, on the same data."""

    def rank(self, query: str, entries: Sequence[Entry]) -> list[Entry]:
        """All of the entries, best first."""
        terms = query_terms(query)
        return sorted(entries, key=lambda entry: _key(matched(terms, entry), entry.updated_at, entry.id))


def matched(terms: Sequence[str], entry: Entry) -> int:
    """How many of the folded terms begin a word of the entry's ID, name, description or body."""
    words = split_words(index_words(str(entry.id), entry.name, entry.description, entry.body))
    spaced = " ".join(["", *words])
    return sum(f" {term}" in spaced for term in terms)


def _key(count: int, updated_at: datetime, memory_id: MemoryId) -> tuple[int, float, str]:
    return (-count, -updated_at.timestamp(), str(memory_id))
