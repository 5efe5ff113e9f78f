"""Setup in a home that isn't as one expects: nothing is lost, and what is wrong is told in a sentence."""

from __future__ import annotations

import json
import os
import tomllib
from typing import TYPE_CHECKING

import pytest
from tests.setup.test_setup import CONFIG, HOOKS, SERVERS, SETTINGS, put, settings, snapshot

if TYPE_CHECKING:
    from tests.cleanroom import Home, Terminal

CLIENTS = ["claude-code", "codex"]


def reason(trinho: Terminal, *arguments: str) -> str:
    answer = trinho("setup", *arguments, "--yes", "--json")
    assert answer.status == 2, answer
    assert answer.error["code"] == "INVALID_CLIENT_SETTINGS"
    told: str = answer.error["reason"]
    return told


class TestPlaces:
    @pytest.mark.parametrize("client", CLIENTS)
    @pytest.mark.parametrize("name", ["settings", "folder"])
    def test_what_can_not_be_written_is_told_before_anything_is(
        self, home: Home, trinho: Terminal, monkeypatch: pytest.MonkeyPatch, client: str, name: str
    ) -> None:
        put(home, {SETTINGS: "{}", CONFIG: ""})
        before = snapshot(home.folder)
        closed = {"settings": (home.folder / SETTINGS, home.folder / CONFIG)}.get(
            name, (home.folder / ".claude", home.folder / ".codex")
        )
        access = os.access
        monkeypatch.setattr(os, "access", lambda path, mode: path not in closed and access(path, mode))
        told = "read-only" if name == "settings" else "nothing can be written into"
        assert told in reason(trinho, client)
        assert told in reason(trinho, client, "--dry-run")
        assert snapshot(home.folder) == before
        assert not home.root.exists()

    @pytest.mark.parametrize("client", CLIENTS)
    def test_a_file_in_the_place_of_a_folder(self, home: Home, trinho: Terminal, client: str) -> None:
        put(home, {".claude": "", ".codex": ""})
        assert "Not a directory" in reason(trinho, client)
        assert not home.root.exists()

    def test_a_record_that_can_not_be_written(self, home: Home, trinho: Terminal) -> None:
        put(home, {".local": "no folder", SETTINGS: "{}"})
        before = snapshot(home.folder)
        reason(trinho, "claude-code")
        assert snapshot(home.folder) == before

    @pytest.mark.parametrize(("client", "variable"), [("claude-code", "CLAUDE_CONFIG_DIR"), ("codex", "CODEX_HOME")])
    def test_a_relative_folder_is_found_again_from_elsewhere(
        self, home: Home, trinho: Terminal, monkeypatch: pytest.MonkeyPatch, client: str, variable: str
    ) -> None:
        trinho.set(**{variable: "own"})
        assert trinho("setup", client, "--yes").status == 0
        trinho.set(**{variable: str(home.folder / "own")})
        monkeypatch.chdir("/")
        assert trinho("setup", client, "--remove", "--yes").status == 0
        assert not (home.folder / "own").exists()

    @pytest.mark.parametrize("client", CLIENTS)
    def test_the_home_is_no_project(self, home: Home, trinho: Terminal, client: str) -> None:
        assert trinho("setup", client, "--yes").status == 0
        before = snapshot(home.folder)
        assert "--scope project" in reason(trinho, client, "--scope", "project")
        assert "--scope project" in reason(trinho, client, "--scope", "project", "--remove")
        assert snapshot(home.folder) == before

    @pytest.mark.parametrize(("client", "folder"), [("claude-code", ".claude"), ("codex", ".codex")])
    def test_a_project_that_leads_into_the_home(
        self, home: Home, trinho: Terminal, monkeypatch: pytest.MonkeyPatch, client: str, folder: str
    ) -> None:
        (home.folder / folder).mkdir()
        (home.folder / "lantern").mkdir()
        (home.folder / "lantern" / folder).symlink_to(home.folder / folder)
        monkeypatch.chdir(home.folder / "lantern")
        assert "--scope project" in reason(trinho, client, "--scope", "project")
        assert snapshot(home.folder) == {}

    def test_the_diff_tells_where_a_link_leads(self, home: Home, trinho: Terminal) -> None:
        put(home, {"dotfiles/claude.json": "{}\n"})
        (home.folder / ".claude").mkdir()
        (home.folder / SETTINGS).symlink_to(home.folder / "dotfiles/claude.json")
        shown = f"+++ {home.folder / SETTINGS} -> {home.folder / 'dotfiles/claude.json'}"
        assert shown in trinho("setup", "claude-code", "--dry-run").out

    def test_a_link_that_leads_to_nothing_yet(self, home: Home, trinho: Terminal) -> None:
        (home.folder / ".claude").mkdir()
        (home.folder / SETTINGS).symlink_to(home.folder / "dotfiles/claude.json")
        assert trinho("setup", "claude-code", "--yes").status == 0
        assert (home.folder / "dotfiles/claude.json").exists()
        assert trinho("setup", "claude-code", "--remove", "--yes").status == 0
        assert (home.folder / SETTINGS).is_symlink()
        assert not (home.folder / "dotfiles").exists()

    @pytest.mark.parametrize("client", CLIENTS)
    @pytest.mark.parametrize(("folder", "noted"), [("repo", False), ("repo/src", True), ("plain", False)])
    def test_a_part_of_a_repository(
        self, home: Home, trinho: Terminal, monkeypatch: pytest.MonkeyPatch, client: str, folder: str, noted: bool
    ) -> None:
        (home.folder / "repo/.git").mkdir(parents=True)
        (home.folder / folder).mkdir(exist_ok=True)
        monkeypatch.chdir(home.folder / folder)
        answer = trinho("setup", client, "--scope", "project", "--yes")
        assert answer.status == 0
        assert (f"part of {home.folder}/repo:" in answer.err) == noted


