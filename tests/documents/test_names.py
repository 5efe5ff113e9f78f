"""Names made from any text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trinho.documents.names import segment_from
from trinho.domain.ids import segment_fault

# Letters, marks and signs that the rules for segments are about.
thorny = st.text(
    st.sampled_from("aeсоаαοéệ́\u0340conCOM1¹.:-_~ /\\%2f<>|?*\u200d\u202e\0\ufe0fİſﬁ가규칙\u3164Ǆ$"), max_size=150
)


@given(st.text() | thorny | st.sampled_from(["con", "Aux.txt", "LPT1 .x", "COM¹", "nul" + ".x" * 80]))
def test_any_text_gives_a_valid_segment(text: str) -> None:
    assert segment_fault(segment_from(text)) is None


@given(st.text() | thorny)
def test_a_segment_is_made_once(text: str) -> None:
    segment = segment_from(text)
    assert segment_from(segment) == segment


@pytest.mark.parametrize(
    ("text", "segment"),
    [
        ("No mocks in tests!", "no-mocks-in-tests"),
        ("Thụt lề: bằng dấu cách", "thụt-lề-bằng-dấu-cách"),
        ("e\u0302\u0301", "ế"),
        ("规则 一", "规则-一"),
        ("  ../../etc/passwd ", "etc-passwd"),
        ("v1.2_final", "v1.2_final"),
        ("a\u200bb\u202ec", "abc"),
        ("%2e%2e", "2e-2e"),
        ("Сервер API", "cepвep-api"),
        ("Сервер", "сервер"),
        ("a:-:b -- c", "a-b-c"),
        ("con", "con-memory"),
        ("Con.tar.gz", "con-memory.tar.gz"),
        ("соn", "con-memory"),
        ("", "memory"),
        ("??", "memory"),
        ("…", "memory"),
    ],
)
def test_a_segment_reads_like_its_text(text: str, segment: str) -> None:
    assert segment_from(text) == segment


def test_long_text_is_cut_at_a_word() -> None:
    segment = segment_from("một hai ba bốn năm sáu bảy tám chín mười " * 9)
    assert segment == "một-hai-ba-bốn-năm-sáu-bảy-tám-chín-mười-một-hai-ba-bốn-năm-sáu-bảy-tám-chín"
    assert len(segment.encode()) <= 100


def test_long_words_are_cut_between_letters() -> None:
    assert segment_from("규" * 300) == "규" * 33
    assert segment_from("с" * 300) == "с" * 50


def test_stacked_marks_take_no_time() -> None:
    before = time.process_time()
    segment_from("a" + "\u0301\u0323" * 500_000)
    assert time.process_time() - before < 0.05
