"""Search finds what is there, in the ranker's order, and explain says why."""

from __future__ import annotations

import shutil
from time import process_time
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trinho import errors
from trinho.application.ranking import SearchQuery
from trinho.domain.entry import Kind
from trinho.retrieval.ranker import DeterministicContextRanker

if TYPE_CHECKING:
    from random import Random

    from tests.cleanroom import Home

    from trinho.application.recall import Explanation

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


class TestLeftOut:
    """What no longer holds doesn't come, and can still be read and explained."""

    def test_what_was_replaced(self, home: Home) -> None:
        home.write("shared/a/old.md", "---\nsuperseded_by: shared:a:new\n---\ntabs everywhere\n")
        home.write("shared/a/new.md", "---\nsuperseded_by: null\n---\nno tabs\n")
        with home.memory() as memory:
            assert [str(each.entry.id) for each in memory.search("tabs everywhere").results] == ["shared:a:new"]
            assert "old" not in memory.build_memory_context("tabs everywhere").text
            assert memory.get("shared:a:old").body == "tabs everywhere"
            assert [str(each.entry.id) for each in memory.search("").results] == ["shared:a:new"]
        assert explained(home, "tabs", "shared:a:old").reason == "superseded by shared:a:new"

    def test_what_has_expired(self, home: Home) -> None:
        home.write("shared/a/old.md", "---\nvalid_until: 2020-01-01\n---\ntabs\n")
        home.write("shared/a/new.md", "---\nvalid_until: 2999-01-01\n---\ntabs\n")
        with home.memory() as memory:
            assert [str(each.entry.id) for each in memory.search("tabs").results] == ["shared:a:new"]
        told = explained(home, "tabs", "shared:a:old")
        assert told.reason == "expired: it was valid until 2020-01-01T00:00:00.000000Z"

    def test_others_come_in_its_place(self, home: Home) -> None:
        for n in range(40):
            home.write(f"shared/a/n{n}.md", "---\nsuperseded_by: shared:a:new\n---\ntabs tabs\n")
        home.write("shared/a/new.md", "some tabs\n")
        with home.memory() as memory:
            assert [str(each.entry.id) for each in memory.search("tabs", limit=1).results] == ["shared:a:new"]


