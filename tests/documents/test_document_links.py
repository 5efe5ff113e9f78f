"""What a line of Markdown links to."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trinho.documents.links import targets


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("no link (at all) [here]", []),
        ("- [A](a.md) — b", ["a.md"]),
        ('see [A](./team/a.md#top "title") and ![B](../b.png)', ["team/a.md", "../b.png"]),
        ("[A](<team/a b (c).md>)", ["team/a b (c).md"]),
        ("[A](a_(b).md)", ["a_(b).md"]),
        ("[A](a%20b%E1%BA%BF.md)", ["a bế.md"]),
        ("[A](a%FF.md)", ["a%FF.md"]),
        ("[A](te\u0302n.md)", ["tên.md"]),
        ("[A](x/../../a//b/./c.md)", ["../a/b/c.md"]),
        ("[A](/etc/a.md)", ["/etc/a.md"]),
        ("[A](https://x.example/a%20b#c) [B](project:alp:goals)", ["https://x.example/a%20b#c", "project:alp:goals"]),
        ("  [ref]: team/a.md", ["team/a.md"]),
        ("[ref]: <team/a b.md>", ["team/a b.md"]),
        ("[[a]] and [[b/c.md|C]] and [[d#top]]", ["a.md", "b/c.md", "d.md"]),
        ("<a href=\"a.md\">A</a> <a class=x href = 'b.md'>", ["a.md", "b.md"]),
        ("href='a.md' <i> href='b.md' <a title=\"t\" href='c.md' > <a\thref='d.md'", ["c.md", "d.md"]),
        ("[A](#top) [B]() [C](.)", []),
    ],
)
def test_links_of_every_form_are_found(line: str, found: list[str]) -> None:
    assert targets(line) == found


@given(st.text(st.sampled_from("[]()<>|#%41/. ahref=\"':\\")))
def test_any_line_has_targets_or_none(line: str) -> None:
    assert all(targets(line))


@pytest.mark.parametrize(
    "line",
    [
        "](" * 50_000,
        "[[" * 50_000,
        "](a(" * 25_000,
        'href="' * 20_000,
        "[a]: <" * 20_000,
        "](<" * 30_000,
        "](" + "(" * 100_000,
        "](" + " " * 100_000,
        "](" + "a" * 100_000,
        "](" + "../" * 30_000,
        "](" + "%41" * 30_000,
        "[" * 100_000,
        ("[a](" + "\u0301\u0323" * 2000 + ")") * 100,
    ],
)
def test_a_hostile_line_takes_no_time(line: str) -> None:
    before = time.process_time()
    targets(line)
    assert time.process_time() - before < 0.5
