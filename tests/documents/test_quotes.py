"""Quotes around values that hold a colon, and nothing else of a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trinho.documents.fields import MalformedFrontmatterError
from trinho.documents.frontmatter import read_block
from trinho.documents.quotes import with_quotes

MENDED = {
    "---\ndescription: use tabs: always\n---\nbody: x: y\n": '---\ndescription: "use tabs: always"\n---\nbody: x: y\n',
    '---\r\nname: a\r\nnote: say "no": why\r\n---\r\n': '---\r\nname: a\r\nnote: "say \\"no\\": why"\r\n---\r\n',
    "---\na: b: c\nd: e: f\n# kept: as: is\n---\n": '---\na: "b: c"\nd: "e: f"\n# kept: as: is\n---\n',
}
LEFT = [
    "",
    "no block: at: all\n",
    "---\nname: sound\n---\n",
    '---\nname: "a: b"\n---\n',
    "---\nname: a: b # a comment?\n---\n",
    "---\nname: a: b\nlist: [x\n---\n",
    "---\nname: a: b\nname: c\n---\n",
    "---\nname: a: b\n",
    "---\nouter:\n  inner: a: b\n---\n",
    "---\nname: a: b\n  more of it\n---\n",
]


@pytest.mark.parametrize(("text", "mended"), MENDED.items())
def test_they_are_put_where_they_lack(text: str, mended: str) -> None:
    with pytest.raises(MalformedFrontmatterError, match="put it in double quotes"):
        read_block(text)
    assert with_quotes(text) == mended


@pytest.mark.parametrize("text", LEFT)
def test_nothing_else_is_touched(text: str) -> None:
    assert with_quotes(text) is None


@given(st.text(st.sampled_from("ab:# \"'[]{}&*!|>-%@`\n\t"), max_size=40))
def test_what_it_makes_can_be_read_and_says_what_stood_there(value: str) -> None:
    text = f"---\nname: x\ndescription: {value}\n---\nbody\n"
    mended = with_quotes(text)
    if mended is None:
        return
    with pytest.raises(MalformedFrontmatterError):
        read_block(text)
    assert read_block(mended)
    assert mended.replace('"', "").replace("\\", "") == text.replace('"', "").replace("\\", "")
