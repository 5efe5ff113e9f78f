"""A snippet shows why a text was found."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from trinho.retrieval.snippet import SNIPPET_CHARACTERS, snippet


def test_a_short_text_stays_whole_on_one_line() -> None:
    assert snippet("# Title\n\n  two   words\n", ["two"]) == "# Title two words"


def test_a_long_text_is_cut_around_the_first_term() -> None:
    cut = snippet("far " * 200 + "(Lantern) " + "off " * 200, ["lantern"])
    assert "(Lantern)" in cut
    assert cut.startswith("…")
    assert cut.endswith("…")


def test_without_a_term_its_beginning_is_shown() -> None:
    assert snippet("begin " + "x " * 400, ["none"]).startswith("begin ")


@given(st.text(), st.sampled_from(["a", "0", "é"]), st.integers(min_value=10, max_value=60))
def test_it_is_never_longer_than_allowed(text: str, term: str, limit: int) -> None:
    assert len(snippet(text * 4, [term], limit)) <= limit
    assert len(snippet("word " * 500, ["word"])) <= SNIPPET_CHARACTERS


def test_a_long_text_is_folded_word_by_word_but_once() -> None:
    before = time.process_time()
    assert snippet("ế " * 300_000, ["none"]).startswith("ế ")
    assert time.process_time() - before < 0.5
