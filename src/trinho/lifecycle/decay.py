"""How knowledge fades: exp(−(age/η)^k) by its memory type, above a floor, so that age ranks and never hides."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, NamedTuple

from trinho.domain.knowledge import MemoryType

if TYPE_CHECKING:
    from datetime import timedelta


class Weibull(NamedTuple):
    """Shape k and scale η, in hours."""

    k: float
    eta: float


PARAMETERS = {
    MemoryType.FACT: Weibull(0.8, 720),
    MemoryType.PREFERENCE: Weibull(0.4, 4380),
    MemoryType.DECISION: Weibull(1.0, 336),
    MemoryType.COMMITMENT: Weibull(1.0, 240),
    MemoryType.GOAL: Weibull(0.9, 720),
    MemoryType.EVENT: Weibull(1.2, 168),
    MemoryType.INSTRUCTION: Weibull(0.9, 480),
    MemoryType.RELATIONSHIP: Weibull(0.35, 8760),
    MemoryType.CONTEXT: Weibull(0.85, 360),
    MemoryType.LEARNING: Weibull(0.7, 1440),
    MemoryType.OBSERVATION: Weibull(0.9, 480),
    MemoryType.ERROR: Weibull(1.1, 336),
    MemoryType.ARTIFACT: Weibull(0.75, 2160),
    MemoryType.REQUEST: Weibull(1.5, 72),
    MemoryType.PROFILE: Weibull(0.3, 8760),
    MemoryType.UNKNOWN: Weibull(1.0, 168),
}
FLOOR = 0.65
LOW_FLOOR = 0.3
_FLEETING = frozenset({MemoryType.REQUEST, MemoryType.EVENT, MemoryType.CONTEXT})
_HOUR = 3600.0


def decay(memory_type: MemoryType, age: timedelta) -> float:
    """What is left of it at that age, from 1 down towards 0; of what lies ahead everything."""
    hours = age.total_seconds() / _HOUR
    if hours <= 0:
        return 1.0
    k, eta = PARAMETERS[memory_type]
    return exp(-((hours / eta) ** k))


def factor(memory_type: MemoryType, age: timedelta) -> float:
    """By what a score is multiplied: the decay above the floor of its type."""
    floor = LOW_FLOOR if memory_type in _FLEETING else FLOOR
    return floor + (1 - floor) * decay(memory_type, age)
