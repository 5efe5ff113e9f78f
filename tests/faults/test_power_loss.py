"""The power fails at any point: what was acknowledged is there and whole, what was not is whole or not there."""

from __future__ import annotations

import random
import shutil
from typing import TYPE_CHECKING

import pytest
from tests.faults.recording import RecordingFileSystem, crashes
from tests.faults.scenes import SCENES, Scene, Stage, entries, findings, open_at, timeless

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
@pytest.mark.parametrize("scene", [scene for scene in SCENES if scene.name != "purge"], ids=str)
@pytest.mark.parametrize("ledger", ["kept", "lost"])
def test_a_power_cut_at_any_point(scene: Scene, ledger: str, tmp_path: Path) -> None:
    """The index is lost each time; the ledger is lost, or stands as it did before the act."""
    stage = Stage(tmp_path, scene)
    root = stage.fresh()
    for name in ("index.db", "index.db-wal", "index.db-shm"):
        (root / ".trinho" / name).unlink(missing_ok=True)
    fs = RecordingFileSystem()
    memory = open_at(root, fs)
    fs.arm(root)
    scene.act(memory)
    acknowledged = len(fs.changes)
    assert acknowledged > 5
    memory.session.workspace.close()
    dice = random.Random(scene.name)
    for number, (count, luck) in enumerate(crashes(fs)):
        left = tmp_path / f"left{number}"
        fs.crash(count, luck, dice, left)
        if ledger == "lost":
            for name in ("ledger.db", "ledger.db-wal", "ledger.db-shm"):
                (left / ".trinho" / name).unlink(missing_ok=True)
        note = f"{luck} after {count} of {acknowledged}"
        _look(stage, left, done=count == acknowledged, lost=ledger == "lost", note=note)
        shutil.rmtree(left)


def _look(stage: Stage, left: Path, *, done: bool, lost: bool, note: str) -> None:
    with open_at(left) as memory:
        memory.create("shared:later", "the next writer")
        memory.delete("shared:later", expected_version=memory.get("shared:later").version)
        state = timeless(entries(left))
        assert state == stage.after if done else state in (stage.after, timeless(stage.before)), note
        assert memory.verify_audit().ok, note
        # Without its ledger nobody knows which lines of MEMORY.md were ours
        expected = ("AUDIT_UNSURE", "DANGLING") if lost else ()
        assert not [found for found in findings(memory) if not found.startswith(expected)], note
        if done:
            told = [line.event for line in memory.audit(100)]
            assert any(event.result == "allowed" and event.id is not None for event in told), note
