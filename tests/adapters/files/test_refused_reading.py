"""Where reading is refused, it is said of reading, and of what can be read the rest is answered."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest
from tests.cleanroom import home

from trinho.adapters.files.folders import PlainFolders
from trinho.adapters.files.syscalls import FileSystem
from trinho.application.library import Memory
from trinho.bootstrap import open_session, utc_now
from trinho.errors import StoreUnreadableError, TrinhoError, UnreadableEntryError
from trinho.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cleanroom import Home

__all__ = ["home"]


class Refusing(FileSystem):
    """Lets nobody open, or look at, what has one of the names."""

    def __init__(self, number: int, *names: str) -> None:
        self._number = number
        self._names = names

    def open(self, name: str, flags: int, *, dir_fd: int, mode: int = 0o600) -> int:
        self._refuse(name)
        return super().open(name, flags, dir_fd=dir_fd, mode=mode)

    def status_of(self, name: str, *, dir_fd: int) -> os.stat_result:
        if name.startswith("stat-"):
            self._refuse(name)
        return super().status_of(name, dir_fd=dir_fd)

    def _refuse(self, name: str) -> None:
        if name in self._names:
            raise OSError(self._number, os.strerror(self._number))


def refused(home: Home, *names: str, number: int = errno.EACCES) -> Memory:
    session = open_session(load_settings(home.environment), fs=Refusing(number, *names), clock=utc_now)
    return Memory(session, PlainFolders)


def quarantined(memory: Memory) -> list[tuple[str, str]]:
    found = memory.doctor().findings
    return [(finding.where, finding.what) for finding in found if finding.code == "QUARANTINED"]


@pytest.fixture(autouse=True)
def entries(home: Home) -> None:
    with home.memory() as memory:
        memory.create("shared:team:a", "tabs")
        memory.create("shared:team:stat-b", "tabs")
        memory.create("shared:c", "tabs")
        memory.update("shared:c", "spaces", expected_version=1)


@pytest.mark.parametrize("number", [errno.EACCES, errno.EPERM])
def test_an_entry(home: Home, number: int) -> None:
    with refused(home, "a.md", number=number) as memory:
        with pytest.raises(UnreadableEntryError, match="`shared:team:a` can't be read: ") as told:
            memory.get("shared:team:a")
        assert told.value.hint == "check who may read `shared/team/a.md` and the folders above it"
        with pytest.raises(UnreadableEntryError):
            memory.update("shared:team:a", "x", expected_version=1)
        memory.rebuild_index()
        [(path, reason)] = quarantined(memory)
        assert (path, reason[:31]) == ("shared/team/a.md", "`shared:team:a` can't be read: ")
        assert memory.export().skipped == ((path, reason),)
        assert [str(row.id) for row in memory.entries()] == ["shared:c", "shared:team:stat-b"]


def test_a_folder_above_it(home: Home) -> None:
    with refused(home, "team") as memory:
        with pytest.raises(UnreadableEntryError, match="can't be read"):
            memory.get("shared:team:a")
        assert [path for path, _ in quarantined(memory)] == ["shared/team"]


def test_what_a_folder_hides_is_not_gone(home: Home) -> None:
    with refused(home, "team") as memory:
        assert [str(row.id) for row in memory.entries()] == ["shared:c"]
    with home.memory() as memory:
        assert [str(row.id) for row in memory.entries()] == ["shared:c", "shared:team:a", "shared:team:stat-b"]
        assert memory.get("shared:team:a").version == 1


def test_a_name_that_may_not_be_looked_at(home: Home) -> None:
    with refused(home, "stat-b.md") as memory:
        assert [path for path, _ in quarantined(memory)] == ["shared/team/stat-b.md"]


@pytest.mark.parametrize(
    ("name", "ask"),
    [
        ("audit", lambda memory: memory.verify_audit()),
        ("trash", lambda memory: memory.undo()),
    ],
)
def test_a_part_of_the_root(home: Home, name: str, ask: Callable[[Memory], object]) -> None:
    with refused(home, name) as memory, pytest.raises(StoreUnreadableError, match=f"{name}` can't be read: "):
        ask(memory)


@pytest.mark.parametrize("name", [".trinho", "format"])
def test_the_root_itself(home: Home, name: str) -> None:
    with pytest.raises(StoreUnreadableError, match="can't be read: "):
        refused(home, name)


def test_writing_is_still_said_of_writing(home: Home) -> None:
    with refused(home, "lock") as memory, pytest.raises(TrinhoError, match="can't be written: "):
        memory.create("shared:new", "x")
