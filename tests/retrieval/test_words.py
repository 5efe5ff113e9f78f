"""Folding, cutting into words, and the laws that tie a query to the text it is about."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trinho.retrieval.words import (
    MAX_TERM_CHARACTERS,
    MAX_TERMS,
    fold,
    index_words,
    query_terms,
    split_words,
)

# Text as people write it, in several scripts, and text as nobody does.
written = st.text(
    st.sampled_from("abczABCZ0189_-. \n'đĐưƯơấỆéßİ黒猫がガット한글ไทยที่हिन्दी—…\u0301\u200b\ufe0f"), max_size=40
)
texts = written | st.text(max_size=30)


def finds(text: str, term: str) -> bool:
    return any(word.startswith(term) for word in split_words(index_words(text)))


@given(texts)
def test_whatever_a_text_says_is_found_by_asking_for_it(text: str) -> None:
    assert [term for term in query_terms(text) if not finds(text, term)] == []


@given(texts, texts, texts)
def test_it_is_found_amid_other_text_too(before: str, text: str, after: str) -> None:
    whole = f"{before} {text} {after}"
    assert [term for term in query_terms(text) if not finds(whole, term)] == []


@given(texts)
def test_accents_and_case_are_not_needed(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text)) == fold(text)


@given(texts)
def test_terms_are_words_that_an_index_can_look_up(text: str) -> None:
    terms = query_terms(text)
    assert len(terms) <= MAX_TERMS
    assert len(set(terms)) == len(terms)
    for term in terms:
        assert split_words(term) == [term]
        assert 0 < len(term) <= MAX_TERM_CHARACTERS
        term.encode()


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Plain ASCII_Text", "plain ascii_text"),
        ("Quy ước thụt lề", "quy uoc thut le"),
        ("ĐƯỜNG đi", "duong di"),
        ("Straße İstanbul", "strasse istanbul"),
        ("がか", "がか"),
        ("한글", "한글"),
        ("ที่นี่", "ทีนี"),
        ("", ""),
    ],
)
def test_folding(text: str, folded: str) -> None:
    assert fold(text) == folded
    assert fold(unicodedata.normalize("NFD", text)) == folded


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("How do we deploy to staging?", ["deploy", "staging"]),
        ("môi trường là gì", ["moi", "truong"]),
        ("moi truong", ["moi", "truong"]),
        ("where is it", ["where", "is", "it"]),
        ("là gì", ["la", "gi"]),
        ("Deploy deploy DEPLOY", ["deploy"]),
        ("read_file getUserName kebab-case", ["read_file", "getusername", "kebab", "case"]),
        ("黒猫が python入門", ["黒猫", "猫が", "python", "入門"]),
        ("猫", ["猫"]),
        ('"NEAR(a* OR ^b:c"', ["near", "b", "c"]),
        ("🙂 … — ___", []),
        ("pass\u00adword", ["password"]),
        ("", []),
    ],
)
def test_query_terms(query: str, terms: list[str]) -> None:
    assert query_terms(query) == terms


def test_a_stop_word_without_its_accent_is_often_another_word() -> None:
    assert query_terms("từ") == ["tu"]
    assert query_terms("từ điển") == ["dien"]
    assert query_terms("tu dien") == ["tu", "dien"]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("calls read_file first", "file"),
        ("calls read_file first", "read_file"),
        ("calls getUserName first", "name"),
        ("calls getUserName first", "getUserName"),
        ("an HTTPServer runs", "server"),
        ("the __init__ method", "init"),
        ("uses import-linter", "linter"),
        ("uses import-linter", "import_linter"),
        ("uses import_linter", "import-linter"),
        ("東京都に住む", "京都"),
        ("東京都に住む", "む"),
        ("在Python入門中", "python"),
        ("데이터베이스를", "베이스"),
        ("a—b“quoted”…end", "quoted"),
        ("Thành phố", "thanh"),
    ],
)
def test_parts_of_names_and_of_unspaced_runs_are_found(text: str, query: str) -> None:
    terms = query_terms(query)
    assert terms
    assert all(finds(text, term) for term in terms)


def test_a_part_in_the_middle_of_a_word_is_not_found() -> None:
    assert not finds("calls getusername first", "name")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a" + "\u0301\u0323" * 250_000, id="half a million marks"),
        pytest.param("a" + "".join(chr(0x300 + n % 111) for n in range(500_000)), id="marks of every kind"),
        pytest.param("か" + "\u3099\u309a" * 250_000, id="marks that stay"),
        pytest.param("".join(chr(n) for n in range(0x20, 0x40000) if not 0xD800 <= n < 0xE000), id="every character"),
        pytest.param("aA" * 300_000, id="one long name"),
        pytest.param("-" * 500_000 + "_" * 500_000, id="signs only"),
        pytest.param("word " * 200_000, id="ten thousand words and more"),
    ],
)
def test_hostile_text_takes_bounded_time(text: str) -> None:
    before = time.process_time()
    fold(text)
    index_words(text)
    query_terms(text)
    assert time.process_time() - before < 5
