"""Frontmatter and body in one text, and the same two out of it."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from trinho.documents.layout import block_to_add, put_together, rest_of, take_apart

bodies = st.text(st.sampled_from("\n\r \ufeff-ab"), max_size=12)
heads = st.sampled_from(
    ["---\n---\n", "---\r\na: b\r\n---\r\n", "---\ra: b\r---\r", "---\na: b\n---", "\ufeff---\n---\r"]
)
newlines = st.sampled_from(["\n", "\r\n", "\r"])
separators = st.sampled_from(["", "\n", "\r\n", "\r"])


@pytest.mark.parametrize(
    ("text", "separator", "body"),
    [
        ("---\n---\n\nbody\n", "\n", "body"),
        ("---\n---\nbody\n", "", "body"),
        ("---\n---\n\n\nbody\n\n", "\n", "\nbody\n"),
        ("---\r\n---\r\n\r\nbody\r\n", "\r\n", "body"),
        ("---\r---\r\rbody\r", "\r", "body\r"),
        ("---\n---", "", ""),
        ("---\n---\n\n", "\n", ""),
        ("\nbody", "", "\nbody"),
        ("\ufeffbody\n", "", "body"),
        ("---\n---\n\n\ufeffbody\n", "\n", "\ufeffbody"),
    ],
)
def test_one_blank_line_and_one_newline_at_the_end_are_not_the_body(text: str, separator: str, body: str) -> None:
    layout = take_apart(text)
    assert (layout.separator, layout.body) == (separator, body)


@given(heads, separators, bodies, newlines)
def test_any_body_comes_apart_again(head: str, separator: str, body: str, newline: str) -> None:
    text = put_together(head, separator, rest_of(body, newline), newline)
    layout = take_apart(text)
    assert layout.body == body
    assert layout.block is not None
    assert text.startswith(head)


@given(bodies, newlines)
def test_the_body_ends_in_the_newline_that_was_asked_for_where_it_can(body: str, newline: str) -> None:
    rest = rest_of(body, newline)
    assert rest.startswith(body)
    assert rest[len(body) :] in ("\n", "\r\n")


@given(bodies)
def test_a_block_added_to_a_text_leaves_its_body(text: str) -> None:
    assume(not text.lstrip("\ufeff").startswith("---"))  # that is no text without a block
    before = take_apart(text)
    block = block_to_add(before)
    after = take_apart(put_together(block.text, block.newline, before.rest, block.newline))
    assert after.body == before.body
