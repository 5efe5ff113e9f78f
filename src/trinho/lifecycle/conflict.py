"""How two facts of the same domain and topic stand to each other."""

from __future__ import annotations

from enum import StrEnum
from math import exp
from typing import TYPE_CHECKING, NamedTuple

from trinho.lifecycle.alignment import FEATURES, align, are_rivals, features, slots
from trinho.lifecycle.statement import MOST_CHARACTERS, statement

if TYPE_CHECKING:
    from trinho.lifecycle.alignment import Alignment
    from trinho.lifecycle.statement import Statement, Token


class Label(StrEnum):
    """What a newer fact does to an older one."""

    RESTATES = "restates"
    CONTRADICTS = "contradicts"
    REFINES = "refines"
    COEXISTS = "coexists"


class Judgement(NamedTuple):
    """The label, whether it is so certain that nobody need be asked, and the reason in a few words."""

    label: Label
    sure: bool
    reason: str


LABELS = (Label.RESTATES, Label.CONTRADICTS, Label.REFINES, Label.COEXISTS)
# Least probability at which a label can be sure. Measured by cross-validation (`python -m benchmarks.conflicts`): at
# these, and with the conditions below, 1 in 80 supersessions is wrong
_SURE = {Label.RESTATES: 0.7, Label.CONTRADICTS: 0.65, Label.REFINES: 0.7, Label.COEXISTS: 1.1}
_TWO = 2  # words that differ on both sides are more than one value
_MOST_LOOSE = 3  # words that two ways to say one thing may leave over

# What each feature says for restates, contradicts, refines and coexists: a regularised multinomial regression over
# labelled pairs of facts
WEIGHTS = {
    "bias": (0.397, -0.408, -0.605, 0.616),
    "cover_old": (0.781, 0.215, 0.339, -1.335),
    "cover_new": (2.020, -0.268, -1.457, -0.295),
    "polarity": (-1.462, 0.990, -0.560, 1.032),
    "slot": (-1.622, 1.124, -0.363, 0.861),
    "slots": (-0.816, -0.478, -0.191, 1.485),
    "old_empty": (0.026, -0.368, 1.369, -1.027),
    "new_empty": (0.964, 0.356, -0.468, -0.851),
    "old_left": (-0.219, -0.779, -0.504, 1.503),
    "new_left": (-1.308, 0.814, 1.491, -0.997),
    "subject": (-1.660, 0.746, -0.615, 1.529),
    "names": (-0.661, 0.350, -0.212, 0.523),
    "changed": (-0.931, 1.439, -0.145, -0.363),
    "old_denied": (-1.300, 2.202, -0.566, -0.336),
    "prefix": (-0.296, -1.727, 2.441, -0.417),
    "swapped": (-1.714, 1.851, -0.101, -0.036),
    "one_each": (0.398, -0.173, -0.999, 0.774),
    "old_place": (0.566, 1.258, -0.467, -1.357),
    "new_place": (-0.729, 0.395, 0.812, -0.477),
    "measures_added": (-0.255, 0.259, 0.384, -0.387),
    "measures_same": (1.903, -0.724, -0.445, -0.734),
    "adds": (0.502, -0.992, 0.762, -0.273),
    "narrowed": (-1.624, -0.889, 2.549, -0.036),
    "slot_and_subject": (-0.051, -0.569, -0.024, 0.644),
    "slot_alone": (-0.830, 1.070, -0.201, -0.039),
    "empty_and_polarity": (-0.844, 1.559, -0.310, -0.405),
    "clauses_added": (-0.722, 1.972, 0.630, -1.880),
    "scope_both": (-0.194, -0.622, -0.214, 1.030),
    "denied_new": (-0.013, 0.420, -0.330, -0.077),
    "last_old": (-1.695, 0.734, -0.718, 1.679),
    "words_jaccard": (-1.009, 0.604, -0.793, 1.198),
    "measures_lost": (1.218, -0.950, -0.182, -0.086),
    "flipped_slot": (-0.005, -1.514, -0.004, 1.523),
    "flipped_both_left": (-0.164, 0.070, -0.240, 0.333),
    "flipped_clean": (-0.849, 0.045, -0.314, 1.118),
    "rivals": (-0.433, -0.026, -0.117, 0.577),
    "rivals_alone": (-0.359, 1.841, -0.050, -1.432),
    "two_differ": (0.162, -0.030, -0.490, 0.357),
}


