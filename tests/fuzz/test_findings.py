"""The laws of fuzz/targets.py over the inputs that were kept and over random ones, without a fuzzer."""

from __future__ import annotations

import pytest
from fuzz.inputs import FINDINGS, SEEDS, WORDS
from fuzz.targets import TARGETS, grown
from hypothesis import given, settings
from hypothesis import strategies as st

KEPT = [(name, raw) for kept in (SEEDS, FINDINGS) for name, inputs in kept.items() for raw in inputs]
GROWING = [bytes([control]) for control in range(0x10, 0x20)]

written = st.lists(st.sampled_from(WORDS), max_size=30).map(b"".join)
blocks = st.tuples(written, written).map(lambda parts: b"---\n" + parts[0] + b"\n---\n" + parts[1])
growing = st.tuples(st.sampled_from(GROWING), st.binary(min_size=1, max_size=8) | written).map(b"".join)


@pytest.mark.parametrize(("target", "raw"), KEPT, ids=[f"{name}-{number}" for number, (name, _) in enumerate(KEPT)])
def test_the_law_holds_for_what_was_kept(target: str, raw: bytes) -> None:
    TARGETS[target](raw)


@pytest.mark.parametrize("target", TARGETS)
@given(raw=st.binary(max_size=200) | written | blocks | growing)
@settings(deadline=None)
def test_the_law_holds_for_random_bytes(target: str, raw: bytes) -> None:
    TARGETS[target](raw)


@pytest.mark.parametrize("target", TARGETS)
@given(text=st.text(max_size=100))
@settings(deadline=None)
def test_the_law_holds_for_random_text(target: str, text: str) -> None:
    TARGETS[target](text.encode())


def test_bytes_grow_up_to_a_limit() -> None:
    assert grown(b"ab") == b"ab"
    assert grown(b"\x10ab") == b"abab"
    assert grown(b"\x1fab") == b"ab" * 65_536
    assert len(grown(b"\x1f" + b"abc" * 20_000)) == 120_000
