"""Quotes stand word for word, from the beginning of a word to the end of one."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trinho.lifecycle.quotation import says_enough, spelled, stands_in

SAID = "I am unable to do it: we ALWAYS  indent\n\twith four spaces, dùng dấu cách."
WORDS = st.lists(st.sampled_from(["we", "indent", "dấu", "cách", "4", "四个空格", "can't", "-"]), min_size=1)


@pytest.mark.parametrize(
    "quote",
    [
        "we ALWAYS indent with four spaces",
        "we\nALWAYS\tindent  with",
        " unable to do it ",
        "it: we",
        "four spaces,",
        "dùng dấu cách",
        unicodedata.normalize("NFD", "dùng dấu cách"),
        SAID,
    ],
)
def test_what_was_said_stands_there(quote: str) -> None:
    assert stands_in(spelled(quote), spelled(SAID))
    assert stands_in(spelled(quote), spelled(unicodedata.normalize("NFD", SAID)))


@pytest.mark.parametrize(
    "quote",
    [
        "able to do it",
        "we always indent with four spaces",
        "indent with four space",
        "indent with five spaces",
        "dung dau cach",
        "indent, with four spaces",
        "we ALWAYS … with four spaces",
    ],
)
def test_what_was_not_said_in_these_words_does_not(quote: str) -> None:
    assert not stands_in(spelled(quote), spelled(SAID))


def test_a_later_place_counts_where_an_earlier_one_splits_a_word() -> None:
    assert stands_in("do it now", "undo it now, I say do it now")
    assert not stands_in("do it now", "undo it now, I say undo it now")


def test_scripts_without_spaces_are_quoted_from_anywhere() -> None:
    assert stands_in("四个空格缩进", "我们用四个空格缩进代码")


@given(WORDS, WORDS, WORDS)
def test_the_words_in_the_middle_always_stand_there(before: list[str], quote: list[str], after: list[str]) -> None:
    assert stands_in(spelled(" ".join(quote)), spelled("\n".join([*before, *quote, *after])))


@pytest.mark.parametrize("quote", ["we use tabs", "dùng dấu cách", "antidisestablishmentarianism", "我们用四个空格"])
def test_it_says_enough(quote: str) -> None:
    assert says_enough(quote)


@pytest.mark.parametrize("quote", ["", " \n", "a", "yes", "yes please", "looks good!", "- - - -", "…………………………", "好的"])
def test_it_says_too_little(quote: str) -> None:
    assert not says_enough(quote)
