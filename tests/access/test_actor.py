"""Actors by name."""

from __future__ import annotations

import pytest

from trinho.access.actor import Principal, RoleActor, actor_named
from trinho.access.role import Role
from trinho.errors import UnknownActorError

ROLES = {"worker": Role("worker"), "main": Role("main")}


def test_the_person_has_a_name() -> None:
    assert actor_named("principal", ROLES) == Principal()
    assert Principal().name == "principal"


def test_a_role_is_an_actor_of_its_name() -> None:
    actor = actor_named("worker", ROLES)
    assert actor == RoleActor(ROLES["worker"])
    assert actor.name == "worker"


@pytest.mark.parametrize("name", ["", "Worker", "boss", "principal "])
def test_any_other_name_is_unknown(name: str) -> None:
    with pytest.raises(UnknownActorError) as caught:
        actor_named(name, ROLES)
    assert caught.value.error_code == "UNKNOWN_ACTOR"
    assert "main, worker" in caught.value.hint
