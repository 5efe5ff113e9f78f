"""The chain's arithmetic, by itself."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trinho.domain.audit import AuditEvent, AuditLine, ChainHead, Result
from trinho.domain.chain import GENESIS, chain_fault, decode_line, encode_line, head_fault, head_of, next_line
from trinho.domain.versions import FileMark

NOW = datetime(2026, 12, 1, 10, 30, 0, 5, UTC)

texts = st.text(max_size=20)
numbers = st.integers(min_value=0, max_value=2**63)
results: st.SearchStrategy[Result] = st.sampled_from(get_args(Result))
events = st.builds(
    AuditEvent,
    actor=texts,
    operation=texts,
    id=st.none() | texts,
    result=results,
    code=st.none() | st.text("ABC_", max_size=9),
    version=st.none() | numbers,
    session=st.none() | texts,
    to=st.none() | texts,
    run=st.none() | numbers,
    undoes=st.none() | numbers,
    placed=st.none() | st.builds(FileMark, numbers, numbers, numbers),
    included=st.lists(st.tuples(texts, numbers), max_size=3).map(tuple),
)
instants = st.datetimes(min_value=datetime(2000, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


def chain_of(*recorded: AuditEvent) -> list[AuditLine]:
    lines: list[AuditLine] = []
    for event in recorded:
        lines.append(next_line(event, NOW, lines[-1] if lines else None))
    return lines


def event(id: str = "shared:a") -> AuditEvent:
    return AuditEvent("main", "read", id, "allowed")


@given(events, instants)
def test_decoding_gives_back_what_was_encoded(recorded: AuditEvent, now: datetime) -> None:
    line = next_line(recorded, now, None)
    assert decode_line(encode_line(line)) == line
    assert line.event == recorded


@given(events, st.data())
def test_no_byte_of_a_line_changes_unnoticed(recorded: AuditEvent, data: st.DataObject) -> None:
    line = next_line(recorded, NOW, None)
    raw = bytearray(encode_line(line))
    place = data.draw(st.integers(0, len(raw) - 1))
    raw[place] ^= data.draw(st.integers(1, 255))
    try:
        changed = decode_line(bytes(raw))
    except ValueError:
        return
    assert chain_fault(changed, None) is not None


@given(st.lists(st.tuples(events, instants), max_size=6))
def test_a_chain_holds_and_its_time_only_grows(recorded: list[tuple[AuditEvent, datetime]]) -> None:
    before: AuditLine | None = None
    for number, (each, now) in enumerate(recorded, 1):
        line = next_line(each, now, before)
        assert chain_fault(line, before) is None
        assert line.seq == number
        assert before is None or line.at >= before.at + timedelta(microseconds=1)
        before = line


def test_the_exact_bytes_of_a_line() -> None:
    line = next_line(event("shared:thụt-lề"), NOW, None)
    assert encode_line(line).decode() == (
        '{"seq":1,"at":"2026-12-01T10:30:00.000005Z","actor":"main","operation":"read","id":"shared:thụt-lề",'
        f'"result":"allowed","code":null,"version":null,"session":null,"prev":"{GENESIS}",'
        '"hash":"9c9f06e16dc60afc6d631b4a286dbfbceeb69815ef34e67352b042996bc5ee52"}\n'
    )


def test_rarer_fields_are_written_only_where_they_are_set() -> None:
    plain, full = event(), event()._replace(to="shared:b", run=3, undoes=1, included=(("shared:c", 2),))
    rare = {"to", "run", "undoes", "included"}
    assert rare.isdisjoint(json.loads(encode_line(next_line(plain, NOW, None))))
    assert rare < set(json.loads(encode_line(next_line(full, NOW, None))))


def test_a_name_that_utf_8_cannot_hold_is_spelled_out() -> None:
    line = next_line(event("shared:\udc80é"), NOW, None)
    assert line.event.id == "shared:\\udc80é"
    assert decode_line(encode_line(line)) == line


WHOLE = encode_line(next_line(event(), NOW, None))


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\n", id="an empty line"),
        pytest.param(b"[]\n", id="an array"),
        pytest.param(b"null\n", id="null"),
        pytest.param(b"{}\n", id="no members"),
        pytest.param(b"\xff\xfe\n", id="no text"),
        pytest.param(b"[" * 100_000, id="deep nesting"),
        pytest.param(b'{"seq":' + b"9" * 5000 + b"}\n", id="a number of 5000 digits"),
        pytest.param(WHOLE.replace(b'"allowed"', b'["allowed"]'), id="a result that is a list"),
        pytest.param(WHOLE.replace(b'"allowed"', b'"perhaps"'), id="a result of no kind"),
        pytest.param(WHOLE.replace(b'"seq":1', b'"seq":true'), id="a boolean for a number"),
        pytest.param(WHOLE.replace(b'"seq":1', b'"seq":1,"seq":1'), id="a member twice"),
        pytest.param(WHOLE.replace(b'"seq":1', b'"more":1,"seq":1'), id="an unknown member"),
        pytest.param(WHOLE.replace(b'"seq":1', b'"seq": 1'), id="a space"),
        pytest.param(WHOLE.replace(b"000005Z", b"000005+05:00"), id="another time zone"),
        pytest.param(WHOLE.replace(b"2026-12-01T10:30:00.000005Z", b"0001-01-01T00:00+09:00"), id="the first year"),
        pytest.param(WHOLE.replace(b'"prev"', b'"included":[["shared:a"]],"prev"'), id="an id without version"),
        pytest.param(WHOLE.replace(b'"prev"', b'"included":{},"prev"'), id="included that is no list"),
        pytest.param(WHOLE.replace(b'"prev"', b'"included":[],"prev"'), id="included that is empty"),
        pytest.param(b"\xef\xbb\xbf" + WHOLE, id="a byte order mark"),
        pytest.param(WHOLE[:-20], id="a torn end"),
    ],
)
def test_anything_else_is_a_value_error(raw: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the words are the decoder's own
        decode_line(raw)


def test_a_changed_a_dropped_and_a_reordered_line_are_found() -> None:
    first, second, third = chain_of(event("shared:a"), event("shared:b"), event("shared:c"))
    forged = second._replace(event=event("shared:x"))
    assert chain_fault(forged, first) == "its hash doesn't fit what it says"
    assert chain_fault(third, first) == "number 3 follows 1"
    assert chain_fault(first, second) == "number 1 follows 2"
    assert chain_fault(second, None) == "number 2 follows 0"


def test_a_line_made_anew_with_a_fitting_hash_is_found_by_the_next_one() -> None:
    first, second = chain_of(event("shared:a"), event("shared:b"))
    forged = next_line(event("shared:x"), NOW, None)
    assert chain_fault(forged, None) is None
    assert chain_fault(second, forged) == "it doesn't follow the line before"
    assert chain_fault(second, first) is None


def test_a_line_as_old_as_the_one_before_is_found() -> None:
    first = next_line(event(), NOW, None)
    second = next_line(event(), NOW, head_of(first))
    assert chain_fault(second, first) == "its time isn't after that of the line before"


def test_the_end_is_held_against_the_head() -> None:
    first, second = chain_of(event("shared:a"), event("shared:b"))
    assert head_fault(None, None, None) is None
    assert head_fault(head_of(second), second, second) is None
    assert head_fault(head_of(first), second, first) is None
    assert head_fault(head_of(second), first, None) == "the chain ends at 1, line 2 was written"
    assert head_fault(ChainHead(2, "f" * 64), second, second) == "line 2 is not the one that was written"
