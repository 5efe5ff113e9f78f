"""The operating system's word on which documents changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from watchfiles._rust_notify import RustNotify, WatchfilesRustInternalError

from trinho.adapters.files.tree import SUFFIX
from trinho.domain.ids import INDEX_NAME

if TYPE_CHECKING:
    from collections.abc import Iterable

_WAIT_MS = 1  # what has been done is told within about a millisecond; the rest is told next time


class FolderWatch:
    """See ports.watch.ChangeWatch. OSError where the system can't watch so many folders."""

    def __init__(self, root: str, folders: Iterable[str]) -> None:
        """Watch each of the folders, relative to the root, and the root itself; none that lies below them."""
        self._root = f"{root}/"
        # INVARIANT: never recursive, since that would follow links out of the root
        paths = [root, *(self._root + folder for folder in folders)]
        try:
            self._notify = RustNotify(paths, False, False, 0, False, False)
        except WatchfilesRustInternalError as error:
            raise OSError(str(error)) from error

    def changed(self) -> frozenset[str] | None:
        """Documents that changed; None where a folder came or went, or the system lost count."""
        try:
            told = self._notify.watch(_WAIT_MS, _WAIT_MS, _WAIT_MS, None)
        except (WatchfilesRustInternalError, OSError):
            return None
        if isinstance(told, str):  # nothing within the wait
            return frozenset()
        documents = set()
        for _, path in told:
            place = path.removeprefix(self._root)
            name = place.rpartition("/")[2]
            if place.startswith(".") or name.startswith("."):
                continue
            if not name.endswith(SUFFIX) or "/" not in place:
                return None
            if name != INDEX_NAME + SUFFIX:
                documents.add(place)
        return frozenset(documents)

    def close(self) -> None:
        self._notify.close()
