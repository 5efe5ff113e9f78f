"""A slow look at the tree for what works and isn't as it should be; `scan` is for what can't be used."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from trinho.adapters.files import journal
from trinho.adapters.files.names import spelled
from trinho.adapters.files.root import FOREIGN_INDEX, STATE, Root, state_folder
from trinho.adapters.files.syscalls import failure
from trinho.adapters.files.tree import SUFFIX, TEMPORARY, TOPS, TRASH, id_of
from trinho.domain.ids import INDEX_NAME, MAX_SEGMENTS
from trinho.errors import InvalidMemoryIdError, StoreDamagedError, TrinhoError
from trinho.ports.survey import Oddity, OddityKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from trinho.domain.ids import MemoryId

_MARKDOWN = (".md", ".markdown", ".mdown", ".mkd", ".mdx")
_README = "readme.md"


class _Place(NamedTuple):
    """A folder under way: its names from the root down as IDs spell them, its descriptor, its owner, what is in it."""

    folders: tuple[str, ...]
    fd: int
    owner: int
    names: frozenset[str] = frozenset()


def survey(root: Root) -> Iterator[Oddity]:
    """Everything odd that lies in the tree and beside it."""
    try:
        yield from _of_state(root)
        yield from _misplaced(root)
        kept = _kept(root)
        top = root.fs.status(root.fd)
        yield from _open_to_others((), top, root.path)
        for name in sorted(root.fs.names(root.fd)):
            if name in TOPS:
                yield from _below(root, _Place((), root.fd, top.st_uid), name, kept)
            else:
                yield from _beside(root, name)
    except OSError as error:
        raise failure(error, root.path, reading=True) from error


def _of_state(root: Root) -> Iterator[Oddity]:
    try:
        for run, _ in journal.pending(root):
            path = f"{STATE}/{journal.FOLDER}/{run}.json"
            yield Oddity(OddityKind.UNFINISHED, path, None, f"the act {run} was interrupted")
    except StoreDamagedError as error:
        yield Oddity(OddityKind.JOURNAL, os.path.relpath(str(error.fields["path"]), root.path), None, error.message)


def _misplaced(root: Root) -> Iterator[Oddity]:
    """Something else in the place of a folder of the state."""
    for name in (TRASH, journal.FOLDER):
        with suppress(FileNotFoundError):
            if not stat.S_ISDIR(root.fs.status_of(name, dir_fd=root.state(create=False)).st_mode):
                yield Oddity(OddityKind.STATE, f"{STATE}/{name}", None, "it is no folder, so nothing can be kept in it")


def _kept(root: Root) -> set[int]:
    """The inodes of what is kept for undo: an act that was interrupted may leave an entry with a second name there."""
    try:
        trash = state_folder(root, TRASH, create=False)
    except (FileNotFoundError, StoreDamagedError):
        return set()
    try:
        return set(_inodes(root, trash, root.fs.names(trash)))
    finally:
        root.fs.close(trash)


def _inodes(root: Root, fd: int, names: Iterable[str]) -> Iterator[int]:
    for name in names:
        with suppress(FileNotFoundError):
            yield root.fs.status_of(name, dir_fd=fd).st_ino


def _beside(root: Root, name: str) -> Iterator[Oddity]:
    """Markdown in the root folder itself, and folders that somebody may take for a scope."""
    if name.startswith(".") or name == FOREIGN_INDEX:
        return
    is_folder = stat.S_ISDIR(root.fs.status_of(name, dir_fd=root.fd).st_mode)
    if is_folder or (name.lower().endswith(_MARKDOWN) and name.lower() != _README):
        what = "lies beside shared, projects and private, so nothing of it is read"
        yield Oddity(OddityKind.NOT_READ, name, None, what)


def _below(root: Root, parent: _Place, name: str, kept: set[int]) -> Iterator[Oddity]:
    path = "/".join((*parent.folders, name))
    try:
        fd = root.fs.open(name, os.O_RDONLY | os.O_DIRECTORY, dir_fd=parent.fd)
    except OSError:  # what can't be entered is quarantined
        return
    try:
        status = root.fs.status(fd)
        place = _Place((*parent.folders, spelled(name)), fd, status.st_uid)
        yield from _owned(path, status, parent.owner)
        yield from _open_to_others(place.folders, status, path)
        if len(place.folders) < MAX_SEGMENTS + 1:
            names = sorted(root.fs.names(fd))
            place = place._replace(names=frozenset(names))
            kept = kept | set(_inodes(root, fd, (inner for inner in names if inner.startswith(TEMPORARY))))
            for inner in names:
                if not inner.startswith("."):
                    yield from _inner(root, place, inner, kept)
    finally:
        root.fs.close(fd)


def _inner(root: Root, place: _Place, name: str, kept: set[int]) -> Iterator[Oddity]:
    try:
        status = root.fs.status_of(name, dir_fd=place.fd)
    except (FileNotFoundError, PermissionError):  # what can't be looked at is quarantined
        return
    path = "/".join((*place.folders, name))
    # Beside a file with the usual form of its name it is quarantined, and can't be given that form
    if spelled(name) != name and spelled(name) not in place.names:
        yield Oddity(OddityKind.FORM, path, None, "its name is spelled in a Unicode form that most programs don't use")
    if stat.S_ISDIR(status.st_mode):
        yield from _below(root, place, name, kept)
        return
    if not name.endswith(SUFFIX):
        if name.lower().endswith(_MARKDOWN):
            yield Oddity(OddityKind.NOT_READ, path, None, f"only names that end in {SUFFIX} are read")
        return
    if not stat.S_ISREG(status.st_mode):
        if name == INDEX_NAME + SUFFIX:
            yield Oddity(OddityKind.INDEX_PAGE, path, None, "it is no regular file, so no line can be kept in it")
        return
    memory_id = _id(place.folders, spelled(name))
    if status.st_nlink > 1 and status.st_ino not in kept:
        what = "it has another name elsewhere (a hard link); the next update parts the two"
        yield Oddity(OddityKind.LINKED, path, memory_id, what)
    for oddity in (*_owned(path, status, place.owner), *_open_to_others(place.folders, status, path)):
        yield oddity._replace(id=memory_id)


def _id(folders: tuple[str, ...], name: str) -> MemoryId | None:
    with suppress(InvalidMemoryIdError):
        return id_of(folders, name)
    return None


def _owned(path: str, status: os.stat_result, owner: int) -> Iterator[Oddity]:
    if status.st_uid != owner:
        yield Oddity(OddityKind.OWNER, path, None, f"it belongs to user {status.st_uid}, its folder to {owner}")


def _open_to_others(folders: tuple[str, ...], status: os.stat_result, path: str) -> Iterator[Oddity]:
    """Whoever may write into a memory decides what agents are told. A sticky folder guards what others put there."""
    if status.st_mode & stat.S_IWOTH and not (stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX):
        yield Oddity(OddityKind.OPEN, path if folders else ".", None, "every user of this machine may write into it")


def tidy(root: Root) -> list[str]:
    """Give names their usual Unicode form where that is free; answers with the paths that changed."""
    changed: list[str] = []
    for top in TOPS:
        with suppress(OSError, TrinhoError):
            _tidy_below(root, (), top, root.fd, changed)
    return changed


def _tidy_below(root: Root, folders: tuple[str, ...], name: str, parent: int, changed: list[str]) -> None:
    fd = root.fs.open(name, os.O_RDONLY | os.O_DIRECTORY, dir_fd=parent)
    try:
        names = set(root.fs.names(fd))
        for inner in sorted(names):
            if inner.startswith("."):
                continue
            if stat.S_ISDIR(root.fs.status_of(inner, dir_fd=fd).st_mode):
                with suppress(OSError):
                    _tidy_below(root, (*folders, name), inner, fd, changed)
            usual = spelled(inner)
            if usual != inner and usual not in names:
                with suppress(OSError):
                    _rename(root, inner, usual, fd)
                    names.add(usual)
                    changed.append("/".join((*folders, name, usual)))
    finally:
        root.fs.close(fd)


def _rename(root: Root, name: str, usual: str, fd: int) -> None:
    """Never over anything: a file by a link, a folder by a rename, which takes nothing but an empty one."""
    if stat.S_ISDIR(root.fs.status_of(name, dir_fd=fd).st_mode):
        root.fs.rename(name, usual, dir_fd=fd, new_dir_fd=fd)
    else:
        root.fs.link(name, usual, dir_fd=fd, new_dir_fd=fd)
        root.fs.unlink(name, dir_fd=fd)
    root.fs.fsync(fd)
