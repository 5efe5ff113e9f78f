"""What stands before every write: no secret goes where others read, and a private one is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trinho.access.request import ReservedAct
from trinho.application.act import writing
from trinho.documents.secret_hints import could_hold_a_secret
from trinho.domain.audit import AuditEvent
from trinho.domain.chain import head_of
from trinho.domain.entry import MAX_ENTRY_BYTES, format_instant
from trinho.domain.ids import Scope
from trinho.errors import InvalidEntryError, SecretDetectedError, SecretScannerError, TrinhoError
from trinho.ports.secrets import AllowedSecret

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from trinho.application.session import Session
    from trinho.domain.entry import Draft
    from trinho.domain.ids import MemoryId
    from trinho.ports.secrets import SecretFound

DOCUMENT = "document"
_SHORTEST = 12  # characters of a part of an ID that could be a credential


class Found(NamedTuple):
    """What was found in a text and isn't let through: the part of it, the rule and the line."""

    part: str
    rule: str
    line: int


def refuse_in_name(session: Session, operation: str, memory_id: MemoryId) -> None:
    """SecretDetectedError if the ID itself holds a secret; its audit line then names no ID."""
    found = in_name(session, memory_id)
    if found is not None:
        error = SecretDetectedError(*found, None)
        session.record(operation, None, error=error)
        raise error


def in_name(session: Session, memory_id: MemoryId) -> Found | None:
    """The secret in an ID, if it holds one."""
    try:
        return _first(session, [("id", part) for part in memory_id.parts if len(part) >= _SHORTEST])
    except SecretScannerError:
        return None  # the text is looked at as well, and that is where it has to be said


def subject_to_record(session: Session, text: str | None) -> str | None:
    """The name that was asked for, unless a secret was given for one: the trail is never forgotten."""
    # The rules are loaded, and what is let through is read, for a name that looks like none
    if text is None or len(text) < _SHORTEST or not could_hold_a_secret(text):
        return text
    try:
        found = _first(session, [("id", part) for part in (text, *text.split(":"))])
    except TrinhoError:
        return text
    return text if found is None else None


def refuse_in_draft(session: Session, memory_id: MemoryId, draft: Draft, document: bytes | None = None) -> None:
    """SecretDetectedError if what is given holds a secret and others would read it; before anybody waits for us."""
    if memory_id.scope is Scope.PRIVATE:
        return
    given = [("body", draft.body), ("name", draft.name), ("description", draft.description)]
    parts = [(part, text) for part, text in given if text is not None and len(text) <= MAX_ENTRY_BYTES]
    if document is not None:
        parts.append((DOCUMENT, _text(document)))
    found = _first(session, parts)
    if found is not None:
        raise SecretDetectedError(*found, str(memory_id))


def refuse_in_text(session: Session, part: str, text: str) -> None:
    """SecretDetectedError if a text that becomes no entry holds a secret."""
    found = _first(session, [(part, text)])
    if found is not None:
        raise SecretDetectedError(*found, None)


def warnings_or_refuse(session: Session, memory_id: MemoryId, raw: bytes) -> tuple[str, ...]:
    """Look at a whole document before it is written: SecretDetectedError where others read, else what to tell."""
    if memory_id.scope is not Scope.PRIVATE:
        found = _first(session, [(DOCUMENT, _text(raw))])
        if found is not None:
            raise SecretDetectedError(*found, str(memory_id))
        return ()
    warning = warning_of_private(session, raw)
    if warning is None:
        return ()
    session.notices.append(f"`{memory_id}`: {warning}")
    return (warning,)


def reason_to_skip(session: Session, raw: bytes) -> str | None:
    """Why a file doesn't come in where others read it; names the rule and the line."""
    try:
        found = _first(session, [(DOCUMENT, _text(raw))])
    except SecretScannerError as error:
        return error.message
    return None if found is None else f"line {found.line} holds a secret, by the rule `{found.rule}`"


def warning_of_private(session: Session, raw: bytes) -> str | None:
    """What to tell of a private document that holds a secret, if it does."""
    try:
        found = _first(session, [(DOCUMENT, _text(raw))])
    except SecretScannerError as error:
        return error.message
    if found is None:
        return None
    return f"line {found.line} of its file holds a secret, by the rule `{found.rule}`; it is kept, as it is private"


def _first(session: Session, parts: Iterable[tuple[str, str]]) -> Found | None:
    for part, text in parts:
        for secret in _not_allowed(session, text):
            return Found(part, secret.rule, secret.line)
    return None


def _not_allowed(session: Session, text: str) -> Sequence[SecretFound]:
    workspace = session.workspace
    found = workspace.scanner.scan(text, workspace.allowed_secrets.salt)
    if not found:
        return ()
    allowed = {entry.fingerprint for entry in workspace.allowed_secrets.all()}
    return [secret for secret in found if secret.fingerprint not in allowed]


def _text(raw: bytes) -> str:
    return raw.decode(errors="replace")


# -- letting through ----------------------------------------------------------------------------------------------


def blocked_in(session: Session, text: str) -> Sequence[SecretFound]:
    """What would be refused in a text, for the person who may let it through."""
    session.authorize_act(ReservedAct.ALLOW_SECRET)
    with session.auditing(ReservedAct.ALLOW_SECRET.value, None), writing(session):
        session.workspace.allowed_secrets.begin()
    with session.auditing(ReservedAct.ALLOW_SECRET.value, None):
        return _not_allowed(session, text)


def allow(session: Session, found: Sequence[SecretFound], reason: str) -> Sequence[AllowedSecret]:
    """Let through from now on what was found, whichever rule finds it again; each is audited by its rule."""
    session.authorize_act(ReservedAct.ALLOW_SECRET)
    operation = ReservedAct.ALLOW_SECRET.value
    with session.auditing(operation, None):
        if not reason.strip():
            raise InvalidEntryError("reason", reason, "say why it is no secret, or why it may stand there")
        leak = _first(session, [("reason", reason)])
        if leak is not None:
            raise SecretDetectedError(*leak, None)
        with writing(session) as turn:
            at, actor = format_instant(turn.now), session.actor.name
            allowed = [AllowedSecret(each.fingerprint, each.rule, reason.strip(), at, actor) for each in found]
            if allowed:
                events = [AuditEvent(actor, operation, each.rule, "allowed") for each in allowed]
                last = session.record_writes(events)[-1]
                session.workspace.allowed_secrets.add(allowed)
                session.workspace.ledger.commit({}, last.seq, head_of(last))
    return allowed


def listing(session: Session) -> Sequence[AllowedSecret]:
    """What is let through, oldest first."""
    session.authorize_act(ReservedAct.ALLOW_SECRET)
    with session.auditing("secrets list", None):
        allowed = session.workspace.allowed_secrets.all()
    session.record("secrets list", None)
    return allowed
