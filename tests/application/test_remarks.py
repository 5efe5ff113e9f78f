"""What is told of files that came in as they were."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from trinho.application.remarks import Note, links, on_document, on_followed, on_link, on_size
from trinho.documents.codec import decode
from trinho.domain.ids import parse_memory_id

ID = parse_memory_id("shared:a:b")
NOW = datetime(2026, 12, 1, tzinfo=UTC)
CAME_IN = {"kept": parse_memory_id("shared:in:kept"), "odd name?": parse_memory_id("shared:in:odd-name"), "bad": None}
CAME_IN["sub/deep"] = parse_memory_id("shared:in:sub:deep")


def notes(text: str) -> list[tuple[int | None, str]]:
    return [(note.line, note.note) for note in on_document("a.md", decode(text.encode(), ID, NOW))]


def judged(line: str, folders: tuple[str, ...] = ()) -> list[str]:
    found = links("MEMORY.md", folders, f"# Index\n\n{line}\n")
    return [f"{note.line}: {note.note}" for link in found if (note := on_link(link, CAME_IN)) is not None]


class TestDocument:
    """What was assumed, and what will read wrong one day."""

    def test_an_unknown_type(self) -> None:
        assert notes("---\nname: x\ntype: habit\n---\n\nText.\n") == [(3, "unknown type `habit`, read as project")]

    def test_an_unknown_kind(self) -> None:
        assert notes("---\nkind: poem\n---\n\nText.\n") == [(2, "unknown kind `poem`, read as reference")]

    @pytest.mark.parametrize(
        "words", ["yesterday", "Last week", "next Monday", "3 days ago", "hôm qua", "tuần trước", "last quarter"]
    )
    def test_a_relative_date(self, words: str) -> None:
        assert notes(f"First.\nDone {words}, twice.\n") == [(2, f"relative dates are left as they are: `{words}`")]

    @pytest.mark.parametrize("text", ["On 2026-11-30.\n", "todayish, lastly\n", "the last of the weeks\n"])
    def test_no_relative_date(self, text: str) -> None:
        assert notes(text) == []


def test_imports_are_not_followed() -> None:
    text = "See @docs/style.md\nand @~/x.md; not ann@b.example, `@code/x.md` or @ann.\n"
    assert [(note.line, note.note.split("`")[1]) for note in on_followed("a.md", text)] == [
        (1, "@docs/style.md"),
        (2, "@~/x.md"),
    ]


class TestLink:
    """A line of an index deserves a word where it no longer leads to what it did."""

    @pytest.mark.parametrize(
        "line", ["- [Kept](kept.md) — x", "- [[kept]]", "- [K](./sub/../kept.md#part)", "[gone](g.md)?"]
    )
    def test_nothing_to_tell(self, line: str) -> None:
        assert [told for told in judged(line) if "kept" in told] == []

    @pytest.mark.parametrize(
        ("line", "told"),
        [
            ("- [G](gone.md)", "points to `gone.md`, which isn't among the files"),
            ("- [G](pic.png)", "points to `pic.png`, which isn't among the files"),
            ("- [B](bad.md)", "points to `bad.md`, which was left out"),
            ("- [O](<odd name?.md>)", "points to `odd name?.md`, which came in as `shared:in:odd-name`"),
            ("- [U](../up.md)", "points to `../up.md`, outside of the folder"),
            ("- [R](/etc/x)", "points to `/etc/x`, outside of the folder"),
            ("- [W](https://a.example/x.md)", "points to the address `https://a.example/x.md`, which doesn't come in"),
        ],
    )
    def test_told(self, line: str, told: str) -> None:
        assert judged(line) == [f"3: {told}"]

    def test_of_an_index_further_down(self) -> None:
        assert judged("- [D](deep.md) [K](../kept.md)", ("sub",)) == []
        assert judged("- [U](../../kept.md)", ("sub",)) == ["3: points to `../kept.md`, outside of the folder"]

    def test_prose_is_not_judged(self) -> None:
        assert judged("Once there was [more](gone.md).") == []


def test_an_index_that_is_too_long() -> None:
    assert list(on_size("MEMORY.md", "- x\n" * 200)) == []
    (note,) = on_size("MEMORY.md", "- x\n" * 201)
    assert note[:2] == Note("MEMORY.md", None, "")[:2]
    assert "201 lines" in note.note
