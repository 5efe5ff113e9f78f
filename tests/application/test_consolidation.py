"""Consolidate and harmonize: a dry run shows all of it, a run is undone as one, and a second one finds nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cleanroom import Home, Terminal

    from trinho.application.library import Memory


def fact(home: Home, name: str, body: str, *, author: str = "worker", confidence: float = 0.35) -> str:
    home.write(
        f"shared/facts/ci/{name}.md",
        f"---\nkind: fact\ncreated: 2026-01-0{len(name)}\ndomain: ci\ntopic: runner\nauthor: {author}\n"
        f"veracity: inferred\nconfidence: {confidence}\n---\n{body}\n",
    )
    return f"shared:facts:ci:{name}"


def files(home: Home) -> dict[str, bytes]:
    return {str(file.relative_to(home.root)): file.read_bytes() for file in home.root.rglob("*.md")}


def bodies(memory: Memory) -> list[str]:
    return sorted(memory.get(str(row.id)).body for row in memory.facts())


class TestConsolidate:
    """Restatements, hot items, what is over."""

    def test_restatements_become_one(self, home: Home) -> None:
        first = fact(home, "a", "CI runs on GitHub Actions")
        second = fact(home, "bb", "CI runs on GitHub Actions.")
        with home.memory() as memory:
            done = memory.consolidate()
            assert [(str(stays), str(gone)) for stays, gone in done.merged] == [(first, second)]
            assert [str(row.id) for row in memory.facts()] == [first]
            assert memory.fact(first).knowledge.confidence == 0.35 + (1 - 0.35) * 0.7 * 0.3
            assert memory.fact(second).knowledge.superseded_by == first

    def test_the_dry_run_shows_what_the_run_does_and_does_nothing(self, home: Home) -> None:
        fact(home, "a", "CI runs on GitHub Actions")
        fact(home, "bb", "CI runs on GitHub Actions.")
        with home.memory("main") as memory:
            memory.remember("The cluster is rebuilt each Sunday", memory_type="fact", importance=0.6)
        before = files(home)
        with home.memory("main") as memory:
            planned = memory.consolidate(dry_run=True)
            assert files(home) == before
            done = memory.consolidate()
        assert planned.run is None
        assert planned.merged == done.merged
        assert len(planned.promoted) == len(done.promoted) == 1
        for line in ("+superseded_by: shared:facts:ci:a", "+The cluster is rebuilt each Sunday", "-confidence: 0.35"):
            assert f"\n{line}\n" in planned.diff

    def test_it_is_undone_as_one_run(self, home: Home) -> None:
        fact(home, "a", "CI runs on GitHub Actions")
        fact(home, "bb", "CI runs on GitHub Actions.")
        with home.memory() as memory:
            before = bodies(memory)
            done = memory.consolidate()
            assert done.run is not None
            memory.undo(done.run)
            assert bodies(memory) == before

    def test_a_second_run_finds_nothing(self, home: Home) -> None:
        fact(home, "a", "CI runs on GitHub Actions")
        fact(home, "bb", "CI runs on GitHub Actions.")
        with home.memory("main") as memory:
            memory.remember("The cluster is rebuilt each Sunday", memory_type="learning")
            memory.consolidate()
            again = memory.consolidate()
            assert (again.run, again.merged, again.promoted, again.pruned, again.diff) == (None, (), (), 0, "")

    def test_what_differs_stays(self, home: Home) -> None:
        fact(home, "a", "CI runs on GitHub Actions")
        fact(home, "bb", "CI runs on Jenkins")
        with home.memory() as memory:
            assert memory.consolidate().merged == ()

    def test_a_hot_item_becomes_an_inferred_fact_of_its_author(self, home: Home) -> None:
        with home.memory("main") as memory:
            memory.remember("The cluster is rebuilt each Sunday", memory_type="fact", importance=0.9)
            memory.remember("Lan is at lunch", memory_type="event")
            [promoted] = memory.consolidate().promoted
            said = memory.fact(str(promoted)).knowledge
            assert (said.domain, said.author, said.veracity, said.confidence) == (
                "working-memory",
                "main",
                "inferred",
                0.7,
            )

    def test_it_keeps_the_newest_fifty(self, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("trinho.application.consolidation.KEPT_HOT_ITEMS", 2)
        with home.memory("worker") as memory:
            for n in range(4):
                memory.remember(f"event {n}", memory_type="event")
            assert memory.consolidate().pruned == 2
            assert [item.content for item in memory.remembered()] == ["event 3", "event 2"]

    def test_a_role_touches_no_other_role_s_items_or_hidden_facts(self, home: Home) -> None:
        fact(home, "a", "CI runs on GitHub Actions")
        fact(home, "bb", "CI runs on GitHub Actions.")
        with home.memory("main") as memory:
            memory.remember("mine", memory_type="fact")
        with home.memory() as memory:
            memory.set_grant("worker", "ci", "none")
        with home.memory("worker") as memory:
            done = memory.consolidate()
            assert (done.merged, done.promoted, done.pruned) == ((), (), 0)


class TestHarmonize:
    """Between agents: one belief, or a question for a person."""

    def test_the_same_becomes_one_belief(self, home: Home) -> None:
        first = fact(home, "a", "CI runs on GitHub Actions", confidence=0.35)
        fact(home, "bb", "CI runs on GitHub Actions.", author="main", confidence=0.65)
        with home.memory() as memory:
            assert len(memory.harmonize().merged) == 1
            assert memory.fact(first).knowledge.confidence == pytest.approx(0.6)

    def test_different_beliefs_are_an_open_conflict_once(self, home: Home) -> None:
        older = fact(home, "a", "CI runs on GitHub Actions")
        newer = fact(home, "bb", "CI runs on Jenkins", author="main")
        with home.memory() as memory:
            planned = memory.harmonize(dry_run=True)
            assert memory.conflicts() == []
            done = memory.harmonize()
            assert planned.conflicts == done.conflicts
            assert [(str(one), str(other)) for one, other in done.conflicts] == [(older, newer)]
            assert [(row.loser, row.winner, row.state) for row in memory.conflicts()] == [(older, newer, "open")]
            assert memory.harmonize().conflicts == ()
            assert len(memory.facts()) == 2

    def test_one_agent_s_own_are_left_to_it(self, home: Home) -> None:
        fact(home, "a", "CI runs on GitHub Actions")
        fact(home, "bb", "CI runs on Jenkins")
        with home.memory() as memory:
            assert memory.harmonize().conflicts == ()


def test_the_command_line(home: Home, trinho: Terminal) -> None:
    fact(home, "a", "CI runs on GitHub Actions")
    fact(home, "bb", "CI runs on GitHub Actions.", author="main")
    assert "would be merged" in trinho("harmonize", "--dry-run").out
    assert trinho("consolidate", "--json").json["merged"]
    assert trinho("consolidate").out == "there is nothing to do\n"
    assert trinho("harmonize", "--json").json["conflicts"] == []
