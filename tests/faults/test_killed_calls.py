"""The process is killed before and after every call that changes something: nothing is torn, lost or half done.

Calls that only read are no points of their own: a kill there leaves what a kill at the next change leaves.
"""

from __future__ import annotations

import itertools
import signal
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.faults.crashing import CrashingFileSystem, Say, fork
from tests.faults.scenes import (
    MOVED,
    QUIET,
    SCENES,
    B,
    Scene,
    Stage,
    entries,
    findings,
    leftovers,
    listed,
    open_at,
    timeless,
)

from trinho.errors import MemoryEntryNotFoundError

if TYPE_CHECKING:
    from trinho.application.library import Memory

LATER = "shared:later"


@pytest.mark.slow
@pytest.mark.parametrize("scene", [*SCENES, *QUIET], ids=str)
def test_a_kill_at_any_call_leaves_the_old_state_or_the_new_one(scene: Scene, tmp_path: Path) -> None:
    stage = Stage(tmp_path, scene)
    for n, moment in ((n, moment) for n in itertools.count(1) for moment in ("before", "after")):
        root = stage.fresh()
        status, lines = _run(scene, root, n, moment)
        if status == 0:
            assert lines == ["done"]
            assert n > 5 or scene in QUIET
            return
        assert status == -signal.SIGKILL, "\n".join(lines)
        _look(stage, root, f"{moment} changing call {n}")


@pytest.mark.slow
@pytest.mark.parametrize("scene", [scene for scene in SCENES if scene.name != "purge"], ids=str)
def test_a_purge_after_a_kill_leaves_nothing(scene: Scene, tmp_path: Path) -> None:
    stage = Stage(tmp_path, scene)
    for n, moment in ((n, moment) for n in itertools.count(1) for moment in ("before", "after")):
        root = stage.fresh()
        if _run(scene, root, n, moment)[0] == 0:
            return
        with open_at(root) as memory:
            memory.create(LATER, "the next writer")
            for id in (B, MOVED):
                with suppress(MemoryEntryNotFoundError):
                    assert not memory.purge(id).leftovers, f"{moment} changing call {n}"
        texts = {path.read_bytes() for path in root.rglob("*.md") if path.name != "MEMORY.md"}
        assert not [text for text in texts if b"second body" in text or b"quite another" in text]


def _run(scene: Scene, root: Path, n: int, moment: str) -> tuple[int, list[str]]:
    def work(say: Say) -> None:
        fs = CrashingFileSystem()
        memory = open_at(root, fs)
        fs.arm(n, moment)
        scene.act(memory)
        say("done")

    return fork(work).end()


def _look(stage: Stage, root: Path, note: str) -> None:
    """The next writer's turn settles what was left, and everything agrees again."""
    with open_at(root) as memory:
        memory.create(LATER, "the next writer")
        memory.undo()
        state = entries(root)
        if stage.scene.name == "purge":
            assert set(state) in (set(stage.before), set(stage.after)), note
            _can_be_purged_again(stage, memory, note)
        elif stage.scene.name != "refresh of MEMORY.md":
            assert timeless(state) in (timeless(stage.before), stage.after), note
        _trail_agrees(stage, memory, timeless(state) == stage.after, note)
        assert not findings(memory), note
        assert memory.verify_audit().ok, note
        found = listed(memory)
        memory.rebuild_index()
        assert listed(memory) == found, note
        if stage.scene.undoable and stage.scene in SCENES and timeless(state) == stage.after:
            memory.undo()
            back = entries(root)
            assert set(back) == set(stage.before), note
            # An update that is taken back is the old text at a newer version
            assert stage.scene.name in ("update", "supersede") or back == stage.before, note
    # A plan that was never whole goes when the next one is written; a folder in which nothing is harms nobody
    assert not [
        path for path in leftovers(root) if path.endswith(".json") or (".tmp-" in path and "journal" not in path)
    ]


def _can_be_purged_again(stage: Stage, memory: Memory, note: str) -> None:
    """Repeated, a purge that was killed leaves nothing, neither the text nor a copy of it."""
    assert not memory.purge(B).leftovers, note
    assert set(entries(Path(memory.session.workspace.root))) == set(stage.after), note


def _trail_agrees(stage: Stage, memory: Memory, done: bool, note: str) -> None:
    """Where the trail tells what became of the run, it tells what the files show."""
    told = [line.event.code for line in memory.audit(100) if line.event.operation == "recover"]
    if told and stage.scene in SCENES and stage.scene.name != "purge":
        assert told == ["FINISHED" if done else "INTERRUPTED"], note


@pytest.mark.slow
def test_a_purge_that_was_killed_is_ended_by_the_next_writer(tmp_path: Path) -> None:
    """Where the trail tells that it is finished, no file below the root holds a byte of the text any more."""
    purge = next(scene for scene in SCENES if scene.name == "purge")
    stage = Stage(tmp_path, purge)
    finished = 0
    for n, moment in ((n, moment) for n in itertools.count(1) for moment in ("before", "after")):
        root = stage.fresh()
        if _run(purge, root, n, moment)[0] == 0:
            break
        with open_at(root) as memory:
            memory.create(LATER, "the next writer")
        with open_at(root) as memory:
            lines = [line.event for line in memory.audit(100) if line.event.operation == "recover"]
            if not [line for line in lines if line.code == "FINISHED"] and set(entries(root)) >= set(stage.before):
                continue
            finished += 1
            assert not findings(memory), f"{moment} changing call {n}"
        files = [file for file in root.rglob("*") if file.is_file()]
        assert not [file for file in files if b"a new body, quite another one" in file.read_bytes()], f"{moment} {n}"
    assert finished > 2


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_reader_between_the_crash_and_the_next_writer_changes_no_verdict(moment: str, tmp_path: Path) -> None:
    """Reading remembers the bytes that it saw; the trail still tells that the killed update was done."""
    update = next(scene for scene in SCENES if scene.name == "update")
    stage = Stage(tmp_path, update)
    told = set()
    for n in itertools.count(1):
        root = stage.fresh()
        if _run(update, root, n, moment)[0] == 0:
            break
        with open_at(root) as memory:
            done = memory.get("project:alp:notes:b").version == 2
            memory.create(LATER, "the next writer")
            recovered = [line.event.code for line in memory.audit(100) if line.event.operation == "recover"]
            if recovered:
                assert recovered == ["FINISHED" if done else "INTERRUPTED"]
                told.add(recovered[0])
    assert told == {"FINISHED", "INTERRUPTED"}
