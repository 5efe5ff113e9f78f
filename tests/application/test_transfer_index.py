"""MEMORY.md of a folder that comes in, and the folders of agents' clients."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.application.test_transfer import bring_in, put

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cleanroom import Home

INDEX = "# What I know\r\n\r\n## People\n- [Ann](user_ann.md) — likes short answers\nProse [stays](gone.md).\n- [B](https://b.example)"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A memory folder as Claude Code lays it out."""
    folder = tmp_path / "projects" / "-home-ann-src-lantern" / "memory"
    put(folder, MEMORY=INDEX, user_ann="---\nname: Ann\ntype: user\n---\n\nX\n", feedback_x="Rule\n")
    put(folder, team__MEMORY="- [Db](feedback_db.md) — db\n", team__feedback_db="Db\n")
    return put(folder, **{"logs__2026__11__2026-11-30": "- 10:00 began\n"})


@pytest.fixture
def project(home: Home) -> Path:
    return home.root / "projects" / "src-lantern"


class TestFolderWithoutIndex:
    """The source's index becomes the folder's, and ours are added behind its lines."""

    def test_its_lines_stand_first(self, home: Home, source: Path, project: Path) -> None:
        report = bring_in(home, source, None, "claude-code")
        assert [str(id).removeprefix("project:src-lantern:") for _, id in report.added] == [
            "feedback_x",
            "logs:2026:11:2026-11-30",
            "team:feedback_db",
            "user_ann",
        ]
        text = (project / "MEMORY.md").read_bytes().decode()
        assert text.startswith(INDEX + "\r\n")
        assert text.count("user_ann.md") == 1
        assert "(feedback_x.md)" in text
        assert (project / "team/MEMORY.md").read_bytes() == (source / "team/MEMORY.md").read_bytes()

    def test_it_is_told(self, home: Home, source: Path) -> None:
        notes = bring_in(home, source.parent, None, "claude-code").notes
        assert [(note.line, note.note.split("`")[1]) for note in notes] == [
            (None, "projects/src-lantern/MEMORY.md"),
            (None, "projects/src-lantern/team/MEMORY.md"),
            (6, "https://b.example"),
        ]
        assert ("principal", "index", "project:src-lantern", "allowed", None) in home.told()

    def test_again_changes_nothing(self, home: Home, source: Path, project: Path) -> None:
        bring_in(home, source, None, "claude-code")
        before = (project / "MEMORY.md").read_bytes()
        again = bring_in(home, source, None, "claude-code")
        assert (again.added, again.skipped, again.notes) == ([], [], [])
        assert (project / "MEMORY.md").read_bytes() == before

    def test_an_index_without_lines_counts_as_none(self, home: Home, source: Path, project: Path) -> None:
        home.write("projects/src-lantern/MEMORY.md", "# Memory index\n\n")
        assert bring_in(home, source, None, "claude-code").skipped == []
        assert (project / "MEMORY.md").read_bytes().startswith(INDEX.encode())

    def test_undo_takes_it_back(self, home: Home, source: Path, project: Path) -> None:
        bring_in(home, source, None, "claude-code")
        with home.memory() as memory:
            memory.undo()
        assert [path.read_bytes() for path in project.rglob("*.md")] == [b"", b""]
        assert bring_in(home, source, None, "claude-code").skipped == []

    def test_undo_leaves_what_somebody_wrote(self, home: Home, source: Path, project: Path) -> None:
        bring_in(home, source, None, "claude-code")
        with open(project / "MEMORY.md", "a", encoding="utf-8") as file:
            file.write("mine\n")
        with home.memory() as memory:
            memory.undo()
        text = (project / "MEMORY.md").read_bytes().decode()
        assert text.startswith(INDEX)
        assert text.endswith("mine\n")

    @pytest.mark.parametrize(("raw", "reason"), [(b"caf\xe9", "not UTF-8 at byte 3"), (b"\n \n", "empty")])
    def test_one_that_is_no_text(self, home: Home, source: Path, raw: bytes, reason: str) -> None:
        put(source, MEMORY=raw)
        assert bring_in(home, source, None, "claude-code").skipped == [(str(source / "MEMORY.md"), reason)]

    def test_one_that_is_too_long_for_a_context(self, home: Home, source: Path) -> None:
        put(source, MEMORY="- line\n" * 300)
        report = bring_in(home, source, None, "claude-code")
        assert [note.note[:24] for note in report.notes if note.path.endswith("memory/MEMORY.md")][1:] == [
            "MEMORY.md has 300 lines "
        ]


class TestFolderWithIndex:
    """What stands there stays; what it lacks is told, line by line."""

    def test_lines_that_it_lacks(self, home: Home, source: Path, project: Path) -> None:
        home.write("projects/src-lantern/MEMORY.md", "mine\n\n## People\n")
        report = bring_in(home, source, None, "claude-code")
        ((path, reason),) = report.skipped
        assert path == str(source / "MEMORY.md")
        assert reason.startswith("`projects/src-lantern/MEMORY.md` exists and lacks 4 lines of it")
        lines = [(note.line, note.note) for note in report.notes if note.note.startswith("left out: ")]
        assert lines[0] == (1, "left out: # What I know")
        assert [line for line, _ in lines] == [1, 4, 5, 6]
        assert (project / "MEMORY.md").read_text(encoding="utf-8").startswith("mine\n\n## People\n- [")

    def test_one_that_is_a_link(self, home: Home, source: Path, project: Path, tmp_path: Path) -> None:
        outside = tmp_path / "outside.md"
        outside.write_text("mine\n", encoding="utf-8")
        project.mkdir(parents=True)
        (project / "MEMORY.md").symlink_to(outside)
        report = bring_in(home, source, None, "claude-code")
        assert len(report.added) == 4
        assert [path for path, _ in report.skipped] == [str(source / "MEMORY.md")]
        assert outside.read_text(encoding="utf-8") == "mine\n"


def test_below_a_branch_it_is_an_entry(home: Home, source: Path) -> None:
    report = bring_in(home, source, "shared:lantern", "claude-code")
    assert "shared:lantern:MEMORY" in [str(id) for _, id in report.added]
    assert (home.root / "shared/lantern/MEMORY.md").read_bytes() == INDEX.encode()
    assert [note.line for note in report.notes] == [6]


def test_dot_memory(home: Home, tmp_path: Path) -> None:
    put(tmp_path / "Lantern", **{".memory__MEMORY": "- [R](rule.md)\n", ".memory__rule": "Rule\n", "other": "x\n"})
    report = bring_in(home, tmp_path / "Lantern", None, "dot-memory")
    assert [str(id) for _, id in report.added] == ["shared:lantern:MEMORY", "shared:lantern:rule"]


def test_agents_md(home: Home, tmp_path: Path) -> None:
    put(tmp_path / "repo", CLAUDE="See @docs/style.md.\n", pkg__AGENTS="x\n", README="x\n")
    report = bring_in(home, tmp_path / "repo", None, "agents-md")
    assert [str(id) for _, id in report.added] == [
        "shared:repo:instructions:CLAUDE",
        "shared:repo:instructions:pkg:AGENTS",
    ]
    assert [note.note for note in report.notes] == ["`@docs/style.md` is not followed; only this file comes in"]


def test_agents_md_into_a_project(home: Home, tmp_path: Path) -> None:
    with home.memory() as memory:
        path = str(put(tmp_path / "repo", CLAUDE="x\n") / "CLAUDE.md")
        report = memory.import_from("agents-md", path, project="alp")
    assert [str(id) for _, id in report.added] == ["project:alp:instructions:CLAUDE"]
