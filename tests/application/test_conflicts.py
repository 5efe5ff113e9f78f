"""A person's word on conflicts: everything can be overturned, and the overturned stays as a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from trinho import errors

if TYPE_CHECKING:
    from tests.cleanroom import Home, Terminal

    from trinho.application.library import Memory

FIFTEEN, SIXTEEN, SEVENTEEN = (f"Production runs Postgres {n}." for n in (15, 16, 17))


def bodies(memory: Memory) -> list[str]:
    return sorted(memory.get(str(row.id)).body for row in memory.facts())


def two(memory: Memory) -> None:
    for content in (FIFTEEN, SIXTEEN):
        memory.propose_fact(content, domain="infra", topic="database")


class TestOverturn:
    """The other one holds from then on."""

    def test_it_turns_a_decision_round(self, home: Home) -> None:
        with home.memory() as memory:
            two(memory)
            [row] = memory.conflicts()
            assert (row.label, row.state, bodies(memory)) == ("contradicts", "superseded", [SIXTEEN])
            turned = memory.overturn_conflict(row.number)
            assert bodies(memory) == [FIFTEEN]
            assert (turned.loser, turned.winner, turned.overturns) == (row.winner, row.loser, row.number)
            assert [each.state for each in memory.conflicts()] == ["overturned", "superseded"]
            assert [each.entry.body for each in memory.search("production postgres").results] == [FIFTEEN]

    def test_and_back_again(self, home: Home) -> None:
        with home.memory() as memory:
            two(memory)
            for expected in (FIFTEEN, SIXTEEN, FIFTEEN):
                memory.overturn_conflict(memory.conflicts("superseded")[-1].number)
                assert bodies(memory) == [expected]

    def test_only_once(self, home: Home) -> None:
        with home.memory() as memory:
            two(memory)
            memory.overturn_conflict(1)
            with pytest.raises(errors.ConflictPassedError):
                memory.overturn_conflict(1)

    def test_not_past_a_later_one(self, home: Home) -> None:
        with home.memory() as memory:
            two(memory)
            memory.propose_fact(SEVENTEEN, domain="infra", topic="database")
            with pytest.raises(errors.ConflictPassedError, match="superseded by"):
                memory.overturn_conflict(1)
            assert bodies(memory) == [SEVENTEEN]

    def test_no_agent_may(self, home: Home) -> None:
        with home.memory() as memory:
            two(memory)
        with home.memory("main") as memory:
            assert len(memory.conflicts()) == 1
            with pytest.raises(errors.UnauthorizedMemoryAccessError) as caught:
                memory.overturn_conflict(1)
            assert caught.value.error_code == "RESERVED_FOR_PRINCIPAL"

    @pytest.mark.parametrize("number", [0, -1, 7])
    def test_what_there_is_not(self, home: Home, number: int) -> None:
        with home.memory() as memory, pytest.raises((errors.ConflictNotFoundError, errors.InvalidEntryError)):
            memory.overturn_conflict(number)

    def test_of_a_fact_that_is_gone(self, home: Home) -> None:
        with home.memory() as memory:
            two(memory)
            [row] = memory.conflicts()
            memory.delete(row.loser, expected_version=2)
            with pytest.raises(errors.MemoryEntryNotFoundError):
                memory.overturn_conflict(1)
            assert bodies(memory) == [SIXTEEN]

    def test_a_purge_takes_its_rows(self, home: Home) -> None:
        with home.memory() as memory:
            two(memory)
            memory.purge(memory.conflicts()[0].loser)
            assert memory.conflicts() == []


class TestSettle:
    """An open conflict waits with both facts active."""

    @pytest.fixture
    def memory(self, home: Home) -> Memory:
        with home.memory() as memory:
            memory.propose_fact(FIFTEEN, domain="infra", topic="database")
        with home.memory("worker") as memory:
            memory.supersede_fact(str(memory.facts()[0].id), SIXTEEN)
        return home.memory()

    @pytest.mark.parametrize(
        ("keep", "left"), [("older", [FIFTEEN]), ("newer", [SIXTEEN]), ("both", [FIFTEEN, SIXTEEN])]
    )
    def test_one_holds_or_both(self, memory: Memory, keep: str, left: list[str]) -> None:
        with memory:
            [row] = memory.conflicts("open")
            assert bodies(memory) == [FIFTEEN, SIXTEEN]
            memory.settle_conflict(row.number, keep)  # type: ignore[arg-type]
            assert bodies(memory) == left
            assert memory.conflicts("open") == []
            with pytest.raises(errors.ConflictPassedError):
                memory.settle_conflict(row.number, "newer")

    def test_overturned_the_older_holds(self, memory: Memory) -> None:
        with memory:
            memory.overturn_conflict(1)
            assert bodies(memory) == [FIFTEEN]


def test_a_role_sees_none_of_what_it_may_not_read(home: Home) -> None:
    with home.memory() as memory:
        two(memory)
        memory.set_grant("worker", "infra", "none")
    with home.memory("worker") as memory:
        assert memory.conflicts() == []


def test_rows_of_facts_that_are_gone_are_listed_all_the_same(home: Home, trinho: Terminal) -> None:
    with home.memory() as memory:
        two(memory)
        [row] = memory.conflicts()
        memory.delete(row.loser, expected_version=2)
    answer = trinho("conflicts")
    assert answer.status == 0
    assert f"lost {row.loser}: (no entry" in answer.out
