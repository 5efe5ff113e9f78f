"""What an examination looks at, one function for each place where something can be wrong."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from trinho.application import pointers, reindex
from trinho.application.entries import read_document
from trinho.application.trail import is_person
from trinho.documents.codec import UnreadableTextError
from trinho.documents.hidden import hidden_in
from trinho.documents.links import targets
from trinho.documents.memory_index import is_entry_line, load
from trinho.domain.ids import is_index_twin
from trinho.errors import TrinhoError, shown
from trinho.ports.survey import OddityKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from trinho.application.session import Session
    from trinho.domain.ids import MemoryId
    from trinho.ports.index import Listed, Quarantined

WAITING = frozenset({OddityKind.UNFINISHED})
_FAULTS = frozenset({OddityKind.STATE, OddityKind.JOURNAL, OddityKind.INDEX_PAGE})
_MENDING = {
    OddityKind.UNFINISHED: "trinho doctor --fix; any write finishes it, too",
    OddityKind.STATE: "move '{path}' out of the root",
    OddityKind.JOURNAL: "move the file out of the root, then run `trinho doctor --fix`",
    OddityKind.LINKED: "nothing, unless both names are to stay one: keep one of them",
    OddityKind.OWNER: "chown it, if it isn't meant to be so",
    OddityKind.OPEN: "chmod o-w '{path}'",
    OddityKind.FORM: "trinho doctor --fix",
    OddityKind.NOT_READ: "rename it to end in .md, or move it: `trinho import markdown` brings a folder in",
    OddityKind.INDEX_PAGE: "move it away; the next write makes a new one",
}
_IN_AN_EDITOR = "mend {path} in an editor, or move it away"
# How a fault of a file begins, and what to do about it
_MENDS = {
    "it is a symbolic link": "put what it leads to in place of the link, or remove it",
    "a part of it is a symbolic link": "put the folder itself in place of the link, or remove it",
    "it is not a regular file": "move it away",
    "another file has the same name": "rename one of the two, or move it away",
    "not UTF-8 at byte 0, it begins like UTF-16": "iconv -f UTF-16 -t UTF-8 '{path}' > new, and put that in its place",
    "not UTF-8": "save it as UTF-8, or move it away",
    "not text": "move it away: it is no text",
    "Permission denied": "chmod u+rwX '{path}'",
    "more than": "move it up",
}
_A_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that isn't as it should be: where, what, and what to do. Line 0 means the whole file.

    A fault keeps something from working; anything else is a warning.
    """

    code: str
    where: str
    line: int
    what: str
    mend: str
    is_fault: bool = True


def left_out(session: Session, sees: Callable[[MemoryId], bool]) -> list[Finding]:
    """The files that can't be used."""
    return [
        Finding("QUARANTINED", row.path, row.line, row.reason, _mend(row))
        for row in session.workspace.index.quarantined()
        if (sees(row.id) if row.id is not None else is_person(session))
    ]


def _mend(row: Quarantined) -> str:
    if "put it in double quotes" in row.reason:
        return f"trinho doctor --fix, where that is all; or mend line {row.line} of {row.path} in an editor"
    if row.line and row.id is not None:
        return f"trinho edit '{row.id}', line {row.line}; or mend {row.path} in an editor"
    known = next((mend for begin, mend in _MENDS.items() if row.reason.startswith(begin)), _IN_AN_EDITOR)
    return known.format(path=row.path) if row.id is not None or known != _IN_AN_EDITOR else f"rename {row.path}"


def texts(session: Session, sees: Callable[[MemoryId], bool]) -> list[Finding]:
    """What is in the entries: text that nobody sees, dates to come, words that had to be guessed."""
    return [finding for row in session.workspace.index.listing(sees) for finding in _text(session, row)]


