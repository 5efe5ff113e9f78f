"""Another process swaps a file and a folder for links that lead outside, over and over, while we work on them."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from tests.faults.crashing import Say, fork

from trinho.errors import TrinhoError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.cleanroom import Home

    from trinho.application.library import Memory

SWAPS = 10_000
SECRET = "what lies outside stays outside"
ID, OTHER = "shared:sub:note", "shared:other"


def _swap(root: Path, outside: Path) -> Callable[[Say], None]:
    """Exchange the entry, then its folder, for a link and back, by renames alone, so that each is always there."""
    shared = root / "shared"

    def work(say: Say) -> None:
        for n in range(SWAPS // 2):
            (shared / f"l{n}~").symlink_to(outside / "note.md")
            os.link(shared / "sub/note.md", shared / f"k{n}~", follow_symlinks=False)
            os.rename(shared / f"l{n}~", shared / "sub/note.md")
            os.rename(shared / f"k{n}~", shared / "sub/note.md")
            (shared / f"m{n}~").symlink_to(outside)
            os.rename(shared / "sub", shared / "away~")
            _put(shared / f"m{n}~", shared / "sub")
            os.unlink(shared / "sub")
            _put(shared / "away~", shared / "sub")
        say("done")

    return work


def _put(source: Path, target: Path) -> None:
    """Give it that name; a folder that was made there meanwhile goes aside."""
    while True:
        try:
            os.rename(source, target)
        except OSError:
            with suppress(OSError):
                os.rename(target, target.with_name(f"made{time.monotonic_ns()}~"))
        else:
            return


def _doors(memory: Memory) -> Iterator[Callable[[], object]]:
    """Each door in its turn, on an entry that may be at any version."""

    def version() -> int:
        return memory.get(ID).version

    while True:
        yield lambda: memory.get(ID).body
        yield lambda: memory.update(ID, "the own text, again", expected_version=version())
        yield lambda: memory.create("shared:sub:new", "a new one")
        yield lambda: memory.move("shared:sub:new", "shared:sub:moved")
        yield lambda: memory.delete("shared:sub:moved", expected_version=1)
        yield memory.undo
        yield lambda: memory.delete("shared:sub:moved", expected_version=1)
        yield lambda: [row.description for row in memory.entries()]
        yield memory.export


@pytest.mark.slow
def test_nothing_outside_is_read_or_written(home: Home) -> None:
    outside = home.folder / "outside"
    outside.mkdir()
    (outside / "note.md").write_text(SECRET)
    before = (outside / "note.md").stat()
    with home.memory() as memory:
        memory.create(ID, "the own text")
        memory.create(OTHER, "another")
    child = fork(_swap(home.root, outside))
    memory = home.memory()
    tries = 0
    try:
        for door in _doors(memory):
            try:
                answer = str(door())
            except TrinhoError as error:
                answer = error.message
            assert SECRET not in answer
            tries += 1
            if tries % 64 == 0 and os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                break
    except BaseException:
        child.kill(signal.SIGKILL)
        raise
    finally:
        status, lines = child.end()
    assert (status, lines) == (0, ["done"]), "\n".join(lines)
    memory.close()
    assert tries > 100
    assert [path.name for path in outside.iterdir()] == ["note.md"]
    assert (outside / "note.md").read_text() == SECRET
    after = (outside / "note.md").stat()
    assert (after.st_mtime_ns, after.st_nlink, after.st_ino) == (before.st_mtime_ns, before.st_nlink, before.st_ino)
    for folder, _, names in os.walk(home.root):
        for name in names:
            path = os.path.join(folder, name)
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as file:
                    assert SECRET.encode() not in file.read(), path
