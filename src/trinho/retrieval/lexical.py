"""Recall by words: BM25 over a few fields, how much of the query is covered, and which words stand side by side.

Every statistic is of the entries that are seen, so that what is hidden changes no answer.
"""

from __future__ import annotations

from heapq import nlargest
from math import log
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from trinho.retrieval.evidence import Gaps, suffices
from trinho.retrieval.meanings import meanings_of
from trinho.retrieval.words import MIN_PREFIX, is_beginning

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from trinho.access.grant import Sight
    from trinho.domain.entry import EntryType, Kind
    from trinho.ports.index import Postings, WordReader, Words
    from trinho.retrieval.words import Asked

# BM25. Notes are short, so saturation comes early
K1 = 1.0
B = 0.65
HEAD_WEIGHT = 1.5
SUMMARY_WEIGHT = 1.0
PAIR_WEIGHT = 0.5
# Of a word's weight, where a text has it with other accents only: má is no ma
OTHER_ACCENTS = 0.3
# Of a word's weight, where a text has another word for it
MEANING_WEIGHT = 0.6
# A line of a log is often an answer to the ones before it: of their scores, and of the terms that they cover
NEIGHBOURS = {-4: 0.2, -3: 0.2, -2: 0.3, -1: 0.5, 1: 0.35, 2: 0.3, 3: 0.2}
COVERED = {-4: 0.7, -3: 0.7, -2: 0.8, -1: 0.9, 1: 0.9, 2: 0.8, 3: 0.7}
_REACH = 4
EXPANDED = 10  # of the lines that hold something, the best bring those around them into play

# Rows that are read to choose whom to score: a twelfth of the entries, within these bounds
FEWEST_POSTINGS = 1_000
MOST_POSTINGS = 8_000
_SAMPLE = 256  # rows that tell how common a term is
# Of the entries that hold some of the rarest terms so many are scored; but for the first ones, those that hold much
# less than the leading ones can't win
FEWEST_SCORED = 30
MOST_SCORED = 100
LEADING = 10
HOPELESS = 0.8


class Scored(NamedTuple):
    """An entry and what speaks for it: the terms that it holds, by their place, and their share of all weight.

    `alike` are terms for which it has another word.
    """

    row: int
    score: float
    terms: frozenset[int]
    coverage: float
    alike: frozenset[int] = frozenset()


class Ranking(NamedTuple):
    """The best of the entries, how many held a term that was looked for, and what tells whether one is an answer."""

    scored: Sequence[Scored] = ()
    considered: int = 0
    entries: int = 0
    gaps: Gaps = Gaps()

    def is_answer(self, best: Scored) -> bool:
        """Whether the best says enough of what was asked."""
        return suffices(best, self.entries, rarity(self.entries, 0), self.gaps)


def rank(
    reader: WordReader,
    asked: Asked,
    sight: Sight,
    kinds: Collection[Kind] = (),
    types: Collection[EntryType] = (),
    most: int = MOST_SCORED,
) -> Ranking:
    """What seen entries hold of the query, best first, equals by their rows; at most `most` and their neighbours.

    The rarest terms choose who is scored; a term is left to the scoring once MOST_POSTINGS have been read. A term that
    no entry has as a word is looked for as the beginning of one.
    """
    question = _question(reader, asked, sight)
    if question is None:
        return Ranking()
    sums = _sums(reader, question, sight)
    rows = sums if not kinds and not types else reader.of_kind(sums, kinds, types)
    best = _best(reader, rows, sums, most)
    scored = _Scorer(asked, question).score(reader, best, sight)
    if kinds or types:
        kept = reader.of_kind([each.row for each in scored], kinds, types)
        scored = [each for each in scored if each.row in kept]
    scored.sort(key=lambda each: (-each.score, each.row))
    missing = {asked.terms[place] for place in asked.names if not question.samples[place].rows}
    codes = {term for term in missing if any(map(str.isdigit, term))}
    return Ranking(scored, len(rows), question.entries, Gaps(asked.is_question, bool(codes), bool(missing - codes)))


def held(reader: WordReader, asked: Asked, sight: Sight, row: int) -> Scored:
    """What one entry holds of the query."""
    question = _question(reader, asked, sight)
    if question is not None:
        for each in _Scorer(asked, question).score(reader, [row], sight):
            if each.row == row:
                return each
    return Scored(row, 0.0, frozenset(), 0.0)


