"""Markdown file ⇄ entry, byte for byte where nothing was changed."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from trinho.documents.fields import Field, MalformedFrontmatterError
from trinho.documents.frontmatter import MAX_BLOCK_BYTES, Block, new_block, read_block, rewrite
from trinho.documents.layout import Layout, block_to_add, final_newline, put_together, rest_of, take_apart
from trinho.documents.scalars import MAX_WHOLE_NUMBER, Scalar, read_fraction, read_instant, read_whole_number
from trinho.domain.entry import EntryType, Kind
from trinho.domain.knowledge import NOTHING_SAID, Knowledge, MemoryType, Status, Veracity
from trinho.errors import InvalidEntryError, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from trinho.domain.ids import MemoryId

MAX_DESCRIPTION = 200

# What heading marks and rules are made of says nothing by itself
_SAYS = re.compile(r"[^-*_=#\s][^\r\n]*")
_HEADING_MARK = re.compile(r"#{1,6}(?:\s+|\Z)")
_OFF = frozenset({"false", "no", "off"})
_KNOWLEDGE_KEYS = frozenset({*Knowledge._fields, "active"}) - {"switched_off"}
_NOTHING = frozenset({"", "~", "null", "none"})
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")

_Word = TypeVar("_Word", bound=StrEnum)
_Value = TypeVar("_Value")


class UnreadableTextError(Exception):
    """The bytes are no text at all, so there is nothing to show."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Document(NamedTuple):
    """What a file says of its entry. Times are in UTC; version None means that the file declares none."""

    name: str
    description: str
    type: EntryType
    kind: Kind
    version: int | None
    created_at: datetime
    updated_at: datetime
    body: str
    knowledge: Knowledge = NOTHING_SAID


class Decoded(NamedTuple):
    """A document as it was read, with what had to be assumed and, in `broken`, line and reason of a bad block.

    `raw` and `layout` are what encode keeps of the file.
    """

    document: Document
    warnings: tuple[str, ...]
    broken: tuple[int, str] | None
    raw: bytes
    layout: Layout


def decode(raw: bytes, id: MemoryId, modified: datetime) -> Decoded:
    """The entry in these bytes, whatever state its frontmatter is in. UnreadableTextError if they are no text.

    What is missing is filled: the name from the ID, the description from the body, dates from `modified`.
    """
    text = _text_of(raw)
    try:
        return _decoded(raw, text, id, modified)
    except MalformedFrontmatterError as fault:
        return _broken(raw, text, id, modified, fault)


def _text_of(raw: bytes) -> str:
    if not raw:
        raise UnreadableTextError("empty")
    if raw.startswith(_UTF16_MARKS):
        raise UnreadableTextError("not UTF-8 at byte 0, it begins like UTF-16")
    try:
        text = raw.decode()
    except UnicodeDecodeError as fault:
        raise UnreadableTextError(f"not UTF-8 at byte {fault.start}") from fault
    if "\0" in text:
        raise UnreadableTextError(f"not text, NUL at byte {raw.index(0)}")
    if text == "\ufeff":
        raise UnreadableTextError("empty")
    return text


def _decoded(raw: bytes, text: str, id: MemoryId, modified: datetime) -> Decoded:
    layout = take_apart(text)
    warnings: list[str] = []
    fields = _FieldReader(layout.block, warnings)
    kind = fields.word("kind", Kind, Kind.REFERENCE)
    document = Document(
        name=fields.text("name") or id.parts[-1],
        description=fields.text("description") or first_line(layout.body),
        type=fields.word("type", EntryType, EntryType.PROJECT),
        kind=kind,
        version=fields.read("version", read_whole_number),
        created_at=fields.read("created", read_instant) or modified,
        updated_at=fields.read("updated", read_instant) or modified,
        body=layout.body,
        knowledge=_knowledge(fields, kind),
    )
    return Decoded(document, tuple(warnings), None, raw, layout)


def _broken(raw: bytes, text: str, id: MemoryId, modified: datetime, fault: MalformedFrontmatterError) -> Decoded:
    document = Document(
        name=id.parts[-1],
        description=first_line(text),
        type=EntryType.PROJECT,
        kind=Kind.REFERENCE,
        version=None,
        created_at=modified,
        updated_at=modified,
        body=text,
    )
    warning = f"broken frontmatter in line {fault.line}: {fault.reason}"
    return Decoded(document, (warning,), (fault.line, fault.reason), raw, Layout("", None, "", text))


