"""Roles: what an agent may use, read, write and hand on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from trinho.access.grant import Grant


class Role(NamedTuple):
    """A list of capabilities under a name; what it doesn't list is denied.

    `delegates_to` names roles one by one, also where the definition said `*`; `delegates_to_all` remembers that it did.
    Workspace roots are relative to the workspace or absolute. `reports_to` grants nothing.
    """

    id: str
    tools: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    subagents: tuple[str, ...] = ()
    mcp_servers: tuple[str, ...] = ()
    memory_read: tuple[Grant, ...] = ()
    memory_write: tuple[Grant, ...] = ()
    workspace_read: tuple[str, ...] = ()
    workspace_write: tuple[str, ...] = ()
    delegates_to: tuple[str, ...] = ()
    reports_to: str | None = None
    delegates_to_all: bool = False
