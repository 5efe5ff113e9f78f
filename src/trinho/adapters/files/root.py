"""The root folder: opened once, pinned by its descriptor, and known again."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from trinho.adapters.files.mounts import is_mask
from trinho.adapters.files.names import Siblings, actual
from trinho.adapters.files.syscalls import FileSystem, failure, make_folder, write_all
from trinho.errors import (
    InvalidRootError,
    StoreDamagedError,
    StoreForkedError,
    StoreFormatNewerError,
    StoreFormatOlderError,
    StoreReplacedError,
)

if TYPE_CHECKING:
    from collections.abc import Callable

FORMAT = 1
STATE = ".trinho"
# What another tool of the same file layout leaves in its root; such a root has no format yet.
FOREIGN_INDEX = ".alp-memory-index.json"
_MOVE_AWAY = "move it away and run the command again"
_FOLDERS = ("shared", "projects", "private")


class Root:
    """An open memory root. Everything below it is reached from its descriptor, never again by its path."""

    def __init__(self, path: str, fd: int, fs: FileSystem) -> None:
        self.path = path
        self.fd = fd
        self.fs = fs
        self._pid = os.getpid()
        status = os.fstat(fd)
        self._identity = (status.st_dev, status.st_ino)
        self._state: tuple[int, tuple[int, int]] | None = None
        self.siblings = Siblings(fs)
        self.folds_case = False

    def actual(self, fd: int, name: str) -> str:
        """How a folder below spells a name, see names.actual."""
        return actual(self.fs, fd, name, folds_case=self.folds_case)

    def check(self) -> None:
        """StoreForkedError or StoreReplacedError where the descriptor no longer stands for the path."""
        if os.getpid() != self._pid:
            raise StoreForkedError(self._pid, os.getpid())
        try:
            status = os.stat(self.path, follow_symlinks=False)
        except OSError as error:
            raise StoreReplacedError(self.path) from error
        if (status.st_dev, status.st_ino) != self._identity:
            raise StoreReplacedError(self.path)
        self._forget_replaced_state()

    def state(self, *, create: bool) -> int:
        """A descriptor of `.trinho`, which is opened once and closed with the root."""
        if self._state is None:
            fd = _folder_in(self.fs, STATE, self.fd, create=create)
            status = os.fstat(fd)
            self._state = (fd, (status.st_dev, status.st_ino))
        return self._state[0]

    def _forget_replaced_state(self) -> None:
        if self._state is None:
            return
        fd, identity = self._state
        try:
            status = os.stat(STATE, dir_fd=self.fd, follow_symlinks=False)
        except OSError:
            status = None
        if status is None or (status.st_dev, status.st_ino) != identity:
            self._state = None
            self.fs.close(fd)

    def state_path(self, name: str) -> str:
        return os.path.join(self.path, STATE, name)

    def close(self) -> None:
        if self._state is not None:
            self.fs.close(self._state[0])
            self._state = None
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


def open_root(path: str, fs: FileSystem, *, any_format: bool = False) -> Root:
    """The root at `path`, made if it isn't there; InvalidRootError if it can't be one.

    `any_format` opens an older root too, so that it can be migrated.
    """
    path = whole_path(path)
    root = Root(path, _open_folder(path), fs)
    try:
        _prepare(root, any_format=any_format)
        root.folds_case = _is_there(root, STATE.upper(), stat.S_ISDIR)
    except BaseException:
        root.close()
        raise
    return root


def whole_path(path: str) -> str:
    """The path from the top of the file system; InvalidRootError where there is none such."""
    if "\0" in path:
        raise InvalidRootError(path, "it holds a NUL character", "name a folder")
    expanded = os.path.expanduser(path)
    if expanded.startswith("~"):
        raise InvalidRootError(path, "there is no such user's home", "name the folder by its whole path")
    try:
        return os.path.abspath(expanded)
    except FileNotFoundError as error:
        raise InvalidRootError(path, "the current folder is gone", "name the root by its whole path") from error


def holds_nothing(path: str) -> bool:
    """Whether no memory is there, and nothing of which opening it would say why it can't be one."""
    path = whole_path(path)
    try:
        if not stat.S_ISDIR(os.lstat(path).st_mode):
            return False
        for name in (STATE, *_FOLDERS, FOREIGN_INDEX):
            with suppress(FileNotFoundError):
                os.lstat(os.path.join(path, name))
                return False
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _open_folder(path: str) -> int:
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return os.open(path, flags)
    except FileNotFoundError:
        if os.path.islink(path):
            raise _symlink(path) from None
    except NotADirectoryError as error:
        if os.path.islink(path):
            raise _symlink(path) from error
        raise InvalidRootError(path, "it is not a folder", "name a folder") from error
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise _symlink(path) from error
        raise failure(error, path, reading=True) from error
    try:
        _make_folders(path)
        return os.open(path, flags)
    except NotADirectoryError as error:
        raise InvalidRootError(path, "a part of it is not a folder", "name a folder") from error
    except OSError as error:
        raise failure(error, path) from error


