"""What must hold for any bytes: each target raises AssertionError where it doesn't."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import PurePosixPath
from time import process_time

import yaml

from trinho.access.grant import ANY, Grant, covering, parse_grant
from trinho.adapters.files.tree import id_of, location
from trinho.documents.codec import Decoded, Document, UnreadableTextError, decode, encode, redescribed
from trinho.documents.fields import MAX_KEYS, MalformedFrontmatterError
from trinho.documents.frontmatter import MAX_BLOCK_BYTES, plain_fields
from trinho.documents.links import targets
from trinho.documents.memory_index import (
    EMPTY_INDEX,
    MAX_ENTRY_LINES,
    MAX_LINE,
    MAX_LOADED_BYTES,
    MAX_LOADED_LINES,
    Pointer,
    is_entry_line,
    load,
    refresh,
)
from trinho.documents.scalars import MAX_WHOLE_NUMBER
from trinho.documents.visible import is_unseen
from trinho.documents.yaml_events import read_fields
from trinho.domain.entry import EntryType, Kind
from trinho.domain.ids import MAX_SEGMENT_BYTES, MAX_SEGMENTS, MemoryId, parse_memory_id
from trinho.errors import InvalidEntryError, InvalidMemoryGrantError, InvalidMemoryIdError, TrinhoError

Target = Callable[[bytes], None]

CPU_SECONDS = 0.5
_GROWN_BYTES = 128 * 1024
_GROWN_INDEX_BYTES = 8 * 1024

_ID = parse_memory_id("project:lantern:goals")
_MODIFIED = datetime(2026, 11, 2, 10, tzinfo=UTC)
_OTHER = datetime(2031, 5, 6, 7, 8, 9, 10, UTC)
_BREAK = re.compile(r"\r\n|\n|\r")
_PLAIN_ID = re.compile(r"(?:shared|(?:project|private):[a-z]{5,20})(?::[a-z]{5,20}){1,20}")
_UNSAFE_IN_A_PATH = re.compile(r'[\x00-\x1f\x7f/\\:<>"|?*]')
_MAX_MESSAGE = 1500


def grown(raw: bytes, limit: int = _GROWN_BYTES) -> bytes:
    """The bytes, where the first is 0x10 to 0x1f the others 2 to 65,536 times over: what takes time is long."""
    if not raw or not 0x10 <= raw[0] <= 0x1F or len(raw) == 1:
        return raw
    times = 2 << (raw[0] - 0x10)
    return raw[1:] * max(1, min(times, limit // (len(raw) - 1)))


@contextmanager
def bounded(what: str) -> Iterator[None]:
    """Fails where the block takes more than CPU_SECONDS of this process."""
    before = process_time()
    yield
    took = process_time() - before
    assert took <= CPU_SECONDS, f"{what} took {took:.2f} s"


def memory_id(raw: bytes) -> None:
    """A text is an ID that says itself and names one file below its scope, or it is refused in words."""
    text = _text(raw)
    for whole in (text, f"shared:{text}", f"project:lantern:{text}"):
        _check_id(whole)


def _check_id(text: str) -> None:
    with bounded("parse_memory_id"):
        try:
            memory_id = parse_memory_id(text)
        except InvalidMemoryIdError as refused:
            _check_refusal(refused)
            assert not _PLAIN_ID.fullmatch(text), "a plain id is refused"
            return
    assert str(memory_id) == text
    assert memory_id.branch + memory_id.segments == memory_id.parts
    assert memory_id.segments
    assert memory_id.parts[: len(memory_id.folder)] == memory_id.folder != memory_id.parts
    assert memory_id.owner in (None, memory_id.parts[1])
    assert unicodedata.is_normalized("NFC", text)
    assert len(memory_id.parts) <= MAX_SEGMENTS
    for segment in memory_id.parts[1:]:
        assert 0 < len(segment.encode()) <= MAX_SEGMENT_BYTES
        assert not _UNSAFE_IN_A_PATH.search(segment)
        assert not any(map(is_unseen, segment))
        assert segment[0] not in ".-~"
        assert segment[-1] not in ". "
    _check_place(memory_id)


def _check_place(memory_id: MemoryId) -> None:
    folders, name = location(memory_id)
    path = "/".join((*folders, name))
    assert PurePosixPath(path).parts == (*folders, name)
    assert folders[0] in ("shared", "projects", "private")
    assert id_of(folders, name) == memory_id
    assert name != "MEMORY.md" or memory_id.parts[:-1] != memory_id.folder


def grant(raw: bytes) -> None:
    """A grant says itself and covers what its text says, also beside others; the first line is it, the others too."""
    lines = _text(raw).split("\n")[:8]
    grants = [found for line in lines if (found := _grant_of(line)) is not None]
    ids = [id for line in lines if (id := _id_of(line)) is not None]
    ids += [_least_id(found) for found in grants]
    for parsed in grants:
        cover = covering([parsed])
        for id in ids:
            covered = _is_covered(str(parsed).split(":"), id.parts)
            assert parsed.covers(id) is covered, f"{parsed} and {id}"
            assert cover(id) is covered, f"{parsed} and {id}"
        for other in grants:
            assert parsed.covers_grant(other) is parsed.covers(_least_id(other)), f"{parsed} and {other}"
    together = covering(grants)
    for id in ids:
        assert together(id) is any(parsed.covers(id) for parsed in grants)
        assert parse_grant(str(id)).covers(id)


def _grant_of(text: str) -> Grant | None:
    with bounded("parse_grant"):
        try:
            parsed = parse_grant(text)
        except InvalidMemoryGrantError as refused:
            _check_refusal(refused)
            assert not _PLAIN_ID.fullmatch(text), "a plain grant is refused"
            return None
    assert str(parsed) == text
    assert parse_grant(str(parsed)) == parsed
    assert parsed.covers_grant(parsed)
    return parsed


def _id_of(text: str) -> MemoryId | None:
    try:
        return parse_memory_id(text)
    except InvalidMemoryIdError:
        return None


def _least_id(grant: Grant) -> MemoryId:
    """The shortest ID that the grant covers, with a name that nobody gave where any would do."""
    parts = ["anything" if part == ANY else part for part in grant.parts]
    while len(parts) < (2 if parts[0] == "shared" else 3):
        parts.append("anything")
    return MemoryId(tuple(parts))


def _is_covered(wanted: Sequence[str], parts: Sequence[str]) -> bool:
    """Whether the ID begins as the grant says: a star at the end asks for one part more, one before it for any."""
    if wanted[-1] == ANY and list(wanted) != ["project", ANY]:
        wanted = wanted[:-1]
        if len(parts) <= len(wanted):
            return False
    return len(parts) >= len(wanted) and all(want in (ANY, part) for want, part in zip(wanted, parts, strict=False))


def frontmatter(raw: bytes) -> None:
    """Bytes are a document or no text; written over themselves they stay, and a change changes what it says."""
    raw = grown(raw)
    with bounded("decode"):
        decoded = _decoded(raw)
    if decoded is None:
        return
    document, layout = decoded.document, decoded.layout
    assert encode(document, decoded) == raw
    assert document.created_at.utcoffset() == document.updated_at.utcoffset() == UTC.utcoffset(None)
    if decoded.broken:
        _check_broken(decoded)
        return
    block = layout.block
    assert (layout.mark + (block.text if block else "") + layout.separator + layout.rest).encode() == raw
    _check_plain_fields(decoded)
    for changed in _changes(document, raw.decode()):
        _check_change(decoded, redescribed(changed, decoded))
    _check_new(document)


def _decoded(raw: bytes) -> Decoded | None:
    try:
        decoded = decode(raw, _ID, _MODIFIED)
    except UnreadableTextError as refused:
        assert refused.reason
        assert not _is_text(raw)
        return None
    assert _is_text(raw)
    return decoded


def _is_text(raw: bytes) -> bool:
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return False
    return "\0" not in text and text not in ("", "\ufeff")


def _check_broken(decoded: Decoded) -> None:
    assert decoded.broken is not None
    line, reason = decoded.broken
    text = decoded.raw.decode()
    assert 1 <= line <= len(_BREAK.findall(text)) + 1
    assert reason.isprintable()
    assert decoded.document.body == text
    try:
        encode(decoded.document._replace(name="other"), decoded)
    except MalformedFrontmatterError:
        return
    raise AssertionError("broken frontmatter was rewritten")


def _check_plain_fields(decoded: Decoded) -> None:
    """What is read without YAML is what libyaml reads, to the last span."""
    block = decoded.layout.block
    if block is None:
        return
    start = block.text.index("---") + 3
    start += len(block.text[start : block.closing]) - len(block.text[start : block.closing].lstrip(" \t"))
    start += len(block.newline)
    content = block.text[start : block.closing]
    plain = plain_fields(content, start)
    if plain is not None:
        assert ("", plain) == read_fields(content, start)


def _changes(document: Document, text: str) -> Iterator[Document]:
    """The document with one thing changed at a time, to texts that are as odd as the file."""
    start = text.find(":") + 1
    odd = text[start : start + 60] or "x"
    yield document._replace(name=odd.strip() or "no")
    yield document._replace(description=odd[::-1])
    yield document._replace(type=EntryType.USER if document.type is not EntryType.USER else EntryType.FEEDBACK)
    yield document._replace(kind=Kind.FACT if document.kind is not Kind.FACT else Kind.LOG)
    yield document._replace(version=(document.version or 0) + 1)
    yield document._replace(created_at=_OTHER)
    yield document._replace(updated_at=_OTHER)
    yield document._replace(body=odd + document.body[-60:])
    yield document._replace(body=odd, name="Other", updated_at=_OTHER)


def _check_change(decoded: Decoded, changed: Document) -> None:
    if changed == decoded.document:
        return
    with bounded("encode"):
        try:
            written = encode(changed, decoded)
        except InvalidEntryError as refused:
            _check_refusal(refused)
            assert _may_be_refused(decoded, changed), f"refused: {refused.message}, {refused.hint}"
            return
    again = decode(written, _ID, _MODIFIED)
    assert again.broken is None, f"written and then broken: {again.broken}"
    assert again.document == changed, f"{changed} was read again as {again.document}"
    if changed.body == decoded.document.body:
        assert again.layout.rest == decoded.layout.rest
    _check_untouched(decoded, again, changed)


def _may_be_refused(decoded: Decoded, changed: Document) -> bool:
    block = decoded.layout.block
    if block is None:
        return len(changed.name) + len(changed.description) > MAX_BLOCK_BYTES // 10
    return (
        len(block.fields) > MAX_KEYS - 7
        or len(block.text.encode()) > MAX_BLOCK_BYTES // 2
        or len(changed.name) + len(changed.description) > MAX_BLOCK_BYTES // 10
        or (changed.version or 0) > MAX_WHOLE_NUMBER
        or (changed.kind is Kind.FACT and block.get("confidence") is not None)
    )


def _check_untouched(decoded: Decoded, again: Decoded, changed: Document) -> None:
    """Every other character of the block stands where it stood among the others."""
    before, after = decoded.layout.block, again.layout.block
    assert after is not None
    if before is None:
        assert again.document.name == changed.name
        return
    touched = {key for key in _KEYS if _value(changed, key) != _value(decoded.document, key)}
    spans = [
        (field.start, field.end)
        for field in before.fields
        if field.key in touched or (field.key in _KEYS and not (field.value or "").rstrip("\n"))
    ]
    edges = [0, *(edge for span in spans for edge in span), before.closing]
    pieces = [before.text[start:end] for start, end in list(pairwise(edges))[::2]]
    assert after.text.startswith(pieces[0])
    at = 0
    for piece in pieces:
        found = after.text.find(piece, at)
        assert found >= 0, f"{piece!r} is gone"
        at = found + len(piece)
    others = {field.key: field.value for field in before.fields if field.key not in _KEYS}
    assert others.items() <= {field.key: field.value for field in after.fields}.items()
    assert {field.key for field in after.fields} <= {field.key for field in before.fields} | _KEYS.keys()


_KEYS: Mapping[str, str] = {
    "name": "name",
    "description": "description",
    "type": "type",
    "kind": "kind",
    "version": "version",
    "created": "created_at",
    "updated": "updated_at",
}


def _value(document: Document, key: str) -> object:
    value: object = getattr(document, _KEYS[key])
    return value


def _check_new(document: Document) -> None:
    if len(document.name) + len(document.description) > MAX_BLOCK_BYTES // 10:
        return
    written = encode(document)
    again = decode(written, _ID, _MODIFIED)
    assert again.broken is None
    assert again.document == document
    assert again.layout.block is not None
    head: object = yaml.load(again.layout.block.text.removesuffix("---\n"), Loader=yaml.CSafeLoader)
    assert isinstance(head, dict)
    assert (head["name"], head["description"]) == (document.name, document.description), "YAML says something else"


def memory_index(raw: bytes) -> None:
    """Any MEMORY.md is loaded at once; our lines come and go, people's stay. Behind a NUL: what an entry says."""
    text, _, said = _text(raw, _GROWN_INDEX_BYTES).partition("\0")
    _check_load(text)
    name, _, description = said.partition("\n")
    wanted = [
        Pointer("a.md", name or "Alpha", description),
        Pointer("team/b (1).md", "Beta", name),
        Pointer("quy-ước#1.md", "Gamma", ""),
    ]
    with bounded("refresh"):
        refreshed, ours = refresh(text, wanted, {})
    _check_ours(text, wanted, ours)
    assert refresh(refreshed, wanted, ours) == (refreshed, ours), "a second refresh changes something"
    _check_theirs(text, refreshed, ours)
    ended = refreshed if refreshed.endswith(("\n", "\r")) else f"{refreshed}\n"  # a blank line would take a line's room
    doubled, _ = refresh("".join((ended, *(f"{line}\n" for line in ours.values()))), wanted, ours)
    assert all(_BREAK.split(doubled).count(line) == 1 for line in ours.values()), "a line of ours stands twice"
    fewer, kept = refresh(refreshed, [wanted[0]._replace(description="other"), wanted[2]], ours)
    assert "team/b (1).md" not in kept
    _check_theirs(text, fewer, kept)
    bare, none = refresh(fewer, [], kept)
    assert none == {}
    assert bare in _with_last_end(text or EMPTY_INDEX), "people's lines are not what they were"


