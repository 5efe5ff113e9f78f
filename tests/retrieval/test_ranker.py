"""More matched terms, then newer, then by ID."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from trinho.domain.entry import Entry, EntryType, Kind
from trinho.domain.ids import parse_memory_id
from trinho.retrieval.ranker import DeterministicContextRanker, matched

START = datetime(2026, 1, 1, tzinfo=UTC)


def entry(id: str, body: str, day: int = 0) -> Entry:
    at = START + timedelta(days=day)
    return Entry(parse_memory_id(id), 1, Kind.FACT, EntryType.PROJECT, "n", "", body, at, at)


def order(query: str, *entries: Entry) -> list[str]:
    return [str(each.id) for each in DeterministicContextRanker().rank(query, entries)]


class TestOrder:
    """No learned score: three keys, one after the other."""

    def test_more_terms_come_first(self) -> None:
        assert order("red lamp", entry("shared:a", "red", day=9), entry("shared:b", "red lamp")) == [
            "shared:b",
            "shared:a",
        ]

    def test_then_the_newer(self) -> None:
        assert order("red", entry("shared:a", "red"), entry("shared:b", "red", day=1)) == ["shared:b", "shared:a"]

    def test_then_the_id(self) -> None:
        assert order("red", entry("shared:b", "red"), entry("shared:a", "red")) == ["shared:a", "shared:b"]

    def test_a_term_counts_in_the_id_and_in_any_case(self) -> None:
        assert matched(["lamp", "indent"], entry("shared:lamp", "INDENTATION")) == 2

    def test_a_term_counts_once_and_only_where_a_word_begins(self) -> None:
        assert matched(["lamp"], entry("shared:a", "lamp lamp lamp")) == 1
        assert matched(["amp"], entry("shared:a", "lamp")) == 0

    @given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from(["red", "red lamp", ""]), st.integers(0, 2))))
    def test_the_same_order_however_they_come(self, made: list[tuple[str, str, int]]) -> None:
        entries = [entry(f"shared:{name}", body, day) for name, body, day in made]
        shuffled = Random(1).sample(entries, len(entries))
        key = [(str(each.id), each.body, each.updated_at) for each in entries]
        if len({name for name, _, _ in made}) == len(key):
            assert order("red lamp", *entries) == order("red lamp", *shuffled)
