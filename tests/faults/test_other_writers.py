"""A lost update is an error whoever the other writer is: editors, git, another process, a person who moves files."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import trinho
from trinho.adapters.files.syscalls import FileSystem
from trinho.errors import MemoryEntryNotFoundError, MemoryVersionConflictError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from trinho.application.library import Memory

ID = "project:alp:plan"
FILE = "projects/alp/plan.md"


def opened(root: Path) -> Memory:
    return trinho.open_memory(root, environment={})


def by_rename(file: Path) -> None:
    """vim: a new file under another name, renamed over the old one."""
    copy = file.with_name("4913")
    copy.write_bytes(file.read_bytes() + b"by rename\n")
    copy.replace(file)


def in_place(file: Path) -> None:
    """VS Code: the same file, truncated and written."""
    text = file.read_bytes()
    with file.open("r+b") as same:
        same.truncate(0)
        same.write(text + b"in place\n")


def same_size_and_time(file: Path) -> None:
    """An edit that changes neither size nor modification time."""
    before = file.stat()
    file.write_bytes(file.read_bytes().replace(b"first", b"FIRST"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def twice(file: Path) -> None:
    """Two edits between a read and an update."""
    by_rename(file)
    in_place(file)


def another_process(file: Path) -> None:
    """A second process updates it properly."""
    code = f"import trinho\nwith trinho.open_memory() as m: m.update({ID!r}, 'theirs', expected_version=1)"
    environment = {**os.environ, "TRINHO_MEMORY_ROOT": str(file.parents[2])}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)


EDITS = (by_rename, in_place, same_size_and_time, twice, another_process)


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("index_lost", [False, True])
def test_an_update_that_has_not_seen_the_edit_fails(
    tmp_path: Path, edit: Callable[[Path], None], index_lost: bool
) -> None:
    """Also where the index was deleted in between, and for a delete as for an update."""
    root = tmp_path / "root"
    with opened(root) as memory:
        memory.create(ID, "first")
        memory.search("first")
        edit(root / FILE)
        edited = (root / FILE).read_bytes()
        if index_lost:
            for name in ("index.db", "index.db-wal", "index.db-shm"):
                (root / ".trinho" / name).unlink(missing_ok=True)
        with pytest.raises(MemoryVersionConflictError) as lost:
            memory.update(ID, "ours", expected_version=1)
        assert lost.value.fields["actual"] == 2
        with pytest.raises(MemoryVersionConflictError):
            memory.delete(ID, expected_version=1)
        assert (root / FILE).read_bytes() == edited
        assert memory.update(ID, "merged", expected_version=2).version == 3
        assert memory.get(ID).body == "merged"


def test_edits_that_are_seen_one_by_one_count_one_by_one(tmp_path: Path) -> None:
    root = tmp_path / "root"
    with opened(root) as memory:
        memory.create(ID, "first")
        by_rename(root / FILE)
        assert memory.get(ID).version == 2
        in_place(root / FILE)
        assert memory.get(ID).version == 3


def test_going_back_with_git_is_a_newer_version(tmp_path: Path) -> None:
    """`git checkout` of an older state: old bytes, yet never the old version number."""
    root = tmp_path / "root"
    with opened(root) as memory:
        memory.create(ID, "first")
    _git(root, "init", "-q")
    _git(root, "add", "shared", "projects", allow_failure=True)
    _git(root, "add", "projects")
    _git(root, "commit", "-qm", "one")
    with opened(root) as memory:
        memory.update(ID, "second", expected_version=1)
        _git(root, "checkout", "-q", "--", ".")
        assert memory.get(ID).body == "first"
        with pytest.raises(MemoryVersionConflictError) as lost:
            memory.update(ID, "third", expected_version=2)
        assert lost.value.fields["actual"] == 3
        with pytest.raises(MemoryVersionConflictError):
            memory.update(ID, "third", expected_version=1)


def test_a_file_moved_by_hand_is_found_and_the_old_name_tells_where(tmp_path: Path) -> None:
    root = tmp_path / "root"
    with opened(root) as memory:
        memory.create(ID, "the moved plan")
        version = memory.update(ID, "the moved plan, again", expected_version=1).version
    (root / FILE).rename(root / "projects/alp/roadmap.md")
    with opened(root) as memory:
        with pytest.raises(MemoryEntryNotFoundError) as gone:
            memory.get(ID)
        assert gone.value.fields["moved_to"] == "project:alp:roadmap"
        assert memory.get("project:alp:roadmap").version == version
        assert [str(result.entry.id) for result in memory.search("moved plan").results] == ["project:alp:roadmap"]


def test_a_file_copied_by_hand_is_a_second_entry(tmp_path: Path) -> None:
    root = tmp_path / "root"
    with opened(root) as memory:
        memory.create(ID, "the plan")
    shutil.copy(root / FILE, root / "projects/alp/copy.md")
    with opened(root) as memory:
        found = [str(result.entry.id) for result in memory.search("plan").results]
        assert sorted(found) == ["project:alp:copy", ID]
        memory.update(ID, "another plan", expected_version=1)
        assert memory.get("project:alp:copy").body == "the plan"


def _git(root: Path, *arguments: str, allow_failure: bool = False) -> None:
    command = ["git", "-C", str(root), "-c", "user.name=t", "-c", "user.email=t@example.com", *arguments]
    subprocess.run(command, check=not allow_failure, capture_output=True)


def test_what_cannot_be_looked_into_is_not_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder without the right to read it: its entries leave the index, and come back as they were."""
    root = tmp_path / "root"
    with opened(root) as memory:
        memory.create("shared:a", "x")
        memory.create("project:alp:notes:b", "y")
    as_it_is = FileSystem.open

    def closed(self: FileSystem, name: str, flags: int, *, dir_fd: int, mode: int = 0o600) -> int:
        if name in ("notes", "shared"):
            raise PermissionError(errno.EACCES, "Permission denied")
        return as_it_is(self, name, flags, dir_fd=dir_fd, mode=mode)

    with monkeypatch.context() as patch:
        patch.setattr(FileSystem, "open", closed)
        with opened(root) as memory:
            assert not memory.entries()
            assert [finding.where for finding in memory.doctor().findings] == ["projects/alp/notes", "shared"]
    with opened(root) as memory:
        assert {str(row.id) for row in memory.entries()} == {"shared:a", "project:alp:notes:b"}
        assert (memory.get("shared:a").version, memory.get("project:alp:notes:b").version) == (1, 1)


