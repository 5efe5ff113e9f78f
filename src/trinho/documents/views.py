"""The ways in which a text can be read: as it stands, with broken lines joined, and decoded from base64.

Whoever looks for something that must not be hidden looks at all of them.
"""

from __future__ import annotations

import re
import unicodedata
from base64 import urlsafe_b64decode
from binascii import Error as Base64Error
from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING

from trinho.documents.visible import is_unseen

if TYPE_CHECKING:
    from collections.abc import Iterator

# Patterns are texts, compiled by `re` when a text first has a need of them
_KEPT = frozenset("\n\t")
_TOKENS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+/=.-"
_TOKEN = frozenset(_TOKENS)
_LONGEST_TOKEN = 400
_BASE64 = r"[A-Za-z0-9+/_-]{20,}"
# What every broken token looks like at least
_BROKEN_RUN = r"[A-Za-z0-9_+/=.-]{8}(?:[ \t]*\\[ \t]*)?\n[ \t>]*[A-Za-z0-9_+/=.-]{4}"
_DEPTH = 2  # base64 within base64, as Kubernetes keeps what was encoded already


class View:
    """One way to read a text. `first` is the line where it begins, `joined` where it leaves out line ends.

    A decoded view stands as a whole in the line of what it was decoded from.
    """

    __slots__ = ("_breaks", "decoded", "first", "joined", "text")

    def __init__(self, text: str, first: int = 1, joined: tuple[int, ...] = (), *, decoded: bool = False) -> None:
        self.text = text
        self.first = first
        self.joined = joined
        self.decoded = decoded
        self._breaks: list[int] | None = None

    def line_at(self, offset: int) -> int:
        if self.decoded:
            return self.first
        if self._breaks is None:  # once: a text can have a finding in each of its lines
            self._breaks = [found.start() for found in re.finditer("\n", self.text)]
        return self.first + bisect_left(self._breaks, offset) + bisect_right(self.joined, offset)

    def __repr__(self) -> str:
        return f"View(first={self.first})"  # INVARIANT: no message shows the text


def views(text: str) -> Iterator[View]:
    """The ways to read a text, each without what nobody sees."""
    plain = View(_as_seen(text))
    yield plain
    yield from _decoded(plain, _DEPTH)
    unmasked = _unmasked(plain.text)
    if unmasked != plain.text:
        yield View(unmasked)
    joined = _joined(plain.text)
    if joined.joined:
        yield joined
        yield from _decoded(joined, _DEPTH)


# Ways to write a character that a reader or a program takes for the character itself
_ESCAPES = r"%[0-9A-Fa-f]{2}|&#x?[0-9A-Fa-f]{1,6};|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}"
_FULL_WIDTH = {0xFF01 + offset: 0x21 + offset for offset in range(0x5E)}
_EMPHASIS = r"(?<=[A-Za-z0-9])(?:\*{1,3}|</?(?:b|i|em|strong|code|wbr)>)(?=[A-Za-z0-9])"


def _unmasked(text: str) -> str:
    """The text with escaped, full-width and emphasised characters made plain; lines stay where they are."""
    if not text.isascii():
        text = text.translate(_FULL_WIDTH)
    if any(sign in text for sign in ("%", "&#", "\\u", "\\x")):
        text = re.sub(_ESCAPES, _unescaped, text)
    return re.sub(_EMPHASIS, "", text) if "*" in text or "<" in text else text


def _unescaped(found: re.Match[str]) -> str:
    code = found[0]
    digits = code.strip("%&#;\\").lstrip("ux")
    hexadecimal = code[0] in "%\\" or code[2:3].lower() == "x"
    try:
        character = chr(int(digits, 16 if hexadecimal else 10))
    except (ValueError, OverflowError):
        return code
    if is_unseen(character):
        return ""
    return character if character.isprintable() else code


def _as_seen(text: str) -> str:
    """The text in composed form with plain line ends, without what draws nothing."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    unseen = {ord(character): None for character in set(text) - _KEPT if is_unseen(character)}
    if unseen:
        text = text.translate(unseen)
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _joined(text: str) -> View:
    """The text with its line ends left out where one token seems to go on behind them."""
    if re.search(_BROKEN_RUN, text) is None:
        return View(text)
    pieces, joined, length, rest = [], [], 0, 0
    lines = text.split("\n")
    at = 0
    for line, following in pairwise(lines):
        end = at + len(line)
        left, right = _before_break(line), following.lstrip(" \t>")
        if left and right and left[-1] in _TOKEN and right[0] in _TOKEN and _goes_on(left, right):
            pieces.append(text[rest : at + len(left)])
            length += at + len(left) - rest
            joined.append(length)
            rest = end + 1 + len(following) - len(right)
        at = end + 1
    return View("".join((*pieces, text[rest:])), joined=tuple(joined))


def _before_break(line: str) -> str:
    """The line without the sign that it is continued."""
    bare = line.rstrip(" \t")
    return bare[:-1].rstrip(" \t") if bare.endswith("\\") else line


def _goes_on(left: str, right: str) -> bool:
    tail = left[-_LONGEST_TOKEN:]
    tail = tail[len(tail.rstrip(_TOKENS)) :]
    head = right[:_LONGEST_TOKEN]
    head = head[: len(head) - len(head.lstrip(_TOKENS))]
    return len(tail) >= 8 and len(head) >= 4 and _is_mixed(tail) and _is_mixed(head)


def _is_mixed(run: str) -> bool:
    """Whether it is no word of a language, as far as digits and capitals tell."""
    return re.search(r"[0-9]|[a-z][A-Z]|[A-Z]{4}", run) is not None


def _decoded(view: View, depth: int) -> Iterator[View]:
    """What the base64 in a view says, where it says something that can be read."""
    for found in re.finditer(_BASE64, view.text):
        text = _read_base64(found[0])
        if text is not None:
            inner = View(_as_seen(text), view.line_at(found.start()), decoded=True)
            yield inner
            if depth > 1:
                yield from _decoded(inner, depth - 1)


def _read_base64(run: str) -> str | None:
    run = run.replace("+", "-").replace("/", "_")
    run = run[: len(run) - (len(run) % 4 == 1)]
    try:
        text = urlsafe_b64decode(run + "=" * (-len(run) % 4)).decode()
    except (Base64Error, UnicodeDecodeError):
        return None
    return text if re.sub(r"[\r\n\t]", "", text).isprintable() else None
