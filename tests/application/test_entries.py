"""From a file to a document, whatever the file system says of it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from trinho.application.entries import read_document
from trinho.domain.ids import parse_memory_id
from trinho.domain.versions import FileMark
from trinho.ports.store import StoredFile


@pytest.mark.parametrize(
    ("mtime_ns", "at"),
    [
        (1_800_000_000_123_456_789, datetime(2027, 1, 15, 8, 0, 0, 123456, UTC)),
        (2**80, datetime.max.replace(tzinfo=UTC)),
        (-(2**80), datetime.min.replace(tzinfo=UTC)),
    ],
)
def test_a_time_beyond_the_calendar_is_its_nearest_instant(mtime_ns: int, at: datetime) -> None:
    file = StoredFile(parse_memory_id("shared:a"), b"text\n", "", FileMark(1, 5, mtime_ns))
    document = read_document(file).document
    assert (document.created_at, document.updated_at) == (at, at)
