"""Roles: what an agent may use, read, write and hand on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trinho.access.grant import Grant, parse_grant

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trinho.access.definition import Definition

OWN_SERVER = "trinho"
EVERY_OTHER_ROLE = "*"


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


def roles_of(definitions: Mapping[str, Definition]) -> dict[str, Role]:
    """The roles of definitions that break no law. Each also gets its own private branch and the server `trinho`."""
    return {name: _role(name, definition, definitions) for name, definition in definitions.items()}


def _role(name: str, definition: Definition, definitions: Mapping[str, Definition]) -> Role:
    delegates = definition.get("delegates_to", ())
    to_all = delegates == (EVERY_OTHER_ROLE,)
    return Role(
        id=name,
        tools=definition.get("tools", ()),
        skills=definition.get("skills", ()),
        subagents=definition.get("subagents", ()),
        mcp_servers=_with(OWN_SERVER, definition.get("mcp_servers", ())),
        memory_read=_grants(name, definition.get("memory_read", ())),
        memory_write=_grants(name, definition.get("memory_write", ())),
        workspace_read=definition.get("workspace_read", ()),
        workspace_write=definition.get("workspace_write", ()),
        delegates_to=every_other(name, definitions) if to_all else delegates,
        reports_to=next(iter(definition.get("reports_to", ())), None),
        delegates_to_all=to_all,
    )


def _grants(role: str, texts: tuple[str, ...]) -> tuple[Grant, ...]:
    return tuple(parse_grant(text) for text in _with(own_branch(role), texts))


def _with(name: str, names: tuple[str, ...]) -> tuple[str, ...]:
    return names if name in names else (*names, name)


def own_branch(role: str) -> str:
    """The grant that every role holds, to read and to write."""
    return f"private:{role}"


def every_other(role: str, roles: Mapping[str, object]) -> tuple[str, ...]:
    """What `*` stands for among the roles that a role delegates to."""
    return tuple(other for other in roles if other != role)