class TestOddFiles:
    @pytest.mark.parametrize("text", ["mcp_servers = 1\n", "mcp_servers = []\n", "a = " + "[" * 5000 + "]" * 5000])
    def test_a_configuration_that_is_no_codexs(self, home: Home, trinho: Terminal, text: str) -> None:
        put(home, {CONFIG: text})
        assert reason(trinho, "codex")
        assert (home.folder / CONFIG).read_text() == text

    @pytest.mark.parametrize("arguments", [(), ("--remove",)])
    def test_settings_that_are_nested_too_deeply(self, home: Home, trinho: Terminal, arguments: tuple[str]) -> None:
        text = '{"a":' * 5000 + "1" + "}" * 5000
        put(home, {SETTINGS: text})
        assert reason(trinho, "claude-code", *arguments) == "it is nested too deeply"
        assert (home.folder / SETTINGS).read_text() == text


class TestEditedSince:
    """A person changed what setup had put in."""

    def test_comments_beside_our_tables_stay(self, home: Home, trinho: Terminal) -> None:
        put(home, {CONFIG: 'model = "gpt"\n'})
        assert trinho("setup", "codex", "--yes").status == 0
        path = home.folder / CONFIG
        edited = path.read_text().replace("required = true", "required = false")
        path.write_text(f'{edited}\n# the theme that I like\n[tui]\ntheme = "x"\n')
        assert trinho("setup", "codex", "--remove", "--yes").status == 0
        assert path.read_text() == 'model = "gpt"\n\n# the theme that I like\n[tui]\ntheme = "x"\n'

    def test_what_codex_wrote_of_our_tools_goes_with_the_server(self, home: Home, trinho: Terminal) -> None:
        put(home, {CONFIG: 'model = "gpt"\n'})
        assert trinho("setup", "codex", "--yes").status == 0
        path = home.folder / CONFIG
        path.write_text(f'{path.read_text()}\n[mcp_servers.trinho.tools.memory_get]\napproval_mode = "approve"\n')
        assert "already" in trinho("setup", "codex", "--yes").out
        assert trinho("setup", "codex", "--yes", "--role", "worker").status == 0
        path.write_text(f'{path.read_text()}\n[mcp_servers.trinho.tools.memory_get]\napproval_mode = "approve"\n')
        assert trinho("setup", "codex", "--remove", "--yes").status == 0
        assert tomllib.loads(path.read_text()) == {"model": "gpt"}

    @pytest.mark.parametrize("client", CLIENTS)
    def test_more_that_the_person_gave_our_server_stays(self, home: Home, trinho: Terminal, client: str) -> None:
        assert trinho("setup", client, "--yes").status == 0
        path = home.folder / (CONFIG if client == "codex" else SERVERS)
        text = path.read_text()
        more = text.replace("required = true", "required = true\nstartup_timeout_sec = 30").replace(
            '"type": "stdio",', '"type": "stdio", "timeout": 30,'
        )
        assert more != text
        path.write_text(more)
        assert "already" in trinho("setup", client, "--yes").out
        assert path.read_text() == more

    def test_a_permission_that_was_there_before_stays(self, home: Home, trinho: Terminal) -> None:
        put(home, {SETTINGS: '{"permissions": {"allow": ["mcp__trinho"]}}\n'})
        assert trinho("setup", "claude-code", "--yes").status == 0
        path = home.folder / SETTINGS
        path.write_text(path.read_text().replace('"timeout": 10', '"timeout": 11'))
        assert trinho("setup", "claude-code", "--remove", "--yes").status == 0
        assert settings(home) == {"permissions": {"allow": ["mcp__trinho"]}}

    @pytest.mark.parametrize("name", [SETTINGS, HOOKS])
    def test_a_hook_of_ours_that_was_changed_goes(self, home: Home, trinho: Terminal, name: str) -> None:
        client = "claude-code" if name == SETTINGS else "codex"
        put(home, {name: '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "beep"}]}]}}\n'})
        before = settings(home, name)
        assert trinho("setup", client, "--yes").status == 0
        path = home.folder / name
        said = json.loads(path.read_text())
        said["hooks"]["Stop"][1]["hooks"][0]["timeout"] = 9
        said["hooks"]["Stop"][0]["hooks"].append(said["hooks"]["SessionStart"].pop()["hooks"][0])
        path.write_text(json.dumps(said, indent=4))
        assert trinho("setup", client, "--remove", "--yes").status == 0
        left = settings(home, name)
        assert {event: groups for event, groups in left["hooks"].items() if groups} == before["hooks"]

    @pytest.mark.parametrize("client", CLIENTS)
    def test_removal_twice(self, home: Home, trinho: Terminal, client: str) -> None:
        assert trinho("setup", client, "--yes").status == 0
        assert trinho("setup", client, "--remove", "--yes").status == 0
        for _ in range(2):
            answer = trinho("setup", client, "--remove", stdin=b"")
            assert answer.status == 0
            assert "nothing of ours is there" in answer.out

    @pytest.mark.parametrize(("client", "variable"), [("claude-code", "CLAUDE_CONFIG_DIR"), ("codex", "CODEX_HOME")])
    def test_removal_elsewhere_tells_where_it_was_put(
        self, home: Home, trinho: Terminal, client: str, variable: str
    ) -> None:
        trinho.set(**{variable: str(home.folder / "own")})
        assert trinho("setup", client, "--yes").status == 0
        trinho.unset(variable)
        answer = trinho("setup", client, "--remove", "--yes")
        assert "nothing of ours" in answer.out
        assert answer.err.count(f"wrote into {home.folder}/own/") == 2
