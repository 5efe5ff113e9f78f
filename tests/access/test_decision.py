"""Deny codes and their precedence."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trinho.access.decision import Deny, DenyCode, foremost

DENIALS = st.builds(Deny, st.sampled_from(DenyCode), st.sampled_from("ab"), st.none() | st.just("g"), st.just("no"))


def test_every_code_of_the_contract_is_there() -> None:
    assert {str(code) for code in DenyCode} == {
        "TOOL_NOT_GRANTED",
        "SKILL_NOT_GRANTED",
        "SUBAGENT_NOT_GRANTED",
        "MCP_SERVER_NOT_GRANTED",
        "MEMORY_NOT_GRANTED",
        "INSUFFICIENT_MEMORY_PERMISSION",
        "PRIVATE_MEMORY_DENIED",
        "WORKSPACE_NOT_GRANTED",
        "WORKSPACE_READ_ONLY",
        "WORKSPACE_SCOPE_MISMATCH",
        "PATH_RESOLUTION_FAILED",
        "UNKNOWN_ACTOR",
        "UNKNOWN_REQUEST",
        "DELEGATION_NOT_ALLOWED",
        "POLICY_MUTATION_DENIED",
        "DEFINITION_MUTATION_DENIED",
        "RAW_RUNTIME_TOOL_DENIED",
        "INDIRECT_TOOL_REQUEST",
        "RESERVED_MEMORY_BRANCH",
        "RESERVED_FOR_PRINCIPAL",
    }


@given(st.lists(DENIALS, min_size=1, max_size=5))
def test_the_foremost_denial_is_one_of_them_in_any_order(denials: list[Deny]) -> None:
    told = foremost(denials)
    assert told in denials
    assert {foremost(order) for order in itertools.permutations(denials)} == {told}


@pytest.mark.parametrize(
    ("told", "other"),
    [
        (DenyCode.PRIVATE_MEMORY_DENIED, DenyCode.MEMORY_NOT_GRANTED),
        (DenyCode.PRIVATE_MEMORY_DENIED, DenyCode.RESERVED_MEMORY_BRANCH),
        (DenyCode.UNKNOWN_REQUEST, DenyCode.UNKNOWN_ACTOR),
    ],
)
def test_precedence(told: DenyCode, other: DenyCode) -> None:
    first, second = Deny(told, "z", None, "z"), Deny(other, "a", None, "a")
    assert foremost([second, first]) == first
