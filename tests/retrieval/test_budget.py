"""As much as fits, in order; what doesn't fit is passed over."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trinho.retrieval.budget import fitting

lengths = st.lists(st.integers(min_value=1, max_value=50), max_size=12)


def test_one_that_does_not_fit_is_passed_over_and_the_next_is_tried() -> None:
    assert fitting([5, 20, 5, 1], 11) == [True, False, True, True]


@given(lengths, st.integers(min_value=-5, max_value=200))
def test_never_above_the_budget(lengths: list[int], budget: int) -> None:
    fits = fitting(lengths, budget)
    assert sum(length for length, fit in zip(lengths, fits, strict=True) if fit) <= max(budget, 0)


@given(lengths, st.integers(min_value=0, max_value=200))
def test_nothing_that_would_still_fit_is_left_out(lengths: list[int], budget: int) -> None:
    for length, fit in zip(lengths, fitting(lengths, budget), strict=True):
        assert fit == (length <= budget)
        budget -= length if fit else 0
