"""The piece of a text that shows why it was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trinho.retrieval.words import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

SNIPPET_CHARACTERS = 200
_BEFORE = 40


def snippet(body: str, terms: Sequence[str], limit: int = SNIPPET_CHARACTERS) -> str:
    """At most `limit` characters of one line around the first term, with … where it was cut."""
    text = " ".join(body.split())
    if len(text) <= limit:
        return text
    at = _first(text, terms)
    start = max(0, min(at - _BEFORE, len(text) - limit + 1))
    if start:
        start = text.find(" ", start, at) + 1 or start
    head, tail = ("…" if start else ""), "…"
    cut = text[start : start + limit - len(head) - len(tail)]
    if start + len(cut) >= len(text):
        return head + cut
    return head + cut.rsplit(" ", 1)[0] + tail


def _first(text: str, terms: Sequence[str]) -> int:
    """Where the first term begins; folding may change lengths, so words are folded one by one."""
    at = 0
    passed: set[str] = set()  # folding is slow, and most words of a long text have been there before
    for word in text.split(" "):
        if word not in passed:
            if fold(word).lstrip("([{\"'*_`#-").startswith(tuple(terms)):
                return at
            passed.add(word)
        at += len(word) + 1
    return 0
