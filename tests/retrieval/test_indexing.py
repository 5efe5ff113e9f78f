"""What of an entry is kept for finding it."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

import pytest

from trinho.adapters.sqlite.index import FORMAT
from trinho.domain.entry import Kind
from trinho.domain.ids import parse_memory_id
from trinho.ports.index import Words
from trinho.retrieval.indexing import place_of, words_of
from trinho.retrieval.lexicon import LEXICON

ID = parse_memory_id("project:alp:goals")
DAY = datetime(2026, 11, 3, tzinfo=UTC)
SAMPLE = "Deployed PAY-402 by hàm tính_toán; lưu vào snake_case, camelCaseName và 日本語 — went home"


def test_the_fields_of_an_entry() -> None:
    words = words_of(ID, "What we aim at", "Fewer errors", "Tabs, by đường.\n")
    assert words.body == " tab by duong "
    assert words.head == " alp goal what we aim at "
    assert words.summary == " fewer error "
    assert words.accented == " tabs by đường alp goals what we aim at fewer errors "
    assert "¤aim" not in words.meanings
    assert " ¤abort " not in words.meanings
    assert " ¤bug " in words.meanings


def test_what_only_repeats_counts_once() -> None:
    words = words_of(ID, "goals", "Fewer errors", "# Fewer errors\n\nand so on")
    assert words.head == " alp goal "
    assert words.summary == ""
    assert words_of(ID, "goals", "Errors", "Fewer errors").summary == " error "


def test_an_entry_that_says_nothing() -> None:
    words = words_of(parse_memory_id("shared:—x"), "—x", "", "…")
    assert words == Words(body="", head=" x ")


@pytest.mark.parametrize(
    ("id", "kind", "sequence", "place"),
    [
        ("project:a:D1-12", Kind.LOG, "project:a:D#-# 2026-11-03", "000000000001-000000000012"),
        ("project:a:logs:note7", Kind.FACT, "project:a:logs:note# 2026-11-03", "000000000007"),
        ("shared:l:2", Kind.LOG, "shared:l:# 2026-11-03", "000000000002"),
    ],
)
def test_numbered_lines_of_a_log_stand_in_a_sequence(id: str, kind: Kind, sequence: str, place: str) -> None:
    assert place_of(parse_memory_id(id), kind, DAY) == (sequence, place)


@pytest.mark.parametrize(
    ("id", "kind"), [("project:a:D1-12", Kind.FACT), ("shared:l:x", Kind.LOG), ("shared:logs", Kind.FACT)]
)
def test_nothing_else_does(id: str, kind: Kind) -> None:
    assert place_of(parse_memory_id(id), kind, DAY) is None


def test_what_is_kept_changes_only_with_the_format() -> None:
    """An index of before would answer otherwise than a new one: give FORMAT the next number, and change this line."""
    kept = repr((FORMAT, words_of(ID, SAMPLE, "", SAMPLE), LEXICON))
    assert hashlib.sha256(kept.encode()).hexdigest()[:12] == "50ac8e5d5d2c"