def _knowledge(fields: _FieldReader, kind: Kind) -> Knowledge:
    """What the block says of the entry as knowledge. Other tools use such keys too, so only a fact's are strict."""
    if fields.is_plain():
        return NOTHING_SAID
    is_fact = kind is Kind.FACT
    return Knowledge(
        domain=fields.said("domain"),
        topic=fields.said("topic"),
        memory_type=fields.one_of("memory_type", MemoryType, strict=is_fact),
        veracity=fields.one_of("veracity", Veracity, strict=is_fact),
        confidence=fields.fraction("confidence", strict=is_fact),
        author=fields.said("author"),
        agent=fields.said("agent"),
        sources=_several(fields.said("sources")),
        supersedes=_several(fields.said("supersedes")),
        superseded_by=fields.said("superseded_by", strict=True),
        valid_until=fields.read("valid_until", read_instant),
        status=Status.HELD if fields.said("status").lower() == Status.HELD else Status.ACTIVE,
        switched_off=fields.said("active").lower() in _OFF,
        required_role=fields.said("required_role"),
    )


def _several(text: str) -> tuple[str, ...]:
    """The names in a field of several, between commas."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def first_line(body: str) -> str:
    """The first line that says something, without Markdown heading marks, cut to 200 characters."""
    says = _SAYS.search(body)
    if says is None:
        return ""
    before = body[: says.start()]
    start = max(before.rfind("\n"), before.rfind("\r")) + 1
    return _without_heading_marks(body[start : says.end()].strip()[: MAX_DESCRIPTION * 2])[:MAX_DESCRIPTION].rstrip()


def _without_heading_marks(line: str) -> str:
    mark = _HEADING_MARK.match(line)
    if mark is None:
        return line
    said = line[mark.end() :]
    before = said.rstrip("#")
    return said if before and not before[-1].isspace() else before.rstrip()


class _FieldReader:
    """Types the strings of a block by the schema; what can't be typed is broken frontmatter."""

    __slots__ = ("_block", "_warnings")

    def __init__(self, block: Block | None, warnings: list[str]) -> None:
        self._block = block
        self._warnings = warnings

    def text(self, key: str) -> str:
        """The value, or nothing where the key or its value is missing."""
        field = self._field(key)
        if field is None:
            return ""
        if field.value is None:
            raise MalformedFrontmatterError(field.line, f"`{key}` holds a list or a map")
        return field.value.rstrip("\n") if field.is_block else field.value

    def read(self, key: str, reader: Callable[[str], _Value]) -> _Value | None:
        text = self.text(key)
        try:
            return reader(text) if text else None
        except ValueError as fault:
            field = self._field(key)
            line = field.line if field else 1
            raise MalformedFrontmatterError(line, f"{key} can't be `{shown(text)}`: {fault}") from fault

    def is_plain(self) -> bool:
        """Whether no key of the block says anything of knowledge."""
        return self._block is None or _KNOWLEDGE_KEYS.isdisjoint(field.key for field in self._block.fields)

    def said(self, key: str, *, strict: bool = False) -> str:
        """The value, nothing where YAML's writers put a null, or where it isn't a text and needn't be."""
        field = self._field(key)
        if field is not None and field.value is None and not strict:
            return ""
        text = self.text(key).strip()
        return "" if text.lower() in _NOTHING else text

    def one_of(self, key: str, words: type[_Word], *, strict: bool) -> _Word | None:
        """The word, or None; of one that there isn't a fact's reader is told."""
        text = self.said(key).lower()
        known = {word.value: word for word in words}.get(text)
        if known is None and text and strict:
            self._warnings.append(f"unknown {key} `{shown(text)}`, passed over")
        return known

    def fraction(self, key: str, *, strict: bool) -> float | None:
        """The number from 0 to 1, or None; what isn't one is broken in a fact, and something else elsewhere."""
        if strict:
            return self.read(key, read_fraction)
        try:
            return read_fraction(self.said(key))
        except ValueError:
            return None

    def word(self, key: str, words: type[_Word], missing: _Word) -> _Word:
        text = self.text(key)
        known = {word.value: word for word in words}.get(text.strip().lower())
        if known is None and text:
            self._warnings.append(f"unknown {key} `{shown(text)}`, read as {missing}")
        return known or missing

    def _field(self, key: str) -> Field | None:
        return self._block.get(key) if self._block else None