class TestProjects:
    """The caller's own project comes first, what is shared next, and others' last."""

    def test_the_order(self, home: Home) -> None:
        with home.memory() as memory:
            for id in ("project:bet:a", "shared:a:b", "project:alp:c"):
                memory.create(id, "tabs for indentation")
            found = memory.search("indentation", project="alp").results
            assert [str(each.entry.id) for each in found] == ["project:alp:c", "shared:a:b", "project:bet:a"]
            assert [each.why.boost for each in found] == [1.35, 1.0, 0.1]
            told = memory.explain("indentation", "project:bet:a", project="alp")
            assert (told.rank, told.why and told.why.boost) == (3, 0.1)
            with pytest.raises(errors.TrinhoError, match="project"):
                memory.search("tabs", project="../x")

    def test_another_project_is_not_filtered_out(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("project:bet:a", "tabs for indentation")
            assert len(memory.search("indentation", project="alp").results) == 1


class TestAbstention:
    """A question about something never stored has no answer."""

    @pytest.fixture
    def many(self, home: Home) -> Home:
        for n in range(60):
            home.write(f"shared/a/n{n}.md", f"The gateway of service {n} logs to place {n}.\n")
        home.write("shared/a/pay.md", "PAY-401 is the refund of a card.\n")
        return home

    @pytest.mark.parametrize(
        "query",
        [
            "PAY-402",
            "How do we load data from Salesforce into the gateway?",
            "Who supplies the plastic enclosure?",
            "the gateway of a chocolate fountain in the town of dreams",
        ],
    )
    def test_nothing_is_shown(self, many: Home, query: str) -> None:
        with many.memory() as memory:
            assert memory.search(query).results == ()
            assert memory.build_memory_context(query).text == ""
            told = memory.explain(query, "shared:a:n1")
        assert told.verdict == "absent"
        assert told.reason.startswith(("nothing is shown", "it holds none of"))

    @pytest.mark.parametrize("query", ["PAY-401", "refund", "card refunds", "service 7", "write a RefundService"])
    def test_what_is_there_is_shown(self, many: Home, query: str) -> None:
        with many.memory() as memory:
            assert memory.search(query).results

    def test_an_unrelated_record_stays_out_of_a_question(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:user:indentation", "The person prefers tabs over spaces.")
            memory.create("shared:user:release", "Releases go out on Thursday afternoons.")
            found = memory.search("How does the person like indentation?").results
        assert [str(each.entry.id) for each in found] == ["shared:user:indentation"]


class TestQueries:
    """Any text is a query."""

    @pytest.mark.parametrize(
        "query",
        [
            '"',
            '"tabs',
            "NEAR(tabs)",
            "tabs*",
            "*",
            "body:tabs",
            "^tabs",
            "a AND OR NOT",
            "(((",
            "-tabs",
            "a\0b",
            "¤aim",
        ],
    )
    def test_signs_of_query_languages_are_signs(self, home: Home, query: str) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", "tabs near the body")
            assert [str(each.entry.id) for each in memory.search(query).results] in (["shared:a:note"], [])
            if "tabs" in query:
                assert memory.search(query).results

    @pytest.mark.parametrize(
        "query",
        ["x" * 1_000_000, "tabs " * 200_000, " ".join(f"w{n}" for n in range(10_000)), "🙂🙂", "the of and", "e"],
    )
    def test_long_and_empty_ones_take_no_time(self, home: Home, query: str) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", "tabs")
            memory.search("tabs")
            started = process_time()
            found = memory.search(query).results
            assert process_time() - started < 1
            assert len(found) <= 1

    def test_without_words_the_newest_come(self, home: Home) -> None:
        with home.memory() as memory:
            for n in range(3):
                memory.create(f"shared:a:n{n}", "tabs")
            for query in ("", "🙂", "  ", "— …"):
                found = memory.search(query, limit=2).results
                assert [str(each.entry.id) for each in found] == ["shared:a:n2", "shared:a:n1"]

    @pytest.mark.parametrize("limit", [10**9, 1000, 1])
    def test_any_number_of_results(self, home: Home, limit: int) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", "tabs")
            assert len(memory.search("tabs", limit=limit).results) == 1


class TestExplain:
    """Every answer has its reason."""

    def test_another_word_for_it(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", "Khách được hoàn tiền trong bảy ngày")
        told = explained(home, "refund gateway", "shared:a:note")
        assert told.why is not None
        assert (told.why.matched, told.why.in_other_words, told.why.missing) == ((), ("refund",), ("gateway",))

    def test_the_words_are_those_of_the_question(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", "policy")
        told = explained(home, "policies retries", "shared:a:note")
        assert told.why is not None
        assert (told.why.matched, told.why.missing) == (("policies",), ("retries",))

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


class TestFacts:
    """Of facts that answer alike, the younger and surer comes first; age never hides."""

    def fact(self, home: Home, name: str, body: str, **fields: str) -> str:
        lines = "".join(f"{key}: {value}\n" for key, value in fields.items())
        home.write(f"shared/facts/x/{name}.md", f"---\nkind: fact\ndomain: x\ntopic: {name}\n{lines}---\n{body}\n")
        return f"shared:facts:x:{name}"

    def found(self, home: Home, query: str) -> list[str]:
        with home.memory() as memory:
            return [str(each.entry.id) for each in memory.search(query).results]

    def test_the_younger_comes_first(self, home: Home) -> None:
        old = self.fact(home, "a", "the lantern is red", updated="2020-01-01")
        new = self.fact(home, "b", "the lantern is red", updated="2026-11-01")
        assert self.found(home, "lantern red") == [new, old]

    def test_the_surer_comes_first(self, home: Home) -> None:
        unsure = self.fact(home, "a", "the lantern is red", updated="2026-11-01", confidence="0.1")
        sure = self.fact(home, "b", "the lantern is red", updated="2026-11-01", confidence="0.9")
        assert self.found(home, "lantern red") == [sure, unsure]

    def test_an_exact_match_of_long_ago_beats_another_of_today(self, home: Home) -> None:
        old = self.fact(home, "a", "the lantern of the harbour is red", updated="2024-11-01", memory_type="event")
        with home.memory() as memory:
            memory.propose_fact("The harbour has a crane.", domain="x", topic="crane")
        assert self.found(home, "which colour has the lantern of the harbour, red")[0] == old

    def test_it_is_explained(self, home: Home) -> None:
        id = self.fact(home, "a", "the lantern is red", updated="2020-01-01", confidence="0.5")
        with home.memory() as memory:
            why = memory.explain("lantern red", id).why
        assert why is not None
        assert (why.decay, why.confidence) == (0.65, 0.9)
