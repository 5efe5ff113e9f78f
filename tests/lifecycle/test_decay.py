"""Decay by memory type, to the last digit."""

from __future__ import annotations

from datetime import timedelta
from math import exp

import pytest

from trinho.domain.knowledge import MemoryType
from trinho.lifecycle.decay import PARAMETERS, decay, factor

HOURS = {
    MemoryType.FACT: (0.8, 720), MemoryType.PREFERENCE: (0.4, 4380), MemoryType.DECISION: (1, 336),
    MemoryType.COMMITMENT: (1, 240), MemoryType.GOAL: (0.9, 720), MemoryType.EVENT: (1.2, 168),
    MemoryType.INSTRUCTION: (0.9, 480), MemoryType.RELATIONSHIP: (0.35, 8760), MemoryType.CONTEXT: (0.85, 360),
    MemoryType.LEARNING: (0.7, 1440), MemoryType.OBSERVATION: (0.9, 480), MemoryType.ERROR: (1.1, 336),
    MemoryType.ARTIFACT: (0.75, 2160), MemoryType.REQUEST: (1.5, 72), MemoryType.PROFILE: (0.3, 8760),
    MemoryType.UNKNOWN: (1, 168),
}  # fmt: skip


def test_every_type_has_its_own() -> None:
    assert {kind: tuple(each) for kind, each in PARAMETERS.items()} == HOURS
    assert set(PARAMETERS) == set(MemoryType)


@pytest.mark.parametrize("kind", MemoryType)
@pytest.mark.parametrize("hours", [0, 1, 24, 720, 20_000])
def test_the_formula(kind: MemoryType, hours: int) -> None:
    k, eta = HOURS[kind]
    assert decay(kind, timedelta(hours=hours)) == (exp(-((hours / eta) ** k)) if hours else 1.0)


def test_what_lies_ahead_has_not_faded() -> None:
    assert decay(MemoryType.EVENT, timedelta(days=-1)) == 1.0


@pytest.mark.parametrize("kind", MemoryType)
def test_it_ranks_and_never_hides(kind: MemoryType) -> None:
    floor = 0.3 if kind in (MemoryType.REQUEST, MemoryType.EVENT, MemoryType.CONTEXT) else 0.65
    assert factor(kind, timedelta(days=40_000)) == pytest.approx(floor, abs=0.06)
    assert factor(kind, timedelta(days=40_000)) >= floor
    assert factor(kind, timedelta(0)) == 1.0
