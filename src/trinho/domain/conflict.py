"""Two facts that can't both hold, and what was decided between them."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime


class ConflictState(StrEnum):
    """What became of a conflict."""

    OPEN = "open"  # both facts stand; a person decides
    SUPERSEDED = "superseded"  # the loser was superseded
    SETTLED = "settled"  # a person decided an open one; a conflict of its own says how, unless both facts hold
    OVERTURNED = "overturned"  # a person took that back; the decision against it is a conflict of its own


class Conflict(NamedTuple):
    """One row: who lost or is the older, who won or is the newer, and how the two were judged.

    `number` counts from 1, `overturns` is the number of the conflict whose decision this one takes back.
    """

    number: int
    loser: str
    winner: str
    label: str
    state: ConflictState
    at: datetime
    by: str
    overturns: int | None = None
