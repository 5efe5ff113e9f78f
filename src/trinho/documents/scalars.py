"""Single frontmatter values ⇄ text: strings any YAML reader agrees on, instants, whole numbers, fractions."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from trinho.domain.entry import format_instant

Scalar = str | int | float | datetime

MAX_WHOLE_NUMBER = 10**15 - 1

_WORDS_OF_YAML = frozenset({"true", "false", "yes", "no", "on", "off", "y", "n", "null", "none", "nan", "inf"})
_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_INSTANT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"(?:[Tt ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})?)?"
)
_FRACTION_DIGITS = re.compile(r"(?<=\.)[0-9]+")
_WHOLE_NUMBER = re.compile(r"[1-9][0-9]{0,14}")
_FRACTION = re.compile(r"[01](?:\.[0-9]{0,30})?|\.[0-9]{1,30}")


def write_scalar(value: Scalar) -> str:
    """The value on one line of YAML: text plain where every reader sees text, else in JSON-style quotes."""
    if isinstance(value, datetime):
        return format_instant(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        text = repr(value)
        return text if "e" not in text else f"{value:.30f}".rstrip("0")
    return value if _is_plain(value) else _quoted(value)


def _is_plain(text: str) -> bool:
    # INVARIANT: what begins with a letter can't be a number, a date or an indicator in YAML 1.1 or 1.2.
    return (
        text[:1].isalpha()
        and text.isprintable()
        and text[-1] not in " :"
        and ": " not in text
        and " #" not in text
        and text.lower() not in _WORDS_OF_YAML
    )


def _quoted(text: str) -> str:
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(character: str) -> str:
    short = _SHORT_ESCAPES.get(character)
    if short is not None:
        return short
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def read_instant(text: str) -> datetime:
    """The instant in UTC; without an offset it is UTC, without a time it is midnight. ValueError if it is none."""
    if not _INSTANT.fullmatch(text):
        raise ValueError("write a date as YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ")
    # Python keeps microseconds; finer digits are cut rather than refused.
    text = _FRACTION_DIGITS.sub(lambda digits: digits[0][:6].ljust(6, "0"), text.upper())
    try:
        at = datetime.fromisoformat(text)
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError) as fault:
        raise ValueError("there is no such date, time or offset") from fault


def read_whole_number(text: str) -> int:
    """A whole number from 1, at most 15 digits. ValueError if it is none."""
    if not _WHOLE_NUMBER.fullmatch(text):
        raise ValueError("write a whole number from 1")
    return int(text)


def read_fraction(text: str) -> float:
    """A number from 0 to 1 in plain decimals. ValueError if it is none, so NaN and infinity never get in."""
    if not _FRACTION.fullmatch(text) or float(text) > 1:
        raise ValueError("write a number from 0 to 1")
    return float(text)
