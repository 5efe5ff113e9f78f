"""The arithmetic of the audit chain: how a line is written, hashed and linked to the one before."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args

from trinho.domain.audit import AuditEvent, AuditLine, ChainHead, Result
from trinho.domain.entry import format_instant
from trinho.domain.versions import FileMark

if TYPE_CHECKING:
    from collections.abc import Callable

GENESIS = "0" * 64
_TICK = timedelta(microseconds=1)
_RESULTS: frozenset[str] = frozenset(get_args(Result))
_T = TypeVar("_T")


def next_line(event: AuditEvent, now: datetime, last: AuditLine | ChainHead | None) -> AuditLine:
    """The line that records an event after `last`; text that UTF-8 can't hold is escaped in it.

    Its time is `now`, or a microsecond after that of `last` where the clock stood still or ran back.
    """
    at = now.astimezone(UTC)
    if isinstance(last, AuditLine):
        at = max(at, last.at + _TICK)
    seq, prev = (1, GENESIS) if last is None else (last.seq + 1, last.hash)
    line = AuditLine(seq, at, _escaped(event), prev, "")
    return line._replace(hash=line_hash(line))


def in_run(event: AuditEvent, run: int, size: int) -> AuditEvent:
    """The event as one of `size` that are appended together, the first of them under the number `run`."""
    return event._replace(run=run) if size > 1 and event.run is None else event


def line_hash(line: AuditLine) -> str:
    """SHA-256 (hex) of the line's JSON without its hash."""
    return sha256(_json(_members(line)).encode()).hexdigest()


def encode_line(line: AuditLine) -> bytes:
    """The line as it is kept: one JSON object in UTF-8 and a newline."""
    return _json({**_members(line), "hash": line.hash}).encode() + b"\n"


def decode_line(raw: bytes) -> AuditLine:
    """The line that was kept as these bytes, with or without the newline; ValueError if they are no such line.

    Whether its hash and its links hold is left to chain_fault.
    """
    try:
        members = json.loads(raw)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(members, dict):
        raise ValueError("not an object")
    line = _line(members)
    # INVARIANT: a line has one form only, so that no byte of it can change without being found.
    if encode_line(line) != raw.removesuffix(b"\n") + b"\n":
        raise ValueError("not in the form in which lines are written")
    return line


def chain_fault(line: AuditLine, before: AuditLine | None) -> str | None:
    """Why a line doesn't hold or doesn't follow the one before it, or None if it does."""
    if line_hash(line) != line.hash:
        return "its hash doesn't fit what it says"
    seq, prev = (0, GENESIS) if before is None else (before.seq, before.hash)
    if line.seq != seq + 1:
        return f"number {line.seq} follows {seq}"
    if line.prev != prev:
        return "it doesn't follow the line before"
    if before is not None and line.at <= before.at:
        return "its time isn't after that of the line before"
    return None


def head_fault(head: ChainHead | None, last: AuditLine | None, at_head: AuditLine | None) -> str | None:
    """Why the chain's end doesn't fit the head that was remembered, or None if it does.

    `last` is the chain's last line, `at_head` the one whose number the head has. A chain may be ahead of its head.
    """
    if head is None:
        return None
    if at_head is None:
        return f"the chain ends at {last.seq if last else 0}, line {head.seq} was written"
    return None if at_head.hash == head.hash else f"line {head.seq} is not the one that was written"


def head_of(line: AuditLine) -> ChainHead:
    """What to remember of the chain when this is its last line."""
    return ChainHead(line.seq, line.hash)


def _members(line: AuditLine) -> dict[str, Any]:
    """What the hash covers, in the order in which it is written; the rarer fields only where they are set."""
    event = line.event
    members: dict[str, Any] = {
        "seq": line.seq,
        "at": format_instant(line.at),
        "actor": event.actor,
        "operation": event.operation,
        "id": event.id,
        "result": event.result,
        "code": event.code,
        "version": event.version,
        "session": event.session,
    }
    rare = {
        "to": event.to,
        "run": event.run,
        "undoes": event.undoes,
        "placed": event.placed,
        "included": event.included or None,
    }
    members.update((name, value) for name, value in rare.items() if value is not None)
    members["prev"] = line.prev
    return members


def _json(members: dict[str, Any]) -> str:
    return json.dumps(members, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _line(members: dict[str, Any]) -> AuditLine:
    return AuditLine(
        seq=_integer(members.get("seq")),
        at=_instant(members.get("at")),
        event=AuditEvent(
            actor=_text(members.get("actor")),
            operation=_text(members.get("operation")),
            id=_maybe(_text, members.get("id")),
            result=_result(members.get("result")),
            code=_maybe(_text, members.get("code")),
            version=_maybe(_integer, members.get("version")),
            session=_maybe(_text, members.get("session")),
            to=_maybe(_text, members.get("to")),
            run=_maybe(_integer, members.get("run")),
            undoes=_maybe(_integer, members.get("undoes")),
            placed=_maybe(_mark, members.get("placed")),
            included=_included(members.get("included", [])),
        ),
        prev=_text(members.get("prev")),
        hash=_text(members.get("hash")),
    )


def _maybe(read: Callable[[object], _T], value: object) -> _T | None:
    return None if value is None else read(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not a text")
    return value


def _integer(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{value!r} is not a whole number")
    return value


def _instant(value: object) -> datetime:
    at = datetime.fromisoformat(_text(value))
    if at.utcoffset() != timedelta(0):
        raise ValueError(f"{value!r} is not in UTC")
    return at.replace(tzinfo=UTC)


def _result(value: object) -> Result:
    if _text(value) not in _RESULTS:
        raise ValueError(f"{value!r} is not a result")
    return cast("Result", value)


def _included(value: object) -> tuple[tuple[str, int], ...]:
    if not isinstance(value, list):
        raise ValueError("included is not a list")
    return tuple(_pair(pair) for pair in value)


def _mark(value: object) -> FileMark:
    if not isinstance(value, list) or len(value) != 3:
        raise ValueError(f"{value!r} is not the mark of a file")
    return FileMark(*map(_integer, value))


def _pair(value: object) -> tuple[str, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(f"{value!r} is not an id with a version")
    return _text(value[0]), _integer(value[1])


def _escaped(event: AuditEvent) -> AuditEvent:
    """The event with lone surrogates, as names from a file system may hold, spelled out."""
    return event._replace(
        actor=_utf8(event.actor),
        operation=_utf8(event.operation),
        id=_maybe_utf8(event.id),
        session=_maybe_utf8(event.session),
        to=_maybe_utf8(event.to),
        included=tuple((_utf8(shown), version) for shown, version in event.included),
    )


def _utf8(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def _maybe_utf8(text: str | None) -> str | None:
    return None if text is None else _utf8(text)
