"""Policies: rules of a domain that every agent is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from trinho.access.domains import BRANCHES, Permission, domain_of, is_policy, parse_domain
from trinho.access.request import ReservedAct
from trinho.application import domains, reindex, secrets
from trinho.application.act import writing
from trinho.application.entries import load
from trinho.application.facts import expect_current, new_id, rewriting
from trinho.application.memory import next_version, put, turn_or_conflict
from trinho.application.proposal import expect_content, names
from trinho.documents.codec import Document, encode, first_line
from trinho.domain.arguments import expect_text
from trinho.domain.entry import Draft, EntryType, Kind
from trinho.domain.ids import parse_memory_id
from trinho.domain.knowledge import Knowledge, Status, Veracity
from trinho.errors import InvalidEntryError, MemoryEntryNotFoundError, TrinhoError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from trinho.access.domains import DomainKey
    from trinho.access.grant import Sight
    from trinho.application.act import Change, Writing
    from trinho.application.entries import Loaded
    from trinho.application.session import Session
    from trinho.domain.ids import MemoryId
    from trinho.ports.index import Listed

MANY_CHARACTERS = 1500  # of active policies, past which their author is warned
PROPOSES_AT_ONCE = "main"  # the one role whose policies need no acceptance
_POLICIES = BRANCHES[1]
_SOUND = (Veracity.STATED, Veracity.INFERRED)
_WORDS_IN_AN_ID = 6


@dataclass(frozen=True, slots=True)
class ProposedPolicy:
    """A policy as it was taken in; `held` if a person must accept it first, `note` what its author should know."""

    id: MemoryId
    held: bool = False
    superseded: tuple[MemoryId, ...] = ()
    note: str | None = None


def propose(
    session: Session,
    rule: str,
    domain: str,
    *,
    repo: str | None = None,
    required_role: str | None = None,
    sources: Sequence[str] = (),
) -> ProposedPolicy:
    """A rule that agents are told from now on, or once a person accepts it."""
    with session.auditing("propose_policy", None):
        text = expect_content("rule", rule)
        key = parse_domain(domain, repo)
        _expect_role(session, required_role)
        memory_id = _new_id(session, key, text)
    session.authorize("propose_policy", "write", memory_id)
    with session.auditing("propose_policy", str(memory_id)):
        domains.ensure(session, key)  # in a new one every role may write
    session.authorize_domain("propose_policy", key, Permission.WRITE, memory_id)
    with session.auditing("propose_policy", str(memory_id)):
        said = Knowledge(
            domain=key.name,
            author=session.actor.name,
            sources=_sources(session, sources),
            required_role=required_role or "",
            status=_status(session),
        )
        secrets.refuse_in_draft(session, memory_id, Draft(text))
        with writing(session) as turn:
            memory_id = _new_id(session, key, text)  # another process may have made one since
            _place(turn, memory_id, text, said)
    return ProposedPolicy(memory_id, held=said.status is Status.HELD, note=_note(session, memory_id, said, text))


def supersede(session: Session, id: str, rule: str, reason: str | None = None) -> ProposedPolicy:
    """A rule in the place of another; where a person must accept it, the old one holds until then."""
    memory_id = session.parse("supersede_policy", id)
    session.authorize("supersede_policy", "read", memory_id)
    with session.auditing("supersede_policy", str(memory_id)):
        text = expect_content("rule", rule)
        expect_text("reason", reason, optional=True)
        key = _key(memory_id)
        new = _new_id(session, key, text)
    session.authorize("supersede_policy", "write", new)
    session.authorize_domain("supersede_policy", key, Permission.WRITE, new)
    with session.auditing("supersede_policy", str(memory_id)):
        secrets.refuse_in_draft(session, new, Draft(text))
        with writing(session) as turn:
            old = load(session.workspace, memory_id)
            expect_current(session, old)
            before = old.decoded.document.knowledge
            said = Knowledge(
                domain=key.name,
                author=session.actor.name,
                sources=before.sources,
                required_role=before.required_role,
                supersedes=(str(memory_id),),
                status=_status(session),
            )
            held = said.status is Status.HELD
            new = _new_id(session, key, text)
            version, raw = _file(turn, new, text, said)
            changes = [put(turn, "create", new, raw, version, None)]
            if not held:
                changes.append(replaced(turn, old, new))
            turn.perform(changes)
    superseded = () if held else (memory_id,)
    return ProposedPolicy(new, held, superseded, _note(session, new, said, text))


def switch(session: Session, id: str, *, on: bool) -> int:
    """Switch a policy on or off; answers with its version. Only a person may."""
    memory_id = session.parse(ReservedAct.POLICY_SWITCH.value, id)
    session.authorize_act(ReservedAct.POLICY_SWITCH, memory_id)
    operation = "policy on" if on else "policy off"
    with session.auditing(operation, str(memory_id)):
        _key(memory_id)
        with writing(session) as turn:
            loaded = load(session.workspace, memory_id)
            document = loaded.decoded.document
            if document.knowledge.switched_off is not on:
                return loaded.entry.version
            knowledge = document.knowledge._replace(switched_off=not on)
            turn_or_conflict(turn, rewriting(turn, loaded, document._replace(knowledge=knowledge)))
            return loaded.entry.version + 1


def listing(session: Session, project: str | None = None, *, everything: bool = False) -> list[Listed]:
    """The policies that the actor may read: of the workspace and the project, or with `everything` all of all."""
    with session.auditing("policy list", None):
        rows = active(session, project) if not everything else _all(session)
    session.record("policy list", None)
    return rows


def active(session: Session, project: str | None, now: datetime | None = None) -> list[Listed]:
    """The policies in force for one who works on the project, in the order of domain and ID."""
    sees = session.sees()
    now = now or session.workspace.clock()
    branches = [("shared",)] if project is None else [("shared",), ("project", project)]
    rows = [row for branch in branches for row in _below(session, sees, branch)]
    return sorted((row for row in rows if _is_active(row, now)), key=lambda row: (row.knowledge.domain, str(row.id)))


def _below(session: Session, sees: Sight, branch: tuple[str, ...]) -> list[Listed]:
    place = session.workspace.store.path_of(parse_memory_id(":".join((*branch, _POLICIES, "x")))).rpartition("/")[0]
    return reindex.ask(session, lambda index: index.listing(sees, f"{place}/"))


def _all(session: Session) -> list[Listed]:
    sees = session.sees()
    return [row for row in reindex.ask(session, lambda index: index.listing(sees)) if is_policy(row.id)]


def _is_active(row: Listed, now: datetime) -> bool:
    said = row.knowledge
    over = said.valid_until is not None and said.valid_until <= now
    return said.status is Status.ACTIVE and not (said.switched_off or said.superseded_by or over)


def replaced(turn: Writing, old: Loaded, by: MemoryId) -> Change:
    """The change by which a rule says that another has taken its place."""
    before = old.decoded.document
    return rewriting(turn, old, before._replace(knowledge=before.knowledge._replace(superseded_by=str(by))))


def _place(turn: Writing, memory_id: MemoryId, text: str, said: Knowledge) -> None:
    version, raw = _file(turn, memory_id, text, said)
    turn_or_conflict(turn, put(turn, "create", memory_id, raw, version, None))


def _file(turn: Writing, memory_id: MemoryId, text: str, said: Knowledge) -> tuple[int, bytes]:
    version = next_version(turn.session, memory_id)
    document = Document(
        name=first_line(text)[:60].rstrip() or memory_id.parts[-1],
        description=first_line(text),
        type=EntryType.PROJECT,
        kind=Kind.DECISION,
        version=version,
        created_at=turn.now,
        updated_at=turn.now,
        body=text,
        knowledge=said,
    )
    return version, encode(document)


def _new_id(session: Session, key: DomainKey, text: str) -> MemoryId:
    return new_id(key, _POLICIES, " ".join(text.split()[:_WORDS_IN_AN_ID]), text, session)


def _key(memory_id: MemoryId) -> DomainKey:
    key = domain_of(memory_id)
    if key is None or not is_policy(memory_id):
        raise MemoryEntryNotFoundError(str(memory_id))
    return key


def _status(session: Session) -> Status:
    waits = session.is_agent and (session.workspace.strict or session.actor.name != PROPOSES_AT_ONCE)
    return Status.HELD if waits else Status.ACTIVE


def _sources(session: Session, given: Sequence[str]) -> tuple[str, ...]:
    """What a rule rests on; what was imported or came from a tool can't carry one."""
    for name in names(session, "sources", given):
        try:
            document = load(session.workspace, parse_memory_id(name)).decoded.document
        except TrinhoError:  # an observation, which is what its agent saw itself
            continue
        if document.kind is Kind.FACT and (document.knowledge.veracity or Veracity.UNKNOWN) not in _SOUND:
            raise InvalidEntryError("sources", name, "a policy rests on what was stated or inferred alone")
    return tuple(given)


def _expect_role(session: Session, role: str | None) -> None:
    expect_text("required_role", role, optional=True)
    if role is not None and role not in session.workspace.roles():
        raise InvalidEntryError("required_role", role, f"choose one of {', '.join(session.workspace.roles())}")


def _note(session: Session, memory_id: MemoryId, said: Knowledge, text: str) -> str | None:
    if said.status is Status.HELD:
        return "held until a person accepts it"
    project = memory_id.owner
    total = len(text) + sum(len(row.description) for row in active(session, project) if row.id != memory_id)
    if total <= MANY_CHARACTERS:
        return None
    return f"the active policies have {total} characters; every agent is told all of them, so keep them short"
