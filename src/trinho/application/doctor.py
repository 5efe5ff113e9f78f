"""What is wrong with a root, in words, and the command that mends it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trinho.application import pointers, reindex
from trinho.application.trail import is_person

if TYPE_CHECKING:
    from collections.abc import Callable

    from trinho.application.session import Session
    from trinho.domain.ids import MemoryId


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that isn't as it should be: where, what, and what to do. Line 0 means the whole file."""

    code: str
    where: str
    line: int
    what: str
    mend: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All findings of an examination, and how many sound entries there are."""

    entries: int
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """What the index covers of what the actor may read, and how many files had to be read anew to say so."""

    entries: int
    quarantined: int
    read_anew: int | None


def index_status(session: Session) -> IndexStatus:
    """Bring the index up to the files and count."""
    read_anew = reindex.look_over(session)
    sees = session.sees()
    entries = len(session.workspace.index.listing(sees))
    session.record("index status", None)
    return IndexStatus(entries, len(_files(session, sees)), read_anew if is_person(session) else None)


def examine(session: Session) -> Diagnosis:
    """Look at everything the actor may read; a root of which nothing is found is sound."""
    reindex.look_over(session)
    sees = session.sees()
    findings = _files(session, sees)
    if is_person(session):
        findings += _trail(session) + _ledger(session)
    entries = len(session.workspace.index.listing(sees))
    session.notices += session.workspace.remarks()
    session.record("doctor", None)
    return Diagnosis(entries, tuple(findings))


def _files(session: Session, sees: Callable[[MemoryId], bool]) -> list[Finding]:
    return [
        Finding("QUARANTINED", row.path, row.line, row.reason, f"mend {row.path} in an editor, or move it away")
        for row in session.workspace.index.quarantined()
        if (sees(row.id) if row.id is not None else is_person(session))
    ]


def _trail(session: Session) -> list[Finding]:
    report = session.workspace.audit.verify()
    findings = [
        Finding("AUDIT_BROKEN", fault.file, fault.line, fault.reason, "compare the file with a backup")
        for fault in report.faults
    ]
    if report.torn:
        findings.append(Finding("AUDIT_TORN", "audit", 0, report.torn, "nothing: the next line removes it"))
    return findings


def _ledger(session: Session) -> list[Finding]:
    ledger = session.workspace.ledger
    findings = [
        Finding("LEDGER_DAMAGED", "ledger.db", 0, fault, "restore .trinho/ledger.db from a backup")
        for fault in ledger.check()
    ]
    notes = ledger.notes()
    findings += [
        Finding("PURGE_UNFINISHED", id, 0, "a purge of it began and didn't end", f"trinho forget '{id}' --purge")
        for id in pointers.purged_ids(session.workspace)
        if id
    ]
    others = [name for name in sorted(notes) if name != pointers.PURGING]
    return findings + [Finding("NOTED", name, 0, notes[name], "check the disk") for name in others]
