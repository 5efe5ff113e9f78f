"""Folders of the person outside the root: read for an import, written by an export."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from trinho.adapters.files.syscalls import failure
from trinho.adapters.files.tree import SUFFIX
from trinho.domain.entry import MAX_ENTRY_BYTES
from trinho.errors import UsageError
from trinho.ports.source import SourceFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_DEEPEST = 32


class PlainFolders:
    """See ports.source.Folders."""

    def markdown(self, path: str) -> Iterator[SourceFile]:
        folder = Path(path).expanduser()
        if not folder.is_dir():
            raise UsageError(f"`{path}` is no folder", hint="name the folder whose Markdown files are to come in")
        try:
            yield from _walk(folder, ())
        except OSError as error:
            raise failure(error, path) from error

    def write(self, path: str, files: Iterable[tuple[str, bytes]]) -> int:
        folder = Path(path).expanduser()
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(f"`{path}` is not empty", hint="name a new or empty folder")
        count = 0
        try:
            for name, raw in files:
                target = folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(raw)
                count += 1
        except OSError as error:
            raise failure(error, path) from error
        return count


def _walk(folder: Path, parts: tuple[str, ...]) -> Iterator[SourceFile]:
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            if len(parts) < _DEEPEST:
                yield from _walk(folder / entry.name, (*parts, entry.name))
        elif entry.name.lower().endswith(SUFFIX):
            yield _file(entry, (*parts, entry.name[: -len(SUFFIX)]))


def _file(entry: os.DirEntry[str], parts: tuple[str, ...]) -> SourceFile:
    if entry.is_symlink():
        return SourceFile(entry.path, parts, None, "it is a symbolic link")
    try:
        fd = os.open(entry.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        return SourceFile(entry.path, parts, None, error.strerror or "it can't be read")
    with os.fdopen(fd, "rb") as file:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            return SourceFile(entry.path, parts, None, "it is not a regular file")
        if status.st_size > MAX_ENTRY_BYTES:
            reason = f"it has {status.st_size} bytes, the limit is {MAX_ENTRY_BYTES}"
            return SourceFile(entry.path, parts, None, reason)
        return SourceFile(entry.path, parts, file.read(MAX_ENTRY_BYTES + 1))
