"""After a crash a person goes on by hand before any process settles it: no undo takes that work away."""

from __future__ import annotations

import itertools
import signal
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from tests.faults.crashing import CrashingFileSystem, Say, fork
from tests.faults.scenes import SCENES, A, Scene, Stage, entries, open_at, timeless

from trinho.errors import RunNotFoundError, UndoConflictError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from trinho.application.library import Memory

HAND = b"\nMY OWN WORK\n"
CRASHING = [scene for scene in SCENES if scene.name in ("create", "update", "move", "import")]
NEW = {"create": ["shared/fresh.md"], "import": [f"projects/in/x/n{n}.md" for n in range(3)]}


def _killed(stage: Stage) -> Iterator[tuple[Path, str]]:
    """A root for each call around which the act is killed."""
    for n, moment in ((n, moment) for n in itertools.count(1) for moment in ("before", "after")):
        root = stage.fresh()
        if _run(stage.scene, root, n, moment) == 0:
            return
        yield root, f"{moment} changing call {n}"


def _run(scene: Scene, root: Path, n: int, moment: str) -> int:
    def work(_: Say) -> None:
        fs = CrashingFileSystem()
        memory = open_at(root, fs)
        fs.arm(n, moment)
        scene.act(memory)

    status, lines = fork(work).end()
    assert status in (0, -signal.SIGKILL), "\n".join(lines)
    return status


def _append(file: Path) -> None:
    with file.open("ab") as opened:
        opened.write(HAND)


def _save_by_rename(file: Path) -> None:
    saved = file.with_name("saved~")
    saved.write_bytes((file.read_bytes() if file.exists() else b"") + HAND)
    saved.rename(file)


def _by_hand(stage: Stage, root: Path, save: Callable[[Path], None]) -> None:
    """Write into everything but the entry that nobody touches, and where the act was to put something."""
    paths = {path for path in entries(root) if path != "shared/a.md"} | set(NEW.get(stage.scene.name, ()))
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        save(root / path)


def _saved(root: Path) -> int:
    """How many files hold it; a move that was killed half way leaves two names of one file."""
    return len({(root / path).stat().st_ino for path, raw in entries(root).items() if raw.endswith(HAND)})


def _crashed_run(memory: Memory, scene: Scene) -> int | None:
    """The act comes after two creates, if it came to its line in the trail at all."""
    return next((3 for line in memory.audit(100) if line.seq == 3 and line.event.operation == scene.name), None)


@pytest.mark.slow
@pytest.mark.parametrize("save", [_append, _save_by_rename])
@pytest.mark.parametrize("scene", CRASHING, ids=str)
def test_no_undo_takes_work_away(scene: Scene, save: Callable[[Path], None], tmp_path: Path) -> None:
    stage = Stage(tmp_path, scene)
    for root, note in _killed(stage):
        _by_hand(stage, root, save)
        saved = _saved(root)
        with open_at(root) as memory:
            run = _crashed_run(memory, scene)
            memory.update(A, "the next writer", expected_version=1)
            assert _saved(root) == saved, note
            if run is not None:
                with suppress(UndoConflictError, RunNotFoundError):
                    memory.undo(run)
            assert _saved(root) == saved, note
            assert len({(root / path).stat().st_ino for path in entries(root)}) == len(entries(root)), note


@pytest.mark.slow
@pytest.mark.parametrize("scene", CRASHING, ids=str)
def test_what_was_settled_can_be_taken_back_and_done_again(scene: Scene, tmp_path: Path) -> None:
    stage = Stage(tmp_path, scene)
    done = 0
    for root, note in _killed(stage):
        with open_at(root) as memory:
            run = _crashed_run(memory, scene)
            memory.update(A, "the next writer", expected_version=1)
            memory.undo()
            state = timeless(entries(root))
            if run is None or {path: raw for path, raw in state.items() if path != "shared/a.md"} != {
                path: raw for path, raw in stage.after.items() if path != "shared/a.md"
            }:
                continue
            back = memory.undo(run)
            assert set(entries(root)) == set(stage.before), note
            memory.undo(back.run)
            again = timeless(entries(root))
            assert set(again) == set(stage.after), note
            done += 1
    assert done > 2
