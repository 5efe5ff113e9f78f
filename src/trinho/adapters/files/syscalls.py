"""The system calls that touch a root, one method each, so that a failing, recording or killing layer can stand in."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from contextlib import suppress

from trinho.errors import StoreFullError, StoreIOError, StoreReadOnlyError, StoreUnreadableError, TrinhoError

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
REFUSED = frozenset({errno.EACCES, errno.EPERM})
_READ_ONLY = REFUSED | {errno.EROFS}


class FileSystem:
    """The operating system's calls on directory descriptors; every name is one component, never a path."""

    def open(self, name: str, flags: int, *, dir_fd: int, mode: int = 0o600) -> int:
        return os.open(name, flags | os.O_CLOEXEC | os.O_NOFOLLOW, mode, dir_fd=dir_fd)

    def close(self, fd: int) -> None:
        # Whatever was to be kept has been fsynced before, so a failing close tells nothing new
        try:
            os.close(fd)
        except OSError:
            return

    def read(self, fd: int, size: int) -> bytes:
        return os.read(fd, size)

    def read_at(self, fd: int, size: int, offset: int) -> bytes:
        return os.pread(fd, size, offset)

    def write(self, fd: int, data: bytes | memoryview) -> int:
        return os.write(fd, data)

    def truncate(self, fd: int, size: int) -> None:
        os.ftruncate(fd, size)

    def fsync(self, fd: int) -> None:
        # macOS flushes only to the drive's cache unless it is asked for more
        full = getattr(fcntl, "F_FULLFSYNC", None)
        if full is not None:
            fcntl.fcntl(fd, full)
        else:
            os.fsync(fd)

    def status(self, fd: int) -> os.stat_result:
        return os.fstat(fd)

    def status_of(self, name: str, *, dir_fd: int) -> os.stat_result:
        return os.stat(name, dir_fd=dir_fd, follow_symlinks=False)

    def names(self, fd: int) -> list[str]:
        return os.listdir(fd)

    def make_folder(self, name: str, *, dir_fd: int) -> None:
        os.mkdir(name, 0o700, dir_fd=dir_fd)

    def remove_folder(self, name: str, *, dir_fd: int) -> None:
        os.rmdir(name, dir_fd=dir_fd)

    def link(self, name: str, new: str, *, dir_fd: int, new_dir_fd: int) -> None:
        os.link(name, new, src_dir_fd=dir_fd, dst_dir_fd=new_dir_fd, follow_symlinks=False)

    def rename(self, name: str, new: str, *, dir_fd: int, new_dir_fd: int) -> None:
        os.rename(name, new, src_dir_fd=dir_fd, dst_dir_fd=new_dir_fd)

    def unlink(self, name: str, *, dir_fd: int) -> None:
        os.unlink(name, dir_fd=dir_fd)

    def try_lock(self, fd: int) -> bool:
        """Take the exclusive lock if nobody holds it. flock, since a POSIX lock is dropped when any fd closes."""
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def open_regular(fs: FileSystem, name: str, flags: int, *, dir_fd: int) -> int:
    """A plain file; OSError for anything else, such as a pipe that would make us wait for its other end."""
    fd = fs.open(name, flags | os.O_NONBLOCK, dir_fd=dir_fd)
    try:
        if not stat.S_ISREG(fs.status(fd).st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file")
    except BaseException:
        fs.close(fd)
        raise
    return fd


def failure(error: OSError, path: str, *, reading: bool = False) -> TrinhoError:
    """The typed error for what the operating system answered to one who was writing, or only `reading`."""
    reason = error.strerror or str(error)
    if reading and error.errno in REFUSED:
        return StoreUnreadableError(path, reason)
    if error.errno in _FULL:
        return StoreFullError(path, reason)
    if error.errno in _READ_ONLY:
        return StoreReadOnlyError(path, reason)
    return StoreIOError(path, reason)


def read_exactly(fs: FileSystem, fd: int, size: int, offset: int) -> bytes:
    """The bytes at a place, however short the single reads are; fewer only where the file ends."""
    pieces = []
    while size > 0 and (piece := fs.read_at(fd, size, offset)):
        pieces.append(piece)
        offset += len(piece)
        size -= len(piece)
    return b"".join(pieces)


def make_folder(fs: FileSystem, name: str, parent: int) -> None:
    """A folder that is durably there; one whose entry couldn't be made durable isn't left behind."""
    try:
        fs.make_folder(name, dir_fd=parent)
    except FileExistsError:  # another process was faster
        return
    try:
        fs.fsync(parent)
    except OSError:
        with suppress(OSError):
            fs.remove_folder(name, dir_fd=parent)
        raise


def write_all(fs: FileSystem, fd: int, data: bytes) -> None:
    """Write every byte, however short the single writes are."""
    rest = memoryview(data)
    while rest:
        rest = rest[fs.write(fd, rest) :]