def _text(session: Session, row: Listed) -> Iterator[Finding]:
    workspace = session.workspace
    path = workspace.store.path_of(row.id)
    try:
        file = workspace.store.read(row.id)
        decoded = read_document(file)
    except (TrinhoError, UnreadableTextError):  # it changed since it was indexed: the next look tells
        return
    hidden = hidden_in(file.raw.decode())
    if hidden is not None:
        mend = f"trinho edit '{row.id}': remove it, unless it is meant"
        yield Finding("HIDDEN_TEXT", path, hidden.line, f"the text holds {hidden.what}", mend, is_fault=False)
    soon = workspace.clock() + _A_DAY
    for name, at in (("created", row.created_at), ("updated", row.updated_at)):
        if at > soon:
            what = f"`{name}` is in the future: {at:%Y-%m-%d}"
            yield Finding("FUTURE_DATE", path, 0, what, f"trinho edit '{row.id}'", is_fault=False)
    for warning in decoded.warnings:
        yield Finding("ASSUMED", path, 0, warning, f"trinho edit '{row.id}'", is_fault=False)


def names(session: Session, sees: Callable[[MemoryId], bool]) -> list[Finding]:
    """Entries that say the same, and names that are one on macOS and Windows."""
    index, store = session.workspace.index, session.workspace.store
    findings = [
        Finding(
            "SAME_TEXT",
            store.path_of(other),
            0,
            f"it says the same as `{first}`",
            f"`trinho delete '{other}'`, if it is a copy",
            is_fault=False,
        )
        for first, *others in index.same_bodies(sees)
        for other in others
    ]
    spelled: dict[tuple[str, ...], str] = {}
    for row in index.listing(sees):
        if is_index_twin(row.id):
            what = "on macOS and Windows it is the index of its folder"
            mend = "`trinho move` it to another name"
            findings.append(Finding("CASE_TWINS", store.path_of(row.id), 0, what, mend, is_fault=False))
        steps = store.path_of(row.id).split("/")
        for depth in range(1, len(steps) + 1):
            path = "/".join(steps[:depth])
            first = spelled.setdefault(tuple(step.casefold() for step in steps[:depth]), path)
            if first != path and first.rpartition("/")[0] == path.rpartition("/")[0]:
                what = f"it differs from `{first}` only in case: one file on macOS and Windows"
                findings.append(Finding("CASE_TWINS", path, 0, what, "`trinho move` one of the two", is_fault=False))
    return list(dict.fromkeys(findings))


def tree(session: Session) -> list[Finding]:
    """What lies in the root and isn't as it should be."""
    return [
        Finding(
            oddity.kind.value,
            oddity.path,
            0,
            oddity.what,
            _MENDING[oddity.kind].format(path=oddity.path),
            is_fault=oddity.kind in _FAULTS,
        )
        for oddity in session.workspace.store.survey()
    ]


def pages(session: Session) -> list[Finding]:
    """The MEMORY.md of each folder: what of it can't be loaded, and lines that lead nowhere."""
    store = session.workspace.store
    index = session.workspace.index
    ids = {row.id for row in index.listing(lambda _: True)}
    findings = []
    there = {*ids, *(file.id for file in index.quarantined() if file.id is not None)}
    # What lies in a folder that can't be read is not known to be gone
    closed = tuple(f"{file.path}/" for file in index.quarantined() if file.id is None)
    for folder in sorted(listed_folders(session, ids)):
        place = store.folder_path(folder)
        if f"{place}/".startswith(closed):
            continue
        try:
            text = store.index_text(folder)
        except TrinhoError as error:
            findings.append(Finding("INDEX_PAGE", f"{place}/MEMORY.md", 0, error.message, "move it away"))
            continue
        ours = {line: target for target, line in session.workspace.ledger.pointers(place).items()}
        lines = list(enumerate(text.splitlines(), 1))
        targets_of_ours = [(number, f"{place}/{ours[line]}") for number, line in lines if line in ours]
        findings += _behind(session, place, [each for each in targets_of_ours if not each[1].startswith(closed)], there)
        theirs = [(number, line) for number, line in lines if line not in ours]
        long = load("\n".join(line for _, line in theirs))[1]
        if long:
            mend = "shorten the lines that are yours"
            findings.append(Finding("INDEX_LONG", f"{place}/MEMORY.md", 0, long, mend, is_fault=False))
        findings += _dangling(session, place, theirs, there)
    return findings


def listed_folders(session: Session, ids: Iterable[MemoryId]) -> set[tuple[str, ...]]:
    """The folders with a MEMORY.md: of these entries, and those that listed some before these went."""
    workspace = session.workspace
    pointed = (pointers.folder_at(workspace, place) for place in workspace.ledger.pointed())
    return {memory_id.folder for memory_id in ids} | {folder for folder in pointed if folder is not None}


