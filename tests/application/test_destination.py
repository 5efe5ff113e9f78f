"""Where imported files go."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trinho.application.destination import Taken, branch_of, default_branch, destination, index_folder
from trinho.domain.ids import parse_memory_id, segment_fault
from trinho.errors import InvalidMemoryIdError
from trinho.ports.source import SourceKind


@pytest.mark.parametrize(
    ("kind", "name", "project", "branch"),
    [
        (SourceKind.MARKDOWN, "adr", None, "shared:adr"),
        (SourceKind.MARKDOWN, "My Notes!", None, "shared:my-notes"),
        (SourceKind.MARKDOWN, "adr", "alp", "project:alp"),
        (SourceKind.DOT_MEMORY, "lantern", None, "shared:lantern"),
        (SourceKind.AGENTS_MD, "lantern", None, "shared:lantern:instructions"),
        (SourceKind.AGENTS_MD, "lantern", "alp", "project:alp:instructions"),
        (SourceKind.CLAUDE_CODE, "-home-ann-src-lantern", None, "project:src-lantern"),
        (SourceKind.CLAUDE_CODE, "-Users-ann-lantern", None, "project:lantern"),
        (SourceKind.CLAUDE_CODE, "-root-lantern", None, "project:lantern"),
        (SourceKind.CLAUDE_CODE, "-opt-lantern", None, "project:opt-lantern"),
        (SourceKind.CLAUDE_CODE, "-home-ann", None, "project:home-ann"),
        (SourceKind.CLAUDE_CODE, "homestead", None, "project:homestead"),
        (SourceKind.CLAUDE_CODE, "-home-ann-src-lantern", "alp", "project:alp"),
    ],
)
def test_the_default_branch(kind: SourceKind, name: str, project: str | None, branch: str) -> None:
    assert default_branch(kind, name, project) == branch


@given(st.sampled_from(SourceKind), st.text())
def test_any_name_makes_a_branch(kind: SourceKind, name: str) -> None:
    assert branch_of(default_branch(kind, name, None))


@pytest.mark.parametrize("text", ["", "project", "private", "nowhere", "shared:..", "project:alp:", "shared:*"])
def test_what_is_no_branch(text: str) -> None:
    with pytest.raises(InvalidMemoryIdError) as caught:
        branch_of(text)
    assert ":any" not in caught.value.message


class TestDestination:
    """Names are kept where they can be segments."""

    @pytest.mark.parametrize("name", ["Read Me", "ODH-ADR-0001", "quy-ước", "x.md", "2026-11-30"])
    def test_a_name_that_can_be_a_segment_stays(self, name: str) -> None:
        assert destination(("shared",), (name, name)) == ("shared", name, name)

    @pytest.mark.parametrize(
        ("name", "segment"),
        [
            ("odd:name", "odd-name"),
            ("caf\udce9", "caf"),
            ("CON", "con-memory"),
            (".claude", "claude"),
            ("???", "memory"),
        ],
    )
    def test_another_is_made_into_one(self, name: str, segment: str) -> None:
        assert destination(("shared",), (name,)) == ("shared", segment)

    def test_a_decomposed_name_is_composed_in_its_own_case(self) -> None:
        assert destination(("shared",), (unicodedata.normalize("NFD", "Quy Ước"),)) == ("shared", "Quy Ước")

    @given(st.text(st.characters(exclude_characters="/\0"), min_size=1))
    def test_every_name_makes_a_segment(self, name: str) -> None:
        assert segment_fault(destination(("shared",), (name,))[1]) is None


@pytest.mark.parametrize(
    ("parts", "folder"),
    [
        ("shared:MEMORY", "shared"),
        ("project:alp:MEMORY", "project:alp"),
        ("project:alp:team:MEMORY", "project:alp:team"),
        ("private:worker:MEMORY", "private:worker"),
        ("shared:lantern:MEMORY", None),
        ("project:alp:adr:MEMORY", None),
        ("private:worker:team:MEMORY", None),
        ("project:alp:memory", None),
    ],
)
def test_where_a_memory_file_is_an_index(parts: str, folder: str | None) -> None:
    assert index_folder(tuple(parts.split(":"))) == (None if folder is None else tuple(folder.split(":")))


class TestTaken:
    """Two files never need one name, on any file system."""

    @pytest.mark.parametrize(
        ("first", "second"),
        [
            ("shared:a:b", "shared:a:b"),
            ("shared:a:b", "shared:A:b"),
            ("shared:a:straße", "shared:a:STRASSE"),
            ("shared:x", "shared:x.md:y"),
            ("shared:x.md:y", "shared:x"),
            ("shared:X", "shared:x.MD:y:z"),
        ],
    )
    def test_names_in_conflict(self, first: str, second: str) -> None:
        taken = Taken()
        taken.take(parse_memory_id(first), "first.md")
        assert taken.fault(parse_memory_id(second))

    @pytest.mark.parametrize(("first", "second"), [("shared:x", "shared:x:y"), ("shared:a:x", "shared:b:x")])
    def test_names_apart(self, first: str, second: str) -> None:
        taken = Taken()
        taken.take(parse_memory_id(first), "first.md")
        assert taken.fault(parse_memory_id(second)) is None

    def test_the_fault_names_the_first(self) -> None:
        taken = Taken()
        taken.take(parse_memory_id("shared:a"), "first.md")
        assert "`first.md`" in (taken.fault(parse_memory_id("shared:A")) or "")
