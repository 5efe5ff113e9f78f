"""Who asks: the person, or a role where an agent's client runs us."""

from __future__ import annotations

import pytest
from tests.cleanroom import Home

from trinho import errors
from trinho.settings import CLIENT_MARKERS


@pytest.mark.parametrize("marker", CLIENT_MARKERS)
class TestInsideAClient:
    """Where a client's marker is set, nobody is the person."""

    def test_the_default_is_main(self, home: Home, marker: str) -> None:
        with Home(home.folder, {marker: "1"}).memory() as memory:
            assert memory.session.actor.name == "main"

    def test_the_person_is_refused(self, home: Home, marker: str) -> None:
        with pytest.raises(errors.UnauthorizedMemoryAccessError) as denial:
            Home(home.folder, {marker: "1"}).memory("principal")
        assert (denial.value.error_code, denial.value.exit_status) == ("RESERVED_FOR_PRINCIPAL", 3)
        assert marker in denial.value.hint
        assert home.told() == [("principal", "open", None, "denied", "RESERVED_FOR_PRINCIPAL")]

    def test_also_by_the_environment(self, home: Home, marker: str) -> None:
        with pytest.raises(errors.UnauthorizedMemoryAccessError):
            Home(home.folder, {marker: "1", "TRINHO_ACTOR": "principal"}).memory()

    def test_also_by_the_users_settings(self, home: Home, marker: str) -> None:
        config = home.folder / "config.toml"
        config.write_text('actor = "principal"\n', encoding="utf-8")
        with Home(home.folder, {marker: "1", "TRINHO_CONFIG": str(config)}).memory() as memory:
            assert memory.session.actor.name == "main"


def test_a_persons_roles_are_theirs(home: Home) -> None:
    config = home.folder / "config.toml"
    roles = "roles:\n  guest:\n    memory_read: [shared:team]\n  main:\n    memory_write: [shared:team]\n"
    (home.folder / "roles.yaml").write_text(roles, encoding="utf-8")
    named = Home(home.folder, {"TRINHO_CONFIG": str(config)})
    with named.memory("main") as memory:
        memory.create("shared:team:note", "text")
        with pytest.raises(errors.UnauthorizedMemoryAccessError):
            memory.create("shared:other", "text")
    with named.memory("guest") as memory:
        assert memory.get("shared:team:note").body == "text"
        with pytest.raises(errors.UnauthorizedMemoryAccessError):
            memory.get("shared:other")


def test_a_root_that_is_named_reads_no_roles_of_the_person(home: Home) -> None:
    folder = home.folder / ".config" / "trinho"
    folder.mkdir(parents=True)
    (folder / "roles.yaml").write_text("roles: {guest: {}}\n", encoding="utf-8")
    with pytest.raises(errors.UnknownActorError):
        home.memory("guest")


def test_faulty_roles_stop_everything_and_are_all_named(home: Home) -> None:
    (home.folder / "roles.yaml").write_text("roles:\n  guest:\n    tools: [Nope]\n    odd: 1\n", encoding="utf-8")
    with pytest.raises(errors.InvalidDefinitionError) as error:
        Home(home.folder, {"TRINHO_CONFIG": str(home.folder / "config.toml")}).memory("guest")
    assert "UNKNOWN_TOOL" in error.value.message
    assert "UNKNOWN_KEY" in error.value.message
