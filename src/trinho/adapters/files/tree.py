"""The tree of entry files: from an ID to a file and back, component by component, never by a path."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import time
from contextlib import contextmanager, suppress
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from trinho.adapters.files.names import spelled
from trinho.adapters.files.syscalls import REFUSED, FileSystem, failure, make_folder
from trinho.domain.entry import MAX_ENTRY_BYTES
from trinho.domain.ids import INDEX_NAME, MAX_SEGMENTS, TEAM, MemoryId, is_index_twin, parse_memory_id
from trinho.domain.versions import FileMark
from trinho.errors import (
    InvalidMemoryIdError,
    MemoryEntryAlreadyExistsError,
    MemoryEntryNotFoundError,
    PathTraversalError,
    TrinhoError,
    UnreadableEntryError,
    shown,
)
from trinho.ports.store import Found, StoredFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from trinho.adapters.files.root import Root

SUFFIX = ".md"
TEMPORARY = ".tmp-"
TRASH = "trash"
STALE_SECONDS = 3600
_TOP_FOLDERS = {"shared": "shared", "project": "projects", "private": "private"}
TOPS = frozenset(_TOP_FOLDERS.values())
_SCOPES = {folder: scope for scope, folder in _TOP_FOLDERS.items()}
_HOST = "".join(c for c in os.uname().nodename if c.isalnum() or c in "._")[:64] or "host"
_READ_ATTEMPTS = 5


def location(id: MemoryId) -> tuple[tuple[str, ...], str]:
    """The folders from the root down and the file name of an ID."""
    folders = (_TOP_FOLDERS[id.parts[0]], *id.parts[1:-1])
    return folders, id.parts[-1] + SUFFIX


def path_of(id: MemoryId) -> str:
    """The file of an ID, relative to the root."""
    folders, name = location(id)
    return "/".join((*folders, name))


def kept_name(seq: int) -> str:
    """The name in the trash of what the audit line `seq` replaced or took away."""
    return f"{seq}{SUFFIX}"


def folder_path(folder: tuple[str, ...]) -> str:
    """The scope folder of MemoryId.folder, relative to the root."""
    return "/".join((_TOP_FOLDERS[folder[0]], *folder[1:]))


def id_of(folders: tuple[str, ...], name: str) -> MemoryId:
    """The ID of a file; InvalidMemoryIdError where its name can't be one."""
    text = ":".join((_SCOPES[folders[0]], *folders[1:], name[: -len(SUFFIX)]))
    if text.count(":") != len(folders):  # else a name would count as two segments, and lead to another file
        raise InvalidMemoryIdError(text, "a segment holds :")
    return parse_memory_id(text)


def _pass(_fd: int, _name: str) -> None:
    """Every step is fine."""


@contextmanager
def folder(
    root: Root, folders: tuple[str, ...], *, create: bool = False, before: Callable[[int, str], None] = _pass
) -> Iterator[int]:
    """A descriptor of a folder below the root, reached without following one link; FileNotFoundError if missing.

    `before` is asked before each step down, with the descriptor of the folder and the name in it.
    """
    fd = _walk(root, folders, create=create, before=before)
    try:
        yield fd
    finally:
        if fd != root.fd:
            root.fs.close(fd)


def _walk(root: Root, folders: tuple[str, ...], *, create: bool, before: Callable[[int, str], None]) -> int:
    fd = root.fd
    for depth, name in enumerate(folders):
        try:
            before(fd, name)
            below = _enter(root, name, fd, create=create)
        except NotADirectoryError as error:
            raise _not_a_folder(root.fs, folders[: depth + 1], fd) from error
        finally:
            if fd != root.fd:
                root.fs.close(fd)
        fd = below
    return fd


def _enter(root: Root, name: str, parent: int, *, create: bool) -> int:
    fs, flags = root.fs, os.O_RDONLY | os.O_DIRECTORY
    try:
        return fs.open(root.actual(parent, name), flags, dir_fd=parent)
    except FileNotFoundError:
        if not create:
            raise
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise NotADirectoryError from error
        raise
    make_folder(fs, name, parent)
    return fs.open(name, flags, dir_fd=parent)


def _not_a_folder(fs: FileSystem, parts: tuple[str, ...], parent: int) -> Exception:
    path = "/".join(parts)
    with suppress(OSError):
        if stat.S_ISLNK(fs.status_of(parts[-1], dir_fd=parent).st_mode):
            return PathTraversalError(path, "a part of it is a symbolic link")
    return PathTraversalError(path, "a part of it is not a folder")


def mark_of(status: os.stat_result) -> FileMark:
    return FileMark(status.st_ino, status.st_size, status.st_mtime_ns)


def read_entry(root: Root, id: MemoryId) -> StoredFile:
    """The whole bytes of an entry's file, as they were at one moment."""
    folders, name = location(id)
    try:
        with folder(root, folders) as fd:
            return read_file(root.fs, id, root.actual(fd, name), fd)
    except FileNotFoundError as error:
        raise MemoryEntryNotFoundError(str(id)) from error
    except OSError as error:
        if error.errno in REFUSED:
            path = path_of(id)
            hint = f"check who may read `{shown(path)}` and the folders above it"
            raise UnreadableEntryError(str(id), path, error.strerror or "not allowed", hint) from error
        raise _failure(error, id) from error


