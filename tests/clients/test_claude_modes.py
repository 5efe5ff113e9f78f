"""Claude Code with a sandbox, with a subagent, and the limits that setup keeps to."""

from __future__ import annotations

import json
import shlex
import shutil
from tempfile import TemporaryDirectory

import pytest
from tests.clients.model_fakes import Delegate, Shell, call
from tests.clients.real_clients import TRINHO, Claude, World

ENTRY = "shared:team:indentation"
ANSWER = "Python code is indented with four spaces."
PROMPT = "how many spaces do we indent python code with?"


def claude(world: World, *arguments: str) -> Claude:
    client = Claude(world, arguments)
    client.set_up()
    world.trinho("create", ENTRY, "--body", ANSWER)
    return client


@pytest.mark.skipif(
    not (shutil.which("bwrap") and shutil.which("socat")), reason="Claude Code's sandbox needs bubblewrap and socat"
)
def test_memory_works_where_the_sandbox_hides_its_files(world: World) -> None:
    files = f"/{world.root}/**"
    settings = {
        "sandbox": {"enabled": True, "failIfUnavailable": True, "allowUnsandboxedCommands": False},
        "permissions": {"deny": [f"Read({files})", f"Edit({files})"]},
    }
    client = claude(world, "--settings", json.dumps(settings))
    with TemporaryDirectory() as short:  # the path of a socket has room for 107 characters
        run = client.run(
            PROMPT,
            Shell("""python3 -c 'import os; print("there:", os.listdir(os.path.expanduser("~/.trinho/memory")))'"""),
            Shell(f"{TRINHO} search 'how do we indent?'; echo status $?"),
            call("memory_get", id=ENTRY),
            call("update_my_notes", content="From the tool."),
            variables={"TMPDIR": short, "CLAUDE_CODE_TMPDIR": short},
        ).ended_well()
    assert ANSWER in run.texts()[0]  # by the hook
    seen, searched, got, _ = run.results
    assert "there: []" in seen.text
    assert "INVALID_ROOT" in searched.text
    assert "status 2" in searched.text
    assert got.document["body"] == ANSWER
    assert world.trinho("--as", "main", "notes", "show").strip() == "From the tool."
    assert run.left == []


def test_a_subagent_has_the_tools_of_memory(world: World) -> None:
    world.trinho("policy", "propose", "Never push to main.", "--domain", "git")
    task = "Look up how we indent."
    run = claude(world, "Agent").run(PROMPT, Delegate(task), call("memory_get", id=ENTRY)).ended_well()
    first, started, answered, last = run.texts()
    assert "Never push to main." in first
    assert task in started
    assert "mcp__trinho__memory_get" in started
    assert "Never push to main." not in started  # no hook of ours is told of it
    assert ANSWER not in started
    assert ANSWER in answered
    assert "toolu_2" not in last  # what it did stays with it
    assert run.left == []


def test_a_longer_answer_of_a_hook_than_ours_is_cut(world: World) -> None:
    commands = {}
    for event, size in (("SessionStart", 9_500), ("UserPromptSubmit", 10_500)):
        answer = {"hookEventName": event, "additionalContext": f"{event[0]}{'ệ' * (size - 2)}{event[-1]}"}
        (world.folder / event).write_text(json.dumps({"hookSpecificOutput": answer}))
        commands[event] = [{"hooks": [{"type": "command", "command": shlex.join(["cat", str(world.folder / event)])}]}]
    (text,) = Claude(world, ("--settings", json.dumps({"hooks": commands}))).run("hello").ended_well().texts()
    assert f"S{'ệ' * 9_498}t" in text
    assert "Uệệ" in text
    assert "ệệt" not in text.replace(f"S{'ệ' * 9_498}t", "")


def test_the_tools_stand_in_the_request_since_setup_says_so(world: World) -> None:
    client = claude(world)
    place = world.home / ".claude.json"
    place.write_text(place.read_text().replace('"alwaysLoad": true', '"alwaysLoad": false'))
    run = client.run("hello").ended_well()
    assert run.tools == set()
    assert "mcp__trinho__memory_get" in run.texts()[0]  # only its name
