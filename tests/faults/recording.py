"""A file layer that records what it changes, and the states in which a power cut could leave the disk.

The model is the harshest that POSIX allows: what was written to a file and not fsynced may be there, in part or not at
all; a name made, renamed or removed in a folder that was not fsynced since may be there or not, each by itself.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from trinho.adapters.files.syscalls import FileSystem

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator
    from pathlib import Path

Luck = Literal["nothing", "everything", "chance"]


@dataclass
class _Node:
    """A file or folder as it is in memory and as it is on the disk."""

    is_folder: bool
    data: bytes = b""
    kept: bytes = b""
    names: dict[str, int] = field(default_factory=dict)
    pending: list[tuple[str | None, str | None, int]] = field(default_factory=list)  # (gone, new, node)

    def settle(self, done: list[tuple[str | None, str | None, int]]) -> dict[str, int]:
        names = dict(self.names)
        for gone, new, node in done:
            if gone is not None:
                names.pop(gone, None)
            if new is not None:
                names[new] = node
        return names


Change = tuple[str, int, str, str, int, bytes]


class RecordingFileSystem(FileSystem):
    """Records every change below a root from `arm` on."""

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self._nodes: dict[tuple[int, int], int] = {}
        self.initial: dict[int, _Node] = {}
        self._count = 0
        self._armed = False

    def arm(self, root: Path) -> None:
        """Take what is there now for durable, and begin to record."""
        self._register(root)
        self._armed = True

    def _register(self, path: Path) -> int:
        node = self._new(path.stat())
        if path.is_dir():
            names = {child.name: self._register(child) for child in sorted(path.iterdir())}
            self.initial[node] = _Node(True, names=names)
        else:
            raw = path.read_bytes()
            self.initial[node] = _Node(False, raw, raw)
        return node

    def _new(self, status: os.stat_result) -> int:
        self._count += 1
        self._nodes[status.st_dev, status.st_ino] = self._count
        return self._count

    def _of(self, fd: int) -> int:
        status = os.fstat(fd)
        return self._nodes.get((status.st_dev, status.st_ino), 0)

    def _at(self, name: str, dir_fd: int) -> int:
        status = os.stat(name, dir_fd=dir_fd, follow_symlinks=False)
        return self._nodes.get((status.st_dev, status.st_ino), 0)

    def _note(self, what: str, node: int, one: str = "", two: str = "", other: int = 0, data: bytes = b"") -> None:
        if self._armed and node:
            self.changes.append((what, node, one, two, other, data))

    def open(self, name: str, flags: int, *, dir_fd: int, mode: int = 0o600) -> int:
        was_there = True
        if self._armed and flags & os.O_CREAT:
            try:
                os.stat(name, dir_fd=dir_fd, follow_symlinks=False)
            except FileNotFoundError:
                was_there = False
        fd = super().open(name, flags, dir_fd=dir_fd, mode=mode)
        if not was_there:
            self._note("create", self._of(dir_fd), name, other=self._new(os.fstat(fd)))
        return fd

    def write(self, fd: int, data: bytes | memoryview) -> int:
        count = super().write(fd, data)
        self._note("write", self._of(fd), data=bytes(data[:count]))
        return count

    def truncate(self, fd: int, size: int) -> None:
        super().truncate(fd, size)
        self._note("truncate", self._of(fd), other=size)

    def fsync(self, fd: int) -> None:
        super().fsync(fd)
        self._note("fsync", self._of(fd))

    def make_folder(self, name: str, *, dir_fd: int) -> None:
        super().make_folder(name, dir_fd=dir_fd)
        if self._armed:
            self._note("folder", self._of(dir_fd), name, other=self._new(os.stat(name, dir_fd=dir_fd)))

    def remove_folder(self, name: str, *, dir_fd: int) -> None:
        super().remove_folder(name, dir_fd=dir_fd)
        self._note("remove", self._of(dir_fd), name)

    def link(self, name: str, new: str, *, dir_fd: int, new_dir_fd: int) -> None:
        super().link(name, new, dir_fd=dir_fd, new_dir_fd=new_dir_fd)
        self._note("link", self._of(new_dir_fd), new, other=self._at(new, new_dir_fd))

    def rename(self, name: str, new: str, *, dir_fd: int, new_dir_fd: int) -> None:
        super().rename(name, new, dir_fd=dir_fd, new_dir_fd=new_dir_fd)
        moved = self._at(new, new_dir_fd)
        if self._of(dir_fd) == self._of(new_dir_fd):
            self._note("rename", self._of(dir_fd), name, new, moved)
        else:
            self._note("link", self._of(new_dir_fd), new, other=moved)
            self._note("remove", self._of(dir_fd), name)

    def unlink(self, name: str, *, dir_fd: int) -> None:
        super().unlink(name, dir_fd=dir_fd)
        self._note("remove", self._of(dir_fd), name)

    def crash(self, count: int, luck: Luck, dice: random.Random, target: Path) -> None:
        """Build in `target` what a power cut after the first `count` changes may leave."""
        nodes = {number: _Node(n.is_folder, n.data, n.kept, dict(n.names)) for number, n in self.initial.items()}
        for change in self.changes[:count]:
            _replay(nodes, change)
        _lay(nodes, 1, luck, dice, target)


def _replay(nodes: dict[int, _Node], change: Change) -> None:
    what, number, one, two, other, data = change
    node = nodes[number]
    if what in ("create", "folder"):
        nodes[other] = _Node(what == "folder")
        node.pending.append((None, one, other))
    elif what == "link":
        node.pending.append((None, one, other))
    elif what == "rename":
        node.pending.append((one, two, other))
    elif what == "remove":
        node.pending.append((one, None, 0))
    elif what == "write":
        node.data += data
    elif what == "truncate":
        node.data = node.data[:other]
    elif node.is_folder:
        node.names, node.pending = node.settle(node.pending), []
    else:
        node.kept = node.data


def _lay(nodes: dict[int, _Node], number: int, luck: Luck, dice: random.Random, target: Path) -> None:
    node = nodes[number]
    if not node.is_folder:
        target.write_bytes(_content(node, luck, dice))
        return
    target.mkdir()
    done = [change for change in node.pending if luck == "everything" or (luck == "chance" and dice.random() < 0.5)]
    for name, child in node.settle(done).items():
        _lay(nodes, child, luck, dice, target / name)


def _content(node: _Node, luck: Luck, dice: random.Random) -> bytes:
    if luck == "nothing" or node.data == node.kept:
        return node.kept
    if luck == "everything":
        return node.data
    if node.data.startswith(node.kept):  # appended: what was kept before is not written anew
        return node.data[: dice.randint(len(node.kept), len(node.data))]
    return dice.choice((node.kept, node.data))


def crashes(fs: RecordingFileSystem) -> Iterator[tuple[int, Luck]]:
    """Every point of the recording, with every luck."""
    for count in range(len(fs.changes) + 1):
        for luck in ("nothing", "everything", "chance"):
            yield count, luck
