"""The derived index: thrown away and rebuilt at will, never the only place of anything."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from trinho.domain.ids import MemoryId
from trinho.domain.knowledge import NOTHING_SAID, Knowledge

if TYPE_CHECKING:
    from datetime import datetime

    from trinho.access.grant import Sight
    from trinho.domain.entry import EntryType, Kind
    from trinho.domain.versions import FileMark

Visible = Callable[[MemoryId], bool]
Answer = TypeVar("Answer")


class Words(NamedTuple):
    """The stems of an entry's words by field, each between spaces; its words with their accents, if it has any; what
    they mean.
    """

    body: str = ""
    head: str = ""
    summary: str = ""
    accented: str = ""
    meanings: str = ""


class Place(NamedTuple):
    """Where a line of a log stands: in which sequence, and how far in the order of text."""

    sequence: str
    place: str


class IndexRecord(NamedTuple):
    """What the index holds of one readable file.

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
    words: Words
    knowledge: Knowledge = NOTHING_SAID
    place: Place | None = None


class Quarantined(NamedTuple):
    """A file that is left out of recall: where, the line (0 if it is the whole file) and why."""

    path: str
    id: MemoryId | None
    mark: FileMark
    line: int
    reason: str


class Listed(NamedTuple):
    """One row of a listing.

    Also an entry that doesn't say it, or not yet, is superseded by one of its branch that says so and isn't held.
    """

    id: MemoryId
    kind: Kind
    type: EntryType
    name: str
    description: str
    created_at: datetime
    updated_at: datetime
    sha256: str
    knowledge: Knowledge = NOTHING_SAID
    size: int = 0  # bytes of the whole file


class Statistics(NamedTuple):
    """How many entries are seen, and how many words their bodies, heads and summaries have together."""

    entries: int
    words: tuple[int, int, int]


class Postings(NamedTuple):
    """Rows that hold a term, in their order, and how many there are, estimated where not all were read."""

    rows: Sequence[int]
    total: float


class WordReader(Protocol):
    """One state of the index, for as long as a question takes.

    A row stands for an entry. Its order is that of a hash of the ID: by chance, and the same in every index.
    """

    def statistics(self, sight: Sight) -> Statistics: ...

    def postings(self, term: str, sight: Sight, most: int) -> Postings:
        """The first `most` of the seen entries that hold the term as a word."""
        ...

    def beginning(self, prefix: str, sight: Sight, most: int) -> Postings:
        """The first `most` of the seen entries with a word that begins so."""
        ...

    def words(self, rows: Collection[int]) -> Mapping[int, Words]: ...

    def around(self, rows: Collection[int], sight: Sight, reach: int) -> Mapping[int, Mapping[int, int]]:
        """For each of the rows that stands in a log, the seen rows up to `reach` before and behind it, by distance."""
        ...

    def listed(self, rows: Collection[int]) -> Mapping[int, Listed]: ...

    def of_kind(self, rows: Collection[int], kinds: Collection[Kind], types: Collection[EntryType]) -> Collection[int]:
        """Those of the rows that are of one of the kinds and of one of the types; none given lets every one through."""
        ...

    def newest_of(self, rows: Collection[int], most: int) -> Sequence[int]:
        """Those of the rows that were updated last, equals in their order."""
        ...

    def branch_of(self, row: int) -> tuple[str, ...]:
        """The branch in which the row's entry lies."""
        ...

    def row_of(self, id: MemoryId) -> int | None:
        """The row of an entry, None where the index has none."""
        ...

    def newest(
        self, sight: Sight, most: int, kinds: Collection[Kind] = (), types: Collection[EntryType] = ()
    ) -> Sequence[Listed]:
        """Seen entries, the last updated first, equals in the order of their IDs."""
        ...


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

    def read(self, question: Callable[[WordReader], Answer]) -> Answer:
        """What the question makes of one state of the index."""
        ...

    def listing(self, visible: Visible, under: str = "") -> list[Listed]:
        """Every visible entry whose path begins with `under`, in the order of its ID."""
        ...

    def about(self, visible: Visible, domain: str, topic: str | None = None) -> list[Listed]:
        """Every visible entry that says it is of the domain, and of the topic if one is given, in the order of IDs."""
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

    def holding(self, texts: Collection[bytes]) -> list[str]:
        """The index's files in which one of the texts stands."""
        ...

    def stamp(self) -> object:
        """Equal to an earlier one as long as nothing in it has changed."""
        ...

    def stale(self) -> bool:
        """Whether it no longer stands for its file, because that was deleted, replaced or found damaged."""
        ...

    def clear(self) -> None:
        """Forget everything, so that no byte of it stays in the index's files."""
        ...

    def close(self) -> None: ...
