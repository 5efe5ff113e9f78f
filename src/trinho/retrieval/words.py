"""Words: how text is folded for finding, cut into words, and what a query asks for.

A word of folded text is a run of ASCII letters, digits and underscores and of any character beyond ASCII; what else
separates words beyond ASCII, index_words turns into spaces. So every index that splits there agrees with this module.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from trinho.retrieval.stems import stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

MAX_TERMS = 64
MAX_QUERY = 16_384  # characters that are looked at
MAX_QUESTION = 300  # characters in which a name may be what is asked about
MAX_TERM_CHARACTERS = 64  # a longer word is found by its beginning
MIN_PREFIX = 3

_WORD = re.compile(r"[^\x00-/:-@\[-^`{-\x7f]+")  # a range of all that belongs to words takes longer than a question
_NAMES = re.compile(r"[\w-]+")
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+\d*|\d+")
_VOICED = "\u3099\u309a"  # the marks that make another letter of a kana: が is no か
_VARIATION = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")


@cache
def _unspaced() -> re.Pattern[str]:
    """Runs of scripts written without spaces between words, and of Hangul, whose words are compounds.

    They are found by pairs of characters. Most texts have none, and it takes a while to compile.
    """
    return re.compile(
        "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
        "\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f\U00020000-\U0003ffff]+"
    )


_ENGLISH = """a about am an and any are as at be been being but by can could did do does doing for from had has have
he her here him his how i if in into is it its just me my of on or our she should so some than that the their them
then there these they this those to was we were what when where which who whom why will with would you your
d ll m re s t ve don doesn didn isn won currently latest newest nowadays please recent recently"""
_VIETNAMESE = """à ạ bị bởi các cái chỉ cho có của cũng đã đang để đến đều được gì hay hoặc khi là lại làm mà mình mỗi
một nào này nên nếu nhé như nhưng những ở ra rằng rất rồi sao sẽ tại thì theo thế trên trong từ tôi và vào vẫn về vì với
cac cua cung dang duoc hoac khi la nhu nhung neu rang trong thi va voi"""
STOP_WORDS = frozenset(f"{_ENGLISH} {_VIETNAMESE}".split())


def fold(text: str) -> str:
    """The text without case, accents and the stroke of đ, in NFC; equal for texts that a hasty typist makes equal."""
    if text.isascii():
        return text.lower()
    low = text.casefold()
    distinct = set(low)
    # INVARIANT: no run of marks reaches normalisation, whose sorting of them takes the square of their number.
    low = _without(low, _marks(distinct))
    decomposed = unicodedata.normalize("NFD", low)
    marks = _marks(mark for character in distinct for mark in unicodedata.normalize("NFD", character)[1:])
    return unicodedata.normalize("NFC", _without(decomposed, marks).replace("đ", "d"))


def split_words(folded: str) -> list[str]:
    """The words of text that index_words made, in order."""
    return _WORD.findall(folded)


def index_words(*texts: str) -> str:
    """The texts folded for an index: words with spaces or ASCII signs between them.

    Runs of an unspaced script become their pairs of characters and the last one alone, so that each character begins a
    word; names in code stand whole and, at the end, in parts.
    """
    text = "\n".join(texts)
    names = _parts_of_names(text)
    folded = fold(f"{text}\n{names}" if names else text)
    return folded if folded.isascii() else _unspaced().sub(_spelled_out, _spaced(folded))


class Asked(NamedTuple):
    """What a query asks for: stems, each once, and the words behind them; which stand side by side.

    Where the query has accents, `accented` holds words as they are written by the place of their stem. `sequence` is
    all of its stems in order, stop words too; `names` are the places of names that a question asks about,
    `wholes` those of names in code that stand there in parts too. What is no question is a task.
    """

    terms: tuple[str, ...]
    written: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...] = ()
    accented: Mapping[int, str] = MappingProxyType({})
    sequence: tuple[str, ...] = ()
    names: frozenset[int] = frozenset()
    wholes: frozenset[int] = frozenset()
    is_question: bool = False


_QUESTION_WORDS = frozenset(
    ["which", "what", "who", "whom", "when", "where", "why", "how", "do", "does", "did", "is", "are", "can", "ai"]
)
# What asks for a measure and says nothing of the thing
_ASKS = re.compile(r"\bhow (?:long|often|many|much|soon|far|big|large)\b", re.IGNORECASE)


def asked(query: str) -> Asked:
    """What is worth looking for in a query, at most MAX_TERMS. Stop words count only where there is nothing else."""
    terms: dict[str, str] = {}
    stopped: dict[str, str] = {}
    as_written: dict[str, str] = {}
    order: list[tuple[str, bool]] = []
    query = query[:MAX_QUERY]
    for word in _words_as_written(_ASKS.sub(" how ", query)):
        stop = word in STOP_WORDS
        for term in _terms(word):
            stemmed = _stem(term)
            (stopped if stop else terms).setdefault(stemmed, term)
            order.append((stemmed, stop))
            if stemmed == term and term.isascii():  # a word with endings is English, and has no accents
                as_written[stemmed] = word
        if len(terms) >= MAX_TERMS:
            break
    for part in _words_as_written(_parts_of_names(query)):
        for term in _terms(part):
            terms.setdefault(_stem(term), term)
    kept = terms or stopped
    chosen = tuple(kept)[:MAX_TERMS]
    pairs = dict.fromkeys((one, other) for (one, weak), (other, weaker) in pairwise(order) if not (weak and weaker))
    asks = _is_question(query)
    return Asked(
        terms=chosen,
        written=tuple(kept.values())[:MAX_TERMS],
        pairs=tuple(pairs)[:MAX_TERMS],
        accented=_accents(chosen, as_written),
        sequence=tuple(stemmed for stemmed, _ in order[: MAX_TERMS * 2]),
        names=_places(chosen, _names_asked_for(query) if asks else ()),
        wholes=_places(chosen, (name for name in _NAMES.findall(query) if len(list(_parts(name))) > 1)),
        is_question=asks,
    )


def _stem(term: str) -> str:
    return stem(term[:MAX_TERM_CHARACTERS])


def _accents(terms: Sequence[str], as_written: Mapping[str, str]) -> dict[int, str]:
    """The terms as they were written, by their place, if any was written with accents."""
    if not any(map(_is_accented, as_written.values())):
        return {}
    return {place: as_written[term] for place, term in enumerate(terms) if term in as_written}


def _places(terms: Sequence[str], names: Iterable[str]) -> frozenset[int]:
    """Where the terms are that stand for the names."""
    stems = {stem(fold(name).replace("-", "_")) for name in names}
    return frozenset(place for place, term in enumerate(terms) if term in stems)


def _is_question(query: str) -> bool:
    """Whether the query asks for something, as a single word or code does too.

    A task may well be about something new, and what is known of its like helps all the same.
    """
    words = _NAMES.findall(query[:MAX_QUESTION])
    return len(words) == 1 or "?" in query or (bool(words) and words[0].lower() in _QUESTION_WORDS)


def _names_asked_for(question: str) -> Iterator[str]:
    """The codes and the capitalised words within a question."""
    for place, word in enumerate(_NAMES.findall(question[:MAX_QUESTION])):
        letters = word if place else word[1:]
        if any(map(str.isupper, letters)) or (any(map(str.isdigit, word)) and any(map(str.isalpha, word))):
            yield word


def index_text(text: str) -> str:
    """The stems of the words that index_words gives, in order, each between spaces; nothing where there is none."""
    words = split_words(index_words(text))
    return f" {' '.join(map(stem, words))} " if words else ""


def stems_of(text: str) -> list[str]:
    """The stems of a text's words, without the parts of names."""
    return [stem(term) for word in _words_as_written(text) for term in _terms(word)]


