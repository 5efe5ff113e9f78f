"""The write protocol: the one place where the tree of entries changes.

A turn holds the store's lock. Bytes are staged beside their target and fsynced; an act then publishes them by
link (new) or rename (over what was read), or moves files away, and fsyncs every folder it touched before it
returns. An act of several steps is first written into a journal, which is its commit: after a crash the next
turn finishes it. An act that fails is taken back.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trinho.adapters.files import index_page, journal
from trinho.adapters.files.root import Root, state_folder
from trinho.adapters.files.syscalls import failure, write_all
from trinho.adapters.files.tree import SUFFIX, folder, location, path_of, read_file, temporary_name
from trinho.domain.act import Move, Place, Retire, Step
from trinho.errors import FileChangedError, MemoryEntryAlreadyExistsError, TrinhoError

if TYPE_CHECKING:
    from trinho.domain.ids import MemoryId

TRASH = "trash"
_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.EXDEV, errno.ENOSYS}


@dataclass(slots=True)
class _Names:
    """Temporary names are unique within a process by this counter."""

    counter: int = 0

    def next(self) -> str:
        self.counter += 1
        return temporary_name(self.counter)


_names = _Names()
_Undo = Callable[[], None]


class Turn:
    """One writer's turn on the files; see ports.store.WriteTurn."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self._fs = root.fs
        self._staged: dict[str, MemoryId] = {}

    def stage(self, id: MemoryId, raw: bytes) -> str:
        folders, _ = location(id)
        name = _names.next()
        try:
            with folder(self._root, folders, create=True) as fd:
                file = self._fs.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, dir_fd=fd)
                self._staged[name] = id
                try:
                    write_all(self._fs, file, raw)
                    self._fs.fsync(file)
                finally:
                    self._fs.close(file)
        except OSError as error:
            raise failure(error, path_of(id)) from error
        return name

    def commit(self, steps: Sequence[Step], run: int) -> None:
        for step in steps:
            self._check(step)
        if len(steps) > 1:
            self._write_journal(steps, run)
        done: list[_Undo] = []
        try:
            for step in steps:
                with _typed(step):
                    self._do(step, done)
        except TrinhoError:
            if self._take_back(done) and len(steps) > 1:
                self._drop_journal(run)
            raise
        if len(steps) > 1:
            self._drop_journal(run)

    def discard(self) -> None:
        for name, memory_id in list(self._staged.items()):
            folders, _ = location(memory_id)
            with suppress(OSError, TrinhoError), folder(self._root, folders) as fd:
                self._fs.unlink(name, dir_fd=fd)
            self._staged.pop(name, None)
            self._remove_empty(folders)

    def erase(self, id: MemoryId | None, kept: Sequence[int]) -> None:
        try:
            trash = state_folder(self._root, TRASH)
            try:
                for seq in kept:
                    with suppress(FileNotFoundError):
                        self._fs.unlink(kept_name(seq), dir_fd=trash)
                self._fs.fsync(trash)
            finally:
                self._fs.close(trash)
            if id is not None:
                folders, name = location(id)
                with suppress(FileNotFoundError), folder(self._root, folders) as fd:
                    self._fs.unlink(name, dir_fd=fd)
                    self._fs.fsync(fd)
                self._remove_empty(folders)
        except OSError as error:
            raise failure(error, path_of(id) if id else TRASH) from error

    def write_index(self, folder: tuple[str, ...], text: str, expect: str) -> None:
        index_page.write(self._root, folder, text, expect, _names.next())

    def finish(self) -> list[int]:
        """Finish the acts whose journal is still there; answers with their runs."""
        runs = []
        for run, steps in journal.pending(self._root):
            for step in steps:
                with _typed(step):
                    self._redo(step)
            self._drop_journal(run)
            runs.append(run)
        return runs

    # -- one step ---------------------------------------------------------------------------------------------

    def _check(self, step: Step) -> None:
        """Raise where the files aren't what the step expects, before anything is done."""
        with _typed(step):
            if isinstance(step, Place) and step.expect is None:
                self._expect_free(step.id)
                return
            self._expect(step.id, step.expect)
            if isinstance(step, Move):
                self._expect_free(step.to)

    def _expect(self, id: MemoryId, sha256: str | None) -> None:
        folders, name = location(id)
        try:
            with folder(self._root, folders) as fd:
                found = read_file(self._fs, id, name, fd).sha256
        except FileNotFoundError as error:
            raise FileChangedError(str(id)) from error
        if found != sha256:
            raise FileChangedError(str(id))

    def _expect_free(self, id: MemoryId) -> None:
        folders, name = location(id)
        with suppress(FileNotFoundError), folder(self._root, folders) as fd:
            self._fs.status_of(name, dir_fd=fd)
            raise MemoryEntryAlreadyExistsError(str(id))

    def _do(self, step: Step, done: list[_Undo]) -> None:
        if isinstance(step, Place):
            if step.expect is None:
                self._place_new(step, done)
            else:
                self._place_over(step, done)
        elif isinstance(step, Retire):
            self._retire(step, done)
        else:
            self._move(step, done)

    def _place_new(self, step: Place, done: list[_Undo]) -> None:
        folders, name = location(step.id)
        with folder(self._root, folders) as fd:
            try:
                self._link_or_rename(step.staged, name, fd)
            except FileExistsError as error:
                raise MemoryEntryAlreadyExistsError(str(step.id)) from error
            done.append(lambda: self._unlink_in(folders, name))
            with suppress(FileNotFoundError):  # where links don't work the rename took it along
                self._fs.unlink(step.staged, dir_fd=fd)
            self._staged.pop(step.staged, None)
            self._fs.fsync(fd)

    def _link_or_rename(self, name: str, new: str, fd: int) -> None:
        try:
            self._fs.link(name, new, dir_fd=fd, new_dir_fd=fd)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            # A file system without links: we hold the lock and the name was free a moment ago
            with suppress(FileNotFoundError):
                self._fs.status_of(new, dir_fd=fd)
                raise FileExistsError from error
            self._fs.rename(name, new, dir_fd=fd, new_dir_fd=fd)

    def _place_over(self, step: Place, done: list[_Undo]) -> None:
        folders, name = location(step.id)
        kept = kept_name(step.keep)
        with folder(self._root, folders) as fd, self._trash() as trash:
            self._keep(step.id, name, kept, fd, trash)
            done.append(lambda: self._unlink_in_trash(kept))
            self._expect(step.id, step.expect)  # INVARIANT: the last look before the rename
            self._fs.rename(step.staged, name, dir_fd=fd, new_dir_fd=fd)
            done[-1] = lambda: self._put_back(folders, name, kept)
            self._staged.pop(step.staged, None)
            self._fs.fsync(fd)

    def _retire(self, step: Retire, done: list[_Undo]) -> None:
        folders, name = location(step.id)
        kept = kept_name(step.keep)
        with folder(self._root, folders) as fd, self._trash() as trash:
            self._keep(step.id, name, kept, fd, trash)
            done.append(lambda: self._unlink_in_trash(kept))
            self._fs.fsync(trash)
            self._expect(step.id, step.expect)
            self._fs.unlink(name, dir_fd=fd)
            done[-1] = lambda: self._put_back(folders, name, kept)
            self._fs.fsync(fd)
        self._remove_empty(folders)

    def _move(self, step: Move, done: list[_Undo]) -> None:
        folders, name = location(step.id)
        new_folders, new_name = location(step.to)
        with folder(self._root, folders) as fd, folder(self._root, new_folders, create=True) as new_fd:
            try:
                self._fs.link(name, new_name, dir_fd=fd, new_dir_fd=new_fd)
            except FileExistsError as error:
                raise MemoryEntryAlreadyExistsError(str(step.to)) from error
            done.append(lambda: self._unlink_in(new_folders, new_name))
            self._fs.fsync(new_fd)
            self._expect(step.id, step.expect)
            self._fs.unlink(name, dir_fd=fd)
            done[-1] = lambda: self._move_back(step)
            self._fs.fsync(fd)
        self._remove_empty(folders)

    # -- finishing an act after a crash: each step may be done, half done or not begun --------------------------

    def _redo(self, step: Step) -> None:
        if isinstance(step, Place):
            self._redo_place(step)
        elif isinstance(step, Retire):
            if self._hash(step.id) == step.expect:
                self._drop_kept(step.keep)
                self._retire(step, [])
        else:
            self._redo_move(step)

    def _redo_place(self, step: Place) -> None:
        folders, _ = location(step.id)
        with suppress(FileNotFoundError), folder(self._root, folders) as fd:
            self._fs.status_of(step.staged, dir_fd=fd)  # FileNotFoundError: it is placed
            present = self._hash(step.id)
            if present != step.expect:
                # Linked already, or written by somebody else since: theirs stay, ours were never acknowledged
                self._fs.unlink(step.staged, dir_fd=fd)
            elif step.expect is None:
                self._place_new(step, [])
            else:
                self._drop_kept(step.keep)
                self._place_over(step, [])

    def _redo_move(self, step: Move) -> None:
        if self._hash(step.id) != step.expect:
            return
        present = self._hash(step.to)
        if present is None:
            self._move(step, [])
        elif present == step.expect:  # linked, and the old name is still there
            folders, name = location(step.id)
            self._unlink_in(folders, name)

    # -- small acts ---------------------------------------------------------------------------------------------

    def _hash(self, id: MemoryId) -> str | None:
        folders, name = location(id)
        try:
            with folder(self._root, folders) as fd:
                return read_file(self._fs, id, name, fd).sha256
        except FileNotFoundError:
            return None

    def _keep(self, id: MemoryId, name: str, kept: str, fd: int, trash: int) -> None:
        try:
            self._fs.link(name, kept, dir_fd=fd, new_dir_fd=trash)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            copy = self._fs.open(kept, os.O_CREAT | os.O_EXCL | os.O_WRONLY, dir_fd=trash)
            try:
                write_all(self._fs, copy, read_file(self._fs, id, name, fd).raw)
                self._fs.fsync(copy)
            finally:
                self._fs.close(copy)

    @contextmanager
    def _trash(self) -> Iterator[int]:
        fd = state_folder(self._root, TRASH)
        try:
            yield fd
        finally:
            self._fs.close(fd)

    def _drop_kept(self, seq: int) -> None:
        with suppress(FileNotFoundError):
            self._unlink_in_trash(kept_name(seq))

    def _unlink_in_trash(self, kept: str) -> None:
        with self._trash() as trash:
            self._fs.unlink(kept, dir_fd=trash)

    def _unlink_in(self, folders: tuple[str, ...], name: str) -> None:
        with folder(self._root, folders) as fd:
            self._fs.unlink(name, dir_fd=fd)
            self._fs.fsync(fd)
        self._remove_empty(folders)

    def _put_back(self, folders: tuple[str, ...], name: str, kept: str) -> None:
        with folder(self._root, folders, create=True) as fd, self._trash() as trash:
            self._fs.rename(kept, name, dir_fd=trash, new_dir_fd=fd)
            self._fs.fsync(fd)

    def _move_back(self, step: Move) -> None:
        folders, name = location(step.id)
        new_folders, new_name = location(step.to)
        with folder(self._root, folders, create=True) as fd, folder(self._root, new_folders) as new_fd:
            self._fs.link(new_name, name, dir_fd=new_fd, new_dir_fd=fd)
            self._fs.fsync(fd)
            self._fs.unlink(new_name, dir_fd=new_fd)
        self._remove_empty(new_folders)

    def _take_back(self, done: list[_Undo]) -> bool:
        """Undo the steps done, last first. False where even that fails: the journal then settles it later."""
        for undo in reversed(done):
            try:
                undo()
            except (OSError, TrinhoError):
                return False
        return True

    def _remove_empty(self, folders: tuple[str, ...]) -> None:
        """Remove the folders that the act left empty, up to the scope folder; a failure leaves an empty folder."""
        for depth in range(len(folders) - 1, 0, -1):
            try:
                with folder(self._root, folders[:depth]) as fd:
                    self._fs.remove_folder(folders[depth], dir_fd=fd)
            except (OSError, TrinhoError):
                return

    def _write_journal(self, steps: Sequence[Step], run: int) -> None:
        try:
            journal.write(self._root, steps, run)
        except OSError as error:
            raise failure(error, self._root.state_path("journal")) from error

    def _drop_journal(self, run: int) -> None:
        # A journal that can't be removed is found finished by the next turn
        with suppress(OSError):
            journal.remove(self._root, run)


def kept_name(seq: int) -> str:
    """The name in the trash of what the audit line `seq` replaced or took away."""
    return f"{seq}{SUFFIX}"


@contextmanager
def _typed(step: Step) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise failure(error, path_of(step.id)) from error
