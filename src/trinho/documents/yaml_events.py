"""A frontmatter block read from libyaml's events, into strings and without composing anything."""

from __future__ import annotations

import re

from trinho.documents.fields import MAX_KEYS, NO_TEXT, Field, MalformedFrontmatterError
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

MAX_DEPTH = 8
# Keys without letters that YAML takes for something else than text, and numbers
_NO_STRING = re.compile(
    r"~|[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"
    r"|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)


# What libyaml says of the mistakes that people and models make most, and what to do about them
_WORDS = {
    "mapping values are not allowed in this context": "a value holds `: `; put it in double quotes",
    "found unexpected end of stream": "a quote is opened and not closed",
    "did not find expected ',' or ']'": "a list in brackets is not closed",
    "did not find expected ',' or '}'": "a map in braces is not closed",
    "found character that cannot start any token": "a tab, @ or ` begins a line or a value; put the value in quotes",
    "found a tab character that violates indentation": "a line is indented by a tab; YAML wants spaces",
    "could not find expected ':'": "a line is no `key: value`",
    "did not find expected key": "a line is no `key: value`, or more stands behind a quoted value",
    "found unknown escape character": "a double-quoted value holds a backslash; write two of them",
}


def read_fields(content: str, offset: int) -> tuple[str, tuple[Field, ...]]:
    """The indentation of the keys and the keys, their spans moved by `offset`; MalformedFrontmatterError if none."""
    return _EventReader(content, offset).read()


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
            if isinstance(key, ScalarEvent) and not key.style and (name in NO_TEXT or _NO_STRING.fullmatch(name)):
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
            raise MalformedFrontmatterError(line, _in_words(fault.problem or "not YAML")) from fault
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


def _in_words(problem: str) -> str:
    return next((words for begin, words in _WORDS.items() if problem.startswith(begin)), problem)
