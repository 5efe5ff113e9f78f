"""How old a memory is, said the way people say it, and what its age means for trusting it."""

from __future__ import annotations

from datetime import datetime, timedelta

_DAY = timedelta(days=1)


def age_in_words(updated: datetime, now: datetime) -> str:
    """ "today", "yesterday" or "5 days ago", in whole spans of 24 hours; what lies ahead is today."""
    days = _days_between(updated, now)
    return ("today", "yesterday")[days] if days < 2 else f"{days} days ago"


def staleness_note(updated: datetime, now: datetime) -> str | None:
    """A caution for a model that is shown an old memory; None for one of today or yesterday."""
    if _days_between(updated, now) < 2:
        return None
    return (
        f"{age_in_words(updated, now)}: this was true when it was written. Before you rely on what it says about code, "
        "or on a file:line it cites, check it against the code as it is now."
    )


def _days_between(updated: datetime, now: datetime) -> int:
    return max(0, (now - updated) // _DAY)
