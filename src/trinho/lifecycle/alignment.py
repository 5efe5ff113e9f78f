"""What two statements have in common, and of which kind the differences are."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from trinho.lifecycle.vocabulary import RIVALS
from trinho.retrieval.stems import stem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trinho.lifecycle.statement import Statement, Token

# Measures of one kind stand for one slot: another value there is another statement
_SLOTS = frozenset({"dur", "size", "num", "pct", "date", "time", "day", "month", "every", "per", "ver", "workdays"})
# Words with which a text says that something has changed
_CHANGED = frozenset({"move", "now"})
_ADDS = frozenset({"because", "except", "also"})


class Alignment(NamedTuple):
    """Pairs of matched tokens, what only the old and only the new statement has, and measures that got narrower."""

    pairs: tuple[tuple[Token, Token], ...]
    only_old: tuple[Token, ...]
    only_new: tuple[Token, ...]
    narrowed: tuple[tuple[Token, Token], ...]


def align(old: Statement, new: Statement) -> Alignment:
    """Match each token of the old statement with the first of the new one that means the same."""
    left = list(new.tokens)
    pairs: list[tuple[Token, Token]] = []
    narrowed: list[tuple[Token, Token]] = []
    only_old: list[Token] = []
    for token in old.tokens:
        match = next((other for other in left if _means_the_same(token, other)), None)
        narrow = None if match else next((other for other in left if _narrows(token, other)), None)
        if match is not None:
            pairs.append((token, match))
            left.remove(match)
        elif narrow is not None:
            narrowed.append((token, narrow))
            left.remove(narrow)
        else:
            only_old.append(token)
    return Alignment(tuple(pairs), tuple(only_old), tuple(left), tuple(narrowed))


def _means_the_same(one: Token, other: Token) -> bool:
    if one.kind or other.kind:
        return one.kind == other.kind and one.value == other.value
    if one.text != other.text and are_rivals(one, other):
        return bool(one.keys & other.keys & _rivals().keys())
    return not one.keys.isdisjoint(other.keys)


def _narrows(old: Token, new: Token) -> bool:
    """Whether a date or version is the old one, told more exactly."""
    if old.kind == new.kind == "ver" or (old.kind == "num" and new.kind == "ver"):
        return new.value.startswith(f"{old.value}.")
    if old.kind == new.kind == "date":
        return new.value.startswith(f"{old.value}-") or _in_quarter(old.value, new.value)
    return False


def _in_quarter(quarter: str, date: str) -> bool:
    year, _, number = quarter.partition("-q")
    year_of, _, rest = date.partition("-")
    return bool(number) and year == year_of and rest[:2].isdigit() and (int(rest[:2]) + 2) // 3 == int(number)


FEATURES = (
    "bias", "cover_old", "cover_new", "polarity", "slot", "slots", "old_empty", "new_empty", "old_left", "new_left",
    "subject", "names", "changed", "old_denied", "prefix", "swapped", "one_each", "old_place", "new_place",
    "measures_added", "measures_same", "adds", "narrowed", "slot_and_subject", "slot_alone", "empty_and_polarity",
    "clauses_added", "scope_both", "denied_new", "last_old", "words_jaccard", "measures_lost", "flipped_slot",
    "flipped_both_left", "flipped_clean", "rivals", "rivals_alone", "two_differ",
)  # fmt: skip


def features(old: Statement, new: Statement) -> list[float]:
    """What the judgement weighs, in the order of FEATURES."""
    found = align(old, new)
    matched = len(found.pairs) + len(found.narrowed)
    polarity = sum(one.negated != other.negated for one, other in found.pairs)
    straight = len(found.pairs) - polarity
    changed = slots(found)
    first_old, first_new = _first(old), _first(new)
    subject = float(first_old in found.only_old and first_new in found.only_new)
    old_count, new_count = max(1, len(old.tokens)), max(1, len(new.tokens))
    plain_old = [token for token in found.only_old if not token.kind]
    plain_new = [token for token in found.only_new if not token.kind]
    rivals = float(any(are_rivals(one, other) for one in plain_old for other in plain_new))
    keys_new = {key for token in found.only_new for key in token.keys}
    old_empty, new_empty = float(not found.only_old), float(not found.only_new)
    flipped = float(polarity > straight)
    return [
        1.0,
        matched / old_count,
        matched / new_count,
        flipped,
        float(bool(changed)),
        min(len(changed), 2) / 2,
        old_empty,
        new_empty,
        min(len(found.only_old), 6) / 6,
        min(len(found.only_new), 10) / 10,
        subject,
        float(any(t.name for t in found.only_old) and any(t.name for t in found.only_new)),
        float(not _CHANGED.isdisjoint(keys_new)),
        float(0 < polarity <= straight),
        float(new.words[: len(old.words)] == old.words),
        float(_swapped(old, new)),
        float(len(plain_old) == 1 and 1 <= len(plain_new) <= 2),
        _place(found.only_old, old),
        _place(found.only_new, new),
        min(3, sum(bool(t.kind) for t in found.only_new) - len(changed)) / 3,
        min(3, sum(bool(one.kind) for one, _ in found.pairs)) / 3,
        float(not _ADDS.isdisjoint(keys_new)),
        float(bool(found.narrowed)),
        float(bool(changed)) * subject,
        float(bool(changed)) * float(len(plain_old) == 0),
        old_empty * flipped,
        min(3, max(0, len(new.negations) - len(old.negations))) / 3,
        float(bool(plain_old) and bool(plain_new)) * float(len(plain_old) + len(plain_new) >= 4),
        float(any(t.negated for t in found.only_new)),
        float(bool(old.tokens) and old.tokens[-1] in found.only_old),
        _jaccard(old.words, new.words),
        float(sum(bool(t.kind) for t in found.only_old) > len(changed)),
        flipped * float(bool(changed)),
        flipped * float(bool(plain_old) and bool(plain_new)),
        flipped * float(not plain_old),
        rivals,
        rivals * float(len(plain_old) == 1 and not changed),
        float(min(len(plain_old), len(plain_new)) >= 2) * float(not rivals),
    ]


def are_rivals(one: Token, other: Token) -> bool:
    """Whether they are two of the things of which one is used in a place."""
    groups = _rivals()
    return any(
        groups[mine] == groups[theirs] for mine in one.keys & groups.keys() for theirs in other.keys & groups.keys()
    )


@cache
def _rivals() -> dict[str, int]:
    return {stem(word): number for number, line in enumerate(RIVALS.strip().splitlines()) for word in line.split()}


def slots(found: Alignment) -> list[tuple[Token, Token]]:
    """Measures of one kind that have another value."""
    left = [token for token in found.only_new if token.kind in _SLOTS]
    pairs = []
    for token in found.only_old:
        if token.kind in _SLOTS:
            other = next((each for each in left if each.kind == token.kind), None)
            if other is not None:
                pairs.append((token, other))
                left.remove(other)
    return pairs


def _first(said: Statement) -> Token | None:
    return said.tokens[0] if said.tokens else None


def _place(only: Iterable[Token], said: Statement) -> float:
    """Where the differences stand on the average: 0 is the beginning, 1 the end."""
    places = [said.tokens.index(token) for token in only]
    return sum(places) / len(places) / max(1, len(said.tokens) - 1) if places else 0.5


def _swapped(old: Statement, new: Statement) -> bool:
    """Whether what is preferred and what it is preferred to have changed places."""
    sides = _sides(old), _sides(new)
    if sides[0] is None or sides[1] is None:
        return False
    (better, worse), (better_now, worse_now) = sides[0], sides[1]
    return bool(better & worse_now - better_now and worse & better_now - worse_now)


def _sides(said: Statement) -> tuple[frozenset[str], frozenset[str]] | None:
    """What stands before the word that compares, and behind it."""
    at = next((place for place, token in enumerate(said.tokens) if "over" in token.keys), None)
    if at is None or not any("prefer" in token.keys for token in said.tokens):
        return None
    before, after = said.tokens[:at], said.tokens[at + 1 :]
    return frozenset(k for t in before for k in t.keys), frozenset(k for t in after for k in t.keys)


def _jaccard(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    both = set(one) | set(other)
    return len(set(one) & set(other)) / len(both) if both else 1.0
