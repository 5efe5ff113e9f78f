"""MEMORY.md follows the entries and leaves people's lines alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cleanroom import Home


def index(home: Home, folder: str = "shared") -> list[str]:
    return (home.root / folder / "MEMORY.md").read_text(encoding="utf-8").splitlines()


def test_a_pointer_comes_changes_and_goes(home: Home) -> None:
    with home.memory() as memory:
        memory.create("shared:a:note", "First line.", name="Note")
    assert index(home)[-1] == "- [Note](a/note.md) — First line."
    with home.memory() as memory:
        memory.update("shared:a:note", description="Said anew", expected_version=1)
    assert index(home)[-1] == "- [Note](a/note.md) — Said anew"
    with home.memory() as memory:
        memory.delete("shared:a:note", expected_version=2)
    assert not any("note.md" in line for line in index(home))


def test_it_follows_a_move(home: Home) -> None:
    with home.memory() as memory:
        memory.create("shared:a:note", "text")
        memory.create("project:alp:stays", "text")
    with home.memory() as memory:
        memory.move("shared:a:note", "project:alp:note")
    assert not any("note.md" in line for line in index(home))
    assert "- [note](note.md) — text" in index(home, "projects/alp")


def test_it_is_written_where_a_search_came_in_between(home: Home) -> None:
    with home.memory() as memory:
        memory.create("shared:a:note", "text")
        memory.search("text")
        memory.doctor()
    assert "- [note](a/note.md) — text" in index(home)


def test_lines_of_people_are_kept(home: Home) -> None:
    file = home.write("shared/MEMORY.md", "# Ours\r\n\r\nRead this first: [rules](rules.md)\r\n- [x](y.md)\r\n")
    with home.memory() as memory:
        memory.create("shared:a:note", "text")
    assert file.read_bytes().decode() == (
        "# Ours\r\n\r\nRead this first: [rules](rules.md)\r\n- [x](y.md)\r\n- [note](a/note.md) — text\r\n"
    )
    with home.memory() as memory:
        memory.delete("shared:a:note", expected_version=1)
    assert file.read_bytes().decode() == "# Ours\r\n\r\nRead this first: [rules](rules.md)\r\n- [x](y.md)\r\n"


def test_a_line_that_a_person_changed_is_theirs(home: Home) -> None:
    with home.memory() as memory:
        memory.create("shared:a:note", "text")
    file = home.root / "shared/MEMORY.md"
    file.write_text(file.read_text(encoding="utf-8").replace("— text", "— my words"), encoding="utf-8")
    with home.memory() as memory:
        memory.update("shared:a:note", "other", expected_version=1)
    assert [line for line in index(home) if "note.md" in line] == ["- [note](a/note.md) — my words"]


def test_at_most_two_hundred_lines(home: Home) -> None:
    for n in range(205):
        home.write(f"shared/a/n{n:03}.md", f"---\nupdated: 2026-01-01T00:00:00Z\n---\ntext {n}\n")
    with home.memory() as memory:
        memory.create("shared:a:newest", "text")
    pointers = [line for line in index(home) if line.startswith("- [")]
    assert len(pointers) == 198  # with its heading as many lines as are loaded
    assert any("newest.md" in line for line in pointers)
    assert all(len(line) < 150 for line in pointers)


def test_a_team_folder_has_its_own(home: Home) -> None:
    with home.memory() as memory:
        memory.create("project:alp:team:note", "text")
        memory.create("project:alp:goals", "ship")
    assert index(home, "projects/alp/team")[-1] == "- [note](note.md) — text"
    assert [line for line in index(home, "projects/alp") if line.startswith("- ")] == ["- [goals](goals.md) — ship"]


def test_a_name_cannot_add_a_line(home: Home) -> None:
    with home.memory() as memory:
        memory.create("shared:a:note", "text", name="x](evil.md)\n- [y", description="d\n# Heading")
    assert [line for line in index(home) if line] == ["# Memory index", "- [x)(evil.md) - (y](a/note.md) — d # Heading"]


class TestBehind:
    """What went by hand leaves no line behind, wherever the next write is."""

    def moved(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:note", "told to all")
            memory.create("project:alp:kept", "text")
        (home.root / "private/main").mkdir(parents=True)
        (home.root / "shared/note.md").rename(home.root / "private/main/note.md")

    def test_the_next_write_elsewhere_mends_it(self, home: Home) -> None:
        self.moved(home)
        with home.memory() as memory:
            memory.entries()
        with home.memory() as memory:
            memory.create("project:alp:new", "text")
        assert not any("note.md" in line for line in index(home))

    def test_doctor_tells_and_mends(self, home: Home) -> None:
        self.moved(home)
        with home.memory() as memory:
            [found] = [finding for finding in memory.doctor().findings if finding.code == "INDEX_BEHIND"]
            assert (found.where, found.what) == ("shared/MEMORY.md", "lists `note.md`, which is gone")
            assert "shared/MEMORY.md: its lines are those of the entries" in memory.doctor(fix=True).mended
            assert not any(finding.code == "INDEX_BEHIND" for finding in memory.doctor().findings)
        assert not any("note.md" in line for line in index(home))

    def test_where_no_entry_is_left(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:note", "text")
        (home.root / "shared/note.md").unlink()
        with home.memory() as memory:
            memory.doctor(fix=True)
        assert not any("note.md" in line for line in index(home))
