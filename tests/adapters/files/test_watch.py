"""Changes of documents are told by name, and everything else as a reason to look again."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from trinho.adapters.files.watch import FolderWatch

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE = 5.0


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "shared/team").mkdir(parents=True)
    (tmp_path / ".trinho").mkdir()
    return tmp_path


@pytest.fixture
def watch(root: Path) -> Iterator[FolderWatch]:
    watch = FolderWatch(str(root), ["shared", "shared/team"])
    yield watch
    watch.close()


def told(watch: FolderWatch, wanted: int) -> set[str] | None:
    """What it tells until it has told so much, or nothing more comes."""
    documents: set[str] = set()
    until = time.monotonic() + PATIENCE
    while len(documents) < wanted and time.monotonic() < until:
        changed = watch.changed()
        if changed is None:
            return None
        documents |= changed
    return documents


def test_documents_that_are_made_written_and_removed(root: Path, watch: FolderWatch) -> None:
    note = root / "shared/team/note.md"
    note.write_text("one")
    assert told(watch, 1) == {"shared/team/note.md"}
    note.write_text("two")
    assert told(watch, 1) == {"shared/team/note.md"}
    note.rename(root / "shared/moved.md")
    assert told(watch, 2) == {"shared/team/note.md", "shared/moved.md"}
    (root / "shared/moved.md").unlink()
    assert told(watch, 1) == {"shared/moved.md"}


def test_nothing_happened(watch: FolderWatch) -> None:
    started = time.monotonic()
    assert watch.changed() == frozenset()
    assert time.monotonic() - started < 1


def test_the_state_and_temporary_files_are_no_documents(root: Path, watch: FolderWatch) -> None:
    (root / ".trinho/index.db").write_text("x")
    (root / "shared/.tmp-1").write_text("x")
    (root / "shared/MEMORY.md").write_text("x")
    (root / "shared/note.md").write_text("x")
    assert told(watch, 1) == {"shared/note.md"}


@pytest.mark.parametrize("name", ["shared/new", "shared/team/new", "projects"])
def test_a_folder_that_comes_is_a_reason_to_look_again(root: Path, watch: FolderWatch, name: str) -> None:
    (root / name).mkdir()
    assert told(watch, 1) is None


def test_a_name_that_is_no_text_is_a_reason_to_look_again(root: Path, watch: FolderWatch) -> None:
    (Path(str(root).encode().decode()) / "shared" / "\udcff.md").write_text("x")
    assert told(watch, 1) is None


def test_no_link_is_followed(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (root / "shared/link").symlink_to(outside)
    watch = FolderWatch(str(root), ["shared", "shared/team"])
    (outside / "note.md").write_text("x")
    (root / "shared/note.md").write_text("x")
    assert told(watch, 2) == {"shared/note.md"}
    watch.close()


def test_a_folder_that_is_gone(root: Path) -> None:
    with pytest.raises(OSError, match=r"none|No such file"):
        FolderWatch(str(root), ["shared/none"])
