"""Several processes on one root: nobody's write is lost, and nobody waits for ever."""

from __future__ import annotations

import os
import signal
import time
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

import pytest
from tests.faults.crashing import Say, fork
from tests.faults.scenes import open_at

import trinho
from trinho.adapters.files.syscalls import FileSystem
from trinho.domain.ids import parse_memory_id
from trinho.errors import (
    MemoryEntryAlreadyExistsError,
    MemoryVersionConflictError,
    StoreBusyError,
    StoreForkedError,
)

if TYPE_CHECKING:
    from pathlib import Path

PROCESSES = 8
EACH = 25


@pytest.mark.slow
def test_creates_of_different_ids_are_all_there(tmp_path: Path) -> None:
    root = tmp_path / "root"

    def creating(number: int, say: Say) -> None:
        with open_at(root, wait=120) as memory:
            for n in range(EACH):
                memory.create(f"shared:p{number}:n{n}", f"note {n} of {number}")
        say("done")

    children = [fork(partial(creating, number)) for number in range(PROCESSES)]
    assert [child.end() for child in children] == [(0, ["done"])] * PROCESSES
    with open_at(root) as memory:
        assert len(memory.entries()) == PROCESSES * EACH
        assert memory.verify_audit().ok
        assert not memory.doctor().findings


@pytest.mark.slow
def test_of_creates_of_one_id_one_wins(tmp_path: Path) -> None:
    root = tmp_path / "root"

    def creating(number: int, say: Say) -> None:
        with open_at(root, wait=120) as memory:
            for n in range(EACH):
                try:
                    memory.create(f"shared:n{n}", f"by {number}")
                    say(f"{n} {number}")
                except MemoryEntryAlreadyExistsError:
                    continue

    children = [fork(partial(creating, number)) for number in range(4)]
    won = [line.split() for child in children for line in child.end()[1]]
    assert sorted(int(n) for n, _ in won) == list(range(EACH))
    with open_at(root) as memory:
        assert all(memory.get(f"shared:n{n}").body == f"by {number}" for n, number in won)


@pytest.mark.slow
def test_of_contended_updates_none_is_lost(tmp_path: Path) -> None:
    """Each success adds one; the final number is the number of successes."""
    root = tmp_path / "root"
    with open_at(root) as memory:
        memory.create("shared:counter", "0")

    def counting(say: Say) -> None:
        with open_at(root, wait=120) as memory:
            for _ in range(EACH):
                entry = memory.get("shared:counter")
                try:
                    memory.update("shared:counter", str(int(entry.body) + 1), expected_version=entry.version)
                    say("counted")
                except MemoryVersionConflictError:
                    continue

    counted = [line for child in [fork(counting) for _ in range(PROCESSES)] for line in child.end()[1]]
    assert set(counted) == {"counted"}
    with open_at(root) as memory:
        entry = memory.get("shared:counter")
        assert (int(entry.body), entry.version) == (len(counted), len(counted) + 1)
        assert memory.verify_audit().ok


def test_a_holder_that_is_stopped_is_named(tmp_path: Path) -> None:
    root = tmp_path / "root"
    with open_at(root) as memory:
        memory.create("shared:a", "text")

    def holding(say: Say) -> None:
        with open_at(root) as memory, memory.session.workspace.store.writing():
            say("held")
            time.sleep(600)

    child = fork(holding)
    assert child.hear()
    child.kill(signal.SIGSTOP)
    try:
        with open_at(root, wait=0.2) as memory:
            assert memory.get("shared:a").body == "text"
            with pytest.raises(StoreBusyError, match=f"pid {child.pid}"):
                memory.create("shared:b", "text")
    finally:
        child.kill(signal.SIGKILL)
        child.end()
    with open_at(root) as memory:
        assert memory.create("shared:b", "text").version == 1


