"""What an agent keeps for itself: hot items of a session and dated observations."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

    from trinho.domain.knowledge import MemoryType

HOT_LIFE = timedelta(days=7)
MOST_HOT_ITEMS = 1000
KEPT_HOT_ITEMS = 50


class HotItem(NamedTuple):
    """Something remembered for a session of a role; `importance` from 0 to 1."""

    number: int
    role: str
    session: str
    content: str
    memory_type: MemoryType
    importance: float
    created_at: datetime
    expires_at: datetime


class Observation(NamedTuple):
    """A dated line of a note under an ID that facts can name as their source."""

    id: str
    note: str
    text: str
    at: datetime


class Counts(NamedTuple):
    """How often a fact was said, the first time included, and how often it was recalled."""

    mentions: int = 1
    recalls: int = 0
