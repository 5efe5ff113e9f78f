"""Puts the parts together: the only module that names an adapter.

An adapter that not every command needs is imported where it is made, so that a cold start pays only for its own.
"""

from __future__ import annotations

import os
from contextlib import closing
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from trinho.access.actor import PRINCIPAL, Actor, Principal, actor_named
from trinho.access.decision import Deny, DenyCode
from trinho.access.request import ReservedAct
from trinho.adapters.files.access import AccessFile
from trinho.adapters.files.audit import JsonLinesAudit
from trinho.adapters.files.mounts import network_file_system
from trinho.adapters.files.root import FORMAT, Root, holds_nothing, open_root, refuse_mask, whole_path
from trinho.adapters.files.store import MarkdownStore
from trinho.adapters.files.syscalls import FileSystem
from trinho.adapters.git.repositories import GitRepositories
from trinho.adapters.sqlite.ledger import SqliteLedger
from trinho.application.library import Memory
from trinho.application.session import Session, Workspace
from trinho.errors import (
    InvalidRootError,
    StoreFormatOlderError,
    StoreFullError,
    StoreReadOnlyError,
    UnknownActorError,
    shown,
)
from trinho.settings import Settings, load_settings, read_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from trinho.access.role import Role
    from trinho.adapters.files.migration import Migrated
    from trinho.adapters.secrets.kingfisher import Kingfisher
    from trinho.ports.clients import ClientSettings
    from trinho.ports.clock import Clock
    from trinho.ports.index import SearchIndex
    from trinho.ports.secrets import AllowedSecrets, SecretScanner
    from trinho.ports.source import Folders
    from trinho.ports.transcripts import Transcripts
    from trinho.ports.watch import ChangeWatch


CLIENTS = ("claude-code", "codex")
_AGENTS_DOOR = "a door of agents"


def open_memory(
    root: str | os.PathLike[str] | None = None,
    *,
    actor: str | None = None,
    environment: Mapping[str, str] | None = None,
) -> Memory:
    """An open memory: the root named, else that of the environment; the actor is the person unless a role is named."""
    from trinho.domain.arguments import expect_text

    try:
        named = None if root is None else os.fsdecode(root)
    except TypeError as error:
        raise InvalidRootError(repr(root), "it is no path", "give a text or a path object") from error
    expect_text("actor", actor, optional=True)
    return memory_of(load_settings(os.environ if environment is None else environment, root=named, actor=actor))


def memory_of(settings: Settings, *, create: bool = True, may_be_missing: bool = False) -> Memory:
    """An open memory with these settings.

    Without `create` a root that isn't there isn't made: it answers as an empty one does, or if the caller named it with
    InvalidRootError. Where it `may_be_missing` a named one answers, too, and nothing is told of it.
    """
    if create or not holds_nothing(settings.root):
        return Memory(open_session(settings), _folders)
    if may_be_missing:
        return Memory(_session(settings, _nothing(settings._replace(root_named=False))), _folders)
    session = _session(settings, _nothing(settings))
    session.notices.append(f"there is no memory at {session.workspace.root} yet; `trinho create` makes it")
    return Memory(session, _folders)


def memory_for_agent(settings: Settings, *, create: bool = True) -> Memory:
    """An open memory for a door that only agents come through: nobody is the principal there."""
    return memory_of(settings._replace(agent_client=settings.agent_client or _AGENTS_DOOR), create=create)


def client_settings(client: str, environment: Mapping[str, str]) -> ClientSettings:
    """Where `claude-code` or `codex` keeps its settings."""
    from trinho.adapters.clients.claude_code import ClaudeCodeSettings
    from trinho.adapters.clients.codex import CodexSettings
    from trinho.adapters.clients.files import Records

    records = Records(_setup_records())
    return CodexSettings(environment, records) if client == "codex" else ClaudeCodeSettings(environment, records)


def _setup_records() -> str:
    from platformdirs import user_state_dir

    return f"{user_state_dir('trinho')}/setup.json"


def _set_up_clients() -> list[ClientSettings]:
    """The clients of agents, where any was set up."""
    if not os.path.exists(_setup_records()):  # noqa: PTH110 - pathlib costs a cold start more
        return []
    return [client_settings(client, os.environ) for client in CLIENTS]