def test_a_lock_file_that_is_deleted_while_it_is_held_is_noticed(tmp_path: Path) -> None:
    """Who waited on the deleted file doesn't take it for the lock; the new file is locked instead."""
    root = tmp_path / "root"
    with open_at(root) as memory:
        memory.create("shared:a", "text")

    def waiting(say: Say) -> None:
        with open_at(root, wait=60) as memory:
            say("waiting")
            memory.create("shared:b", "text")
            say((root / ".trinho/lock").read_text(encoding="utf-8").strip())

    with open_at(root) as memory:
        with memory.session.workspace.store.writing():
            child = fork(waiting)
            assert child.hear()
            time.sleep(0.1)
            (root / ".trinho/lock").unlink()
        assert child.end() == (0, ["waiting", f"pid {child.pid}"])
        memory.create("shared:c", "text")
        assert len(memory.entries()) == 3


class SwappedLock(FileSystem):
    """The lock file is taken away, or another one is put there, after it was opened and before it is locked."""

    def __init__(self, lock: Path, *, replaced: bool) -> None:
        self._lock = lock
        self._replaced = replaced
        self.locked = 0

    def try_lock(self, fd: int) -> bool:
        self.locked += 1
        if self.locked == 1:
            self._lock.unlink()
            if self._replaced:
                self._lock.touch()
        return super().try_lock(fd)


@pytest.mark.parametrize("replaced", [False, True])
def test_a_lock_file_that_is_swapped_right_before_it_is_locked_is_noticed(tmp_path: Path, replaced: bool) -> None:
    """A lock on a file that nobody else will open keeps nobody out."""
    root = tmp_path / "root"
    with open_at(root) as memory:
        memory.create("shared:a", "text")
    fs = SwappedLock(root / ".trinho/lock", replaced=replaced)
    with open_at(root, fs) as memory, memory.session.workspace.store.writing():
        assert fs.locked == 2
        with open_at(root, wait=0) as other, pytest.raises(StoreBusyError, match=f"pid {os.getpid()}"):
            other.create("shared:b", "text")


def test_a_store_carried_through_fork_refuses(tmp_path: Path) -> None:
    with open_at(tmp_path / "root") as memory:
        memory.create("shared:a", "text")

        def using(say: Say) -> None:
            try:
                memory.get("shared:a")
            except StoreForkedError as error:
                say(error.error_code)
            try:
                memory.create("shared:b", "text")
            except StoreForkedError as error:
                say(error.error_code)
            store = memory.session.workspace.store
            try:
                store.read(parse_memory_id("shared:a"))
            except StoreForkedError as error:
                say(error.error_code)
            try:
                with store.writing():
                    say("writing")
            except StoreForkedError as error:
                say(error.error_code)

        assert fork(using).end() == (0, ["STORE_FORKED"] * 4)
        assert memory.get("shared:a").body == "text"


def test_a_clock_that_goes_back_an_hour_changes_no_order(tmp_path: Path) -> None:
    at = datetime(2026, 6, 1, 12, tzinfo=UTC)
    clock = [at]
    with open_at(tmp_path / "root", clock=lambda: clock[0]) as memory:
        first = memory.create("shared:first", "older text")
        clock[0] = at - timedelta(hours=1)
        second = memory.create("shared:second", "other text")
        third = memory.update("shared:first", "newer text", expected_version=1)
        assert first.updated_at < second.updated_at < third.updated_at
        assert [str(result.entry.id) for result in memory.search("text").results] == ["shared:first", "shared:second"]
        times = [line.at for line in memory.audit()]
        assert times == sorted(set(times))
        assert memory.verify_audit().ok
        assert memory.search("text").results[0].age == "today"


def test_what_another_has_written_is_found(tmp_path: Path) -> None:
    root = tmp_path / "root"
    with open_at(root) as reader:
        for n in range(3):
            with trinho.open_memory(root, environment={}) as writer:
                writer.create(f"shared:n{n}", f"lantern {n}")
            reader.session.reconciled_at = None
            assert len(reader.search("lantern").results) == n + 1