def _behind(session: Session, place: str, listed: list[tuple[int, str]], there: set[MemoryId]) -> Iterator[Finding]:
    """Lines of ours whose entry went by hand; of one that changed the next write tells."""
    for number, path in listed:
        if session.workspace.store.id_at(path) not in there:
            what = f"lists `{shown(path[len(place) + 1 :])}`, which is gone"
            mend = "trinho doctor --fix; any write mends it, too"
            yield Finding("INDEX_BEHIND", f"{place}/MEMORY.md", number, what, mend, is_fault=False)


def _dangling(session: Session, place: str, lines: list[tuple[int, str]], ids: set[MemoryId]) -> Iterator[Finding]:
    for number, line in lines:
        if not is_entry_line(line):
            continue
        for target in targets(line):
            if not target.endswith(".md") or ":" in target or target.startswith(("/", "..")):
                continue
            if session.workspace.store.id_at(f"{place}/{target}") not in ids:
                what = f"points to `{shown(target)}`, which isn't there"
                yield Finding("DANGLING", f"{place}/MEMORY.md", number, what, "mend or remove the line", is_fault=False)


def page_of(session: Session, folder: tuple[str, ...]) -> str:
    """The MEMORY.md of a folder, empty where it can't be read."""
    try:
        return session.workspace.store.index_text(folder)
    except TrinhoError:
        return ""


def trail(session: Session) -> list[Finding]:
    """The audit trail."""
    report = session.workspace.audit.verify()
    findings = [
        Finding("AUDIT_BROKEN", fault.file, fault.line, fault.reason, "compare the file with a backup")
        for fault in report.faults
    ]
    if report.torn:
        mend = "nothing: the next line removes it"
        findings.append(Finding("AUDIT_TORN", "audit", 0, report.torn, mend, is_fault=False))
    unsure = "compare the trail with a backup, if you have one"
    return findings + [Finding("AUDIT_UNSURE", "audit", 0, text, unsure, is_fault=False) for text in report.unsure]


def state(session: Session) -> list[Finding]:
    """Ledger and index."""
    ledger = session.workspace.ledger
    findings = [
        Finding("LEDGER_DAMAGED", "ledger.db", 0, fault, "restore .trinho/ledger.db from a backup")
        for fault in ledger.check()
    ]
    findings += [
        Finding("PURGE_UNFINISHED", str(id), 0, "a purge of it began and didn't end", f"trinho forget '{id}' --purge")
        for id in pointers.purged_ids(session.workspace)
    ]
    notes = ledger.notes()
    others = [name for name in sorted(notes) if name not in (pointers.PURGING, reindex.BEHIND)]
    findings += [Finding("NOTED", name, 0, notes[name], "check the disk") for name in others]
    rebuild = "trinho index rebuild"
    findings += [Finding("INDEX_DAMAGED", "index.db", 0, what, rebuild) for what in session.workspace.index.check()]
    return findings + [Finding("INDEX_DAMAGED", "index.db", 0, what, rebuild) for what in wrong_rows(session)]


def access(session: Session) -> list[Finding]:
    """The file of domains and permissions."""
    try:
        session.workspace.domains.read()
    except TrinhoError as error:
        return [Finding("ACCESS_DAMAGED", "access.toml", 0, error.message, error.hint or "mend it in an editor")]
    return []


def clients(session: Session) -> list[Finding]:
    """What keeps agents' clients from starting us where they were set up to."""
    troubles = [trouble for client in session.workspace.clients() for trouble in client.troubles()]
    return [Finding(each.kind.value, each.path, 0, each.what, each.mend, is_fault=False) for each in troubles]


def wrong_rows(session: Session) -> list[str]:
    """Files of which the index says something else than they do, though it takes them for unchanged."""
    workspace = session.workspace
    marks = workspace.index.marks()
    wrong = []
    for row in workspace.index.listing(lambda _: True):
        path = workspace.store.path_of(row.id)
        try:
            file = workspace.store.read(row.id)
        except TrinhoError:
            continue
        if file.mark == marks.get(path) and file.sha256 != row.sha256:
            wrong.append(f"it doesn't know {path} as it is")
    return wrong
