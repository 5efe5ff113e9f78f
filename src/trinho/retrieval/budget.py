"""As much as fits a budget of characters."""

from __future__ import annotations

from collections.abc import Sequence

CHARACTER_BUDGET = 8000


def fitting(lengths: Sequence[int], budget: int) -> list[bool]:
    """Which of the pieces fit, taken in order: one that doesn't is left out, and the next one is tried."""
    fits = []
    for length in lengths:
        fits.append(length <= budget)
        if fits[-1]:
            budget -= length
    return fits
