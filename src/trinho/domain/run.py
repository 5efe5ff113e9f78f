"""One run of an agent's client."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime


class ClientRun(NamedTuple):
    """What a client says of its run: its name, where it keeps the transcript, when it was last heard of."""

    session: str
    transcript: str
    project: str | None
    at: datetime
