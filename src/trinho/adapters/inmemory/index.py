"""The search index in dictionaries."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from trinho.domain.knowledge import Status, topic_key
from trinho.ports.index import (
    Answer,
    IndexRecord,
    Listed,
    Postings,
    Quarantined,
    Statistics,
    Visible,
    WordReader,
    Words,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from trinho.access.grant import Sight
    from trinho.domain.entry import EntryType, Kind
    from trinho.domain.ids import MemoryId
    from trinho.domain.versions import FileMark


class InMemoryIndex:
    """Looks at every word of every record; see ports.index.SearchIndex."""

    def __init__(self) -> None:
        self._records: dict[str, IndexRecord | Quarantined] = {}
        self._changes = 0

    def marks(self) -> dict[str, FileMark]:
        return {path: record.mark for path, record in self._records.items()}

    def put(self, records: Iterable[IndexRecord | Quarantined]) -> None:
        self._changes += 1
        self._records.update({record.path: record for record in records})

    def drop(self, paths: Iterable[str]) -> None:
        self._changes += 1
        for path in paths:
            self._records.pop(path, None)

    def read(self, question: Callable[[WordReader], Answer]) -> Answer:
        return question(_Words(self._sound(), self._listed))

    def listing(self, visible: Visible, under: str = "") -> list[Listed]:
        return [self._listed(record) for record in self._visible(visible) if record.path.startswith(under)]

    def about(self, visible: Visible, domain: str, topic: str | None = None) -> list[Listed]:
        of_it = (each for each in self._visible(visible) if each.knowledge.domain == domain)
        return [
            self._listed(each) for each in of_it if topic is None or topic_key(each.knowledge.topic) == topic_key(topic)
        ]

    def same_bodies(self, visible: Visible) -> list[list[MemoryId]]:
        groups: dict[str, list[MemoryId]] = {}
        for record in self._visible(visible):
            if record.body_sha256:
                groups.setdefault(record.body_sha256, []).append(record.id)
        return sorted(group for group in groups.values() if len(group) > 1)

    def check(self) -> Sequence[str]:
        return []

    def holding(self, texts: Collection[bytes]) -> list[str]:
        held = "\n".join(map(str, self._records.values()))
        return ["the index"] if any(text.decode(errors="replace") in held for text in texts) else []

    def quarantined(self) -> list[Quarantined]:
        left_out = [record for record in self._records.values() if isinstance(record, Quarantined)]
        return sorted(left_out, key=lambda record: record.path)

    def stamp(self) -> object:
        return self._changes

    def stale(self) -> bool:
        return False

    def clear(self) -> None:
        self._changes += 1
        self._records.clear()

    def close(self) -> None:
        """Nothing is held outside."""

    def _sound(self) -> list[IndexRecord]:
        sound = [record for record in self._records.values() if isinstance(record, IndexRecord)]
        return sorted(sound, key=lambda record: str(record.id))

    def _listed(self, record: IndexRecord) -> Listed:
        return _listed(record, self._winners().get(str(record.id), ""))

    def _winners(self) -> dict[str, str]:
        """Loser → winner, as the winners say; of two that say it of each other, the one that was written last."""
        said = {
            (loser, str(record.id)): record.updated_at
            for record in self._sound()
            if record.knowledge.status is Status.ACTIVE
            for loser in record.knowledge.supersedes
            if loser.split(":")[: len(record.id.branch)] == list(record.id.branch)
        }
        return {loser: winner for (loser, winner), at in said.items() if said.get((winner, loser), at) <= at}

    def _visible(self, visible: Visible) -> Iterator[IndexRecord]:
        return (record for record in self._sound() if visible(record.id))


class _Words:
    """See ports.index.WordReader."""

    def __init__(self, records: Iterable[IndexRecord], listed: Callable[[IndexRecord], Listed]) -> None:
        self._listed = listed
        self._records = dict(sorted((_row(record.id), record) for record in records))
        self._stems = {row: set(_text(record).split()) for row, record in self._records.items()}

    def statistics(self, sight: Sight) -> Statistics:
        seen = [self._records[row].words for row in self._seen(sight)]
        body, head, summary = (sum(len(words[place].split()) for words in seen) for place in range(3))
        return Statistics(len(seen), (body, head, summary))

    def postings(self, term: str, sight: Sight, most: int) -> Postings:
        return _cut([row for row in self._seen(sight) if term in self._stems[row]], most)

    def beginning(self, prefix: str, sight: Sight, most: int) -> Postings:
        found = [row for row in self._seen(sight) if any(stem.startswith(prefix) for stem in self._stems[row])]
        return _cut(found, most)

    def words(self, rows: Collection[int]) -> dict[int, Words]:
        return {row: self._records[row].words for row in rows if row in self._records}

    def around(self, rows: Collection[int], sight: Sight, reach: int) -> dict[int, dict[int, int]]:
        found = {}
        for row in rows:
            place = self._records[row].place
            if place is None:
                continue
            line = sorted(
                (other.place.place, each)
                for each in self._seen(sight)
                if (other := self._records[each]).place is not None and other.place.sequence == place.sequence
            )
            before = [each for at, each in line if at < place.place][::-1][:reach]
            behind = [each for at, each in line if at > place.place][:reach]
            found[row] = {-n: each for n, each in enumerate(before, 1)} | dict(enumerate(behind, 1))
        return found

    def listed(self, rows: Collection[int]) -> dict[int, Listed]:
        return {row: self._listed(self._records[row]) for row in rows if row in self._records}

    def of_kind(self, rows: Collection[int], kinds: Collection[Kind], types: Collection[EntryType]) -> Collection[int]:
        return {row for row in rows if _is_of(self._records[row], kinds, types)}

    def newest_of(self, rows: Collection[int], most: int) -> list[int]:
        return sorted(rows, key=lambda row: (-self._records[row].updated_at.timestamp(), row))[:most]

    def branch_of(self, row: int) -> tuple[str, ...]:
        return self._records[row].id.branch

    def row_of(self, id: MemoryId) -> int | None:
        return next((row for row, record in self._records.items() if record.id == id), None)

    def newest(
        self, sight: Sight, most: int, kinds: Collection[Kind] = (), types: Collection[EntryType] = ()
    ) -> list[Listed]:
        seen = (self._records[row] for row in self._seen(sight))
        rows = [self._listed(record) for record in seen if _is_of(record, kinds, types)]
        return sorted(rows, key=lambda row: (-row.updated_at.timestamp(), str(row.id)))[:most]

    def _seen(self, sight: Sight) -> list[int]:
        return [row for row, record in self._records.items() if sight(record.id)]


_HASHES = 1 << 46


def _row(id: MemoryId) -> int:
    return int.from_bytes(blake2b(str(id).encode(), digest_size=8).digest(), "big") % _HASHES


def _cut(rows: list[int], most: int) -> Postings:
    if len(rows) <= most:
        return Postings(rows, float(len(rows)))
    return Postings(rows[:most], most * _HASHES / (rows[most - 1] + 1))


def _text(record: IndexRecord) -> str:
    return record.words.body + record.words.head + record.words.summary + record.words.meanings


def _is_of(record: IndexRecord, kinds: Collection[Kind], types: Collection[EntryType]) -> bool:
    return (not kinds or record.kind in kinds) and (not types or record.type in types)


def _listed(record: IndexRecord, winner: str) -> Listed:
    said = record.knowledge
    return Listed(
        id=record.id,
        kind=record.kind,
        type=record.type,
        name=record.name,
        description=record.description,
        created_at=record.created_at,
        updated_at=record.updated_at,
        sha256=record.sha256,
        knowledge=said._replace(superseded_by=winner) if winner and not said.superseded_by else said,
        size=record.mark.size,
    )
