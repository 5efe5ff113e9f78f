"""Entries as Markdown files under one root."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING

from trinho.adapters.files import tree
from trinho.adapters.files.lock import WAIT_SECONDS, holding
from trinho.adapters.files.root import Root, state_folder
from trinho.adapters.files.syscalls import failure, read_exactly
from trinho.adapters.files.tree import TRASH, kept_name
from trinho.errors import InvalidMemoryIdError, PathTraversalError
from trinho.ports.store import everything

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from trinho.adapters.files.protocol import Turn
    from trinho.domain.ids import MemoryId
    from trinho.ports.store import Found, StoredFile
    from trinho.ports.survey import Oddity


class MarkdownStore:
    """Keeps each entry as one Markdown file; see ports.store.EntryStore.

    Reading one entry, which every cold start pays for, loads nothing of what only writing and looking around need.
    """

    def __init__(self, root: Root, wait: float = WAIT_SECONDS) -> None:
        self._root = root
        self._wait = wait

    def read(self, id: MemoryId) -> StoredFile:
        self._root.check()
        return tree.read_entry(self._root, id)

    def expect_free(self, id: MemoryId, sees: Callable[[MemoryId], bool] = everything) -> None:
        self._root.check()
        tree.expect_free(self._root, id, sees)

    def scan(self, entered: list[str] | None = None) -> Iterator[Found]:
        from trinho.adapters.files import journal

        self._root.check()
        try:
            yield from tree.scan(self._root, lambda: journal.staged_paths(self._root), entered)
        except OSError as error:
            raise failure(error, self._root.path, reading=True) from error

    def survey(self) -> Iterator[Oddity]:
        from trinho.adapters.files import survey

        self._root.check()
        return survey.survey(self._root)

    @contextmanager
    def writing(self) -> Iterator[Turn]:
        from trinho.adapters.files.protocol import Turn

        self._root.check()
        with holding(self._root, "lock", self._wait):
            turn = Turn(self._root)
            turn.finish()
            try:
                yield turn
            finally:
                turn.discard()

    def kept(self, seq: int) -> bytes | None:
        fs = self._root.fs
        try:
            trash = state_folder(self._root, TRASH, create=False)
            try:
                fd = fs.open(kept_name(seq), os.O_RDONLY | os.O_NONBLOCK, dir_fd=trash)
            finally:
                fs.close(trash)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise failure(error, self._root.state_path(TRASH), reading=True) from error
        try:
            status = fs.status(fd)
            return read_exactly(fs, fd, status.st_size, 0) if stat.S_ISREG(status.st_mode) else None
        except OSError as error:
            raise failure(error, self._root.state_path(TRASH), reading=True) from error
        finally:
            fs.close(fd)

    def index_text(self, folder: tuple[str, ...]) -> str:
        from trinho.adapters.files import index_page

        return index_page.read(self._root, folder).decode(errors="surrogateescape")

    def holds(self, branch: tuple[str, ...]) -> bool:
        try:
            with tree.folder(self._root, tuple(tree.folder_path(branch).split("/"))) as fd:
                return any(not name.startswith(".") for name in self._root.fs.names(fd))
        except (OSError, PathTraversalError):
            return False

    def holding(self, texts: Collection[bytes]) -> list[str]:
        from trinho.adapters.files import everything

        return everything.holding(self._root, texts)

    def folder_path(self, folder: tuple[str, ...]) -> str:
        return tree.folder_path(folder)

    def path_of(self, id: MemoryId) -> str:
        return tree.path_of(id)

    def id_at(self, path: str) -> MemoryId | None:
        folders, _, name = path.rpartition("/")
        try:
            return tree.id_of(tuple(folders.split("/")), name)
        except (InvalidMemoryIdError, KeyError):
            return None
