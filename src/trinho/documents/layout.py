"""How a text is put together from frontmatter and body, so that taking it apart gives the same two again."""

from __future__ import annotations

import re
from typing import NamedTuple

from trinho.documents.frontmatter import Block, new_block, read_block

_BREAK = re.compile(r"\r\n|\n|\r")


class Layout(NamedTuple):
    """The parts of a text in their order: BOM (where no block holds it), block, separator, rest.

    The separator is the blank line after the block, or nothing; the rest is the body and the newline at its end.
    """

    mark: str
    block: Block | None
    separator: str
    rest: str

    @property
    def body(self) -> str:
        return self.rest[: len(self.rest) - len(_final_newline(self.rest))]


def take_apart(text: str) -> Layout:
    """The parts of a text; MalformedFrontmatterError if it begins with a block that can't be read."""
    block = read_block(text)
    if block is None:
        mark = "\ufeff" if text.startswith("\ufeff") else ""
        return Layout(mark, None, "", text[len(mark) :])
    after = text[len(block.text) :]
    separator = _first_break(after)
    return Layout("", block, separator, after[len(separator) :])


def block_to_add(layout: Layout) -> Block:
    """An empty block for a text that has none, with the line ends that the text has."""
    found = _BREAK.search(layout.rest)
    block = new_block(found[0] if found else "\n")
    return block._replace(text=layout.mark + block.text, closing=len(layout.mark) + block.closing)


def rest_of(body: str, newline: str) -> str:
    """The body with one newline at its end: the one given, or one that doesn't melt into the body's own end."""
    candidates = (body + newline, body + "\n", body + "\r\n")
    return next(rest for rest in candidates if rest[: len(rest) - len(_final_newline(rest))] == body)


def put_together(head: str, separator: str, rest: str, newline: str) -> str:
    """Block, separator and rest as one text; another separator where this one would melt into its neighbours."""
    if separator + rest and not head.endswith(("\n", "\r")):
        head += newline
    # INVARIANT: CR LF is a whole line end behind and before anything, so one candidate always fits.
    return head + next(after for after in _candidates(separator, rest, newline) if _comes_apart(head, after, rest))


def final_newline(layout: Layout, otherwise: str) -> str:
    """The newline at the end of the rest, or another where there is none."""
    return _final_newline(layout.rest) or otherwise


def _candidates(separator: str, rest: str, newline: str) -> tuple[str, ...]:
    return separator + rest, newline + rest, "\r\n" + rest


def _comes_apart(head: str, after: str, rest: str) -> bool:
    if head.endswith("\r") and after.startswith("\n"):
        return False
    return after[len(_first_break(after)) :] == rest


def _first_break(text: str) -> str:
    found = _BREAK.match(text)
    return found[0] if found else ""


def _final_newline(rest: str) -> str:
    if rest.endswith("\r\n"):
        return "\r\n"
    return "\n" if rest.endswith("\n") else ""
