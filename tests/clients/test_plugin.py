"""The plugin folder: what the command sets up, in the form that Claude Code installs."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.clients.real_clients import OFFLINE, SECONDS, Claude, program

from trinho.adapters.clients import ours
from trinho.ports.clients import Wiring

if TYPE_CHECKING:
    from tests.clients.real_clients import World

PLUGINS = Path(__file__).resolve().parents[2] / "plugins"
PLUGIN = PLUGINS / "claude-code"
ANSWER = "Python code is indented with four spaces."
PROMPT = "how do we indent python code here?"


def test_it_starts_what_the_command_sets_up() -> None:
    wiring = Wiring(("trinho",), "main")
    assert json.loads((PLUGIN / "hooks/hooks.json").read_text()) == {"hooks": ours.hooks(wiring)}
    server = json.loads((PLUGIN / ".mcp.json").read_text())["mcpServers"]["trinho"]
    assert server == {"type": "stdio", **ours.server(wiring), "alwaysLoad": True}


def test_it_has_the_version_of_the_package() -> None:
    assert json.loads((PLUGIN / ".claude-plugin/plugin.json").read_text())["version"] == version("trinho")


@pytest.mark.parametrize("folder", [PLUGIN, PLUGINS], ids=["plugin", "marketplace"])
def test_the_client_finds_no_fault_in_it(world: World, folder: Path) -> None:
    assert "Validation passed" in plugin(world, "validate", str(folder))


def test_a_session_remembers_as_long_as_it_is_installed(world: World) -> None:
    world.trinho("create", "shared:team:indentation", "--body", ANSWER)
    for command in re.findall("^claude plugin (.*)$", (PLUGIN / "README.md").read_text(), re.MULTILINE):
        plugin(world, *shlex.split(command.replace("./plugins", str(PLUGINS))))
    run = Claude(world).run(PROMPT).ended_well()
    assert ANSWER in run.texts()[0]
    assert "mcp__plugin_trinho_trinho__search_memory" in run.texts()[0]
    assert run.left == []
    plugin(world, "uninstall", "trinho@trinho")
    (text,) = Claude(world).run(PROMPT).ended_well().texts()
    assert ANSWER not in text
    assert "search_memory" not in text


def plugin(world: World, *arguments: str) -> str:
    """What a command about plugins printed, of the client in the home of this test."""
    done = subprocess.run(
        [program("@anthropic-ai/claude-code", "claude"), "plugin", *arguments],
        cwd=world.repository,
        env={**world.environment, **OFFLINE},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    assert done.returncode == 0, (done.stdout, done.stderr)
    return done.stdout
