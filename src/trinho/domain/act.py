"""Steps by which the tree of entries changes, and the plan that groups them into one act."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from trinho.domain.ids import MemoryId


class Place(NamedTuple):
    """Put staged bytes at an ID: new where `expect` is None, else over the file whose SHA-256 is `expect`.

    The file that is replaced is kept in the trash under `keep`.
    """

    id: MemoryId
    staged: str
    expect: str | None
    keep: int


class Retire(NamedTuple):
    """Take the file whose SHA-256 is `expect` away, into the trash under `keep`."""

    id: MemoryId
    expect: str
    keep: int


class Move(NamedTuple):
    """Give the file whose SHA-256 is `expect` another ID, at which there is none."""

    id: MemoryId
    to: MemoryId
    expect: str


Step = Place | Retire | Move