def accented(text: str) -> str:
    """The text's words with their accents, each between spaces; nothing where none has one."""
    if text.isascii():
        return ""
    words = _WORD.findall(unicodedata.normalize("NFC", _shortened(_spaced(text.casefold()))))
    return f" {' '.join(words)} " if any(map(_is_accented, words)) else ""


def is_beginning(term: str) -> bool:
    """Whether the term asks for the beginning of a word: a single character of an unspaced script."""
    return len(term) == 1 and not term.isascii() and _unspaced().match(term) is not None


def _is_accented(word: str) -> bool:
    return not word.isascii() and fold(word).isascii()


def query_terms(query: str) -> list[str]:
    """The folded words of a query that are worth looking for, each once, in order, at most MAX_TERMS.

    Stop words are left out, unless the query has nothing else.
    """
    terms: dict[str, None] = {}
    stopped: dict[str, None] = {}
    for word in _words_as_written(query):
        kept = stopped if word in STOP_WORDS else terms
        kept.update((term[:MAX_TERM_CHARACTERS], None) for term in _terms(word))
        if len(terms) >= MAX_TERMS:
            break
    return list(terms or stopped)[:MAX_TERMS]


def _words_as_written(query: str) -> Iterator[str]:
    """Words without case and with their accents, since a stop word without its accent is often another word."""
    low = query.casefold()
    if not low.isascii():
        low = unicodedata.normalize("NFC", _shortened(_spaced(low)))
    return (found.group() for found in _WORD.finditer(low))


