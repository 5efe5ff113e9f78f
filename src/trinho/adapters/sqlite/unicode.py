"""Text that SQLite can hold."""

from __future__ import annotations


def storable(text: str) -> str:
    """The text, with what UTF-8 can't hold spelled out."""
    return text if text.isascii() or is_unicode(text) else text.encode("utf-8", "backslashreplace").decode()


def is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
