"""An entry: one piece of knowledge under one logical ID."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from trinho.domain.knowledge import NOTHING_SAID, Knowledge

if TYPE_CHECKING:
    from datetime import datetime

    from trinho.domain.ids import MemoryId

MAX_ENTRY_BYTES = 1024 * 1024


class Kind(StrEnum):
    """What the record is."""

    FACT = "fact"
    DECISION = "decision"
    REFERENCE = "reference"
    LOG = "log"
    DRAFT = "draft"


class EntryType(StrEnum):
    """Whom the record is about: who the person is, how to work, what is going on, where to find things."""

    USER = "user"
    FEEDBACK = "feedback"
    PROJECT = "project"
    REFERENCE = "reference"


class Entry(NamedTuple):
    """One entry as it is read. Times are aware and in UTC; warnings tell what the reader had to assume."""

    id: MemoryId
    version: int
    kind: Kind
    type: EntryType
    name: str
    description: str
    body: str
    created_at: datetime
    updated_at: datetime
    warnings: tuple[str, ...] = ()
    knowledge: Knowledge = NOTHING_SAID


class Draft(NamedTuple):
    """What a writer gives. None leaves a field as it is, or lets it be filled on create."""

    body: str | None = None
    kind: Kind | None = None
    type: EntryType | None = None
    name: str | None = None
    description: str | None = None


def format_instant(at: datetime) -> str:
    """The instant as it is written everywhere: ISO 8601, UTC, microseconds, Z."""
    return at.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"
