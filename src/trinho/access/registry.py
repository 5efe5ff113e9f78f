"""Roles from their definitions: all of them sound, or none and every fault named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trinho.access.catalog import BUILT_IN_CATALOG, Catalog
from trinho.access.definition import Definition, definition_of, read_definitions
from trinho.access.laws import faults_of
from trinho.access.role import Role, roles_of
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
    return roles_of(definitions)
