"""The index follows the files: after a write, at open, and from nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar

from trinho.application.entries import modified_at, read_document
from trinho.application.trail import is_person
from trinho.documents.codec import UnreadableTextError
from trinho.domain.versions import FileMark, Observed
from trinho.errors import (
    MemoryEntryNotFoundError,
    StoreDamagedError,
    StoreFullError,
    StoreReadOnlyError,
    TrinhoError,
)
from trinho.ports.index import IndexRecord, Quarantined

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from trinho.application.session import Session
    from trinho.domain.ids import MemoryId
    from trinho.ports.index import SearchIndex
    from trinho.ports.store import Found, StoredFile
    from trinho.ports.watch import ChangeWatch

# A file written this shortly before it was read may be written again with the same time and size
RACY = timedelta(seconds=2)
# How long what was seen is taken for the present where the system tells of no changes
AGAIN_AFTER = timedelta(seconds=2)
_BATCH = 500
# The note of the folders whose MEMORY.md lists what went by hand; the next write mends them
BEHIND = "behind"

Progress = Callable[[int], None]
Answer = TypeVar("Answer")


def refresh(session: Session) -> None:
    """Make the index cover the files as they are now; cheap once they are watched, as from the second question on."""
    if session.workspace.index.stale():
        session.workspace.reopen_index()
        session.workspace.stop_watching()
        session.reconciled_at = None
    if session.trusts_index and not session.written and (session.reconciled_at is not None or _holds_any(session)):
        return
    if session.workspace.watch is not None:
        _follow(session, session.workspace.watch)
        return
    now = session.workspace.clock()
    if session.reconciled_at is None:
        look_over(session)
    elif session.may_watch or abs(now - session.reconciled_at) > AGAIN_AFTER:
        _look_over_and_watch(session)
    elif session.written:
        catch_up(session)


@contextmanager
def as_it_is(session: Session) -> Iterator[None]:
    """Ask the index without a look at the files: they were just looked at, or each that is shown will be."""
    before, session.trusts_index = session.trusts_index, True
    try:
        yield
    finally:
        session.trusts_index = before


def _holds_any(session: Session) -> bool:
    """Whether the index has anything for the actor: one that was never filled has nothing for anybody."""
    sees = session.sees()
    return session.workspace.index.read(lambda reader: reader.statistics(sees).entries) > 0


def _follow(session: Session, watch: ChangeWatch) -> None:
    """Index what the watch tells of and what this session wrote."""
    changed = watch.changed()
    if changed is None:
        session.workspace.stop_watching()
        _look_over_and_watch(session)
    elif changed or session.written:
        _index_documents(session, changed)


def _index_documents(session: Session, paths: AbstractSet[str]) -> None:
    store = session.workspace.store
    written = {store.path_of(memory_id) for memory_id in session.written}
    records: list[IndexRecord | Quarantined] = []
    arrived: dict[str, list[MemoryId]] = {}
    for path in sorted(paths | written):
        memory_id = store.id_at(path)
        try:
            record = None if memory_id is None else _read(session, memory_id)
        except TrinhoError:
            memory_id = record = None
        if memory_id is None:  # nothing that a single look could name: the whole of it is looked over
            look_over(session)
            return
        if record is not None:
            records.append(record)
            if isinstance(record, IndexRecord):
                arrived.setdefault(record.sha256, []).append(memory_id)
    index = session.workspace.index
    index.put(records)
    gone = sorted((paths | written) - {record.path for record in records})
    index.drop(gone)
    _link_moved(session, gone, arrived)
    session.indexed()


def _look_over_and_watch(session: Session) -> None:
    """Reconcile in a process that goes on asking; from now on the system tells what changes."""
    workspace = session.workspace
    before: list[str] = []
    look_over(session, before)
    if not session.may_watch:
        return
    workspace.watch = workspace.open_watch(before)
    session.may_watch = workspace.watch is not None
    if session.may_watch:
        after: list[str] = []
        look_over(session, after)  # what happened before the watch began
        if after != before:
            workspace.stop_watching()


def look_over(session: Session, entered: list[str] | None = None) -> int:
    """Reconcile; where the index can't be written, one that is kept nowhere answers in this session."""
    try:
        return reconcile(session, entered=entered)
    except (StoreReadOnlyError, StoreFullError) as error:
        if not session.workspace.use_spare_index():
            raise
        session.notices.append(f"the index can't be kept: {error.message}")
        return reconcile(session, entered=entered)


def ask(session: Session, question: Callable[[SearchIndex], Answer]) -> Answer:
    """What an index that covers the present files answers. One that turns out to be damaged is rebuilt first."""
    refresh(session)
    try:
        return question(session.workspace.index)
    except StoreDamagedError:
        rebuild(session)
        return question(session.workspace.index)


def catch_up(session: Session) -> None:
    """Index what this session wrote, and nothing else."""
    written = list(session.written)
    if not written:
        return
    index = session.workspace.index
    paths = {session.workspace.store.path_of(memory_id): memory_id for memory_id in written}
    records = [record for memory_id in written if (record := _read(session, memory_id)) is not None]
    index.put(records)
    index.drop(paths.keys() - {record.path for record in records})
    session.indexed()


