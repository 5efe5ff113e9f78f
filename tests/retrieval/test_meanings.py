"""Words of either language that stand for one another have a meaning in common, and others don't."""

from __future__ import annotations

from unicodedata import normalize

import pytest

from trinho.retrieval.lexicon import LEXICON
from trinho.retrieval.meanings import meanings_of
from trinho.retrieval.words import STOP_WORDS, fold, index_text, split_words, stems_of

LINES = LEXICON.strip().splitlines()


def meanings(text: str) -> set[str]:
    return {meaning.word for meaning in meanings_of(stems_of(text))}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("refunds", "hoàn tiền"),
        ("refund", "hoan tien"),
        ("Who pays customers their money back?", "Khách được hoàn trả khi nào"),
        ("database", "cơ sở dữ liệu"),
        ("deployed", "đã triển khai"),
        ("the drivers", "courier"),
    ],
)
def test_words_for_the_same(one: str, other: str) -> None:
    assert meanings(one) & meanings(other)


@pytest.mark.parametrize(("one", "other"), [("refund", "database"), ("hoàn tiền", "tiền tệ"), ("in an hour", "print")])
def test_words_for_something_else(one: str, other: str) -> None:
    assert not meanings(one) & meanings(other)


def test_a_meaning_tells_where_it_stands() -> None:
    [found] = [each for each in meanings_of(stems_of("we hoàn tiền today")) if each.word == "¤refund"]
    assert list(found.places) == [1, 2]


def test_no_text_can_write_a_meaning() -> None:
    for line in LINES:
        [first, *_] = line.split(", ")
        assert not {word for word in split_words(index_text(f"¤{first}")) if word.startswith("¤")}


def test_every_line_has_two_words_or_more_in_order() -> None:
    assert sorted(set(LINES)) == LINES
    assert [line for line in LINES if len(set(line.split(", "))) < 2] == []


def test_no_word_is_a_stop_word() -> None:
    """One that is would be everywhere. English and Vietnamese phrases are what they are as a whole."""
    words = {word for line in LINES for word in line.split(", ")}
    assert sorted(words & STOP_WORDS) == []


def test_vietnamese_words_are_longer_than_a_syllable() -> None:
    words = {word for line in LINES for word in line.split(", ")}
    assert sorted(word for word in words if not word.isascii() and not {" ", "-"} & set(word)) == []


def test_every_phrase_of_the_lexicon_is_found() -> None:
    """Also where stemming changes it: phrases are looked up by the character that they begin with."""
    for line in LEXICON.strip().splitlines():
        words = line.split(", ")
        name = "¤" + "_".join(stems_of(words[0]))
        for word in words:
            assert name in {meaning.word for meaning in meanings_of(stems_of(word))}, word


def test_the_lexicon_is_in_small_latin_letters() -> None:
    """Its own way of dropping accents does what fold does."""
    assert LEXICON.casefold() == LEXICON
    assert fold(LEXICON) == normalize("NFD", LEXICON.replace("đ", "d")).encode("ascii", "ignore").decode()
