"""The laws of definitions: each is broken once, and all are told at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trinho.access.catalog import BUILT_IN_CATALOG, Catalog
from trinho.access.laws import faults_of

if TYPE_CHECKING:
    from trinho.access.definition import Definition

SOUND: dict[str, Definition] = {
    "main": {"delegates_to": ("*",), "mcp_servers": ("trinho",)},
    "worker": {
        "tools": ("Read", "Skill"),
        "skills": ("memory",),
        "memory_read": ("shared", "project:*"),
        "memory_write": ("shared:facts", "project:*:facts", "private:worker"),
        "workspace_read": (".",),
        "workspace_write": ("src", "./docs/"),
        "reports_to": ("main",),
    },
}


def told(definitions: dict[str, Definition], catalog: Catalog = BUILT_IN_CATALOG) -> list[tuple[str, str, str]]:
    return [(fault.role, fault.key, fault.code) for fault in faults_of(definitions, catalog)]


def test_sound_definitions_break_no_law() -> None:
    assert told(SOUND) == []


@pytest.mark.parametrize(
    ("change", "key", "code"),
    [
        ({"tools": ("Read", "Shell")}, "tools", "UNKNOWN_TOOL"),
        ({"tools": ("read",)}, "tools", "UNKNOWN_TOOL"),
        ({"tools": ("mcp__trinho__search_memory",)}, "tools", "UNKNOWN_TOOL"),
        ({"tools": ("Read", "Read")}, "tools", "DUPLICATE_GRANT"),
        ({"tools": ("Skill",)}, "skills", "INVALID_SKILL_GRANT"),
        ({"skills": ("memory",)}, "skills", "INVALID_SKILL_GRANT"),
        ({"tools": ("Skill",), "skills": ("../x",)}, "skills", "INVALID_SKILL_GRANT"),
        ({"subagents": ("scout",)}, "subagents", "UNKNOWN_SUBAGENT"),
        ({"mcp_servers": ("github",)}, "mcp_servers", "UNKNOWN_MCP_SERVER"),
        ({"memory_read": ("project",)}, "memory_read", "INVALID_MEMORY_GRANT"),
        ({"memory_read": ("shared", "shared")}, "memory_read", "DUPLICATE_GRANT"),
        ({"memory_read": ("private:main",)}, "memory_read", "FOREIGN_PRIVATE_GRANT"),
        ({"memory_write": ("shared:facts",)}, "memory_write", "INVALID_MEMORY_GRANT"),
        (
            {"memory_read": ("shared:facts:*",), "memory_write": ("shared:facts",)},
            "memory_write",
            "INVALID_MEMORY_GRANT",
        ),
        ({"workspace_write": (".",)}, "workspace_write", "INVALID_WORKSPACE_GRANT"),
        ({"workspace_read": ("src",), "workspace_write": (".",)}, "workspace_write", "INVALID_WORKSPACE_GRANT"),
        ({"workspace_read": ("src",), "workspace_write": ("src2",)}, "workspace_write", "INVALID_WORKSPACE_GRANT"),
        ({"workspace_read": (".",), "workspace_write": ("/src",)}, "workspace_write", "INVALID_WORKSPACE_GRANT"),
        ({"workspace_read": ("a/../..",)}, "workspace_read", "INVALID_WORKSPACE_GRANT"),
        ({"workspace_read": ("~/x",)}, "workspace_read", "INVALID_WORKSPACE_GRANT"),
        ({"workspace_read": ("",)}, "workspace_read", "INVALID_WORKSPACE_GRANT"),
        ({"delegates_to": ("boss",)}, "delegates_to", "UNKNOWN_RELATION"),
        ({"delegates_to": ("a",)}, "delegates_to", "INVALID_DELEGATION"),
        ({"delegates_to": ("*", "b")}, "delegates_to", "DUPLICATE_GRANT"),
        ({"reports_to": ("boss",)}, "reports_to", "UNKNOWN_RELATION"),
        ({"reports_to": ("*",)}, "reports_to", "UNKNOWN_RELATION"),
        ({"reports_to": ("a",)}, "reports_to", "INVALID_DELEGATION"),
    ],
)
def test_a_broken_law_is_told_by_role_key_and_code(change: Definition, key: str, code: str) -> None:
    assert told({"a": change, "b": {}}) == [("a", key, code)]


@pytest.mark.parametrize("name", ["", "A", "a b", "a--b", "-a", "a_b", "*", "principal", "con", "a" * 65, "trí"])
def test_a_name_that_no_role_can_have(name: str) -> None:
    assert (name, "", "INVALID_ROLE") in told({name: {}})


def test_a_foreign_private_write_is_told_whatever_is_read() -> None:
    faults = told({"a": {"memory_read": ("private:b",), "memory_write": ("private:b:x",)}, "b": {}})
    assert faults == [("a", "memory_read", "FOREIGN_PRIVATE_GRANT"), ("a", "memory_write", "FOREIGN_PRIVATE_GRANT")]


def test_a_catalog_opens_names() -> None:
    catalog = Catalog(subagents=frozenset({"tester"}), mcp_servers=frozenset({"trinho", "github"}))
    definitions: dict[str, Definition] = {"a": {"subagents": ("tester",), "mcp_servers": ("github",)}}
    assert told(definitions, catalog) == []


def test_cycles_are_shown_in_the_direction_of_delegation() -> None:
    definitions: dict[str, Definition] = {
        "c": {"delegates_to": ("a",)},
        "a": {"delegates_to": ("b",)},
        "b": {"delegates_to": ("c",)},
        "x": {"delegates_to": ("y",)},
        "y": {"delegates_to": ("x", "a")},
    }
    reasons = sorted(str(fault) for fault in faults_of(definitions, BUILT_IN_CATALOG))
    assert reasons == [
        "a.delegates_to: a cycle: a → b → c → a [INVALID_DELEGATION]",
        "x.delegates_to: a cycle: x → y → x [INVALID_DELEGATION]",
    ]


def test_a_role_that_delegates_back_to_one_that_delegates_to_all_closes_a_cycle() -> None:
    definitions: dict[str, Definition] = {"main": {"delegates_to": ("*",)}, "a": {"delegates_to": ("main",)}}
    assert ("a", "delegates_to", "INVALID_DELEGATION") in told(definitions)


def test_a_long_line_of_delegation_is_judged() -> None:
    line: dict[str, Definition] = {f"r{n}": {"delegates_to": (f"r{n + 1}",)} for n in range(1500)}
    assert told({**line, "r1500": {}}) == []


GRAPHS = st.dictionaries(st.sampled_from("abcde"), st.sets(st.sampled_from("abcde")), max_size=5)


@given(GRAPHS)
def test_a_cycle_is_told_where_a_role_can_be_reached_from_itself(graph: dict[str, set[str]]) -> None:
    edges = {role: (graph.get(role, set()) - {role}) for role in "abcde"}
    reached = {role: set(others) for role, others in edges.items()}
    for _ in edges:
        reached = {role: others.union(*(reached[o] for o in others)) for role, others in reached.items()}
    cyclic = any(role in others for role, others in reached.items())
    definitions: dict[str, Definition] = {r: {"delegates_to": tuple(sorted(others))} for r, others in edges.items()}
    assert bool(told(definitions)) is cyclic
