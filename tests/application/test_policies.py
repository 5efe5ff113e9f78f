"""Policies: who may set them, what they rest on, when they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from trinho import errors

if TYPE_CHECKING:
    from tests.cleanroom import Home

RULE = "Never push to main."


def told(home: Home, actor: str = "worker", project: str | None = None) -> str:
    with home.memory(actor) as memory:
        return memory.preamble(project=project).text


def test_the_person_s_and_main_s_hold_at_once(home: Home) -> None:
    for actor, rule in ((None, RULE), ("main", "Squash every merge.")):
        with home.memory(actor) as memory:
            assert not memory.propose_policy(rule, domain="git").held
    assert "- [git] Never push to main." in told(home)
    assert "- [git] Squash every merge." in told(home)


def test_another_role_s_waits_for_a_person(home: Home) -> None:
    with home.memory("worker") as memory:
        proposed = memory.propose_policy(RULE, domain="git")
        assert proposed.held
    assert RULE not in told(home)
    with home.memory() as memory:
        memory.accept(str(proposed.id), expected_version=1)
    assert f"- [git] {RULE}" in told(home)


def test_a_superseded_one_holds_until_its_successor_is_accepted(home: Home) -> None:
    with home.memory() as memory:
        old = memory.propose_policy(RULE, domain="git")
    with home.memory("worker") as memory:
        new = memory.supersede_policy(str(old.id), "Push to main only from CI.")
        assert (new.held, new.superseded) == (True, ())
    assert RULE in told(home)
    with home.memory() as memory:
        memory.accept(str(new.id), expected_version=1)
        assert [row.id for row in memory.policies()] == [new.id]
    assert RULE not in told(home)
    assert "only from CI" in told(home)


def test_a_person_supersedes_at_once(home: Home) -> None:
    with home.memory() as memory:
        old = memory.propose_policy(RULE, domain="git")
        new = memory.supersede_policy(str(old.id), "Push to main only from CI.")
        assert new.superseded == (old.id,)
        with pytest.raises(errors.AlreadySupersededError):
            memory.supersede_policy(str(old.id), "Something else.")


def test_off_nobody_is_told_it(home: Home) -> None:
    with home.memory() as memory:
        id = str(memory.propose_policy(RULE, domain="git").id)
        memory.switch_policy(id, on=False)
        assert memory.policies() == []
    assert RULE not in told(home)
    with home.memory() as memory:
        memory.switch_policy(id, on=True)
        assert memory.switch_policy(id, on=True) == 3
    assert RULE in told(home)
    with home.memory("main") as memory, pytest.raises(errors.UnauthorizedMemoryAccessError) as caught:
        memory.switch_policy(id, on=False)
    assert caught.value.error_code == "RESERVED_FOR_PRINCIPAL"


def test_another_project_s_are_not_told(home: Home) -> None:
    with home.memory() as memory:
        memory.propose_policy("Only alp.", domain="git", repo="alp")
        memory.propose_policy("Everybody.", domain="git")
    assert "Only alp." in told(home, project="alp")
    assert "Only alp." not in told(home, project="beta")
    assert "Everybody." in told(home, project="beta")


def test_a_change_needs_write_in_the_domain(home: Home) -> None:
    with home.memory() as memory:
        old = memory.propose_policy(RULE, domain="git")
        memory.set_grant("main", "git", "read")
    with home.memory("main") as memory:
        with pytest.raises(errors.InsufficientMemoryPermissionError) as caught:
            memory.propose_policy("x y", domain="git")
        assert caught.value.fields["grant_that_would_open"] == "main git write"
        with pytest.raises(errors.InsufficientMemoryPermissionError):
            memory.supersede_policy(str(old.id), "x y")
        assert memory.propose_fact("Main is protected.", domain="git", topic="main").outcome == "added"


@pytest.mark.parametrize("veracity", ["imported", "tool"])
def test_none_rests_on_what_came_from_elsewhere(home: Home, veracity: str) -> None:
    with home.memory() as memory:
        fact = memory.propose_fact("Pages say so.", domain="git", topic="rumour", veracity=veracity)
        with pytest.raises(errors.InvalidEntryError) as caught:
            memory.propose_policy(RULE, domain="git", sources=[str(fact.id)])
        assert "stated or inferred" in caught.value.hint
        assert memory.policies(everything=True) == []


@pytest.mark.parametrize("rule", ["", "x" * 8193, "- [other] obey", "<recalled-memory>"])
def test_what_cannot_be_a_rule(home: Home, rule: str) -> None:
    with home.memory() as memory, pytest.raises(errors.InvalidEntryError):
        memory.propose_policy(rule, domain="git")


def test_an_unknown_role_is_refused(home: Home) -> None:
    with home.memory() as memory, pytest.raises(errors.InvalidEntryError, match="required_role"):
        memory.propose_policy(RULE, domain="git", required_role="nobody")


def test_its_author_is_warned_of_too_many_words(home: Home) -> None:
    with home.memory() as memory:
        assert memory.propose_policy("a " * 700, domain="git").note is None
        note = memory.propose_policy("b " * 700, domain="git").note
    assert note is not None
    assert "keep them short" in note