def _folders() -> Folders:
    from trinho.adapters.files.folders import PlainFolders

    return PlainFolders()


def migrate_root(settings: Settings) -> Migrated:
    """Move the root of the settings to the present format; what is changed is kept in a backup."""
    from trinho.adapters.files.migration import Migrated, migrate

    if holds_nothing(settings.root):
        _refuse_named(settings)
        return Migrated(FORMAT, FORMAT, None)
    session = _session_for_migrating(settings)
    with closing(session.workspace):
        session.authorize_act(ReservedAct.MIGRATE)
    migrated = migrate(settings.root, FileSystem(), _ledger)
    session = open_session(settings)
    with closing(session.workspace):
        session.record("migrate", None)
    return migrated


def _session_for_migrating(settings: Settings) -> Session:
    """The actor on the root where that can be opened; an older one has no trail in which a refusal could stand."""
    try:
        return open_session(settings)
    except StoreFormatOlderError:
        return _session(settings, _empty(settings))


def utc_now() -> datetime:
    return datetime.now(UTC)


def open_session(settings: Settings, *, fs: FileSystem | None = None, clock: Clock = utc_now) -> Session:
    """The actor of the settings at work on their root."""
    return _session(settings, open_workspace(settings, fs or FileSystem(), clock))


def _session(settings: Settings, workspace: Workspace) -> Session:
    session = Session(Principal(), workspace)
    try:
        session.session = _run_of(settings, session)
        session.actor = _actor(settings, session)
    except BaseException:
        workspace.close()
        raise
    return session


def open_workspace(settings: Settings, fs: FileSystem, clock: Clock) -> Workspace:
    """The root with its files, ledger, audit trail and, when it is asked for, its index."""
    root = open_root(settings.root, fs)
    try:
        ledger = _ledger(root)
        return Workspace(
            root=root.path,
            store=MarkdownStore(root, settings.lock_wait_seconds),
            ledger=ledger,
            audit=JsonLinesAudit(root, ledger, settings.lock_wait_seconds),
            open_index=lambda fresh: _index(root, fresh=fresh),
            clock=clock,
            close=root.close,
            open_scanner=_scanner,
            open_allowed_secrets=lambda: _allowed_secrets(root),
            spare_index=_spare_index,
            remarks=lambda: _placed(root),
            open_watch=lambda folders: _watch(root, folders),
            clients=_set_up_clients,
            domains=AccessFile(root),
            repositories=GitRepositories(os.environ),
            scratch_index=_spare_index,
            roles=lambda: sorted(_roles(settings)),
            strict=settings.strict,
            open_transcripts=_transcripts,
        )
    except BaseException:
        root.close()
        raise


def _nothing(settings: Settings) -> Workspace:
    """What answers where there is no root, and leaves nothing behind."""
    refuse_mask(whole_path(settings.root))
    _refuse_named(settings)
    return _empty(settings)


def _empty(settings: Settings) -> Workspace:
    """A workspace in memory that stands for a root."""
    from trinho.adapters.inmemory.allowed import InMemoryAllowed
    from trinho.adapters.inmemory.audit import InMemoryAudit
    from trinho.adapters.inmemory.domains import InMemoryDomains
    from trinho.adapters.inmemory.index import InMemoryIndex
    from trinho.adapters.inmemory.ledger import InMemoryLedger
    from trinho.adapters.inmemory.store import InMemoryStore

    ledger = InMemoryLedger()
    return Workspace(
        root=whole_path(settings.root),
        store=InMemoryStore(),
        ledger=ledger,
        audit=InMemoryAudit(ledger),
        open_index=lambda _: InMemoryIndex(),
        clock=utc_now,
        close=lambda: None,
        open_scanner=_scanner,
        open_allowed_secrets=InMemoryAllowed,
        domains=InMemoryDomains(),
        repositories=GitRepositories(os.environ, may_mark=False),
        scratch_index=InMemoryIndex,
        roles=lambda: sorted(_roles(settings)),
    )


def _refuse_named(settings: Settings) -> None:
    if settings.root_named:
        hint = "correct the name, or make a memory there with `trinho create`"
        raise InvalidRootError(whole_path(settings.root), "no memory is there", hint)


