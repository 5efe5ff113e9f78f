"""Asking makes no root; a root may be called anything that a folder can be called."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cleanroom import Home, Terminal

ASKING = {
    "list --json": 0,
    "search x --json": 0,
    "search x": 0,
    "context --task x": 0,
    "explain x shared:a --json": 0,
    "get shared:a --json": 4,
    "audit --json": 0,
    "audit verify --json": 0,
    "export --json": 0,
    "doctor --json": 0,
    "index status --json": 0,
    "index rebuild --json": 0,
    "migrate --json": 0,
    "update shared:a --expected-version 1 --body x --json": 4,
    "delete shared:a --expected-version 1 --json": 4,
    "move shared:a shared:b --json": 4,
    "edit shared:a --json": 4,
    "undo --json": 4,
    "forget shared:a --purge --yes --json": 4,
    "--as worker get private:main:x --json": 3,
}


class TestNoRoot:
    """Where there is no memory yet, asking answers as an empty one does, and makes none."""

    @pytest.mark.parametrize(("line", "status"), ASKING.items())
    def test_of_the_environment(self, home: Home, trinho: Terminal, line: str, status: int) -> None:
        assert trinho(*line.split()).status == status
        assert list(home.folder.iterdir()) == []

    def test_by_default(self, home: Home, trinho: Terminal) -> None:
        trinho.unset("TRINHO_MEMORY_ROOT")
        answer = trinho("list", "--json")
        assert answer.json == {"entries": [], "total": 0}
        assert answer.err == f"note: there is no memory at {home.folder}/.trinho/memory yet; `trinho create` makes it\n"
        assert list(home.folder.iterdir()) == []

    @pytest.mark.parametrize("line", ASKING)
    def test_a_root_that_is_named_must_be_there(self, home: Home, trinho: Terminal, line: str) -> None:
        answer = trinho("--root", str(home.folder / "typo" / "x"), *line.split(), "--json")
        assert (answer.status, answer.error["code"]) == (2, "INVALID_ROOT")
        assert "no memory is there" in answer.error["message"]
        assert list(home.folder.iterdir()) == []

    def test_a_folder_of_other_things_is_none(self, home: Home, trinho: Terminal) -> None:
        (home.folder / "notes.md").touch()
        assert trinho("--root", str(home.folder), "list", "--json").error["code"] == "INVALID_ROOT"
        assert [path.name for path in home.folder.iterdir()] == ["notes.md"]

    def test_one_of_which_nothing_can_be_told(
        self, home: Home, trinho: Terminal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        trinho("create", "shared:a", "--body", "x")
        look = os.lstat

        def refuse(path: str) -> os.stat_result:
            if path == f"{home.root}/.trinho":
                raise PermissionError
            return look(path)

        monkeypatch.setattr("os.lstat", refuse)
        assert trinho("list", "--json").json["total"] == 1

    def test_a_folder_of_entries_is_one(self, home: Home, trinho: Terminal) -> None:
        home.write("shared/a.md", "text\n")
        assert trinho("--root", str(home.root), "list", "--json").json["total"] == 1

    def test_what_brings_something_makes_it(self, home: Home, trinho: Terminal) -> None:
        (home.folder / "in").mkdir()
        for name, line in (("a", "create shared:a --body x"), ("b", "import markdown in --into shared:in")):
            assert trinho("--root", name, *line.split()).status == 0
            assert (home.folder / name / ".trinho").is_dir()


def test_a_root_in_bytes_that_are_no_utf8(home: Home, trinho: Terminal) -> None:
    root = os.fsdecode(bytes(home.folder) + b"/r\xff %3f?#")
    assert trinho("--root", root, "create", "shared:a", "--body", "tabs").status == 0
    assert trinho("--root", root, "search", "tabs", "--json").json["total_considered"] == 1
    assert trinho("--root", root, "doctor", "--json").json["findings"] == []
    assert trinho("--root", root, "get", "shared:none", "--json").error["code"] == "MEMORY_NOT_FOUND"
    assert {"index.db", "ledger.db"} <= set(os.listdir(f"{root}/.trinho"))


@pytest.mark.parametrize(
    "line",
    [
        "--root rel create shared:a --body x",
        "--root rel list",
        "import markdown rel --into shared:a",
        "export --to rel",
    ],
)
def test_in_a_folder_that_is_gone(home: Home, trinho: Terminal, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    gone = home.folder / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    answer = trinho(*line.split(), "--json")
    assert (answer.status, answer.error["code"]) == (2, "INVALID_ROOT" if "--root" in line else "USAGE")


@pytest.mark.parametrize("line", ["--root ~nobody-here/x create shared:a --body x", "import markdown ~nobody-here/x"])
def test_the_home_of_nobody(home: Home, trinho: Terminal, line: str) -> None:
    assert trinho(*line.split(), "--json").status == 2
    assert not (home.folder / "~nobody-here").exists()


@pytest.mark.parametrize("to", ["/dev/null/x", "/proc/none", "x" * 300])
def test_an_export_to_where_no_folder_can_be(trinho: Terminal, to: str) -> None:
    trinho("create", "shared:a", "--body", "x")
    error = trinho("export", "--to", to, "--json").error
    assert (error["code"], error["hint"]) == ("USAGE", "name another folder")
    assert "can't be written: " in error["message"]
