"""JSON-RPC messages out of lines: what is none gets the error of the protocol, and the server stays up."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import mcp_types as types
from pydantic import ValidationError

# Bytes of one message: the largest body of an entry, spelled in escapes, with room beside it
LONGEST = 8 << 20
_DEEPEST = 100  # levels of nesting; no tool takes more than three


class Refused(NamedTuple):
    """What is answered to a line that is no message."""

    error: types.JSONRPCError

    @property
    def message(self) -> types.JSONRPCMessage:
        return self.error


class _DuplicateKeyError(ValueError):
    pass


def parse(line: bytes) -> types.JSONRPCMessage | Refused:
    """The message of one line, or why it is none: -32700 for what isn't JSON, -32600 for what is no request."""
    if len(line) > LONGEST:
        return too_long()
    try:
        document = json.loads(line.decode(), object_pairs_hook=_object, parse_constant=_refuse_constant)
    except _DuplicateKeyError as error:
        return _refused(types.INVALID_REQUEST, f"the key `{error}` is there twice")
    except RecursionError:
        return _refused(types.INVALID_REQUEST, f"it is nested more than {_DEEPEST} deep")
    except ValueError:
        return _refused(types.PARSE_ERROR, "a message is one line of JSON in UTF-8")
    if isinstance(document, list):
        return _refused(types.INVALID_REQUEST, "batches aren't taken; send each message on a line of its own")
    if not isinstance(document, dict):
        return _refused(types.INVALID_REQUEST, "a message is a JSON object")
    if _is_deeper(document, _DEEPEST):
        return _refused(types.INVALID_REQUEST, f"it is nested more than {_DEEPEST} deep", document)
    if "id" in document and not _is_id(document["id"]):
        return _refused(types.INVALID_REQUEST, "an id is a text or a whole number")
    try:
        message: types.JSONRPCMessage = types.jsonrpc_message_adapter.validate_python(document, by_name=False)
    except ValidationError:
        return _refused(types.INVALID_REQUEST, "it is no request of JSON-RPC 2.0", document)
    return message


def too_long() -> Refused:
    return _refused(types.INVALID_REQUEST, f"a message has at most {LONGEST} bytes")


def _refused(code: int, reason: str, document: dict[str, Any] | None = None) -> Refused:
    id = None if document is None else document.get("id")
    error = types.ErrorData(code=code, message=reason)
    return Refused(types.JSONRPCError(jsonrpc="2.0", id=id if _is_id(id) else None, error=error))


def _is_id(id: object) -> bool:
    return isinstance(id, str | int) and not isinstance(id, bool)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        seen: set[str] = set()
        raise _DuplicateKeyError(next(key for key, _ in pairs if key in seen or seen.add(key)))  # type: ignore[func-returns-value]
    return document


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def _is_deeper(document: object, most: int) -> bool:
    level: list[object] = [document]
    for _ in range(most):
        level = [
            inner
            for each in level
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return False
    return True
