"""Whether a quote stands word for word in what somebody said."""

from __future__ import annotations

import unicodedata

FEWEST_WORDS = 3
FEWEST_LETTERS = 12  # where the words are fewer; one of a script without spaces counts twice


def spelled(text: str) -> str:
    """The text as it is compared: accents joined to their letters, one space between words, capitals as they are."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def says_enough(quote: str) -> bool:
    """Whether it is long enough not to stand by chance in almost any text."""
    words = sum(any(map(str.isalnum, word)) for word in quote.split())
    letters = sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in quote if each.isalnum())
    return words >= FEWEST_WORDS or letters >= FEWEST_LETTERS


def stands_in(quote: str, turn: str) -> bool:
    """Whether the turn has the quote, from the beginning of a word to the end of one; both as `spelled` gives them.

    `able to do it` doesn't stand in `I am unable to do it`.
    """
    at = turn.find(quote)
    while at >= 0:
        if not _splits_a_word(turn, at) and not _splits_a_word(turn, at + len(quote)):
            return True
        at = turn.find(quote, at + 1)
    return False


def _splits_a_word(text: str, at: int) -> bool:
    return 0 < at < len(text) and _is_of_a_word(text[at - 1]) and _is_of_a_word(text[at])


def _is_of_a_word(letter: str) -> bool:
    """Scripts without spaces have no capitals, and any two letters of theirs may be two words."""
    return letter.isdecimal() or letter.lower() != letter.upper()