def judge(old: str, new: str) -> Judgement:
    """How `new` stands to `old`; languages are English and Vietnamese, also one on each side."""
    if " ".join(old.split()).casefold() == " ".join(new.split()).casefold():
        return Judgement(Label.RESTATES, sure=True, reason="the same words")
    before, now = statement(old), statement(new)
    if not before.tokens or not now.tokens:
        return Judgement(Label.COEXISTS, sure=False, reason="there is too little to compare")
    values = features(before, now)
    shares = _shares(values)
    found = align(before, now)
    label = LABELS[shares.index(max(shares))]
    if label is Label.RESTATES and found.narrowed:
        label = Label.REFINES
    whole = max(len(old), len(new)) <= MOST_CHARACTERS
    sure = whole and max(shares) >= _SURE[label] and _CONDITIONS[label](dict(zip(FEATURES, values, strict=True)), found)
    return Judgement(label, sure, _reason(label, found, before, now))


def _shares(values: list[float]) -> list[float]:
    """The probability of each label."""
    sums = [0.0, 0.0, 0.0, 0.0]
    for name, value in zip(FEATURES, values, strict=True):
        if value:
            sums = [total + weight * value for total, weight in zip(sums, WEIGHTS[name], strict=True)]
    powers = [exp(total - max(sums)) for total in sums]
    return [power / sum(powers) for power in powers]


def _surely_contradicts(said: dict[str, float], found: Alignment) -> bool:
    """One thing has another value or is denied, and nothing hints at another subject, event or time."""
    changed = slots(found)
    cues = ("slot", "polarity", "rivals", "old_denied", "changed", "swapped")
    plain = min(sum(not token.kind for token in only) for only in (found.only_old, found.only_new))
    return (
        any(said[cue] for cue in cues)
        and not (said["subject"] and not said["rivals"])
        and not (len(changed) > 1 and any(one.kind in ("date", "month") for one, _ in changed))
        and not said["flipped_slot"]
        and not (said["polarity"] and plain)
        and plain < _TWO
    )


def _surely_restates(said: dict[str, float], found: Alignment) -> bool:
    """Nothing of weight is left over on either side."""
    loose = (*found.only_old, *found.only_new)
    kept = not any(token.kind or token.name for token in loose)
    return kept and len(loose) <= _MOST_LOOSE and not (said["polarity"] or said["swapped"] or said["rivals"])


def _surely_refines(said: dict[str, float], found: Alignment) -> bool:
    """The new one holds all that the old one says."""
    return not found.only_old and not (said["polarity"] or said["slot"] or said["old_denied"])


def _never(said: dict[str, float], found: Alignment) -> bool:  # noqa: ARG001 - as the others
    """Nothing follows from it."""
    return False


_CONDITIONS = {
    Label.RESTATES: _surely_restates,
    Label.CONTRADICTS: _surely_contradicts,
    Label.REFINES: _surely_refines,
    Label.COEXISTS: _never,
}


def _reason(label: Label, found: Alignment, old: Statement, new: Statement) -> str:
    if label is Label.RESTATES:
        return "the same in other words"
    if label is Label.REFINES:
        added = ", ".join(f"`{_shown(token)}`" for token in found.only_new[:3])
        return f"it says the same and adds {added}" if added else "it says the same more exactly"
    changed = slots(found)
    if changed:
        one, other = changed[0]
        return f"`{_shown(one)}` became `{_shown(other)}`"
    for one in found.only_old:
        for other in found.only_new:
            if are_rivals(one, other):
                return f"`{_shown(one)}` became `{_shown(other)}`"
    if label is Label.CONTRADICTS and any(one.negated != other.negated for one, other in found.pairs):
        return "one says that it is so, the other that it isn't"
    if found.only_old and found.only_new:
        return f"one speaks of `{_shown(found.only_old[0])}`, the other of `{_shown(found.only_new[0])}`"
    return f"they share {len(found.pairs)} of {len(old.tokens)} and {len(new.tokens)} words"


_TIMES = ((31_536_000, "years"), (86_400, "days"), (3_600, "hours"), (60, "minutes"), (1, "seconds"))
_SIZES = ((2**30, "GiB"), (10**9, "GB"), (2**20, "MiB"), (10**6, "MB"), (10**3, "kB"), (1, "bytes"))
_SAID = {"dur": "{}", "every": "every {}", "per": "per {}", "size": "{}", "pct": "{} %", "workdays": "{} working days"}


def _shown(token: Token) -> str:
    """The token as a person writes it."""
    if token.kind == "time" and token.value.isdigit():
        return f"{int(token.value) // 60:02}:{int(token.value) % 60:02}"
    value = token.value
    if token.kind in ("dur", "every", "per", "size"):
        value = _in_units(float(value), _SIZES if token.kind == "size" else _TIMES)
    return _SAID[token.kind].format(value) if token.kind in _SAID else token.text


def _in_units(amount: float, units: tuple[tuple[int, str], ...]) -> str:
    size, name = next(((size, name) for size, name in units if amount >= size and amount % size == 0), units[-1])
    return f"{amount / size:g} {name}"
