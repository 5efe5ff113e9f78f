"""Who asks, on what: the only object a door receives."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

from trinho.access.actor import Principal
from trinho.access.decision import Deny, DenyCode
from trinho.access.domains import DomainKey, Permission, Unhidden, domain_of, domain_said
from trinho.access.engine import decide, decide_reserved, visible
from trinho.access.grant import Grant, parse_grant
from trinho.access.request import DomainRequest, MemoryRequest, Operation, ReservedAct, ReservedActRequest
from trinho.domain.audit import AuditEvent, AuditLine, Result
from trinho.domain.ids import MemoryId, parse_memory_id
from trinho.errors import (
    AccessDeniedError,
    InsufficientMemoryPermissionError,
    InvalidMemoryGrantError,
    InvalidMemoryIdError,
    StoreClosedError,
    StoreFullError,
    StoreReadOnlyError,
    TrinhoError,
    UnauthorizedMemoryAccessError,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from trinho.access.actor import Actor
    from trinho.access.grant import Sight
    from trinho.ports.audit import AuditLog
    from trinho.ports.clients import ClientSettings
    from trinho.ports.clock import Clock
    from trinho.ports.domains import DomainStore
    from trinho.ports.index import SearchIndex
    from trinho.ports.ledger import Ledger
    from trinho.ports.projects import Repositories
    from trinho.ports.secrets import AllowedSecrets, SecretScanner
    from trinho.ports.store import EntryStore
    from trinho.ports.transcripts import Transcripts
    from trinho.ports.watch import ChangeWatch

_UUID = 36  # characters


class Workspace:
    """One memory root through its ports. What not every request needs is opened when it is first asked for."""

    def __init__(
        self,
        *,
        root: str,
        store: EntryStore,
        ledger: Ledger,
        audit: AuditLog,
        open_index: Callable[[bool], SearchIndex],
        clock: Clock,
        close: Callable[[], None],
        open_scanner: Callable[[], SecretScanner],
        open_allowed_secrets: Callable[[], AllowedSecrets],
        spare_index: Callable[[], SearchIndex] | None = None,
        remarks: Callable[[], Sequence[str]] = tuple,
        open_watch: Callable[[Sequence[str]], ChangeWatch | None] = lambda _: None,
        clients: Callable[[], Sequence[ClientSettings]] = tuple,
        domains: DomainStore,
        repositories: Repositories,
        scratch_index: Callable[[], SearchIndex],
        roles: Callable[[], Sequence[str]] = tuple,
        strict: bool = False,
        open_transcripts: Callable[[], Transcripts] | None = None,
    ) -> None:
        self.root = root
        self.store = store
        self.ledger = ledger
        self.audit = audit
        self.clock = clock
        self.domains = domains
        self.repositories = repositories
        self.scratch_index = scratch_index  # one that is kept nowhere
        self.roles = roles  # the names of all of them
        self.strict = strict  # a person accepts whatever agents write for others
        self.open_transcripts = open_transcripts  # of clients; None where none is kept
        self._open_index = open_index
        self.remarks = remarks  # what a person who looks after the root should know of its place
        self.clients = clients  # of agents that were set up on this machine, by this user
        self.open_watch = open_watch  # of folders; None where they can't be watched
        self.watch: ChangeWatch | None = None
        self._close = close
        self._spare_index = spare_index
        self._index: SearchIndex | None = None
        self._open_scanner = open_scanner
        self._open_allowed_secrets = open_allowed_secrets
        self._scanner: SecretScanner | None = None
        self._allowed_secrets: AllowedSecrets | None = None
        self.closed = False

    @property
    def scanner(self) -> SecretScanner:
        if self._scanner is None:
            self._scanner = self._open_scanner()
        return self._scanner

    @property
    def allowed_secrets(self) -> AllowedSecrets:
        if self._allowed_secrets is None:
            self._allowed_secrets = self._open_allowed_secrets()
        return self._allowed_secrets

    @property
    def index(self) -> SearchIndex:
        if self._index is None:
            self._index = self._open_index(False)
        return self._index

    def renew_index(self) -> None:
        """Begin with an empty index, whatever state the present one is in; no byte of it stays."""
        if self._index is None:
            self._index = self._open_index(True)
        else:
            self._index.clear()

    def reopen_index(self) -> None:
        """Open the index again; another process, or a damage, has put a new file in the place of the old one."""
        if self._index is not None:
            self._index.close()
        self._index = self._open_index(False)

    def use_spare_index(self) -> bool:
        """Go on with an index that is kept nowhere, where there is one and it isn't in use already."""
        if self._spare_index is None:
            return False
        if self._index is not None:
            self._index.close()
        self._index, self._spare_index = self._spare_index(), None
        return True

    def stop_watching(self) -> None:
        if self.watch is not None:
            self.watch.close()
            self.watch = None

    def close(self) -> None:
        """Let go of everything; StoreClosedError to whoever asks for a part afterwards."""
        if self.closed:
            return
        self.closed = True
        self.stop_watching()
        if self._index is not None:
            self._index.close()
            self._index = None
        self.audit.close()
        self.ledger.close()
        self._close()
        closed = _Closed(self.root)
        self.store = self.audit = self.ledger = self.domains = closed
        self._open_index = lambda _: closed.refuse()