class _Alike(NamedTuple):
    """A meaning of some of the terms: its first postings, and what it weighs in the place of each."""

    word: str
    places: Mapping[int, float]
    sample: Postings


class _Question(NamedTuple):
    """The terms with their first postings and weights, which of them are beginnings, and what entries are like."""

    terms: Sequence[str]
    samples: Sequence[Postings]
    weights: Sequence[float]
    begun: Collection[int]
    meanings: Sequence[_Alike]
    entries: int
    average: Sequence[float]


def _question(reader: WordReader, asked: Asked, sight: Sight) -> _Question | None:
    statistics = reader.statistics(sight)
    if not statistics.entries or not asked.terms:
        return None
    samples = [reader.postings(term, sight, _SAMPLE) for term in asked.terms]
    begun = {
        place
        for place, term in enumerate(asked.terms)
        if is_beginning(term) or (not samples[place].rows and len(term) >= MIN_PREFIX)
    }
    for place in begun:
        samples[place] = reader.beginning(asked.terms[place], sight, _SAMPLE)
    weights = [
        # A name that nobody has written as a whole is looked for by its parts alone
        0.0 if place in asked.wholes - asked.names and not sample.rows else rarity(statistics.entries, sample.total)
        for place, sample in enumerate(samples)
    ]
    meanings = _meanings(reader, asked, weights, statistics.entries, sight)
    average = [max(1.0, each / statistics.entries) for each in statistics.words]
    return _Question(asked.terms, samples, weights, begun, meanings, statistics.entries, average)


def _best(reader: WordReader, rows: Collection[int], sums: Mapping[int, float], most: int) -> Sequence[int]:
    """The rows with the largest sums that could be among the best; of those that are equal at the end, the newest."""
    ordered = nlargest(most, map(sums.__getitem__, rows))
    if len(ordered) > FEWEST_SCORED:
        hopeless = ordered[LEADING - 1] * HOPELESS
        last = next((each for each in ordered[FEWEST_SCORED:] if each < hopeless), ordered[-1])
    else:
        last = 0.0
    above = [row for row in rows if sums[row] > last]
    equal = [row for row in rows if sums[row] == last]
    room = most - len(above)
    return [*above, *(equal if len(equal) <= room else reader.newest_of(equal, room))]


def rarity(entries: int, holding: float) -> float:
    """BM25's weight of a term that so many of the entries hold."""
    return log(1 + (max(0.0, entries - holding) + 0.5) / (holding + 0.5))


def _meanings(reader: WordReader, asked: Asked, weights: Sequence[float], entries: int, sight: Sight) -> list[_Alike]:
    places = {term: place for place, term in enumerate(asked.terms)}
    found: dict[str, set[int]] = {}
    for meaning in meanings_of(asked.sequence):
        terms = {places[term] for term in map(asked.sequence.__getitem__, meaning.places) if term in places}
        if terms:
            found.setdefault(meaning.word, set()).update(terms)
    alike = []
    for word, terms in found.items():
        sample = reader.postings(word, sight, _SAMPLE)
        if sample.rows:
            weight = rarity(entries, sample.total)
            alike.append(
                _Alike(word, {place: MEANING_WEIGHT * min(weights[place], weight) for place in sorted(terms)}, sample)
            )
    return alike


