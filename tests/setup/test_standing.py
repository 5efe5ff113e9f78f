"""Doctor tells a person where a client was set up and doesn't start us."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from tests.setup.test_setup import CONFIG, HOOKS, SERVERS, SETTINGS, put, snapshot
from tests.setup.test_trust import trusting

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cleanroom import Home, Terminal

CODES = ("CLIENT_SETTINGS", "CLIENT_COMMAND", "HOOKS_UNTRUSTED")


def told(trinho: Terminal) -> list[dict[str, Any]]:
    answer = trinho("doctor", "--json")
    assert answer.status == 0, answer
    found = [each for each in answer.json["findings"] if each["code"] in CODES]
    assert all(each["severity"] == "warning" for each in found)
    return found


def codes(trinho: Terminal) -> list[str]:
    return [each["code"] for each in told(trinho)]


@pytest.fixture
def program(home: Home, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The command that set it up, installed in a folder of its own."""
    path = home.folder / "venv/bin/trinho"
    path.parent.mkdir(parents=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(path)])
    return path


def test_a_client_that_starts_us_is_not_told_of(home: Home, trinho: Terminal, program: Path) -> None:
    assert trinho("setup", "claude-code", "--yes").status == 0
    assert trinho("setup", "codex", "--yes").status == 0
    trusting(home)
    assert told(trinho) == []
    for client in ("claude-code", "codex"):
        assert trinho("setup", client, "--remove", "--yes").status == 0
    assert told(trinho) == []


def test_hooks_that_codex_was_not_told_to_trust(home: Home, trinho: Terminal) -> None:
    assert trinho("setup", "codex", "--yes").status == 0
    (found,) = told(trinho)
    assert found["code"] == "HOOKS_UNTRUSTED"
    assert found["where"] == str(home.folder / HOOKS)
    assert "SessionStart" in found["what"]
    assert "haven't trusted" in found["what"]
    assert "`/hooks`" in found["mend"]
    assert "hooks_untrusted" in trinho("doctor").out
    trusting(home)
    assert told(trinho) == []
    assert trinho("setup", "codex", "--yes", "--role", "worker").status == 0
    (found,) = told(trinho)
    assert "changed" in found["what"]


def test_a_hook_that_the_person_switched_off_or_made_different(home: Home, trinho: Terminal) -> None:
    assert trinho("setup", "codex", "--yes").status == 0
    path = home.folder / HOOKS
    said = json.loads(path.read_text())
    said["hooks"]["Stop"][0]["matcher"] = "x"  # of which we can't compute the hash
    path.write_text(json.dumps(said))
    trusting(home)
    assert told(trinho) == []
    config = home.folder / CONFIG
    state = [f'[hooks.state."{path}:{event}:0:0"]\nenabled = false\n' for event in ("stop", "session_end")]
    config.write_text("".join(state))
    assert "Stop" not in told(trinho)[-1]["what"]
    assert "SessionEnd" not in told(trinho)[-1]["what"]


@pytest.mark.parametrize("client", ["claude-code", "codex"])
def test_a_command_that_is_gone(home: Home, trinho: Terminal, program: Path, client: str) -> None:
    assert trinho("setup", client, "--yes", "--role", "worker").status == 0
    trusting(home) if client == "codex" else None
    shutil.rmtree(home.folder / "venv")
    (found,) = told(trinho)
    assert found["code"] == "CLIENT_COMMAND"
    assert str(program) in found["what"]
    assert f"`trinho setup {client} --role worker`" in found["mend"]


@pytest.mark.parametrize(("client", "names"), [("claude-code", (SETTINGS, SERVERS)), ("codex", (CONFIG, HOOKS))])
@pytest.mark.parametrize("text", [None, "", "{"])
def test_settings_that_lost_what_was_put_in(
    home: Home, trinho: Terminal, client: str, names: tuple[str, str], text: str | None
) -> None:
    assert trinho("setup", client, "--yes").status == 0
    for name in names:
        (home.folder / name).unlink() if text is None else (home.folder / name).write_text(text)
    found = told(trinho)
    assert {each["code"] for each in found} == {"CLIENT_SETTINGS"}
    assert {each["where"] for each in found} <= {str(home.folder / name) for name in names}
    if text != "{":
        assert len(found) == 2
        assert f"`trinho setup {client}`" in found[0]["mend"]
        answer = trinho("setup", client, "--remove", "--yes")
        assert "nothing of ours" in answer.out if text is None else "+++ /dev/null" in answer.out
        assert told(trinho) == []
        assert not any("setup.json" in name for name in snapshot(home.folder))


def test_a_dry_run_forgets_nothing(home: Home, trinho: Terminal) -> None:
    assert trinho("setup", "claude-code", "--yes").status == 0
    (home.folder / SETTINGS).unlink()
    (home.folder / SERVERS).unlink()
    assert trinho("setup", "claude-code", "--remove", "--dry-run").status == 0
    assert codes(trinho) == ["CLIENT_SETTINGS"] * 2


@pytest.mark.parametrize("client", ["claude-code", "codex"])
def test_a_project(home: Home, trinho: Terminal, client: str, monkeypatch: pytest.MonkeyPatch) -> None:
    project = home.folder / "lantern"
    project.mkdir()
    monkeypatch.chdir(project)
    monkeypatch.setenv("PATH", str(home.folder))
    assert trinho("setup", client, "--scope", "project", "--yes").status == 0
    monkeypatch.chdir(home.folder)
    found = {each["code"]: each for each in told(trinho)}
    assert f"in {project}" in found["CLIENT_COMMAND"]["mend"]
    assert "--scope project" in found["CLIENT_COMMAND"]["mend"]
    assert ("HOOKS_UNTRUSTED" in found) == (client == "codex")
    if client == "codex":
        assert f"in {project}" in found["HOOKS_UNTRUSTED"]["mend"]
    shutil.rmtree(project)
    assert told(trinho) == []


def test_an_agent_is_not_told(home: Home, trinho: Terminal) -> None:
    assert trinho("setup", "codex", "--yes").status == 0
    assert trinho("--as", "main", "doctor", "--json").json["findings"] == []


def test_where_nothing_was_set_up_no_client_is_looked_for(home: Home) -> None:
    home.memory().close()
    code = "import sys; from trinho.interfaces.cli.app import run; run(['doctor']); \
print([name for name in sys.modules if name.startswith(('trinho.adapters.clients', 'tree_sitter'))])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**home.environment, "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("text", ['{"model": "x"}', "// mine\n{}"])
def test_a_file_of_hooks_that_codex_does_not_read(home: Home, trinho: Terminal, text: str) -> None:
    put(home, {HOOKS: text})
    assert "Codex reads no hooks" in trinho("setup", "codex", "--yes").err
    (found,) = told(trinho)
    assert found["code"] == "CLIENT_SETTINGS"
    assert found["where"] == str(home.folder / HOOKS)
    assert "Codex reads no hooks" in found["what"]
