"""Codex as it works with its own models, and in its sandbox."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.clients.model_fakes import Program, Shell, call
from tests.clients.real_clients import TRINHO, Codex

if TYPE_CHECKING:
    from tests.clients.real_clients import World

KNOWN_MODEL = "gpt-6.2-sol"
SANDBOX = "sandbox_workspace_write={exclude_slash_tmp=true, exclude_tmpdir_env_var=true}"  # tests run below /tmp


def codex(world: World, *arguments: str) -> Codex:
    client = Codex(world, arguments)
    client.set_up()
    return client


def test_a_program_of_the_model_reaches_memory_and_no_more(world: World) -> None:
    world.trinho("create", "shared:team:indentation", "--body", "Indent with four spaces.")
    get = "text(JSON.stringify(await tools.mcp__trinho__memory_get({id: %s})))"
    grant = json.dumps(f"{TRINHO} grant set main git none --yes; echo status $?")
    run = (
        codex(world, "--model", KNOWN_MODEL)
        .run(
            "hello",
            Program(get % '"shared:team:indentation"'),
            Program(get % '"private:worker:plan"'),
            Program(f"text(JSON.stringify(await tools.exec_command({{cmd: {grant}}})))"),
        )
        .ended_well()
    )
    got, denied, refused = run.results
    assert "Indent with four spaces." in got.text
    assert "PRIVATE_MEMORY_DENIED" in denied.text
    assert "RESERVED_FOR_PRINCIPAL" in refused.text
    assert "status 3" in refused.text
    assert run.left == []


def test_the_server_writes_where_the_sandboxed_shell_can_only_read(world: World) -> None:
    world.trinho("create", "shared:team:indentation", "--body", "Indent with four spaces.")
    run = (
        codex(world, "--sandbox", "workspace-write", "-c", SANDBOX)
        .run(
            "hello",
            Shell(f"{TRINHO} search 'how do we indent?'"),
            Shell(f"{TRINHO} notes append --body 'From the shell.'; echo status $?"),
            Shell(f"{TRINHO} --as principal grant set main git none --yes; echo status $?"),
            call("update_my_notes", content="From the tool."),
        )
        .ended_well()
    )
    found, kept_out, refused, written = run.results
    assert "Indent with four spaces." in found.text
    assert "STORE_READ_ONLY" in kept_out.text
    assert "RESERVED_FOR_PRINCIPAL" in refused.text
    assert '"version":1' in written.text
    assert world.trinho("--as", "main", "notes", "show").strip() == "From the tool."
