"""What a person should know of an imported file that came in as it was."""

from __future__ import annotations

import re
import unicodedata
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from trinho.documents.links import targets
from trinho.documents.memory_index import is_entry_line, load
from trinho.errors import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from trinho.documents.codec import Decoded
    from trinho.domain.ids import MemoryId

# More of one kind in one file says nothing new
MOST_IN_A_FILE = 200
_DAYS = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_RELATIVE = re.compile(
    rf"\b(?:yesterday|today|tomorrow|(?:last|this|next) (?:week|month|quarter|year|{_DAYS})"
    r"|\d{1,3} (?:day|week|month|year)s? ago"
    r"|hôm (?:qua|nay|kia)|ngày mai|(?:tuần|tháng|năm) (?:trước|này|sau|tới))\b",
    re.IGNORECASE,
)
_FOLLOWED = re.compile(r"(?<!\S)@(?=\S*[./]\w)([~\w./-]{1,300})")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_WORDS = ("type", "kind")
_BREAK = re.compile(r"\r\n|\n|\r")


class Note(NamedTuple):
    """A remark about one file: its path, the line if it is about one, and the words."""

    path: str
    line: int | None
    note: str


class Link(NamedTuple):
    """A line of an index that points to something. `target` is relative to the folder that comes in."""

    path: str
    line: int
    target: str


def numbered(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text, counted as editors count them."""
    return enumerate(_BREAK.split(text), 1)


def on_document(path: str, decoded: Decoded) -> Iterator[Note]:
    """What had to be assumed, and what will read wrong one day."""
    block = decoded.layout.block
    for warning in decoded.warnings:
        key = next((key for key in _WORDS if warning.startswith(f"unknown {key} ")), None)
        found = block.get(key) if block and key else None
        yield Note(path, found.line if found else None, warning)
    text = decoded.raw.decode()
    relative = _RELATIVE.search(text)
    if relative:
        line = text.count("\n", 0, relative.start()) + 1
        yield Note(path, line, f"relative dates are left as they are: `{relative[0]}`")


def on_followed(path: str, text: str) -> Iterator[Note]:
    """Files that a client would read along with this one."""
    for found in islice(_FOLLOWED.finditer(text), MOST_IN_A_FILE):
        line = text.count("\n", 0, found.start()) + 1
        yield Note(path, line, f"`@{shown(found[1].rstrip('.'))}` is not followed; only this file comes in")


def on_size(path: str, text: str) -> Iterator[Note]:
    """An index that is longer than what goes into a context."""
    warning = load(text)[1]
    if warning:
        yield Note(path, None, warning)


def links(path: str, folders: tuple[str, ...], text: str) -> Iterator[Link]:
    """What the lines of an index in these folders point to."""
    lines = ((number, line) for number, line in numbered(text) if is_entry_line(line))
    for number, line in islice(lines, MOST_IN_A_FILE * 5):
        for target in targets(line):
            yield Link(path, number, target if _leads_away(target) else _joined(folders, target))


def on_link(link: Link, came_in: Mapping[str, MemoryId | None]) -> Note | None:
    """What is wrong with a line of an index, if anything is. `came_in` has the files by path without the suffix."""
    target = f"`{shown(link.target)}`"
    stem, dot, suffix = link.target.rpartition(".")
    if dot + suffix.lower() == ".md" and stem in came_in:
        return _on_name(link, stem, came_in[stem])
    if _SCHEME.match(link.target):
        return Note(link.path, link.line, f"points to the address {target}, which doesn't come in")
    if link.target.startswith(("/", "~")) or link.target.split("/")[0] == "..":
        return Note(link.path, link.line, f"points to {target}, outside of the folder")
    return Note(link.path, link.line, f"points to {target}, which isn't among the files")


def _on_name(link: Link, stem: str, memory_id: MemoryId | None) -> Note | None:
    """The target is one of the files: nothing is wrong if it has kept its name."""
    if memory_id is None:
        return Note(link.path, link.line, f"points to `{shown(link.target)}`, which was left out")
    steps = tuple(stem.split("/"))
    if memory_id.parts[-len(steps) :] == steps:
        return None
    return Note(link.path, link.line, f"points to `{shown(link.target)}`, which came in as `{memory_id}`")


def link_path(parts: tuple[str, ...]) -> str:
    """How the lines of an index spell a file, without its suffix."""
    return unicodedata.normalize("NFC", "/".join(parts))


def _leads_away(target: str) -> bool:
    return bool(_SCHEME.match(target)) or target.startswith(("/", "~"))


def _joined(folders: tuple[str, ...], target: str) -> str:
    steps = [unicodedata.normalize("NFC", folder) for folder in folders]
    for step in target.split("/"):
        if step == ".." and steps and steps[-1] != "..":
            steps.pop()
        else:
            steps.append(step)
    return "/".join(steps)
