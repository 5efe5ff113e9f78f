"""The policy engine: a request and the definitions in it, to a decision.

Every rule of a request's type is asked; any denial beats any permission, and what no rule allows is denied,
so the order of the rules never matters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

from trinho.access.actor import Actor, Principal, RoleActor
from trinho.access.decision import Allow, Decision, Deny, DenyCode, foremost
from trinho.access.grant import Everything, Grant, Sight, covering
from trinho.access.request import DomainRequest, MemoryRequest, Operation, ReservedAct, ReservedActRequest
from trinho.domain.ids import INDEX_NAME, TEAM, MemoryId
from trinho.errors import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from trinho.access.role import Role

Opinion = Allow | Deny | None


def decide(request: object) -> Decision:
    """Whether the request may be done; one that is malformed or of unknown type may not."""
    rules = RULES.get(type(request))
    if rules is None:
        return Deny(DenyCode.UNKNOWN_REQUEST, type(request).__name__, None, "no rule speaks of requests of this type")
    return settle(rules, request)


def settle(rules: Sequence[Callable[[Any], Opinion]], request: object) -> Decision:
    """One decision from what the rules say, the same in any order."""
    opinions = [_opinion(rule, request) for rule in rules]
    denials = [o for o in opinions if isinstance(o, Deny)]
    if denials:
        return foremost(denials)
    if any(isinstance(o, Allow) for o in opinions):
        return Allow()
    return Deny(DenyCode.UNKNOWN_REQUEST, type(request).__name__, None, "no rule allows it")


def _opinion(rule: Callable[[Any], Opinion], request: object) -> Opinion:
    try:
        return rule(request)
    except Exception as error:  # noqa: BLE001 - whatever keeps a rule from answering must never open anything
        reason = f"a rule could not answer: {type(error).__name__}"
        return Deny(DenyCode.UNKNOWN_REQUEST, type(request).__name__, None, reason)


def _memory_request_is_well_formed(request: MemoryRequest) -> Opinion:
    scope: object = request.scope
    if request.operation in get_args(Operation) and isinstance(scope, MemoryId | Grant):
        return None
    return Deny(DenyCode.UNKNOWN_REQUEST, "MemoryRequest", None, "ask to read or write an id or a grant")


def _act_is_known(request: ReservedActRequest) -> Opinion:
    act: object = request.act
    if isinstance(act, ReservedAct):
        return None
    return Deny(DenyCode.UNKNOWN_REQUEST, "ReservedActRequest", None, "there is no such act")


def _actor_is_known(request: MemoryRequest | DomainRequest | ReservedActRequest) -> Opinion:
    actor: object = request.actor
    if isinstance(actor, Principal | RoleActor):
        return None
    return Deny(DenyCode.UNKNOWN_ACTOR, shown(str(actor)), None, "the actor must be the principal or a defined role")


def _the_person_may(request: MemoryRequest | DomainRequest | ReservedActRequest) -> Opinion:
    return Allow() if isinstance(request.actor, Principal) else None


def _private_is_its_owners_alone(request: MemoryRequest) -> Opinion:
    scope, actor = request.scope, request.actor
    if not isinstance(actor, RoleActor) or scope.parts[0] != "private" or scope.owner == actor.role.id:
        return None
    reason = f"`{scope.owner}`'s private memory is its owner's alone; no grant opens it"
    return Deny(DenyCode.PRIVATE_MEMORY_DENIED, str(scope), None, reason)


def _a_grant_covers(request: MemoryRequest) -> Opinion:
    actor, scope = request.actor, request.scope
    if not isinstance(actor, RoleActor):
        return None
    if any(_covers(grant, scope) for grant in _grants(actor.role, request.operation)):
        return Allow()
    reason = f"no grant of `{actor.name}` covers it; `{scope}` under memory_{request.operation} would open it"
    return Deny(DenyCode.MEMORY_NOT_GRANTED, str(scope), str(scope), reason)


def _covers(grant: Grant, scope: MemoryId | Grant) -> bool:
    return grant.covers_grant(scope) if isinstance(scope, Grant) else grant.covers(scope)


def _grants(role: Role, operation: Operation) -> tuple[Grant, ...]:
    return role.memory_read if operation == "read" else role.memory_write


def _its_permission_suffices(request: DomainRequest) -> Opinion:
    actor = request.actor
    if not isinstance(actor, RoleActor):
        return None
    if request.held.suffices_for(request.needed):
        return Allow()
    opens = f"{actor.name} {request.domain} {request.needed}"
    reason = f"`{actor.name}` has `{request.held}` there; a person can open it: `trinho grant set {opens}`"
    return Deny(DenyCode.INSUFFICIENT_MEMORY_PERMISSION, str(request.domain), opens, reason)


def _agents_may_not(request: ReservedActRequest) -> Opinion:
    if not isinstance(request.actor, RoleActor):
        return None
    act = str(request.act)
    reason = f"`{act}` is reserved to a person, at a terminal of their own"
    return Deny(DenyCode.RESERVED_FOR_PRINCIPAL, act, None, reason)


# INVARIANT: a type of request that is not a key here is denied.
RULES: dict[type, tuple[Callable[[Any], Opinion], ...]] = {
    MemoryRequest: (
        _memory_request_is_well_formed,
        _actor_is_known,
        _the_person_may,
        _private_is_its_owners_alone,
        _a_grant_covers,
    ),
    DomainRequest: (_actor_is_known, _the_person_may, _its_permission_suffices),
    ReservedActRequest: (_act_is_known, _actor_is_known, _the_person_may, _agents_may_not),
}


def visible(actor: Actor) -> Sight:
    """A fast predicate for many IDs: true where `decide` lets the actor read the ID."""
    if isinstance(actor, Principal):
        return Everything()
    role = actor.role
    return covering(g for g in role.memory_read if g.parts[0] != "private" or g.owner == role.id)


_Kept = Literal["facts", "policies", "logs", "notes"]
_WAYS: dict[_Kept, str] = {
    "facts": "facts are proposed: `trinho fact propose`, `trinho fact supersede`",
    "policies": "policies are proposed: `trinho policy propose`, `trinho policy supersede`",
    "logs": "the day's log is added to: `trinho log append`",
    "notes": "an agent's notes have commands of their own: `trinho notes set`, `trinho notes append`",
}


def decide_reserved(actor: Actor, id: MemoryId) -> Decision:
    """Whether the actor may create, update or delete the ID by the generic doors, as far as its branch is concerned.

    It speaks of reserved branches only: ask `decide` first whether the actor may write there at all.
    """
    if isinstance(actor, Principal):
        return Allow()
    if id.parts[-1] == INDEX_NAME:
        return Deny(DenyCode.RESERVED_MEMORY_BRANCH, str(id), None, "the index is kept by trinho")
    kept = _kept_branch(id)
    if kept is None:
        return Allow()
    return Deny(DenyCode.RESERVED_MEMORY_BRANCH, str(id), None, _WAYS[kept])


def _kept_branch(id: MemoryId) -> _Kept | None:
    # Folded, since `Facts` and `facts` are one folder on many file systems.
    segments = tuple(segment.casefold() for segment in id.segments)
    scope = id.parts[0]
    if scope == "private" and (segments[0] == "notes" or (segments[0] == "agents" and segments[2:3] == ("notes",))):
        return "notes"
    if scope == "project" and segments[0] == TEAM:
        segments = segments[1:]
    for kept in ("facts", "policies", "logs"):
        if segments[:1] == (kept,):
            return kept
    return None
