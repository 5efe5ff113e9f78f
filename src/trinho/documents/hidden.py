"""Finding text that a reader doesn't see: what could carry orders to a model or move a terminal's cursor."""

from __future__ import annotations

import re
from typing import NamedTuple

_BREAK = re.compile(r"\r\n|\n|\r")
# A flag is spelled in tags behind a black flag, a variant of an ideograph by one selector behind it
_FLAG = "(?<!\U0001f3f4)(?<![\U000e0020-\U000e007e])"
_KINDS = {
    "terminal": r"[\x00-\x08\x0b\x0e-\x1f\x7f\x80-\x84\x86-\x9f]",
    "direction": "[\u202a-\u202e\u2066-\u2069]",
    "tags": f"{_FLAG}[\U000e0000-\U000e007f]|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{{2}}",
    "zero": (
        "[\u200b\u2060-\u2064\u206a-\u206f\u180e\u3164\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a]"
        "|(?<!\\A)\ufeff|[\u200c\u200d]{2}|[\u00ad\u034f\u115f\u1160]{2}"
    ),
}
_WORDS = {
    "terminal": "a control character, as terminals take commands by",
    "direction": "a mark that turns the direction of the text around",
    "tags": "characters that nobody sees and that can spell hidden text",
    "zero": "a character without width",
}
# Marks of one script, which nothing else has a use for, with the letters of that script
_FROM_THE_RIGHT = re.compile("[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_BRAILLE = re.compile("[\u2801-\u28ff]")
_STRAY = (
    ("[\u034f\u061c\u200e\u200f]", _FROM_THE_RIGHT),
    ("\u2800", _BRAILLE),
    ("[\u115f\u1160]", re.compile("[\u1100-\u115e\u1161-\u11ff\uac00-\ud7af]")),
    ("[\u17b4\u17b5]", re.compile("[\u1780-\u17b3]")),
    ("[\u180b-\u180d\u180f]", re.compile("[\u1820-\u18aa]")),
    ("[\U00013430-\U0001345f]", re.compile("[\U00013000-\U0001342f]")),
    ("[\U0001bca0-\U0001bca3]", re.compile("[\U0001bc00-\U0001bc9f]")),
)
_HIDDEN = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _KINDS.items()))


class Hidden(NamedTuple):
    """The first thing of a text that isn't shown: its line from 1, and what it is."""

    line: int
    what: str


def hidden_in(text: str) -> Hidden | None:
    """The first character that hides something, or None. Accents, emoji and joined scripts hide nothing."""
    found = _HIDDEN.search(text) or next(
        (stray for marks, script in _STRAY if (stray := re.search(marks, text)) and not script.search(text)), None
    )
    if found is None:
        return None
    what = f"{_WORDS[found.lastgroup or 'zero']} (U+{ord(found[0][0]):04X})"
    return Hidden(1 + len(_BREAK.findall(text, 0, found.start())), what)
