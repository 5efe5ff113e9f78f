"""Several processes propose to one root: nothing is lost, nothing is there twice."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from tests.faults.scenes import open_at

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PROCESSES = 6


def at_once(root: Path, act: Callable[[int], None]) -> None:
    """Run it in processes of their own; every one must end well."""
    children = []
    for n in range(PROCESSES):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                act(n)
                code = 0
            finally:
                os._exit(code)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * PROCESSES


@pytest.mark.slow
def test_the_same_fact_is_one(tmp_path: Path) -> None:
    root = tmp_path / "root"

    def propose(_: int) -> None:
        with open_at(root, wait=60) as memory:
            memory.propose_fact("The limit is 5 requests.", domain="api", topic="limits")

    open_at(root).close()
    at_once(root, propose)
    with open_at(root) as memory:
        [row] = memory.facts()
        assert memory.fact(str(row.id)).counts.mentions == PROCESSES


@pytest.mark.slow
def test_of_different_ones_none_is_lost_and_of_contrary_ones_one_holds(tmp_path: Path) -> None:
    root = tmp_path / "root"

    def propose(n: int) -> None:
        with open_at(root, wait=60) as memory:
            memory.propose_fact(f"The limit is {n + 5} requests.", domain="api", topic="limits")
            memory.propose_fact(f"Service {chr(65 + n)} is written in Go.", domain="api", topic=f"service {n}")
            memory.log_append(f"proposed {n}")

    open_at(root).close()
    at_once(root, propose)
    with open_at(root) as memory:
        assert len([row for row in memory.facts() if row.knowledge.topic == "limits"]) == 1
        assert len(memory.facts()) == PROCESSES + 1
        assert len(memory.facts(everything=True)) == 2 * PROCESSES
        [log] = [row for row in memory.entries() if row.kind == "log"]
        assert memory.get(str(log.id)).body.count("proposed") == PROCESSES
        assert memory.verify_audit().ok
        assert {str(domain.key) for domain in memory.domains()} == {"api"}
