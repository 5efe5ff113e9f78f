"""The laws that role definitions keep; each law yields its faults, so that all of them are told at once."""

from __future__ import annotations

import graphlib
import re
from typing import TYPE_CHECKING

from trinho.access.actor import PRINCIPAL
from trinho.access.catalog import SKILL_TOOL, TOOLS, Catalog
from trinho.access.definition import LIST_KEYS, NAME_KEY, Definition, Fault
from trinho.access.grant import Grant, parse_grant
from trinho.access.role import EVERY_OTHER_ROLE, every_other, own_branch
from trinho.domain.ids import segment_fault
from trinho.errors import InvalidMemoryGrantError, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

MAX_ROLE_NAME = 64
_ROLE_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_MEMORY_KEYS = ("memory_read", "memory_write")
_WORKSPACE_KEYS = ("workspace_read", "workspace_write")


def faults_of(definitions: Mapping[str, Definition], catalog: Catalog) -> list[Fault]:
    """Every fault of every definition, and of the relations between them."""
    faults: list[Fault] = []
    for role, definition in definitions.items():
        faults.extend(_name_is_sound(role))
        faults.extend(_names_are_known(role, definition, catalog))
        for law in _LAWS_OF_ONE:
            faults.extend(law(role, definition))
    faults.extend(_relations_are_known(definitions))
    faults.extend(_delegation_has_no_cycle(definitions))
    return faults


def _name_is_sound(role: str) -> Iterator[Fault]:
    if not _ROLE_NAME.fullmatch(role) or len(role) > MAX_ROLE_NAME:
        reason = f"a role's name is small letters, digits and single hyphens, at most {MAX_ROLE_NAME}"
        yield Fault(role, "", "INVALID_ROLE", reason)
    elif role == PRINCIPAL:
        yield Fault(role, "", "INVALID_ROLE", "that is the person's name")
    elif fault := segment_fault(role):
        yield Fault(role, "", "INVALID_ROLE", fault)


def _no_duplicates(role: str, definition: Definition) -> Iterator[Fault]:
    for key in LIST_KEYS:
        names = definition.get(key, ())
        for name in sorted({n for n in names if names.count(n) > 1}):
            yield Fault(role, key, "DUPLICATE_GRANT", f"`{shown(name)}` is there twice")


def _names_are_known(role: str, definition: Definition, catalog: Catalog) -> Iterator[Fault]:
    known = {
        "tools": ("UNKNOWN_TOOL", frozenset(TOOLS)),
        "subagents": ("UNKNOWN_SUBAGENT", catalog.subagents),
        "mcp_servers": ("UNKNOWN_MCP_SERVER", catalog.mcp_servers),
    }
    for key, (code, names) in known.items():
        for name in definition.get(key, ()):
            if name not in names:
                listed = ", ".join(TOOLS) if key == "tools" else ", ".join(sorted(names)) or "none"
                yield Fault(role, key, code, f"`{shown(name)}` is not in the catalog: {listed}")


def _skills_come_with_their_tool(role: str, definition: Definition) -> Iterator[Fault]:
    skills, has_tool = definition.get("skills", ()), SKILL_TOOL in definition.get("tools", ())
    if skills and not has_tool:
        yield Fault(role, "skills", "INVALID_SKILL_GRANT", f"skills need the tool {SKILL_TOOL}")
    if has_tool and not skills:
        yield Fault(role, "skills", "INVALID_SKILL_GRANT", f"the tool {SKILL_TOOL} is granted without a skill")
    for name in skills:
        if fault := segment_fault(name):
            yield Fault(role, "skills", "INVALID_SKILL_GRANT", f"`{shown(name)}` can't name a folder: {fault}")


def _grants_are_sound(role: str, definition: Definition) -> Iterator[Fault]:
    for key in _MEMORY_KEYS:
        for text in definition.get(key, ()):
            try:
                grant = parse_grant(text)
            except InvalidMemoryGrantError as error:
                yield Fault(role, key, "INVALID_MEMORY_GRANT", error.message)
                continue
            if grant.parts[0] == "private" and grant.owner != role:
                reason = f"`{shown(text)}` is another role's private memory, which no grant opens"
                yield Fault(role, key, "FOREIGN_PRIVATE_GRANT", reason)


