"""Domains of knowledge and what roles may do in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trinho.access.domains import Domain, DomainKey, Permission, parse_domain
from trinho.access.request import ReservedAct
from trinho.application import reindex
from trinho.application.act import writing
from trinho.domain.arguments import expect_text
from trinho.domain.audit import AuditEvent
from trinho.domain.chain import head_of
from trinho.domain.ids import parse_memory_id
from trinho.errors import InvalidEntryError

if TYPE_CHECKING:
    from trinho.application.session import Session


def ensure(session: Session, key: DomainKey) -> None:
    """Make the domain if nobody has and nothing says it is of it; every role may write there at first."""
    if session.workspace.domains.read().get(key) is not None:
        return
    rows = reindex.ask(session, lambda index: index.about(lambda _: True, key.name))
    if not any(row.id.branch == key.branch for row in rows):
        _make(session, key, "", "")


def create(session: Session, text: str, label: str = "", description: str = "") -> Domain:
    """A domain that is there from now on, with what it is about."""
    with session.auditing("domain create", None):
        key = parse_domain(text)
        expect_text("label", label)
        expect_text("description", description)
    session.authorize("domain create", "write", parse_memory_id(":".join((*key.branch, "facts", key.name, "any"))))
    with session.auditing("domain create", str(key)):
        if session.workspace.domains.read().get(key) is not None:
            raise InvalidEntryError("domain", str(key), "it is there already")
        return _make(session, key, label, description)


def _make(session: Session, key: DomainKey, label: str, description: str) -> Domain:
    actor = session.actor.name
    rows = dict.fromkeys(session.workspace.roles(), Permission.WRITE)
    domain = Domain(key, label, description, actor, rows)
    with writing(session):
        if session.workspace.domains.read().get(key) is None:
            session.workspace.domains.add(domain)
            _tell(session, "domain create", str(key))
    return domain


def listing(session: Session) -> list[Domain]:
    """The domains that the actor may know of, also those that were never made and have entries."""
    with session.auditing("domain list", None):
        hidden = session.hidden_domains()
        known = {domain.key: domain for domain in session.workspace.domains.read().all()}
        sees = session.sees()
        for row in reindex.ask(session, lambda index: index.listing(sees)):
            if row.knowledge.domain and row.id.parts[0] != "private":
                key = DomainKey(row.knowledge.domain, row.id.owner)
                known.setdefault(key, Domain(key))
    session.record("domain list", None)
    return [known[key] for key in sorted(known, key=str) if key not in hidden]


def grants(session: Session) -> list[tuple[str, DomainKey, Permission]]:
    """Every row: role, domain, permission."""
    session.authorize_act(ReservedAct.GRANT)
    session.record("grant list", None)
    return [
        (role, domain.key, held)
        for domain in session.workspace.domains.read().all()
        for role, held in sorted(domain.permissions.items())
    ]


def set_grant(session: Session, role: str, text: str, permission: Permission | str | None) -> None:
    """Set what a role may do in a domain, or with None take its row away; only a person may."""
    session.authorize_act(ReservedAct.GRANT)
    operation = "grant unset" if permission is None else "grant set"
    with session.auditing(operation, None):
        key = parse_domain(text)
        expect_text("role", role)
        if role not in session.workspace.roles():
            raise InvalidEntryError("role", role, f"choose one of {', '.join(session.workspace.roles())}")
        try:
            held = None if permission is None else Permission(permission)
        except ValueError as error:
            raise InvalidEntryError("permission", str(permission), f"choose one of {', '.join(Permission)}") from error
        with writing(session):
            session.workspace.domains.set_permission(key, role, held)
            _tell(session, operation, f"{role} {key}" if held is None else f"{role} {key} {held}")


def _tell(session: Session, operation: str, subject: str) -> None:
    last = session.record_writes([AuditEvent(session.actor.name, operation, subject, "allowed")])[-1]
    session.workspace.ledger.commit({}, last.seq, head_of(last))