def _check_load(text: str) -> None:
    with bounded("load"):
        loaded, warning = load(text)
    assert text.startswith(loaded)
    assert (warning is None) is (loaded == text)
    assert len(loaded.encode(errors="replace")) <= MAX_LOADED_BYTES
    lines = _BREAK.split(loaded)
    assert len(lines) - (lines[-1] == "") <= MAX_LOADED_LINES


def _check_ours(text: str, wanted: Sequence[Pointer], ours: Mapping[str, str]) -> None:
    entries = [line for line in _BREAK.split(text) if is_entry_line(line)]
    with bounded("targets"):
        pointed = {target for line in entries for target in targets(line)}
    assert pointed.isdisjoint(ours)
    theirs = _BREAK.split(text or EMPTY_INDEX)
    room = min(MAX_ENTRY_LINES - len(entries), MAX_LOADED_LINES - len(theirs) + (theirs[-1] == ""))
    missing = [pointer.target for pointer in wanted if pointer.target not in pointed]
    assert list(ours) == missing[: max(0, room)]
    for target, line in ours.items():
        assert targets(line) == [target], f"{line!r} points to {targets(line)}"
        assert is_entry_line(line)
        assert len(line) <= MAX_LINE
        assert not any(map(is_unseen, line))


def _check_theirs(text: str, refreshed: str, ours: Mapping[str, str]) -> None:
    """Without the lines that we say are ours, the text is what people wrote."""
    lines = re.findall(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+", refreshed)
    written = set(ours.values())
    assert all(sum(_BREAK.sub("", line) == ours_line for line in lines) == 1 for ours_line in written)
    theirs = "".join(line for line in lines if _BREAK.sub("", line) not in written)
    assert theirs in _with_last_end(text or EMPTY_INDEX), "people's lines are not what they were"


def _with_last_end(text: str) -> tuple[str, ...]:
    """The text, and where its last line has no end the text with one: lines behind it need it."""
    return (text,) if not text or text.endswith(("\n", "\r")) else (text, *(text + end for end in ("\n", "\r\n", "\r")))


def _text(raw: bytes, limit: int = _GROWN_BYTES) -> str:
    return grown(raw, limit).decode(errors="surrogateescape")


def _check_refusal(refused: TrinhoError) -> None:
    """An error is one line that any terminal and any program can show."""
    assert refused.message.isprintable()
    assert refused.hint
    assert len(refused.message) <= _MAX_MESSAGE
    json.dumps(refused.as_dict(), ensure_ascii=False).encode()


TARGETS: Mapping[str, Target] = {
    "memory_id": memory_id,
    "grant": grant,
    "frontmatter": frontmatter,
    "memory_index": memory_index,
}
