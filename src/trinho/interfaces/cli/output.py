"""What the command line prints: JSON documents, or text that no terminal can be made to act on."""

from __future__ import annotations

import json
import os
import re
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TextIO

from trinho.domain.unseen import UNSEEN
from trinho.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


# Patterns are compiled where they are needed: plain text, which is most of it, pays a cold start for none.
# All controls but tab and line feed, and a carriage return that ends no line
_UNSAFE = f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f{UNSEEN}]|\r(?!\n)"
_BREAKS = re.compile("[\t\n\r]")
_UNSAFE_IN_JSON = f"[\x7f-\x9f{UNSEEN}]"


def safe(text: str) -> str:
    """The text with every character that could act on a terminal spelled out."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return re.sub(_UNSAFE, _spelled, text)


def _line(text: str) -> str:
    """The same as one line: a name of a file may hold whatever breaks one."""
    return _BREAKS.sub(_spelled, safe(text))


def _spelled(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode("ascii")


def say(text: str) -> None:
    """Print one line for a person."""
    _print(_line(text) + "\n")


def say_text(text: str) -> None:
    """Print a text of any number of lines for a person."""
    _print(safe(text) + "\n")


def tell(text: str) -> None:
    """Print one line beside the output, if anybody listens there."""
    _print_beside(_line(text) + "\n")


def tell_text(text: str) -> None:
    """Print a text of any number of lines beside the output."""
    _print_beside(safe(text) + "\n")


def print_json(document: Any) -> None:
    """Print one JSON document. Unseen characters are escaped, which says the same."""
    text = json.dumps(document, ensure_ascii=False, indent=2)
    if not text.isascii() or "\x7f" in text:
        text = re.sub(_UNSAFE_IN_JSON, _escape, text)
    _print(text + "\n")


def print_line(document: Any) -> None:
    """Print one JSON document on one line."""
    _print(json.dumps(document, ensure_ascii=True) + "\n")


def flush() -> None:
    """Hand over what was printed; OutputError where nobody takes it."""
    with _typed():
        sys.stdout.flush()


def drop(stream: TextIO) -> None:
    """Let whatever is still to be printed there go nowhere; Python's own end would fail on it."""
    with suppress(OSError):  # no descriptor below it
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)


def _print(text: str) -> None:
    with _typed():
        sys.stdout.write(text)


def _print_beside(text: str) -> None:
    try:
        sys.stderr.write(text)
    except OSError:  # then the exit status alone has to say it
        drop(sys.stderr)


@contextmanager
def _typed() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:  # no error, see app
        raise
    except OSError as error:
        raise OutputError(error.strerror or str(error)) from error


def _escape(found: re.Match[str]) -> str:
    return json.dumps(found[0])[1:-1]


def table(rows: Iterable[tuple[str, ...]]) -> None:
    """Print columns, each as wide as its widest cell; the last one is left as it is."""
    lines = [tuple(_line(cell.replace("\n", " ")) for cell in row) for row in rows]
    if not lines:
        return
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]) - 1)]
    for line in lines:
        cells = [cell.ljust(width) for cell, width in zip(line, widths, strict=False)]
        _print("  ".join((*cells, line[-1])).rstrip() + "\n")
