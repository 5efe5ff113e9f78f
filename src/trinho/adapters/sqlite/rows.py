"""Between what the ports speak of and what SQLite's columns can hold."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from trinho.adapters.sqlite.connection import DatabaseDamagedError
from trinho.adapters.sqlite.unicode import is_unicode, storable
from trinho.domain.entry import EntryType, Kind
from trinho.domain.ids import MemoryId, parse_memory_id
from trinho.domain.knowledge import NOTHING_SAID, Knowledge, MemoryType, Status, Veracity, topic_key
from trinho.domain.versions import FileMark
from trinho.errors import InvalidMemoryIdError
from trinho.ports.index import IndexRecord, Listed, Quarantined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Row = tuple[object, ...]
_P = ParamSpec("_P")
_T = TypeVar("_T")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_WRAP = 1 << 64
_INODES = _WRAP - 1
_MOST = (1 << 63) - 1
_KINDS = {kind.value: kind for kind in Kind}
_TYPES = {type.value: type for type in EntryType}

MARK_COLUMNS = "path, inode, size, mtime_ns"
# Of two that say they have superseded each other, the one that was written last has
_WINNER = """(SELECT max(winner) FROM replaced AS one WHERE one.loser = id AND NOT EXISTS (SELECT 1 FROM replaced AS two
    WHERE two.loser = one.winner AND two.winner = id AND two.updated > one.updated))"""
LISTED_COLUMNS = f"id, kind, type, name, description, created, updated, sha256, knowledge, size, {_WINNER}"
QUARANTINED_COLUMNS = f"{MARK_COLUMNS}, id, line, reason"
RECORD_COLUMNS = (
    f"row, {QUARANTINED_COLUMNS}, sha256, kind, type, name, description, created, updated, body, domain, topic, "
    "knowledge"
)
_FIELDS_OF_AN_ENTRY = 11


def values_of(row: int, record: IndexRecord | Quarantined) -> Row:
    """The values of RECORD_COLUMNS."""
    mark = record.mark
    place = (row, _stored_path(record.path), _signed(mark.inode), mark.size, _bounded(mark.mtime_ns))
    if isinstance(record, Quarantined):
        memory_id = None if record.id is None else str(record.id)
        return (*place, memory_id, record.line, storable(record.reason), *(None,) * _FIELDS_OF_AN_ENTRY)
    return (
        *place,
        str(record.id),
        None,
        None,
        record.sha256,
        record.kind.value,
        record.type.value,
        storable(record.name),
        storable(record.description),
        microseconds(record.created_at),
        microseconds(record.updated_at),
        record.body_sha256 or None,
        storable(record.knowledge.domain) or None,
        storable(topic_key(record.knowledge.topic)) or None,
        None if record.knowledge is NOTHING_SAID else storable(_packed(record.knowledge)),
    )


def _packed(said: Knowledge) -> str:
    until = None if said.valid_until is None else microseconds(said.valid_until)
    return json.dumps((*said._replace(valid_until=None), until), ensure_ascii=False)


def _unpacked(text: str) -> Knowledge:
    *values, until = json.loads(text)
    said = Knowledge(*values)
    return said._replace(
        memory_type=None if said.memory_type is None else MemoryType(said.memory_type),
        veracity=None if said.veracity is None else Veracity(said.veracity),
        sources=tuple(said.sources),
        supersedes=tuple(said.supersedes),
        valid_until=None if until is None else _instant(until),
        status=Status(said.status),
    )


def path_key(path: str) -> str | bytes:
    """The value that finds a path in its column."""
    return _stored_path(path)


def marks_of(rows: Iterable[tuple[Any, ...]]) -> dict[str, FileMark]:
    """Path → mark, of rows of MARK_COLUMNS."""
    # Asked of every file at each open, hence one loop. A size or a time of another type equals that of no file.
    return {
        path if type(path) is str else _path(path): FileMark(inode & _INODES, size, mtime_ns)
        for path, inode, size, mtime_ns in rows
    }


def id_of(text: object) -> MemoryId:
    """The ID in a column."""
    return parse_memory_id(_text(text))


def listed(memory_id: MemoryId, row: Sequence[object]) -> Listed:
    """What a row of LISTED_COLUMNS says of an entry."""
    _, kind, type, name, description, created, updated, sha256, knowledge, size, winner = row
    said = NOTHING_SAID if knowledge is None else _unpacked(_text(knowledge))
    if winner is not None and not said.superseded_by:
        said = said._replace(superseded_by=_text(winner))
    return Listed(
        id=memory_id,
        kind=_KINDS[_text(kind)],
        type=_TYPES[_text(type)],
        name=_text(name),
        description=_text(description),
        created_at=_instant(created),
        updated_at=_instant(updated),
        sha256=_text(sha256),
        knowledge=said,
        size=_integer(size),
    )


def quarantined(row: Row) -> Quarantined:
    """What a row of QUARANTINED_COLUMNS says of a file."""
    [(path, mark)] = marks_of([row[:4]]).items()
    memory_id, line, reason = row[4:]
    return Quarantined(path, None if memory_id is None else id_of(memory_id), mark, _integer(line), _text(reason))


def decoding(path: str, read: Callable[_P, _T], *values: _P.args, **named: _P.kwargs) -> _T:
    """What `read` makes of values; ones that we never write mean that the file at `path` is damaged."""
    try:
        return read(*values, **named)
    except (KeyError, ValueError, TypeError, OverflowError, InvalidMemoryIdError) as error:
        raise DatabaseDamagedError(path, f"a value can't be: {error}") from error


def _stored_path(path: str) -> str | bytes:
    """Names that aren't UTF-8 are kept as the bytes that they are on disk."""
    return path if path.isascii() or is_unicode(path) else path.encode("utf-8", "surrogateescape")


def _path(value: object) -> str:
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else _text(value)


def _signed(inode: int) -> int:
    """SQLite's integers end at 63 bits, inode numbers at 64."""
    return inode - _WRAP if inode > _MOST else inode


def _bounded(mtime_ns: int) -> int:
    """A time beyond the year 2262 is kept as its end, so that such a file is read again each time."""
    return max(-_MOST, min(mtime_ns, _MOST))


def microseconds(at: datetime) -> int:
    """An instant as it is kept in a column."""
    return (at - _EPOCH) // _MICROSECOND


def _instant(value: object) -> datetime:
    return _EPOCH + timedelta(microseconds=_integer(value))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not a text")
    return value


def _integer(value: object) -> int:
    if not isinstance(value, int):
        raise ValueError(f"{value!r} is not a whole number")
    return value
