"""Files that change while they are looked at: every answer is of the old state or of the new one, file by file."""

from __future__ import annotations

import itertools
import os
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from tests.faults.counting import CountingFileSystem
from tests.faults.scenes import A, B, open_at

from trinho.errors import NotFoundError, UnreadableEntryError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from trinho.application.library import Memory

FILES = 500
OLD = "---\nname: a\n---\n\nold words and the oldtail\n"
NEW = "---\nname: a\n---\n\nnew words, and more of them, and the newtail\n"
LONG_AGO = (1_700_000_000, 1_700_000_000)


class EditedFileSystem(CountingFileSystem):
    """While files are looked at, an editor saves one: a step of it before the n-th call and one before the next."""

    def __init__(self) -> None:
        self._left = 0
        self._steps: list[Callable[[], object]] = []

    def arm(self, n: int, *steps: Callable[[], object]) -> None:
        self._left, self._steps = n, list(steps)

    @property
    def over(self) -> bool:
        return not self._steps

    def before(self, call: str) -> None:
        self._left -= 1
        if self._left <= 0 and self._steps:
            self._steps.pop(0)()


def renamed(file: Path) -> list[Callable[[], object]]:
    """As vim saves: another file under the old name."""

    def put_aside() -> None:
        file.with_suffix(".swp").write_text(NEW, encoding="utf-8")

    return [put_aside, lambda: file.with_suffix(".swp").rename(file)]


def rewritten(file: Path) -> list[Callable[[], object]]:
    """As others save: the same file, emptied and written."""
    return [lambda: os.truncate(file, 0), lambda: file.write_text(NEW, encoding="utf-8")]


@pytest.mark.parametrize("save", [renamed, rewritten])
def test_an_editor_saves_during_a_scan(tmp_path: Path, save: Callable[[Path], list[Callable[[], object]]]) -> None:
    """Whenever it does, the file is never taken for half of what it is, and the next look finds what was saved."""
    root = tmp_path / "root"
    with open_at(root) as memory:
        memory.create(A, "x")
        memory.create(B, "another")
    file = root / "shared/a.md"
    for n in itertools.count(1):
        file.write_text(OLD, encoding="utf-8")
        os.utime(file, LONG_AGO)
        fs = EditedFileSystem()
        with open_at(root, fs) as memory:
            memory.session.may_watch = False  # all questions are answered from one look
            assert _answer(memory) == "old"
            os.utime(file, (LONG_AGO[0], LONG_AGO[1] + n))  # so that it is read again
            memory.session.reconciled_at = None
            fs.arm(n, *save(file))
            assert _answer(memory) in ("old", "new"), n
            if not fs.over:
                assert n > 10
                return
            memory.session.reconciled_at = None
            assert _answer(memory) == "new", n
            assert memory.get(A).body == "new words, and more of them, and the newtail"
            assert not [finding for finding in memory.doctor().findings if finding.is_fault]


def _answer(memory: Memory) -> str:
    """Which state the index holds of the file."""
    rows = {str(row.id): row.description.split(" ")[0] for row in memory.entries()}
    assert set(rows) == {A, B}
    found = {word: [str(each.entry.id) for each in memory.search(f"{word}tail").results] for word in ("old", "new")}
    assert found == {"old": [], "new": [], rows[A]: [A]}
    return rows[A]


class GrowingFileSystem(CountingFileSystem):
    """Somebody appends to a file whenever it is read."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.reads = 0
        self.grows = True

    def read(self, fd: int, size: int) -> bytes:
        if self.grows and os.path.samestat(os.fstat(fd), self._file.stat()):
            self.reads += 1
            assert self.reads < 100, "it reads on"
            with self._file.open("ab") as file:
                file.write(b"y\n" * 2000)
        return super().read(fd, size)


def test_a_file_that_grows_without_end_is_not_read_without_end(tmp_path: Path) -> None:
    root = tmp_path / "root"
    with open_at(root) as memory:
        memory.create(A, "y")
        memory.create(B, "another")
    fs = GrowingFileSystem(root / "shared/a.md")
    with open_at(root, fs) as memory:
        with pytest.raises(UnreadableEntryError, match="keeps changing"):
            memory.get(A)
        assert (root / "shared/a.md").stat().st_size < 100_000
        memory.session.reconciled_at = None
        assert [str(row.id) for row in memory.entries()] == [B]
        assert [finding.where for finding in memory.doctor().findings if finding.is_fault] == ["shared/a.md"]
        fs.grows = False
        memory.session.reconciled_at = None
        assert [str(row.id) for row in memory.entries()] == [B, A]
        assert memory.get(A).body.startswith("y\ny\n")


@pytest.fixture
def checked_out(tmp_path: Path) -> Path:
    """A root under git with two branches, in which every file differs and some are there in one of them alone."""
    root = tmp_path / "root"
    with open_at(root) as memory:
        memory.create(A, "x")
    (root / "shared/a.md").unlink()
    _git(root, "init", "-q", "-b", "one")
    for branch in ("one", "two"):
        if branch == "two":
            _git(root, "checkout", "-q", "-b", "two")
        for n in range(FILES):
            file = root / "shared" / f"n{n}.md"
            file.unlink(missing_ok=True)
            if n % 10 or branch == ("one", "two")[n // 10 % 2]:
                file.write_text(_text(branch, n), encoding="utf-8")
        _git(root, "add", "shared")
        _git(root, "commit", "-qm", branch)
    return root


def _text(branch: str, n: int) -> str:
    return f"branch{branch} lantern of file {n}\n" + f"branch{branch}\n" * 50


def _git(root: Path, *arguments: str) -> None:
    command = ["git", "-C", str(root), "-c", "user.name=t", "-c", "user.email=t@example.com", *arguments]
    subprocess.run(command, check=True, capture_output=True)


def _switching(root: Path, times: int) -> Iterator[None]:
    """Branches are switched in another process, for as long as this is asked."""
    for n in range(times):
        with subprocess.Popen(["git", "-C", str(root), "checkout", "-q", ("one", "two")[n % 2]]) as git:
            while git.poll() is None:
                yield
            assert git.returncode == 0


@pytest.mark.slow
def test_a_checkout_of_many_files_during_a_search(checked_out: Path) -> None:
    root = checked_out
    with open_at(root) as memory:
        assert len(memory.search("lantern", limit=1000).results) == len(list((root / "shared").glob("n*.md")))
        for asked, _ in enumerate(_switching(root, 7)):
            memory.session.reconciled_at = None
            for result in memory.search("lantern", limit=1000).results:
                _is_of_one_branch(result.entry.body, str(result.entry.id))
            id = f"shared:n{asked % FILES}"
            with suppress(NotFoundError, UnreadableEntryError):  # git takes a file away before it puts the other
                _is_of_one_branch(memory.get(id).body, id)
        memory.session.reconciled_at = None
        files = {f"shared:{file.stem}" for file in (root / "shared").glob("n*.md")}
        found = {str(result.entry.id): result.entry.body for result in memory.search("lantern", limit=1000).results}
        assert found.keys() == files == {str(row.id) for row in memory.entries()}
        assert len(files) < FILES
        assert {body.split(" ")[0] for body in found.values()} == {"branchone"}
        assert not memory.search("branchtwo").results
        assert memory.verify_audit().ok


def _is_of_one_branch(body: str, id: str) -> None:
    n = int(id.removeprefix("shared:n"))
    assert f"{body}\n" in [_text(branch, n) for branch in ("one", "two")], id
