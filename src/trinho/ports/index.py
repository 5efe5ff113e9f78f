"""The derived index: thrown away and rebuilt at will, never the only place of anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from trinho.domain.ids import MemoryId

if TYPE_CHECKING:
    from datetime import datetime

    from trinho.domain.entry import EntryType, Kind
    from trinho.domain.versions import FileMark

Visible = Callable[[MemoryId], bool]


class IndexRecord(NamedTuple):
    """What the index holds of one readable file. `words` is the folded text of id, name, description and body.

    `body_sha256` is empty where the body says nothing.
    """

    path: str
    id: MemoryId
    mark: FileMark
    sha256: str
    kind: Kind
    type: EntryType
    name: str
    description: str
    created_at: datetime
    updated_at: datetime
    body_sha256: str
    words: str


class Quarantined(NamedTuple):
    """A file that is left out of recall: where, the line (0 if it is the whole file) and why."""

    path: str
    id: MemoryId | None
    mark: FileMark
    line: int
    reason: str


class Listed(NamedTuple):
    """One row of a listing."""

    id: MemoryId
    kind: Kind
    type: EntryType
    name: str
    description: str
    created_at: datetime
    updated_at: datetime
    sha256: str


class Match(NamedTuple):
    """An entry that holds some of a query's terms: which, by their place in the query."""

    row: Listed
    terms: tuple[int, ...]


class SearchIndex(Protocol):
    """Finds entries by their words and lists them; every answer covers only what `visible` lets through."""

    def marks(self) -> dict[str, FileMark]:
        """Path → mark of every file it knows, sound or quarantined."""
        ...

    def put(self, records: Iterable[IndexRecord | Quarantined]) -> None:
        """Add or replace files, in one transaction."""
        ...

    def drop(self, paths: Iterable[str]) -> None:
        """Forget files, in one transaction."""
        ...

    def matching(self, terms: Sequence[str], visible: Visible) -> list[Match]:
        """Every visible entry in which a word begins with one of the folded terms, in the order of its ID."""
        ...

    def listing(self, visible: Visible, under: str = "") -> list[Listed]:
        """Every visible entry whose path begins with `under`, in the order of its ID."""
        ...

    def same_bodies(self, visible: Visible) -> list[list[MemoryId]]:
        """Groups of visible entries that say the same, each in the order of its IDs."""
        ...

    def quarantined(self) -> list[Quarantined]:
        """Every file left out, in the order of its path."""
        ...

    def check(self) -> Sequence[str]:
        """What is wrong with its file, in words."""
        ...

    def stale(self) -> bool:
        """Whether it no longer stands for its file, because that was deleted, replaced or found damaged."""
        ...

    def clear(self) -> None:
        """Forget everything, so that no byte of it stays in the index's files."""
        ...

    def close(self) -> None: ...
