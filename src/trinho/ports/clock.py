"""Time."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the present instant, aware and in UTC."""

    def __call__(self) -> datetime: ...
