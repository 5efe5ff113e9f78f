"""MEMORY.md: not an entry, yet written as carefully, since people write into it too."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from trinho.adapters.files.syscalls import failure, read_exactly, write_all
from trinho.adapters.files.tree import SUFFIX, folder_path
from trinho.adapters.files.tree import folder as open_folder
from trinho.domain.ids import INDEX_NAME
from trinho.errors import FileChangedError, PathTraversalError, StoreIOError

if TYPE_CHECKING:
    from trinho.adapters.files.root import Root

NAME = INDEX_NAME + SUFFIX
MAX_BYTES = 4 * 1024 * 1024


def read(root: Root, folder: tuple[str, ...]) -> bytes:
    """Its bytes, empty where there is none."""
    path = folder_path(folder)
    try:
        with open_folder(root, tuple(path.split("/"))) as fd:
            return _read(root, f"{path}/{NAME}", fd)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise failure(error, f"{path}/{NAME}", reading=True) from error


def write(root: Root, folder: tuple[str, ...], text: str, expect: str, temporary: str) -> None:
    """Replace it by rename, if it still reads as expected."""
    fs = root.fs
    path = folder_path(folder)
    try:
        with open_folder(root, tuple(path.split("/")), create=True) as fd:
            file = fs.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, dir_fd=fd)
            try:
                try:
                    write_all(fs, file, text.encode(errors="surrogateescape"))
                    fs.fsync(file)
                finally:
                    fs.close(file)
                if _read(root, f"{path}/{NAME}", fd) != expect.encode(errors="surrogateescape"):
                    raise FileChangedError(f"{path}/{NAME}")
                fs.rename(temporary, NAME, dir_fd=fd, new_dir_fd=fd)
                with suppress(OSError):
                    root.siblings.wrote(fd, NAME)
            finally:
                with suppress(FileNotFoundError):
                    fs.unlink(temporary, dir_fd=fd)
    except OSError as error:
        raise failure(error, f"{path}/{NAME}") from error


def _read(root: Root, path: str, fd: int) -> bytes:
    fs = root.fs
    try:
        if stat.S_ISLNK(fs.status_of(NAME, dir_fd=fd).st_mode):
            raise PathTraversalError(path, "it is a symbolic link")
        file = fs.open(NAME, os.O_RDONLY | os.O_NONBLOCK, dir_fd=fd)
    except FileNotFoundError:
        return b""
    try:
        status = fs.status(file)
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
            raise StoreIOError(path, f"it is no regular file of at most {MAX_BYTES} bytes")
        return read_exactly(fs, file, MAX_BYTES + 1, 0)
    finally:
        fs.close(file)