class _Closed:
    """In the place of a part of a workspace that was closed."""

    def __init__(self, root: str) -> None:
        self._root = root

    def __getattr__(self, name: str) -> Any:
        self.refuse()

    def refuse(self) -> NoReturn:
        raise StoreClosedError(self._root)


class Session:
    """An actor at work on a workspace. `session` names the run of a client; `notices` are remarks for the person."""

    def __init__(self, actor: Actor, workspace: Workspace) -> None:
        self.actor = actor
        self.workspace = workspace
        self.session: str | None = None
        self.notices: list[str] = []
        self.written: dict[MemoryId, None] = {}  # not yet in the index
        self.unlisted: dict[MemoryId, None] = {}  # in the index, not yet in MEMORY.md
        self.reconciled_at: datetime | None = None
        self.may_watch = True  # nothing has stood in the way of it yet
        self.trusts_index = False  # it is asked as it is: whoever asks looks at each file that is shown
        self.texts: dict[MemoryId, tuple[str, str]] = {}  # of entries that are told again and again
        self.told: dict[str, tuple[object, Any]] = {}  # parts of what is told, with what they hang on
        self.may_be_degraded = True  # a note of an earlier failure may stand in the ledger

    def sees(self) -> Sight:
        """Which IDs the actor may read, as one fast predicate."""
        seen = visible(self.actor)
        hidden = self.hidden_domains()
        return Unhidden(seen, hidden, lambda: self._said_to_be_of(hidden)) if hidden else seen

    def hidden_domains(self) -> frozenset[DomainKey]:
        """The domains of which the actor may know nothing."""
        if isinstance(self.actor, Principal):
            return frozenset()
        return self.workspace.domains.read().hidden_from(self.actor.name)

    def _said_to_be_of(self, hidden: frozenset[DomainKey]) -> list[MemoryId]:
        index = self.workspace.index
        rows = (row for name in {key.name for key in hidden} for row in index.about(visible(self.actor), name))
        return [row.id for row in rows if domain_said(row.id, row.knowledge.domain) in hidden]

    def indexed(self) -> None:
        """The index now covers what was written; MEMORY.md follows when the session is closed."""
        self.unlisted.update(self.written)
        self.written.clear()

    # -- parse → authorize → audit ------------------------------------------------------------------------------

    def parse(self, operation: str, text: str | MemoryId) -> MemoryId:
        """The ID, or an audited InvalidMemoryIdError."""
        if isinstance(text, MemoryId):
            return text
        try:
            return parse_memory_id(text)
        except InvalidMemoryIdError as error:
            self.record(operation, shown(str(text)), error=error)
            raise

    def parse_scope(self, operation: str, text: str) -> Grant:
        """The scope of a search, or an audited InvalidMemoryGrantError."""
        try:
            return parse_grant(text)
        except InvalidMemoryGrantError as error:
            self.record(operation, shown(str(text)), error=error)
            raise

    def authorize(self, operation: str, access: Operation, scope: MemoryId | Grant) -> None:
        """Return if the policy allows it; else the denial is audited and then raised."""
        decision = decide(MemoryRequest(self.actor, access, scope))
        if isinstance(decision, Deny):
            raise self.denied(operation, scope, decision)
        key = domain_of(scope) if isinstance(scope, MemoryId) else None
        if key is not None:
            self.authorize_domain(operation, key, Permission.READ, scope)

    @property
    def is_agent(self) -> bool:
        return not isinstance(self.actor, Principal)

    def authorize_change(self, operation: str, memory_id: MemoryId) -> None:
        """Deny an agent a change of what is there, where a person accepts whatever agents write for others."""
        if self.workspace.strict and self.is_agent and memory_id.parts[0] != "private":
            reason = "`strict` is on: agents add entries, which wait for a person, and change none"
            raise self.denied(operation, memory_id, Deny(DenyCode.RESERVED_FOR_PRINCIPAL, str(memory_id), None, reason))

    def authorize_domain(
        self, operation: str, key: DomainKey, needed: Permission, scope: MemoryId | Grant | None = None
    ) -> None:
        """Return if the actor's permission in a domain suffices; a denial is the same whether or not it holds any."""
        if isinstance(self.actor, Principal):
            return
        held = self.workspace.domains.read().permission(self.actor.name, key)
        decision = decide(DomainRequest(self.actor, key, needed, held))
        if isinstance(decision, Deny):
            raise self.denied(operation, scope, decision)

    def authorize_free(self, operation: str, memory_id: MemoryId) -> None:
        """Deny an agent's generic write into a branch that another command keeps."""
        decision = decide_reserved(self.actor, memory_id)
        if isinstance(decision, Deny):
            raise self.denied(operation, memory_id, decision)

    def authorize_act(self, act: ReservedAct, subject: MemoryId | None = None) -> None:
        """Deny an agent an act that is reserved to a person."""
        decision = decide(ReservedActRequest(self.actor, act))
        if isinstance(decision, Deny):
            raise self.denied(act.value, subject, decision)

    def denied(self, operation: str, scope: MemoryId | Grant | None, deny: Deny) -> UnauthorizedMemoryAccessError:
        kind = (
            InsufficientMemoryPermissionError
            if deny.code is DenyCode.INSUFFICIENT_MEMORY_PERMISSION
            else UnauthorizedMemoryAccessError
        )
        error = kind(
            deny.code.value,
            actor=self.actor.name,
            operation=operation,
            subject=deny.subject,
            grant_that_would_open=deny.grant_that_would_open,
            hint=deny.reason,
        )
        self.record(operation, None if scope is None else str(scope), error=error)
        return error

    # -- the audit trail ----------------------------------------------------------------------------------------

    def record(
        self,
        operation: str,
        subject: str | None,
        *,
        version: int | None = None,
        error: TrinhoError | None = None,
        run: int | None = None,
        included: tuple[tuple[str, int], ...] = (),
        actor: str | None = None,
    ) -> None:
        """Audit what needs no durability: reads, denials and failures. A root that can't be written is only told."""
        result: Result = "allowed" if error is None else "denied" if isinstance(error, AccessDeniedError) else "error"
        named = actor or self.actor.name
        if error is not None:  # what was refused can be anything
            subject, asked = self.nameable(subject), subject
            named, claimed = self.nameable(named) or "?", named
            for given, kept in ((asked, subject), (claimed, named)):
                if given is not None and given != kept:
                    error.redact(given)
        event = AuditEvent(
            named,
            operation,
            subject,
            result,
            code=None if error is None else error.error_code,
            version=version,
            session=self.session,
            run=run,
            included=included,
        )
        if error is not None:
            error.audited = True
        try:
            self.workspace.audit.append([event], self.workspace.clock(), durable=False)
        except (StoreReadOnlyError, StoreFullError) as fault:
            self.notices.append(f"not audited: {fault.message}")

    def nameable(self, text: str | None) -> str | None:
        """The name that somebody gave, for the trail; None where it is a secret, since the trail is never forgotten."""
        if text is None or self.workspace.closed:
            return text
        from trinho.application import secrets  # what is there was looked at when it was made

        return secrets.subject_to_record(self, text)

    def nameable_run(self, name: str) -> str | None:
        """The same for the run of a client. Clients name it by a UUID, for which no rules need loading."""
        return name if len(name) == _UUID and name.count("-") == 4 else self.nameable(name)

    @contextmanager
    def auditing(self, operation: str, subject: str | None) -> Iterator[None]:
        """Audit whatever error leaves the block, once."""
        try:
            yield
        except TrinhoError as error:
            if not error.audited:
                self.record(operation, subject, error=error)
            raise

    def record_writes(self, events: Sequence[AuditEvent]) -> list[AuditLine]:
        """Audit a run of writes durably, before they are done."""
        return self.workspace.audit.append(events, self.workspace.clock(), durable=True)
