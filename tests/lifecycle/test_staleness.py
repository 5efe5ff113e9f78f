"""Age in words, and the caution that comes with it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trinho.lifecycle.staleness import age_in_words, staleness_note

NOW = datetime(2026, 11, 2, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("age", "words"),
    [
        (timedelta(days=-400), "today"),
        (timedelta(microseconds=-1), "today"),
        (timedelta(0), "today"),
        (timedelta(hours=23, minutes=59), "today"),
        (timedelta(days=1), "yesterday"),
        (timedelta(days=1, hours=23), "yesterday"),
        (timedelta(days=2), "2 days ago"),
        (timedelta(days=400), "400 days ago"),
    ],
)
def test_an_age_is_said_in_words(age: timedelta, words: str) -> None:
    assert age_in_words(NOW - age, NOW) == words


def test_what_is_fresh_needs_no_caution() -> None:
    assert staleness_note(NOW - timedelta(hours=47), NOW) is None


def test_what_is_old_is_to_be_checked_against_the_code() -> None:
    note = staleness_note(NOW - timedelta(days=5), NOW)
    assert note is not None
    assert note.startswith("5 days ago")
    assert "file:line" in note


@given(st.datetimes(timezones=st.just(UTC)), st.datetimes(timezones=st.just(UTC)))
def test_a_note_stands_just_where_the_words_count_days(updated: datetime, now: datetime) -> None:
    counts = "days ago" in age_in_words(updated, now)
    assert (staleness_note(updated, now) is not None) == counts
    assert "-" not in age_in_words(updated, now)
