"""What hides text is found, and ordinary writing of any script isn't taken for it."""

from __future__ import annotations

import pytest

from trinho.documents.hidden import hidden_in

INNOCENT = [
    "",
    "plain, with\ttabs\r\nand lines\x0c",
    "Tiếng Việt, cũng dạng tách: tie\u0302\u0301ng",
    "\ufeffa mark at the beginning",
    "👩\u200d👩\u200d👧 ❤\ufe0f 1\ufe0f\u20e3",
    "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "می\u200cخواهم",
    "葛\U000e0100城",
    "soft\u00adhyphen, e\u0301\u0302\u0303",
    "עברית and العربية",
    "שלום\u200e, abc\u200f!",
    "⠓⠑⠀⠇⠇⠕",
    "\u1112\u1161\u11ab\u115f",
    "ᠮᠣᠩᠭᠣᠯ\u180b",
]
GUILTY = [
    ("a\nb\x1b[31mred", 2, "U+001B"),
    ("a\x9b31m", 1, "U+009B"),
    ("\x00", 1, "U+0000"),
    ("x\r\ny\rz\u202egnp.exe", 3, "U+202E"),
    ("\u2066x\u2069", 1, "U+2066"),
    ("hello\U000e0069\U000e0067\U000e006e\U000e006f\U000e0072\U000e0065", 1, "U+E0069"),
    ("👍\ufe00\ufe01\ufe0e", 1, "U+FE00"),
    ("葛\U000e0100\U000e0101", 1, "U+E0100"),
    ("pass\u200bword", 1, "U+200B"),
    ("pass\u2060word", 1, "U+2060"),
    ("a\ufeffb", 1, "U+FEFF"),
    ("a\u200d\u200c\u200db", 1, "U+200D"),
    ("a\u2063\u2061b", 1, "U+2063"),
    ("x\u206ay", 1, "U+206A"),
    ("no\u00ad\u00ad\u00adthing", 1, "U+00AD"),
    ("a\u200eb", 1, "U+200E"),
    ("a\u061cb", 1, "U+061C"),
    ("blank\u2800", 1, "U+2800"),
    ("한\u3164", 1, "U+3164"),
    ("x\ufff9y", 1, "U+FFF9"),
    ("x\U0001d173y", 1, "U+1D173"),
    ("no\u034fthing", 1, "U+034F"),
    ("a\u115fb", 1, "U+115F"),
    ("a\u17b4b", 1, "U+17B4"),
    ("a\u180bb", 1, "U+180B"),
    ("a\U00013430b", 1, "U+13430"),
    ("a\U0001bca0b", 1, "U+1BCA0"),
]


@pytest.mark.parametrize("text", INNOCENT, ids=ascii)
def test_nothing_is_hidden(text: str) -> None:
    assert hidden_in(text) is None


@pytest.mark.parametrize(("text", "line", "code"), GUILTY, ids=ascii)
def test_the_first_thing_hidden_is_told_by_its_line(text: str, line: int, code: str) -> None:
    found = hidden_in(text)
    assert found is not None
    assert (found.line, code in found.what) == (line, True)
    assert found.what.isprintable()
