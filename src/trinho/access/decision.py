"""What the policy engine answers."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class DenyCode(StrEnum):
    """Why a request was denied; each code has one condition.

    The order is the precedence: where several codes hold, the first of this list is told.
    """

    UNKNOWN_REQUEST = "UNKNOWN_REQUEST"
    UNKNOWN_ACTOR = "UNKNOWN_ACTOR"
    RESERVED_FOR_PRINCIPAL = "RESERVED_FOR_PRINCIPAL"
    POLICY_MUTATION_DENIED = "POLICY_MUTATION_DENIED"
    DEFINITION_MUTATION_DENIED = "DEFINITION_MUTATION_DENIED"
    RAW_RUNTIME_TOOL_DENIED = "RAW_RUNTIME_TOOL_DENIED"
    INDIRECT_TOOL_REQUEST = "INDIRECT_TOOL_REQUEST"
    PRIVATE_MEMORY_DENIED = "PRIVATE_MEMORY_DENIED"
    RESERVED_MEMORY_BRANCH = "RESERVED_MEMORY_BRANCH"
    MEMORY_NOT_GRANTED = "MEMORY_NOT_GRANTED"
    INSUFFICIENT_MEMORY_PERMISSION = "INSUFFICIENT_MEMORY_PERMISSION"
    WORKSPACE_READ_ONLY = "WORKSPACE_READ_ONLY"
    PATH_RESOLUTION_FAILED = "PATH_RESOLUTION_FAILED"
    WORKSPACE_SCOPE_MISMATCH = "WORKSPACE_SCOPE_MISMATCH"
    WORKSPACE_NOT_GRANTED = "WORKSPACE_NOT_GRANTED"
    DELEGATION_NOT_ALLOWED = "DELEGATION_NOT_ALLOWED"
    TOOL_NOT_GRANTED = "TOOL_NOT_GRANTED"
    SKILL_NOT_GRANTED = "SKILL_NOT_GRANTED"
    SUBAGENT_NOT_GRANTED = "SUBAGENT_NOT_GRANTED"
    MCP_SERVER_NOT_GRANTED = "MCP_SERVER_NOT_GRANTED"


_PRECEDENCE = {code: place for place, code in enumerate(DenyCode)}


class Allow(NamedTuple):
    """The request may be done."""

    granted: Literal[True] = True  # a tuple without fields would be false


class Deny(NamedTuple):
    """The request may not be done.

    `subject` is the name that was asked for, `grant_that_would_open` the narrowest grant that would allow it
    (None where no grant would), `reason` a sentence that says what to do.
    """

    code: DenyCode
    subject: str
    grant_that_would_open: str | None
    reason: str


Decision = Allow | Deny


def foremost(denials: Iterable[Deny]) -> Deny:
    """The one denial that is told, whatever the order in which they were found."""
    return min(denials, key=lambda d: (_PRECEDENCE[d.code], d.subject, d.grant_that_would_open or "", d.reason))
