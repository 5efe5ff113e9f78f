"""Which words of a text stand for a meaning that other words have too, in either language."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from trinho.retrieval.lexicon import LEXICON
from trinho.retrieval.stems import COMMON, beginnings, stem
from trinho.retrieval.words import split_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SIGN = "¤"  # begins no word of a text, so that a meaning can't be written


class Meaning(NamedTuple):
    """A meaning, as a word that no text has, and the places of the words that have it."""

    word: str
    places: range


def meanings_of(stems: Sequence[str]) -> Iterator[Meaning]:
    """The meanings of a text's words, given as stems in order, each as often as it stands there."""
    for place, first in enumerate(stems):
        for length, phrase, words in _phrases(first[:COMMON]).get(first, ()):
            if length == 1 or tuple(stems[place : place + length]) == phrase:
                for word in words:
                    yield Meaning(word, range(place, place + length))


@cache
def _phrases(beginning: str) -> dict[str, list[tuple[int, tuple[str, ...], list[str]]]]:
    """First stem → the phrases that begin with it and their meanings, longest first; of those that begin so.

    Stemming the whole lexicon takes a hundred times as long as a question needs.
    """
    meanings: dict[tuple[str, ...], list[str]] = {}
    for line, written in _written(beginning):
        phrase, name = _stems(written), _name(line)
        if name not in meanings.setdefault(phrase, []):
            meanings[phrase].append(name)
    phrases: dict[str, list[tuple[int, tuple[str, ...], list[str]]]] = {}
    for phrase, names in sorted(meanings.items(), key=lambda item: (-len(item[0]), item[0])):
        phrases.setdefault(phrase[0], []).append((len(phrase), phrase, names))
    return phrases


def _written(beginning: str) -> Iterator[tuple[str, str]]:
    """The phrases whose first stem may begin so, each behind its line, in the order of the lexicon."""
    text = _folded()
    found: list[int] = []
    for each in beginnings(beginning):
        at = text.find(f",{each}")
        while at >= 0:
            found.append(at)
            at = text.find(f",{each}", at + 1)
    for at in sorted(found):
        start, end = text.rindex("\n", 0, at) + 2, text.index("\n", at)
        yield text[start:end], text[at + 1 : end].partition(",")[0]


@cache
def _folded() -> str:
    """The lexicon without case and accents: a comma before each phrase, a line break before and behind each line."""
    # fold() would do, and would look for every mark that any script has
    bare = normalize("NFD", LEXICON.strip().replace("đ", "d")).encode("ascii", "ignore").decode()
    return "\n" + "".join(f",{line}\n" for line in bare.replace(", ", ",").splitlines())


@cache
def _name(line: str) -> str:
    return _SIGN + "_".join(_stems(line.partition(",")[0]))


def _stems(folded: str) -> tuple[str, ...]:
    return tuple(map(stem, split_words(folded)))
