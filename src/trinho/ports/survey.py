"""What an examination of a store tells."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from trinho.domain.ids import MemoryId


class OddityKind(StrEnum):
    """What can be odd about a file that works."""

    UNFINISHED = "UNFINISHED"  # an act waits to be finished
    STATE = "STATE_DAMAGED"  # something else in the place of a part of the store's state
    JOURNAL = "JOURNAL_DAMAGED"  # a plan that can't be read, so that nothing can be written
    LINKED = "HARD_LINKED"  # another name leads to the same file
    OWNER = "OTHER_OWNER"
    OPEN = "OPEN_TO_ALL"  # any user may write
    FORM = "NAME_FORM"  # a name in an unusual Unicode form
    NOT_READ = "NOT_READ"  # Markdown that no ID reaches
    INDEX_PAGE = "INDEX_PAGE"  # a MEMORY.md that can't be kept


class Oddity(NamedTuple):
    """Something that works and isn't as it should be: where, the ID where there is one, and what, in words."""

    kind: OddityKind
    path: str
    id: MemoryId | None
    what: str
