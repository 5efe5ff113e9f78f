"""Roles from YAML: the built-in ones, a person's changes, and all faults at once."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from trinho.access.actor import RoleActor
from trinho.access.built_in import BUILT_IN, built_in_roles
from trinho.access.catalog import TOOLS
from trinho.access.decision import Allow
from trinho.access.definition import read_definitions
from trinho.access.engine import decide
from trinho.access.grant import parse_grant
from trinho.access.registry import adjust_roles, load_roles
from trinho.access.request import MemoryRequest
from trinho.domain.ids import parse_memory_id
from trinho.errors import InvalidDefinitionError

if TYPE_CHECKING:
    from trinho.access.role import Role

TEXT = files("trinho.access").joinpath("roles.yaml").read_text(encoding="utf-8")
KNOWLEDGE = {"shared:facts", "shared:policies", "project:*:facts", "project:*:policies"}
ALL = {"shared", "project:*"}
# role: tools, written besides its own private branch, workspace read, workspace written
TABLE: dict[str, tuple[str, set[str], tuple[str, ...], tuple[str, ...]]] = {
    "main": ("Read Glob Grep Bash WebSearch WebFetch Skill", ALL, (".",), ()),
    "worker": (" ".join(TOOLS), KNOWLEDGE, (".",), (".",)),
    "search": ("Read Glob Grep WebSearch WebFetch", KNOWLEDGE, (".",), ()),
    "librarian": (
        "Read Glob Grep WebSearch WebFetch Skill",
        {"shared:reference", "project:*:refs", *KNOWLEDGE},
        (".",),
        (),
    ),
    "read-thread": ("Read Glob Grep", KNOWLEDGE, (".",), ()),
    "review": ("Read Glob Grep", KNOWLEDGE, (".",), ()),
    "oracle": ("Read Glob Grep WebSearch", KNOWLEDGE, (".",), ()),
    "compaction": ("", set(), (), ()),
    "titling": ("", set(), (), ()),
}


@pytest.fixture(scope="module")
def built_in() -> dict[str, Role]:
    return load_roles(TEXT, "roles.yaml")


def test_what_is_read_ahead_is_what_the_file_says() -> None:
    definitions, faults = read_definitions(TEXT)
    assert (definitions, faults) == (BUILT_IN, [])
    assert built_in_roles() == load_roles(TEXT, "roles.yaml")


def test_the_built_in_roles_are_those_of_the_table(built_in: dict[str, Role]) -> None:
    assert list(built_in) == list(TABLE)
    assert all(role.id == name for name, role in built_in.items())


@pytest.mark.parametrize("name", TABLE)
def test_a_built_in_role_is_as_the_table_says(built_in: dict[str, Role], name: str) -> None:
    role = built_in[name]
    tools, written, read_roots, write_roots = TABLE[name]
    assert set(role.tools) == set(tools.split())
    assert {str(grant) for grant in role.memory_read} == {*ALL, f"private:{name}"}
    assert {str(grant) for grant in role.memory_write} == {*written, f"private:{name}"}
    assert (role.workspace_read, role.workspace_write) == (read_roots, write_roots)
    assert role.skills == (("memory",) if name in ("main", "worker", "librarian") else ())
    assert role.mcp_servers == ("trinho",)
    assert role.subagents == ()
    assert set(role.delegates_to) == (set(TABLE) - {"main"} if name == "main" else set())
    assert role.reports_to == (None if name == "main" else "main")


def test_the_catalog_of_tools_is_closed() -> None:
    assert set(TOOLS) == set("Read Write Edit Glob Grep Bash WebSearch WebFetch Skill".split())  # noqa: SIM905 - as the contract has it


def test_all_faults_come_at_once() -> None:
    text = """
roles:
  a:
    tools: [Read, Shell, Read]
    skills: [memory]
    memory_read: [project, "private:b"]
    memory_write: [shared]
    workspace_write: [.]
    delegates_to: [a, ghost]
    colour: [red]
  b: {tools: Read, delegates_to: [c]}
  c: {delegates_to: [b]}
