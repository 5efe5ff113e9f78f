"""A supersession is one act on two files: whenever it is cut off, exactly one of the two facts is active."""

from __future__ import annotations

import itertools
import shutil
from typing import TYPE_CHECKING

import pytest
from tests.faults.scenes import open_at
from tests.faults.test_interrupted_calls import InterruptedFileSystem

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from trinho.application.library import Memory

FIVE, NINE = (f"The limit is {n} requests." for n in (5, 9))


def propose(memory: Memory) -> object:
    return memory.propose_fact(NINE, domain="api", topic="limits")


def supersede(memory: Memory) -> object:
    return memory.supersede_fact(str(memory.facts()[0].id), NINE)


def overturn(memory: Memory) -> object:
    return memory.overturn_conflict(1)


def active(root: Path) -> list[str]:
    """What a reader is told, by the list, by a search and by the list of that moment."""
    with open_at(root) as memory:
        listed = [row.description for row in memory.facts()]
        found = [each.entry.body for each in memory.search("limit requests").results]
        assert sorted(found) == sorted(listed)
        return listed


@pytest.mark.slow
@pytest.mark.parametrize("act", [propose, supersede, overturn])
def test_cut_off_anywhere_one_of_the_two_is_active(tmp_path: Path, act: Callable[[Memory], object]) -> None:
    template = tmp_path / "template"
    with open_at(template) as memory:
        memory.propose_fact(FIVE, domain="api", topic="limits")
        if act is overturn:
            propose(memory)
    seen = set()
    for n in itertools.count(1):
        root = tmp_path / f"root{n}"
        shutil.copytree(template, root)
        fs = InterruptedFileSystem(KeyboardInterrupt, "before")
        memory = open_at(root, fs)
        fs.arm(n)
        try:
            act(memory)
        except KeyboardInterrupt:
            assert fs.fired
        memory.session.workspace.close()  # as where the process ends
        told = active(root)
        assert len(told) == 1, (n, fs.fired, told)
        seen |= set(told)
        with open_at(root) as again:
            again.create("shared:later", "the next writer finishes or takes back what was begun")
        assert len(active(root)) == 1, (n, fs.fired)
        shutil.rmtree(root)
        if not fs.fired:
            break
    assert seen == {FIVE, NINE}
