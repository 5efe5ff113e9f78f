"""Text without what nobody sees."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trinho.documents.visible import is_unseen, one_visible_line


@pytest.mark.parametrize(
    "character",
    [
        "\0",
        "\x1b",
        "\x85",
        "\u200b",
        "\u202e",
        "\u2028",
        "\ufeff",
        "\ufe0f",
        "\u3164",
        "\U000e0041",
        "\U000e0100",
        "\ud800",
    ],
)
def test_what_draws_nothing_is_unseen(character: str) -> None:
    assert is_unseen(character)


@pytest.mark.parametrize("character", ["a", "ế", "́", "规", "😀", " ", "\u00a0"])
def test_letters_marks_signs_and_spaces_are_seen(character: str) -> None:
    assert not is_unseen(character)


def test_a_text_becomes_one_line_without_what_hides_in_it() -> None:
    assert one_visible_line(" Thụt\r\n\tlề \u200b \x1b[31m\U000e0041đỏ\u2028\u202e ") == "Thụt lề [31mđỏ"


@given(st.text())
def test_the_line_is_its_own_line(text: str) -> None:
    line = one_visible_line(text)
    assert one_visible_line(line) == line
    assert not any(map(is_unseen, line))
    assert len(line.splitlines()) <= 1
