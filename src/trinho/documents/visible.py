"""Text without the characters that nobody sees."""

from __future__ import annotations

import unicodedata

# Fillers and joiners that Unicode counts among letters and marks.
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def is_unseen(character: str) -> bool:
    """Whether it draws nothing: controls, bidi and zero-width marks, tags, variation selectors, fillers."""
    return (
        unicodedata.category(character) in _UNSEEN_CATEGORIES
        or "\ufe00" <= character <= "\ufe0f"
        or "\U000e0100" <= character <= "\U000e01ef"
        or character in _FILLERS
    )


def one_visible_line(text: str) -> str:
    """The text on one line: whitespace of any kind becomes single spaces, what nobody sees is gone."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    spaced = " ".join(text.split())
    return " ".join("".join(c for c in spaced if not is_unseen(c)).split())