def _shortened(text: str) -> str:
    """Runs of marks cut to the few that a letter can bear, so that normalising stays linear."""
    marks = _marks(set(text))
    if not marks:
        return text
    run = f"([{''.join(marks)}]{{4}})[{''.join(marks)}]+"
    return re.sub(run, r"\1", text)


def _terms(word: str) -> Iterator[str]:
    folded = fold(word)
    if not folded.strip("_"):
        return
    if folded.isascii():
        yield folded
        return
    end = 0
    for run in _unspaced().finditer(folded):
        if run.start() > end:
            yield folded[end : run.start()]
        yield from _pairs(run.group())
        end = run.end()
    if end < len(folded):
        yield folded[end:]


def _pairs(run: str) -> list[str]:
    return [run[place : place + 2] for place in range(len(run) - 1)] or [run]


def _spelled_out(run: re.Match[str]) -> str:
    """Every character of the run begins a word: the pairs, then the last one alone."""
    text = run.group()
    return f" {' '.join(text[place : place + 2] for place in range(len(text)))} "


def _parts_of_names(text: str) -> str:
    """The parts of snake_case and camelCase, and kebab-case joined as kebab_case; the wholes are in the text."""
    parts: set[str] = set()
    for name in set(_NAMES.findall(text)):
        if "-" in name or "_" in name or not (name.islower() or name.istitle() or name.isupper()):
            parts.update(_parts(name))
    return " ".join(sorted(parts))


def _parts(name: str) -> Iterator[str]:
    pieces = [piece for word in name.split("-") if (piece := word.strip("_"))]
    if len(pieces) > 1:
        yield "_".join(pieces)
    for piece in pieces:
        words = [word for word in piece.split("_") if word]
        yield from words
        for word in words:
            if not (word.islower() or word.isupper() or word.istitle()):
                yield from (part for part in _CAMEL.findall(word) if len(part) > 1)


def _spaced(text: str) -> str:
    """The text with a space for each character beyond ASCII that belongs to no word, and without invisible ones."""
    separators, invisible = [], []
    for character in set(text):
        if character > "\x7f" and not character.isalnum():
            category = unicodedata.category(character)
            if category in ("Cf", "Me") or _VARIATION.match(character):
                invisible.append(character)
            elif category not in ("Mn", "Mc"):
                separators.append(character)
    return _without(_without(text, invisible), separators, " ")


def _marks(characters: Iterable[str]) -> list[str]:
    return sorted({c for c in characters if unicodedata.combining(c) and c not in _VOICED})


def _without(text: str, characters: list[str], substitute: str = "") -> str:
    if len(characters) > 16:  # a pass for each is the fastest way only while they are few
        return text.translate(dict.fromkeys(map(ord, characters), substitute))
    for character in characters:
        text = text.replace(character, substitute)
    return text
