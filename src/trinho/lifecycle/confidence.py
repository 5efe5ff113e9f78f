"""How sure a fact is: by where it comes from, and by how often it was said again."""

from __future__ import annotations

from trinho.domain.knowledge import Veracity

WEIGHTS = {
    Veracity.STATED: 1.0,
    Veracity.INFERRED: 0.7,
    Veracity.IMPORTED: 0.6,
    Veracity.TOOL: 0.5,
    Veracity.UNKNOWN: 0.5,
}
INITIAL_SHARE = 0.5
RESTATED_SHARE = 0.3


def initial_confidence(veracity: Veracity) -> float:
    """The confidence of a fact that nobody gave one."""
    return WEIGHTS[veracity] * INITIAL_SHARE


def capped(confidence: float, veracity: Veracity) -> float:
    """What counts of the confidence that an agent gives itself."""
    return min(confidence, WEIGHTS[veracity])


def restated(confidence: float, veracity: Veracity) -> float:
    """The confidence after it was said once more by a source of that veracity."""
    return confidence + (1 - confidence) * WEIGHTS[veracity] * RESTATED_SHARE
