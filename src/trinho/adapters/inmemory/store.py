"""Entries in a dictionary."""

from __future__ import annotations

from contextlib import contextmanager
from hashlib import sha256
from time import time_ns
from typing import TYPE_CHECKING

from trinho.domain.act import Move, Place, Retire, Step
from trinho.domain.ids import INDEX_NAME, MemoryId, is_index_twin, parse_memory_id
from trinho.domain.versions import FileMark
from trinho.errors import (
    FileChangedError,
    InvalidMemoryIdError,
    MemoryEntryAlreadyExistsError,
    MemoryEntryNotFoundError,
    StoreBusyError,
)
from trinho.ports.store import Found, Staged, StoredFile, everything

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from trinho.ports.survey import Oddity


class InMemoryStore:
    """Keeps the documents as long as the process lives; see ports.store.EntryStore."""

    def __init__(self) -> None:
        self._files: dict[MemoryId, StoredFile] = {}
        self._kept: dict[int, bytes] = {}
        self._pages: dict[tuple[str, ...], str] = {}
        self._written = 0
        self._busy = False

    def read(self, id: MemoryId) -> StoredFile:
        try:
            return self._files[id]
        except KeyError:
            raise MemoryEntryNotFoundError(str(id)) from None

    def expect_free(self, id: MemoryId, sees: Callable[[MemoryId], bool] = everything) -> None:
        if is_index_twin(id):
            raise InvalidMemoryIdError(str(id), f"{INDEX_NAME} in any case is the name of the folder's index")
        self._expect_free(id)
        if any(_are_twins(id, other) and sees(other) for other in self._files):
            raise InvalidMemoryIdError(str(id), "it differs only in upper and lower case from a name that is there")

    def scan(self, entered: list[str] | None = None) -> Iterator[Found]:  # noqa: ARG002 - it has no folders
        found = [Found(self.path_of(id), id, file.mark) for id, file in self._files.items()]
        return iter(sorted(found, key=lambda file: file.path.split("/")))

    def survey(self) -> Iterator[Oddity]:
        return iter(())

    @contextmanager
    def writing(self) -> Iterator[InMemoryTurn]:
        if self._busy:
            raise StoreBusyError("this process", 0)
        self._busy = True
        turn = InMemoryTurn(self)
        try:
            yield turn
        finally:
            turn.discard()
            self._busy = False

    def kept(self, seq: int) -> bytes | None:
        return self._kept.get(seq)

    def index_text(self, folder: tuple[str, ...]) -> str:
        return self._pages.get(folder, "")

    def holds(self, branch: tuple[str, ...]) -> bool:
        return any(id.branch == branch for id in self._files)

    def holding(self, texts: Collection[bytes]) -> list[str]:
        everything = {
            **{self.path_of(id): file.raw for id, file in self._files.items()},
            **{f"kept/{seq}": raw for seq, raw in self._kept.items()},
            **{
                f"{self.folder_path(folder)}/MEMORY": page.encode(errors="surrogateescape")
                for folder, page in self._pages.items()
            },
        }
        return sorted(path for path, raw in everything.items() if any(text in raw for text in texts))

    def path_of(self, id: MemoryId) -> str:
        return "/".join(id.parts)

    def id_at(self, path: str) -> MemoryId | None:
        try:
            return None if ":" in path else parse_memory_id(path.replace("/", ":"))
        except InvalidMemoryIdError:
            return None

    def folder_path(self, folder: tuple[str, ...]) -> str:
        return "/".join(folder)

    # -- what a turn does to it: reached through InMemoryTurn alone ----------------------------------------------

    def check(self, step: Step) -> None:
        """Raise where the documents aren't what the step expects."""
        if isinstance(step, Place) and step.expect is None:
            self._expect_free(step.id)
            return
        file = self._files.get(step.id)
        if file is None or file.sha256 != step.expect:
            raise FileChangedError(str(step.id))
        if isinstance(step, Move):
            self._expect_free(step.to)

    def next_mark(self, size: int) -> FileMark:
        """A mark that no document has yet."""
        self._written += 1
        return FileMark(self._written, size, time_ns())

    def place(self, id: MemoryId, raw: bytes, mark: FileMark, keep: int) -> None:
        """Put a document at an ID; what it replaces is kept."""
        if id in self._files:
            self._kept[keep] = self._files[id].raw
        self._files[id] = StoredFile(id, raw, sha256(raw).hexdigest(), mark)

    def retire(self, step: Retire) -> None:
        """Take a document away and keep it."""
        self._kept[step.keep] = self._files.pop(step.id).raw

    def move(self, step: Move) -> None:
        """Give a document another ID."""
        file = self._files.pop(step.id)
        self._files[step.to] = StoredFile(step.to, file.raw, file.sha256, file.mark)

    def erase(self, id: MemoryId | None, kept: Sequence[int]) -> None:
        """Remove a document and kept ones."""
        if id is not None:
            self._files.pop(id, None)
        for seq in kept:
            self._kept.pop(seq, None)

    def write_page(self, folder: tuple[str, ...], text: str, expect: str) -> None:
        """Replace the MEMORY.md of a folder."""
        if self.index_text(folder) != expect:
            raise FileChangedError(f"{self.folder_path(folder)}/MEMORY")
        self._pages[folder] = text

    def _expect_free(self, id: MemoryId) -> None:
        if id in self._files:
            raise MemoryEntryAlreadyExistsError(str(id))


def _are_twins(id: MemoryId, other: MemoryId) -> bool:
    """Whether the first parts in which they differ do so only in case, folder beside folder or name beside name."""
    for depth, (part, there) in enumerate(zip(id.parts, other.parts, strict=False), 1):
        if part != there:
            ends = (depth == len(id.parts), depth == len(other.parts))
            return part.casefold() == there.casefold() and ends[0] == ends[1]
    return False


class InMemoryTurn:
    """One writer's turn; see ports.store.WriteTurn."""

    def __init__(self, store: InMemoryStore) -> None:
        self._store = store
        self._staged: dict[str, tuple[bytes, FileMark]] = {}
        self._count = 0

    def stage(self, id: MemoryId, raw: bytes) -> Staged:
        self._count += 1
        name = f"{self._count} {id}"
        mark = self._store.next_mark(len(raw))
        self._staged[name] = (raw, mark)
        return Staged(name, mark)

    def commit(self, steps: Sequence[Step], run: int) -> None:  # noqa: ARG002 - a crash leaves nothing to settle here
        for step in steps:
            self._store.check(step)
        for step in steps:
            if isinstance(step, Place):
                self._store.place(step.id, *self._staged.pop(step.staged), step.keep)
            elif isinstance(step, Retire):
                self._store.retire(step)
            else:
                self._store.move(step)

    def discard(self) -> None:
        self._staged.clear()

    def erase(self, id: MemoryId | None, kept: Sequence[int]) -> None:
        self._store.erase(id, kept)

    def tidy(self) -> list[str]:
        return []

    def write_index(self, folder: tuple[str, ...], text: str, expect: str) -> None:
        self._store.write_page(folder, text, expect)
