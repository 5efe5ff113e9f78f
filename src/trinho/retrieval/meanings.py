"""Which words of a text stand for a meaning that other words have too, in either language."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from trinho.retrieval.lexicon import LEXICON
from trinho.retrieval.words import fold, stems_of

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
    for place, stem in enumerate(stems):
        for length, phrase, words in _phrases(stem[:1]).get(stem, ()):
            if length == 1 or tuple(stems[place : place + length]) == phrase:
                for word in words:
                    yield Meaning(word, range(place, place + length))


@cache
def _phrases(character: str) -> dict[str, list[tuple[int, tuple[str, ...], list[str]]]]:
    """First stem → the phrases that begin with it and their meanings, longest first; of those with this character.

    Stemming the whole lexicon takes a hundred times as long as a question needs, and no stem begins otherwise than its
    word.
    """
    meanings: dict[tuple[str, ...], list[str]] = {}
    for line, word in _words().get(character, ()):
        phrase, name = tuple(stems_of(word)), _name(line)
        if name not in meanings.setdefault(phrase, []):
            meanings[phrase].append(name)
    phrases: dict[str, list[tuple[int, tuple[str, ...], list[str]]]] = {}
    for phrase, names in sorted(meanings.items(), key=lambda item: (-len(item[0]), item[0])):
        phrases.setdefault(phrase[0], []).append((len(phrase), phrase, names))
    return phrases


@cache
def _words() -> dict[str, list[tuple[str, str]]]:
    """First character → the phrases that begin with it, each behind its line."""
    words: dict[str, list[tuple[str, str]]] = {}
    for line in LEXICON.strip().splitlines():
        for word in line.split(", "):
            words.setdefault(fold(word[:2])[:1], []).append((line, word))
    return words


@cache
def _name(line: str) -> str:
    return _SIGN + "_".join(stems_of(line.partition(", ")[0]))
