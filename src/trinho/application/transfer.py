"""Bringing folders of Markdown in, and giving everything back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from trinho.access.decision import Allow
from trinho.access.engine import decide
from trinho.access.grant import Grant, Overlap, covering, parse_grant
from trinho.access.request import MemoryRequest, ReservedAct
from trinho.application import pointers, remarks, secrets
from trinho.application.act import Change, Writing, writing
from trinho.application.destination import Taken, branch_of, default_branch, destination, index_folder
from trinho.application.entries import file_at
from trinho.application.memory import next_version, put
from trinho.application.remarks import Link, Note
from trinho.application.trail import is_person
from trinho.documents.codec import Decoded, UnreadableTextError, decode
from trinho.documents.links import targets
from trinho.documents.memory_index import EMPTY_INDEX, is_entry_line
from trinho.documents.quotes import with_quotes
from trinho.domain.arguments import expect_project, expect_text
from trinho.domain.ids import INDEX_NAME, MemoryId, Scope, parse_memory_id
from trinho.errors import (
    InvalidMemoryIdError,
    PathTraversalError,
    TrinhoError,
    UnreadableEntryError,
    plural,
    shown,
)
from trinho.ports.source import SourceKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from trinho.application.session import Session
    from trinho.ports.source import Folders, SourceFile
    from trinho.ports.store import StoredFile

_MOST_LINKS = 10_000


@dataclass(slots=True)
class Imported:
    """What came in, what was there already, what was left out and why, and remarks. Paths are those of the source."""

    run: int | None = None
    added: list[tuple[str, MemoryId]] = field(default_factory=list)
    unchanged: list[tuple[str, MemoryId]] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


def import_from(
    session: Session, folders: Folders, kind: SourceKind, path: str, into: str | None = None, project: str | None = None
) -> Imported:
    """Bring in the files of that kind at a path: below `into`, else into the project, else where their name says."""
    session.authorize_act(ReservedAct.IMPORT)
    with session.auditing("import", None if into is None else shown(str(into))):
        expect_text("into", into, optional=True)
        expect_project(project)
        if into is not None:
            secrets.refuse_in_name(session, "import", parse_memory_id(":".join((*branch_of(into), "any"))))
        source = folders.source(kind, path, session.workspace.root)
        branch = default_branch(kind, source.name, project) if into is None else into
        return _bring_in(session, source.files, branch, kind)


def import_markdown(session: Session, files: Iterable[SourceFile], into: str) -> Imported:
    """Each file becomes an entry below `into`, byte for byte, all in one run. What is there is never overwritten."""
    session.authorize_act(ReservedAct.IMPORT)
    with session.auditing("import", shown(into)):
        return _bring_in(session, files, into, SourceKind.MARKDOWN)


def _bring_in(session: Session, files: Iterable[SourceFile], into: str, kind: SourceKind) -> Imported:
    branch = branch_of(into)
    with writing(session) as turn:
        act = _Import(turn, branch, kind)
        for file in files:
            reason = act.reason_in_name(file)
            if reason:
                act.report.skipped.append((_HIDDEN_NAME, reason))
                continue
            reason = act.take(file)
            act.came_in.setdefault(remarks.link_path(file.parts), None)
            if reason:
                act.report.skipped.append((file.path, reason))
        act.finish()
    return act.report


_HIDDEN_NAME = "(a file)"


@dataclass(slots=True)
class _Import:
    """One import under way: the changes planned so far, and what there is to tell of them."""

    turn: Writing
    branch: tuple[str, ...]
    kind: SourceKind
    report: Imported = field(default_factory=Imported)
    changes: list[Change] = field(default_factory=list)
    taken: Taken = field(default_factory=Taken)
    indexes: list[tuple[SourceFile, tuple[str, ...]]] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    came_in: dict[str, MemoryId | None] = field(default_factory=dict)

    def reason_in_name(self, file: SourceFile) -> str | None:
        """Why a file doesn't come in because of its name alone, in words that don't tell the name."""
        parts = [part for part in destination(self.branch, file.parts) if part]
        found = secrets.in_name(self.turn.session, MemoryId(tuple(parts)))
        return None if found is None else f"its name holds a secret, by the rule `{found.rule}`"

    def take(self, file: SourceFile) -> str | None:
        """Plan one file; the answer is why it is left out."""
        if file.fault or file.raw is None:
            return file.fault
        parts = destination(self.branch, file.parts)
        try:
            folder = index_folder(parts)
            # Before anything is read out of it: what is said of a file may quote it
            if parts[0] != Scope.PRIVATE:
                reason = secrets.reason_to_skip(self.turn.session, file.raw)
                if reason is not None:
                    return reason
            if folder is not None:
                return self._take_index(file, file.raw, folder)
            return self._take_entry(file, file.raw, parse_memory_id(":".join(parts)))
        except InvalidMemoryIdError as error:
            return str(error.fields["reason"])
        except (PathTraversalError, UnreadableEntryError) as error:
            return error.message
        except UnreadableTextError as error:
            return error.reason

    def finish(self) -> None:
        """Perform what was planned, then the index lines, which only then point to something."""
        if self.changes:
            self.report.run = self.turn.perform(self.changes)
        for file, folder in self.indexes:
            reason = _bring_in_index(self, file, folder)
            if reason:
                self.report.skipped.append((file.path, reason))
        notes = (remarks.on_link(link, self.came_in) for link in self.links)
        self.report.notes += [note for note in notes if note is not None]

    def _take_entry(self, file: SourceFile, raw: bytes, memory_id: MemoryId) -> str | None:
        decoded = decode(raw, memory_id, self.turn.now)
        if decoded.broken and with_quotes(raw.decode()) is None:
            line, reason = decoded.broken
            return f"broken frontmatter in line {line}: {reason}"
        conflict = self.taken.fault(memory_id)
        if conflict:
            return conflict
        self.turn.session.authorize("import", "write", memory_id)
        present = file_at(self.turn.session.workspace, memory_id)
        if present is not None and present.raw != raw:
            self.taken.take(memory_id, _relative(file))
            return f"`{memory_id}` exists with other content"
        if present is None:
            self.turn.session.workspace.store.expect_free(memory_id, self.turn.session.sees())
            self._add(raw, memory_id, decoded)
        report = self.report.added if present is None else self.report.unchanged
        report.append((file.path, memory_id))
        self.taken.take(memory_id, _relative(file))
        self.came_in[remarks.link_path(file.parts)] = memory_id
        self._remark(file, decoded, memory_id)
        return None

    def _add(self, raw: bytes, memory_id: MemoryId, decoded: Decoded) -> None:
        version = max(decoded.document.version or 1, next_version(self.turn.session, memory_id))
        self.changes.append(put(self.turn, "import", memory_id, raw, version, None))

    def _take_index(self, file: SourceFile, raw: bytes, folder: tuple[str, ...]) -> str | None:
        _text(raw)
        self.indexes.append((file, folder))
        return None

    def _remark(self, file: SourceFile, decoded: Decoded, memory_id: MemoryId) -> None:
        notes = self.report.notes
        warning = (
            secrets.warning_of_private(self.turn.session, decoded.raw) if memory_id.scope is Scope.PRIVATE else None
        )
        if warning is not None:  # and nothing else, since other remarks may quote it
            notes.append(Note(file.path, None, warning))
            return
        if decoded.broken:  # and quotes are all that it needs
            notes.append(Note(file.path, decoded.broken[0], f"{decoded.broken[1]}; `trinho doctor --fix` does it"))
            return
        if memory_id.parts[len(self.branch) :] != file.parts:
            notes.append(Note(file.path, None, f"its name can't be an id; it goes by `{memory_id}`"))
        notes += remarks.on_document(file.path, decoded)
        if self.kind is SourceKind.AGENTS_MD:
            notes += remarks.on_followed(file.path, decoded.raw.decode())
        if memory_id.parts[-1] == INDEX_NAME:
            self.remark_on_index(file, decoded.raw.decode())

    def remark_on_index(self, file: SourceFile, text: str) -> None:
        """Look at the lines of a MEMORY.md; what they point to is judged when every file is known."""
        self.report.notes += remarks.on_size(file.path, text)
        room = _MOST_LINKS - len(self.links)
        self.links += list(remarks.links(file.path, file.parts[:-1], text))[:room]


def _bring_in_index(act: _Import, file: SourceFile, folder: tuple[str, ...]) -> str | None:
    """The lines of a MEMORY.md where the folder has none yet; else the answer is why some of them are left out."""
    session = act.turn.session
    store = session.workspace.store
    place = f"{store.folder_path(folder)}/{INDEX_NAME}.md"
    text = _text(file.raw or b"")
    try:
        present = store.index_text(folder)
        if present.strip() in ("", EMPTY_INDEX.strip()):
            act.turn.turn.write_index(folder, text, present)
            pointers.remember_imported(session.workspace, store.folder_path(folder), text)
            session.record("index", ":".join(folder), run=act.report.run)
            act.report.notes.append(Note(file.path, None, f"its lines are those of `{place}` now"))
            act.remark_on_index(file, text)
            return None
    except TrinhoError as error:
        return error.message
    return _left_out(act, file, place, _lacking(text, present))


def _lacking(text: str, present: str) -> list[tuple[int, str]]:
    there = {line for _, line in remarks.numbered(present)}
    return [(number, line) for number, line in remarks.numbered(text) if line.strip() and line not in there]


def _left_out(act: _Import, file: SourceFile, place: str, lines: list[tuple[int, str]]) -> str | None:
    if not lines:
        return None
    for number, line in lines[: remarks.MOST_IN_A_FILE]:
        act.report.notes.append(Note(file.path, number, f"left out: {shown(line)}"))
    return (
        f"`{place}` exists and lacks {plural(len(lines), 'line', 'lines')} of it; what you want of it is yours to add"
    )


def _text(raw: bytes) -> str:
    try:
        text = raw.decode()
    except UnicodeDecodeError as fault:
        raise UnreadableTextError(f"not UTF-8 at byte {fault.start}") from fault
    if "\0" in text:
        raise UnreadableTextError(f"not text, NUL at byte {raw.index(0)}")
    if not text.strip("\ufeff \t\r\n"):
        raise UnreadableTextError("empty")
    return text


def _relative(file: SourceFile) -> str:
    return shown(remarks.link_path(file.parts) + ".md")


class Exported(NamedTuple):
    """The files of the entries that the actor may read, the indexes of their folders, and what could not be read.

    An index is its path and its bytes; `skipped` has paths with the reason.
    """

    files: tuple[StoredFile, ...]
    skipped: tuple[tuple[str, str], ...]
    indexes: tuple[tuple[str, bytes], ...] = ()


def export(session: Session, scope: str | None) -> Exported:
    """Every file below the scope that the actor may read, sound or not, byte for byte."""
    sees = session.sees()
    grant = None
    if scope is not None:
        grant = session.parse_scope("export", scope)
        session.authorize("export", "read", grant)
        sees = Overlap(covering([grant]), sees)
    files: list[StoredFile] = []
    skipped: list[tuple[str, str]] = []
    nameless = grant is None and is_person(session)
    with session.auditing("export", scope):
        for found in session.workspace.store.scan():
            if found.id is None and nameless:
                skipped.append((found.path, found.fault or "its name can't be an id"))
            if found.id is None or not sees(found.id):
                continue
            try:
                files.append(session.workspace.store.read(found.id))
            except TrinhoError as error:
                skipped.append((found.path, error.message))
        indexes = _indexes(session, grant, sees, files, skipped)
    session.record("export", session.nameable(scope))
    return Exported(tuple(files), tuple(skipped), tuple(indexes))


def _indexes(
    session: Session,
    scope: Grant | None,
    sees: Callable[[MemoryId], bool],
    files: list[StoredFile],
    skipped: list[tuple[str, str]],
) -> list[tuple[str, bytes]]:
    """The MEMORY.md of each folder of the files: whole where all of the folder is meant, else the lines of entries."""
    store = session.workspace.store
    indexes = []
    for folder in dict.fromkeys(file.id.folder for file in files):
        place = store.folder_path(folder)
        try:
            text = store.index_text(folder)
        except TrinhoError as error:
            skipped.append((f"{place}/{INDEX_NAME}.md", error.message))
            continue
        if not _covers_all(session, scope, parse_grant(":".join(folder))):
            text = "".join(line for line in text.splitlines(keepends=True) if _is_seen(session, place, line, sees))
        if text:
            indexes.append((f"{place}/{INDEX_NAME}.md", text.encode(errors="surrogateescape")))
    return indexes


def _covers_all(session: Session, scope: Grant | None, folder: Grant) -> bool:
    if scope is not None and not scope.covers_grant(folder):
        return False
    return isinstance(decide(MemoryRequest(session.actor, "read", folder)), Allow)


def _is_seen(session: Session, place: str, line: str, sees: Callable[[MemoryId], bool]) -> bool:
    """Whether a line points to entries, and only to such as may be seen."""
    line = line.rstrip("\r\n")
    ids = [session.workspace.store.id_at(f"{place}/{target}") for target in targets(line)]
    return is_entry_line(line) and all(memory_id is not None and sees(memory_id) for memory_id in ids)
