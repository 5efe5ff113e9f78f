"""Folders outside the root that are brought in or written out."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class SourceKind(StrEnum):
    """What kind of folder it is, and so which of its files come in."""

    MARKDOWN = "markdown"
    CLAUDE_CODE = "claude-code"
    AGENTS_MD = "agents-md"
    DOT_MEMORY = "dot-memory"


class SourceFile(NamedTuple):
    """A Markdown file to bring in: its path, its folders and stem, and its bytes, or why it can't be read.

    The path is for the eyes of a person; parts hold names as the file system has them, undecodable bytes as
    surrogates. Bytes are never more than an entry may have.
    """

    path: str
    parts: tuple[str, ...]
    raw: bytes | None
    fault: str | None = None


class Source(NamedTuple):
    """What is to be brought in: the name of the folder that it belongs to, and its files, read one by one."""

    name: str
    files: Iterator[SourceFile]


class Folders(Protocol):
    """Reads and writes folders that belong to the person."""

    def source(self, kind: SourceKind, path: str, root: str) -> Source:
        """The files of that kind at a path, in its order; UsageError if the path can't be one, or overlaps the root.

        Nothing outside the path is read. What can't be read is yielded with its fault, never raised.
        """
        ...

    def write(self, path: str, files: Iterable[tuple[str, bytes]], root: str) -> int:
        """Write files into a new or empty folder outside the root; answers with how many."""
        ...
