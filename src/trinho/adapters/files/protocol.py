"""The write protocol: the one place where the tree of entries changes.

A turn holds the store's lock. Bytes are staged beside their target and fsynced; an act then publishes them by
link (new) or rename (over what was read), or moves files away, and fsyncs every folder it touched before it
returns. An act that changes several names is first written into a journal, which is its commit: after a crash
the next turn finishes it. An act that fails is taken back.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trinho.adapters.files import index_page, journal, survey
from trinho.adapters.files.root import Root, state_folder
from trinho.adapters.files.steps import Back, Steps
from trinho.adapters.files.syscalls import failure, write_all
from trinho.adapters.files.tree import TRASH, folder, kept_name, location, mark_of, path_of, temporary_name
from trinho.domain.act import Move, Place
from trinho.errors import TrinhoError
from trinho.ports.store import Staged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trinho.domain.act import Step
    from trinho.domain.ids import MemoryId


@dataclass(slots=True)
class _Names:
    """Temporary names are unique by this counter. It begins at the time, since the ids of processes come again."""

    counter: int = field(default_factory=lambda: time.time_ns() // 1000)

    def next(self) -> str:
        self.counter += 1
        return temporary_name(self.counter)


_names = _Names()


class Turn:
    """One writer's turn on the files; see ports.store.WriteTurn."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self._fs = root.fs
        self._steps = Steps(root)
        self._staged: dict[str, MemoryId] = {}

    def stage(self, id: MemoryId, raw: bytes) -> Staged:
        folders, _ = location(id)
        name = _names.next()
        self._staged[name] = id  # before the folder is made, which goes again where nothing comes into it
        try:
            with folder(self._root, folders, create=True) as fd:
                file = self._fs.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, dir_fd=fd)
                try:
                    write_all(self._fs, file, raw)
                    self._fs.fsync(file)
                    mark = mark_of(self._fs.status(file))
                finally:
                    self._fs.close(file)
        except OSError as error:
            raise failure(error, path_of(id)) from error
        return Staged(name, mark)

    def commit(self, steps: Sequence[Step], run: int) -> None:
        if len(steps) == 1 and not isinstance(steps[0], Move):
            self._do(steps, [])  # a single step looks for itself, and right before it acts
            return
        for step in steps:
            self._steps.check(step)
        try:
            self._plan(steps, run)
            self._carry_out(steps, run)
        except TrinhoError:
            raise
        except BaseException:  # an interrupt, or no memory: nobody knows how far it came
            self._leave_to_next_turn()
            raise
        with suppress(OSError):  # a plan that can't be removed is found finished by the next turn
            journal.remove(self._root, run)

    def discard(self) -> None:
        while self._staged:
            name, memory_id = self._staged.popitem()
            folders, _ = location(memory_id)
            with suppress(OSError, TrinhoError), folder(self._root, folders) as fd:
                self._fs.unlink(name, dir_fd=fd)
            self._steps.remove_empty(folders)

    def erase(self, id: MemoryId | None, kept: Sequence[int]) -> None:
        try:
            self._erase_kept(kept)
            if id is not None:
                folders, name = location(id)
                with suppress(FileNotFoundError), folder(self._root, folders) as fd:
                    with suppress(FileNotFoundError):  # by an erasure that couldn't be made durable
                        self._fs.unlink(self._root.actual(fd, name), dir_fd=fd)
                    self._fs.fsync(fd)
                self._steps.remove_empty(folders)
        except OSError as error:
            raise failure(error, path_of(id) if id else TRASH) from error

    def write_index(self, folder: tuple[str, ...], text: str, expect: str) -> None:
        index_page.write(self._root, folder, text, expect, _names.next())

    def tidy(self) -> list[str]:
        return survey.tidy(self._root)

    def finish(self) -> list[int]:
        """Finish the acts whose journal is still there; answers with their runs."""
        runs = []
        try:
            for run, steps in journal.pending(self._root):
                for step in steps:
                    self._steps.redo(step)
                # INVARIANT: no other act before the plan is gone for good, or it would be done to that act's files
                journal.remove(self._root, run)
                runs.append(run)
        except OSError as error:
            raise failure(error, self._root.state_path(journal.FOLDER)) from error
        return runs

    def _carry_out(self, steps: Sequence[Step], run: int) -> None:
        back: list[Back] = []
        try:
            self._do(steps, back)
        except TrinhoError:
            if not back:  # all of it is taken back
                self._cancel(run)
            else:
                self._leave_to_next_turn()
            raise

    def _do(self, steps: Sequence[Step], back: list[Back]) -> None:
        """All steps; on an error they are taken back, and `back` is left with those of which even that fails."""
        try:
            for step in steps:
                self._steps.do(step, back)
            for step in steps:
                if isinstance(step, Place):
                    self._staged.pop(step.staged, None)
        except TrinhoError:
            with suppress(OSError, TrinhoError):
                while back:
                    back[-1]()
                    back.pop()
            raise

    def _plan(self, steps: Sequence[Step], run: int) -> None:
        try:
            for folders in dict.fromkeys(location(step.id)[0] for step in steps if isinstance(step, Place)):
                with folder(self._root, folders) as fd:
                    self._fs.fsync(fd)  # INVARIANT: a plan never outlives the names of what is staged for it
            journal.write(self._root, steps, run)
        except OSError as error:
            self._cancel(run)
            raise failure(error, self._root.state_path(journal.FOLDER)) from error

    def _cancel(self, run: int) -> None:
        try:
            journal.cancel(self._root, run)
        except OSError:
            self._leave_to_next_turn()

    def _leave_to_next_turn(self) -> None:
        """The plan stands, or may, so the next turn will finish the act: what is staged for it stays."""
        self._staged.clear()

    def _erase_kept(self, kept: Sequence[int]) -> None:
        trash = state_folder(self._root, TRASH)
        try:
            for seq in kept:
                with suppress(FileNotFoundError):
                    self._fs.unlink(kept_name(seq), dir_fd=trash)
            self._fs.fsync(trash)
        finally:
            self._fs.close(trash)
