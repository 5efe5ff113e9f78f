"""Sessions of the real clients: what their models are told of memory, and what they can do with it."""

from __future__ import annotations

import fcntl
import json
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from threading import Barrier
from typing import TYPE_CHECKING

import pytest
from tests.clients.model_fakes import Shell, call
from tests.clients.real_clients import SECONDS, TRINHO, Claude, Codex, servers_of
from tests.secret_samples import MADE

if TYPE_CHECKING:
    from tests.clients.model_fakes import Remember, Step
    from tests.clients.real_clients import Client, Run, World

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


def test_a_prompt_of_any_script_is_told_what_memory_knows(client: Client) -> None:
    client.world.trinho("create", "shared:team:indentation", "--body", "Mã Python được thụt lề bằng bốn dấu cách.")
    prompt = "chúng ta thụt lề mã Python bằng mấy dấu cách?"
    (text,) = client.run(prompt).ended_well().texts()
    assert prompt in text
    assert "Mã Python được thụt lề bằng bốn dấu cách." in text


def test_all_that_a_session_is_told_arrives(client: Client) -> None:
    world = client.world
    facts = world.folder / "facts"
    facts.mkdir()
    for number in range(90):
        (facts / f"fact-{number:02}.md").write_text(f"Điều {number}. {'Nhớ lấy. ' * 20}")
    world.trinho("import", "markdown", str(facts), "--into", "shared:user")
    told = world.trinho("hook", "session-start", "--as", "main", said={"cwd": str(world.repository)})
    context = json.loads(told)["hookSpecificOutput"]["additionalContext"].strip()
    assert len(context.encode()) > 8_500
    (text,) = client.run("hello").ended_well().texts()
    assert json.dumps(context, ensure_ascii=False)[1:-1] in text


def test_the_tools_are_there_and_a_call_is_answered(client: Client) -> None:
    client.world.trinho("create", "shared:team:indentation", "--body", "Indent with four spaces.")
    run = client.run("hello", call("memory_get", id="shared:team:indentation")).ended_well()
    assert run.tools >= CORE
    (result,) = run.results
    assert "Indent with four spaces." in result.text
    assert run.left == []


def test_a_denial_comes_back_with_its_code(client: Client) -> None:
    person = client.world.trinho
    person("--as", "worker", "create", "private:worker:plan", "--body", "A secret plan.")
    person("fact", "propose", "The vault is in Huế.", "--domain", "vault", "--topic", "place")
    person("fact", "propose", "The garage is in Vinh.", "--domain", "garage", "--topic", "place")
    person("grant", "set", "main", "vault", "none", "--yes")
    run = client.run(
        "hello",
        call("memory_get", id="private:worker:plan"),
        call("memory_get", id="private:worker:nothing"),
        call("memory_get", id="../plan"),
        call("memory_get", id="shared:nothing"),
        call("propose_fact", domain="vault", topic="place", content="The vault has moved."),
        call("propose_fact", domain="garage", topic="doors", content="The garage has two doors."),
        call("search_memory", query="where is the vault"),
        call("search_memory", query="where is the garage"),
    ).ended_well()
    assert [result.code for result in run.results] == [
        "PRIVATE_MEMORY_DENIED",
        "PRIVATE_MEMORY_DENIED",  # whether it is there or not
        "INVALID_MEMORY_ID",
        "MEMORY_NOT_FOUND",
        "INSUFFICIENT_MEMORY_PERMISSION",
        None,  # another domain is open
        None,
        None,
    ]
    assert run.results[-2].document["results"] == []
    assert "The garage is in Vinh." in run.results[-1].text
    assert not any("A secret plan." in text or "Huế" in text for text in run.texts())


def test_no_secret_comes_in_and_none_goes_out(client: Client) -> None:
    text, secret = MADE["github-pat"]()
    question = "what is the deploy token of the staging site?"
    kept = f"The deploy token of the staging site is {text}"
    client.world.trinho("--as", "worker", "create", "private:worker:deploy", "--body", kept)
    run = client.run(
        question,
        call("search_memory", query=question),
        call("propose_fact", domain="deploy", topic="token", content=kept),
    ).ended_well()
    asked, found, _ = run.texts()
    assert secret not in asked + found
    _, refused = run.results
    assert refused.code == "SECRET_DETECTED"
    assert secret not in refused.text
    root = client.world.root
    for place in ("shared", "projects", ".trinho/audit"):
        for path in (root / place).rglob("*"):
            assert path.is_dir() or secret.encode() not in path.read_bytes(), path


def test_two_worktrees_see_one_memory(client: Client) -> None:
    world = client.world
    other = world.folder / "other"
    world.git("worktree", "add", "--quiet", str(other))
    fact = "The staging database of Lantern listens on port 6543."

    def propose(told: str) -> Remember:
        named = re.search("This session's project is `([^`]+)`", told)
        assert named is not None
        return call("propose_fact", content=fact, domain="infra", topic="ports", repo=named[1])

    kept = client.run("keep it", propose).ended_well()
    assert '"added"' in kept.results[0].text.replace("\\", "")
    prompt = "on which port does the staging database of Lantern listen?"
    assert any(fact in text for text in client.run(prompt, folder=other).ended_well().texts())


