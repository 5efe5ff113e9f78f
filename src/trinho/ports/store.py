"""Where entries are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from contextlib import AbstractContextManager

    from trinho.domain.act import Step
    from trinho.domain.ids import MemoryId
    from trinho.domain.versions import FileMark
    from trinho.ports.survey import Oddity


class StoredFile(NamedTuple):
    """The bytes of one entry as they were read, whole, with their SHA-256 (hex)."""

    id: MemoryId
    raw: bytes
    sha256: str
    mark: FileMark


class Found(NamedTuple):
    """A file that a scan met. `id` is None where the name can't be one; `fault` says why it can't be used."""

    path: str
    id: MemoryId | None
    mark: FileMark
    fault: str | None = None


class Staged(NamedTuple):
    """Bytes that wait beside where they will go: their name there, and the mark that the document will have."""

    name: str
    mark: FileMark


def everything(id: MemoryId) -> bool:  # noqa: ARG001 - it has the shape of every sight
    """The sight of one from whom nothing is hidden."""
    return True


class Places(Protocol):
    """Where things lie, relative to the root, for the eyes of a person."""

    def path_of(self, id: MemoryId) -> str:
        """The document of an ID."""
        ...

    def id_at(self, path: str) -> MemoryId | None:
        """The ID of the document at such a path, or None where the name can't be one."""
        ...

    def folder_path(self, folder: tuple[str, ...]) -> str:
        """The folder that MemoryId.folder names."""
        ...


class EntryStore(Places, Protocol):
    """Keeps each entry as one document under its logical ID, and changes documents only in acts."""

    def read(self, id: MemoryId) -> StoredFile:
        """The document, or MemoryEntryNotFoundError."""
        ...

    def expect_free(self, id: MemoryId, sees: Callable[[MemoryId], bool] = everything) -> None:
        """Return if a new document may have the ID.

        MemoryEntryAlreadyExistsError where there is one; InvalidMemoryIdError where a name that differs only in case is
        there and may be known of, which would be the same file on other systems.
        """
        ...

    def scan(self, entered: list[str] | None = None) -> Iterator[Found]:
        """Every file of the tree, in the order of its path; faults are yielded, never raised.

        The folders that it looked into, where there are any, are added to `entered`.
        """
        ...

    def survey(self) -> Iterator[Oddity]:
        """What isn't as it should be though it works; slow, for an examination."""
        ...

    def writing(self) -> AbstractContextManager[WriteTurn]:
        """The one turn to write that exists at a time, or StoreBusyError. Unfinished acts are settled first."""
        ...

    def kept(self, seq: int) -> bytes | None:
        """What the act with that audit number replaced or took away, or None if it kept nothing."""
        ...

    def index_text(self, folder: tuple[str, ...]) -> str:
        """The MEMORY.md of a folder as it is, empty where there is none."""
        ...

    def holds(self, branch: tuple[str, ...]) -> bool:
        """Whether anything lies in a branch, without looking at what it is."""
        ...

    def holding(self, texts: Collection[bytes]) -> list[str]:
        """The files anywhere in the store but ledger and index in which one of the texts stands."""
        ...


class WriteTurn(Protocol):
    """One writer's turn: bytes are staged first and then published whole, all of an act or nothing."""

    def stage(self, id: MemoryId, raw: bytes) -> Staged:
        """Write the bytes durably beside where they will go; the answer's name stands for them in a Place step."""
        ...

    def commit(self, steps: Sequence[Step], run: int) -> None:
        """Do the steps as one act. ConflictError if a file isn't what its step expects; then nothing is done."""
        ...

    def discard(self) -> None:
        """Forget what was staged and not committed."""
        ...

    def erase(self, id: MemoryId | None, kept: Sequence[int]) -> None:
        """Remove a document and the kept copies for good, with no way back."""
        ...

    def tidy(self) -> list[str]:
        """Mend of what `survey` tells what can lose nothing; answers with the paths that changed."""
        ...

    def write_index(self, folder: tuple[str, ...], text: str, expect: str) -> None:
        """Replace a MEMORY.md that is `expect`; FileChangedError if somebody wrote it meanwhile."""
        ...
