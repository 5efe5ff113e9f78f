"""What was believed on a day, whatever happened since."""

from __future__ import annotations

import tempfile
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trinho import errors, open_memory

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from tests.cleanroom import Home, Terminal

    from trinho.application.library import Memory

VALUES = tuple(f"The limit is {n} requests." for n in (5, 10, 20, 40))


def believed(memory: Memory) -> set[tuple[str, str]]:
    return {(str(row.id), memory.get(str(row.id)).body) for row in memory.facts()}


def then(memory: Memory, at: datetime) -> set[str]:
    return {str(row.id) for row in memory.facts(as_of=at)}


def propose(memory: Memory, n: int) -> None:
    memory.propose_fact(VALUES[n % 4], domain="api", topic=f"limits {n % 2}")


def supersede(memory: Memory, n: int) -> None:
    rows = memory.facts()
    if rows:
        memory.supersede_fact(str(rows[n % len(rows)].id), VALUES[(n + 1) % 4])


def overturn(memory: Memory, n: int) -> None:
    rows = memory.conflicts("superseded")
    if rows:
        memory.overturn_conflict(rows[n % len(rows)].number)


def delete(memory: Memory, n: int) -> None:
    rows = memory.facts()
    if rows:
        id = str(rows[n % len(rows)].id)
        memory.delete(id, expected_version=memory.get(id).version)


def update(memory: Memory, n: int) -> None:
    rows = memory.facts()
    if rows:
        id = str(rows[n % len(rows)].id)
        memory.update(id, f"{VALUES[n % 4]} Or so.", expected_version=memory.get(id).version)


def move(memory: Memory, n: int) -> None:
    rows = memory.facts()
    if rows:
        memory.move(str(rows[n % len(rows)].id), f"shared:facts:api:moved-{n}-{len(memory.audit(1000))}")


def undo(memory: Memory, n: int) -> None:
    memory.undo()


ACTS: tuple[Callable[[Memory, int], None], ...] = (propose, propose, supersede, overturn, delete, update, move, undo)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.sampled_from(ACTS), st.integers(0, 7)), min_size=1, max_size=10))
def test_any_history_is_told_as_it_was(acts: list[tuple[Callable[[Memory, int], None], int]]) -> None:
    """At each moment between the acts, those facts with those texts; now and after a rebuild."""
    with tempfile.TemporaryDirectory() as folder, open_memory(Path(folder) / "root", environment={}) as memory:
        moments = []
        for act, n in acts:
            try:
                act(memory, n)
            except (errors.ConflictError, errors.NotFoundError):
                continue
            at = memory.audit(1)[0].at + timedelta(microseconds=1)
            moments.append((at, believed(memory)))
        for at, facts in moments:
            assert then(memory, at) == {id for id, _ in facts}
            found = memory.search("limit requests", as_of=at, limit=50).results
            assert {(str(each.entry.id), each.entry.body) for each in found} == facts
        assert then(memory, memory.session.workspace.clock() - timedelta(days=1)) == set()


def test_a_day_is_asked_for_as_it_ended(home: Home) -> None:
    with home.memory() as memory:
        memory.propose_fact(VALUES[0], domain="api", topic="limits")
        today = f"{memory.session.workspace.clock():%Y-%m-%d}"
        assert len(memory.facts(as_of=today)) == 1
        assert memory.facts(as_of="2020-01-01") == []


def test_what_expired_since_was_believed(home: Home) -> None:
    home.write(
        "shared/facts/api/x.md",
        "---\nkind: fact\ndomain: api\ntopic: a\ncreated: 2020-01-01\nvalid_until: 2021-01-01\n---\nold limit\n",
    )
    with home.memory() as memory:
        assert memory.facts() == []
        assert len(memory.facts(as_of="2020-06-01")) == 1
        assert memory.facts(as_of="2019-06-01") == []
        assert memory.facts(as_of="2022-06-01") == []


@pytest.mark.parametrize("as_of", ["yesterday", "", "2020-13-01"])
def test_what_is_no_day(home: Home, as_of: str) -> None:
    with home.memory() as memory:
        for ask in (lambda: memory.facts(as_of=as_of), lambda: memory.search("x", as_of=as_of)):
            with pytest.raises(errors.InvalidEntryError):
                ask()


def test_a_role_is_told_what_it_may_read(home: Home) -> None:
    with home.memory() as memory:
        memory.propose_fact(VALUES[0], domain="api", topic="limits")
        memory.propose_fact(VALUES[1], domain="api", topic="limits")
        at = memory.audit(1)[0].at
        memory.set_grant("worker", "api", "none")
    with home.memory("worker") as memory:
        assert memory.facts(as_of=at) == []
        assert memory.search("limit requests", as_of=at).results == ()


def test_the_command_line(home: Home, trinho: Terminal) -> None:
    with home.memory() as memory:
        memory.propose_fact(VALUES[0], domain="api", topic="limits")
    assert trinho("fact", "list", "--as-of", "2020-01-01", "--json").json["total"] == 0
    assert trinho("search", "limit requests", "--as-of", "2020-01-01", "--json").json["results"] == []
    assert len(trinho("search", "limit requests", "--as-of", "2999-01-01", "--json").json["results"]) == 1
