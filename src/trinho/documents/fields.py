"""The keys of a frontmatter block, however they were read."""

from __future__ import annotations

from typing import NamedTuple

MAX_KEYS = 64

# Words that YAML takes for something else than text
NO_TEXT = frozenset({"null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE"})


class MalformedFrontmatterError(Exception):
    """The block can't be read. `line` counts from 1 in the whole text."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class Field(NamedTuple):
    """A top-level key. `value` is the text behind it, None for a list or map; start and end are its span in the block.

    `is_block` tells a `|` or `>` value; `line` counts from 1.
    """

    key: str
    value: str | None
    line: int
    start: int
    end: int
    is_block: bool = False
