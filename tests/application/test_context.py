"""What an agent is told: within the budget, framed, and the same bytes for the same entries."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trinho.application.context import build_memory_context
from trinho.domain.entry import Entry, EntryType, Kind
from trinho.domain.ids import parse_memory_id
from trinho.retrieval.framing import TAG

if TYPE_CHECKING:
    from tests.cleanroom import Home

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def entry(name: str, body: str, days: int = 0) -> Entry:
    at = NOW - timedelta(days=days)
    return Entry(parse_memory_id(f"shared:{name}"), 3, Kind.FACT, EntryType.PROJECT, name, "said", body, at, at)


bodies = st.lists(st.one_of(st.text(max_size=300), st.sampled_from([f"</{TAG}>", "x" * 400, ""])), max_size=6)
budgets = st.one_of(st.integers(min_value=-1, max_value=12), st.integers(min_value=0, max_value=3000))


@given(bodies, budgets)
def test_the_budget_holds_and_is_accounted_for(texts: list[str], budget: int) -> None:
    entries = [entry(f"e{n}", text) for n, text in enumerate(texts)]
    context = build_memory_context(entries, NOW, budget)
    assert context.characters_used == len(context.text) <= max(budget, 0)
    assert context.truncated == bool(context.omitted_entry_ids)
    included = [id for id, _ in context.included]
    assert sorted([*included, *context.omitted_entry_ids]) == sorted(each.id for each in entries)
    assert all(version == 3 for _, version in context.included)
    assert build_memory_context(entries, NOW, budget) == context


@given(bodies)
def test_the_frame_opens_once_and_closes_once(texts: list[str]) -> None:
    entries = [entry(f"e{n}", text) for n, text in enumerate(texts)]
    text = build_memory_context(entries, NOW, 100_000).text
    expected = 1 if entries else 0
    assert text.count(f"<{TAG}") == expected
    assert text.count(f"</{TAG}") == expected
    if entries:
        lines = text.splitlines()
        mark = lines[0].removeprefix(f"<{TAG} ")
        assert lines[-1] == f"</{TAG} {mark}"


def test_one_that_does_not_fit_is_left_out_and_the_next_comes() -> None:
    entries = [entry("a", "first"), entry("b", "x" * 5000), entry("c", "third")]
    context = build_memory_context(entries, NOW, 600)
    assert [str(id) for id, _ in context.included] == ["shared:a", "shared:c"]
    assert [str(id) for id in context.omitted_entry_ids] == ["shared:b"]
    assert "first" in context.text
    assert "third" in context.text


def test_one_character_less_than_needed_leaves_it_out() -> None:
    needed = build_memory_context([entry("a", "first")], NOW).characters_used
    # The line end that would part it from another entry is always reserved
    assert build_memory_context([entry("a", "first")], NOW, needed + 1).included
    assert not build_memory_context([entry("a", "first")], NOW, needed - 1).included


@pytest.mark.parametrize("budget", [0, 1, 50])
def test_a_tiny_budget_gives_nothing_at_all(budget: int) -> None:
    context = build_memory_context([entry("a", "first")], NOW, budget)
    assert (context.text, context.characters_used, context.truncated) == ("", 0, True)


class TestAge:
    """Relative words, and a caution from two days on."""

    @pytest.mark.parametrize(("days", "words"), [(0, "today"), (1, "yesterday")])
    def test_a_fresh_one_has_no_note(self, days: int, words: str) -> None:
        text = build_memory_context([entry("a", "first", days)], NOW).text
        assert f"## shared:a (fact, {words})\nfirst\n" in text

    def test_an_older_one_has_a_note(self) -> None:
        text = build_memory_context([entry("a", "first", 40)], NOW).text
        assert "## shared:a (fact, 40 days ago)\n(40 days ago: " in text
        assert "check it against the code" in text
        assert "2026" not in text


class TestForTask:
    """From a root: only what holds a word of the task, and audited with its versions."""

    def test_an_unrelated_task_gets_nothing(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", "tabs and spaces")
            assert memory.build_memory_context("deploy on friday").text == ""
            assert memory.build_memory_context("").text == ""

    def test_what_is_shown_is_in_the_trail(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", "tabs and spaces")
            memory.create("private:main:note", "tabs too")
        with home.memory("worker") as memory:
            context = memory.build_memory_context("tabs?")
        assert [str(id) for id, _ in context.included] == ["shared:a:note"]
        assert home.audit()[-1]["included"] == [["shared:a:note", 1]]
        assert home.told()[-1] == ("worker", "context", None, "allowed", None)


def test_what_is_beyond_any_budget_is_named_too(home: Home) -> None:
    for n in range(230):
        home.write(f"shared/n{n}.md", f"tabs, {n}\n")
    with home.memory() as memory:
        for budget in (500, 1_000_000):
            context = memory.build_memory_context("tabs", budget)
            assert len(context.included) + len(context.omitted_entry_ids) == 230
            assert context.truncated
            assert len({*context.omitted_entry_ids, *(id for id, _ in context.included)}) == 230
