"""What can be asked of the policy engine: one type for each kind of request."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from trinho.access.actor import Actor
    from trinho.access.domains import DomainKey, Permission
    from trinho.access.grant import Grant
    from trinho.domain.ids import MemoryId

Operation = Literal["read", "write"]


class MemoryRequest(NamedTuple):
    """Read or write one entry, or all of a branch."""

    actor: Actor
    operation: Operation
    scope: MemoryId | Grant


class DomainRequest(NamedTuple):
    """Do something in a domain that needs a permission, where the actor's role has the one `held`."""

    actor: Actor
    domain: DomainKey
    needed: Permission
    held: Permission


class ReservedAct(StrEnum):
    """Acts that only a person does."""

    INBOX = "inbox"
    GRANT = "grant"
    POLICY_SWITCH = "policy on/off"
    OVERTURN = "conflicts overturn"
    PURGE = "forget --purge"
    IMPORT = "import"
    MEND = "doctor --fix"
    MIGRATE = "migrate"
    ALLOW_SECRET = "secrets allow"  # noqa: S105 - the name of a command
    PROJECT = "project join, split and isolate"
    SETUP = "setup"
    TRUST = "agent trust"
    TOKEN = "token"  # noqa: S105 - the name of a command


class ReservedActRequest(NamedTuple):
    """Do something that is reserved to a person."""

    actor: Actor
    act: ReservedAct