def _ledger(root: Root) -> SqliteLedger:
    path = root.state_path("ledger.db")
    try:
        return SqliteLedger(path, shared_memory=network_file_system(root.fd) is None)
    except StoreReadOnlyError:
        return SqliteLedger(path, read_only=True)


def _index(root: Root, *, fresh: bool) -> SearchIndex:
    from trinho.adapters.sqlite.index import SqliteIndex

    try:
        return SqliteIndex(index_path(root), fresh=fresh)
    except (StoreReadOnlyError, StoreFullError):
        return _spare_index()


def index_path(root: Root) -> str:
    """Where the index lies: in the root, or in the user's cache where the root is on a network file system."""
    if network_file_system(root.fd) is None:
        return root.state_path("index.db")
    from platformdirs import user_cache_dir

    folder = f"{user_cache_dir('trinho')}/index"
    os.makedirs(folder, mode=0o700, exist_ok=True)  # noqa: PTH103 - see settings: a cold start
    return f"{folder}/{sha256(root.path.encode(errors='surrogateescape')).hexdigest()[:16]}.db"


def _scanner() -> SecretScanner:
    from trinho.adapters.secrets.scanner import RuleScanner

    return RuleScanner(_kingfisher)


def _kingfisher() -> Kingfisher:
    from platformdirs import user_cache_dir

    from trinho.adapters.secrets.kingfisher import Kingfisher

    # INVARIANT: not below the root, which may come from elsewhere: kingfisher trusts what it compiled earlier
    return Kingfisher(f"{user_cache_dir('trinho')}/secret-rules")


def _allowed_secrets(root: Root) -> AllowedSecrets:
    from trinho.adapters.files.allowed import AllowedFile

    return AllowedFile(root)


def _placed(root: Root) -> list[str]:
    """A remark for the person where the index isn't in the root."""
    kind = network_file_system(root.fd)
    return [] if kind is None else [f"the root lies on {kind}, so its index is kept in {index_path(root)}"]


def _transcripts() -> Transcripts:
    from trinho.adapters.clients.transcripts import ClientTranscripts

    return ClientTranscripts(os.environ)


def _watch(root: Root, folders: Sequence[str]) -> ChangeWatch | None:
    """A watch on the folders; None where the system hears of no changes, or has no room for so many."""
    if network_file_system(root.fd) is not None:
        return None
    # It loads a hundred milliseconds of modules, which only a process that lives on gets back
    from trinho.adapters.files.watch import FolderWatch

    try:
        return FolderWatch(root.path, folders)
    except OSError:
        return None


def _spare_index() -> SearchIndex:
    """An index that lives as long as the process, so that searching works where nothing can be written."""
    from trinho.adapters.sqlite.index import SqliteIndex

    return SqliteIndex("", memory=True)


def _actor(settings: Settings, session: Session) -> Actor:
    """The actor by its name. Inside an agent's client nobody is the principal."""
    if settings.actor == PRINCIPAL:
        if settings.agent_client is None:
            return Principal()
        told = (
            "this door is for agents"
            if settings.agent_client == _AGENTS_DOOR
            else (f"{settings.agent_client} is set, so an agent's client runs this")
        )
        reason = f"{told}; name a role with --as"
        raise session.denied("open", None, Deny(DenyCode.RESERVED_FOR_PRINCIPAL, PRINCIPAL, None, reason))
    try:
        return actor_named(settings.actor, _roles(settings))
    except UnknownActorError as error:
        session.record("open", None, error=error, actor=shown(settings.actor))
        raise


def _run_of(settings: Settings, session: Session) -> str | None:
    """The name of the client's run, which every line of the trail carries, unless a secret was given for one."""
    name = settings.session
    if name is not None and session.nameable_run(name) is None:
        session.notices.append("TRINHO_SESSION holds a secret, so the trail doesn't carry it; give the run a name")
        return None
    return name


def _roles(settings: Settings) -> dict[str, Role]:
    """The built-in roles, adjusted by the user's own file; a project's files have no say."""
    from trinho.access.built_in import built_in_roles

    roles = built_in_roles()
    adjustments = None if settings.roles_file is None else read_file(settings.roles_file)
    if settings.roles_file is None or adjustments is None:
        return roles
    from trinho.access.registry import adjust_roles

    return adjust_roles(roles, adjustments, settings.roles_file)
