"""A sentence taken apart for comparison: words brought to one form in two languages, measures, dates, negations."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from trinho.lifecycle.vocabulary import CONCEPTS, FUNCTION_WORDS, NEGATORS, safe_without_accents
from trinho.retrieval.meanings import meanings_of
from trinho.retrieval.stems import stem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST_TOKENS = 120


class Token(NamedTuple):
    """One thing that is said: what it can be matched by, its kind where it is a measure, and its clause.

    `negated` if its clause says that it isn't so; `name` if it was written as a name.
    """

    keys: frozenset[str]
    text: str
    kind: str
    value: str
    clause: int
    negated: bool
    name: bool


class Statement(NamedTuple):
    """The tokens in their order, the plain words with function words left in, and how the clauses are negated."""

    tokens: tuple[Token, ...]
    words: tuple[str, ...]
    negations: tuple[bool, ...]


def statement(text: str) -> Statement:
    """What a sentence says, in parts."""
    cut = text[:MOST_CHARACTERS]
    names = frozenset(_folded(word.lower()) for word in _NAMES.findall(cut))
    written, folded = _measured(_plain(cut))
    tokens: list[Token] = []
    negations: list[bool] = []
    words: list[str] = []
    for start, end in _clauses(folded):
        pieces = [
            _Piece(folded[found.start() : found.end()], written[found.start() : found.end()])
            for found in _PIECES.finditer(folded, start, end)
        ]
        if not pieces:
            continue
        words += [piece.folded for piece in pieces]
        parts = list(_parts(pieces, accents=not written.isascii()))
        negated = sum(part.negates for part in parts) % 2 == 1
        number = len(negations)
        negations.append(negated)
        for part in parts:
            if part.keys and len(tokens) < MOST_TOKENS:
                name = bool(names.intersection(part.text.split()))
                tokens.append(Token(part.keys, part.text, part.kind, part.value, number, negated, name))
    return Statement(tuple(tokens), tuple(words), tuple(negations))


MOST_CHARACTERS = 2_000  # of a longer text only the beginning is compared
# A capital inside a sentence; what begins one says nothing
_NAMES = re.compile(r"(?<=[^.!?:]\s)[A-ZĐÀ-Ỹ][\w-]*")
_ENDS = re.compile(r"[;,]\s|[.!?](?:\s|$)|:\s|\s(?:but|nhung|although)\s")
_PIECES = re.compile(r"#[a-z]+:[\w.+-]+|[a-z0-9_]+(?:[-./'][a-z0-9_]+)*|[^\x00-\x7f\s]+")


class _Piece(NamedTuple):
    """A word without its accents, and as it was written in small letters."""

    folded: str
    written: str


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end in _ENDS.finditer(text):
        yield start, end.start()
        start = end.end()
    yield start, len(text)


def _folded(text: str) -> str:
    """Without accents, character for character."""
    return text if text.isascii() else "".join(map(_base, text))


@cache
def _base(character: str) -> str:
    if character == "đ":
        return "d"
    base = unicodedata.normalize("NFD", character)[0]
    return base if base.isascii() else character


def _plain(text: str) -> tuple[str, str]:
    """In small letters, once with accents and once without; the two have the same length."""
    low = "".join(character.lower()[0] for character in unicodedata.normalize("NFC", text))
    low = re.sub(r"n['’]t\b", " not", low).replace("cannot", "can not")
    low = " ".join(re.sub(r"(?<=[a-z])-(?=[a-z])", " ", low).split())
    return low, _folded(low)


# "can't … except", "nobody but", "không … ngoài": what is meant is "only"
_EXCEPT = (
    r"\b(?:not|khong)\b(?=(?: [\w-]+){1,6} (?:except|unless|other than|neu khong|ngoai tru|tru khi)\b)"
    r"|\b(?:nobody|no one|khong ai) (?:except|but|ngoai|tru)\b"
)


class _Part(NamedTuple):
    keys: frozenset[str]
    text: str
    kind: str = ""
    value: str = ""
    negates: int = 0


def _parts(pieces: list[_Piece], *, accents: bool) -> Iterator[_Part]:
    stems = [
        stem(piece.folded) if piece.written == piece.folded and piece.folded[0] != "#" else piece.folded
        for piece in pieces
    ]
    meant: dict[int, set[str]] = {}
    for meaning in meanings_of(stems):
        if len(meaning.places) > 1 or pieces[meaning.places.start].written.isascii():
            meant.setdefault(meaning.places.start, set()).add(meaning.word)
    place = 0
    while place < len(pieces):
        found = _phrase_at(pieces, stems, place, accents=accents)
        length = found.length if found else 1
        text = " ".join(piece.folded for piece in pieces[place : place + length])
        if stems[place].startswith("#"):
            kind, _, value = text[1:].partition(":")
            yield _Part(frozenset({text}), value, kind, value)
        elif found:
            keys = set(found.concepts) | (meant.get(place, set()) if length == 1 else set())
            yield _Part(frozenset(keys), text, negates=found.negates)
        elif not _is_function_word(pieces[place], accents=accents):
            yield _Part(frozenset({stems[place], *meant.get(place, ())}), text)
        place += length


def _phrase_at(pieces: list[_Piece], stems: list[str], place: int, *, accents: bool) -> _Phrase | None:
    for phrase in _phrases().get(stems[place], ()):
        if tuple(stems[place : place + phrase.length]) != phrase.words:
            continue
        written = " ".join(piece.written for piece in pieces[place : place + phrase.length])
        if phrase.written.isascii():
            if written.isascii():
                return phrase
        elif written == phrase.written or (not accents and phrase.without_accents):
            return phrase
    return None


def _is_function_word(piece: _Piece, *, accents: bool) -> bool:
    words = _function_words()
    return piece.written in words or (not accents and piece.folded in words)


class _Phrase(NamedTuple):
    length: int
    words: tuple[str, ...]
    written: str
    concepts: tuple[str, ...]
    negates: int
    without_accents: bool


@cache
def _phrases() -> dict[str, list[_Phrase]]:
    """First stem → the phrases that begin with it, the longest first."""
    found: dict[str, list[_Phrase]] = {}
    lines = [line.partition(": ") for line in CONCEPTS.strip().splitlines()]
    groups = [(name, variants.split(", ")) for name, _, variants in lines]
    for name, variants in (*groups, ("!", NEGATORS.split(", "))):
        concepts = tuple(filter(None, [name.rstrip("!")]))
        for variant in (each.replace("-", " ") for each in variants):
            words = tuple(stem(word) if word.isascii() else _folded(word) for word in variant.split())
            phrase = _Phrase(
                len(words), words, variant, concepts, int(name.endswith("!")), safe_without_accents(variant)
            )
            found.setdefault(words[0], []).append(phrase)
    for phrases in found.values():
        phrases.sort(key=lambda phrase: -phrase.length)
    return found


@cache
def _function_words() -> frozenset[str]:
    return frozenset(FUNCTION_WORDS.split())


# -- measures -------------------------------------------------------------------------------------------------------

_SECONDS = {
    "ms": 0.001, "millisecond": 0.001, "milliseconds": 0.001,
    "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1, "giay": 1,
    "min": 60, "mins": 60, "minute": 60, "minutes": 60, "phut": 60,
    "h": 3600, "hr": 3600, "hrs": 3600, "hour": 3600, "hours": 3600, "gio": 3600, "tieng": 3600,
    "day": 86400, "days": 86400, "ngay": 86400, "week": 604800, "weeks": 604800, "tuan": 604800,
    "month": 2592000, "months": 2592000, "thang": 2592000,
    "year": 31536000, "years": 31536000, "nam": 31536000,
}  # fmt: skip
_BYTES = {
    "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12,
    "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40,
}  # fmt: skip
_MONTH_NAMES = (
    ("january", "jan"), ("february", "feb"), ("march", "mar"), ("april", "apr"), ("may",), ("june", "jun"),
    ("july", "jul"), ("august", "aug"), ("september", "sept", "sep"), ("october", "oct"), ("november", "nov"),
    ("december", "dec"),
)  # fmt: skip
_DAY_NAMES = (
    ("monday", "mon", "thu hai"), ("tuesday", "tue", "thu ba"), ("wednesday", "wed", "thu tu"),
    ("thursday", "thu nam"), ("friday", "fri", "thu sau"), ("saturday", "sat", "thu bay"), ("sunday", "chu nhat"),
)  # fmt: skip
_MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES, 1) for name in names}
_DAYS = {name: number for number, names in enumerate(_DAY_NAMES, 1) for name in names}
_WORDS_FOR_NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "twenty": 20, "thirty": 30, "mot": 1, "hai": 2, "ba": 3, "bon": 4, "twice": 2,
}  # fmt: skip
_NUMBER = r"(?<![\d.,])(\d{1,15}(?:[.,]\d{1,9}){0,5})(?!\d)"
_MONTH = "|".join(sorted((m for m in _MONTHS if m != "may"), key=len, reverse=True)) + "|may(?= \\d{4}| \\d{1,2},)"


def _measured(text: tuple[str, str]) -> tuple[str, str]:
    """The text with measures in one notation, `#kind:value`, in both its forms."""
    for pattern, written in _rules():
        text = _replaced(*text, pattern, written)
    return text


def _replaced(
    written: str, folded: str, pattern: re.Pattern[str], by: Callable[[re.Match[str]], str] | str
) -> tuple[str, str]:
    pieces: tuple[list[str], list[str]] = ([], [])
    last = 0
    for found in pattern.finditer(folded):
        text = by if isinstance(by, str) else by(found)
        pieces[0].extend((written[last : found.start()], text))
        pieces[1].extend((folded[last : found.start()], text))
        last = found.end()
    if not last:
        return written, folded
    return "".join((*pieces[0], written[last:])), "".join((*pieces[1], folded[last:]))


@cache
def _rules() -> list[tuple[re.Pattern[str], Callable[[re.Match[str]], str] | str]]:
    units = "|".join(sorted(_SECONDS, key=len, reverse=True))
    sizes = "|".join(_BYTES)
    days = "|".join(sorted(_DAYS, key=len, reverse=True))
    words = "|".join(_WORDS_FOR_NUMBERS)
    rules: list[tuple[str, Callable[[re.Match[str]], str] | str]] = [
        (_EXCEPT, " only "),
        (r"\b(\d{4})-(\d{2})-(\d{2})\b", lambda m: _date(m[1], m[2], m[3])),
        (r"\b(\d{1,2})/(\d{1,2})/(\d{4})\b", lambda m: _date(m[3], m[2], m[1])),
        (r"\b(\d{1,2}) thang (\d{1,2})(?: nam|,)? (\d{4})\b", lambda m: _date(m[3], m[2], m[1])),
        (r"\bthang (\d{1,2})(?:/| nam )(\d{4})\b", lambda m: _date(m[2], m[1])),
        (rf"\b({_MONTH}) (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})\b", lambda m: _date(m[3], str(_MONTHS[m[1]]), m[2])),
        (
            rf"\b(\d{{1,2}})(?:st|nd|rd|th)? (?:of )?({_MONTH}|may),? (\d{{4}})\b",
            lambda m: _date(m[3], str(_MONTHS[m[2]]), m[1]),
        ),
        (rf"\b({_MONTH}) (\d{{4}})\b", lambda m: _date(m[2], str(_MONTHS[m[1]]))),
        (rf"\b(\d{{1,2}})(?:st|nd|rd|th)? ({_MONTH}|may)\b", lambda m: f" #date:x-{_MONTHS[m[2]]:02}-{int(m[1]):02} "),
        (r"\bq([1-4])(?: |/)(\d{4})\b", lambda m: f" #date:{m[2]}-q{m[1]} "),
        (r"\b(?:in|nam|since|from|until|tu|den) (20\d{2})\b", lambda m: f" #date:{m[1]} "),
        (r"\b(\d{1,2}):(\d{2})(?: ?(am|pm))?(?: utc)?\b", lambda m: _time(m[1], m[2], m[3])),
        (r"\b(\d{1,2}) ?(am|pm)\b", lambda m: _time(m[1], "0", m[2])),
        (r"\b(\d{1,2}) ?(?:h|gio) ?(\d{2})? ?(sang|chieu|toi|dem)\b", lambda m: _time(m[1], m[2] or "0", m[3])),
        (
            r"(?<!trong )(?<!sau )(?<!within )(?<!after )(?<!every )(?<!moi )\b(\d{1,2})h(\d{2})?\b",
            lambda m: _time(m[1], m[2] or "0", None),
        ),
        (r"\bhalf an hour\b|\bnua (?:gio|tieng)\b", " #dur:1800 "),
        (r"\bhalf(?= of)|\bmot nua\b", " #pct:50 "),
        (rf"\b({words}) (?=(?:{units}|business|working|calendar)\b)", lambda m: f"{_WORDS_FOR_NUMBERS[m[1]]} "),
        (rf"\b(?:a|an|one|mot) (?={units}\b)(?<!per a )", "1 "),
        (
            rf"{_NUMBER} (?:business|working) days?|{_NUMBER} ngay lam viec",
            lambda m: f" #workdays:{_value(m[1] or m[2])} ",
        ),
        (rf"\b{_NUMBER}[ -]?({units})\b(?! 20\d\d)", lambda m: f" #dur:{_value(m[1], _SECONDS[m[2]])} "),
        (rf"{_NUMBER} ?({sizes})\b", lambda m: f" #size:{_value(m[1], _BYTES[m[2]])} "),
        (rf"{_NUMBER} ?(?:%|percent\b|phan tram\b)", lambda m: f" #pct:{_value(m[1])} "),
        (rf"{_NUMBER} ?(?:trieu|million)\b", lambda m: f" #num:{_value(m[1], 10**6)} "),
        (rf"{_NUMBER} ?(?:k|nghin|thousand)\b", lambda m: f" #num:{_value(m[1], 10**3)} "),
        (
            r"(?:\bper |\ba |\bmoi |/) ?(second|minute|hour|day|giay|phut|gio|ngay)\b",
            lambda m: f" #per:{_SECONDS[m[1]]} ",
        ),
        (r"\bonce (?:a|per) |\bmot lan (?:mot|moi) ", " every "),
        (r"\b(?:mot lan|once)\b(?! )", " "),
        (r"\b(?:every|each|moi|hang) (?:night|day|dem|ngay)\b(?: mot lan)?|\bnightly\b|\bdaily\b", " #every:86400 "),
        (r"\b(?:every|each|moi|hang) (?:week|tuan)\b|\bweekly\b", " #every:604800 "),
        (r"\b(?:every|each|moi|hang) (?:month|thang)\b|\bmonthly\b", " #every:2592000 "),
        (r"\b(?:every|each|moi|hang) (?:year|nam)\b|\byearly\b|\bannually\b", " #every:31536000 "),
        (r"\b(?:every|each|moi) +#dur:(\S+)", lambda m: f" #every:{m[1]} "),
        (rf"\b({days})s?\b", lambda m: f" #day:{_DAYS[m[1]]} "),
        (rf"\b({_MONTH})\b(?! \d)", lambda m: f" #month:{_MONTHS[m[1]]} "),
        (rf"\b({words})\b(?= [a-z])", lambda m: f" #num:{_WORDS_FOR_NUMBERS[m[1]]} "),
        (r"(?<![\w#:.-])v?(\d+(?:\.\d+)+)(?![\w:])", lambda m: _decimal(m[1])),
        (rf"(?<![\w#:./-]){_NUMBER}(?![\w:/-])", lambda m: f" #num:{_value(m[1])} "),
    ]
    return [(re.compile(pattern), written) for pattern, written in rules]


def _date(year: str, month: str, day: str | None = None) -> str:
    return f" #date:{year}-{int(month):02}" + (f"-{int(day):02} " if day else " ")


def _time(hour: str, minute: str, half: str | None) -> str:
    hours = int(hour) % 12 if half else int(hour)
    if half in ("pm", "chieu", "toi", "dem") and hours < 12:
        hours += 12
    return f" #time:{hours * 60 + int(minute)} "


def _decimal(text: str) -> str:
    """Thousands between points are one number; anything else with points in it is a version."""
    if re.fullmatch(r"\d{1,3}(?:\.000)+", text):
        return f" #num:{_value(text)} "
    return f" #ver:{text} "


def _value(text: str, times: float = 1) -> str:
    """A number as it is compared: thousands may be set off by points or commas."""
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", text):
        text = re.sub("[.,]", "", text)
    text = text.replace(",", ".")
    try:
        return f"{float(text) * times:.10g}"
    except (ValueError, OverflowError):
        return text
