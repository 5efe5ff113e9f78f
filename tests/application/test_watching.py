"""A process that goes on asking hears of changes instead of looking for them."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from trinho.application import reindex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.cleanroom import Home

    from trinho.application.library import Memory

PATIENCE = 5.0


def watched(memory: Memory) -> bool:
    return memory.session.workspace.watch is not None


@pytest.fixture
def memory(home: Home) -> Iterator[Memory]:
    home.write("shared/a/one.md", "the first lantern\n")
    home.write("shared/b/two.md", "the second lantern\n")
    with home.memory() as memory:
        memory.search("lantern")
        assert not watched(memory)  # one question is no reason
        memory.search("lantern")
        assert watched(memory)
        yield memory


@pytest.fixture
def scans(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often the whole tree is looked over from here on."""
    counted: list[int] = []
    reconcile = reindex.reconcile

    def counting(*values: object, **named: object) -> int:
        counted.append(1)
        return reconcile(*values, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(reindex, "reconcile", counting)
    return counted


def found(memory: Memory, query: str) -> list[str]:
    return sorted(str(each.entry.id) for each in memory.search(query).results)


def soon(check: Callable[[], bool]) -> bool:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if check():
            return True
    return False


def test_an_edit_is_found_without_a_look_at_the_tree(home: Home, memory: Memory, scans: list[int]) -> None:
    home.write("shared/a/one.md", "a torch\n")
    home.write("shared/b/three.md", "another torch\n")
    assert soon(lambda: found(memory, "torch") == ["shared:a:one", "shared:b:three"])
    assert found(memory, "lantern") == ["shared:b:two"]
    (home.root / "shared/b/three.md").unlink()
    assert soon(lambda: found(memory, "torch") == ["shared:a:one"])
    assert scans == []


def test_an_own_write_is_found_at_once(memory: Memory, scans: list[int]) -> None:
    memory.create("shared:a:new", "a torch")
    assert found(memory, "torch") == ["shared:a:new"]
    memory.delete("shared:a:new", expected_version=1)
    assert found(memory, "torch") == []
    assert scans == []


def test_a_file_that_is_renamed_is_linked(home: Home, memory: Memory) -> None:
    memory.get("shared:a:one")
    (home.root / "shared/a/one.md").rename(home.root / "shared/b/moved.md")
    assert soon(lambda: found(memory, "first") == ["shared:b:moved"])
    assert memory.session.workspace.ledger.moved_to(memory.session.parse("get", "shared:a:one"))


def test_a_new_folder_is_looked_into(home: Home, memory: Memory) -> None:
    home.write("projects/alp/x/deep.md", "a torch\n")
    assert soon(lambda: found(memory, "torch") == ["project:alp:x:deep"])
    home.write("projects/alp/x/more.md", "a torch\n")
    assert soon(lambda: len(found(memory, "torch")) == 2)


def test_what_cannot_be_read_is_left_out_and_named(home: Home, memory: Memory) -> None:
    home.write("shared/a/one.md", "---\nkind: [\n---\nlantern\n")
    assert soon(lambda: found(memory, "lantern") == ["shared:b:two"])
    (home.root / "shared/b/two.md").unlink()
    (home.root / "shared/b/two.md").symlink_to("/etc/passwd")
    assert soon(lambda: found(memory, "lantern") == [])
    assert {file.path for file in memory.session.workspace.index.quarantined()} == {
        "shared/a/one.md",
        "shared/b/two.md",
    }


def test_an_index_that_is_rebuilt_elsewhere_is_followed(home: Home, memory: Memory) -> None:
    with home.memory() as other:
        other.rebuild_index()
    home.write("shared/a/one.md", "a torch\n")
    assert soon(lambda: found(memory, "torch") == ["shared:a:one"])


def test_without_a_watch_the_tree_is_looked_over(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reindex, "AGAIN_AFTER", timedelta(0))
    with home.memory() as memory:
        monkeypatch.setattr(memory.session.workspace, "open_watch", lambda _: None)
        memory.search("lantern")
        memory.search("lantern")
        home.write("shared/a/one.md", "a torch\n")
        assert found(memory, "torch") == ["shared:a:one"]
        assert not memory.session.may_watch


def test_the_second_question_sees_what_happened_since_the_first(home: Home) -> None:
    home.write("shared/a/one.md", "the first lantern\n")
    with home.memory() as memory, home.memory() as other:
        assert found(memory, "lantern") == ["shared:a:one"]
        other.create("shared:b:two", "the second lantern")
        home.write("shared/c/three.md", "the third lantern\n")
        assert found(memory, "lantern") == ["shared:a:one", "shared:b:two", "shared:c:three"]
