"""One open memory, as a library offers it.

Each method imports the use case that it offers: reading one entry in a cold process must not pay for the others.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Self

from trinho.domain.entry import Draft, EntryType, Kind
from trinho.domain.ids import MemoryId, parse_memory_id
from trinho.errors import InvalidEntryError, shown
from trinho.retrieval.budget import CHARACTER_BUDGET, DEFAULT_RESULTS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from datetime import datetime, timedelta
    from types import TracebackType

    from trinho.access.domains import Domain, DomainKey, Permission
    from trinho.application.conflicts import Winner
    from trinho.application.consolidation import Consolidated
    from trinho.application.context import MemoryContext
    from trinho.application.doctor import Diagnosis, IndexStatus
    from trinho.application.facts import Fact, Proposed
    from trinho.application.forget import Purged
    from trinho.application.harvest import Harvested
    from trinho.application.inbox import Accepted
    from trinho.application.manifest import Manifest
    from trinho.application.memory import MemoryService
    from trinho.application.policies import ProposedPolicy
    from trinho.application.preamble import Preamble
    from trinho.application.recall import Explanation, SearchAnswer
    from trinho.application.reindex import Progress
    from trinho.application.session import Session
    from trinho.application.transfer import Exported, Imported
    from trinho.application.undo import Undone
    from trinho.domain.audit import AuditLine, AuditReport
    from trinho.domain.conflict import Conflict, ConflictState
    from trinho.domain.entry import Entry
    from trinho.domain.knowledge import MemoryType, Veracity
    from trinho.domain.notes import HotItem, Observation
    from trinho.domain.project import Project
    from trinho.ports.clients import ClientSettings, FileChange, Wiring
    from trinho.ports.index import Listed
    from trinho.ports.secrets import AllowedSecret, SecretFound
    from trinho.ports.source import Folders, SourceKind


class Memory:
    """What one actor can ask of one root. Use it as a context manager, or close it: closing updates the index."""

    def __init__(self, session: Session, open_folders: Callable[[], Folders]) -> None:
        self.session = session
        self._open_folders = open_folders

    @property
    def service(self) -> MemoryService:
        """What is done with single entries."""
        from trinho.application.memory import MemoryService  # a hook needs none of them

        return MemoryService(self.session)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Bring index and MEMORY.md up to date and let go of the root; again it does nothing."""
        if self.session.workspace.closed:
            return
        try:
            self.flush()
        finally:
            self.session.workspace.close()

    def flush(self) -> None:
        """Bring index and MEMORY.md up to date, as closing does."""
        if self.session.written or self.session.unlisted:
            from trinho.application import pointers

            pointers.flush(self.session)

    def get(self, id: str) -> Entry:
        return self.service.get(id)

    def create(
        self,
        id: str,
        body: str,
        *,
        kind: Kind | str | None = None,
        type: EntryType | str | None = None,
        name: str | None = None,
        description: str | None = None,
    ) -> Entry:
        from trinho.domain.arguments import expect_text

        with self.session.auditing("create", shown(str(id))):
            expect_text("body", body)
            made = draft(body, kind, type, name, description)
        return self.service.create(id, made)

    def update(
        self,
        id: str,
        body: str | None = None,
        *,
        expected_version: int,
        kind: Kind | str | None = None,
        type: EntryType | str | None = None,
        name: str | None = None,
        description: str | None = None,
    ) -> Entry:
        with self.session.auditing("update", shown(str(id))):
            made = draft(body, kind, type, name, description)
        return self.service.update(id, made, expected_version)

    def delete(self, id: str, *, expected_version: int) -> int:
        return self.service.delete(id, expected_version)

    def search(
        self,
        query: str,
        *,
        scope: str | None = None,
        kinds: Iterable[str] = (),
        types: Iterable[str] = (),
        limit: int = DEFAULT_RESULTS,
        project: str | None = None,
        domain: str | None = None,
        as_of: datetime | str | None = None,
    ) -> SearchAnswer:
        """The entries that answer a question. `scope` is a grant; entries of `project` come before those of others.

        `as_of` asks what was believed then.
        """
        from trinho.application.ranking import SearchQuery

        asked = SearchQuery(
            query, scope, as_kinds(kinds), as_types(types), limit, project=project, domain=domain, as_of=as_of
        )
        return self.service.search(asked)

    def entries(
        self,
        *,
        scope: str | None = None,
        kinds: Collection[Kind | str] = (),
        types: Collection[EntryType | str] = (),
        project: str | None = None,
    ) -> list[Listed]:
        from trinho.application import recall

        with self.session.auditing("list", None if scope is None else shown(str(scope))):
            wanted = as_kinds(kinds), as_types(types)
        return recall.listing(self.session, scope, *wanted, project)

    def versions(self, rows: Iterable[Listed]) -> Iterator[tuple[Listed, int]]:
        """The rows of a listing with the versions of their files, without those that are gone by now."""
        from trinho.application import recall

        return recall.with_versions(self.session, rows)

    def explain(self, query: str, id: str, *, limit: int = DEFAULT_RESULTS, project: str | None = None) -> Explanation:
        from trinho.application import recall

        return recall.explain(self.session, query, id, limit, project)

    def build_memory_context(
        self, task: str, character_budget: int = CHARACTER_BUDGET, *, project: str | None = None
    ) -> MemoryContext:
        from trinho.application import context

        return context.for_task(self.session, task, character_budget, project)

    def preamble(
        self, task: str = "", *, project: str | None = None, agent: str | None = None, most: int | None = None
    ) -> Preamble:
        """What an agent is told when its work begins, in at most so many bytes."""
        from trinho.application import preamble

        return preamble.build(self.session, task, project, agent, preamble.MOST if most is None else most)

    def prompted(self, prompt: str, *, project: str | None = None) -> str:
        """What an agent is told beside a prompt; empty if memory knows nothing of it that was not shown before."""
        from trinho.application import prompt as prompts

        return prompts.recalled(self.session, prompt, project)

    def heard_of(self, transcript: str, *, project: str | None = None, process: int | None = None) -> None:
        """The client's run goes on in a process of its own, and keeps what is said in that file."""
        from trinho.application import runs

        runs.heard_of(self.session, transcript, project, process)

    def run_at_work(self, process: int, since: datetime) -> str | None:
        """The name of the run that a client's process has begun or taken up since then."""
        from trinho.application import runs

        return runs.at_work(self.session, process, since)

    def begin_with(self, text: str) -> bool:
        """Note what the client's run is told at its beginning; False if that is what it was told before."""
        from trinho.application import runs

        return runs.begin_with(self.session, text)

    def forget_shown(self) -> None:
        """The client has cut its context short: what was shown before may be shown again."""
        from trinho.application import runs

        runs.forget_shown(self.session)

    def manifest(self, prompt: str, *, project: str | None = None) -> Manifest:
        """A line for each of at most 200 entries: those that answer the prompt, then the newest."""
        from trinho.application import manifest

        return manifest.manifest(self.session, prompt, project)

    # -- knowledge ----------------------------------------------------------------------------------------------

    def propose_fact(
        self,
        content: str,
        *,
        domain: str,
        topic: str,
        repo: str | None = None,
        memory_type: MemoryType | str | None = None,
        veracity: Veracity | str | None = None,
        evidence: str | None = None,
        confidence: float | None = None,
        valid_until: datetime | str | None = None,
        sources: Sequence[str] = (),
        agent: str | None = None,
    ) -> Proposed:
        """Add a fact to what is known, in place of what it corrects or beside it; the answer says what became of it."""
        from trinho.application import facts
        from trinho.application.proposal import FactDraft

        draft = FactDraft(
            content,
            domain,
            topic,
            self.project_named(repo),
            memory_type,
            veracity,
            evidence,
            confidence,
            valid_until,
            sources,
            agent,
        )
        return facts.propose(self.session, draft)

    def supersede_fact(self, id: str, content: str, *, reason: str | None = None) -> Proposed:
        from trinho.application import facts

        return facts.supersede(self.session, id, content, reason)

    def facts(
        self, *, domain: str | None = None, everything: bool = False, as_of: datetime | str | None = None
    ) -> list[Listed]:
        """The active facts, or those that were believed then; with `everything` also what holds no more."""
        from trinho.application import facts

        return facts.listing(self.session, domain, everything=everything, as_of=as_of)

    def fact(self, id: str) -> Fact:
        from trinho.application import facts

        return facts.show(self.session, id)

    def as_fact(self, entry: Entry) -> Fact:
        """An entry that was read, with what is counted of it."""
        from trinho.application.facts import Fact

        return Fact(entry, entry.knowledge, self.session.workspace.ledger.knowledge.counts([entry.id])[entry.id])

    def propose_policy(
        self,
        rule: str,
        *,
        domain: str,
        repo: str | None = None,
        required_role: str | None = None,
        sources: Sequence[str] = (),
    ) -> ProposedPolicy:
        from trinho.application import policies

        repo = self.project_named(repo)
        return policies.propose(self.session, rule, domain, repo=repo, required_role=required_role, sources=sources)

    def supersede_policy(self, id: str, rule: str, *, reason: str | None = None) -> ProposedPolicy:
        from trinho.application import policies

        return policies.supersede(self.session, id, rule, reason)

    def policies(self, *, project: str | None = None, everything: bool = False) -> list[Listed]:
        from trinho.application import policies

        return policies.listing(self.session, project, everything=everything)

    def switch_policy(self, id: str, *, on: bool) -> int:
        from trinho.application import policies

        return policies.switch(self.session, id, on=on)

    def domains(self) -> list[Domain]:
        from trinho.application import domains

        return domains.listing(self.session)

    def create_domain(self, name: str, *, label: str = "", description: str = "") -> Domain:
        from trinho.application import domains

        return domains.create(self.session, name, label, description)

    def grants(self) -> list[tuple[str, DomainKey, Permission]]:
        from trinho.application import domains

        return domains.grants(self.session)

    def set_grant(self, role: str, domain: str, permission: Permission | str | None) -> None:
        """What a role may do in a domain; None takes its row away, which means read."""
        from trinho.application import domains

        domains.set_grant(self.session, role, domain, permission)

    def conflicts(self, state: ConflictState | str | None = None) -> list[Conflict]:
        from trinho.application import conflicts

        return conflicts.listing(self.session, state)

    def settle_conflict(self, number: int, winner: Winner) -> Conflict:
        from trinho.application import conflicts

        return conflicts.settle(self.session, number, winner)

    def overturn_conflict(self, number: int) -> Conflict:
        from trinho.application import conflicts

        return conflicts.overturn(self.session, number)

    def inbox(self) -> list[Listed]:
        from trinho.application import inbox

        return inbox.listing(self.session)

    def held(self, id: str) -> Entry:
        """A held entry, as it is shown to the person who decides."""
        from trinho.application import inbox

        return inbox.held(self.session, id).entry

    def accept(self, id: str, *, expected_version: int) -> Accepted:
        from trinho.application import inbox

        return inbox.accept(self.session, id, expected_version)

    def reject(self, id: str, *, expected_version: int) -> int:
        from trinho.application import inbox

        return inbox.reject(self.session, id, expected_version)

    def notes(self, *, agent: str | None = None) -> Entry | None:
        from trinho.application import notes

        return notes.show(self.session, agent)

    def update_my_notes(self, content: str, *, agent: str | None = None) -> Entry:
        from trinho.application import notes

        return notes.replace(self.session, content, agent)

    def record_observation(self, content: str, *, agent: str | None = None) -> Observation:
        from trinho.application import notes

        return notes.observe(self.session, content, agent)

    def remember(
        self,
        content: str,
        *,
        memory_type: MemoryType | str | None = None,
        importance: float = 0.5,
        life: timedelta | None = None,
    ) -> HotItem:
        """Something for the session; it goes by itself after its life, a week where none is said."""
        from trinho.application import notes

        return notes.remember(self.session, content, memory_type=memory_type, importance=importance, life=life)

    def remembered(self) -> list[HotItem]:
        from trinho.application import notes

        return notes.remembered(self.session)

    def log_append(self, text: str, *, project: str | None = None) -> Entry:
        """A line in today's log."""
        from trinho.application import logs

        return logs.append(self.session, text, project)

    def harvest_decisions(self, text: str, *, meeting: str | None = None, repo: str | None = None) -> Harvested:
        """The decisions of a meeting's minutes as facts of the domain `decisions`, each once."""
        from trinho.application import harvest

        return harvest.harvest(self.session, text, meeting, self.project_named(repo))

    def consolidate(self, *, dry_run: bool = False) -> Consolidated:
        from trinho.application import consolidation

        return consolidation.consolidate(self.session, dry_run=dry_run)

    def harmonize(self, *, dry_run: bool = False) -> Consolidated:
        from trinho.application import consolidation

        return consolidation.harmonize(self.session, dry_run=dry_run)

    # -- projects -----------------------------------------------------------------------------------------------

    def project_of(self, folder: str | os.PathLike[str] = ".", *, register: bool = True) -> Project | None:
        """Which project a folder belongs to, and why; None for the person's home."""
        from trinho.application import projects

        return projects.of_folder(self.session, _path(folder), register=register)

    def project_named(self, name: str | None) -> str | None:
        """The id of a project by its id or its slug."""
        from trinho.application import projects

        return projects.named(self.session, name)

    def holds_project(self, id: str) -> bool:
        """Whether anything is kept for it."""
        from trinho.application import projects

        return projects.holds_something(self.session, id)

    def projects(self) -> list[Project]:
        from trinho.application import projects

        return projects.registered(self.session)

    def join_project(self, folder: str | os.PathLike[str], name: str) -> Project:
        from trinho.application import projects

        return projects.join(self.session, _path(folder), name)

    def split_project(self, folder: str | os.PathLike[str]) -> Project:
        from trinho.application import projects

        return projects.split(self.session, _path(folder))

    def isolate_worktree(self, folder: str | os.PathLike[str]) -> Project:
        from trinho.application import projects

        return projects.isolate(self.session, _path(folder))

    # -- agents' clients ----------------------------------------------------------------------------------------

    def plan_setup(self, client: ClientSettings, wiring: Wiring) -> list[FileChange]:
        """What is to be changed so that an agent's client starts us; nothing is written."""
        from trinho.application import setup

        return setup.installing(self.session, client, wiring)

    def plan_removal(self, client: ClientSettings, folder: str | None = None) -> list[FileChange]:
        """What is to be changed so that nothing of ours is left in a client's settings; nothing is written."""
        from trinho.application import setup

        return setup.removing(self.session, client, folder)

    def forget_setup(self, client: ClientSettings, folder: str | None = None) -> None:
        """Forget that a client was set up, where its settings have nothing of ours left."""
        from trinho.application import setup

        setup.forget(self.session, client, folder)

    def apply_setup(self, client: ClientSettings, changes: Sequence[FileChange]) -> None:
        """Write what was planned; FileChangedError where a file has changed since."""
        from trinho.application import setup

        setup.apply(self.session, client, changes)

    # -- taking back, moving, removing --------------------------------------------------------------------------

    def undo(self, run: str | int | None = None) -> Undone:
        from trinho.application import undo

        return undo.undo(self.session, None if run is None else str(run))

    def move(self, id: str, to: str) -> Entry:
        from trinho.application import move

        return move.move(self.session, id, to)

    def may_purge(self, id: str) -> MemoryId:
        """The ID, if the actor may purge it."""
        from trinho.application import forget

        return forget.purgeable(self.session, id)

    def purge(self, id: str) -> Purged:
        from trinho.application import forget

        return forget.purge(self.session, id)

    def blocked_in(self, text: str) -> Sequence[SecretFound]:
        """What would be refused in a text as a secret."""
        from trinho.application import secrets

        return secrets.blocked_in(self.session, text)

    def allow_secrets(self, found: Sequence[SecretFound], reason: str) -> Sequence[AllowedSecret]:
        """Let through from now on what `blocked_in` found."""
        from trinho.application import secrets

        return secrets.allow(self.session, found, reason)

    def allowed_secrets(self) -> Sequence[AllowedSecret]:
        from trinho.application import secrets

        return secrets.listing(self.session)

    def audit(self, limit: int = 50) -> Sequence[AuditLine]:
        from trinho.application import trail

        return trail.newest(self.session, limit)

    def verify_audit(self) -> AuditReport:
        from trinho.application import trail

        return trail.verify(self.session)

    def rebuild_index(self, progress: Progress | None = None) -> int | None:
        """How many files were read; None for an agent, who may not see all of them."""
        from trinho.application import reindex

        return reindex.rebuild_on_request(self.session, progress)

    def index_status(self) -> IndexStatus:
        from trinho.application import doctor

        return doctor.index_status(self.session)

    def doctor(self, *, fix: bool = False) -> Diagnosis:
        """What is wrong with the root; with `fix` what can lose nothing is mended first."""
        from trinho.application import doctor

        return doctor.mend(self.session) if fix else doctor.examine(self.session)

    def import_markdown(self, path: str | os.PathLike[str], into: str) -> Imported:
        return self.import_from("markdown", path, into=into)

    def import_from(
        self,
        kind: SourceKind | str,
        path: str | os.PathLike[str],
        *,
        into: str | None = None,
        project: str | None = None,
    ) -> Imported:
        """Bring in a folder; see docs/how-to/import.md for its kinds and for where it goes when `into` doesn't say."""
        from trinho.application import transfer

        return transfer.import_from(self.session, self._open_folders(), as_source(kind), _path(path), into, project)

    def export(self, scope: str | None = None) -> Exported:
        from trinho.application import transfer

        return transfer.export(self.session, scope)

    def export_to(self, path: str | os.PathLike[str], scope: str | None = None) -> Exported:
        """Write the files of the entries into a new folder, laid out as in the root."""
        path = _path(path)
        exported = self.export(scope)
        files = [(self.file_of(file.id), file.raw) for file in exported.files]
        self._open_folders().write(path, [*files, *exported.indexes], self.session.workspace.root)
        return exported

    def file_of(self, id: MemoryId | str) -> str:
        """Where a person finds the entry's file, relative to the root."""
        memory_id = id if isinstance(id, MemoryId) else parse_memory_id(id)
        return self.session.workspace.store.path_of(memory_id)

    def document(self, id: str) -> tuple[Entry, bytes]:
        """The entry and its whole file, to be edited."""
        from trinho.application.memory import fetch

        loaded = fetch(self.session, "get", id)
        return loaded.entry, loaded.file.raw

    def replace_document(self, id: str, raw: bytes, *, expected_version: int) -> Entry:
        """Save an edited file, if the entry is still at that version."""
        from trinho.domain.arguments import expect_bytes

        expect_bytes("raw", raw)
        return self.service.update(id, Draft(), expected_version, raw)


