"""A second, slow reading of what a grant covers: its text becomes a regular expression over the text of an ID.

It shares no code with the product, so that the two can be held against each other.
"""

from __future__ import annotations

import functools
import re

_ONE = "[^:]+"


def naive_covers(grant: str, id: str) -> bool:
    """Whether the grant covers the ID; both must be valid."""
    return _pattern(grant).fullmatch(id) is not None


@functools.lru_cache(maxsize=None)
def _pattern(grant: str) -> re.Pattern[str]:
    scope, *rest = grant.split(":")
    if scope == "shared":
        if not rest or rest == ["*"]:
            return re.compile(f"shared(:{_ONE})+")
        return re.compile("shared:" + _below(rest))
    owner, *rest = rest
    owner = _ONE if owner == "*" else re.escape(owner)
    if not rest or rest == ["*"]:
        return re.compile(f"{scope}:{owner}(:{_ONE})+")
    return re.compile(f"{scope}:{owner}:" + _below(rest))


def _below(segments: list[str]) -> str:
    if segments[-1] == "*":
        return ":".join(map(re.escape, segments[:-1])) + f"(:{_ONE})+"
    return ":".join(map(re.escape, segments)) + f"(:{_ONE})*"
