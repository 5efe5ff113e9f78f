"""An interrupt or a want of memory comes at any call: the next writer finds the old state or the new one."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest
from tests.faults.counting import CountingFileSystem
from tests.faults.scenes import SCENES, Scene, Stage, entries, findings, open_at, timeless

if TYPE_CHECKING:
    from pathlib import Path


class InterruptedFileSystem(CountingFileSystem):
    """Raises what is no error of the store at the n-th call after `arm`, before it or just after it."""

    def __init__(self, raised: type[BaseException], moment: str) -> None:
        self._raised = raised
        self._moment = moment
        self._left = 0
        self.fired: str | None = None

    def arm(self, n: int) -> None:
        self._left = n

    def before(self, call: str) -> None:
        if self._left == 1 and self._moment == "before":
            self._fire(call)
        elif self._left > 1:
            self._left -= 1

    def after(self, call: str) -> None:
        if self._left == 1 and self._moment == "after":
            self._fire(call)

    def _fire(self, call: str) -> None:
        self._left, self.fired = 0, call
        raise self._raised


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scene", "raised", "moment"),
    [
        *((scene, KeyboardInterrupt, "before") for scene in SCENES if scene.name != "purge"),
        *((scene, MemoryError, "after") for scene in SCENES if scene.name in ("update", "move", "import")),
    ],
    ids=str,
)
def test_an_act_is_done_whole_or_not_at_all(
    scene: Scene, raised: type[BaseException], moment: str, tmp_path: Path
) -> None:
    stage = Stage(tmp_path, scene)
    for n in itertools.count(1):
        root = stage.fresh()
        fs = InterruptedFileSystem(raised, moment)
        memory = open_at(root, fs)
        fs.arm(n)
        try:
            scene.act(memory)
        except raised:
            assert fs.fired
        memory.session.workspace.close()  # as where the process ends
        if not fs.fired:
            assert n > 10
            return
        note = f"call {n}, {moment} {fs.fired}"
        with open_at(root) as again:
            again.create("shared:later", "the next writer")
            again.undo()
            state = timeless(entries(root))
            assert state in (timeless(stage.before), stage.after), note
            assert not findings(again), note
            assert again.verify_audit().ok, note
            if scene.undoable and state == stage.after:
                again.undo()
                assert set(entries(root)) == set(stage.before), note
