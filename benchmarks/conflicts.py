"""How facts are judged: labelled pairs, with the weights cross-validated, so that no pair is judged by what it taught.

`python -m benchmarks.conflicts` prints the figures, `--fit` the weights that the product carries.
"""

from __future__ import annotations

import argparse
import json
import random
from math import exp
from pathlib import Path
from typing import NamedTuple

from benchmarks.row import Row
from trinho.lifecycle import conflict
from trinho.lifecycle.alignment import FEATURES, features
from trinho.lifecycle.conflict import LABELS, Label, judge
from trinho.lifecycle.statement import statement

DEV = Path(__file__).parents[2] / "shared/cases/conflicts.dev.jsonl"
OWN = Path(__file__).parents[1] / "tests/lifecycle/conflict_cases.jsonl"
FOLDS = 8
PENALTY = 0.3
STEPS = 400
_RATE = 2.0
_RESAMPLES = 2_000

Weights = list[list[float]]


class Case(NamedTuple):
    """A labelled pair with its features."""

    old: str
    new: str
    label: Label
    values: tuple[float, ...]


class Judged(NamedTuple):
    """What was said of a pair that the weights hadn't seen."""

    case: Case
    label: Label
    sure: bool


def rows() -> list[Row]:
    """The goals of conflict detection without a model."""
    if not DEV.exists():
        return [Row("conflicts", "not measured", f"{DEV} isn't there", "", True)]
    dev, own = cases(DEV), cases(OWN)
    judged = cross_validated(dev, own)
    score = macro_f1(judged)
    covered, wrong = superseded(judged)
    low, high = interval(judged)
    beside = f"95 %: {low:.2f} to {high:.2f}; {len(dev)} pairs, cross-validated with {len(own)} of our own"
    wrongly = f"{wrong:.1%} of them wrong"
    return [
        Row("conflicts, macro-F1", f"{score:.3f}", beside, "≥ 0.85", score >= 0.85),
        Row(
            "contradictions superseded by themselves", f"{covered:.0%}", wrongly, "≥ 60 %, ≤ 2 % wrong", covered >= 0.6
        ),
    ]


def cases(path: Path) -> list[Case]:
    found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        Case(
            each["old"],
            each["new"],
            Label(each["label"]),
            tuple(features(statement(each["old"]), statement(each["new"]))),
        )
        for each in found
    ]


def cross_validated(judged: list[Case], beside: list[Case], seed: int = 0) -> list[Judged]:
    """Each pair judged by weights that were fitted to the other folds and to what stands beside."""
    order = list(range(len(judged)))
    random.Random(seed).shuffle(order)
    answers = []
    for fold in range(FOLDS):
        held = set(order[fold::FOLDS])
        weights = fit([case for place, case in enumerate(judged) if place not in held] + beside)
        with using(weights):
            for place in sorted(held):
                said = judge(judged[place].old, judged[place].new)
                answers.append(Judged(judged[place], said.label, said.sure))
    return answers


class using:  # noqa: N801 - reads as a statement
    """The product's judgement with other weights, for as long as the block lasts."""

    def __init__(self, weights: Weights) -> None:
        self._weights = dict(zip(FEATURES, zip(*weights, strict=True), strict=True))
        self._kept = dict(conflict.WEIGHTS)

    def __enter__(self) -> None:
        conflict.WEIGHTS.update(self._weights)

    def __exit__(self, *_: object) -> None:
        conflict.WEIGHTS.update(self._kept)


def fit(given: list[Case]) -> Weights:
    """Multinomial regression with a penalty on every weight but the bias, by plain gradient descent."""
    weights = [[0.0] * len(FEATURES) for _ in LABELS]
    for _ in range(STEPS):
        slopes = [[0.0] * len(FEATURES) for _ in LABELS]
        for case in given:
            shares = _shares(weights, case.values)
            for number, label in enumerate(LABELS):
                off = shares[number] - (case.label is label)
                for place, value in enumerate(case.values):
                    if value:
                        slopes[number][place] += off * value
        for number in range(len(LABELS)):
            for place in range(len(FEATURES)):
                pull = PENALTY * weights[number][place] if place else 0.0
                weights[number][place] -= _RATE * (slopes[number][place] + pull) / len(given)
    return weights


def _shares(weights: Weights, values: tuple[float, ...]) -> list[float]:
    sums = [sum(weight * value for weight, value in zip(row, values, strict=True)) for row in weights]
    powers = [exp(each - max(sums)) for each in sums]
    return [power / sum(powers) for power in powers]


def macro_f1(judged: list[Judged]) -> float:
    """The mean over the four labels; an open conflict counts by the label that it is opened with."""
    scores = []
    for label in LABELS:
        right = sum(each.label is label is each.case.label for each in judged)
        taken = sum(each.label is label for each in judged)
        there = sum(each.case.label is label for each in judged)
        scores.append(2 * right / (taken + there) if taken + there else 0.0)
    return sum(scores) / len(scores)


def superseded(judged: list[Judged]) -> tuple[float, float]:
    """Which share of contradictions supersede by themselves, and which share of such supersessions is wrong."""
    done = [each for each in judged if each.sure and each.label is Label.CONTRADICTS]
    right = sum(each.case.label is Label.CONTRADICTS for each in done)
    there = sum(each.case.label is Label.CONTRADICTS for each in judged)
    return right / max(1, there), 1 - right / len(done) if done else 0.0


def interval(judged: list[Judged]) -> tuple[float, float]:
    """Bootstrap, 95 %."""
    dice = random.Random(7)
    scores = sorted(macro_f1(dice.choices(judged, k=len(judged))) for _ in range(_RESAMPLES))
    return scores[int(0.025 * _RESAMPLES)], scores[int(0.975 * _RESAMPLES)]


def _print(name: str, judged: list[Judged]) -> None:
    covered, wrong = superseded(judged)
    low, high = interval(judged)
    print(f"{name}: macro-F1 {macro_f1(judged):.3f} ({low:.2f} to {high:.2f}), {len(judged)} pairs")
    print(f"  contradictions superseded by themselves {covered:.1%}, of those wrong {wrong:.1%}")
    print("  truth \\ said   " + " ".join(f"{label:>11}" for label in LABELS))
    for truth in LABELS:
        counts = [sum(e.case.label is truth and e.label is said for e in judged) for said in LABELS]
        print(f"  {truth:14}" + " ".join(f"{count:11}" for count in counts))


def main() -> None:
    options = argparse.ArgumentParser(description="measure how facts are judged")
    options.add_argument("--fit", action="store_true", help="print weights fitted to all pairs")
    options.add_argument("file", nargs="?", type=Path, help="labelled pairs to judge with the product's own weights")
    given = options.parse_args()
    if given.file is not None:
        judged = [Judged(case, *judge(case.old, case.new)[:2]) for case in cases(given.file)]
        _print(given.file.name, judged)
        return
    dev, own = cases(DEV), cases(OWN)
    if given.fit:
        weights = fit(dev + own)
        for place, name in enumerate(FEATURES):
            print(f'    "{name}": ({", ".join(f"{row[place]:.3f}" for row in weights)}),')
        return
    _print("development pairs, cross-validated", cross_validated(dev, own))
    _print("our own pairs, cross-validated", cross_validated(own, dev))


if __name__ == "__main__":
    main()
