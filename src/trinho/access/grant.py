"""Grants: names of branches that a role may read or write, compared segment by segment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from trinho.domain.ids import MAX_SEGMENTS, MemoryId, segment_fault
from trinho.errors import InvalidMemoryGrantError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

ANY = "*"
_LEAST_PARTS_OF_AN_ID = {"shared": 2, "project": 3, "private": 3}


class Grant:
    """A branch of the memory. Made by parse_grant alone, so holding one is the proof that it is valid.

    It covers the IDs that begin with `prefix` (any project where that part is `*`) and have `least` parts or more.
    Written by hand: the module that would write it costs a cold start as much as all of the rules.
    """

    __slots__ = ("fixed", "least", "parts", "prefix", "start")

    def __init__(self, parts: tuple[str, ...]) -> None:
        open_ended = parts[-1] == ANY and (len(parts) > 2 or parts[0] == "shared")
        self.parts: Final = parts
        self.prefix: Final = parts[:-1] if open_ended else parts
        self.least: Final = max(len(parts), _LEAST_PARTS_OF_AN_ID[parts[0]])
        # INVARIANT: with `least` these decide what is covered: an ID of this scope has `fixed` from `start` to the end
        # of `prefix`. Worked out once, since they are compared for every entry of a listing.
        self.start: Final = 2 if ANY in self.prefix else 0
        self.fixed: Final = self.prefix[self.start :]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Grant) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(self.parts)

    def __repr__(self) -> str:
        return f"Grant({self})"

    def __str__(self) -> str:
        return ":".join(self.parts)

    @property
    def owner(self) -> str | None:
        """The project (or `*`) or the role that the branch belongs to; None in shared."""
        return None if self.parts[0] == "shared" else self.parts[1]

    def covers(self, id: MemoryId) -> bool:
        """Whether the ID lies in this branch."""
        parts = id.parts
        if len(parts) < self.least or parts[self.start : len(self.prefix)] != self.fixed:
            return False
        return self.start == 0 or parts[0] == "project"

    def covers_grant(self, other: Grant) -> bool:
        """Whether every ID that `other` covers lies in this branch too."""
        if len(other.prefix) < len(self.prefix) or other.least < self.least:
            return False
        pairs = zip(self.prefix, other.prefix, strict=False)
        return all(mine in (theirs, ANY) for mine, theirs in pairs)


def parse_grant(text: str) -> Grant:
    """The only door from text to a Grant: valid, or InvalidMemoryGrantError."""
    try:
        parts = tuple(text.split(":"))
    except (AttributeError, TypeError) as error:  # an untyped caller's None, number or bytes
        raise InvalidMemoryGrantError(repr(text), "it is no text") from error
    fault = _grammar_fault(parts) or _segments_fault(parts)
    if fault:
        raise InvalidMemoryGrantError(text, fault)
    return Grant(parts)


class Sight(Protocol):
    """What an actor may see: of each ID, and of `shared`, a project or a role as a whole where that can be said."""

    def __call__(self, id: MemoryId, /) -> bool: ...

    def of_branch(self, branch: tuple[str, ...], /) -> bool | None:
        """True where every ID of the branch is seen, False where none is, None where each must be asked for."""
        ...


class Covered:
    """What some grants cover."""

    __slots__ = ("_tests",)

    def __init__(self, grants: Iterable[Grant]) -> None:
        alike: dict[tuple[str, int, int, int], set[tuple[str, ...]]] = {}
        for grant in grants:
            alike.setdefault((grant.parts[0], grant.start, len(grant.prefix), grant.least), set()).add(grant.fixed)
        self._tests: dict[str, list[tuple[slice, int, set[tuple[str, ...]]]]]
        self._tests = {scope: [] for scope in _LEAST_PARTS_OF_AN_ID}
        for (scope, start, end, least), fixed in alike.items():
            self._tests[scope].append((slice(start, end), least, fixed))

    def __call__(self, id: MemoryId) -> bool:
        """Whether one of the grants covers the ID."""
        parts = id.parts
        for where, least, fixed in self._tests[parts[0]]:  # noqa: SIM110 - a generator would take twice the time
            if parts[where] in fixed and len(parts) >= least:
                return True
        return False

    def of_branch(self, branch: tuple[str, ...]) -> bool | None:
        some: bool | None = False
        for where, least, fixed in self._tests[branch[0]]:
            if where.stop <= len(branch) and least <= _LEAST_PARTS_OF_AN_ID[branch[0]]:
                if branch[where] in fixed:
                    return True
            elif any(branch[where] == each[: len(branch) - where.start] for each in fixed):
                some = None
        return some


class Overlap:
    """What two sights have in common."""

    __slots__ = ("_one", "_other")

    def __init__(self, one: Sight, other: Sight) -> None:
        self._one = one
        self._other = other

    def __call__(self, id: MemoryId) -> bool:
        return self._one(id) and self._other(id)

    def of_branch(self, branch: tuple[str, ...]) -> bool | None:
        both = self._one.of_branch(branch), self._other.of_branch(branch)
        return False if False in both else True if both == (True, True) else None


class Chosen:
    """What a predicate lets through; of no branch is anything known as a whole."""

    __slots__ = ("_chosen",)

    def __init__(self, chosen: Callable[[MemoryId], bool]) -> None:
        self._chosen = chosen

    def __call__(self, id: MemoryId) -> bool:
        return self._chosen(id)

    def of_branch(self, branch: tuple[str, ...]) -> bool | None:  # noqa: ARG002
        return None


class Everything:
    """What a person sees."""

    __slots__ = ()

    def __call__(self, id: MemoryId) -> bool:  # noqa: ARG002 - it has the shape of every sight
        return True

    def of_branch(self, branch: tuple[str, ...]) -> bool | None:  # noqa: ARG002
        return True


def covering(grants: Iterable[Grant]) -> Sight:
    """What one of the grants covers; many alike cost as one."""
    return Covered(grants)


def _grammar_fault(parts: tuple[str, ...]) -> str | None:
    scope = parts[0]
    if scope not in _LEAST_PARTS_OF_AN_ID:
        return "it must begin with shared, project: or private:"
    if scope != "shared" and len(parts) < 2:
        return "project needs a project or *" if scope == "project" else "private needs a role"
    if scope == "private" and parts[1] == ANY:
        return "private belongs to one role, never to *"
    if len(parts) > MAX_SEGMENTS:
        return f"more than {MAX_SEGMENTS} segments"
    return None


def _segments_fault(parts: tuple[str, ...]) -> str | None:
    last = len(parts) - 1
    for place, segment in enumerate(parts[1:], start=1):
        if segment == ANY:
            if place != last and not (place == 1 and parts[0] == "project"):
                return "* stands only for the project or as the last segment"
        elif fault := segment_fault(segment):
            return fault
    return None
