"""One value of frontmatter: the same text for every reader, and the same value back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from trinho.documents.scalars import read_fraction, read_instant, read_whole_number, write_scalar

texts = st.text(st.characters(exclude_categories=["Cs"]))
# Letters that meet YAML's own signs far more often than chance would have it.
thorny = st.text(st.sampled_from("ab é:#-'\"[]{}&*!|>%@`,?\\\t\n\r\x85\u2028\ufeff\u200d😀1.0=<~"))


@pytest.mark.parametrize(
    "text",
    ["Thụt lề bằng dấu cách", "don't mock the database", "see http://x.example/a#b", "规则", "name", "a, b [c] {d}"],
)
def test_what_reads_as_text_everywhere_stays_plain(text: str) -> None:
    assert write_scalar(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no",
        "On",
        "y",
        "null",
        "~",
        "1.10",
        "010",
        "190:20:30",
        "0x1F",
        "1_000",
        "12e4567",
        "2024-01-01",
        "- a",
        "a: b",
        "a #b",
        "a:",
        " a",
        "a ",
        "<<",
        "=",
        "@a",
        "%a",
        "`a`",
        "[a",
        "{a",
        "&a",
        "*a",
        "!a",
        "|",
        ">",
        "'a",
        '"a',
        "? a",
        "#a",
    ],
)
def test_what_another_reader_could_take_for_more_than_text_is_quoted(text: str) -> None:
    written = write_scalar(text)
    assert written.startswith('"')
    assert yaml.safe_load(written) == text


def test_no_value_can_begin_a_line_of_its_own() -> None:
    written = write_scalar("x\nscope: org\u2028a: 1\x85b: 2\x00\x1b[31m\u202e\U000e0041")
    assert written == '"x\\nscope: org\\u2028a: 1\\u0085b: 2\\u0000\\u001b[31m\\u202e\\U000e0041"'


@given(texts | thorny)
def test_any_text_comes_back_through_a_foreign_reader(text: str) -> None:
    written = write_scalar(text)
    assert written.isprintable()
    assert yaml.safe_load(f"key: {written} # comment\n") == {"key": text}


def test_numbers_and_instants_are_written_plain() -> None:
    assert write_scalar(3) == "3"
    assert write_scalar(datetime(1, 2, 3, 4, 5, 6, 7, UTC)) == "0001-02-03T04:05:06.000007Z"


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-11-02", datetime(2026, 11, 2, tzinfo=UTC)),
        ("2026-11-02T10:00", datetime(2026, 11, 2, 10, tzinfo=UTC)),
        ("2026-11-02 10:00:05", datetime(2026, 11, 2, 10, 0, 5, tzinfo=UTC)),
        ("2026-11-02t10:00:05.5z", datetime(2026, 11, 2, 10, 0, 5, 500_000, UTC)),
        ("2026-11-02T10:00:05.123456789Z", datetime(2026, 11, 2, 10, 0, 5, 123_456, UTC)),
        ("2026-11-02T10:00:05+07:00", datetime(2026, 11, 2, 3, 0, 5, tzinfo=UTC)),
        ("0001-01-01T00:00:00Z", datetime(1, 1, 1, tzinfo=UTC)),
        ("9999-12-31", datetime(9999, 12, 31, tzinfo=UTC)),
    ],
)
def test_an_instant_is_read_in_utc(text: str, instant: datetime) -> None:
    read = read_instant(text)
    assert (read, read.utcoffset()) == (instant, timedelta(0))


@pytest.mark.parametrize(
    "text",
    [
        "2024-13-45",
        "2024-02-30",
        "2024-01-01T25:00",
        "2024-01-01T00:00+25:00",
        "0001-01-01T00:00+01:00",
        "0000-01-01",
        "9999-12-31T23:59:59-01:00",
        "tomorrow",
        "20240101",
        "2024-1-1",
        "2024-01-01T10:00:61Z",
        "٢٠٢٤-٠١-٠١",
        "2024-01-01\n",
    ],
)
def test_what_is_no_instant_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"write a date|no such date"):
        read_instant(text)


@given(st.datetimes(timezones=st.just(UTC)))
def test_any_instant_comes_back(instant: datetime) -> None:
    assert read_instant(write_scalar(instant)) == instant


@given(
    st.datetimes().filter(lambda local: 1 < local.year < 9999),
    st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes))),
)
def test_any_offset_is_taken_off(local: datetime, zone: timezone) -> None:
    at = local.replace(tzinfo=zone)
    assert read_instant(at.isoformat()) == at


@pytest.mark.parametrize("text", ["0", "-1", "1.0", "1e3", "0x1F", "1_000", "010", "nan", "v2", "9" * 5000, "٣", "1\n"])
def test_what_is_no_whole_number_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match="whole number"):
        read_whole_number(text)


def test_a_whole_number_is_read() -> None:
    assert read_whole_number("42") == 42


@pytest.mark.parametrize(
    "text", ["nan", ".nan", "inf", "-inf", "-0.1", "1e308", "1.01", "2", ".", "", "0,5", "9" * 5000]
)
def test_what_is_no_fraction_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        read_fraction(text)


@pytest.mark.parametrize(("text", "number"), [("0", 0.0), ("1", 1.0), ("1.0", 1.0), ("0.75", 0.75), (".5", 0.5)])
def test_a_fraction_is_read(text: str, number: float) -> None:
    assert read_fraction(text) == number