def _sums(reader: WordReader, question: _Question, sight: Sight) -> dict[int, float]:
    """The weights of the rarest terms and meanings added up by row."""
    most = min(MOST_POSTINGS, max(FEWEST_POSTINGS, question.entries // 12))
    lists = [
        (sample.total, term, sample, weight, place in question.begun)
        for place, (term, sample, weight) in enumerate(
            zip(question.terms, question.samples, question.weights, strict=True)
        )
    ]
    lists += [
        (each.sample.total, each.word, each.sample, max(each.places.values()), False) for each in question.meanings
    ]
    sums: dict[int, float] = {}
    room = most
    for total, term, sample, weight, begun in sorted(lists, key=itemgetter(0, 1)):
        if sums and total > room:
            break
        rows = sample.rows
        if len(rows) < total:
            rows = (reader.beginning if begun else reader.postings)(term, sight, most).rows
        room -= len(rows)
        if sums:
            get = sums.get
            for row in rows:
                sums[row] = get(row, 0.0) + weight
        else:
            sums = dict.fromkeys(rows, weight)
    return sums


class _Part(NamedTuple):
    """What the words of one entry say: the share of each term that it covers, by place, and its pairs by place."""

    score: float
    terms: Mapping[int, float]
    pairs: Sequence[int]


class _Scorer:
    def __init__(self, asked: Asked, question: _Question) -> None:
        self._weights = question.weights
        self._average = question.average
        self._entries = question.entries
        self._all = sum(question.weights) or 1.0
        self._terms = [
            (place, f" {term}" if place in question.begun else f" {term} ", question.weights[place])
            for place, term in enumerate(asked.terms)
        ]
        self._accented = {place: f" {word} " for place, word in asked.accented.items()}
        self._meanings = [(f" {each.word} ", each.places) for each in question.meanings]
        self._pairs = [f" {first} {second} " for first, second in asked.pairs]
        self._parts: dict[int, _Part] = {}

    def score(self, reader: WordReader, rows: Collection[int], sight: Sight) -> list[Scored]:
        """The rows, and with each line of a log the lines around it."""
        self._read(reader, rows)
        around = dict(reader.around(rows, sight, _REACH))
        leading = nlargest(EXPANDED, around, key=lambda row: (self._parts[row].score, -row))
        beside = self._read(reader, _neighbours({row: around[row] for row in leading}))
        if beside:
            around.update(reader.around(beside, sight, _REACH))
            self._read(reader, _neighbours({row: around[row] for row in beside}))
        rarities = self._rarities_of_pairs()
        return [self._scored(row, around.get(row, {}), rarities) for row in (*rows, *beside) if row in self._parts]

    def _read(self, reader: WordReader, rows: Iterable[int]) -> list[int]:
        """Judge those of the rows that weren't yet; answers with them."""
        new = [row for row in rows if row not in self._parts]
        self._parts.update((row, self._part(words)) for row, words in reader.words(new).items())
        return new

    def _scored(self, row: int, around: Mapping[int, int], rarities: Sequence[float]) -> Scored:
        part = self._parts[row]
        score = part.score
        covered = dict(part.terms)
        for distance, neighbour in around.items():
            other = self._parts.get(neighbour)
            if other is not None and distance in NEIGHBOURS:
                score += NEIGHBOURS[distance] * other.score
                for place, share in other.terms.items():
                    covered[place] = max(covered.get(place, 0.0), share * COVERED[distance])
        coverage = sum(self._weights[place] * share for place, share in covered.items()) / self._all
        score = score * coverage + PAIR_WEIGHT * sum(rarities[place] for place in part.pairs)
        whole = frozenset(place for place, share in part.terms.items() if share == 1)
        return Scored(row, score, whole, coverage, frozenset(part.terms.keys() - whole))

    def _rarities_of_pairs(self) -> list[float]:
        holding = [0] * len(self._pairs)
        for part in self._parts.values():
            for place in part.pairs:
                holding[place] += 1
        return [rarity(self._entries, each) for each in holding]

    def _part(self, words: Words) -> _Part:
        fields = [
            (text, weight, K1 * (1 - B + B * (text.count(" ") - 1) / average))
            for text, weight, average in zip(words[:3], (1.0, HEAD_WEIGHT, SUMMARY_WEIGHT), self._average, strict=True)
            if text
        ]
        score = 0.0
        terms: dict[int, float] = {}
        for place, term, weight in self._terms:
            gain = 0.0
            for text, boost, norm in fields:
                if term in text:  # most aren't, and counting takes longer than looking
                    count = text.count(term)
                    gain += boost * count * (K1 + 1) / (count + norm)
            if gain:
                if words.accented and place in self._accented and self._accented[place] not in words.accented:
                    gain *= OTHER_ACCENTS
                score += gain * weight
                terms[place] = 1.0
        if words.meanings:
            for word, places in self._meanings:
                if word in words.meanings:
                    for place, weight in places.items():
                        if place not in terms:
                            score += weight
                            terms[place] = MEANING_WEIGHT
        pairs: Sequence[int] = ()
        if len(terms) > 1:
            pairs = [n for n, pair in enumerate(self._pairs) if pair in words.body or pair in words.head]
        return _Part(score, terms, pairs)


def _neighbours(around: Mapping[int, Mapping[int, int]]) -> list[int]:
    return sorted({row for places in around.values() for row in places.values()})
