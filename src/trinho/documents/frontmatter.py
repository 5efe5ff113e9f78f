"""The first `---` block of a text, read into strings and rewritten without touching what wasn't changed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from trinho.documents.scalars import Scalar, write_scalar
from trinho.errors import shown

try:
    from yaml import YAMLError
    from yaml._yaml import CParser, Mark
    from yaml.error import MarkedYAMLError
    from yaml.events import (
        AliasEvent,
        CollectionEndEvent,
        CollectionStartEvent,
        DocumentEndEvent,
        DocumentStartEvent,
        Event,
        MappingEndEvent,
        MappingStartEvent,
        NodeEvent,
        ScalarEvent,
        SequenceStartEvent,
        StreamEndEvent,
    )
except ImportError as missing:
    raise ImportError(
        "trinho needs PyYAML with libyaml, as its wheels have it: pip install --force PyYAML"
    ) from missing

MAX_BLOCK_BYTES = 16 * 1024
MAX_KEYS = 64
MAX_DEPTH = 8

_BREAK = re.compile(r"\r\n|\n|\r")
_OPENING = re.compile(r"\ufeff?---[ \t]*(?:(\r\n|\n|\r)|\Z)")
_CLOSING = re.compile(r"(?<=[\r\n])---[ \t]*(?:\r\n|\n|\r|\Z)")
# What YAML forbids, takes for a line end in one version only, or shows to nobody.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_NO_STRING = re.compile(
    r"~|null|Null|NULL|true|True|TRUE|false|False|FALSE"
    r"|[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"
    r"|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_BLOCK_HEADER = re.compile(r"[|>][-+0-9]*([ \t]+#[^\r\n]*)?")


class MalformedFrontmatterError(Exception):
    """The block can't be read. `line` counts from 1 in the whole text."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Field:
    """A top-level key. `value` is the text behind it, None for a list or map; start and end are its span in the block.

    `is_block` tells a `|` or `>` value; `line` counts from 1.
    """

    key: str
    value: str | None
    line: int
    start: int
    end: int
    is_block: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """Frontmatter as it stands in a text: all from the first character to the end of the closing line.

    `closing` is where the closing line begins; `newline` and `indent` are what a new line is written with.
    """

    text: str
    fields: tuple[Field, ...]
    closing: int
    newline: str
    indent: str = ""

    def get(self, key: str) -> Field | None:
        return next((field for field in self.fields if field.key == key), None)


def new_block(newline: str = "\n") -> Block:
    """A block without keys, to be filled by rewrite."""
    opening = f"---{newline}"
    return Block(text=f"{opening}---{newline}", fields=(), closing=len(opening), newline=newline)


def read_block(text: str) -> Block | None:
    """The block the text begins with, None if it begins with none, else MalformedFrontmatterError."""
    opening = _OPENING.match(text)
    if opening is None:
        return None
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        raise MalformedFrontmatterError(1, "the frontmatter has no closing ---")
    start, end = opening.end(), closing.start()
    content = text[start:end]
    _check_characters(content)
    indent, fields = _EventReader(content, start).read()
    return Block(text[: closing.end()], fields, end, opening[1], indent)


def rewrite(block: Block, changes: Mapping[str, Scalar]) -> str:
    """The block's text with these values: only their spans change, missing keys go before the closing line."""
    present = {field.key for field in block.fields}
    added = "".join(
        f"{block.indent}{write_scalar(key)}: {write_scalar(value)}{block.newline}"
        for key, value in changes.items()
        if key not in present
    )
    text = block.text[: block.closing] + added + block.text[block.closing :]
    for field in reversed(block.fields):
        if field.key in changes:
            text = _replaced(text, field, write_scalar(changes[field.key]))
    return text


def _replaced(text: str, field: Field, written: str) -> str:
    if field.value is None:
        raise MalformedFrontmatterError(field.line, f"`{shown(field.key)}` holds a list or a map")
    if field.start == field.end:
        written = " " + written
    elif field.is_block:
        header = _BLOCK_HEADER.match(text, field.start)
        written += (header and header[1]) or ""
    return text[: field.start] + written + text[field.end :]


def _check_characters(content: str) -> None:
    if len(content) > MAX_BLOCK_BYTES or len(content.encode("utf-8", "surrogatepass")) > MAX_BLOCK_BYTES:
        raise MalformedFrontmatterError(1, f"the frontmatter is longer than {MAX_BLOCK_BYTES} bytes")
    forbidden = _FORBIDDEN.search(content)
    if forbidden:
        line = 2 + len(_BREAK.findall(content, 0, forbidden.start()))
        raise MalformedFrontmatterError(line, f"the frontmatter holds the character U+{ord(forbidden[0]):04X}")


