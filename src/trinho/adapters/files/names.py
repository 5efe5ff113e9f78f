"""Between the segments of IDs and the names that a folder has: Unicode forms, and names that differ only in case."""

from __future__ import annotations

import errno
import os
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trinho.adapters.files.syscalls import FileSystem

_MOST_FOLDERS = 64


def spelled(name: str) -> str:
    """The name in the form that IDs have; macOS and some archives write letters and their marks apart."""
    return name if name.isascii() else unicodedata.normalize("NFC", name)


def folded(name: str) -> str:
    """What two names have in common that are one file on macOS and Windows."""
    return spelled(name).casefold()


def actual(fs: FileSystem, fd: int, name: str, *, folds_case: bool) -> str:
    """How a folder spells a name; the name itself where nothing is there.

    FileNotFoundError where the file system would give another one for it that differs in case.
    """
    if folds_case:
        forms = _forms(fs.names(fd), name)
        if not forms:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
        return forms[0]
    if name.isascii():
        return name
    try:
        fs.status_of(name, dir_fd=fd)
    except FileNotFoundError:
        forms = _forms(fs.names(fd), name)
        return forms[0] if forms else name
    return name


def _forms(names: Iterable[str], name: str) -> list[str]:
    """The names that are the same text, the one in its usual form first."""
    return sorted((other for other in names if spelled(other) == name), key=lambda other: (other != name, other))


class _Known(NamedTuple):
    """What a folder held at that mtime: its names as IDs spell them, and folded."""

    mtime_ns: int
    names: set[str]
    folded: set[str]


class Siblings:
    """Tells whether a new name would differ only in case from one that is there.

    A folder is listed once and again when its mtime says so. Within one tick of the clock a name that somebody else
    adds can be missed: then it is for `doctor` to tell.
    """

    def __init__(self, fs: FileSystem) -> None:
        self._fs = fs
        self._known: dict[tuple[int, int], _Known] = {}

    def twins(self, fd: int, name: str) -> list[str]:
        """Names that differ from this one only in case, where the folder lacks it."""
        known = self._look(fd)
        if name in known.names or folded(name) not in known.folded:
            return []
        return sorted(other for other in known.names if folded(other) == folded(name))

    def wrote(self, fd: int, name: str) -> None:
        """The change that the folder has seen since was ours: this name."""
        status = self._fs.status(fd)
        key = (status.st_dev, status.st_ino)
        known = self._known.get(key)
        if known is not None:
            known.names.add(name)
            known.folded.add(folded(name))
            self._known[key] = known._replace(mtime_ns=status.st_mtime_ns)

    def _look(self, fd: int) -> _Known:
        status = self._fs.status(fd)
        key = (status.st_dev, status.st_ino)
        known = self._known.get(key)
        if known is None or known.mtime_ns != status.st_mtime_ns:
            names = {spelled(name) for name in self._fs.names(fd) if not name.startswith(".")}
            known = _Known(status.st_mtime_ns, names, {folded(name) for name in names})
            if len(self._known) >= _MOST_FOLDERS:
                self._known.clear()
            self._known[key] = known
        return known
