"""Role definitions as they are written, before any law is asked: text to lists of names, with faults of shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trinho.access.role import EVERY_OTHER_ROLE
from trinho.errors import shown

if TYPE_CHECKING:
    from trinho.access.role import Role
    from trinho.access.strict_yaml import Value

LIST_KEYS = (
    "tools",
    "skills",
    "subagents",
    "mcp_servers",
    "memory_read",
    "memory_write",
    "workspace_read",
    "workspace_write",
    "delegates_to",
)
NAME_KEY = "reports_to"

# Key → the names under it; NAME_KEY has at most one.
Definition = dict[str, tuple[str, ...]]


class Fault(NamedTuple):
    """What is wrong with a key of a role (`key` is empty where it is the role itself), with a code for programs."""

    role: str
    key: str
    code: str
    reason: str

    def __str__(self) -> str:
        place = f"{shown(self.role)}.{shown(self.key)}" if self.key else shown(self.role)
        return f"{place}: {self.reason} [{self.code}]"


def read_definitions(text: str) -> tuple[dict[str, Definition], list[str]]:
    """Role → definition of every role in `roles:`, and every fault of syntax and shape.

    A key of the wrong shape still gives the names that can be made out, so that its other faults are found as well.
    """
    from trinho.access.strict_yaml import read_strict_yaml  # it costs a cold start more than all the rest

    value, faults = read_strict_yaml(text)
    if not isinstance(value, dict):
        return {}, [*faults, "it must be a mapping with the key `roles`"]
    faults += [f"unknown key `{shown(key)}`" for key in value if key != "roles"]
    roles = value.get("roles", {})
    if not isinstance(roles, dict):
        return {}, [*faults, "`roles` must be a mapping of roles"]
    definitions: dict[str, Definition] = {}
    for role, keys in roles.items():
        definitions[role], shape = _definition(role, keys)
        faults += [str(fault) for fault in shape]
    return definitions, faults


def _definition(role: str, keys: Value) -> tuple[Definition, list[Fault]]:
    if not isinstance(keys, dict):
        return {}, [Fault(role, "", "INVALID_ROLE", "it must be a mapping")]
    definition: Definition = {}
    faults: list[Fault] = []
    for key, value in keys.items():
        if key in LIST_KEYS:
            sound = isinstance(value, list) and all(isinstance(item, str) for item in value)
            expected = "a list of names"
        elif key == NAME_KEY:
            sound, expected = isinstance(value, str), "one name"
        else:
            faults.append(Fault(role, key, "UNKNOWN_KEY", f"known are {', '.join((*LIST_KEYS, NAME_KEY))}"))
            continue
        definition[key] = _names(value)
        if not sound:
            faults.append(Fault(role, key, "INVALID_VALUE", f"it must be {expected}"))
    return definition, faults


def _names(value: Value) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,) if value else ()
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def definition_of(role: Role) -> Definition:
    """The definition that a role would be loaded from."""
    return {
        "tools": role.tools,
        "skills": role.skills,
        "subagents": role.subagents,
        "mcp_servers": role.mcp_servers,
        "memory_read": tuple(str(grant) for grant in role.memory_read),
        "memory_write": tuple(str(grant) for grant in role.memory_write),
        "workspace_read": role.workspace_read,
        "workspace_write": role.workspace_write,
        "delegates_to": (EVERY_OTHER_ROLE,) if role.delegates_to_all else role.delegates_to,
        "reports_to": () if role.reports_to is None else (role.reports_to,),
    }
