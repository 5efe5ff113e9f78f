"""Search finds what is there, in the ranker's order, and explain says why."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trinho import errors
from trinho.application.recall import Explanation, SearchQuery
from trinho.domain.entry import Kind
from trinho.retrieval.ranker import DeterministicContextRanker

if TYPE_CHECKING:
    from random import Random

    from tests.cleanroom import Home

WORDS = ("lantern", "tab", "tabs", "Quy", "ước", "uoc", "deploy-key", "snake_case", "日本語", "friday")


def explained(home: Home, query: str, id: str, actor: str | None = None, limit: int = 10) -> Explanation:
    with home.memory(actor) as memory:
        return memory.explain(query, id, limit=limit)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    bodies=st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join), min_size=1, max_size=6),
    query=st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join),
    order=st.randoms(use_true_random=False),
)
def test_the_same_answers_however_entries_came(home: Home, bodies: list[str], query: str, order: Random) -> None:
    names = [f"shared/a/n{n}.md" for n in range(len(bodies))]
    files = dict(zip(names, bodies, strict=True))
    answers = []
    for paths in (names, order.sample(names, len(names))):
        shutil.rmtree(home.root, ignore_errors=True)
        for path in paths:
            target = home.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(f"---\nupdated: 2026-11-01\n---\n\n{files[path]}\n")
            with home.memory() as memory:
                found = memory.search(query, limit=100).results
        answers.append([(str(each.entry.id), each.score) for each in found])
    assert answers[0] == answers[1]


def test_what_says_the_same_is_in_the_order_of_the_deterministic_ranker(home: Home) -> None:
    with home.memory() as memory:
        entries = [memory.create(f"shared:a:n{n}", "lantern on the hill") for n in (1, 0, 2)]
        entries.append(memory.create("shared:a:n3", "lantern on the tower"))
        found = [result.entry.id for result in memory.search("hill lantern").results]
    assert found == [entry.id for entry in DeterministicContextRanker().rank("hill lantern", entries)]


class TestSearch:
    """Scope, kinds and number narrow it."""

    def test_a_limit(self, home: Home) -> None:
        with home.memory() as memory:
            for n in range(4):
                memory.create(f"shared:a:n{n}", "tabs")
            answer = memory.search("tabs", limit=2)
            assert [str(result.entry.id) for result in answer.results] == ["shared:a:n3", "shared:a:n2"]
            assert answer.total_considered == 4
            assert len(memory.search("tabs", limit=10**9).results) == 4
            for limit in (0, -1):
                with pytest.raises(errors.InvalidEntryError, match="limit can't be"):
                    memory.search("tabs", limit=limit)
                with pytest.raises(errors.InvalidEntryError, match="limit can't be"):
                    memory.explain("tabs", "shared:a:n1", limit=limit)

    def test_a_scope(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("project:alp:a", "tabs")
            memory.create("project:alpha:a", "tabs")
            found = memory.search("tabs", scope="project:alp").results
        assert [str(result.entry.id) for result in found] == ["project:alp:a"]

    def test_kinds_and_types(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:a:log", "tabs", kind="log")
            memory.create("shared:a:fact", "tabs", kind="fact")
            answer = memory.service.search(SearchQuery("tabs", kinds=frozenset({Kind.LOG})))
        assert [str(result.entry.id) for result in answer.results] == ["shared:a:log"]

    def test_a_project_is_preferred_among_equals(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("project:alp:a", "tabs")
            memory.create("shared:a:new", "tabs")
            answer = memory.service.search(SearchQuery("tabs", project="alp"))
        assert [str(result.entry.id) for result in answer.results] == ["project:alp:a", "shared:a:new"]

    @pytest.mark.parametrize("query", ['"', "NEAR(", "a OR", "*", "col:x", "^", "x" * 100_000, "🙂", "; DROP"])
    def test_no_query_is_a_syntax_error(self, home: Home, query: str) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", "tabs")
            assert memory.search(query).total_considered <= 1

    def test_an_own_write_is_found_at_once(self, home: Home) -> None:
        with home.memory() as memory:
            memory.search("x")
            memory.create("shared:a:note", "tabs")
            assert len(memory.search("tabs").results) == 1
            memory.delete("shared:a:note", expected_version=1)
            assert memory.search("tabs").results == ()

    def test_the_same_answers_without_the_index(self, home: Home) -> None:
        with home.memory() as memory:
            for n in range(3):
                memory.create(f"shared:a:n{n}", f"tabs {n}")
            before = memory.search("tabs").results
        for index in (home.root / ".trinho").glob("index.db*"):
            index.unlink()
        with home.memory() as memory:
            assert memory.search("tabs").results == before


class TestExplain:
    """Every answer has its reason."""

    def test_shown(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", "tabs")
        told = explained(home, "tabs spaces", "shared:a:note")
        assert (told.verdict, told.reason, told.rank) == ("shown", "rank 1", 1)
        assert told.why is not None
        assert (told.why.matched, told.why.missing) == (("tabs",), ("spaces",))

    def test_below_rank(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:a:old", "tabs")
            memory.create("shared:a:new", "tabs")
        told = explained(home, "tabs", "shared:a:old", limit=1)
        assert (told.verdict, told.rank) == ("absent", 2)
        assert told.reason.startswith("below rank")

    def test_no_such_entry(self, home: Home) -> None:
        assert explained(home, "tabs", "shared:a:none").reason == "no such entry"

    def test_no_match(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", "spaces")
        assert explained(home, "tabs deploy", "shared:a:note").reason == "it holds none of: tabs, deploy"

    @pytest.mark.parametrize(
        ("raw", "reason"),
        [(b"---\nkind: [\n---\ntabs\n", "quarantined: line 3"), (b"\xff\xfetabs", "quarantined: "), (b"", "empty")],
    )
    def test_quarantined(self, home: Home, raw: bytes, reason: str) -> None:
        home.write("shared/a/note.md", raw)
        told = explained(home, "tabs", "shared:a:note")
        assert told.verdict == "absent"
        assert told.reason.startswith("quarantined: ")
        assert reason in told.reason

    def test_not_granted(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("private:main:plan", "tabs")
        told = explained(home, "tabs", "private:main:plan", "worker")
        assert (told.verdict, told.reason, told.code) == ("absent", "not granted", "PRIVATE_MEMORY_DENIED")
        assert told.rank is None
        assert home.told()[-1] == ("worker", "explain", "private:main:plan", "denied", "PRIVATE_MEMORY_DENIED")

    def test_hidden_is_like_missing(self, home: Home) -> None:
        missing = explained(home, "tabs", "private:main:plan", "worker")
        with home.memory() as memory:
            memory.create("private:main:plan", "tabs")
        assert explained(home, "tabs", "private:main:plan", "worker") == missing

    def test_an_invalid_id(self, home: Home) -> None:
        with pytest.raises(errors.InvalidMemoryIdError):
            explained(home, "tabs", "shared:..")
        assert home.told()[-1][3:] == ("error", "INVALID_MEMORY_ID")


class TestListing:
    """A listing covers what the actor may read, with the versions of the files."""

    def test_versions(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", "tabs")
            memory.update("shared:a:note", "spaces", expected_version=1)
        home.write("shared/a/hand.md", "---\nversion: 7\n---\nby hand\n")
        with home.memory() as memory:
            listed = {str(row.id): version for row, version in memory.versions(memory.entries())}
        assert listed == {"shared:a:hand": 7, "shared:a:note": 2}

    def test_a_file_that_went_meanwhile_is_passed_over(self, home: Home) -> None:
        with home.memory() as memory:
            home.write("shared/a/note.md", "tabs by hand, at a version that nobody has asked for\n")
            rows = memory.entries()
            (home.root / "shared/a/note.md").unlink()
            assert list(memory.versions(rows)) == []

    def test_filters(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", "x", kind="log")
            memory.create("project:alp:note", "x", kind="fact")
            memory.create("private:main:note", "x", kind="fact")
            assert len(memory.entries()) == 3
            assert [str(row.id) for row in memory.entries(project="alp")] == ["project:alp:note"]
            assert [str(row.id) for row in memory.entries(kinds=frozenset({Kind.LOG}))] == ["shared:a:note"]
        with home.memory("worker") as memory:
            assert [str(row.id) for row in memory.entries()] == ["project:alp:note", "shared:a:note"]
            with pytest.raises(errors.UnauthorizedMemoryAccessError):
                memory.entries(scope="private:main")
