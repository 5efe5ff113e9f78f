"""The Markdown files of somebody else's folder, which may be anything: no link is followed, no device opened."""

from __future__ import annotations

import errno
import os
import stat
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from trinho.adapters.files.tree import SUFFIX, mark_of
from trinho.domain.entry import MAX_ENTRY_BYTES
from trinho.domain.ids import MAX_SEGMENTS
from trinho.ports.source import SourceFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST_FILES = 100_000
_LINK = "it is a symbolic link"
_GONE = "it vanished while the folder was read"
_READ_ATTEMPTS = 5
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC

AGENT_FILES = frozenset({"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "AGENTS.override.md"})
# Folders of a repository that hold other people's text or none
_FOREIGN_FOLDERS = frozenset(
    {".git", ".hg", ".svn", ".jj", "node_modules", "bower_components", "site-packages", "__pycache__"}
    | {"venv", ".venv", "virtualenv", ".virtualenv", ".tox", ".nox", ".direnv"}
)
_VENV_MARK = "pyvenv.cfg"


class Selection(NamedTuple):
    """Which names are taken and which folders entered; a folder that holds `not_beside` is passed over."""

    takes: Callable[[str], bool]
    enters: Callable[[str], bool]
    may_link: Callable[[str], bool]  # whether a link of that name is worth a word
    not_beside: str | None = None


def _is_markdown(name: str) -> bool:
    return name.lower().endswith(SUFFIX)


MARKDOWN = Selection(
    takes=_is_markdown,
    enters=lambda name: not name.startswith("."),
    may_link=lambda name: _is_markdown(name) or "." not in name,
)
AGENTS_MD = Selection(
    takes=AGENT_FILES.__contains__,
    enters=lambda name: name not in _FOREIGN_FOLDERS,
    may_link=AGENT_FILES.__contains__,
    not_beside=_VENV_MARK,
)


@dataclass(slots=True)
class SourceTree:
    """A walk through one folder. `shown` is the folder as the person named it."""

    shown: str
    selection: Selection
    most_files: int = MOST_FILES
    met: int = field(default=0, init=False)

    def files(self, fd: int) -> Iterator[SourceFile]:
        """Every file that the selection takes, in the order of its path. The descriptor is closed at the end."""
        try:
            yield from self._folder((), fd)
        finally:
            os.close(fd)
        if self.met > self.most_files:
            yield self._fault((), f"it holds more than {self.most_files} files; import its parts one by one")

    def one(self, fd: int, name: str) -> Iterator[SourceFile]:
        """One file of a folder. The descriptor is closed at the end."""
        try:
            yield self._file((name,), fd)
        finally:
            os.close(fd)

    def _folder(self, parts: tuple[str, ...], fd: int) -> Iterator[SourceFile]:
        try:
            found = self._found(fd)
        except OSError as error:
            yield self._fault(parts, error.strerror or "it can't be read")
            return
        for name, is_folder in found:
            self.met += 1
            if self.met > self.most_files:
                return
            if is_folder:
                yield from self._below((*parts, name), fd)
            else:
                yield self._file((*parts, name), fd)

    def _found(self, fd: int) -> list[tuple[str, bool]]:
        """The names that matter in a folder, and which are folders; no more of them than are looked at."""
        found: list[tuple[str, bool]] = []
        with os.scandir(fd) as entries:
            for entry in entries:
                if entry.name == self.selection.not_beside:
                    return []
                is_folder = entry.is_dir(follow_symlinks=False)
                if self._matters(entry, is_folder=is_folder):
                    found.append((entry.name, is_folder))
                if len(found) > self.most_files:
                    break
        return sorted(found)

    def _matters(self, entry: os.DirEntry[str], *, is_folder: bool) -> bool:
        if is_folder:
            return self.selection.enters(entry.name)
        if entry.is_symlink():
            return self.selection.may_link(entry.name)
        return self.selection.takes(entry.name)

    def _below(self, parts: tuple[str, ...], parent: int) -> Iterator[SourceFile]:
        if len(parts) >= MAX_SEGMENTS:
            yield self._fault(parts, f"it is {MAX_SEGMENTS} folders deep, and no id has so many segments")
            return
        try:
            fd = os.open(parts[-1], _FOLDER, dir_fd=parent)
        except OSError as error:
            yield self._fault(parts, _reason(error))
            return
        try:
            yield from self._folder(parts, fd)
        finally:
            os.close(fd)

    def _file(self, parts: tuple[str, ...], fd: int) -> SourceFile:
        name = parts[-1]
        if name.startswith("."):
            return self._fault(parts, "it is hidden")
        try:
            read = _whole(name, fd)
        except OSError as error:
            return self._fault(parts, _reason(error))
        if isinstance(read, str):
            return self._fault(parts, read)
        return SourceFile(self._shown(parts), _stemmed(parts), read)

    def _fault(self, parts: tuple[str, ...], reason: str) -> SourceFile:
        return SourceFile(self._shown(parts), _stemmed(parts), None, reason)

    def _shown(self, parts: tuple[str, ...]) -> str:
        path = os.path.join(self.shown, *parts)
        return path.encode(errors="surrogateescape").decode(errors="backslashreplace")


def open_folder(path: str) -> int:
    """A descriptor of a folder that is no link."""
    return os.open(path, _FOLDER)


def _stemmed(parts: tuple[str, ...]) -> tuple[str, ...]:
    return (*parts[:-1], parts[-1][: -len(SUFFIX)]) if parts and _is_markdown(parts[-1]) else parts


def _whole(name: str, parent: int) -> bytes | str:
    """The bytes of a file as they were at one moment, or why they aren't to be had."""
    for attempt in range(_READ_ATTEMPTS):
        if attempt:
            time.sleep(0.01 * attempt)  # whoever truncates and writes needs a moment
        status = os.stat(name, dir_fd=parent, follow_symlinks=False)
        if not stat.S_ISREG(status.st_mode):  # opening a FIFO or a device would already be an act
            return _LINK if stat.S_ISLNK(status.st_mode) else "it is not a regular file"
        with _opened(name, parent) as fd:
            before = os.fstat(fd)
            if not stat.S_ISREG(before.st_mode):
                return "it is not a regular file"
            if before.st_size > MAX_ENTRY_BYTES:
                return f"it has {before.st_size} bytes, the limit is {MAX_ENTRY_BYTES}"
            raw = _up_to(fd, before.st_size + 1)
            if len(raw) == before.st_size and mark_of(before) == mark_of(os.fstat(fd)):
                return raw
    return "it keeps changing while it is read"


@contextmanager
def _opened(name: str, parent: int) -> Iterator[int]:
    fd = os.open(name, _FILE, dir_fd=parent)
    try:
        yield fd
    finally:
        os.close(fd)


def _up_to(fd: int, size: int) -> bytes:
    pieces = []
    while size > 0 and (piece := os.read(fd, size)):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _reason(error: OSError) -> str:
    if error.errno == errno.ENOENT:
        return _GONE
    if error.errno in (errno.ELOOP, errno.ENOTDIR):
        return _LINK
    return (error.strerror or "it can't be read").lower()