"""
    with pytest.raises(InvalidDefinitionError) as caught:
        load_roles(text, "my roles.yaml")
    error = caught.value
    assert error.error_code == "INVALID_DEFINITION"
    assert error.message.startswith("my roles.yaml: ")
    faults = error.fields["faults"]
    assert isinstance(faults, list)
    places = sorted((fault.split(": ")[0], fault.rsplit(" [", 1)[1].rstrip("]")) for fault in faults)
    assert places == [
        ("a.colour", "UNKNOWN_KEY"),
        ("a.delegates_to", "INVALID_DELEGATION"),
        ("a.delegates_to", "UNKNOWN_RELATION"),
        ("a.memory_read", "FOREIGN_PRIVATE_GRANT"),
        ("a.memory_read", "INVALID_MEMORY_GRANT"),
        ("a.memory_write", "INVALID_MEMORY_GRANT"),
        ("a.skills", "INVALID_SKILL_GRANT"),
        ("a.tools", "DUPLICATE_GRANT"),
        ("a.tools", "UNKNOWN_TOOL"),
        ("a.workspace_write", "INVALID_WORKSPACE_GRANT"),
        ("b.delegates_to", "INVALID_DELEGATION"),
        ("b.tools", "INVALID_VALUE"),
    ]


@pytest.mark.parametrize("text", ["", "roles: {}", "roles:\n", "[]", "roles: {a: [}"])
def test_a_text_without_roles_is_refused(text: str) -> None:
    with pytest.raises(InvalidDefinitionError):
        load_roles(text, "roles.yaml")


def test_own_private_memory_and_the_server_may_be_written_out() -> None:
    text = "roles: {a: {memory_read: ['private:a'], memory_write: ['private:a:x'], mcp_servers: [trinho]}}"
    role = load_roles(text, "roles.yaml")["a"]
    assert role.memory_read == (parse_grant("private:a"),)
    assert role.memory_write == (parse_grant("private:a:x"), parse_grant("private:a"))
    assert role.mcp_servers == ("trinho",)


@pytest.mark.parametrize("text", ["", "# nothing\n", "roles: {}", "roles: {worker: {}}"])
def test_no_change_changes_nothing(built_in: dict[str, Role], text: str) -> None:
    assert adjust_roles(built_in, text, "user") == built_in


def test_a_named_key_is_replaced_and_the_others_stay(built_in: dict[str, Role]) -> None:
    adjusted = adjust_roles(built_in, "roles: {worker: {memory_write: ['shared:facts']}}", "user")
    worker, before = adjusted["worker"], built_in["worker"]
    assert worker.memory_write == (parse_grant("shared:facts"), parse_grant("private:worker"))
    assert (worker.tools, worker.memory_read, worker.skills) == (before.tools, before.memory_read, before.skills)
    assert {name: role for name, role in adjusted.items() if name != "worker"} == {
        name: role for name, role in built_in.items() if name != "worker"
    }


def test_an_added_role_is_one_that_main_delegates_to(built_in: dict[str, Role]) -> None:
    adjusted = adjust_roles(built_in, "roles: {tester: {memory_read: [shared], reports_to: main}}", "user")
    assert adjusted["main"].delegates_to == (*built_in["main"].delegates_to, "tester")
    tester = RoleActor(adjusted["tester"])
    assert decide(MemoryRequest(tester, "read", parse_memory_id("shared:a"))) == Allow()
    assert decide(MemoryRequest(tester, "write", parse_memory_id("private:tester:a"))) == Allow()
    assert decide(MemoryRequest(tester, "write", parse_memory_id("shared:a"))) != Allow()


def test_main_can_be_kept_from_delegating_to_all(built_in: dict[str, Role]) -> None:
    adjusted = adjust_roles(built_in, "roles: {main: {delegates_to: [worker]}, tester: {}}", "user")
    assert adjusted["main"].delegates_to == ("worker",)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("roles: {worker: {memory_read: [shared]}}", "worker.memory_write"),
        ("roles: {worker: {skills: []}}", "worker.skills"),
        ("roles: {worker: {workspace_read: []}}", "worker.workspace_write"),
        ("roles: {worker: {delegates_to: [main]}}", "a cycle: main → worker → main"),
        ("roles: {worker: {memory_read: [shared, 'project:*', 'private:main']}}", "FOREIGN_PRIVATE_GRANT"),
        ("roles: {principal: {}}", "principal: that is the person's name"),
    ],
)
def test_the_outcome_of_a_change_is_judged_as_a_whole(built_in: dict[str, Role], text: str, fault: str) -> None:
    with pytest.raises(InvalidDefinitionError) as caught:
        adjust_roles(built_in, text, "user")
    assert fault in caught.value.message
