"""What an entry says of itself as knowledge: what it speaks of, how sure it is, and whether it still holds."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

MAX_CONTENT_BYTES = 8 * 1024


class MemoryType(StrEnum):
    """How knowledge ages."""

    FACT = "fact"
    PREFERENCE = "preference"
    DECISION = "decision"
    COMMITMENT = "commitment"
    GOAL = "goal"
    EVENT = "event"
    INSTRUCTION = "instruction"
    RELATIONSHIP = "relationship"
    CONTEXT = "context"
    LEARNING = "learning"
    OBSERVATION = "observation"
    ERROR = "error"
    ARTIFACT = "artifact"
    REQUEST = "request"
    PROFILE = "profile"
    UNKNOWN = "unknown"


class Veracity(StrEnum):
    """Where knowledge comes from, the most reliable first."""

    STATED = "stated"
    INFERRED = "inferred"
    IMPORTED = "imported"
    TOOL = "tool"
    UNKNOWN = "unknown"


class Status(StrEnum):
    """Whether an entry takes part in recall, or waits for a person."""

    ACTIVE = "active"
    HELD = "held"


class Knowledge(NamedTuple):
    """What frontmatter says beside name, kind and dates; nothing of it need be said.

    `supersedes` and `sources` name others; `author` is a role, `agent` one agent in it. `switched_off` and
    `required_role` speak of policies.
    """

    domain: str = ""
    topic: str = ""
    memory_type: MemoryType | None = None
    veracity: Veracity | None = None
    confidence: float | None = None
    author: str = ""
    agent: str = ""
    sources: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    superseded_by: str = ""
    valid_until: datetime | None = None
    status: Status = Status.ACTIVE
    switched_off: bool = False
    required_role: str = ""


NOTHING_SAID = Knowledge()


def topic_key(topic: str) -> str:
    """What two spellings of one topic have in common: its words in small letters."""
    return "-".join("".join(c if c.isalnum() else " " for c in topic.casefold()).split())
