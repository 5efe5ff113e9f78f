"""Whatever bytes lie in a file, it is an entry or an error in words, and the others are served as ever."""

from __future__ import annotations

import itertools
import os
import tracemalloc
from time import process_time
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trinho.domain.entry import MAX_ENTRY_BYTES, Entry
from trinho.errors import TrinhoError, UnreadableEntryError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cleanroom import Home

    from trinho.application.library import Memory

PATH = "shared/x.md"
ID = "shared:x"
OTHER = "shared:other"
SECONDS = itertools.count(1_700_000_000)
CPU_SECONDS = 2.0
MEMORY_BYTES = 128 * 1024 * 1024

DOCUMENT = (
    "---\nname: Mục tiêu # ours\ndescription: >-\n  what we\n  want\ntype: feedback\nkind: fact\nconfidence: 0.5\n"
    "version: 7\ncreated: 2026-01-02T03:04:05Z\ntags: [a, {b: c}]\n---\n\n# Goals\n\nBe kind.\n"
).encode()
THORNS = st.sampled_from(
    [
        *(
            b"\0",
            b"\xff",
            b"\xef\xbb\xbf",
            b"\xe2\x80\xa8",
            b"\r",
            b"\n",
            b"\n---\n",
            b"---\n",
            b"'",
            b'"',
            b"#",
            b": ",
        ),
        *(
            b"&a ",
            b"*a",
            b"!!x ",
            b"<<: ",
            b"[",
            b"{",
            b"|",
            b"\t",
            b"\xcc\x81",
            b"\x1b[2J",
            b"9" * 20,
            b"kind: fact\n",
        ),
    ]
)


def repeated(text: str | bytes, size: int = MAX_ENTRY_BYTES) -> bytes:
    """As many whole copies as fit into the size."""
    raw = text.encode() if isinstance(text, str) else text
    return raw * (size // len(raw))


def block(*lines: str) -> bytes:
    return "\n".join(["---", *lines, "---", "body", ""]).encode()


NASTY: dict[str, bytes] = {
    "nothing": b"",
    "a byte order mark": b"\xef\xbb\xbf",
    "NUL": b"a\0b",
    "UTF-16": "# Title".encode("utf-16"),
    "a cut character": b"# Title \xe1\xba",
    "escapes for a terminal": b"# \x1b]0;x\x07\x1b[2J\n\xc2\x9b31m",
    "a pile of marks": ("a" + "\u0301" * 5_000 + "\u0316" * 5_000).encode(),
    "a pile of marks in a name": block("name: a" + "\u0301\u0316" * 3_000),
    "deep lists": block("a: " + "[" * 8_000),
    "deep keys": block("? " * 8_000),
    "deep indents": block(*(" " * n + "a:" for n in range(150))),
    "an alias bomb": block(*(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 500))),
    "20,000 keys": block(*(f"k{n}: x" for n in range(20_000))),
    "a name of NUL": block('name: "\\0"', 'description: "\\uFEFF\\u2028"'),
    "the first instant": block("created: 0001-01-01", "updated: 0001-01-01T00:00:00Z"),
    "the last instant": block("created: 9999-12-31T23:59:59.999999Z", "updated: 9999-12-31T23:59:59.999999Z"),
    "the last version": block("version: 999999999999999"),
    "a comment at a quote": block("name: 'x'#why", "version: '3'#c"),
    "1 MiB": repeated("a few words "),
    "1 MiB and a byte": b"x" * (MAX_ENTRY_BYTES + 1),
    "one line": b"x" * 1_000_000,
    "one line of words": repeated("ế "),
    "a million lines": b"\n" * 1_000_000,
    "half a million rules": repeated("-\n"),
    "headings that say nothing": repeated("# -" + " " * 395 + "-\n"),
    "a mebibyte of marks": repeated("\u0301\u0316"),
    "a mebibyte of dashes": repeated("a-b_C"),
    "a mebibyte of Chinese": repeated("規"),
    "every character of the basic plane": "".join(
        chr(n) for n in range(0x20, 0x10000) if not 0xD800 <= n < 0xE000
    ).encode(),
    "many names": " ".join(f"fooBar{n}" for n in range(80_000)).encode(),
    "links": repeated("[[a|b]](<"),
    "an open block": b"---\n" + repeated("---x\n", 1_000_000),
}


