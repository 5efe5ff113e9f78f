"""The three steps by which the tree changes: doing one, taking it back, and doing it again after a crash.

What a step replaces or takes away is kept in the trash, and what it placed can be staged again, so that each
step can be taken back and be done again from wherever it was interrupted.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from trinho.adapters.files.root import Root, state_folder
from trinho.adapters.files.syscalls import failure, write_all
from trinho.adapters.files.tree import TRASH, folder, kept_name, location, path_of, read_file
from trinho.domain.act import Move, Place, Retire, Step
from trinho.errors import FileChangedError, MemoryEntryAlreadyExistsError, PathTraversalError, TrinhoError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trinho.domain.ids import MemoryId

_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.EXDEV, errno.ENOSYS}
_UNREADABLE = "-"  # no hash that a step could expect

Back = Callable[[], None]


@contextmanager
def typed(step: Step) -> Iterator[None]:
    """Inside, the operating system's errors become those of the error tree, about the step's entry."""
    try:
        yield
    except OSError as error:
        raise failure(error, path_of(step.id)) from error


class Steps:
    """Single steps on one root. `back` collects what takes the steps back, and is called last first."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self._fs = root.fs

    def check(self, step: Step) -> None:
        """Raise where the files aren't what the step expects, before anything is done."""
        with typed(step):
            if isinstance(step, Place) and step.expect is None:
                self._expect_free(step.id)
                return
            self._expect(step.id, step.expect)
            if isinstance(step, Move):
                self._expect_free(step.to)

    def do(self, step: Step, back: list[Back]) -> None:
        """Do the step durably; an error leaves it half done, with what takes that half back."""
        with typed(step):
            if isinstance(step, Place) and step.expect is None:
                self._place_new(step, back)
                return
            try:
                self._do_to_a_file(step, back)
            except FileNotFoundError as error:
                raise FileChangedError(str(step.id)) from error

    def _do_to_a_file(self, step: Step, back: list[Back]) -> None:
        if isinstance(step, Retire):
            self._retire(step, back)
        elif isinstance(step, Move):
            self._move(step, back)
        else:
            self._place_over(step, back)

    def redo(self, step: Step) -> None:
        """Finish the step of an interrupted act: it may be done, half done or not begun."""
        with typed(step):
            if isinstance(step, Retire):
                if self._hash(step.id) == step.expect:
                    self._drop_kept(step.keep)
                    self._retire(step, [])
            elif isinstance(step, Move):
                self._redo_move(step)
            else:
                self._redo_place(step)

    def remove_empty(self, folders: tuple[str, ...]) -> None:
        """Remove the folders that are left empty, up to the scope folder; a failure leaves an empty folder."""
        for depth in range(len(folders) - 1, 0, -1):
            try:
                with folder(self._root, folders[:depth]) as fd:
                    self._fs.remove_folder(self._root.actual(fd, folders[depth]), dir_fd=fd)
            except FileNotFoundError:  # it was never made; the one above it may have been
                continue
            except (OSError, TrinhoError):
                return

    # -- what a step expects ------------------------------------------------------------------------------------

    def _expect(self, id: MemoryId, sha256: str | None) -> None:
        try:
            with folder(self._root, location(id)[0]) as fd:
                self._expect_in(fd, id, sha256)
        except FileNotFoundError as error:
            raise FileChangedError(str(id)) from error

    def _expect_in(self, fd: int, id: MemoryId, sha256: str | None) -> None:
        if read_file(self._fs, id, self._name(fd, id), fd).sha256 != sha256:
            raise FileChangedError(str(id))

    def _expect_free(self, id: MemoryId) -> None:
        folders, _ = location(id)
        with suppress(FileNotFoundError), folder(self._root, folders) as fd:
            self._fs.status_of(self._name(fd, id), dir_fd=fd)
            raise MemoryEntryAlreadyExistsError(str(id))

    def _name(self, fd: int, id: MemoryId) -> str:
        return self._root.actual(fd, location(id)[1])

    # -- doing --------------------------------------------------------------------------------------------------

    def _place_new(self, step: Place, back: list[Back]) -> None:
        folders, name = location(step.id)
        with folder(self._root, folders) as fd:
            try:
                self._link_or_rename(step.staged, name, fd, fd)
            except FileExistsError as error:
                raise MemoryEntryAlreadyExistsError(str(step.id)) from error
            back.append(lambda: self._stage_again(folders, name, step.staged))
            self._fs.fsync(fd)
            # Only now: were the removal kept by a power cut and the link not, nothing would be left to finish with
            with suppress(OSError):  # renamed, or left over for a sweep
                self._fs.unlink(step.staged, dir_fd=fd)
                self._root.siblings.wrote(fd, name)

    def _place_over(self, step: Place, back: list[Back]) -> None:
        folders, _ = location(step.id)
        kept = kept_name(step.keep)
        with folder(self._root, folders) as fd, self._trash() as trash:
            name = self._name(fd, step.id)
            self._keep(step.id, name, kept, fd, trash)
            back.append(lambda: self._drop_kept(step.keep))
            self._expect_in(fd, step.id, step.expect)  # INVARIANT: the last look before the rename
            self._fs.rename(step.staged, name, dir_fd=fd, new_dir_fd=fd)
            back[-1] = lambda: self._put_back_over(folders, name, kept, step.staged)
            self._fs.fsync(fd)  # not the trash: a power cut may cost the way back, never what is acknowledged
            with suppress(OSError):
                self._root.siblings.wrote(fd, location(step.id)[1])

    def _retire(self, step: Retire, back: list[Back]) -> None:
        folders, _ = location(step.id)
        kept = kept_name(step.keep)
        with folder(self._root, folders) as fd, self._trash() as trash:
            name = self._name(fd, step.id)
            self._keep(step.id, name, kept, fd, trash)
            back.append(lambda: self._drop_kept(step.keep))
            self._fs.fsync(trash)
            self._expect_in(fd, step.id, step.expect)
            self._fs.unlink(name, dir_fd=fd)
            back[-1] = lambda: self._put_back(folders, name, kept)
            self._fs.fsync(fd)
        self.remove_empty(folders)

    def _move(self, step: Move, back: list[Back]) -> None:
        folders, _ = location(step.id)
        new_folders, new_name = location(step.to)
        back.append(lambda: self.remove_empty(new_folders))
        with folder(self._root, folders) as fd, folder(self._root, new_folders, create=True) as new_fd:
            self._expect_in(fd, step.id, step.expect)
            name = self._name(fd, step.id)
            try:
                self._link_or_rename(name, new_name, fd, new_fd)
            except FileExistsError as error:
                raise MemoryEntryAlreadyExistsError(str(step.to)) from error
            back[-1] = lambda: self._move_back(step, name)
            self._fs.fsync(new_fd)
            with suppress(FileNotFoundError):  # a rename took it along
                self._expect_same(step, name, fd, new_fd)
                self._fs.unlink(name, dir_fd=fd)
            self._fs.fsync(fd)
        self.remove_empty(folders)

    def _expect_same(self, step: Move, name: str, fd: int, new_fd: int) -> None:
        """Both names are one file still: an editor that saves by rename may have put another there."""
        old = self._fs.status_of(name, dir_fd=fd)
        new = self._fs.status_of(location(step.to)[1], dir_fd=new_fd)
        if old.st_ino != new.st_ino:
            raise FileChangedError(str(step.id))

    def _keep(self, id: MemoryId, name: str, kept: str, fd: int, trash: int) -> None:
        try:
            self._fs.link(name, kept, dir_fd=fd, new_dir_fd=trash)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            self._copy(read_file(self._fs, id, name, fd).raw, kept, trash)

    def _copy(self, raw: bytes, kept: str, trash: int) -> None:
        copy = self._fs.open(kept, os.O_CREAT | os.O_EXCL | os.O_WRONLY, dir_fd=trash)
        try:
            write_all(self._fs, copy, raw)
            self._fs.fsync(copy)
        except OSError:
            with suppress(OSError):
                self._fs.unlink(kept, dir_fd=trash)
            raise
        finally:
            self._fs.close(copy)

    def _link_or_rename(self, name: str, new: str, fd: int, new_fd: int) -> None:
        """Give a file a name that must be free; the old name stays where the file system knows links."""
        try:
            self._fs.link(name, new, dir_fd=fd, new_dir_fd=new_fd)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            # A file system without links: we hold the lock and the name was free a moment ago
            with suppress(FileNotFoundError):
                self._fs.status_of(new, dir_fd=new_fd)
                raise FileExistsError from error
            self._fs.rename(name, new, dir_fd=fd, new_dir_fd=new_fd)

    # -- taking back: as durable as the device still allows -----------------------------------------------------

    def _stage_again(self, folders: tuple[str, ...], name: str, staged: str) -> None:
        with folder(self._root, folders) as fd:
            try:
                self._fs.status_of(staged, dir_fd=fd)
                self._fs.unlink(name, dir_fd=fd)
            except FileNotFoundError:  # it was renamed
                self._fs.rename(name, staged, dir_fd=fd, new_dir_fd=fd)
            self._try_sync(fd)

    def _put_back_over(self, folders: tuple[str, ...], name: str, kept: str, staged: str) -> None:
        with folder(self._root, folders) as fd, self._trash() as trash:
            with suppress(OSError):
                self._fs.link(name, staged, dir_fd=fd, new_dir_fd=fd)
            self._fs.rename(kept, name, dir_fd=trash, new_dir_fd=fd)
            self._try_sync(fd)

    def _put_back(self, folders: tuple[str, ...], name: str, kept: str) -> None:
        with folder(self._root, folders, create=True) as fd, self._trash() as trash:
            self._link_or_rename(kept, name, trash, fd)
            self._try_sync(fd)
            with suppress(FileNotFoundError):
                self._fs.unlink(kept, dir_fd=trash)

    def _move_back(self, step: Move, name: str) -> None:
        folders, _ = location(step.id)
        new_folders, new_name = location(step.to)
        with folder(self._root, folders, create=True) as fd, folder(self._root, new_folders) as new_fd:
            with suppress(FileExistsError):  # the old name wasn't removed yet
                self._link_or_rename(new_name, name, new_fd, fd)
                self._try_sync(fd)
            with suppress(FileNotFoundError):
                self._fs.unlink(new_name, dir_fd=new_fd)
        self.remove_empty(new_folders)

    def _drop_kept(self, seq: int) -> None:
        with suppress(FileNotFoundError), self._trash() as trash:
            self._fs.unlink(kept_name(seq), dir_fd=trash)

    def _try_sync(self, fd: int) -> None:
        with suppress(OSError):
            self._fs.fsync(fd)

    # -- after a crash ------------------------------------------------------------------------------------------

    def _redo_place(self, step: Place) -> None:
        folders, _ = location(step.id)
        with suppress(FileNotFoundError), folder(self._root, folders) as fd:
            self._fs.status_of(step.staged, dir_fd=fd)  # FileNotFoundError: it is placed
            # Where the file isn't what was expected it is linked already, or somebody else wrote it since: theirs
            # stays, for ours was never acknowledged
            if self._hash(step.id) == step.expect:
                if step.expect is None:
                    self._place_new(step, [])
                else:
                    self._drop_kept(step.keep)
                    self._place_over(step, [])
            with suppress(FileNotFoundError):
                self._fs.unlink(step.staged, dir_fd=fd)
            self._fs.fsync(fd)

    def _redo_move(self, step: Move) -> None:
        if self._are_one(step):  # linked, and the old name is still there, perhaps with what somebody wrote since
            self._drop_old(step)
            return
        if self._hash(step.id) != step.expect:
            return
        present = self._hash(step.to)
        if present is None:
            self._move(step, [])
        elif present == step.expect:  # copied by hand, say: one of the two goes, and nothing is lost
            self._drop_old(step)

    def _are_one(self, step: Move) -> bool:
        try:
            with folder(self._root, location(step.id)[0]) as fd, folder(self._root, location(step.to)[0]) as new_fd:
                old = self._fs.status_of(self._name(fd, step.id), dir_fd=fd)
                new = self._fs.status_of(self._name(new_fd, step.to), dir_fd=new_fd)
        except (FileNotFoundError, PathTraversalError):
            return False
        return (old.st_dev, old.st_ino) == (new.st_dev, new.st_ino)

    def _drop_old(self, step: Move) -> None:
        folders, _ = location(step.id)
        with folder(self._root, folders) as fd:
            self._fs.unlink(self._name(fd, step.id), dir_fd=fd)
            self._fs.fsync(fd)
        self.remove_empty(folders)

    def _hash(self, id: MemoryId) -> str | None:
        try:
            with folder(self._root, location(id)[0]) as fd:
                return read_file(self._fs, id, self._name(fd, id), fd).sha256
        except FileNotFoundError:
            return None
        except TrinhoError:  # no file of ours any more
            return _UNREADABLE

    @contextmanager
    def _trash(self) -> Iterator[int]:
        fd = state_folder(self._root, TRASH)
        try:
            yield fd
        finally:
            self._fs.close(fd)