def reconcile(session: Session, progress: Progress | None = None, entered: list[str] | None = None) -> int:
    """Compare every file with what the index knows of it and mend the index; answers with the files read anew.

    The folders that it looked into are added to `entered`.
    """
    if entered is not None:
        entered.clear()
    workspace = session.workspace
    known = workspace.index.marks()
    started = workspace.clock()
    changed: list[IndexRecord | Quarantined] = []
    seen: set[str] = set()
    arrived: dict[str, list[MemoryId]] = {}
    count = 0
    closed: list[str] = []
    for found in workspace.store.scan(entered):
        seen.add(found.path)
        if found.id is None and not found.mark.inode:
            closed.append(f"{found.path}/")
        if known.get(found.path) == found.mark and found.mark.inode:
            continue
        record = _record(session, found)
        changed.append(record)
        if isinstance(record, IndexRecord) and record.path not in known:
            arrived.setdefault(record.sha256, []).append(record.id)
        count += 1
        if len(changed) >= _BATCH:
            workspace.index.put(changed)
            changed = []
            if progress:
                progress(count)
    workspace.index.put(changed)
    gone = known.keys() - seen
    workspace.index.drop(gone)
    # INVARIANT: what lies in a folder that can't be read is not known to be gone
    _link_moved(session, sorted(path for path in gone if not path.startswith(tuple(closed))), arrived)
    session.reconciled_at = started
    session.indexed()
    return count


def rebuild(session: Session, progress: Progress | None = None) -> int:
    """Throw the index away and read every file again; answers with how many."""
    session.workspace.renew_index()
    return reconcile(session, progress)


def rebuild_on_request(session: Session, progress: Progress | None = None) -> int | None:
    """The same for whoever asks; how many files there are of everybody's is for the person alone."""
    if is_person(session):
        return rebuild(session, progress)
    rebuild(session)
    return None


def _record(session: Session, found: Found) -> IndexRecord | Quarantined:
    if found.fault is not None or found.id is None:
        return Quarantined(found.path, found.id, found.mark, 0, found.fault or "its name can't be an id")
    try:
        return _read(session, found.id) or Quarantined(found.path, found.id, _again(found.mark), 0, "it is gone")
    except TrinhoError as error:
        return Quarantined(found.path, found.id, _again(found.mark), 0, error.message)


def _read(session: Session, memory_id: MemoryId) -> IndexRecord | Quarantined | None:
    """What the index holds of one file as it is now; None if there is none."""
    workspace = session.workspace
    try:
        file = workspace.store.read(memory_id)
    except MemoryEntryNotFoundError:
        return None
    path = workspace.store.path_of(memory_id)
    mark = _settled_mark(file, workspace.clock())
    try:
        decoded = read_document(file)
    except UnreadableTextError as fault:
        return Quarantined(path, memory_id, mark, 0, fault.reason)
    if decoded.broken:
        line, reason = decoded.broken
        return Quarantined(path, memory_id, mark, line, reason)
    from trinho.retrieval.indexing import place_of, words_of  # where nothing has changed it isn't needed

    document = decoded.document
    return IndexRecord(
        path=path,
        id=memory_id,
        mark=mark,
        sha256=file.sha256,
        kind=document.kind,
        type=document.type,
        name=document.name,
        description=document.description,
        created_at=document.created_at,
        updated_at=document.updated_at,
        body_sha256=sha256(document.body.encode()).hexdigest() if document.body.strip() else "",
        words=words_of(memory_id, document.name, document.description, document.body),
        knowledge=document.knowledge,
        place=place_of(memory_id, document.kind, document.created_at),
    )


def _settled_mark(file: StoredFile, now: datetime) -> FileMark:
    return _again(file.mark) if now - modified_at(file.mark) < RACY else file.mark


def _again(mark: FileMark) -> FileMark:
    """A mark that no file has, so that the file is read again next time."""
    return FileMark(0, mark.size, mark.mtime_ns)


def fell_behind(session: Session, folders: Iterable[tuple[str, ...]]) -> None:
    """Note that MEMORY.md of these folders may list what is gone."""
    ledger = session.workspace.ledger
    places = {session.workspace.store.folder_path(folder) for folder in folders}
    listed = places.intersection(ledger.pointed()) if places else places
    known = set(ledger.notes().get(BEHIND, "").split("\n")) if listed else listed
    if listed - known:
        ledger.set_note(BEHIND, "\n".join(sorted((listed | known) - {""})))


def _link_moved(session: Session, gone: Iterable[str], arrived: dict[str, list[MemoryId]]) -> None:
    """Tell the ledger of files that are gone; one whose bytes turned up under new names has moved to one of them.

    All of them are remembered, since who asks may not be allowed to know of some.
    """
    store, ledger = session.workspace.store, session.workspace.ledger
    left: dict[str, list[tuple[MemoryId, Observed]]] = {}
    for path in gone:
        memory_id = store.id_at(path)
        last = None if memory_id is None else ledger.observed(memory_id)
        if memory_id is not None and last is not None and last.sha256:
            left.setdefault(last.sha256, []).append((memory_id, last))
    fell_behind(session, {memory_id.folder for sources in left.values() for memory_id, _ in sources})
    for sha, sources in left.items():
        targets = [target for target in arrived.get(sha, []) if ledger.observed(target) is None]
        newest = max((last for _, last in sources), key=lambda last: last.version)
        gone_now = {memory_id: Observed(last.version, "") for memory_id, last in sources}
        ledger.commit({**gone_now, **dict.fromkeys(targets, newest)}, None, None)
        for memory_id, _ in sources:
            ledger.record_move(memory_id, *targets)
