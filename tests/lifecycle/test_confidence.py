"""Confidence by veracity and repetition, to the last digit."""

from __future__ import annotations

import pytest

from trinho.domain.knowledge import Veracity
from trinho.lifecycle.confidence import capped, initial_confidence, restated


@pytest.mark.parametrize(
    ("veracity", "initial", "once_more"),
    [
        (Veracity.STATED, 0.5, 0.5 + (1 - 0.5) * 1.0 * 0.3),
        (Veracity.INFERRED, 0.35, 0.35 + (1 - 0.35) * 0.7 * 0.3),
        (Veracity.IMPORTED, 0.3, 0.3 + (1 - 0.3) * 0.6 * 0.3),
        (Veracity.TOOL, 0.25, 0.25 + (1 - 0.25) * 0.5 * 0.3),
        (Veracity.UNKNOWN, 0.25, 0.25 + (1 - 0.25) * 0.5 * 0.3),
    ],
)
def test_it_begins_with_half_the_weight_and_grows_with_each_mention(
    veracity: Veracity, initial: float, once_more: float
) -> None:
    assert initial_confidence(veracity) == initial
    assert restated(initial, veracity) == once_more


def test_it_never_reaches_more_than_one() -> None:
    confidence = 0.0
    for _ in range(1000):
        confidence = restated(confidence, Veracity.STATED)
    assert confidence <= 1


def test_an_agent_is_believed_no_more_than_its_source() -> None:
    assert capped(0.99, Veracity.INFERRED) == 0.7
    assert capped(0.2, Veracity.INFERRED) == 0.2
