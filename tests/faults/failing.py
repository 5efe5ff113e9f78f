"""File layers that fail: at one call, from one call on, by short writes and reads, or for want of links."""

from __future__ import annotations

import errno
import os

from tests.faults.counting import CHANGING, CountingFileSystem

from trinho.adapters.files.syscalls import FileSystem


class FailingFileSystem(CountingFileSystem):
    """Fails the n-th call after `arm`, once; `fired` is its name then."""

    def __init__(self) -> None:
        self._left = 0
        self._errno = 0
        self.fired: str | None = None

    def arm(self, n: int, error: int) -> None:
        self._left, self._errno, self.fired = n, error, None

    def disarm(self) -> None:
        self._left = 0

    def before(self, call: str) -> None:
        if self._left == 0:
            return
        self._left -= 1
        if self._left == 0:
            self.fired = call
            raise OSError(self._errno, os.strerror(self._errno))


class BreakingFileSystem(CountingFileSystem):
    """A device that goes: from the n-th changing call after `arm` on, every changing call fails."""

    def __init__(self, error: int) -> None:
        self._left: int | None = None
        self._errno = error
        self.fired = False

    def arm(self, n: int) -> None:
        self._left = n

    def disarm(self) -> None:
        self._left = None

    def before(self, call: str) -> None:
        if self._left is None or call not in CHANGING:
            return
        self._left -= 1
        if self._left <= 0:
            self.fired = True
            raise OSError(self._errno, os.strerror(self._errno))


class UnsyncableFileSystem(FileSystem):
    """Counts the calls of fsync on each open file, and fails one of them."""

    def __init__(self, fail: int) -> None:
        self._left = fail
        self._failed: set[int] = set()
        self.retried = False

    def open(self, name: str, flags: int, *, dir_fd: int, mode: int = 0o600) -> int:
        fd = super().open(name, flags, dir_fd=dir_fd, mode=mode)
        self._failed.discard(fd)
        return fd

    def fsync(self, fd: int) -> None:
        if fd in self._failed:
            self.retried = True
        self._left -= 1
        if self._left == 0:
            self._failed.add(fd)
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        super().fsync(fd)


class ShortFileSystem(FileSystem):
    """Reads and writes a few bytes at a time, as a pipe or a signal may make it."""

    def read(self, fd: int, size: int) -> bytes:
        return super().read(fd, min(size, 5))

    def read_at(self, fd: int, size: int, offset: int) -> bytes:
        return super().read_at(fd, min(size, 5), offset)

    def write(self, fd: int, data: bytes | memoryview) -> int:
        return super().write(fd, memoryview(data)[:7])


class LinklessFileSystem(FailingFileSystem):
    """A file system without hard links. Only a changing call fails: one that reads fails as it does with links."""

    def before(self, call: str) -> None:
        if call in CHANGING:
            super().before(call)

    def link(self, name: str, new: str, *, dir_fd: int, new_dir_fd: int) -> None:
        self.before("link")
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))


class ReadOnlyFileSystem(CountingFileSystem):
    """Mounted for reading only: every call that would change something fails."""

    def before(self, call: str) -> None:
        if call in CHANGING:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
