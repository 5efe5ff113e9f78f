"""Inflections of English words come to one form; everything else stays as it is."""

from __future__ import annotations

import pytest

from trinho.retrieval.stems import stem


@pytest.mark.parametrize(
    "forms",
    [
        ("deploy", "deploys", "deployed", "deploying"),
        ("policy", "policies"),
        ("go", "goes", "went", "gone"),
        ("overwrite", "overwrote", "overwritten"),
        ("child", "children"),
        ("index", "indices", "indexes"),
        ("retry", "retries", "retried"),
    ],
    ids=lambda forms: forms[0],
)
def test_inflections_have_one_form(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize("word", ["quy", "nghe", "thoi", "duong", "pm_static", "x264", "日本", "ước", "go", ""])
def test_other_words_stay(word: str) -> None:
    assert stem(word) == word


@pytest.mark.parametrize(("one", "other"), [("universe", "unit"), ("news", "new"), ("test", "text"), ("pay", "play")])
def test_different_words_stay_apart(one: str, other: str) -> None:
    assert stem(one) != stem(other)
