"""YAML cut to mappings, lists and strings: every value is the text that was written, and nothing refers or repeats."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import yaml

from trinho.errors import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

Value = str | list["Value"] | dict[str, "Value"]

MAX_BYTES = 32 * 1024
MAX_DEPTH = 8

_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
# YAML 1.1 ends a line at these, which no editor shows; surrogates have no bytes.
_HIDDEN_LINE_ENDS = re.compile("[\u0085\u2028\u2029\ud800-\udfff]")


def read_strict_yaml(text: str) -> tuple[Value, list[str]]:
    """The one document of a text and the faults found in it, each with its line; an empty text is an empty mapping.

    Refused are anchors, aliases, tags, duplicate keys, keys that are not text, several documents, more than
    MAX_DEPTH levels, more than MAX_BYTES bytes of UTF-8 and characters that end a line unseen.
    """
    fault = _text_fault(text)
    if fault:
        return {}, [fault]
    try:
        events = list(_shallow(yaml.parse(text, Loader=_LOADER)))
    except yaml.YAMLError as error:
        return {}, [_syntax_fault(error)]
    return _compose(events)


def _text_fault(text: str) -> str | None:
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        return f"it is longer than {MAX_BYTES} bytes"
    hidden = _HIDDEN_LINE_ENDS.search(text)
    if hidden:
        line = text.count("\n", 0, hidden.start()) + 1
        return f"line {line}: it holds the character U+{ord(hidden.group()):04X}"
    return None


def _syntax_fault(error: yaml.YAMLError) -> str:
    if isinstance(error, yaml.MarkedYAMLError):
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        return f"{line}{error.problem or error.context or 'it is not YAML'}"
    return "it holds a character that YAML does not allow"


def _shallow(events: Iterator[Any]) -> Iterator[Any]:
    depth = 0
    for event in events:
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MAX_DEPTH:
            raise yaml.MarkedYAMLError(problem=f"more than {MAX_DEPTH} levels", problem_mark=event.start_mark)
        yield event


def _compose(events: list[Any]) -> tuple[Value, list[str]]:
    if sum(isinstance(e, yaml.DocumentStartEvent) for e in events) > 1:
        return {}, ["it holds more than one document"]
    faults: list[str] = []
    nodes = iter([e for e in events if isinstance(e, yaml.NodeEvent | yaml.CollectionEndEvent)])
    first = next(nodes, None)
    value = {} if first is None else _value(first, nodes, faults)
    return value, faults


def _value(event: Any, nodes: Iterator[Any], faults: list[str]) -> Value:
    _refuse_references(event, faults)
    if isinstance(event, yaml.SequenceStartEvent):
        return [_value(item, nodes, faults) for item in _until(yaml.SequenceEndEvent, nodes)]
    if isinstance(event, yaml.MappingStartEvent):
        return _mapping(nodes, faults)
    return "" if isinstance(event, yaml.AliasEvent) else str(event.value)


def _until(end: type[Any], nodes: Iterator[Any]) -> Iterator[Any]:
    for event in nodes:
        if isinstance(event, end):
            return
        yield event


def _mapping(nodes: Iterator[Any], faults: list[str]) -> dict[str, Value]:
    mapping: dict[str, Value] = {}
    for event in _until(yaml.MappingEndEvent, nodes):
        key = _value(event, nodes, faults)
        value = _value(next(nodes), nodes, faults)
        if not isinstance(key, str):
            faults.append(f"{_line(event)}: a key is not text")
        elif key in mapping:
            faults.append(f"{_line(event)}: the key `{shown(key)}` is there twice")
        else:
            mapping[key] = value
    return mapping


def _refuse_references(event: Any, faults: list[str]) -> None:
    if isinstance(event, yaml.AliasEvent):
        faults.append(f"{_line(event)}: aliases are not allowed")
    elif event.anchor is not None:
        faults.append(f"{_line(event)}: anchors are not allowed")
    if getattr(event, "tag", None) is not None:
        faults.append(f"{_line(event)}: tags are not allowed")


def _line(event: Any) -> str:
    return f"line {event.start_mark.line + 1}"
