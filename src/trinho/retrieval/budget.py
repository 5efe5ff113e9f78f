"""How much is shown: so many results, so many characters."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

CHARACTER_BUDGET = 8000
DEFAULT_RESULTS = 10


def fitting(lengths: Sequence[int], budget: int) -> list[bool]:
    """Which of the pieces fit, taken in order: one that doesn't is left out, and the next one is tried."""
    fits = []
    for length in lengths:
        fits.append(length <= budget)
        if fits[-1]:
            budget -= length
    return fits