def test_off_means_nothing_at_all(client: Client) -> None:
    client.world.trinho("create", "shared:team:indentation", "--body", "Python code is indented with four spaces.")
    run = client.run(PROMPT, variables={"TRINHO_DISABLE": "1"}).ended_well()
    assert run.tools == set()
    assert not any("four spaces" in text or "search_memory" in text for text in run.texts())


@pytest.mark.parametrize("harm", ["no ledger", "no root"])
def test_a_broken_memory_leaves_the_turn_alone(client: Client, harm: str) -> None:
    root = client.world.root
    if harm == "no root":
        shutil.rmtree(root)
        root.write_text("no folder")
    else:
        (root / ".trinho" / "ledger.db").write_bytes(b"no database" * 1000)
        for name in ("ledger.db-wal", "ledger.db-shm"):
            (root / ".trinho" / name).unlink(missing_ok=True)
    run = client.run(PROMPT, Shell("echo the turn goes on")).ended_well()
    assert "the turn goes on" in run.results[0].text
    assert run.left == []


def test_what_is_reserved_to_a_person_is_refused_in_the_shell(client: Client) -> None:
    person = client.world.trinho
    person("create", "shared:team:indentation", "--body", "Indent with four spaces.")
    policy = proposed(person("policy", "propose", "Never push to main.", "--domain", "git", "--json"))
    held = proposed(person("--as", "worker", "policy", "propose", "Push on Fridays.", "--domain", "git", "--json"))
    for seconds in ("30", "10"):
        fact = f"The API client times out after {seconds} seconds."
        person("fact", "propose", fact, "--domain", "api", "--topic", "timeouts")
    acts = [
        f"inbox accept {held}",
        f"inbox reject {held}",
        "grant set worker git write",
        "grant unset worker git",
        f"policy off {policy}",
        f"policy on {policy}",
        "conflicts overturn 1",
        "conflicts settle 1 --keep older",
        "forget shared:team:indentation --purge",
        "setup claude-code --remove",
        "setup codex --remove",
        "project join lantern-1a2b3c",
        "doctor --fix",
    ]
    acts = [*acts, *(f"--as principal {act}" for act in acts[::4])]
    commands = [f"{TRINHO} {act}{'' if 'doctor' in act else ' --yes'}" for act in acts]
    before = state(client)
    line = "; ".join(f"{command}; echo status $?" for command in commands)
    (result,) = client.run("do it", Shell(line)).ended_well().results
    *told, end = re.split(r"status (\d+)\n?", result.text)
    assert end == ""
    for command, said, status in zip(commands, told[::2], told[1::2], strict=True):
        assert "RESERVED_FOR_PRINCIPAL" in said, (command, said)
        assert status == "3", (command, said)
    assert state(client) == before


def proposed(printed: str) -> str:
    id: str = json.loads(printed)["id"]
    return id


def state(client: Client) -> list[object]:
    """All that the acts above are about."""
    root = client.world.root
    texts = {path: path.read_bytes() for end in ("*.md", "*.toml") for path in root.rglob(end)}
    return [texts, client.world.trinho("conflicts"), client.world.trinho("setup", client.name, "--dry-run")]


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


def test_a_locked_memory_leaves_the_turn_alone(client: Client) -> None:
    world = client.world
    world.trinho("create", "shared:team:indentation", "--body", "Python code is indented with four spaces.")
    with ExitStack() as held:
        for name in ("lock", "audit.lock"):
            fcntl.flock(held.enter_context((world.root / ".trinho" / name).open("ab")), fcntl.LOCK_EX)
        run = client.run(PROMPT, Shell("echo the turn goes on")).ended_well()
    assert "the turn goes on" in run.results[0].text
    assert run.left == []
    log = (world.home / ".local/state/trinho/hooks.log").read_text()
    for event in ("session-start", "prompt"):
        assert re.search(f"hook {event}: (STORE_BUSY|gave up)", log)


def test_two_clients_at_once_lose_nothing(world: World) -> None:
    rounds = 3
    meeting = Barrier(2, timeout=SECONDS)

    def work(client: Client) -> Run:
        def propose(number: int) -> Step:
            meeting.wait()
            fact = f"The {client.name} room number {number} has {number + 2} windows."
            return call("propose_fact", content=fact, domain="rooms", topic=f"{client.name}-{number}")

        return client.run("hello", *(partial(lambda number, _: propose(number), number) for number in range(rounds)))

    clients: list[Client] = [Claude(world), Codex(world)]
    for client in clients:
        client.set_up()
    with ThreadPoolExecutor() as pool:
        runs = list(pool.map(work, clients))
    for client, run in zip(clients, runs, strict=True):
        run.ended_well()
        for number, result in enumerate(run.results):
            assert result.code is None
            assert f"The {client.name} room number {number}" in world.trinho("get", result.document["id"])
    found = {each["code"] for each in json.loads(world.trinho("doctor", "--json"))["findings"]}
    assert found == {"HOOKS_UNTRUSTED"}  # the tests tell Codex to run them all the same
    assert servers_of(world) == []
