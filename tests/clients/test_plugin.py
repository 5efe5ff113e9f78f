"""The plugin folder: what the command sets up, in the form that Claude Code installs."""

from __future__ import annotations

import json
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.clients.real_clients import SECONDS, Claude, program

from trinho.adapters.clients import ours
from trinho.ports.clients import Wiring

if TYPE_CHECKING:
    from tests.clients.real_clients import World

PLUGINS = Path(__file__).resolve().parents[2] / "plugins"
PLUGIN = PLUGINS / "claude-code"


def test_it_starts_what_the_command_sets_up() -> None:
    wiring = Wiring(("trinho",), "main")
    assert json.loads((PLUGIN / "hooks/hooks.json").read_text()) == {"hooks": ours.hooks(wiring)}
    server = json.loads((PLUGIN / ".mcp.json").read_text())["mcpServers"]["trinho"]
    assert server == {"type": "stdio", **ours.server(wiring), "alwaysLoad": True}


def test_it_has_the_version_of_the_package() -> None:
    assert json.loads((PLUGIN / ".claude-plugin/plugin.json").read_text())["version"] == version("trinho")


@pytest.mark.parametrize("folder", [PLUGIN, PLUGINS], ids=["plugin", "marketplace"])
def test_the_client_finds_no_fault_in_it(world: World, folder: Path) -> None:
    binary = program("@anthropic-ai/claude-code", "claude")
    done = subprocess.run(
        [binary, "plugin", "validate", folder],
        env=world.environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert "Validation passed" in done.stdout, done.stdout


def test_a_session_with_it_remembers(world: World) -> None:
    world.trinho("create", "shared:team:indentation", "--body", "Python code is indented with four spaces.")
    run = Claude(world, ("--plugin-dir", str(PLUGIN))).run("how do we indent python code here?").ended_well()
    assert any("Python code is indented with four spaces." in text for text in run.texts())
    assert "mcp__plugin_trinho_trinho__search_memory" in run.texts()[0]
    assert run.left == []
