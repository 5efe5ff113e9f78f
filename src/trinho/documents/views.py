"""The ways in which a text can be read: as it stands, without disguises, with broken lines joined, and decoded.

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
    yield from _readings(plain)
    unmasked = _unmasked(plain.text)
    if unmasked != plain.text:
        yield from _readings(View(unmasked))


def _readings(view: View) -> Iterator[View]:
    yield view
    yield from _decoded(view, _DEPTH)
    joined = _joined(view.text)
    if joined.joined:
        yield joined
        yield from _decoded(joined, _DEPTH)


# Ways to write a character that a reader or a program takes for the character itself
_ESCAPES = (
    r"%[0-9A-Fa-f]{2}|&(?:\#[xX]?[0-9A-Fa-f]{1,6}|[A-Za-z]{2,22});|\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}"
    r"|u\{[0-9A-Fa-f]{1,6}\}|[_=+~-])"
)
_ESCAPE_SIGNS = ("%", "&", "\\")
# And those entities by name that stand in tokens, or in the midst of them unseen
_ENTITIES = {
    "lowbar": "_", "UnderBar": "_", "hyphen": "-", "dash": "-", "equals": "=", "plus": "+", "sol": "/", "period": ".",
    "num": "#", "excl": "!", "commat": "@", "colon": ":", "dollar": "$", "percnt": "%", "ast": "*", "amp": "&",
    "shy": "", "zwj": "", "zwnj": "", "lrm": "", "rlm": "", "ZeroWidthSpace": "", "NoBreak": "", "InvisibleTimes": "",
}  # fmt: skip
_EMPHASIS = (
    r"[*`~<](?<=[A-Za-z0-9_].)(?:(?<=[*`])[*`]{0,3}|(?<=~)~"
    r"|(?<=<)(?:/?(?:b|i|u|s|em|strong|code|wbr|span|mark|su[bp]|kbd|font)(?:[ ][^<>\n]{0,60})?/?|!--[^<>\n]{0,60}--)>"
    r"(?:</?[a-z]{1,6}>){0,3})(?=[A-Za-z0-9_])"
)


def _unmasked(text: str) -> str:
    """The text with escaped, full-width and emphasised characters made plain; lines stay where they are."""
    if not text.isascii():
        forms = _plain_forms(text)
        text = text.translate(forms) if forms else text
    if any(sign in text for sign in _ESCAPE_SIGNS):
        text = re.sub(_ESCAPES, _unescaped, text)
    return re.sub(_EMPHASIS, "", text)


def _plain_forms(text: str) -> dict[int, str]:
    """Letters and signs in another dress: full-width, bold, in circles."""
    plain = {c: unicodedata.normalize("NFKC", c) for c in set(text) if c > "\u00ff"}
    return {ord(c): form for c, form in plain.items() if len(form) == 1 and "!" <= form <= "~"}


def _unescaped(found: re.Match[str]) -> str:
    code = found[0]
    if code[0] == "&" and code[1] != "#":
        return _ENTITIES.get(code[1:-1], code)
    if code[0] == "\\" and code[1] not in "ux":
        return code[1]
    digits = code.strip("%&#;\\{}").lstrip("uxX{")
    hexadecimal = code[0] in "%\\" or code[2:3] in "xX"
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
    """What the base64 and the hexadecimal in a view say, where they say something that can be read."""
    for found in re.finditer(_BASE64, view.text):
        text = _read_base64(found[0]) or _read_hexadecimal(found[0])
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


def _read_hexadecimal(run: str) -> str | None:
    try:
        text = bytes.fromhex(run).decode("ascii")
    except ValueError:
        return None
    return text if re.sub(r"[\r\n\t]", "", text).isprintable() else None
