"""Random grants against random IDs: the product's answer beside a naive one, and the CPU time of each.

    python -m benchmarks.grants --cases 100000

Exit status 1 if the two disagree anywhere.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

from benchmarks.naive_grants import naive_covers
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


def main() -> int:
    """Print the number of cases, of disagreements, of covered pairs, and the CPU time per decision."""
    options = argparse.ArgumentParser(description="grants against a naive reading of them")
    options.add_argument("--cases", type=int, default=100_000)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    if given.cases < 1:
        options.error("--cases must be at least 1")
    dice = random.Random(given.seed)
    texts = [(grant, random_id(dice, grant)) for grant in (random_grant(dice) for _ in range(given.cases))]
    pairs: list[tuple[Grant, MemoryId]] = [(parse_grant(grant), parse_memory_id(name)) for grant, name in texts]

    start = time.process_time()
    answers = [grant.covers(entry) for grant, entry in pairs]
    middle = time.process_time()
    expected = [naive_covers(grant, name) for grant, name in texts]
    end = time.process_time()

    wrong = [text for text, answer, other in zip(texts, answers, expected, strict=True) if answer != other]
    for text, name in wrong[:20]:
        print(f"disagreement: {text} and {name}")
    print(f"cases {given.cases}, disagreements {len(wrong)}, covered {sum(answers)}")
    ours, naive = middle - start, end - middle
    each = 1e6 / given.cases
    print(f"CPU per decision {ours * each:.2f} µs, naive {naive * each:.2f} µs, ratio {ours / max(naive, 1e-9):.2f}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
