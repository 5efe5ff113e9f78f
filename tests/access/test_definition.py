"""Definitions as they are written: keys, shapes, and the way back from a role."""

from __future__ import annotations

import pytest

from trinho.access.definition import definition_of, read_definitions
from trinho.access.grant import parse_grant
from trinho.access.role import Role


def test_a_definition_holds_the_names_under_its_keys() -> None:
    text = "roles:\n  a: {tools: [Read, Grep], memory_read: [shared], reports_to: b}\n  b: {}\n"
    definitions, faults = read_definitions(text)
    assert faults == []
    assert definitions == {
        "a": {"tools": ("Read", "Grep"), "memory_read": ("shared",), "reports_to": ("b",)},
        "b": {},
    }


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[]", "it must be a mapping with the key `roles`"),
        ("roles", "it must be a mapping with the key `roles`"),
        ("roles: []", "`roles` must be a mapping of roles"),
        ("roles: {}\nrole: {}", "unknown key `role`"),
        ("roles: {a: []}", "a: it must be a mapping [INVALID_ROLE]"),
        ("roles: {a: {tool: [Read]}}", "a.tool: known are tools, skills,"),
        ("roles: {a: {tools: Read}}", "a.tools: it must be a list of names [INVALID_VALUE]"),
        ("roles: {a: {tools: {Read: yes}}}", "a.tools: it must be a list of names [INVALID_VALUE]"),
        ("roles: {a: {tools: [[Read]]}}", "a.tools: it must be a list of names [INVALID_VALUE]"),
        ("roles: {a: {tools: }}", "a.tools: it must be a list of names [INVALID_VALUE]"),
        ("roles: {a: {reports_to: [b]}}", "a.reports_to: it must be one name [INVALID_VALUE]"),
        ("roles: {a: {}, a: {}}", "line 1: the key `a` is there twice"),
        ("roles: &r {a: {}}", "line 1: anchors are not allowed"),
        ("roles: {a: {tools: !!seq [Read]}}", "line 1: tags are not allowed"),
    ],
)
def test_faults_of_shape(text: str, fault: str) -> None:
    _, faults = read_definitions(text)
    assert any(found.startswith(fault) for found in faults), faults


def test_what_a_fault_repeats_can_not_act_on_a_terminal() -> None:
    _, faults = read_definitions('roles: {"a\\u001b[2J": {"k\\u202e": []}}')
    assert len(faults) == 1
    assert faults[0].isprintable()


def test_a_role_goes_back_to_its_definition() -> None:
    role = Role("a", tools=("Read",), memory_read=(parse_grant("shared:x:*"),), delegates_to=("b",), reports_to="c")
    definition = definition_of(role)
    assert {key: names for key, names in definition.items() if names} == {
        "tools": ("Read",),
        "memory_read": ("shared:x:*",),
        "delegates_to": ("b",),
        "reports_to": ("c",),
    }


def test_delegating_to_all_goes_back_to_a_star() -> None:
    assert definition_of(Role("a", delegates_to=("b", "c"), delegates_to_all=True))["delegates_to"] == ("*",)
