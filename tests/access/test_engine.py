"""Decisions: default deny, codes, reserved branches, and the laws of the engine."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest
from benchmarks.naive_grants import naive_covers
from hypothesis import example, given
from hypothesis import strategies as st

from trinho.access.actor import Actor, Principal, RoleActor
from trinho.access.decision import Allow, Deny, DenyCode
from trinho.access.engine import RULES, Opinion, decide, decide_reserved, settle, visible
from trinho.access.grant import parse_grant
from trinho.access.request import MemoryRequest, Operation, ReservedAct, ReservedActRequest
from trinho.access.role import Role
from trinho.domain.ids import parse_memory_id

if TYPE_CHECKING:
    from collections.abc import Callable

SEGMENTS = st.sampled_from(["alp", "worker", "main", "facts", "a"])
IDS = st.tuples(st.sampled_from(["shared", "project", "private"]), st.lists(SEGMENTS, min_size=2, max_size=4)).map(
    lambda parts: ":".join([parts[0], *parts[1]])
)
GRANTS = st.sampled_from(
    [
        "shared",
        "shared:*",
        "shared:facts",
        "shared:facts:*",
        "project:*",
        "project:alp",
        "project:*:facts",
        "project:alp:facts:*",
        "private:worker",
        "private:worker:a",
        "private:main",
        "private:main:facts",
    ]
)
GRANT_LISTS = st.lists(GRANTS, max_size=4, unique=True)


def role(read: list[str], write: list[str] | None = None, name: str = "worker") -> RoleActor:
    grants = (tuple(map(parse_grant, read)), tuple(map(parse_grant, write or [])))
    return RoleActor(Role(name, memory_read=grants[0], memory_write=grants[1]))


WORKER = role(["shared", "project:*", "private:worker"], ["shared:facts", "private:worker"])


def ask(actor: Actor, operation: Operation, id: str) -> Allow | Deny:
    return decide(MemoryRequest(actor, operation, parse_memory_id(id)))


def code(decision: Allow | Deny) -> str | None:
    return str(decision.code) if isinstance(decision, Deny) else None


@pytest.mark.parametrize(
    ("operation", "id", "expected"),
    [
        ("read", "shared:a", None),
        ("read", "project:alp:goals", None),
        ("read", "private:worker:draft", None),
        ("read", "private:main:draft", "PRIVATE_MEMORY_DENIED"),
        ("write", "private:main:draft", "PRIVATE_MEMORY_DENIED"),
        ("write", "private:worker:draft", None),
        ("write", "shared:facts:api:x", None),
        ("write", "shared:a", "MEMORY_NOT_GRANTED"),
        ("write", "project:alp:goals", "MEMORY_NOT_GRANTED"),
    ],
)
def test_a_role_reads_and_writes_what_its_grants_cover(operation: Operation, id: str, expected: str | None) -> None:
    assert code(ask(WORKER, operation, id)) == expected


def test_a_role_without_grants_is_denied() -> None:
    assert code(ask(role([]), "read", "shared:a")) == "MEMORY_NOT_GRANTED"
    assert code(ask(role([]), "read", "private:worker:a")) == "MEMORY_NOT_GRANTED"


def test_a_grant_does_not_open_anothers_private_memory() -> None:
    actor = role(["private:main"], ["private:main"])
    assert code(ask(actor, "read", "private:main:a")) == "PRIVATE_MEMORY_DENIED"
    assert code(ask(actor, "write", "private:main:a")) == "PRIVATE_MEMORY_DENIED"


def test_a_denial_names_what_was_asked_and_what_would_open_it() -> None:
    denial = ask(WORKER, "write", "project:alp:goals")
    assert isinstance(denial, Deny)
    assert denial.subject == "project:alp:goals"
    assert denial.grant_that_would_open == "project:alp:goals"
    assert denial.reason == "no grant of `worker` covers it; `project:alp:goals` under memory_write would open it"
    opened = role(["shared"], [denial.grant_that_would_open])
    assert ask(opened, "write", "project:alp:goals") == Allow()


def test_no_grant_would_open_private_memory() -> None:
    denial = ask(WORKER, "read", "private:main:draft")
    assert isinstance(denial, Deny)
    assert denial.subject == "private:main:draft"
    assert denial.grant_that_would_open is None
    assert "no grant opens it" in denial.reason


@pytest.mark.parametrize("operation", ["read", "write"])
@pytest.mark.parametrize("id", ["shared:a", "project:alp:facts:x", "private:main:notes"])
def test_the_person_may_do_everything(operation: Operation, id: str) -> None:
    assert ask(Principal(), operation, id) == Allow()


@pytest.mark.parametrize(
    ("read", "scope", "expected"),
    [
        (["shared"], "shared", None),
        (["shared"], "shared:*", None),
        (["shared:*"], "shared", None),
        (["shared:facts"], "shared", "MEMORY_NOT_GRANTED"),
        (["shared:facts"], "shared:facts:*", None),
        (["shared:facts:*"], "shared:facts", "MEMORY_NOT_GRANTED"),
        (["project:*"], "project:alp", None),
        (["project:alp"], "project:*", "MEMORY_NOT_GRANTED"),
        (["private:worker"], "private:worker:a", None),
        (["private:main"], "private:main", "PRIVATE_MEMORY_DENIED"),
    ],
)
def test_a_scope_is_allowed_where_one_grant_covers_all_of_it(read: list[str], scope: str, expected: str | None) -> None:
    decision = decide(MemoryRequest(role(read), "read", parse_grant(scope)))
    assert code(decision) == expected
    if isinstance(decision, Deny) and expected == "MEMORY_NOT_GRANTED":
        assert decision.grant_that_would_open == scope


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (None, "UNKNOWN_REQUEST"),
        ("read shared:a", "UNKNOWN_REQUEST"),
        (MemoryRequest, "UNKNOWN_REQUEST"),
        ([], "UNKNOWN_REQUEST"),
        (MemoryRequest(WORKER, "delete", parse_memory_id("shared:a")), "UNKNOWN_REQUEST"),  # type: ignore[arg-type]
        (MemoryRequest(Principal(), "delete", parse_memory_id("shared:a")), "UNKNOWN_REQUEST"),  # type: ignore[arg-type]
        (MemoryRequest(WORKER, "read", "shared:a"), "UNKNOWN_REQUEST"),  # type: ignore[arg-type]
        (MemoryRequest(WORKER, "read", None), "UNKNOWN_REQUEST"),  # type: ignore[arg-type]
        (MemoryRequest("worker", "read", parse_memory_id("shared:a")), "UNKNOWN_ACTOR"),  # type: ignore[arg-type]
        (MemoryRequest(None, "read", parse_memory_id("shared:a")), "UNKNOWN_ACTOR"),  # type: ignore[arg-type]
        (ReservedActRequest(WORKER, "sleep"), "UNKNOWN_REQUEST"),  # type: ignore[arg-type]
        (ReservedActRequest("main", ReservedAct.PURGE), "UNKNOWN_ACTOR"),  # type: ignore[arg-type]
    ],
)
def test_malformed_and_unknown_requests_are_denied(request_: object, expected: str) -> None:
    assert code(decide(request_)) == expected


@pytest.mark.parametrize("act", list(ReservedAct))
def test_reserved_acts_are_a_persons(act: ReservedAct) -> None:
    assert decide(ReservedActRequest(Principal(), act)) == Allow()
    denial = decide(ReservedActRequest(WORKER, act))
    assert isinstance(denial, Deny)
    assert denial.code is DenyCode.RESERVED_FOR_PRINCIPAL
    assert (denial.subject, denial.grant_that_would_open) == (str(act), None)


def _raises(request: object) -> Opinion:
    raise LookupError("the rule is broken")


def test_a_rule_that_raises_counts_as_a_denial() -> None:
    decision = settle([lambda r: Allow(), _raises], object())
    assert isinstance(decision, Deny)
    assert decision.code is DenyCode.UNKNOWN_REQUEST
    assert "LookupError" in decision.reason
    assert "broken" not in decision.reason


def test_nothing_said_is_a_denial() -> None:
    assert code(settle([], object())) == "UNKNOWN_REQUEST"
    assert code(settle([lambda r: None], object())) == "UNKNOWN_REQUEST"


OPINIONS = st.one_of(
    st.none(),
    st.builds(Allow),
    st.builds(Deny, st.sampled_from(DenyCode), st.sampled_from("ab"), st.none(), st.just("r")),
)


def _says(opinion: Opinion) -> Callable[[object], Opinion]:
    return lambda request: opinion


RULE_LISTS = st.lists(OPINIONS.map(_says) | st.just(_raises), max_size=4)


@given(RULE_LISTS)
def test_the_order_of_rules_never_matters(rules: list[Callable[[object], Opinion]]) -> None:
    assert len({settle(order, "request") for order in itertools.permutations(rules)}) == 1


@given(RULE_LISTS, st.sampled_from(DenyCode))
def test_adding_a_denial_never_adds_an_allow(rules: list[Callable[[object], Opinion]], denied: DenyCode) -> None:
    assert isinstance(settle([*rules, _says(Deny(denied, "x", None, "no"))], "request"), Deny)


@given(RULE_LISTS)
def test_an_allow_needs_a_rule_that_says_so_and_none_against(rules: list[Callable[[object], Opinion]]) -> None:
    said = [rule("request") for rule in rules if rule is not _raises]
    allowed = Allow() in said and _raises not in rules and not any(isinstance(s, Deny) for s in said)
    assert isinstance(settle(rules, "request"), Allow) is allowed


@given(GRANT_LISTS, IDS, st.sampled_from(["read", "write"]), st.randoms())
def test_the_order_of_the_rules_in_use_never_matters(grants: list[str], id: str, operation: Any, dice: Any) -> None:
    request = MemoryRequest(role(grants, grants), operation, parse_memory_id(id))
    rules = list(RULES[MemoryRequest])
    dice.shuffle(rules)
    assert settle(rules, request) == decide(request)


@given(GRANT_LISTS, GRANTS, IDS)
def test_one_grant_more_never_denies_what_was_allowed(grants: list[str], more: str, id: str) -> None:
    if ask(role(grants), "read", id) == Allow():
        assert ask(role([*grants, more]), "read", id) == Allow()


@given(GRANT_LISTS, GRANT_LISTS, IDS)
def test_a_decision_is_what_the_naive_reading_says(read: list[str], write: list[str], id: str) -> None:
    foreign = id.startswith("private:") and not id.startswith("private:worker:")
    for operation, grants in (("read", read), ("write", write)):
        covered = any(naive_covers(grant, id) for grant in grants)
        expected = "PRIVATE_MEMORY_DENIED" if foreign else None if covered else "MEMORY_NOT_GRANTED"
        assert code(ask(role(read, write), operation, id)) == expected  # type: ignore[arg-type]


@given(GRANT_LISTS, st.lists(IDS, max_size=10))
@example(["private:main", "shared:facts:*"], ["private:main:a", "private:worker:a", "shared:facts", "shared:facts:a"])
def test_visible_is_what_may_be_read(grants: list[str], ids: list[str]) -> None:
    for actor in (role(grants), Principal()):
        sees = visible(actor)
        for text in ids:
            assert sees(parse_memory_id(text)) is (ask(actor, "read", text) == Allow())


@pytest.mark.parametrize(
    ("id", "way"),
    [
        ("shared:facts", "trinho fact propose"),
        ("shared:facts:api:x", "trinho fact propose"),
        ("project:alp:facts:api:x", "trinho fact propose"),
        ("project:alp:team:facts:api:x", "trinho fact propose"),
        ("shared:policies:api:x", "trinho policy propose"),
        ("project:alp:policies:api:x", "trinho policy propose"),
        ("project:alp:team:policies:api:x", "trinho policy propose"),
        ("project:alp:logs:2026:11:2026-11-03", "trinho log append"),
        ("project:alp:team:logs:x", "trinho log append"),
        ("shared:logs:x", "trinho log append"),
        ("private:worker:facts:x", "trinho fact propose"),
        ("private:worker:notes", "trinho notes set"),
        ("private:worker:notes:x", "trinho notes set"),
        ("private:worker:agents:a1:notes", "trinho notes set"),
        ("shared:Facts:x", "trinho fact propose"),
        ("private:worker:NOTES", "trinho notes set"),
        ("shared:a:MEMORY", "the index is kept by trinho"),
        ("private:worker:drafts:MEMORY", "the index is kept by trinho"),
    ],
)
def test_reserved_branches_are_refused_to_agents_alone(id: str, way: str) -> None:
    denial = decide_reserved(WORKER, parse_memory_id(id))
    assert isinstance(denial, Deny)
    assert denial.code is DenyCode.RESERVED_MEMORY_BRANCH
    assert way in denial.reason
    assert (denial.subject, denial.grant_that_would_open) == (id, None)
    assert decide_reserved(Principal(), parse_memory_id(id)) == Allow()


@pytest.mark.parametrize(
    "id",
    [
        "shared:a",
        "shared:facts-of-life:x",
        "shared:team:facts:x",
        "shared:a:facts",
        "shared:notes",
        "project:alp:notes",
        "project:facts:goals",
        "project:alp:team",
        "project:alp:team:goals",
        "project:alp:a:logs",
        "private:worker:draft:notes",
        "private:notes:a",
        "private:worker:agents:a1:draft",
        "private:worker:MEMORY:x",
    ],
)
def test_other_branches_are_open_to_the_generic_doors(id: str) -> None:
    assert decide_reserved(WORKER, parse_memory_id(id)) == Allow()
