"""Quotes for values that lack them."""

from __future__ import annotations

import re

from trinho.documents.fields import MalformedFrontmatterError
from trinho.documents.frontmatter import CLOSING, MAX_BLOCK_BYTES, OPENING, read_block
from trinho.documents.scalars import write_scalar

# A whole line of a plain value with a colon that YAML takes for another key; behind ` #` it could be a comment
_UNQUOTED = re.compile(
    r"^(?P<key>[A-Za-z_][A-Za-z0-9_-]{0,99}): (?P<value>[^\W_](?!.* #)[^\t\r\n]*?: [^\t\r\n]*?[^ \t\r\n])(?=\r?$)",
    re.MULTILINE,
)


def with_quotes(text: str) -> str | None:
    """The text with quotes around the plain values that hold a colon, where it begins with a block that needs no more.

    None where it is sound already, or where quotes alone don't mend it.
    """
    opening = OPENING.match(text)
    closing = None if opening is None else CLOSING.search(text, opening.end())
    if opening is None or closing is None or closing.start() - opening.end() > MAX_BLOCK_BYTES:
        return None
    said: dict[str, str] = {}

    def quoted(line: re.Match[str]) -> str:
        said[line["key"]] = line["value"]
        return f"{line['key']}: {write_scalar(line['value'])}"

    content = _UNQUOTED.sub(quoted, text[opening.end() : closing.start()])
    mended = text[: opening.end()] + content + text[closing.start() :]
    try:
        block = read_block(mended)
    except MalformedFrontmatterError:
        return None
    whole = block is not None and all((field := block.get(key)) and field.value == said[key] for key in said)
    return mended if said and whole else None