class _EventReader:
    """Reads one block from libyaml's events, so that nothing is composed before it is known to be harmless."""

    __slots__ = ("_content", "_offset", "_parser")

    def __init__(self, content: str, offset: int) -> None:
        self._content = content
        self._offset = offset
        self._parser = CParser(content)

    def read(self) -> tuple[str, tuple[Field, ...]]:
        """The indentation of the keys and the keys."""
        self._next()
        opening = self._next()
        if isinstance(opening, StreamEndEvent):
            return "", ()
        if isinstance(opening, DocumentStartEvent) and opening.explicit:
            raise _fault(opening, "another document begins inside the frontmatter")
        root = self._node()
        if not isinstance(root, MappingStartEvent):
            raise _fault(root, f"the frontmatter is a {_shape(root)}, not keys with values")
        if root.flow_style:
            raise _fault(root, "the frontmatter stands in braces; write one key a line")
        fields = self._fields(root)
        self._end()
        return " " * _mark(root).column, fields

    def _end(self) -> None:
        closing = self._next()
        if isinstance(closing, DocumentEndEvent) and closing.explicit:
            raise _fault(closing, "the document ends inside the frontmatter")
        after = self._next()
        if not isinstance(after, StreamEndEvent):
            raise _fault(after, "another document begins inside the frontmatter")

    def _fields(self, root: MappingStartEvent) -> tuple[Field, ...]:
        fields: list[Field] = []
        seen: set[str] = set()
        while not isinstance(key := self._node(), MappingEndEvent):
            name = self._key(key, seen)
            if _mark(key).column != _mark(root).column:
                raise _fault(key, "a key is marked with ?; write `key: value`")
            if isinstance(key, ScalarEvent) and not key.style and _NO_STRING.fullmatch(name):
                raise _fault(key, f"the key `{shown(name)}` is no text; put it in quotes")
            if len(seen) > MAX_KEYS:
                raise _fault(key, f"the frontmatter has more than {MAX_KEYS} keys")
            fields.append(self._field(name, _mark(key).line + 2))
        return tuple(fields)

    def _key(self, event: Event, seen: set[str]) -> str:
        if not isinstance(event, ScalarEvent):
            raise _fault(event, "a key is a list or a map")
        name = event.value
        if name == "":
            raise _fault(event, "a key is empty")
        if name == "<<":
            raise _fault(event, "merge keys are not allowed")
        if name in seen:
            raise _fault(event, f"the key `{shown(name)}` stands there twice")
        seen.add(name)
        return name

    def _field(self, key: str, line: int) -> Field:
        event = self._node()
        start = _mark(event).index
        if not isinstance(event, ScalarEvent):
            self._skip(event, 2)
            return Field(key, None, line, self._offset + start, self._offset + start)
        assert event.end_mark is not None
        end = event.end_mark.index
        is_block = event.style in ("|", ">")
        if is_block:
            # Blank lines may stay behind any value, a line with a tab only inside a block one.
            end = start + len(self._content[start:end].rstrip(" \r\n"))
        return Field(key, event.value, line, self._offset + start, self._offset + end, is_block)

    def _skip(self, event: Event, depth: int) -> None:
        """Read past a node that is kept as it is; `depth` counts the lists and maps around and at it."""
        if not isinstance(event, CollectionStartEvent):
            return
        if depth > MAX_DEPTH:
            raise _fault(event, f"lists and maps are nested deeper than {MAX_DEPTH}")
        seen: set[str] = set()
        while not isinstance(item := self._node(), CollectionEndEvent):
            if isinstance(event, MappingStartEvent):
                self._key(item, seen)
                item = self._node()
            self._skip(item, depth + 1)

    def _node(self) -> Event:
        event = self._next()
        if isinstance(event, AliasEvent) or (isinstance(event, NodeEvent) and event.anchor is not None):
            raise _fault(event, "anchors and aliases are not allowed")
        if isinstance(event, ScalarEvent | CollectionStartEvent) and event.tag is not None:
            raise _fault(event, "tags are not allowed")
        return event

    def _next(self) -> Event:
        try:
            event = self._parser.get_event()
        except MarkedYAMLError as fault:
            mark = fault.context_mark if (fault.context or "").startswith("while scanning") else fault.problem_mark
            line = 1 if mark is None else mark.line + 2
            raise MalformedFrontmatterError(line, fault.problem or "not YAML") from fault
        except YAMLError as fault:
            raise MalformedFrontmatterError(1, "not YAML") from fault
        assert event is not None  # nothing is asked for after the end of the stream
        return event


def _mark(event: Event) -> Mark:
    mark = event.start_mark
    assert isinstance(mark, Mark)  # libyaml marks every event
    return mark


def _fault(event: Event, reason: str) -> MalformedFrontmatterError:
    return MalformedFrontmatterError(_mark(event).line + 2, reason)


def _shape(event: Event) -> str:
    return "list" if isinstance(event, SequenceStartEvent) else "single text"
