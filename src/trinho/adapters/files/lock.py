"""One exclusive lock file: held by one process at a time, and it says by whom."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from trinho.adapters.files.root import Root, state_folder
from trinho.adapters.files.syscalls import FileSystem, failure, open_regular, write_all
from trinho.errors import StoreBusyError

if TYPE_CHECKING:
    from collections.abc import Iterator

WAIT_SECONDS = 10.0
_FIRST_PAUSE = 0.0005
_LONGEST_PAUSE = 0.02


@contextmanager
def holding(root: Root, name: str, wait: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold the lock `.trinho/<name>` inside the block; StoreBusyError names the holder after `wait` seconds."""
    fs = root.fs
    path = root.state_path(name)
    try:
        folder = state_folder(root)
    except OSError as error:
        raise failure(error, path) from error
    try:
        fd = _acquire(fs, folder, name, path, wait)
    finally:
        fs.close(folder)
    try:
        yield
    finally:
        fs.close(fd)  # closing the last descriptor drops the lock


def _acquire(fs: FileSystem, folder: int, name: str, path: str, wait: float) -> int:
    started = time.monotonic()
    pause = _FIRST_PAUSE
    while True:
        try:
            fd = open_regular(fs, name, os.O_RDWR | os.O_CREAT, dir_fd=folder)
        except OSError as error:
            raise failure(error, path) from error
        try:
            if fs.try_lock(fd) and _still_there(fs, fd, name, folder):
                _sign(fs, fd)
                return fd
            holder = fs.read_at(fd, 64, 0).decode("ascii", "replace").strip()
        except OSError as error:
            fs.close(fd)
            raise failure(error, path) from error
        except BaseException:
            fs.close(fd)
            raise
        fs.close(fd)
        waited = time.monotonic() - started
        if waited >= wait:
            raise StoreBusyError(holder or "another process", waited)
        time.sleep(min(pause, wait - waited) * (0.5 + os.getpid() % 64 / 64))  # spreads those who wait
        pause = min(pause * 1.5, _LONGEST_PAUSE)


def _still_there(fs: FileSystem, fd: int, name: str, folder: int) -> bool:
    """False where the lock file was deleted or replaced between opening and locking it."""
    ours = fs.status(fd)
    try:
        theirs = fs.status_of(name, dir_fd=folder)
    except FileNotFoundError:
        return False
    return (ours.st_dev, ours.st_ino) == (theirs.st_dev, theirs.st_ino)


def _sign(fs: FileSystem, fd: int) -> None:
    """Write our pid for those who wait. The lock holds without it, so a full disk is no reason to fail."""
    text = f"pid {os.getpid()}\n".encode()
    with suppress(OSError):
        if fs.read_at(fd, 64, 0) != text:
            fs.truncate(fd, 0)
            write_all(fs, fd, text)