def expect_free(root: Root, id: MemoryId, sees: Callable[[MemoryId], bool]) -> None:
    """Return if a new file may have the name; else MemoryEntryAlreadyExistsError or InvalidMemoryIdError."""
    if is_index_twin(id):
        raise InvalidMemoryIdError(str(id), f"{INDEX_NAME} in any case is the name of the folder's index")
    folders, name = location(id)
    depth = count()

    def alone(fd: int, part: str) -> None:
        at = next(depth)
        twins = root.siblings.twins(fd, part)
        # Where cases are told apart, one that may not be known of is as if it weren't there
        if any(root.folds_case or at == 0 or _is_seen(root, fd, (*folders[:at], twin), sees) for twin in twins):
            raise InvalidMemoryIdError(str(id), "it differs only in upper and lower case from a name that is there")

    try:
        with folder(root, folders, before=alone) as fd:
            alone(fd, name)
            root.fs.status_of(root.actual(fd, name), dir_fd=fd)
    except FileNotFoundError:
        return
    except OSError as error:
        raise _failure(error, id) from error
    raise MemoryEntryAlreadyExistsError(str(id))


def _is_seen(root: Root, parent: int, path: tuple[str, ...], sees: Callable[[MemoryId], bool]) -> bool:
    """Whether what lies at the path, a file or a folder, is or holds an entry that may be known of."""
    *folders, name = path
    if name.endswith(SUFFIX):
        with suppress(InvalidMemoryIdError):
            if sees(id_of(tuple(folders), name)):
                return True
    if len(folders) > MAX_SEGMENTS:
        return False
    try:
        fd = root.fs.open(root.actual(parent, name), os.O_RDONLY | os.O_DIRECTORY, dir_fd=parent)
    except OSError:  # a file, or what nobody can look into
        return False
    try:
        names = [spelled(inner) for inner in root.fs.names(fd) if not inner.startswith(".")]
        return any(_is_seen(root, fd, (*path, inner), sees) for inner in names)
    finally:
        root.fs.close(fd)


def _failure(error: OSError, id: MemoryId) -> TrinhoError:
    if error.errno == errno.ENAMETOOLONG:
        return InvalidMemoryIdError(str(id), "the file system takes no name that long")
    return failure(error, path_of(id))


def read_file(fs: FileSystem, id: MemoryId, name: str, dir_fd: int) -> StoredFile:
    """Read one regular file below the size limit; a file that changes under the reading is read again."""
    for attempt in range(_READ_ATTEMPTS):
        if attempt:
            time.sleep(0.01 * attempt)  # an editor that truncates and writes needs a moment
        try:
            fd = fs.open(name, os.O_RDONLY | os.O_NONBLOCK, dir_fd=dir_fd)
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise PathTraversalError(path_of(id), "it is a symbolic link") from error
            if error.errno == errno.ENXIO:
                raise UnreadableEntryError(str(id), path_of(id), "it is not a regular file") from error
            raise
        try:
            before = fs.status(fd)
            if not stat.S_ISREG(before.st_mode):
                raise UnreadableEntryError(str(id), path_of(id), "it is not a regular file")
            if before.st_size > MAX_ENTRY_BYTES:
                reason = f"it has {before.st_size} bytes, the limit is {MAX_ENTRY_BYTES}"
                raise UnreadableEntryError(str(id), path_of(id), reason)
            raw = _read_up_to(fs, fd, before.st_size + 1)
            after = fs.status(fd)
        finally:
            fs.close(fd)
        if len(raw) == before.st_size and mark_of(before) == mark_of(after):
            return StoredFile(id, raw, hashlib.sha256(raw).hexdigest(), mark_of(after))
    raise UnreadableEntryError(str(id), path_of(id), "it keeps changing while it is read")


def _read_up_to(fs: FileSystem, fd: int, size: int) -> bytes:
    pieces = []
    while size > 0:
        piece = fs.read(fd, size)
        if not piece:
            break
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def temporary_name(counter: int) -> str:
    return f"{TEMPORARY}{_HOST}-{os.getpid()}-{counter}"