def draft(
    body: str | None,
    kind: Kind | str | None,
    type: EntryType | str | None,
    name: str | None,
    description: str | None,
) -> Draft:
    """The draft that plain values make; InvalidEntryError names a kind or type that there isn't."""
    return Draft(body, as_kind(kind), as_type(type), name, description)


def as_kind(text: Kind | str | None) -> Kind | None:
    """The kind of that name, or InvalidEntryError."""
    try:
        return None if text is None else Kind(text)
    except ValueError as error:
        raise InvalidEntryError("kind", str(text), f"choose one of {', '.join(Kind)}") from error


def as_type(text: EntryType | str | None) -> EntryType | None:
    """The type of that name, or InvalidEntryError."""
    try:
        return None if text is None else EntryType(text)
    except ValueError as error:
        raise InvalidEntryError("type", str(text), f"choose one of {', '.join(EntryType)}") from error


def as_source(text: SourceKind | str) -> SourceKind:
    """The kind of import of that name, or InvalidEntryError."""
    from trinho.ports.source import SourceKind

    try:
        return SourceKind(text)
    except ValueError as error:
        raise InvalidEntryError("kind", str(text), f"choose one of {', '.join(SourceKind)}") from error


def _path(path: str | os.PathLike[str]) -> str:
    try:
        return os.fsdecode(path)
    except TypeError as error:
        raise InvalidEntryError("path", repr(path), "give a text or a path object") from error


def as_kinds(texts: Iterable[str]) -> frozenset[Kind]:
    from trinho.domain.arguments import expect_texts

    expect_texts("kinds", texts)
    return frozenset(kind for text in texts if (kind := as_kind(text)) is not None)


def as_types(texts: Iterable[str]) -> frozenset[EntryType]:
    from trinho.domain.arguments import expect_texts

    expect_texts("types", texts)
    return frozenset(type for text in texts if (type := as_type(text)) is not None)
