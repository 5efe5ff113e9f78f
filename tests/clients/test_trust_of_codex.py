"""Hooks that a person trusts in the real Codex: how it keeps that, and that removal takes it out again."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from tests.clients.real_clients import SECONDS, Codex, program

from trinho.adapters.clients import jsonc, ours, trust

if TYPE_CHECKING:
    from pathlib import Path

    from tests.clients.real_clients import World

FOREIGN = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "beep é \\"$X\\"", "timeout": 3}]}]}}\n'


def asked(world: World, *questions: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """What Codex's server for editors answers."""
    binary = program("@openai/codex", "vendor/*/bin/codex")
    hello = ("initialize", {"clientInfo": {"name": "tests", "title": "tests", "version": "1"}})
    with subprocess.Popen(
        [binary, "app-server"],
        cwd=world.repository,
        env=world.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        answers = []
        for id, (method, parameters) in enumerate((hello, *questions)):
            server.stdin.write(json.dumps({"id": id, "method": method, "params": parameters}) + "\n")
            server.stdin.flush()
            answer: dict[str, Any] = {}
            while answer.get("id") != id:
                answer = json.loads(server.stdout.readline())
            answers.append(answer["result"])
        server.terminate()
        server.wait(SECONDS)
    return answers[1:]


def listed(world: World) -> dict[str, Any]:
    """Hooks and warnings, as Codex tells them."""
    (answer,) = asked(world, ("hooks/list", {"cwds": [str(world.repository)]}))
    told: dict[str, Any] = answer["data"][0]
    return told


def trusting(world: World) -> None:
    """Trust every hook, as its own dialog does."""
    state = {hook["key"]: {"trusted_hash": hook["currentHash"]} for hook in listed(world)["hooks"]}
    edit = {"keyPath": "hooks.state", "value": state, "mergeStrategy": "upsert"}
    asked(world, ("config/batchWrite", {"edits": [edit], "reloadUserConfig": True}))
    assert {hook["trustStatus"] for hook in listed(world)["hooks"]} == {"trusted"}


def files(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in ("config.toml", "hooks.json") if (folder / name).exists()}


def test_keys_and_hashes_are_as_we_compute_them(world: World) -> None:
    client = Codex(world)
    client.folder.mkdir()
    (client.folder / "hooks.json").write_text(FOREIGN)
    client.set_up()
    path = client.folder / "hooks.json"
    told = {hook["key"]: hook["currentHash"] for hook in listed(world)["hooks"]}
    ours = {hook.keys[-1]: hook.hash for hook in trust.hooks(str(path), jsonc.read(path.read_bytes(), str(path)))}
    assert len(told) == 8
    assert ours == told


def test_codex_allows_what_setup_writes(world: World) -> None:
    Codex(world).set_up()
    told = listed(world)
    assert told["warnings"] == []
    allowed = {hook["eventName"].lower(): hook["timeoutSec"] for hook in told["hooks"]}
    assert allowed == {event.lower(): seconds for event, (_, seconds) in ours.EVENTS.items()}


@pytest.mark.parametrize("hooks", [None, FOREIGN])
@pytest.mark.parametrize("config", [None, "", 'model = "x" # mine\n\n# end\n', '[tui]\ntheme = "x"\n'])
def test_what_was_trusted_goes_with_the_hooks(world: World, config: str | None, hooks: str | None) -> None:
    folder = Codex(world).folder
    folder.mkdir()
    for name, text in (("config.toml", config), ("hooks.json", hooks)):
        if text is not None:
            (folder / name).write_text(text)
    before = files(folder)
    world.trinho("setup", "codex", "--yes")
    trusting(world)
    world.trinho("setup", "codex", "--remove", "--yes")
    after = files(folder)
    if hooks is None:
        assert after == before
    else:
        assert after["hooks.json"] == before["hooks.json"]
        assert after["config.toml"].startswith(before.get("config.toml", b""))
        assert [hook["trustStatus"] for hook in listed(world)["hooks"]] == ["trusted"]


def test_hooks_in_the_configuration(world: World) -> None:
    folder = Codex(world).folder
    folder.mkdir()
    text = '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "beep"\n# mine\n\n[tui]\ntheme = "x"\n'
    (folder / "config.toml").write_text(text)
    world.trinho("setup", "codex", "--yes")
    trusting(world)
    world.trinho("setup", "codex", "--remove", "--yes")
    after = files(folder)
    assert set(after) == {"config.toml"}
    assert after["config.toml"].startswith(text.encode())
    assert b"trinho" not in after["config.toml"]
    assert [hook["trustStatus"] for hook in listed(world)["hooks"]] == ["trusted"]


def test_doctor_tells_what_codex_does_not_run(world: World) -> None:
    def codes() -> list[str]:
        return [finding["code"] for finding in json.loads(world.trinho("doctor", "--json"))["findings"]]

    world.trinho("setup", "codex", "--yes")
    assert codes() == ["HOOKS_UNTRUSTED"]
    trusting(world)
    assert codes() == []
    world.trinho("setup", "codex", "--yes", "--role", "worker")
    assert {hook["trustStatus"] for hook in listed(world)["hooks"]} == {"modified"}
    assert codes() == ["HOOKS_UNTRUSTED"]


@pytest.mark.parametrize("text", ['{"model": "x"}', "// mine\n{}"])
def test_codex_reads_no_hooks_from_such_a_file(world: World, text: str) -> None:
    folder = Codex(world).folder
    folder.mkdir()
    (folder / "hooks.json").write_text(text)
    world.trinho("setup", "codex", "--yes")
    told = listed(world)
    assert told["hooks"] == []
    assert len(told["warnings"]) == 1
    assert "Codex reads no hooks" in world.trinho("doctor")
