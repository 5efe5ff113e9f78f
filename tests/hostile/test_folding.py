"""A file system that takes `Note` and `note` for one name: an ID reaches only the file that is spelled like it."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest
from tests.faults.scenes import open_at

from trinho.adapters.files.syscalls import FileSystem
from trinho.errors import InvalidMemoryIdError, MemoryEntryNotFoundError

if TYPE_CHECKING:
    from pathlib import Path

    from trinho.application.library import Memory


class FoldingFileSystem(FileSystem):
    """Finds a name in whatever case it is asked for, and keeps the case in which it was made."""

    def open(self, name: str, flags: int, *, dir_fd: int, mode: int = 0o600) -> int:
        return super().open(_found(name, dir_fd), flags, dir_fd=dir_fd, mode=mode)

    def status_of(self, name: str, *, dir_fd: int) -> os.stat_result:
        return super().status_of(_found(name, dir_fd), dir_fd=dir_fd)

    def unlink(self, name: str, *, dir_fd: int) -> None:
        super().unlink(_found(name, dir_fd), dir_fd=dir_fd)

    def make_folder(self, name: str, *, dir_fd: int) -> None:
        super().make_folder(_found(name, dir_fd), dir_fd=dir_fd)

    def link(self, name: str, new: str, *, dir_fd: int, new_dir_fd: int) -> None:
        if _found(new, new_dir_fd) != new:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        super().link(_found(name, dir_fd), new, dir_fd=dir_fd, new_dir_fd=new_dir_fd)

    def rename(self, name: str, new: str, *, dir_fd: int, new_dir_fd: int) -> None:
        super().rename(_found(name, dir_fd), _found(new, new_dir_fd), dir_fd=dir_fd, new_dir_fd=new_dir_fd)


def _found(name: str, fd: int) -> str:
    names = os.listdir(fd)
    return name if name in names else next((n for n in names if n.casefold() == name.casefold()), name)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = open_at(tmp_path / "root", FoldingFileSystem())
    memory.create("project:alp:Secret", "for those who may read Alp")
    memory.create("shared:note", "x")
    return memory


def test_it_is_reached_as_it_is_spelled(memory: Memory) -> None:
    assert memory.get("project:alp:Secret").version == 1
    memory.update("project:alp:Secret", "changed", expected_version=1)
    memory.move("shared:note", "shared:sub:Note")
    memory.delete("project:alp:Secret", expected_version=2)
    memory.undo()
    assert memory.get("project:alp:Secret").body == "changed"
    assert {str(row.id) for row in memory.entries()} == {"project:alp:Secret", "shared:sub:Note"}


@pytest.mark.parametrize("id", ["project:ALP:Secret", "project:alp:secret", "project:Alp:SECRET", "shared:memory"])
def test_another_spelling_is_another_id(memory: Memory, id: str) -> None:
    """What one may read by its grants is told by the ID, so an ID must not lead to the file of another."""
    with pytest.raises(MemoryEntryNotFoundError):
        memory.get(id)
    with pytest.raises(MemoryEntryNotFoundError):
        memory.delete(id, expected_version=1)
    if id != "shared:memory":
        with pytest.raises(InvalidMemoryIdError, match="case"):
            memory.create(id, "x")
    assert memory.get("project:alp:Secret").version == 1
