"""The n-th system call fails, for every n: a typed error and the old state whole, or success."""

from __future__ import annotations

import errno
import itertools
import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from tests.faults.failing import (
    BreakingFileSystem,
    FailingFileSystem,
    LinklessFileSystem,
    ReadOnlyFileSystem,
    ShortFileSystem,
    UnsyncableFileSystem,
)
from tests.faults.scenes import (
    QUIET,
    SCENES,
    A,
    B,
    Stage,
    build,
    entries,
    findings,
    leftovers,
    open_at,
    timeless,
    version,
)

from trinho.adapters.files.tree import temporary_name
from trinho.application.act import DEGRADED
from trinho.errors import StoreError, StoreIOError, StoreReadOnlyError, TrinhoError

if TYPE_CHECKING:
    from pathlib import Path

    from trinho.application.library import Memory

ERRNOS = (errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EMFILE, errno.EDQUOT, errno.EIO)
IDS = (A, B)


@pytest.fixture(params=[*SCENES, *QUIET], ids=str)
def stage(request: pytest.FixtureRequest, tmp_path: Path) -> Stage:
    return Stage(tmp_path, request.param)


@pytest.mark.slow
@pytest.mark.parametrize("linkless", [False, True], ids=["with links", "without links"])
def test_every_call_may_fail(stage: Stage, linkless: bool) -> None:
    """Whatever call fails and however: the error is typed, the files are as before, and repeating the act works."""
    for n in itertools.count(1):
        fs = LinklessFileSystem() if linkless else FailingFileSystem()
        if not _fails_well(stage, fs, n, errno.EIO if n % 2 else ERRNOS[n // 2 % len(ERRNOS)]):
            assert n > 20 or linkless
            return


def _fails_well(stage: Stage, fs: FailingFileSystem, n: int, error: int) -> bool:
    """Let the n-th call fail; False where the act has no such call."""
    root = stage.fresh()
    memory = open_at(root, fs)
    versions = {id: version(memory, id) for id in IDS}
    told: TrinhoError | None = None
    fs.arm(n, error)
    try:
        stage.scene.act(memory)
    except TrinhoError as raised:
        told = raised
    except Exception as raised:
        raised.add_note(f"call {n}, {fs.fired}, errno {error}")
        raise
    fs.disarm()
    note = f"call {n}, {fs.fired}, errno {error}, {told!r}"
    if told is None:
        assert len(leftovers(root)) <= 1, note  # the fault met the tidying up
        # A fact that can't be read is compared with no other one, so a new one then stands beside it
        if stage.scene.name not in ("purge", "supersede"):
            assert timeless(entries(root)) == stage.after, note
    else:
        if stage.scene.changes:
            _is_told(memory, told, note)
        assert stage.scene.name == "purge" or not leftovers(root), note
        if stage.scene.name not in ("purge", "refresh of MEMORY.md"):
            assert entries(root) == stage.before, note
            assert {id: version(memory, id) for id in IDS} == versions, note
    memory.close()
    if told is not None:
        _is_sound_and_repeatable(stage, root, note)
    return fs.fired is not None


def _is_told(memory: Memory, told: TrinhoError, note: str) -> None:
    line = next(line for line in reversed(memory.audit(20)) if line.event.result == "error")
    assert line.event.code == told.error_code, note


def _unexpected(found: list[str]) -> list[str]:
    """Without the notes that a failure leaves until something succeeds."""
    return [each for each in found if not each.startswith((f"NOTED {DEGRADED}", "PURGE_UNFINISHED"))]


def _is_sound_and_repeatable(stage: Stage, root: Path, note: str) -> None:
    with open_at(root) as memory:
        assert not _unexpected(findings(memory)), note
        assert memory.verify_audit().ok, note
        if stage.scene.name == "refresh of MEMORY.md":
            return
        stage.scene.act(memory)
        assert timeless(entries(root)) == stage.after, note
        assert not memory.session.workspace.ledger.notes() or not stage.scene.changes, note
    assert not leftovers(root), note


@pytest.mark.slow
def test_a_device_that_goes_leaves_all_of_an_act_or_nothing(stage: Stage) -> None:
    """From some call on nothing can be written any more, not even to take back; once it can, the next turn settles."""
    for n in itertools.count(1):
        root = stage.fresh()
        fs = BreakingFileSystem((errno.EIO, errno.EROFS)[n % 2])
        memory = open_at(root, fs)
        fs.arm(n)
        try:
            stage.scene.act(memory)
        except TrinhoError:
            pass
        finally:
            fs.disarm()
        memory.session.workspace.close()
        if not fs.fired:
            return
        with open_at(root) as again:
            again.create("shared:later", "the disk is well")
            again.delete("shared:later", expected_version=1)
            assert not _unexpected(findings(again)), n
        if stage.scene.name not in ("purge", "refresh of MEMORY.md"):
            assert timeless(entries(root)) in (timeless(stage.before), stage.after), n


def test_short_reads_and_writes_change_nothing(stage: Stage) -> None:
    root = stage.fresh()
    with open_at(root, ShortFileSystem()) as memory:
        stage.scene.act(memory)
        assert timeless(entries(root)) == stage.after
        assert not findings(memory)
    assert not leftovers(root)


def test_opening_a_new_root_fails_typed_and_works_when_repeated(tmp_path: Path) -> None:
    for n in itertools.count(1):
        root = tmp_path / f"root{n}"
        fs = FailingFileSystem()
        fs.arm(n, ERRNOS[n % len(ERRNOS)])
        try:
            open_at(root, fs).close()
        except StoreError:
            assert fs.fired
        fs.disarm()
        with open_at(root) as memory:
            memory.create(A, "x")
            assert not findings(memory)
        assert not leftovers(root)
        if not fs.fired:
            return


def test_a_failed_fsync_is_not_repeated_on_the_same_descriptor(tmp_path: Path) -> None:
    """Its success would prove nothing: the kernel has thrown the dirty pages away."""
    for n in range(1, 8):
        root = tmp_path / f"root{n}"
        build(root, SCENES[0])
        before = entries(root)
        fs = UnsyncableFileSystem(fail=n)
        with open_at(root, fs) as memory:
            try:
                memory.update(B, "new", expected_version=1)
            except StoreIOError:
                assert entries(root) == before
        assert not fs.retried


def test_a_failing_device_is_told_by_doctor_until_a_write_succeeds(tmp_path: Path) -> None:
    root = tmp_path / "root"
    build(root, SCENES[0])
    with open_at(root, UnsyncableFileSystem(fail=2)) as memory:
        with pytest.raises(StoreIOError, match="Input/output error"):
            memory.update(B, "new", expected_version=1)
        assert [found for found in findings(memory) if found.startswith(f"NOTED {DEGRADED}")]
        assert memory.get(B).version == 1
        memory.update(B, "new", expected_version=1)
        assert not findings(memory)


def test_a_root_mounted_for_reading_still_answers(tmp_path: Path) -> None:
    """Every write is refused with the path; reading, listing and searching go on."""
    root = tmp_path / "root"
    build(root, SCENES[0])
    before = entries(root)
    with open_at(root, ReadOnlyFileSystem()) as memory:
        assert memory.get(A).body == "the first body\n"
        assert [str(found.entry.id) for found in memory.search("second").results] == [B]
        with pytest.raises(StoreReadOnlyError, match="Read-only file system"):
            memory.create("shared:new", "x")
        with pytest.raises(StoreReadOnlyError):
            memory.delete(A, expected_version=1)
        assert any(notice.startswith("not audited") for notice in memory.session.notices)
    assert entries(root) == before


def test_too_many_open_files_while_scanning_are_no_deletions(tmp_path: Path) -> None:
    """A scan that can't open a folder says nothing about what is in it; the next one goes on."""
    root = tmp_path / "root"
    build(root, SCENES[0])
    for n in itertools.count(1):
        fs = FailingFileSystem()
        with open_at(root, fs) as memory:
            memory.search("second")
            memory.session.reconciled_at = None
            fs.arm(n, errno.EMFILE)
            with suppress(StoreIOError):  # any other error fails the test
                memory.doctor()
            fs.disarm()
            assert memory.get(B).version == 1
            memory.session.reconciled_at = None
            assert [row.id.parts[-1] for row in memory.entries()] == ["b", "a"]
            assert not findings(memory)
        if not fs.fired:
            return


def test_stale_temporary_files_go_and_those_of_the_living_stay(tmp_path: Path) -> None:
    root = tmp_path / "root"
    build(root, SCENES[0])
    ours = temporary_name(7)
    gone = root / "shared" / ours.replace(f"-{os.getpid()}-", "-4194304-")
    living = root / "shared" / ours.replace(f"-{os.getpid()}-", f"-{os.getppid()}-")
    elsewhere = root / "shared" / ".tmp-elsewhere-4194304-7"
    old = root / "shared" / ".tmp-elsewhere-4194304-8"
    for path in (gone, living, elsewhere, old):
        path.write_bytes(b"half of someth")
    os.utime(old, (time.time() - 3700, time.time() - 3700))
    with open_at(root) as memory:
        assert not findings(memory)
    assert [path.exists() for path in (gone, living, elsewhere, old)] == [False, True, True, False]