@pytest.fixture
def among_others(home: Home) -> Home:
    home.write("shared/other.md", "# The lantern\n\nIt burns.\n")
    return home


def laid_down(home: Home, raw: bytes) -> Path:
    """The file as it lies there for a while: a fresh one is read at each look, since it may change once more."""
    file = home.write(PATH, raw)
    second = next(SECONDS)
    os.utime(file, (second, second))
    return file


def got(memory: Memory) -> Entry | None:
    try:
        return memory.get(ID)
    except TrinhoError:
        return None


def entry_of(home: Home, raw: bytes) -> Entry | None:
    """Put the bytes there and ask for everything; the entry that they are, if they are one."""
    file = laid_down(home, raw)
    with home.memory() as memory:
        entry = got(memory)
        listed = {str(row.id) for row in memory.entries()}
        named = {finding.where for finding in memory.doctor().findings if finding.is_fault}
        assert (PATH in named) is (ID not in listed)
        assert ID not in listed or entry is not None
        assert OTHER in listed
        assert OTHER in {str(result.entry.id) for result in memory.search("lantern").results}
        memory.search(raw[-40:].decode(errors="replace"))
        memory.build_memory_context("lantern body words")
    assert file.read_bytes() == raw
    return entry


def cpu_seconds(work: Callable[[], object]) -> float:
    before = process_time()
    work()
    return process_time() - before


@pytest.mark.parametrize("name", NASTY)
def test_nasty_bytes_are_served_in_time(among_others: Home, name: str) -> None:
    assert cpu_seconds(lambda: entry_of(among_others, NASTY[name])) < CPU_SECONDS


@pytest.mark.parametrize(
    "name",
    ["1 MiB", "a million lines", "many names", "a mebibyte of Chinese"],
)
def test_nasty_bytes_need_little_memory(among_others: Home, name: str) -> None:
    tracemalloc.start()
    try:
        entry_of(among_others, NASTY[name])
        assert tracemalloc.get_traced_memory()[1] < MEMORY_BYTES
    finally:
        tracemalloc.stop()


def test_the_limit_is_one_mebibyte(among_others: Home) -> None:
    assert entry_of(among_others, b"x" * MAX_ENTRY_BYTES) is not None
    assert entry_of(among_others, b"x" * (MAX_ENTRY_BYTES + 1)) is None
    with among_others.memory() as memory, pytest.raises(UnreadableEntryError, match="the limit is 1048576"):
        memory.get(ID)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A document with a few thorns in it."""
    raw = DOCUMENT
    for thorn in draw(st.lists(THORNS, min_size=1, max_size=4)):
        start = draw(st.integers(0, len(raw)))
        raw = raw[:start] + thorn + raw[start + draw(st.integers(0, 12)) :]
    return raw


anything = st.binary(max_size=300) | st.lists(THORNS, max_size=20).map(b"".join) | mutated()
PATIENT = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(raw=anything)
@PATIENT
def test_any_bytes_are_an_entry_or_an_error_in_words(among_others: Home, raw: bytes) -> None:
    assert cpu_seconds(lambda: entry_of(among_others, raw)) < CPU_SECONDS


def write_over(among_others: Home, raw: bytes) -> None:
    """Make another body and a fact of it: what was written is read, or it was refused and the file is as it was."""
    file = among_others.write(PATH, raw)
    with among_others.memory() as memory:
        try:
            before = memory.get(ID)
            written = memory.update(ID, "new", expected_version=before.version, kind="fact")
        except TrinhoError:
            assert file.read_bytes() == raw
            return
        assert memory.get(ID) == written
        assert (written.body, written.kind) == ("new", "fact")
        assert (written.name, written.created_at) == (before.name, before.created_at)
        assert not any(finding.where == PATH for finding in memory.doctor().findings if finding.is_fault)


@pytest.mark.parametrize("name", NASTY)
def test_nasty_bytes_are_written_over_or_left_alone(among_others: Home, name: str) -> None:
    write_over(among_others, NASTY[name])


@given(raw=anything)
@PATIENT
def test_any_bytes_are_written_over_or_left_alone(among_others: Home, raw: bytes) -> None:
    write_over(among_others, raw)
