"""What a body is as lines, and what an edit makes of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trinho.interfaces.memory_tool.lines import (
    MOST_SHOWN,
    inserted,
    like,
    line_numbers,
    lines_of,
    listed,
    numbered,
    places_of,
    snippet,
    spelled_out,
)

TEXTS = st.text(st.sampled_from("ab\n\r\té "), max_size=30)
ENDED = st.lists(st.sampled_from(["a", "é ", "\n", "\r\n"]), max_size=20).map("".join)


@given(TEXTS)
def test_the_lines_are_the_text(text: str) -> None:
    assert lines_of(text).text == text


@given(ENDED, st.data())
def test_what_is_inserted_stands_after_its_line_and_changes_no_other(text: str, data: st.DataObject) -> None:
    before = lines_of(text)
    after = data.draw(st.integers(0, len(before.lines)))
    new = lines_of(inserted(before, after, "new line\n"))
    assert new.lines == (*before.lines[:after], "new line", *before.lines[after:])


@pytest.mark.parametrize(
    ("body", "after", "text", "made"),
    [
        ("", 0, "a", "a"),
        ("", 0, "a\n", "a\n"),
        ("a\n", 1, "b", "a\nb\n"),
        ("a\n", 0, "b\n", "b\na\n"),
        ("a", 1, "b\n", "a\nb"),
        ("a\nc\n", 1, "b\n\n", "a\nb\n\nc\n"),
        ("a\r\nc\r\n", 1, "b\nx", "a\r\nb\r\nx\r\nc\r\n"),
        ("a\nc\n", 1, "", "a\n\nc\n"),
    ],
)
def test_inserting(body: str, after: int, text: str, made: str) -> None:
    assert inserted(lines_of(body), after, text) == made


def test_text_takes_the_line_ends_of_what_it_goes_into_unless_it_has_its_own() -> None:
    assert like(lines_of("a\r\nb\r\n"), "x\ny") == "x\r\ny"
    assert like(lines_of("a\r\nb\r\n"), "x\r\ny") == "x\r\ny"
    assert like(lines_of("a\r\nb\n"), "x\ny") == "x\ny"


def test_places_overlap_and_are_counted_by_lines() -> None:
    assert places_of("aa", "aaa\nb aa") == [0, 1, 6]
    assert line_numbers([0, 1, 6], "aaa\nb aa") == [1, 2]


def test_lines_are_numbered_six_wide_with_a_tab() -> None:
    assert numbered(["a", "b", "c"], 2, 3) == "     2\tb\n     3\tc"
    assert numbered([], 1, 0) == ""


def test_a_long_text_ends_after_a_whole_line_and_says_where() -> None:
    shown = numbered(["x" * 100] * 1000, 1, 1000).splitlines()
    assert shown[-1] == f"(lines 1 to {len(shown) - 1} of 1000; view_range shows what follows)"
    assert MOST_SHOWN - 200 < sum(map(len, shown[:-1])) <= MOST_SHOWN


def test_one_line_that_is_too_long_is_cut_and_the_next_can_be_asked_for() -> None:
    shown = numbered(["x" * 20_000, "b"], 1, 2).splitlines()
    assert "to 20000 characters" in shown[0]
    assert shown[1:] == ["(lines 1 to 1 of 2; view_range shows what follows)"]


def test_a_snippet_shows_two_lines_around() -> None:
    body = "1\n2\n3\nnew\nmore\n4\n5\n6\n"
    shown = snippet(body, 6, len("new\nmore"))
    assert shown == "     2\t2\n     3\t3\n     4\tnew\n     5\tmore\n     6\t4\n     7\t5"
    assert snippet("", 0, 0) == ""


def test_what_nobody_sees_is_spelled_out() -> None:
    assert spelled_out("a\u200b\x1b\t\U000e0041\u202eé") == "a\\u200b\\u001b\t\\udb40\\udc41\\u202eé"


def test_a_long_list_of_numbers_is_cut() -> None:
    assert listed([1, 2]) == "1, 2"
    assert listed([1, 2, 3], most=2) == "1, 2 and 1 more"
