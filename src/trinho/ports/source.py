"""Folders outside the root that are brought in or written out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class SourceFile(NamedTuple):
    """A Markdown file to bring in: its path, its folders and stem, and its bytes, or why it can't be read."""

    path: str
    parts: tuple[str, ...]
    raw: bytes | None
    fault: str | None = None


class Folders(Protocol):
    """Reads and writes folders that belong to the person."""

    def markdown(self, path: str) -> Iterator[SourceFile]:
        """Every Markdown file below a folder, in the order of its path; links and hidden folders are passed over."""
        ...

    def write(self, path: str, files: Iterable[tuple[str, bytes]]) -> int:
        """Write files into a new or empty folder; answers with how many."""
        ...
