"""Time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import datetime


class Clock(Protocol):
    """Tells the present instant, aware and in UTC."""

    def __call__(self) -> datetime: ...
