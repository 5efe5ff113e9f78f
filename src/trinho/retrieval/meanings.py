"""Which words of a text stand for a meaning that other words have too, in either language."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from trinho.retrieval.lexicon import LEXICON
from trinho.retrieval.words import stems_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SIGN = "¤"  # begins no word of a text, so that a meaning can't be written
_LONGEST = 4


class Meaning(NamedTuple):
    """A meaning, as a word that no text has, and the places of the words that have it."""

    word: str
    places: range


def meanings_of(stems: Sequence[str]) -> Iterator[Meaning]:
    """The meanings of a text's words, given as stems in order, each as often as it stands there."""
    phrases = _phrases()
    for place, stem in enumerate(stems):
        for length, phrase, words in phrases.get(stem, ()):
            if length == 1 or tuple(stems[place : place + length]) == phrase:
                for word in words:
                    yield Meaning(word, range(place, place + length))


@cache
def _phrases() -> dict[str, list[tuple[int, tuple[str, ...], list[str]]]]:
    """First stem → the phrases that begin with it and their meanings, longest first."""
    meanings: dict[tuple[str, ...], list[str]] = {}
    for line in LEXICON.strip().splitlines():
        words = line.split(", ")
        name = _SIGN + "_".join(stems_of(words[0]))
        for word in words:
            phrase = tuple(stems_of(word))
            if name not in meanings.setdefault(phrase, []):
                meanings[phrase].append(name)
    phrases: dict[str, list[tuple[int, tuple[str, ...], list[str]]]] = {}
    for phrase, names in sorted(meanings.items(), key=lambda item: (-len(item[0]), item[0])):
        phrases.setdefault(phrase[0], []).append((len(phrase), phrase, names))
    return phrases
