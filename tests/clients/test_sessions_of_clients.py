"""Sessions of the real clients: what their models are told of memory, and what they can do with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.clients.model_fakes import Shell, call
from tests.clients.real_clients import TRINHO

if TYPE_CHECKING:
    from tests.clients.real_clients import Client

CORE = {"search_memory", "propose_fact", "propose_policy", "remember", "update_my_notes", "memory_get"}
PROMPT = "how many spaces do we indent python code with?"


def test_a_session_and_a_prompt_are_told_what_memory_knows(client: Client) -> None:
    person = client.world.trinho
    person("policy", "propose", "Never push to main.", "--domain", "git")
    person("create", "shared:team:indentation", "--body", "Python code is indented with four spaces.")
    person("--as", "worker", "create", "private:worker:plan", "--body", "Python code is indented with five spaces.")
    run = client.run(PROMPT).ended_well()
    (body, *_) = [text for text in run.texts() if PROMPT in text]
    assert "- [git] Never push to main." in body
    assert "Python code is indented with four spaces." in body
    assert "before you recommend or change something from memory" in body.lower()
    assert not any("five spaces" in text for text in run.texts())
    assert run.left == []


def test_the_tools_are_there_and_a_call_is_answered(client: Client) -> None:
    client.world.trinho("create", "shared:team:indentation", "--body", "Indent with four spaces.")
    run = client.run("hello", call("memory_get", id="shared:team:indentation")).ended_well()
    assert run.tools >= CORE
    (result,) = run.results
    assert "Indent with four spaces." in result.text
    assert run.left == []


def test_a_denial_comes_back_with_its_code(client: Client) -> None:
    client.world.trinho("--as", "worker", "create", "private:worker:plan", "--body", "A secret plan.")
    run = client.run("hello", call("memory_get", id="private:worker:plan")).ended_well()
    (result,) = run.results
    assert result.is_error is not False
    assert "PRIVATE" in result.text or "NOT_GRANTED" in result.text
    assert not any("A secret plan." in text for text in run.texts())


def test_two_worktrees_see_one_memory(client: Client) -> None:
    world = client.world
    other = world.folder / "other"
    world.git("worktree", "add", "--quiet", str(other))
    fact = "The staging database of Lantern listens on port 6543."
    kept = client.run("keep it", call("propose_fact", content=fact, domain="infra", topic="ports", repo="repo"))
    assert "added" in kept.ended_well().results[0].text
    prompt = "on which port does the staging database of Lantern listen?"
    told = client.run(prompt, folder=other).ended_well()
    assert any(fact in text for text in told.texts())


def test_off_means_nothing_at_all(client: Client) -> None:
    client.world.trinho("create", "shared:team:indentation", "--body", "Python code is indented with four spaces.")
    run = client.run(PROMPT, variables={"TRINHO_DISABLE": "1"}).ended_well()
    assert run.tools == set()
    assert not any("four spaces" in text or "search_memory" in text for text in run.texts())


def test_a_broken_memory_leaves_the_turn_alone(client: Client) -> None:
    (client.world.root / ".trinho/ledger.db").write_bytes(b"no database" * 1000)
    for name in ("ledger.db-wal", "ledger.db-shm"):
        (client.world.root / ".trinho" / name).unlink(missing_ok=True)
    client.run(PROMPT).ended_well()


@pytest.mark.parametrize(
    "command",
    [
        "trinho inbox accept shared:x --yes",
        "trinho grant set main git write --yes",
        "trinho conflicts overturn 1 --yes",
        "trinho forget shared:x --purge --yes",
        "trinho setup codex --remove --yes",
        "trinho --as principal setup codex --remove --yes",
        "trinho --as principal grant set main git write --yes",
    ],
)
def test_what_is_reserved_to_a_person_is_refused_in_the_shell(client: Client, command: str) -> None:
    run = client.run("do it", Shell(f"{command.replace('trinho', str(TRINHO), 1)}; echo status $?")).ended_well()
    (result,) = run.results
    assert "RESERVED_FOR_PRINCIPAL" in result.text
    assert "status 3" in result.text


def test_removal_leaves_what_the_client_wrote(client: Client) -> None:
    client.run("hello").ended_well()
    client.world.trinho("setup", client.name, "--remove", "--yes")
    texts = [
        path.read_bytes()
        for name in (".claude/settings.json", ".claude.json", ".codex/config.toml", ".codex/hooks.json")
        if (path := client.world.home / name).exists()
    ]
    assert not any(b"trinho" in text for text in texts)
    run = client.run("hello").ended_well()
    assert run.tools == set()
