"""Where entries went that have another ID now."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from trinho.domain.ids import MemoryId


def ends(id: MemoryId, following: Callable[[MemoryId], Sequence[MemoryId]]) -> list[MemoryId]:
    """The ends of the ways that lead from an ID, sorted; `following` gives one step. A circle ends nowhere."""
    found: set[MemoryId] = set()
    seen: set[MemoryId] = set()
    under_way = list(following(id))
    while under_way:
        here = under_way.pop()
        if here in seen:
            continue
        seen.add(here)
        further = following(here)
        under_way += further
        if not further:
            found.add(here)
    return sorted(found)
