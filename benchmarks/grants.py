"""Random grants against random IDs: the product's answer beside a naive one, and the CPU time of each.

    python -m benchmarks.grants --cases 100000

Exit status 1 if the two disagree anywhere.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from dataclasses import dataclass

from benchmarks.naive_grants import naive_covers
from benchmarks.row import Row
from trinho.access.grant import Grant, parse_grant
from trinho.domain.ids import MemoryId, parse_memory_id

# Few and alike, so that near misses are common: names that begin alike, a name of a scope as a segment.
SEGMENTS = ("alp", "alpha", "facts", "fact", "team", "shared", "quy-ước", "x.y")


def random_grant(dice: random.Random) -> str:
    """The text of a valid grant of any shape."""
    scope = dice.choice(("shared", "project", "private"))
    parts = [scope]
    if scope != "shared":
        parts.append("*" if scope == "project" and dice.random() < 0.3 else dice.choice(SEGMENTS))
    parts += dice.choices(SEGMENTS, k=dice.randrange(4))
    if parts[-1] != "*" and (scope == "shared" or len(parts) > 2) and dice.random() < 0.3:
        parts.append("*")
    return ":".join(parts)


def random_id(dice: random.Random, near: str) -> str:
    """The text of a valid ID: half of them made from a grant, so that they lie at its border."""
    if dice.random() < 0.5:
        parts = [dice.choice(SEGMENTS) if part == "*" else part for part in near.split(":")]
        parts += dice.choices(SEGMENTS, k=dice.randrange(3))
    else:
        parts = [dice.choice(("shared", "project", "private")), *dice.choices(SEGMENTS, k=dice.randrange(1, 6))]
    least = 2 if parts[0] == "shared" else 3
    parts += dice.choices(SEGMENTS, k=max(0, least - len(parts)))
    return ":".join(parts)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How often product and naive reading differed, and the CPU seconds that each took for all cases."""

    cases: int
    disagreements: tuple[tuple[str, str], ...]
    covered: int
    ours: float
    naive: float

    def __str__(self) -> str:
        each = 1e6 / self.cases
        return (
            f"cases {self.cases}, disagreements {len(self.disagreements)}, covered {self.covered}\n"
            f"CPU per decision {self.ours * each:.2f} µs, naive {self.naive * each:.2f} µs, "
            f"ratio {self.ours / max(self.naive, 1e-9):.2f}"
        )


def compare(cases: int, seed: int = 1) -> Outcome:
    """Ask both about the same random pairs."""
    dice = random.Random(seed)
    texts = [(grant, random_id(dice, grant)) for grant in (random_grant(dice) for _ in range(cases))]
    pairs: list[tuple[Grant, MemoryId]] = [(parse_grant(grant), parse_memory_id(name)) for grant, name in texts]
    start = time.process_time()
    answers = [grant.covers(entry) for grant, entry in pairs]
    middle = time.process_time()
    expected = [naive_covers(grant, name) for grant, name in texts]
    end = time.process_time()
    wrong = tuple(text for text, answer, other in zip(texts, answers, expected, strict=True) if answer != other)
    return Outcome(cases, wrong, sum(answers), middle - start, end - middle)


def rows(cases: int = 100_000) -> list[Row]:
    """The line of the table."""
    outcome = compare(cases)
    differing = len(outcome.disagreements)
    beside = f"{outcome.ours / cases * 1e6:.2f} µs, naive {outcome.naive / cases * 1e6:.2f} µs"
    return [
        Row(f"grants against a naive model, {cases} cases", f"{differing} differ", beside, "0 differ", not differing)
    ]


def main() -> int:
    """Print the outcome; 1 on a disagreement."""
    options = argparse.ArgumentParser(description="grants against a naive reading of them")
    options.add_argument("--cases", type=int, default=100_000)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    if given.cases < 1:
        options.error("--cases must be at least 1")
    outcome = compare(given.cases, given.seed)
    for text, name in outcome.disagreements[:20]:
        print(f"disagreement: {text} and {name}")
    print(outcome)
    return 1 if outcome.disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
