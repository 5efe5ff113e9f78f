"""What can be a segment is decided at once, however long it is."""

from __future__ import annotations

import time

import pytest

from trinho.domain.ids import segment_fault


@pytest.mark.parametrize("segment", ["é" * 101, "é" * 51, "a" * 101, "a" + "\u0301\u0316" * 500, "\u200b" * 101])
def test_a_segment_is_at_most_100_bytes(segment: str) -> None:
    assert segment_fault(segment) == "a segment is longer than 100 bytes"


def test_a_long_segment_is_not_looked_at_letter_by_letter() -> None:
    before = time.process_time()
    assert segment_fault("é" * 2_000_000)
    assert time.process_time() - before < 0.1
