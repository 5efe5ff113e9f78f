"""edit opens the whole file, saves what is sound, and loses nothing."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cleanroom import Home, Terminal

CONFLICT = """
import pathlib, sys
target = pathlib.Path({root!r}) / "shared/a/note.md"
target.write_bytes(target.read_bytes() + b"another's line\\n")
"""


@pytest.fixture
def note(trinho: Terminal) -> str:
    trinho("create", "shared:a:note", "--body", "tabs")
    return "shared:a:note"


def editor(home: Home, trinho: Terminal, code: str) -> None:
    """Make this program the person's editor: `text` is the file's, and what it becomes is saved."""
    program = home.folder / "editor.py"
    head = "import pathlib, sys\nfile = pathlib.Path(sys.argv[-1])\ntext = file.read_text()\n"
    program.write_text(f"{head}{code}\nfile.write_text(text)\n", encoding="utf-8")
    trinho.set(EDITOR=f"{sys.executable} {program}")


def unsaved(home: Home) -> list[Path]:
    return sorted(home.folder.glob("*.unsaved-*.md"))


def test_saved(home: Home, trinho: Terminal, note: str) -> None:
    editor(home, trinho, 'text = text.replace("tabs", "spaces").replace("name: note", "name: Mine")')
    answer = trinho("edit", note, "--json")
    assert (answer.json["version"], answer.json["name"], answer.json["body"]) == (2, "Mine", "spaces")
    assert "version: 2" in (home.root / "shared/a/note.md").read_text(encoding="utf-8")
    assert [line[1] for line in home.told()] == ["create", "get", "update"]
    assert unsaved(home) == []


def test_the_copy_is_named_like_the_entry(home: Home, trinho: Terminal, note: str) -> None:
    editor(home, trinho, "text = text.replace('tabs', file.name)")
    assert trinho("edit", note, "--json").json["body"] == "note.md"


def test_unchanged(home: Home, trinho: Terminal, note: str) -> None:
    editor(home, trinho, "")
    assert trinho("edit", note).out.startswith("unchanged shared:a:note, version 1")
    assert trinho("edit", note, "--json").json["version"] == 1
    assert [line[1] for line in home.told()] == ["create", "get", "get"]


def test_somebody_else_wrote_meanwhile(home: Home, trinho: Terminal, note: str) -> None:
    editor(home, trinho, CONFLICT.format(root=str(home.root)) + 'text = text.replace("tabs", "mine")')
    answer = trinho("edit", note, "--json")
    assert (answer.status, answer.error["code"]) == (5, "MEMORY_VERSION_CONFLICT")
    assert "another's line" in (home.root / "shared/a/note.md").read_text(encoding="utf-8")
    [kept] = unsaved(home)
    assert "mine" in kept.read_text(encoding="utf-8")
    assert str(kept) in answer.err


def test_broken_frontmatter_is_refused_and_kept(home: Home, trinho: Terminal, note: str) -> None:
    editor(home, trinho, 'text = "---\\nkind: [\\n---\\nmine\\n"')
    before = (home.root / "shared/a/note.md").read_bytes()
    for count in (1, 2):
        answer = trinho("edit", note, "--json")
        assert (answer.status, answer.error["code"]) == (8, "BROKEN_FRONTMATTER")
        assert len(unsaved(home)) == count
    assert (home.root / "shared/a/note.md").read_bytes() == before
    assert all(kept.read_text(encoding="utf-8").endswith("mine\n") for kept in unsaved(home))


def test_a_broken_file_can_be_mended(home: Home, trinho: Terminal) -> None:
    home.write("shared/a/note.md", "---\nkind: [\n---\nmine\n")
    editor(home, trinho, 'text = text.replace("kind: [", "kind: log")')
    answer = trinho("edit", "shared:a:note", "--json")
    assert (answer.status, answer.json["kind"], answer.json["body"]) == (0, "log", "mine")


def test_an_editor_that_fails(home: Home, trinho: Terminal, note: str) -> None:
    for command in ("false", "no-such-editor-anywhere"):
        trinho.set(EDITOR=command)
        answer = trinho("edit", note, "--json")
        assert (answer.status, answer.error["code"]) == (2, "USAGE")
        assert command in answer.error["message"]


def test_visual_comes_before_editor(home: Home, trinho: Terminal, note: str) -> None:
    editor(home, trinho, "text = text.replace('tabs', 'spaces')")
    trinho.set(VISUAL="false")
    assert trinho("edit", note).status == 2


def test_a_denial_starts_no_editor(home: Home, trinho: Terminal) -> None:
    editor(home, trinho, "raise SystemExit('started')")
    assert trinho("--as", "worker", "edit", "private:main:plan", "--json").error["code"] == "PRIVATE_MEMORY_DENIED"
