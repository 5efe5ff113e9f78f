"""Which version a file is at, whoever wrote it."""

from __future__ import annotations

from typing import NamedTuple


class FileMark(NamedTuple):
    """What tells cheaply that a file changed: inode, size in bytes, mtime in ns."""

    inode: int
    size: int
    mtime_ns: int


class Observed(NamedTuple):
    """The last state of an ID that was seen: its version and the SHA-256 of the file's bytes (hex).

    After a delete the row stays, with an empty hash, so that a later entry of that name counts on.
    """

    version: int
    sha256: str


def effective_version(last: Observed | None, sha256: str, declared: int | None) -> int:
    """The version of these bytes: what was seen before keeps its number, any other bytes are newer.

    `declared` is what the file's frontmatter says; a file that came from elsewhere may be ahead of us,
    never behind.
    """
    if last is None:
        return max(declared or 1, 1)
    if last.sha256 == sha256:
        return last.version
    return max(declared or 0, last.version + 1)
