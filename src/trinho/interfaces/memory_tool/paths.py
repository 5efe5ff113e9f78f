"""Between the paths of the memory tool and logical IDs: `/memories/shared/team/tabs.md` is `shared:team:tabs`.

INVARIANT: no path reaches a file system. It is taken apart as text, and only the ID that comes of it is used.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from trinho.domain.ids import MAX_SEGMENTS, MemoryId, Scope, parse_memory_id, segment_fault
from trinho.errors import InvalidMemoryIdError, PathTraversalError

ROOT = "/memories"
SUFFIX = ".md"
HINT = (
    "write /memories/shared/<name>.md, /memories/project/<project>/<name>.md or /memories/private/<role>/<name>.md; "
    "folders may stand before the name"
)
# An escaped dot or separator, also one that was escaped twice
_ESCAPED = re.compile(r"%(?:25)*(?:2e|2f|5c|00)", re.IGNORECASE)
_SCOPES = frozenset(Scope)


class Place(NamedTuple):
    """Where a path leads: to a folder of these parts, or to the entry `id`. Made by parse_path alone."""

    parts: tuple[str, ...]
    id: MemoryId | None = None

    @property
    def path(self) -> str:
        return "/".join((ROOT, *self.parts)) if self.id is None else path_of(self.id)


def path_of(id: MemoryId) -> str:
    """The path that leads to an entry."""
    return "/".join((ROOT, *id.parts)) + SUFFIX


def parse_path(text: str) -> Place:
    """Where a path leads, or PathTraversalError or InvalidMemoryIdError.

    One that ends in `.md` leads to an entry, any other to a folder.
    """
    if text in (ROOT, f"{ROOT}/"):
        return Place(())
    if not text.startswith(f"{ROOT}/"):
        raise PathTraversalError(text, f"it does not lie in {ROOT}", HINT)
    parts = tuple(text[len(ROOT) + 1 :].removesuffix("/").split("/"))
    fault = _traversal(parts)
    if fault:
        raise PathTraversalError(text, fault, HINT)
    if parts[0].removesuffix(SUFFIX) not in _SCOPES:
        raise InvalidMemoryIdError(text, f"below {ROOT} are the folders private, project and shared", HINT)
    if any(":" in part for part in parts):  # it would stand for a separator of the ID
        raise InvalidMemoryIdError(text, "a segment holds :", HINT)
    if parts[-1].endswith(SUFFIX) and not text.endswith("/"):
        return _entry(text, (*parts[:-1], parts[-1].removesuffix(SUFFIX)))
    return _folder(text, parts)


def _traversal(parts: tuple[str, ...]) -> str | None:
    for part in parts:
        plain = unicodedata.normalize("NFKC", part)  # signs that only look like a dot or a separator become one
        if plain and not plain.strip("."):
            return "it names a folder above, or the same one"
        if "\\" in plain or "/" in plain:
            return "it holds a separator of another kind"
        if "\0" in plain:
            return "it holds a NUL"
        if _ESCAPED.search(plain):
            return "it holds an escaped dot or separator"
    return None


def _entry(text: str, parts: tuple[str, ...]) -> Place:
    try:
        id = parse_memory_id(":".join(parts))
    except InvalidMemoryIdError as error:
        raise InvalidMemoryIdError(text, str(error.fields["reason"]), HINT) from error
    return Place(id.parts, id)


def _folder(text: str, parts: tuple[str, ...]) -> Place:
    fault = next(filter(None, map(segment_fault, parts)), None)
    if len(parts) >= MAX_SEGMENTS:
        fault = f"more than {MAX_SEGMENTS} segments"
    if fault:
        raise InvalidMemoryIdError(text, fault, HINT)
    return Place(parts)