def _memory_written_is_read(role: str, definition: Definition) -> Iterator[Fault]:
    readable = _sound_grants((*definition.get("memory_read", ()), own_branch(role)))
    for grant in _sound_grants(definition.get("memory_write", ())):
        if not any(read.covers_grant(grant) for read in readable):
            reason = f"no single grant of memory_read covers `{shown(str(grant))}`"
            yield Fault(role, "memory_write", "INVALID_MEMORY_GRANT", reason)


def _sound_grants(texts: tuple[str, ...]) -> list[Grant]:
    grants = []
    for text in texts:
        try:
            grants.append(parse_grant(text))
        except InvalidMemoryGrantError:
            continue  # told by the law of sound grants
    return grants


def _roots_are_sound(role: str, definition: Definition) -> Iterator[Fault]:
    for key in _WORKSPACE_KEYS:
        for root in definition.get(key, ()):
            if fault := _root_fault(root):
                yield Fault(role, key, "INVALID_WORKSPACE_GRANT", f"`{shown(root)}` can't be a root: {fault}")


def _root_fault(root: str) -> str | None:
    if not root or not root.isprintable():
        return "it is empty or holds a character that can't be seen"
    if root.startswith("~"):
        return "write the home folder out"
    if ".." in root.split("/"):
        return "it leads upwards"
    return None


def _workspace_written_is_read(role: str, definition: Definition) -> Iterator[Fault]:
    readable = [_steps(root) for root in definition.get("workspace_read", ())]
    for root in definition.get("workspace_write", ()):
        steps = _steps(root)
        if not any(steps[: len(read)] == read for read in readable):
            reason = f"no root of workspace_read holds `{shown(root)}`"
            yield Fault(role, "workspace_write", "INVALID_WORKSPACE_GRANT", reason)


def _steps(root: str) -> tuple[str, ...]:
    start = "/" if root.startswith("/") else "."
    return (start, *(step for step in root.split("/") if step not in ("", ".")))


def _relations_are_known(definitions: Mapping[str, Definition]) -> Iterator[Fault]:
    for role, definition in definitions.items():
        for key in ("delegates_to", NAME_KEY):
            yield from _relation_faults(role, key, definition.get(key, ()), definitions)


def _relation_faults(
    role: str, key: str, others: tuple[str, ...], definitions: Mapping[str, Definition]
) -> Iterator[Fault]:
    for other in others:
        if other == EVERY_OTHER_ROLE and key == "delegates_to":
            if len(others) > 1:
                yield Fault(role, key, "DUPLICATE_GRANT", "`*` is every other role already")
        elif other == role:
            yield Fault(role, key, "INVALID_DELEGATION", "a role can't be its own")
        elif other not in definitions:
            yield Fault(role, key, "UNKNOWN_RELATION", f"no role is called `{shown(other)}`")


def _delegation_has_no_cycle(definitions: Mapping[str, Definition]) -> Iterator[Fault]:
    graph = {role: _delegates(role, definitions) for role in definitions}
    while cycle := _cycle(graph):
        yield Fault(cycle[0], "delegates_to", "INVALID_DELEGATION", f"a cycle: {' → '.join(map(shown, cycle))}")
        graph[cycle[0]].discard(cycle[1])


def _delegates(role: str, definitions: Mapping[str, Definition]) -> set[str]:
    named = definitions[role].get("delegates_to", ())
    reached = every_other(role, definitions) if EVERY_OTHER_ROLE in named else named
    return {other for other in reached if other in definitions and other != role}


def _cycle(graph: Mapping[str, set[str]]) -> list[str]:
    """One cycle from delegator to delegate, beginning and ending with its first name by the alphabet; [] if none."""
    try:
        graphlib.TopologicalSorter({role: sorted(others) for role, others in graph.items()}).prepare()
    except graphlib.CycleError as error:
        ring: list[str] = error.args[1][:0:-1]
        turn = ring.index(min(ring))
        return [*ring[turn:], *ring[: turn + 1]]
    return []


_LAWS_OF_ONE: tuple[Callable[[str, Definition], Iterator[Fault]], ...] = (
    _no_duplicates,
    _skills_come_with_their_tool,
    _grants_are_sound,
    _memory_written_is_read,
    _roots_are_sound,
    _workspace_written_is_read,
)
