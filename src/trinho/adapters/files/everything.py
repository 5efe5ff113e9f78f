"""Every file below a root but the databases: to prove that something is in none of them."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from trinho.adapters.files.root import STATE
from trinho.adapters.files.syscalls import failure

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from trinho.adapters.files.root import Root

_BLOCK = 1 << 20
# INVARIANT: no file of an open database is opened here. Closing it would drop the locks that SQLite holds on it in this
# process, and another process would then take its log from under our feet. The databases are asked themselves.
DATABASES = frozenset(
    f"{STATE}/{name}{suffix}" for name in ("ledger.db", "index.db") for suffix in ("", "-wal", "-shm", "-journal")
)


def holding(root: Root, texts: Collection[bytes]) -> list[str]:
    """The paths of the files that hold one of the texts."""
    if not texts:
        return []
    try:
        return [path for path, name, fd in _files(root, "", root.fd) if _holds(root, name, fd, texts)]
    except OSError as error:
        raise failure(error, root.path, reading=True) from error


def _files(root: Root, prefix: str, fd: int) -> Iterator[tuple[str, str, int]]:
    for name in sorted(root.fs.names(fd)):
        try:
            status = root.fs.status_of(name, dir_fd=fd)
        except FileNotFoundError:
            continue
        if stat.S_ISDIR(status.st_mode):
            below = root.fs.open(name, os.O_RDONLY | os.O_DIRECTORY, dir_fd=fd)
            try:
                yield from _files(root, f"{prefix}{name}/", below)
            finally:
                root.fs.close(below)
        elif stat.S_ISREG(status.st_mode) and prefix + name not in DATABASES:
            yield prefix + name, name, fd


def _holds(root: Root, name: str, fd: int, texts: Collection[bytes]) -> bool:
    overlap = max(len(text) for text in texts)
    try:
        file = root.fs.open(name, os.O_RDONLY | os.O_NONBLOCK, dir_fd=fd)
    except FileNotFoundError:
        return False
    try:
        window = b""
        while block := root.fs.read(file, _BLOCK):
            window = window[-overlap:] + block
            if any(text in window for text in texts):
                return True
        return False
    finally:
        root.fs.close(file)