def _symlink(path: str) -> InvalidRootError:
    return InvalidRootError(path, "it is a symbolic link", f"name its target: {os.path.realpath(path)}")


def _make_folders(path: str) -> None:
    missing = []
    while not os.path.isdir(path):
        missing.append(path)
        path = os.path.dirname(path)
    for folder in reversed(missing):
        os.mkdir(folder, 0o700)
        parent = os.open(os.path.dirname(folder), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(parent)
        finally:
            os.close(parent)


def _prepare(root: Root, *, any_format: bool) -> None:
    found = read_format(root)
    if found is None:
        if _is_there(root, FOREIGN_INDEX):
            found = 0
        else:
            refuse_mask(root.path)
            write_format(root)
            return
    if found > FORMAT:
        raise StoreFormatNewerError(root.path, found, FORMAT)
    if found < FORMAT and not any_format:
        raise StoreFormatOlderError(root.path, found, FORMAT)


def refuse_mask(path: str) -> None:
    """InvalidRootError where a sandbox hides the root: what is written there is gone when the sandbox ends."""
    if is_mask(path):
        reason = "an empty file system is mounted over it, as a sandbox hides what it denies"
        raise InvalidRootError(path, reason, "run the command outside of the sandbox, or name a folder that it lets in")


def read_format(root: Root) -> int | None:
    """The format the root says it has, or None where it says nothing."""
    path = os.path.join(root.path, STATE, "format")
    try:
        state = root.fs.open(STATE, os.O_RDONLY | os.O_DIRECTORY, dir_fd=root.fd)
    except FileNotFoundError:
        return None
    except NotADirectoryError as error:
        raise StoreDamagedError(os.path.join(root.path, STATE), "it is no folder", _MOVE_AWAY) from error
    except OSError as error:
        raise failure(error, os.path.join(root.path, STATE), reading=True) from error
    try:
        fd = root.fs.open("format", os.O_RDONLY | os.O_NONBLOCK, dir_fd=state)
    except FileNotFoundError:
        return None
    except PermissionError as error:
        raise failure(error, path, reading=True) from error
    except OSError as error:
        raise StoreDamagedError(path, error.strerror or "unreadable", "restore it from a backup") from error
    finally:
        root.fs.close(state)
    try:
        text = root.fs.read(fd, 32)
    except OSError as error:
        raise StoreDamagedError(path, error.strerror or "unreadable", "restore it from a backup") from error
    finally:
        root.fs.close(fd)
    if not text.strip().isdigit():
        hint = f"if this root is of format {FORMAT}, write {FORMAT} into that file"
        raise StoreDamagedError(path, "it holds no format number", hint)
    return int(text)


def write_format(root: Root) -> None:
    """Mark the root as being of this format; the mark is there whole or not at all."""
    fs = root.fs
    try:
        state = state_folder(root)
    except OSError as error:
        raise failure(error, root.path) from error
    name = f".tmp-format-{os.getpid()}"
    try:
        fd = fs.open(name, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, dir_fd=state)
        try:
            write_all(fs, fd, f"{FORMAT}\n".encode())
            fs.fsync(fd)
        finally:
            fs.close(fd)
        fs.rename(name, "format", dir_fd=state, new_dir_fd=state)
        fs.fsync(state)
    except OSError as error:
        with suppress(OSError):
            fs.unlink(name, dir_fd=state)
        raise failure(error, os.path.join(root.path, STATE)) from error
    finally:
        fs.close(state)


def state_folder(root: Root, *names: str, create: bool = True) -> int:
    """A descriptor of a folder below `.trinho`; the caller closes it.

    A missing one is made durably, or raises FileNotFoundError without `create`.
    """
    state = fd = root.state(create=create)
    if not names:
        return os.dup(state)
    for depth, name in enumerate(names):
        parent = fd
        try:
            fd = _folder_in(root.fs, name, parent, create=create)
        except OSError as error:
            if error.errno not in (errno.ENOTDIR, errno.ELOOP):
                raise
            path = root.state_path("/".join(names[: depth + 1]))
            raise StoreDamagedError(path, "it is no folder", _MOVE_AWAY) from error
        finally:
            if parent != state:
                root.fs.close(parent)
    return fd


def _folder_in(fs: FileSystem, name: str, parent: int, *, create: bool) -> int:
    try:
        return fs.open(name, os.O_RDONLY | os.O_DIRECTORY, dir_fd=parent)
    except FileNotFoundError:
        if not create:
            raise
    make_folder(fs, name, parent)
    return fs.open(name, os.O_RDONLY | os.O_DIRECTORY, dir_fd=parent)


def _is_there(root: Root, name: str, kind: Callable[[int], bool] = stat.S_ISREG) -> bool:
    try:
        return kind(root.fs.status_of(name, dir_fd=root.fd).st_mode)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise failure(error, os.path.join(root.path, name), reading=True) from error
