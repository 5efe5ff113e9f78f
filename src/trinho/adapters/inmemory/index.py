"""The search index in dictionaries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trinho.ports.index import IndexRecord, Listed, Match, Quarantined, Visible
from trinho.retrieval.words import split_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from trinho.domain.ids import MemoryId
    from trinho.domain.versions import FileMark


class InMemoryIndex:
    """Looks at every word of every record; see ports.index.SearchIndex."""

    def __init__(self) -> None:
        self._records: dict[str, IndexRecord | Quarantined] = {}

    def marks(self) -> dict[str, FileMark]:
        return {path: record.mark for path, record in self._records.items()}

    def put(self, records: Iterable[IndexRecord | Quarantined]) -> None:
        self._records.update({record.path: record for record in records})

    def drop(self, paths: Iterable[str]) -> None:
        for path in paths:
            self._records.pop(path, None)

    def matching(self, terms: Sequence[str], visible: Visible) -> list[Match]:
        found = ((record, _held(record.words, terms)) for record in self._visible(visible))
        return [Match(_listed(record), places) for record, places in found if places]

    def listing(self, visible: Visible, under: str = "") -> list[Listed]:
        return [_listed(record) for record in self._visible(visible) if record.path.startswith(under)]

    def same_bodies(self, visible: Visible) -> list[list[MemoryId]]:
        groups: dict[str, list[MemoryId]] = {}
        for record in self._visible(visible):
            if record.body_sha256:
                groups.setdefault(record.body_sha256, []).append(record.id)
        return sorted(group for group in groups.values() if len(group) > 1)

    def check(self) -> Sequence[str]:
        return []

    def quarantined(self) -> list[Quarantined]:
        left_out = [record for record in self._records.values() if isinstance(record, Quarantined)]
        return sorted(left_out, key=lambda record: record.path)

    def stale(self) -> bool:
        return False

    def clear(self) -> None:
        self._records.clear()

    def close(self) -> None:
        """Nothing is held outside."""

    def _visible(self, visible: Visible) -> Iterator[IndexRecord]:
        sound = [record for record in self._records.values() if isinstance(record, IndexRecord)]
        return (record for record in sorted(sound, key=lambda record: str(record.id)) if visible(record.id))


def _held(words: str, terms: Sequence[str]) -> tuple[int, ...]:
    distinct = set(split_words(words))
    return tuple(place for place, term in enumerate(terms) if term and any(word.startswith(term) for word in distinct))


def _listed(record: IndexRecord) -> Listed:
    return Listed(
        id=record.id,
        kind=record.kind,
        type=record.type,
        name=record.name,
        description=record.description,
        created_at=record.created_at,
        updated_at=record.updated_at,
        sha256=record.sha256,
    )
