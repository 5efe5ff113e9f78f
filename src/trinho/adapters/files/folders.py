"""Folders of the person outside the root: read for an import, written by an export."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from trinho.adapters.files import source_tree
from trinho.adapters.files.index_page import NAME as INDEX
from trinho.adapters.files.syscalls import failure
from trinho.adapters.files.tree import SUFFIX
from trinho.errors import StoreFullError, UsageError, shown
from trinho.ports.source import Source, SourceKind

if TYPE_CHECKING:
    from collections.abc import Iterable

# The folder that an agent's client keeps its memory in, below what a person names
_INNER = {SourceKind.CLAUDE_CODE: "memory", SourceKind.DOT_MEMORY: ".memory"}
_SELECTIONS = {SourceKind.AGENTS_MD: source_tree.AGENTS_MD}
_OWN_MODE = 0o600


class PlainFolders:
    """See ports.source.Folders."""

    def source(self, kind: SourceKind, path: str, root: str) -> Source:
        named = os.path.expanduser(path)
        real = _resolved(path, named)
        if kind is SourceKind.AGENTS_MD and stat.S_ISREG(os.stat(real).st_mode):
            return _one_file(path, named, real, root)
        if not os.path.isdir(real):
            raise UsageError(
                f"`{shown(path)}` is no folder", hint="name the folder whose Markdown files are to come in"
            )
        inner = _inner(kind, path, real)
        folder = os.path.join(real, inner) if inner else real
        _expect_apart(path, folder, root)
        named = os.path.join(named, inner) if inner else named
        walk = source_tree.SourceTree(named, _SELECTIONS.get(kind, source_tree.MARKDOWN))
        return Source(_name(kind, folder), walk.files(_opened(path, folder)))

    def write(self, path: str, files: Iterable[tuple[str, bytes]], root: str) -> int:
        folder = _new_folder(path, root)
        count = 0
        try:
            for name, raw in files:
                target = folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                _write_new(target, raw)
                count += 1
        except OSError as error:
            raise failure(error, path) from error
        return count


def _new_folder(path: str, root: str) -> Path:
    """The folder at a path, made if it isn't there; UsageError unless it is empty and outside the root."""
    try:
        folder = Path(os.path.realpath(os.path.expanduser(path)))
        if _is_within(str(folder), root):
            raise UsageError(f"`{shown(path)}` is inside the memory root", hint="name a folder outside of it")
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise UsageError(f"`{shown(path)}` is not empty", hint="name a new or empty folder")
    except FileExistsError as error:
        raise UsageError(f"`{shown(path)}` is no folder", hint="name a new or empty folder") from error
    except (OSError, ValueError) as error:
        full = failure(error, path) if isinstance(error, OSError) else None
        if isinstance(full, StoreFullError):
            raise full from error
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"`{shown(path)}` can't be written: {reason}", hint="name another folder") from error
    return folder


def _resolved(path: str, named: str) -> str:
    """The path with its links resolved, once and for all."""
    try:
        return os.path.realpath(named, strict=True)
    except FileNotFoundError as error:
        raise UsageError(f"there is no `{shown(path)}`", hint="name a folder that exists") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"`{shown(path)}` can't be opened: {reason}", hint="name a folder that can be read") from error


def _opened(path: str, real: str) -> int:
    try:
        return source_tree.open_folder(real)
    except OSError as error:
        raise UsageError(f"`{shown(path)}` can't be read: {error.strerror}", hint="check who may read it") from error


def _one_file(path: str, named: str, real: str, root: str) -> Source:
    folder, name = os.path.split(real)
    if not name.lower().endswith(SUFFIX):
        raise UsageError(f"`{shown(path)}` is no Markdown file", hint="name a CLAUDE.md, an AGENTS.md or a repository")
    if _is_within(folder, root):
        raise UsageError(f"`{shown(path)}` is inside the memory root", hint="what is there is in the memory already")
    walk = source_tree.SourceTree(os.path.dirname(named), source_tree.AGENTS_MD)
    return Source(os.path.basename(folder), walk.one(_opened(path, folder), name))


def _inner(kind: SourceKind, path: str, real: str) -> str:
    """The memory folder below the one that was named, or nothing if it is the memory folder itself."""
    inner = _INNER.get(kind)
    if inner is None or os.path.basename(real) == inner or os.path.isfile(os.path.join(real, INDEX)):
        return ""
    below = os.path.join(real, inner)
    if os.path.islink(below) or not os.path.isdir(below):
        raise UsageError(
            f"`{shown(path)}` holds no `{inner}` folder",
            hint=f"name the folder that has the {INDEX}, or `import markdown` for any other",
        )
    return inner


def _name(kind: SourceKind, folder: str) -> str:
    """What the folder belongs to: the project around it where it has the name that all of its kind have."""
    parent, name = os.path.split(folder)
    return os.path.basename(parent) if name == _INNER.get(kind) else name


def _expect_apart(path: str, folder: str, root: str) -> None:
    if _is_within(folder, root):
        raise UsageError(f"`{shown(path)}` is inside the memory root", hint="what is there is in the memory already")
    if _is_within(root, folder):
        raise UsageError(f"the memory root is inside `{shown(path)}`", hint="name a folder that doesn't hold the root")


def _is_within(path: str, folder: str) -> bool:
    """Whether the path, which need not exist yet, is the folder or lies in it. Files are compared, not names."""
    try:
        wanted = os.stat(folder)
    except OSError:
        return False
    path = os.path.realpath(path)
    while True:
        try:
            found = os.stat(path)
        except OSError:
            found = None
        if found is not None and os.path.samestat(found, wanted):
            return True
        parent = os.path.dirname(path)
        if parent == path:
            return False
        path = parent


def _write_new(target: Path, raw: bytes) -> None:
    fd = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, _OWN_MODE)
    with os.fdopen(fd, "wb") as file:
        file.write(raw)
