"""From the bytes of a file to an entry at its version."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from trinho.documents.codec import Decoded, Document, UnreadableTextError, decode
from trinho.domain.entry import Entry
from trinho.domain.versions import effective_version
from trinho.errors import FileChangedError, NotFoundError, StoreFullError, UnreadableEntryError

if TYPE_CHECKING:
    from trinho.application.session import Workspace
    from trinho.domain.ids import MemoryId
    from trinho.domain.versions import FileMark
    from trinho.ports.store import StoredFile

# How often a file may be replaced under a reader before it gives up
_ATTEMPTS = 20
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EARLIEST = (datetime.min.replace(tzinfo=UTC) - _EPOCH) // timedelta(microseconds=1)
_LATEST = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // timedelta(microseconds=1)


class Loaded(NamedTuple):
    """An entry with the file and the document that it was read from."""

    entry: Entry
    file: StoredFile
    decoded: Decoded


def load(workspace: Workspace, memory_id: MemoryId) -> Loaded:
    """The entry as it is on disk now. Bytes that nobody has seen before become a newer version."""
    for _ in range(_ATTEMPTS):
        file = workspace.store.read(memory_id)
        try:
            decoded = read_document(file)
        except UnreadableTextError as fault:
            raise UnreadableEntryError(str(memory_id), workspace.store.path_of(memory_id), fault.reason) from fault
        version = _observed(workspace, file, decoded.document.version)
        if version is not None:
            return Loaded(entry_of(memory_id, version, decoded.document, decoded.warnings), file, decoded)
    raise FileChangedError(str(memory_id))


def file_at(workspace: Workspace, memory_id: MemoryId) -> StoredFile | None:
    """The file at an ID, or None."""
    try:
        return workspace.store.read(memory_id)
    except NotFoundError:
        return None


def version_of(workspace: Workspace, file: StoredFile) -> int:
    """The version of a file's bytes, also where they are no text; FileChangedError if they were replaced meanwhile."""
    version = _observed(workspace, file, declared_version(file))
    if version is None:
        raise FileChangedError(str(file.id))
    return version


def _observed(workspace: Workspace, file: StoredFile, declared: int | None) -> int | None:
    """The version of the bytes, remembered in the ledger; None where others stand there by now."""
    ledger = workspace.ledger

    def is_current() -> bool:
        present = file_at(workspace, file.id)
        return present is not None and present.sha256 == file.sha256

    try:
        return ledger.observe(file.id, file.sha256, declared, is_current)
    except StoreFullError:  # reading must not need space; the next one who reads it comes to the same number
        return effective_version(ledger.observed(file.id), file.sha256, declared) if is_current() else None


def declared_version(file: StoredFile) -> int | None:
    """What the file itself says of its version."""
    try:
        return read_document(file).document.version
    except UnreadableTextError:
        return None


def read_document(file: StoredFile) -> Decoded:
    """The document in a file; UnreadableTextError where it is no text."""
    return decode(file.raw, file.id, modified_at(file.mark))


def modified_at(mark: FileMark) -> datetime:
    """When the file was last written. File systems know years that calendars don't: those become the nearest one."""
    return _EPOCH + timedelta(microseconds=max(_EARLIEST, min(mark.mtime_ns // 1000, _LATEST)))


def entry_of(memory_id: MemoryId, version: int, document: Document, warnings: tuple[str, ...] = ()) -> Entry:
    """The entry that a document makes."""
    return Entry(
        id=memory_id,
        version=version,
        kind=document.kind,
        type=document.type,
        name=document.name,
        description=document.description,
        body=document.body,
        created_at=document.created_at,
        updated_at=document.updated_at,
        warnings=warnings,
        knowledge=document.knowledge,
    )
