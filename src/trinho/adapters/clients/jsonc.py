"""Edits of JSON files that people keep, comments and odd formatting included: what isn't named keeps its bytes.

The grammar is tree-sitter's: it gives the place of every value and comment, which no reader of Python's own does.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeAlias

from tree_sitter import Language, Parser
from tree_sitter_json import language

from trinho.adapters.clients.files import Merged
from trinho.errors import InvalidClientSettingsError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tree_sitter import Node

Value: TypeAlias = "str | int | float | bool | list[Value] | dict[str, Value] | None"

_PARSER = Parser(Language(language()))
_USUAL_INDENT = b"  "


def read(raw: bytes, path: str) -> dict[str, Value]:
    """What the file says; InvalidClientSettingsError if that is no object."""
    if not raw.strip():
        return {}
    try:
        return _dict(_root(raw, path), raw)
    except RecursionError as error:
        raise InvalidClientSettingsError(path, "it is nested too deeply") from error


def merge(raw: bytes, addition: dict[str, Value], path: str) -> Merged:
    """Put an object's members and its lists' items in; what is there already, stays.

    Every text goes in whole, at one place, so that cutting it out again gives back what was there before.
    InvalidClientSettingsError if something else stands where an object or a list belongs.
    """
    newline = b"\r\n" if b"\r\n" in raw else b"\n"
    if not raw.strip():
        text = json.dumps(addition, indent=2, ensure_ascii=False).encode().replace(b"\n", newline) + newline
        return Merged(raw + text, (text,))
    root = _root(raw, path)
    inserts: list[tuple[int, bytes]] = []
    _put(root, addition, raw, path, (newline, _unit(root, raw)), inserts)
    merged = raw
    for at, text in sorted(inserts, reverse=True):
        merged = merged[:at] + text + merged[at:]
    return Merged(merged, tuple(text for _, text in inserts))


def cut(raw: bytes, path: str, is_ours: Callable[[tuple[str, ...], Value], bool]) -> bytes:
    """Take out the members and items that are ours, and what holds nothing else.

    `is_ours` is asked with the names that lead there, `*` for a place in a list, and the value.
    """
    read(raw, path)
    while raw.strip():
        found = _find(_root(raw, path), (), raw, is_ours)
        if found is None:
            break
        raw = _without(found, raw)
    return raw


def _root(raw: bytes, path: str) -> Node:
    tree = _PARSER.parse(raw).root_node
    values = _children(tree)
    if tree.has_error or len(values) != 1 or values[0].type != "object":
        reason = "it is no JSON object" if not tree.has_error else f"it is no JSON, from line {_first_error(tree)} on"
        raise InvalidClientSettingsError(path, reason)
    return values[0]


def _first_error(node: Node) -> int:
    for child in node.children:
        if child.is_error or child.is_missing:
            return child.start_point[0] + 1
        if child.has_error:
            return _first_error(child)
    return node.start_point[0] + 1


def _children(node: Node) -> list[Node]:
    return [child for child in node.named_children if child.type != "comment"]


def _key(pair: Node, raw: bytes) -> str:
    return str(json.loads(_text(pair.children[0], raw), strict=False))


def _text(node: Node, raw: bytes) -> str:
    return raw[node.start_byte : node.end_byte].decode(errors="replace")


def _value(node: Node, raw: bytes) -> Value:
    if node.type == "object":
        return _dict(node, raw)
    if node.type == "array":
        return [_value(child, raw) for child in _children(node)]
    value: Value = json.loads(_text(node, raw), strict=False)
    return value


def _dict(node: Node, raw: bytes) -> dict[str, Value]:
    return {_key(pair, raw): _value(pair.children[-1], raw) for pair in _children(node)}


def _put(
    node: Node,
    addition: dict[str, Value],
    raw: bytes,
    path: str,
    layout: tuple[bytes, bytes],
    inserts: list[tuple[int, bytes]],
) -> None:
    present = {_key(pair, raw): pair.children[-1] for pair in _children(node)}  # of two of a name the last one holds
    fresh: list[bytes] = []
    for name, wanted in addition.items():
        there = present.get(name)
        if there is None:
            fresh.append(_line(wanted, node, raw, layout, json.dumps(name, ensure_ascii=False).encode() + b": "))
        elif isinstance(wanted, dict) and there.type == "object":
            _put(there, wanted, raw, path, layout, inserts)
        elif isinstance(wanted, list) and there.type == "array":
            known = [_value(item, raw) for item in _children(there)]
            items = [_line(item, there, raw, layout) for item in wanted if item not in known]
            _insert(there, items, raw, layout, inserts)
        elif _value(there, raw) != wanted:
            raise InvalidClientSettingsError(path, f"`{name}` holds something else than it should")
    _insert(node, fresh, raw, layout, inserts)


def _insert(
    node: Node, lines: Sequence[bytes], raw: bytes, layout: tuple[bytes, bytes], inserts: list[tuple[int, bytes]]
) -> None:
    """Put lines into an object or list: behind its last child, or before its first where comments follow the last."""
    if not lines:
        return
    children = _children(node)
    if not children:
        newline, _ = layout
        sep = newline + _inner(node, raw, layout)
        text = sep + (b"," + sep).join(lines) + newline + _indent(node, raw)
        inserts.append((node.start_byte + 1, text))
        return
    sep = _separator(node, raw, layout)
    if node.named_children[-1].type == "comment" and node.named_children[-1].start_byte > children[-1].end_byte:
        inserts.append((node.start_byte + 1, b"".join(sep + line + b"," for line in lines)))
    else:
        inserts.append((children[-1].end_byte, b"".join(b"," + sep + line for line in lines)))


def _line(value: Value, node: Node, raw: bytes, layout: tuple[bytes, bytes], before: bytes = b"") -> bytes:
    newline, unit = layout
    if _children(node) and not _own_line(_children(node)[0], raw):
        return before + json.dumps(value, ensure_ascii=False).encode()
    text = json.dumps(value, indent=unit.decode(), ensure_ascii=False).encode()
    return before + text.replace(b"\n", newline + _inner(node, raw, layout))


def _separator(node: Node, raw: bytes, layout: tuple[bytes, bytes]) -> bytes:
    return layout[0] + _inner(node, raw, layout) if _own_line(_children(node)[0], raw) else b" "


def _inner(node: Node, raw: bytes, layout: tuple[bytes, bytes]) -> bytes:
    """The indentation of what is in an object or list."""
    children = _children(node)
    return _indent(children[0], raw) if children and _own_line(children[0], raw) else _indent(node, raw) + layout[1]


def _indent(node: Node, raw: bytes) -> bytes:
    """The white space that the line begins with."""
    line = raw[raw.rfind(b"\n", 0, node.start_byte) + 1 : node.start_byte]
    return line[: len(line) - len(line.lstrip(b" \t"))]


def _own_line(node: Node, raw: bytes) -> bool:
    start = raw.rfind(b"\n", 0, node.start_byte) + 1
    return start > 0 and not raw[start : node.start_byte].strip()


def _unit(root: Node, raw: bytes) -> bytes:
    """What one step of indentation is here."""
    children = _children(root)
    if not children or not _own_line(children[0], raw):
        return _USUAL_INDENT
    deeper = _indent(children[0], raw)[len(_indent(root, raw)) :]
    return deeper or _USUAL_INDENT


def _find(
    node: Node, names: tuple[str, ...], raw: bytes, is_ours: Callable[[tuple[str, ...], Value], bool]
) -> list[tuple[Node, Node]] | None:
    """The way to the first that is ours: each object or list on it, with the child that leads on."""
    for child in _children(node):
        inner = child.children[-1] if node.type == "object" else child
        path = (*names, _key(child, raw) if node.type == "object" else "*")
        if is_ours(path, _value(inner, raw)):
            return [(node, child)]
        if inner.type in ("object", "array"):
            way = _find(inner, path, raw, is_ours)
            if way is not None:
                return [(node, child), *way]
    return None


def _without(way: list[tuple[Node, Node]], raw: bytes) -> bytes:
    """The text less where the way ends, and less each object or list that holds nothing then."""
    while len(way) > 1 and len(way[-1][0].named_children) == 1:
        way.pop()
    return _cut_child(*way[-1], raw)


def _cut_child(node: Node, child: Node, raw: bytes) -> bytes:
    children = _children(node)
    at = next(index for index, each in enumerate(children) if each.start_byte == child.start_byte)
    if at > 0:
        return raw[: children[at - 1].end_byte] + raw[child.end_byte :]
    if len(children) > 1:
        return raw[: child.start_byte] + raw[children[1].start_byte :]
    if len(node.named_children) > 1:  # a comment stays
        return raw[: child.start_byte] + raw[child.end_byte :]
    return raw[: node.start_byte + 1] + raw[node.end_byte - 1 :]
