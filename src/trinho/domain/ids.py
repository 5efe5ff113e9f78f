"""Logical IDs: the only names by which knowledge is reached."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from typing import NamedTuple

from trinho.errors import InvalidMemoryIdError

MAX_SEGMENTS = 32
MAX_SEGMENT_BYTES = 100
INDEX_NAME = "MEMORY"
TEAM = "team"


class Scope(StrEnum):
    """Whose knowledge it is: everybody's, one project's, or one role's alone."""

    SHARED = "shared"
    PROJECT = "project"
    PRIVATE = "private"


class MemoryId(NamedTuple):
    """A valid logical ID. Made by parse_memory_id alone, so holding one is the proof that it is valid."""

    parts: tuple[str, ...]

    def __str__(self) -> str:
        return ":".join(self.parts)

    @property
    def scope(self) -> Scope:
        return Scope(self.parts[0])

    @property
    def owner(self) -> str | None:
        """The project or role that the branch belongs to; None in shared."""
        return None if self.parts[0] == "shared" else self.parts[1]

    @property
    def branch(self) -> tuple[str, ...]:
        """The parts that name the scope folder: ("shared",), ("project", "alp") or ("private", "worker")."""
        return self.parts[:1] if self.parts[0] == "shared" else self.parts[:2]

    @property
    def segments(self) -> tuple[str, ...]:
        """What follows the branch; never empty."""
        return self.parts[len(self.branch) :]

    @property
    def folder(self) -> tuple[str, ...]:
        """The parts of the folder whose MEMORY.md lists this entry: the branch, or a project's team folder."""
        if self.parts[0] == "project" and len(self.parts) > 3 and self.parts[2] == TEAM:
            return self.parts[:3]
        return self.branch


# INVARIANT: a segment that matches this needs no further check but the device names.
_PLAIN = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?", re.ASCII)
_TOO_LONG = f"a segment is longer than {MAX_SEGMENT_BYTES} bytes"
_ESCAPED_SEPARATORS = re.compile(r"%(?:2e|2f|5c)", re.IGNORECASE)
_FORBIDDEN = frozenset('/\\<>"|?*')
_DEVICES = frozenset(
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"]
    + [f"{port}{n}" for port in ("COM", "LPT") for n in "123456789¹²³"]
)
# Small letters that most fonts draw like a Latin one, with that one (Unicode's confusables, cut to the two alphabets)
LATIN_TWINS = dict(zip("аеорсухѕіјкһԁԛԝӏьѵԍαγικνορυχϲϳ", "aeopcyxsijkhdqwlbvgayikvopuxcj", strict=True))
_CAPITAL_TWINS = "АВЕЅІЈКМНОРСТУХЗԌԚԜ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"
_LOOKALIKES = frozenset([*LATIN_TWINS, *_CAPITAL_TWINS])
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800")


def parse_memory_id(text: str) -> MemoryId:
    """The only door from text to a MemoryId: valid, or InvalidMemoryIdError before any file system call."""
    try:
        parts = tuple(text.split(":"))
    except (AttributeError, TypeError) as error:  # an untyped caller's None, number or bytes
        raise InvalidMemoryIdError(repr(text), "it is no text") from error
    if parts[0] not in ("shared", "project", "private"):
        raise InvalidMemoryIdError(text, "it must begin with shared:, project: or private:")
    least = 2 if parts[0] == "shared" else 3
    if len(parts) < least:
        raise InvalidMemoryIdError(text, f"{parts[0]} needs at least {least} parts")
    if len(parts) > MAX_SEGMENTS:
        raise InvalidMemoryIdError(text, f"more than {MAX_SEGMENTS} segments")
    for segment in parts[1:]:
        fault = segment_fault(segment)
        if fault:
            raise InvalidMemoryIdError(text, fault)
    memory_id = MemoryId(parts)
    if parts[-1] == INDEX_NAME and _in_scope_folder(memory_id):
        raise InvalidMemoryIdError(text, f"{INDEX_NAME} is the name of the folder's index")
    return memory_id


def is_index_twin(memory_id: MemoryId) -> bool:
    """Whether its file would be the folder's index where cases aren't told apart."""
    return memory_id.parts[-1].casefold() == INDEX_NAME.casefold() and _in_scope_folder(memory_id)


def _in_scope_folder(memory_id: MemoryId) -> bool:
    return memory_id.parts[:-1] in (memory_id.branch, (*memory_id.branch, TEAM))


def segment_fault(segment: str) -> str | None:
    """Why the text can't be a segment of an ID, or None if it can."""
    if _PLAIN.fullmatch(segment) and len(segment) <= MAX_SEGMENT_BYTES:
        return _device_fault(segment)
    if not segment:
        return "a segment is empty"
    if len(segment) > MAX_SEGMENT_BYTES:
        return _TOO_LONG
    if segment in (".", ".."):
        return "a segment is . or .."
    return _character_fault(segment) or _shape_fault(segment) or _device_fault(segment)


def _character_fault(segment: str) -> str | None:
    for character in segment:
        if character in _FORBIDDEN or character == ":":
            return f"a segment holds {character}"
        # Cc control, Cf format (bidi, zero-width, tags), Cs surrogate, Co private, Cn unassigned, Zl/Zp line ends
        if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
            return f"a segment holds the invisible character U+{ord(character):04X}"
        if character in _INVISIBLE or "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef":
            return f"a segment holds the invisible character U+{ord(character):04X}"
    return None


def _shape_fault(segment: str) -> str | None:
    if not unicodedata.is_normalized("NFC", segment):
        return "a segment is not in NFC"
    if len(segment.encode()) > MAX_SEGMENT_BYTES:
        return _TOO_LONG
    if segment[0] in ".-~":
        return f"a segment begins with {segment[0]}"
    if segment[-1] in ". ":
        return "a segment ends in a dot or a space"
    if _ESCAPED_SEPARATORS.search(segment):
        return "a segment holds an escaped separator"
    if any(c in _LOOKALIKES for c in segment) and any("LATIN" in unicodedata.name(c, "") for c in segment):
        return "a segment mixes Latin with letters that look like Latin ones"
    return None


def _device_fault(segment: str) -> str | None:
    stem = segment.split(".", 1)[0].rstrip(" ").upper()
    return f"{stem} is a device name on Windows" if stem in _DEVICES else None
