"""What a logical ID may be, and that nothing else becomes one."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from trinho.domain.ids import MAX_SEGMENT_BYTES, MAX_SEGMENTS, parse_memory_id, segment_fault
from trinho.errors import InvalidMemoryIdError

GOOD = [
    "shared:goals",
    "project:alp:goals",
    "private:main:notes:today",
    "shared:quy-ước:thụt-lề",
    "shared:日本語:メモ",
    "shared:обзор:план",
    "shared:σχέδιο",
    "shared:v1.2.3_final",
    "shared:a b",
    "shared:100%",
    "shared:50%25",
    "shared:icon",
    "shared:com0:console:auxiliary",
    "shared:nul-and-void",
    "shared:été (1), [x] & 'y' = z + 50€!",
    "shared:naïve:ЖЖ",
    "shared:" + "x" * MAX_SEGMENT_BYTES,
    "shared:" + "é" * (MAX_SEGMENT_BYTES // 2),
    ":".join(["shared"] + ["s"] * (MAX_SEGMENTS - 1)),
    "project:alp:team:MEMORY:x",
    "shared:deep:MEMORY",
]
# fmt: off
BAD = [
    # shape
    "", "shared", "shared:", ":shared", "project:alp", "private:main", "project:alp:", "shared::x", "Shared:x",
    "other:x", " shared:x", "shared:x:", "shared x",
    ":".join(["shared"] + ["s"] * MAX_SEGMENTS),
    # paths
    "../x", "shared:..", "shared:.", "shared:a:..:b", "/etc/passwd", "shared:/etc/passwd", "shared:a/../../x", "~/x",
    "shared:~", "shared:~root", "C:\\x", "shared:C:\\x", "shared:\\\\srv\\s", "file:///etc/passwd", "shared:a/b",
    "shared:a\\b", "shared:%2e%2e%2fetc", "shared:%2E%2E", "shared:a%5cb", "shared:a%2Fb",
    # devices, in any case, with any extension
    "shared:CON", "shared:con", "shared:Aux.txt", "shared:nul.tar.gz", "shared:COM1", "shared:lpt9.md", "shared:com¹",
    "shared:LPT³.x", "shared:CONIN$", "shared:prn ", "shared:con .txt", "project:nul:x", "private:aux:x",
    # ends, and what file systems refuse
    "shared:a.", "shared:a ", "shared:a:b ", "shared:.hidden", "shared:-rf", "shared:a<b", "shared:a>b", 'shared:a"b',
    "shared:a|b", "shared:a?b", "shared:a*b", "shared:*", "shared:.git",
    # what nobody sees
    "shared:a\nb", "shared:a\tb", "shared:a\x00b", "shared:\x1b[31mred", "shared:a\x7fb", "shared:a\x85b",
    "shared:a\u202eb", "shared:a\u2066b", "shared:a\u200bb", "shared:a\u200db", "shared:\ufeffa", "shared:a\u00adb",
    "shared:a\u2028b", "shared:a\u2029b", "shared:a\ufe0fb", "shared:a\U000e0041b", "shared:a\U000e0100b",
    "shared:a\u034fb", "shared:\u3164", "shared:a\u115fb", "shared:a\ue000b", "shared:a\ufffeb", "shared:a\ud800b",
    "shared:a\udc80b", "shared:a\u0378b",
    # forms, lengths, look-alikes
    "shared:e\u0301", "shared:u\u031b\u0301", "shared:\u212b", "shared:" + "x" * (MAX_SEGMENT_BYTES + 1),
    "shared:" + "é" * (MAX_SEGMENT_BYTES // 2) + "x", "shared:\u0430dmin", "shared:p\u0430ypal", "shared:\u03bfn",
    # the index of a scope folder
    "shared:MEMORY", "project:alp:MEMORY", "private:main:MEMORY", "project:alp:team:MEMORY",
]
# fmt: on


@pytest.mark.parametrize("text", GOOD)
def test_an_id_is_its_parts(text: str) -> None:
    memory_id = parse_memory_id(text)
    assert str(memory_id) == text
    assert memory_id.parts == tuple(text.split(":"))


@pytest.mark.parametrize("text", BAD, ids=ascii)
def test_anything_else_is_refused_in_words(text: str) -> None:
    with pytest.raises(InvalidMemoryIdError) as caught:
        parse_memory_id(text)
    assert caught.value.fields["reason"]
    assert caught.value.message.isprintable()
    assert len(caught.value.message) < 1000


@given(st.text(max_size=300) | st.from_regex(r"(shared|project|private)(:[ -~ạệưđ]{1,12}){1,4}", fullmatch=True))
def test_an_id_names_one_place_below_its_scope(text: str) -> None:
    """Whatever is let through: no separators, no way up, nothing hidden, one spelling, and the same ID again."""
    try:
        memory_id = parse_memory_id(text)
    except InvalidMemoryIdError:
        return
    assert str(memory_id) == text == unicodedata.normalize("NFC", text)
    assert text.isprintable()
    for part in memory_id.parts:
        assert part
        assert not set(part) & set('/\\:*?"<>|\0')
        assert part[0] not in ".-~"
        assert part[-1] not in ". "
        assert len(part.encode()) <= MAX_SEGMENT_BYTES


@given(st.sampled_from([text for text in GOOD if text.count(":") < MAX_SEGMENTS - 1]), st.characters())
def test_a_character_that_nobody_sees_never_gets_in(text: str, character: str) -> None:
    assume(unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
    with pytest.raises(InvalidMemoryIdError):
        parse_memory_id(f"{text}:a{character}b")


@pytest.mark.parametrize("segment", ["é" * 101, "é" * 51, "a" * 101, "a" + "\u0301\u0316" * 500, "\u200b" * 101])
def test_a_segment_is_at_most_100_bytes(segment: str) -> None:
    assert segment_fault(segment) == "a segment is longer than 100 bytes"


def test_a_long_segment_is_not_looked_at_letter_by_letter() -> None:
    before = time.process_time()
    assert segment_fault("é" * 2_000_000)
    assert time.process_time() - before < 0.1
