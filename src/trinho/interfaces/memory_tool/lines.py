"""An entry's body as the lines that the memory tool shows and edits."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from trinho.domain.unseen import UNSEEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST_SHOWN = 16_000  # characters of one view, as the tool's description tells the model
_AROUND = 2  # lines that a snippet shows before and after a change
_UNSEEN = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{UNSEEN}]")


class Lines(NamedTuple):
    """A text as its lines, with what ends each of them; `ended` says whether the last one is ended too."""

    lines: tuple[str, ...]
    newline: str
    ended: bool

    @property
    def text(self) -> str:
        return self.newline.join(self.lines) + (self.newline if self.ended and self.lines else "")


def lines_of(text: str) -> Lines:
    """The lines of a text; they end in CR LF only where all of them do."""
    breaks = text.count("\n")
    newline = "\r\n" if breaks and breaks == text.count("\r\n") else "\n"
    lines = text.split(newline)
    if lines[-1] == "":
        lines.pop()
    return Lines(tuple(lines), newline, text.endswith(newline))


def like(old: Lines, text: str) -> str:
    """The text with the line ends of `old`, unless it has some of its own."""
    return text.replace("\n", old.newline) if "\r" not in text else text


def inserted(old: Lines, after: int, text: str) -> str:
    """The text of `old` with whole lines more, after so many of its own."""
    new = lines_of(like(old, text) or old.newline)
    ended = old.ended if old.lines else new.ended
    return Lines((*old.lines[:after], *new.lines, *old.lines[after:]), old.newline, ended).text


def places_of(part: str, text: str) -> list[int]:
    """Where the part begins in the text, overlapping ones too."""
    places = []
    at = text.find(part)
    while at >= 0:
        places.append(at)
        at = text.find(part, at + 1)
    return places


def line_numbers(places: Sequence[int], text: str) -> list[int]:
    """The lines, from 1, in which the places lie, each once."""
    numbers: dict[int, None] = {}
    number, at = 1, 0
    for place in places:
        number += text.count("\n", at, place)
        at = place
        numbers[number] = None
    return list(numbers)


def numbered(lines: Sequence[str], first: int, last: int) -> str:
    """The lines from `first` to `last`, counted from 1, each behind its number; a long text ends early and says so."""
    shown: list[str] = []
    left = MOST_SHOWN
    for number in range(first, last + 1):
        line = f"{number:>6}\t{spelled_out(lines[number - 1])}"
        if len(line) > left and shown:
            return "\n".join(
                [*shown, f"(lines {first} to {number - 1} of {len(lines)}; view_range shows what follows)"]
            )
        if len(line) > left:
            shown.append(f"{line[:left]}… (the line goes on, to {len(lines[number - 1])} characters)")
            left = 0
        else:
            shown.append(line)
            left -= len(line) + 1
    return "\n".join(shown)


def snippet(body: str, at: int, length: int) -> str:
    """The lines around a part of the body, numbered."""
    lines = lines_of(body).lines
    first = body.count("\n", 0, at) + 1
    last = first + body.count("\n", at, at + length)
    return numbered(lines, max(1, first - _AROUND), min(len(lines), last + _AROUND))


def spelled_out(text: str) -> str:
    """The text with `\\u200b` in the place of a character that nobody sees."""
    return _UNSEEN.sub(lambda found: json.dumps(found[0])[1:-1], text)


def listed(numbers: Iterable[int], most: int = 50) -> str:
    """Numbers as a list in words, cut where it gets long."""
    texts = [str(number) for number in numbers]
    return ", ".join(texts[:most]) + (f" and {len(texts) - most} more" if len(texts) > most else "")
