"""Roles from their definitions: all of them sound, or none and every fault named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trinho.access.catalog import BUILT_IN_CATALOG, OWN_SERVER, Catalog
from trinho.access.definition import EVERY_OTHER_ROLE, Definition, definition_of, read_definitions
from trinho.access.grant import Grant, parse_grant
from trinho.access.laws import every_other, faults_of, own_branch
from trinho.access.role import Role
from trinho.errors import InvalidDefinitionError

if TYPE_CHECKING:
    from collections.abc import Mapping


def load_roles(text: str, source: str, catalog: Catalog = BUILT_IN_CATALOG) -> dict[str, Role]:
    """The roles that a YAML text defines, by name, or InvalidDefinitionError with every fault.

    `source` names the text in the error. Each role also gets its own private branch and the server `trinho`.
    """
    definitions, faults = read_definitions(text)
    if not definitions and not faults:
        faults = ["it defines no role"]
    return _sound_roles(definitions, faults, source, catalog)


def adjust_roles(
    built_in: Mapping[str, Role], text: str, source: str, catalog: Catalog = BUILT_IN_CATALOG
) -> dict[str, Role]:
    """The roles after a person's changes: a key that the text names replaces the role's, a new name adds a role.

    The outcome is judged as a whole; InvalidDefinitionError with every fault if it breaks a law.
    """
    changes, faults = read_definitions(text)
    definitions = {name: definition_of(role) for name, role in built_in.items()}
    for name, change in changes.items():
        definitions[name] = {**definitions.get(name, {}), **change}
    return _sound_roles(definitions, faults, source, catalog)


def _sound_roles(
    definitions: Mapping[str, Definition], faults: list[str], source: str, catalog: Catalog
) -> dict[str, Role]:
    faults = faults + [str(fault) for fault in faults_of(definitions, catalog)]
    if faults:
        raise InvalidDefinitionError(source, faults)
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