def is_stale(name: str, modified: float, now: float) -> bool:
    """Whether a temporary file is left over: its process on this host is dead, or it is older than an hour."""
    host, _, rest = name[len(TEMPORARY) :].rpartition("-")[0].rpartition("-")
    if now - modified > STALE_SECONDS:
        return True
    if host != _HOST or not rest.isdigit():
        return False
    if int(rest) == os.getpid():
        return False
    try:
        os.kill(int(rest), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False


def scan(
    root: Root, needed: Callable[[], frozenset[str]] = frozenset, entered: list[str] | None = None
) -> Iterator[Found]:
    """Every file of the tree in the order of its path; stale temporary files not `needed` are removed on the way.

    The folders that it entered, as they are spelled on the disk, are added to `entered`.
    """
    visit = _Visit(root, needed, [] if entered is None else entered)
    for top in sorted(_SCOPES):
        try:
            with folder(root, (top,)) as fd:
                yield from _scan_folder(visit, (top,), top, fd, set())
        except FileNotFoundError:
            continue
        except PathTraversalError as error:
            yield _fault((top,), str(error.fields["reason"]))
        except PermissionError as error:
            yield _fault((top,), error.strerror or "not readable")


class _Visit(NamedTuple):
    """What stays the same in all of a scan."""

    root: Root
    needed: Callable[[], frozenset[str]]
    entered: list[str]


def _scan_folder(
    visit: _Visit, folders: tuple[str, ...], place: str, fd: int, visited: set[tuple[int, int]]
) -> Iterator[Found]:
    root = visit.root
    visit.entered.append(place)
    own = root.fs.status(fd)
    if (own.st_dev, own.st_ino) in visited:
        yield _fault(folders, "the folder contains itself")
        return
    visited = visited | {(own.st_dev, own.st_ino)}
    taken: set[str] = set()
    for name in _in_usual_form_first(root.fs.names(fd)):
        if name.startswith("."):
            if name.startswith(TEMPORARY):
                _sweep(root.fs, folders, name, fd, visit.needed)
            continue
        try:
            status = root.fs.status_of(name, dir_fd=fd)
        except FileNotFoundError:  # gone since the folder was listed
            continue
        except PermissionError as error:
            yield _fault((*folders, name), error.strerror or "not readable")
            continue
        known = spelled(name)
        is_folder = stat.S_ISDIR(status.st_mode)
        if known in taken and (is_folder or name.endswith(SUFFIX)):
            yield _fault(
                (*folders, name), "another file has the same name in another Unicode form, and that one counts"
            )
            continue
        taken.add(known)
        if is_folder:
            yield from _scan_below(visit, (*folders, known), f"{place}/{name}", fd, visited)
        elif name.endswith(SUFFIX):
            yield from _found(folders, known, status)
        elif stat.S_ISLNK(status.st_mode) and "." not in name:  # for all that can be told without following it
            yield _fault((*folders, known), "it is a symbolic link")


def _in_usual_form_first(names: list[str]) -> list[str]:
    """In the order in which IDs sort; of several forms of one name the usual one before the others."""
    return sorted(names, key=lambda name: (known := spelled(name), known != name, name))


def _scan_below(
    visit: _Visit, folders: tuple[str, ...], place: str, parent: int, visited: set[tuple[int, int]]
) -> Iterator[Found]:
    fs, name = visit.root.fs, place.rpartition("/")[2]
    if len(folders) >= MAX_SEGMENTS:
        yield _fault(folders, f"more than {MAX_SEGMENTS} folders deep")
        return
    try:
        fd = fs.open(name, os.O_RDONLY | os.O_DIRECTORY, dir_fd=parent)
    except FileNotFoundError:
        return
    except PermissionError as error:
        yield _fault(folders, error.strerror or "not readable")
        return
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):  # swapped for something else since it was listed
            yield _fault(folders, "it is a symbolic link")
            return
        raise
    try:
        yield from _scan_folder(visit, folders, place, fd, visited)
    finally:
        fs.close(fd)


def _fault(folders: tuple[str, ...], reason: str) -> Found:
    return Found("/".join(folders), None, FileMark(0, 0, 0), reason)


def _found(folders: tuple[str, ...], name: str, status: os.stat_result) -> Iterator[Found]:
    path = "/".join((*folders, name))
    mark = mark_of(status)
    if name == INDEX_NAME + SUFFIX and _is_scope_folder(folders):
        return
    try:
        memory_id = id_of(folders, name)
    except InvalidMemoryIdError as error:
        yield Found(path, None, mark, str(error.fields["reason"]))
        return
    if stat.S_ISLNK(status.st_mode):
        yield Found(path, memory_id, mark, "it is a symbolic link")
    elif not stat.S_ISREG(status.st_mode):
        yield Found(path, memory_id, mark, "it is not a regular file")
    elif status.st_size > MAX_ENTRY_BYTES:
        yield Found(path, memory_id, mark, f"it has {status.st_size} bytes, the limit is {MAX_ENTRY_BYTES}")
    else:
        yield Found(path, memory_id, mark)


def _is_scope_folder(folders: tuple[str, ...]) -> bool:
    if folders[0] == "shared":
        return len(folders) == 1
    return len(folders) == 2 or (folders[0] == "projects" and len(folders) == 3 and folders[2] == TEAM)


def _sweep(fs: FileSystem, folders: tuple[str, ...], name: str, fd: int, needed: Callable[[], frozenset[str]]) -> None:
    with suppress(OSError, TrinhoError):  # a root that can't be written keeps its leftovers; they harm nobody
        if not is_stale(name, fs.status_of(name, dir_fd=fd).st_mtime, time.time()):
            return
        # INVARIANT: asked after the process was found dead, so that no plan of it can appear any more
        if "/".join((*folders, name)) not in needed():
            fs.unlink(name, dir_fd=fd)
