"""MEMORY.md, the index of a scope folder: our pointer lines among the lines that people wrote."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from trinho.documents.links import targets
from trinho.documents.visible import one_visible_line
from trinho.errors import plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

MAX_LINE = 149
MAX_ENTRY_LINES = 200
MAX_LOADED_LINES = 200
MAX_LOADED_BYTES = 25_000
EMPTY_INDEX = "# Memory index\n\n"

_MAX_NAME = 60
_LINE = re.compile(r"([^\r\n]*)(\r\n|\n|\r|\Z)")
_POINTS = re.compile(r"[ \t]*(?:[-*+|>\[]|[0-9]+[.)])")
# A bracket, a backslash or a code span could end the link early, `<` could open a comment around it.
_DISARMED = str.maketrans({"[": "(", "]": ")", "\\": "/", "`": "'", "<": "‹"})
_ESCAPED = {"%": "%25", "#": "%23", "`": "%60", "\\": "%5C", "<": "%3C", ">": "%3E"}


class Pointer(NamedTuple):
    """What one line of the index says: the file relative to the index, and the entry's name and description."""

    target: str
    name: str
    description: str


class _Line(NamedTuple):
    """A line and the target it points to if it is one of ours."""

    text: str
    end: str
    ours: str | None = None


def pointer_line(pointer: Pointer) -> str | None:
    """`- [Name](file.md) — description` in at most 149 characters; None where the file's name leaves no room."""
    destination = _destination(pointer.target)
    room = MAX_LINE - len(f"- []({destination})")
    if room < 1:
        return None
    name = _safe(pointer.name) or "…"
    line = f"- [{_cut(name, min(room, _MAX_NAME))}]({destination})"
    description = _cut(_safe(pointer.description), MAX_LINE - len(line) - 3)
    return f"{line} — {description}" if description else line


def refresh(text: str, wanted: Sequence[Pointer], ours: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """The index with exactly the wanted lines of ours, and which these are by target.

    `wanted` comes in order of worth: what has no room among 200 entry lines is left out from its end. `ours` is what
    the last refresh answered. Lines that are not ours are kept byte for byte, and what they point to gets no second.
    """
    lines = _lines(text or (EMPTY_INDEX if wanted else ""), ours)
    foreign = [line.text for line in lines if line.ours is None and is_entry_line(line.text)]
    pointed = {target for line in foreign for target in targets(line)}
    theirs = sum(line.ours is None for line in lines)
    written = _written(wanted, pointed, min(MAX_ENTRY_LINES - len(foreign), MAX_LOADED_LINES - theirs))
    return "".join(_placed(lines, written)), written


def is_entry_line(line: str) -> bool:
    """Whether the line points to something, as a list item, table row, quote or bare link; prose doesn't."""
    return bool(_POINTS.match(line)) and bool(targets(line))


def load(text: str) -> tuple[str, str | None]:
    """What of the index goes into a context, and a warning if that isn't all of it."""
    count = _count_lines(text)
    size = len(text.encode(errors="replace"))
    if count <= MAX_LOADED_LINES and size <= MAX_LOADED_BYTES:
        return text, None
    kept = _within_bytes(found[0] for found in islice(_LINE.finditer(text), MAX_LOADED_LINES))
    return kept, (
        f"MEMORY.md has {plural(count, 'line', 'lines')} and {size} bytes; only its beginning was loaded "
        f"(at most {MAX_LOADED_LINES} lines and {MAX_LOADED_BYTES} bytes). Keep it to one line under 150 characters "
        "an entry, move detail into the entries, and search for what isn't listed"
    )


def _count_lines(text: str) -> int:
    ends = text.count("\n") + text.count("\r") - text.count("\r\n")
    return ends if not text or text.endswith(("\n", "\r")) else ends + 1


def _within_bytes(lines: Iterable[str]) -> str:
    kept: list[str] = []
    room = MAX_LOADED_BYTES
    for line in lines:
        room -= len(line.encode(errors="replace"))
        if room < 0:
            break
        kept.append(line)
    return "".join(kept)


def _lines(text: str, ours: Mapping[str, str]) -> list[_Line]:
    targets_of = {line: target for target, line in ours.items()}
    return [_Line(found[1], found[2], targets_of.get(found[1])) for found in _LINE.finditer(text) if found[0]]


def _written(wanted: Sequence[Pointer], pointed: set[str], room: int) -> dict[str, str]:
    written: dict[str, str] = {}
    for pointer in wanted:
        if len(written) >= room:
            break
        line = None if pointer.target in pointed else pointer_line(pointer)
        if line is not None:
            written.setdefault(pointer.target, line)
    return written


def _placed(lines: Sequence[_Line], written: Mapping[str, str]) -> Iterator[str]:
    newline = next((line.end for line in lines if line.end), "\n")
    last = max((n for n, line in enumerate(lines) if line.ours), default=len(lines) - 1)
    standing = {line.ours for line in lines}
    added = [line for target, line in written.items() if target not in standing]
    placed: set[str] = set()
    for n, line in enumerate(lines):
        end = line.end or (newline if added else "")
        if line.ours is None:
            yield line.text + (end if n == last else line.end)
        elif line.ours in written and line.ours not in placed:
            placed.add(line.ours)
            yield written[line.ours] + end
        if n == last:
            yield from (line + newline for line in added)


def _safe(text: str) -> str:
    # Ten times what could be shown: the rest isn't worth looking at, however long it is.
    return one_visible_line(text[: MAX_LINE * 10]).translate(_DISARMED)


def _cut(text: str, room: int) -> str:
    if len(text) <= room:
        return text
    return text[: room - 1].rstrip() + "…" if room > 0 else ""


def _destination(target: str) -> str:
    escaped = "".join(_ESCAPED.get(c, c) for c in target)
    return f"<{escaped}>" if any(c.isspace() or c in "()" for c in escaped) else escaped
