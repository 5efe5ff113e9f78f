"""edit opens the whole file, saves what is sound, and loses nothing."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
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


@pytest.fixture(autouse=True)
def copies(home: Home, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the copies for the editor lie, of this test alone."""
    folder = home.folder / "copies"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def test_what_an_editor_saved_before_it_failed_is_kept(home: Home, trinho: Terminal, note: str, copies: Path) -> None:
    editor(home, trinho, "file.write_text('mine'); sys.exit(1)")
    answer = trinho("edit", note, "--json")
    assert (answer.status, answer.error["code"]) == (2, "USAGE")
    [kept] = unsaved(home)
    assert kept.read_text(encoding="utf-8") == "mine"
    assert str(kept) in answer.err
    assert list(copies.iterdir()) == []
    assert trinho("get", note, "--json").json["body"] == "tabs"


@pytest.mark.parametrize(
    ("command", "told"),
    [("rm", "left no file"), ('"x', "can't be started: No closing quotation"), ("/dev/null", "can't be started")],
)
def test_an_editor_that_is_none(trinho: Terminal, home: Home, note: str, copies: Path, command: str, told: str) -> None:
    trinho.set(EDITOR=command)
    answer = trinho("edit", note, "--json")
    assert (answer.status, answer.error["code"]) == (2, "USAGE")
    assert told in answer.error["message"]
    assert unsaved(home) == list(copies.iterdir()) == []


def test_an_editor_with_arguments_and_a_name_with_a_space(home: Home, trinho: Terminal, note: str) -> None:
    editor(home, trinho, "text = text.replace('tabs', sys.argv[1])")
    spaced = home.folder / "my editor.py"
    shutil.copy(home.folder / "editor.py", spaced)
    trinho.set(VISUAL=" ", EDITOR=f"{sys.executable} '{spaced}' --wait")
    assert trinho("edit", note, "--json").json["body"] == "--wait"


def test_where_the_current_folder_takes_nothing_the_text_stays_where_it_was(
    home: Home, trinho: Terminal, note: str, copies: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = home.folder / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    editor(home, trinho, "file.write_text('mine'); sys.exit(1)")
    answer = trinho("edit", note)
    [kept] = copies.rglob("*.md")
    assert f"your text is kept in {kept}\n" in answer.err
    assert kept.read_text(encoding="utf-8") == "mine"


def test_no_place_for_a_copy(trinho: Terminal, note: str, copies: Path) -> None:
    copies.rmdir()
    answer = trinho("edit", note, "--json")
    assert (answer.status, answer.error["code"]) == (2, "USAGE")
    assert "no place" in answer.error["message"]


class TestSignals:
    """What was saved in the editor outlives a signal that ends the command, in a file that is told of."""

    @pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)])
    def test_while_the_editor_works(
        self, home: Home, trinho: Terminal, note: str, copies: Path, number: int, status: int
    ) -> None:
        process = self.start(home, trinho, note, "file.write_text('mine'); ready(); import time; time.sleep(60)")
        process.send_signal(number)
        _, told = process.communicate(timeout=30)
        assert process.returncode == status
        [kept] = unsaved(home)
        assert kept.read_text(encoding="utf-8") == "mine"
        assert f"your text is kept in {kept}\n" in told.decode()
        assert list(copies.iterdir()) == []

    def test_nothing_is_left_of_a_text_that_is_as_it_was(
        self, home: Home, trinho: Terminal, note: str, copies: Path
    ) -> None:
        process = self.start(home, trinho, note, "ready(); import time; time.sleep(60)")
        process.terminate()
        process.communicate(timeout=30)
        assert process.returncode == 143
        assert unsaved(home) == list(copies.iterdir()) == []

    def test_while_it_waits_for_its_turn_to_save(self, home: Home, trinho: Terminal, note: str, copies: Path) -> None:
        with home.memory() as memory, memory.session.workspace.store.writing():
            process = self.start(home, trinho, note, "file.write_text('mine'); ready(); sys.exit()")
            time.sleep(0.5)
            process.terminate()
            process.communicate(timeout=30)
        assert process.returncode == 143
        assert [kept.read_text(encoding="utf-8") for kept in unsaved(home)] == ["mine"]
        assert list(copies.iterdir()) == []

    def test_an_interrupt_on_the_terminal_is_for_the_editor(self, home: Home, trinho: Terminal, note: str) -> None:
        go = home.folder / "go"
        code = f"ready()\nimport time\nwhile not pathlib.Path({str(go)!r}).exists(): time.sleep(0.01)\ntext = 'mine'"
        ours, terminal = os.openpty()
        try:
            process = self.start(home, trinho, note, code, terminal)
            process.send_signal(signal.SIGINT)
            time.sleep(0.3)
            go.touch()
            process.communicate(timeout=30)
        finally:
            os.close(ours)
            os.close(terminal)
        assert process.returncode == 0
        assert unsaved(home) == []
        assert trinho("get", note, "--json").json["body"] == "mine"

    def start(
        self, home: Home, trinho: Terminal, note: str, code: str, stdin: int = subprocess.DEVNULL
    ) -> subprocess.Popen[bytes]:
        """`edit` in a process of its own, when its editor has called ready()."""
        mark = home.folder / "ready"
        editor(home, trinho, f"ready = pathlib.Path({str(mark)!r}).touch\n{code}")
        process = subprocess.Popen(
            [sys.executable, "-m", "trinho", "edit", note],
            stdin=stdin,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        _until(mark.exists)
        return process


def _until(happened: Callable[[], bool]) -> None:
    ends = time.monotonic() + 30
    while not happened():
        assert time.monotonic() < ends
        time.sleep(0.01)


def test_visual_comes_before_editor(home: Home, trinho: Terminal, note: str) -> None:
    editor(home, trinho, "text = text.replace('tabs', 'spaces')")
    trinho.set(VISUAL="false")
    assert trinho("edit", note).status == 2


def test_a_denial_starts_no_editor(home: Home, trinho: Terminal) -> None:
    editor(home, trinho, "raise SystemExit('started')")
    assert trinho("--as", "worker", "edit", "private:main:plan", "--json").error["code"] == "PRIVATE_MEMORY_DENIED"