def encode(document: Document, over: Decoded | None = None) -> bytes:
    """The bytes of the document: a new file, or the file `over` with only what differs changed.

    Over the document that was read from it, a file keeps every byte. MalformedFrontmatterError if `over` is broken
    and differs; InvalidEntryError if a field can't be written.
    """
    if over is None:
        _check_body(document.body)
        _check_version(document.version)
        block = new_block()
        return _assembled(_head(block, _keys(document)), "\n", rest_of(document.body, "\n"), block)
    if document == over.document:
        return over.raw
    if over.broken:
        raise MalformedFrontmatterError(*over.broken)
    _check_body(document.body)
    _check_version(document.version)
    if document.kind is Kind.FACT:
        _check_confidence(over)
    return _changed(redescribed(document, over), over)


def _changed(document: Document, over: Decoded) -> bytes:
    layout = over.layout
    block = layout.block or block_to_add(layout)
    separator = layout.separator if layout.block else block.newline
    head = _head(block, _changes(document, over))
    if document.body == over.document.body:
        return _assembled(head, separator, layout.rest, block)
    return _assembled(head, separator, rest_of(document.body, final_newline(layout, block.newline)), block)


def _keys(document: Document) -> dict[str, Scalar]:
    """What we write, in the order of a new file."""
    said = document.knowledge
    keys: dict[str, Scalar | None] = {
        "name": document.name,
        "description": document.description,
        "type": document.type.value,
        "kind": document.kind.value,
        "version": document.version,
        "created": document.created_at,
        "updated": document.updated_at,
    }
    if said is not NOTHING_SAID:
        keys |= {
            "domain": said.domain or None,
            "topic": said.topic or None,
            "memory_type": said.memory_type,
            "veracity": said.veracity,
            "confidence": said.confidence,
            "author": said.author or None,
            "agent": said.agent or None,
            "sources": ", ".join(said.sources) or None,
            "supersedes": ", ".join(said.supersedes) or None,
            "superseded_by": said.superseded_by or None,
            "valid_until": said.valid_until,
            "status": None if said.status is Status.ACTIVE else said.status.value,
            "active": "false" if said.switched_off else None,
            "required_role": said.required_role or None,
        }
    return {key: value for key, value in keys.items() if value is not None}


def _changes(document: Document, over: Decoded) -> dict[str, Scalar | None]:
    """The keys that differ, those that the file lacks, since what was assumed is from now on said, and as None those
    that no longer hold.
    """
    before, now = _keys(over.document), _keys(document)
    fields = _FieldReader(over.layout.block, [])
    gone: dict[str, Scalar | None] = dict.fromkeys(before.keys() - now.keys())
    return gone | {key: value for key, value in now.items() if value != before.get(key) or not fields.text(key)}


def redescribed(document: Document, over: Decoded) -> Document:
    """A description that only repeats how the old body began follows the new one."""
    before = over.document
    if document.description == before.description == first_line(before.body):
        return document._replace(description=first_line(document.body))
    return document


def _head(block: Block, changes: Mapping[str, Scalar | None]) -> str:
    head = rewrite(block, changes)
    if not block.fields and len(head) < MAX_BLOCK_BYTES // 4 and "\\" not in head:
        return head  # all of it is what write_scalar makes, which reads back
    try:
        read_block(head)
    except MalformedFrontmatterError as fault:
        raise InvalidEntryError("frontmatter", fault.reason, "shorten name and description, or remove keys") from fault
    return head


def _assembled(head: str, separator: str, rest: str, block: Block) -> bytes:
    return put_together(head, separator, rest, block.newline).encode()


def _check_confidence(over: Decoded) -> None:
    """Only a fact's confidence is read, so what other kinds carry under that name may not be one."""
    try:
        _FieldReader(over.layout.block, []).read("confidence", read_fraction)
    except MalformedFrontmatterError as fault:
        raise InvalidEntryError(
            "kind", Kind.FACT, f"mend line {fault.line} of the file first: {fault.reason}"
        ) from fault


def _check_version(version: int | None) -> None:
    if version is not None and version > MAX_WHOLE_NUMBER:
        raise InvalidEntryError("version", str(version), "no file can say a number that large; write under another id")


def _check_body(body: str) -> None:
    if "\0" in body:
        raise InvalidEntryError("body", "\0", "a text file can't hold NUL characters")
    try:
        body.encode()
    except UnicodeEncodeError as fault:
        raise InvalidEntryError("body", body[fault.start], "a lone surrogate is half a character") from fault