def test_where_a_file_went_is_told_as_if_there_were_nothing_hidden(tmp_path: Path) -> None:
    """Copies that the actor may not know of don't make the way uncertain for it, nor change a version."""
    told = []
    for hidden in (False, True):
        root = tmp_path / f"root{hidden}"
        with opened(root) as memory:
            memory.create("shared:a", "x")
            memory.update("shared:a", "y", expected_version=1)
        if hidden:
            (root / "private/main").mkdir(parents=True)
            shutil.copy(root / "shared/a.md", root / "private/main/c.md")
        (root / "projects/alp").mkdir(parents=True)
        (root / "shared/a.md").rename(root / "projects/alp/b.md")
        with trinho.open_memory(root, actor="worker", environment={}) as memory:
            with pytest.raises(MemoryEntryNotFoundError) as caught:
                memory.get("shared:a")
            told.append((caught.value.hint, memory.get("project:alp:b").version))
    assert told == [("it moved to `project:alp:b`", 2)] * 2


def test_where_a_file_went_is_told_beside_a_hidden_copy_that_moved(tmp_path: Path) -> None:
    """A hidden file with the same bytes that is gone too takes no new name away from the visible one."""
    told = []
    for hidden in (False, True):
        root = tmp_path / f"root{hidden}"
        files = [root / "shared/a.md", *([root / "private/main/c.md"] if hidden else [])]
        for file in files:
            file.parent.mkdir(parents=True)
            file.write_text("text\n", encoding="utf-8")
        with opened(root) as memory:
            for row in memory.entries():
                memory.get(str(row.id))
        files[0].rename(root / "shared/b.md")
        for file in files[1:]:
            file.unlink()
        with trinho.open_memory(root, actor="worker", environment={}) as memory:
            with pytest.raises(MemoryEntryNotFoundError) as caught:
                memory.get("shared:a")
            told.append(caught.value.hint)
    assert told == ["it moved to `shared:b`"] * 2
