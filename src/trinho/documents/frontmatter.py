"""The first `---` block of a text, read into strings and rewritten without touching what wasn't changed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from trinho.documents.fields import MAX_KEYS, NO_TEXT, Field, MalformedFrontmatterError
from trinho.documents.scalars import Scalar, write_scalar
from trinho.errors import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_BLOCK_BYTES = 16 * 1024

_BREAK = re.compile(r"\r\n|\n|\r")
OPENING = re.compile(r"\ufeff?---[ \t]*(?:(\r\n|\n|\r)|\Z)")
CLOSING = re.compile(r"(?<=[\r\n])---[ \t]*(?:\r\n|\n|\r|\Z)")
# What YAML forbids, takes for a line end in one version only, or shows to nobody.
_FORBIDDEN = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]"
# A value in double quotes without escapes, or a plain one that begins with a letter or digit and holds neither
# `: ` nor ` #`; no tabs. Spaces may follow either. libyaml refuses keys of more than 1,024 characters. No possessive
# quantifiers: Python before 3.11.5 gets them wrong.
_PLAIN_LINE = re.compile(
    r"(?P<key>[A-Za-z_][A-Za-z0-9_]{0,99}): "
    r"(?:(?P<quoted>\"[^\"\\\t\r\n]*\")|(?P<plain>[^\W_](?:[^:#\s]|:(?=[^\s])|(?<! )#| (?=[^\s#]))*)) *\n"
)
_BLOCK_HEADER = re.compile(r"[|>][-+0-9]*([ \t]+#[^\r\n]*)?")


class Block(NamedTuple):
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
    opening = OPENING.match(text)
    if opening is None:
        return None
    closing = CLOSING.search(text, opening.end())
    if closing is None:
        raise MalformedFrontmatterError(1, "the frontmatter has no closing ---")
    start, end = opening.end(), closing.start()
    content = text[start:end]
    _check_characters(content)
    fields = plain_fields(content, start)
    if fields is not None:
        return Block(text[: closing.end()], fields, end, opening[1])
    from trinho.documents.yaml_events import read_fields  # libyaml costs a cold start more than all the rest

    indent, fields = read_fields(content, start)
    return Block(text[: closing.end()], fields, end, opening[1], indent)


def plain_fields(content: str, offset: int) -> tuple[Field, ...] | None:
    """The keys of a block in which every line is one key and one simple value; None where YAML must be asked.

    INVARIANT: what it answers is what libyaml reads from the same text, to the last span.
    """
    fields: list[Field] = []
    at = 0
    while at < len(content):
        line = _PLAIN_LINE.match(content, at)
        if line is None or line["key"] in NO_TEXT:
            return None
        quoted = line["quoted"] is not None
        start, end = line.span("quoted" if quoted else "plain")
        value = content[start + 1 : end - 1] if quoted else content[start:end]
        fields.append(Field(line["key"], value, len(fields) + 2, offset + start, offset + end))
        at = line.end()
    if len(fields) > MAX_KEYS or len({field.key for field in fields}) < len(fields):
        return None
    return tuple(fields)


def rewrite(block: Block, changes: Mapping[str, Scalar | None]) -> str:
    """The block's text with these values: only their spans change, missing keys go before the closing line.

    A key whose value is None goes, with its lines.
    """
    present = {field.key for field in block.fields}
    added = "".join(
        f"{block.indent}{write_scalar(key)}: {write_scalar(value)}{block.newline}"
        for key, value in changes.items()
        if key not in present and value is not None
    )
    text = block.text[: block.closing] + added + block.text[block.closing :]
    for field in reversed(block.fields):
        if field.key in changes:
            value = changes[field.key]
            text = _removed(text, field) if value is None else _replaced(text, field, write_scalar(value))
    return text


def _removed(text: str, field: Field) -> str:
    """The text without the lines of a key."""
    if field.value is None:
        raise MalformedFrontmatterError(field.line, f"`{shown(field.key)}` holds a list or a map")
    start = max(text.rfind("\n", 0, field.start), text.rfind("\r", 0, field.start)) + 1
    if text[start : field.start].lstrip().startswith(("---", "{")) or text[start : field.start].count(",") > 0:
        raise MalformedFrontmatterError(field.line, f"`{shown(field.key)}` shares its line with another key")
    # The value of a block ends with its last line end, any other before it
    if field.is_block and text[field.end - 1 : field.end] in ("\n", "\r"):
        return text[:start] + text[field.end :]
    end = _BREAK.search(text, field.end)
    return text[:start] + (text[end.end() :] if end else "")


def _replaced(text: str, field: Field, written: str) -> str:
    if field.value is None:
        raise MalformedFrontmatterError(field.line, f"`{shown(field.key)}` holds a list or a map")
    if field.start == field.end:
        written = " " + written
    elif field.is_block:
        header = _BLOCK_HEADER.match(text, field.start)
        written += (header and header[1]) or ""
    if text[field.end : field.end + 1] == "#":
        written += " "  # a comment may follow quotes at once, but not a plain value
    return text[: field.start] + written + text[field.end :]


def _check_characters(content: str) -> None:
    if len(content) > MAX_BLOCK_BYTES or len(content.encode("utf-8", "surrogatepass")) > MAX_BLOCK_BYTES:
        raise MalformedFrontmatterError(1, f"the frontmatter is longer than {MAX_BLOCK_BYTES} bytes")
    if content.isascii() and content.replace("\n", "").isprintable():
        return
    forbidden = re.search(_FORBIDDEN, content)  # compiled only where it is needed: it costs a cold start
    if forbidden:
        line = 2 + len(_BREAK.findall(content, 0, forbidden.start()))
        raise MalformedFrontmatterError(line, f"the frontmatter holds the character U+{ord(forbidden[0]):04X}")
