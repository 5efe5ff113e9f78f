"""Taking back what was taken back, what failed, what was interrupted and what has lost its past."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.faults.failing import UnsyncableFileSystem
from tests.faults.scenes import A, bring_in, entries, open_at

from trinho.errors import MemoryEntryNotFoundError, RunNotFoundError, StoreIOError, UndoConflictError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from trinho.application.library import Memory

ACTS: dict[str, Callable[[Memory], object]] = {
    "create": lambda memory: memory.create("shared:new", "x"),
    "update": lambda memory: memory.update(A, "second", expected_version=1),
    "delete": lambda memory: memory.delete(A, expected_version=1),
    "move": lambda memory: memory.move(A, "shared:b"),
    "import": bring_in,
}


def _bodies(memory: Memory) -> dict[str, str]:
    return {str(row.id): memory.get(str(row.id)).body for row in memory.entries()}


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS.keys())
def test_undo_of_an_undo_and_so_on(act: Callable[[Memory], object], tmp_path: Path) -> None:
    """Each undo that is taken back brings the act again, as often as one likes."""
    with open_at(tmp_path / "root") as memory:
        memory.create(A, "first")
        before = _bodies(memory)
        act(memory)
        after = _bodies(memory)
        run = memory.undo().run
        assert _bodies(memory) == before
        for wanted in (after, before, after, before):
            run = memory.undo(run).run
            assert _bodies(memory) == wanted
        with pytest.raises(RunNotFoundError):
            memory.undo(run - 1)
        assert memory.verify_audit().ok


def test_a_run_that_failed_is_passed_over(tmp_path: Path) -> None:
    root = tmp_path / "root"
    with open_at(root) as memory:
        memory.create(A, "first")
    with open_at(root, UnsyncableFileSystem(fail=3)) as memory:
        with pytest.raises(StoreIOError):
            memory.update(A, "second", expected_version=1)
        memory.undo()
        with pytest.raises(MemoryEntryNotFoundError):
            memory.get(A)


def test_an_update_whose_past_is_lost_is_not_taken_for_a_create(tmp_path: Path) -> None:
    """Without the copy in the trash the entry stays as it is; it is not removed."""
    root = tmp_path / "root"
    with open_at(root) as memory:
        memory.create(A, "first")
        memory.update(A, "second", expected_version=1)
    for kept in (root / ".trinho" / "trash").iterdir():
        kept.unlink()
    state = entries(root)
    with open_at(root) as memory, pytest.raises(UndoConflictError, match="has lost what it was before"):
        memory.undo()
    assert entries(root) == state


def test_an_update_of_what_was_deleted_since_brings_nothing_back(tmp_path: Path) -> None:
    with open_at(tmp_path / "root") as memory:
        memory.create(A, "first")
        memory.update(A, "second", expected_version=1)
        run = memory.audit(1)[0].seq
        memory.delete(A, expected_version=2)
        with pytest.raises(UndoConflictError, match="was deleted since"):
            memory.undo(run)
        memory.undo()
        assert memory.get(A).body == "second"


def test_a_delete_before_the_last_one_brings_nothing_back(tmp_path: Path) -> None:
    with open_at(tmp_path / "root") as memory:
        memory.create(A, "first")
        early = memory.delete(A, expected_version=1)
        memory.create(A, "second")
        memory.delete(A, expected_version=2)
        with pytest.raises(UndoConflictError, match="was deleted since"):
            memory.undo(early)
        memory.undo()
        assert memory.get(A).body == "second"
