"""What Codex does with the settings that setup writes, and what it does without them."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.clients.model_fakes import Shell, call
from tests.clients.real_clients import Codex

if TYPE_CHECKING:
    from tests.clients.real_clients import World

ENTRY = "shared:team:indentation"
ANSWER = "Python code is indented with four spaces."
PROMPT = "how many spaces do we indent python code with?"


@pytest.fixture
def codex(world: World) -> Codex:
    world.trinho("create", ENTRY, "--body", ANSWER)
    client = Codex(world)
    client.set_up()
    return client


def without(codex: Codex, name: str) -> None:
    """Take a setting of our server out."""
    text, count = re.subn(rf"^{name} = .*\n", "", codex.config.read_text(), flags=re.MULTILINE)
    assert count == 1
    codex.config.write_text(text)


def test_no_hook_runs_that_the_person_has_not_trusted(codex: Codex) -> None:
    run = replace(codex, hooks_are_trusted=False).run(PROMPT).ended_well()
    assert "memory_get" in run.tools
    assert ANSWER not in run.texts()[0]
    assert "trust" not in run.out + run.err


def test_a_server_sees_only_the_variables_that_are_named(codex: Codex) -> None:
    without(codex, "env_vars")  # with it, it would see this one
    assert "memory_get" in codex.run("hello", variables={"TRINHO_DISABLE": "1"}).ended_well().tools


def test_in_the_sandbox_a_tool_that_writes_is_refused_unless_it_is_approved(codex: Codex) -> None:
    without(codex, "default_tools_approval_mode")
    codex = replace(codex, more=("--sandbox", "workspace-write"))
    run = codex.run("hello", call("memory_get", id=ENTRY), call("update_my_notes", content="Mine.")).ended_well()
    read, refused = run.results
    assert read.document["body"] == ANSWER
    assert "requires approval" in refused.text
    assert not (codex.world.root / "private").exists()


def test_the_first_request_waits_for_tools_that_are_required(codex: Codex) -> None:
    begin_with(codex, "sleep 2")
    assert "memory_get" in codex.run("hello").ended_well().tools


def test_the_first_request_waits_for_no_others(codex: Codex) -> None:
    asked = codex.world.folder / "asked"
    without(codex, "required")
    begin_with(codex, f"until [ -e {asked} ]; do sleep 0.05; done")
    run = codex.run("hello", Shell(f"touch {asked}")).ended_well()
    assert run.tools == set()


def begin_with(codex: Codex, command: str) -> None:
    """Have our server do something before it starts."""
    server = tomllib.loads(codex.config.read_text())["mcp_servers"]["trinho"]
    line = f"{command}; exec {shlex.join([server['command'], *server['args']])}"
    without(codex, "command")
    without(codex, "args")
    put = f'[mcp_servers.trinho]\ncommand = "sh"\nargs = {json.dumps(["-c", line])}\n'
    codex.config.write_text(codex.config.read_text().replace("[mcp_servers.trinho]\n", put))


def test_hooks_in_two_places_are_warned_of_and_setup_keeps_to_one(world: World) -> None:
    warning = "loading hooks from both"
    hook = {"type": "command", "command": "true"}
    codex = Codex(world)
    codex.config.write_text('[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "true"\n')
    codex.set_up()
    assert warning not in codex.run("hello").ended_well().out
    (codex.folder / "hooks.json").write_text(json.dumps({"hooks": {"Stop": [{"hooks": [hook]}]}}))
    assert warning in codex.run("hello").ended_well().out


def test_a_longer_answer_of_a_hook_than_ours_is_cut(world: World) -> None:
    hooks = {}
    for event, size in (("SessionStart", 9_500), ("UserPromptSubmit", 10_500)):
        answer = {"hookEventName": event, "additionalContext": filled(event, size)}
        (world.folder / event).write_text(json.dumps({"hookSpecificOutput": answer}))
        hooks[event] = [{"hooks": [{"type": "command", "command": shlex.join(["cat", str(world.folder / event)])}]}]
    codex = Codex(world)
    (codex.config.parent / "hooks.json").write_text(json.dumps({"hooks": hooks}))
    (text,) = codex.run("hello").ended_well().texts()
    assert filled("SessionStart", 9_500) in text
    assert filled("UserPromptSubmit", 1_500) in text
    assert filled("UserPromptSubmit", 10_500) not in text


def filled(name: str, size: int) -> str:
    """A text of so many bytes."""
    return name + "ệ" * ((size - len(name)) // len("ệ".encode()))


def test_what_setup_writes_is_taken_as_it_is(codex: Codex) -> None:
    run = replace(codex, more=("--strict-config",)).run("hello").ended_well()
    items = [json.loads(line).get("item", {}) for line in run.out.splitlines()]
    remarks = [item["message"] for item in items if item.get("type") == "error"]
    of_the_test = ("`--dangerously-bypass-hook-trust`", "Model metadata for `scripted`")
    assert [each for each in remarks if not each.startswith(of_the_test)] == []


def test_the_shell_is_one_of_login(codex: Codex) -> None:
    for name in (".bash_profile", ".zprofile", ".profile"):
        (codex.world.home / name).write_text("export PATH=/of/the/profile:$PATH\n")
    (result,) = codex.run("hello", Shell("echo $PATH")).ended_well().results
    assert "/of/the/profile:" in result.text
