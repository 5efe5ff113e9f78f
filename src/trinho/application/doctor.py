"""What is wrong with a root, in words, and the command that mends it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trinho.access.request import ReservedAct
from trinho.application import checkup, pointers, reindex, secrets
from trinho.application.act import Writing, writing
from trinho.application.entries import version_of
from trinho.application.memory import put
from trinho.application.trail import is_person
from trinho.documents.quotes import with_quotes
from trinho.domain.ids import Scope
from trinho.errors import TrinhoError

if TYPE_CHECKING:
    from collections.abc import Callable

    from trinho.application.checkup import Finding
    from trinho.application.session import Session
    from trinho.domain.ids import MemoryId


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All findings of an examination, how many sound entries there are, and what was mended before it."""

    entries: int
    findings: tuple[Finding, ...]
    mended: tuple[str, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether nothing is broken; warnings may stand."""
        return not any(finding.is_fault for finding in self.findings)


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
    left_out = len(checkup.left_out(session, sees))
    return IndexStatus(entries, left_out, read_anew if is_person(session) else None)


def examine(session: Session) -> Diagnosis:
    """Look at everything the actor may read, file by file; a root of which nothing is found is sound."""
    reindex.look_over(session)
    diagnosis = _look(session, session.sees())
    session.notices += session.workspace.remarks()
    session.record("doctor", None)
    return diagnosis


def mend(session: Session) -> Diagnosis:
    """Mend what can be mended without losing anything, and examine what is left."""
    session.authorize_act(ReservedAct.MEND)
    mended = []
    with session.auditing("doctor --fix", None):
        waiting = [oddity.what for oddity in session.workspace.store.survey() if oddity.kind in checkup.WAITING]
        with writing(session) as turn:  # finishes and settles what was interrupted
            mended += [f"{what}: finished" for what in waiting]
            mended += [f"{path}: its name has its usual form" for path in turn.turn.tidy()]
        reindex.look_over(session)
        with writing(session) as turn:
            mended += [f"{path}: a value has quotes now; `trinho undo` takes them away" for path in _quote(turn)]
        mended += _mend_index(session)
        session.unlisted.update(dict.fromkeys(row.id for row in session.workspace.index.listing(session.sees())))
        folders = checkup.listed_folders(session, session.unlisted)
        reindex.fell_behind(session, folders)
        before = _pages(session, folders)
        pointers.flush(session, behind_too=True)
        after = _pages(session, folders)
        changed = sorted(place for place, text in after.items() if before[place] != text)
        mended += [f"{place}/MEMORY.md: its lines are those of the entries" for place in changed]
    session.record("doctor --fix", None)
    found = examine(session)
    return Diagnosis(found.entries, found.findings, tuple(mended))


def _look(session: Session, sees: Callable[[MemoryId], bool]) -> Diagnosis:
    findings = checkup.left_out(session, sees) + checkup.texts(session, sees) + checkup.names(session, sees)
    if is_person(session):
        findings += checkup.tree(session) + checkup.pages(session) + checkup.trail(session) + checkup.state(session)
        findings += checkup.access(session) + checkup.clients(session)
    findings.sort(key=lambda finding: (not finding.is_fault, finding.where, finding.line, finding.code))
    return Diagnosis(len(session.workspace.index.listing(sees)), tuple(findings))


def _quote(turn: Writing) -> list[str]:
    """Put quotes around the values for want of which frontmatter can't be read; each is a run of its own."""
    workspace = turn.session.workspace
    quoted = []
    for row in workspace.index.quarantined():
        if row.id is None or not row.line:
            continue
        with suppress(TrinhoError):
            file = workspace.store.read(row.id)
            text = with_quotes(file.raw.decode())
            # With them it is recalled, and others may read it
            open_to_others = row.id.scope is not Scope.PRIVATE
            if text is not None and not (open_to_others and secrets.reason_to_skip(turn.session, text.encode())):
                version = version_of(workspace, file)
                turn.perform([put(turn, "update", row.id, text.encode(), version + 1, file)])
                quoted.append(row.path)
    return quoted


def _mend_index(session: Session) -> list[str]:
    reindex.look_over(session)
    faults = [*session.workspace.index.check(), *checkup.wrong_rows(session)]
    if not faults:
        return []
    reindex.rebuild(session)
    return ["the index: rebuilt from the files"]


def _pages(session: Session, folders: set[tuple[str, ...]]) -> dict[str, str]:
    store = session.workspace.store
    return {store.folder_path(folder): checkup.page_of(session, folder) for folder in folders}
