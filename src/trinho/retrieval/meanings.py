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
        if first in _phrases(first[:COMMON]):
            for length, phrase, words in _meaning(first):
                if length == 1 or tuple(stems[place : place + length]) == phrase:
                    for word in words:
                        yield Meaning(word, range(place, place + length))


@cache
def _meaning(first: str) -> list[tuple[int, tuple[str, ...], list[str]]]:
    """The phrases that begin with a stem and their meanings, longest first."""
    text = _folded()
    meanings: dict[tuple[str, ...], list[str]] = {}
    for at, written in _phrases(first[:COMMON])[first]:
        line = text[text.rindex("\n", 0, at) + 2 : text.index("\n", at)]
        phrase, name = _stems(written), _name(line)
        if name not in meanings.setdefault(phrase, []):
            meanings[phrase].append(name)
    ordered = sorted(meanings.items(), key=lambda item: (-len(item[0]), item[0]))
    return [(len(phrase), phrase, names) for phrase, names in ordered]


@cache
def _phrases(beginning: str) -> dict[str, list[tuple[int, str]]]:
    """First stem → the phrases with it and where they stand in the folded lexicon, of the stems that begin so.

    Stemming the whole lexicon takes a hundred times as long as a question needs.
    """
    text = _folded()
    found: list[int] = []
    for each in beginnings(beginning):
        at = text.find(f",{each}")
        while at >= 0:
            found.append(at)
            at = text.find(f",{each}", at + 1)
    phrases: dict[str, list[tuple[int, str]]] = {}
    for at in sorted(found):
        phrase = text[at + 1 : text.index("\n", at)].partition(",")[0]
        phrases.setdefault(_stems(phrase.partition(" ")[0])[0], []).append((at, phrase))
    return phrases


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
