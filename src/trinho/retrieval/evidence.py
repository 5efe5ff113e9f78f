"""When what was found is worth showing: rather nothing than the least bad entry."""

from __future__ import annotations

LEAST_COVERAGE = 0.0


def suffices(coverage: float) -> bool:
    """Whether an entry that covers this share of the query's weight says something about it."""
    return coverage > LEAST_COVERAGE
