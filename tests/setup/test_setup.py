"""Clients' settings edited in place: what people wrote there stays as it is, whatever it looks like."""

from __future__ import annotations

import json
import os
import stat
import tomllib
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trinho.adapters.clients import claude_code, files, jsonc, ours
from trinho.adapters.clients.claude_code import ClaudeCodeSettings
from trinho.adapters.clients.files import Record, Records, without
from trinho.errors import FileChangedError
from trinho.interfaces.hooks.run import SECONDS, USUAL_SECONDS
from trinho.ports.clients import Wiring

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tests.cleanroom import Home, Terminal

SETTINGS = ".claude/settings.json"
SERVERS = ".claude.json"
CONFIG = ".codex/config.toml"
HOOKS = ".codex/hooks.json"
EVENTS = {"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "Stop", "SessionEnd"}

JSON_FORMS = {
    "empty": "",
    "white space": "  \n\n",
    "empty object": "{}",
    "empty object, spread out": "{\n\n}\n",
    "one line": '{"model":"opus","permissions":{"allow":["Bash(ls:*)"],"deny":[]}}',
    "two spaces": '{\n  "model": "opus",\n  "hooks": {\n    "Stop": []\n  }\n}\n',
    "four spaces, no newline at the end": '{\n    "model": "opus"\n}',
    "tabs": '{\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{"hooks": [{"command": "beep"}]}\n\t\t]\n\t}\n}\n',
    "CRLF": '{\r\n  "model": "opus",\r\n  "permissions": {}\r\n}\r\n',
    "comments": '// a\n{ // b\n  "model": "opus", /* c */\n  "hooks": {"Stop": [/* e */]} // f\n  // g\n}\n// h\n',
    "a comment alone": "{\n  // nothing yet\n}\n",
    "a mark of byte order": '\ufeff{"model": "opus"}\n',
    "escapes": '{"mo\\u0064el": "\\ud83d\\ude00 é", "permissions": {"\\u0061llow": ["x"]}}\n',
    "a name twice": '{"hooks": {"Stop": []}, "hooks": {"SessionEnd": []}}\n',
    "ragged": '{\n"model":\n   "opus"\n , "hooks"\n:{ }\n   }\n',
    "allowed already": '{"permissions": {"allow": ["mcp__other", "mcp__trinho"]}}\n',
}
TOML_FORMS = {
    "empty": "",
    "white space": "\n\n",
    "plain": 'model = "gpt" # mine\n',
    "no newline at the end": 'model = "gpt"',
    "CRLF": 'model = "gpt"\r\n[tui]\r\ntheme = "x"\r\n',
    "tables": '[mcp_servers.other]\ncommand = "x" # odd\n  args = [ "a",\n  "b" ]\n\n\n[profiles.w]\nm = 1\n# end\n',
    "hooks of one's own": '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "beep"\n',
    "trusted hooks": '[hooks.state."/x:stop:0:0"]\ntrusted_hash = "sha256:00"\n',
}


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file of a home but the memory's own and the shared cache."""
    own = (".trinho", ".cache", ".pytest_cache")
    files = (each for each in folder.rglob("*") if each.is_file())
    return {
        str(each.relative_to(folder)): each.read_bytes()
        for each in files
        if each.relative_to(folder).parts[0] not in (*own, "memory")
    }


class Clock:
    """A clock on which time passes only while somebody sleeps."""

    def __init__(self, begin: float) -> None:
        self._begin = begin
        self.passed = 0.0
        self.meanwhile: Callable[[], object] = bool  # at each sleep

    def time(self) -> float:
        return self._begin + self.passed

    def monotonic(self) -> float:
        return self.passed

    def sleep(self, seconds: float) -> None:
        self.passed += seconds
        self.meanwhile()


def put(home: Home, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        path = home.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def settings(home: Home, name: str = SETTINGS) -> dict[str, Any]:
    return jsonc.read((home.folder / name).read_bytes(), name)


def said(home: Home) -> list[Any]:
    """What both files of Claude Code say, but for what is empty, and for the permission: nobody knows whose it was."""
    return [filled(settings(home, name)) for name in (SETTINGS, SERVERS)]


def filled(value: Any) -> Any:
    if isinstance(value, dict):
        held = {name: filled(each) for name, each in value.items()}
        return {name: each for name, each in held.items() if each not in ({}, [])}
    if isinstance(value, list):
        return [each for each in map(filled, value) if each not in ({}, [], "mcp__trinho")]
    return value


class TestClaudeCode:
    def test_it_starts_our_server_and_hooks(self, home: Home, trinho: Terminal) -> None:
        answer = trinho("setup", "claude-code", "--yes")
        assert answer.status == 0, answer
        said = json.loads((home.folder / SETTINGS).read_text())
        assert said["permissions"] == {"allow": ["mcp__trinho"]}
        assert set(said["hooks"]) == EVENTS
        for groups in said["hooks"].values():
            hook = groups[0]["hooks"][0]
            assert hook["type"] == "command"
            assert hook["timeout"] > SECONDS.get(hook["command"].split()[-3], USUAL_SECONDS)
            assert "--as main" in hook["command"]
            assert f"--root {home.root}" in hook["command"]  # which the environment named
        server = json.loads((home.folder / SERVERS).read_text())["mcpServers"]["trinho"]
        assert server["alwaysLoad"] is True
        assert server["args"][-3:] == ["mcp", "--as", "main"]
        assert home.root.is_dir()

    @pytest.mark.parametrize("form", JSON_FORMS)
    def test_setup_and_removal_leave_every_byte(self, home: Home, trinho: Terminal, form: str) -> None:
        put(home, {SETTINGS: JSON_FORMS[form], SERVERS: JSON_FORMS[form]})
        before = snapshot(home.folder)
        was = settings(home)
        assert trinho("setup", "claude-code", "--yes").status == 0
        assert set(settings(home)["hooks"]) == EVENTS
        assert {name: each for name, each in settings(home).items() if name not in ("hooks", "permissions")} == {
            name: each for name, each in was.items() if name not in ("hooks", "permissions")
        }
        again = snapshot(home.folder)
        assert "already" in trinho("setup", "claude-code", "--yes").out
        assert snapshot(home.folder) == again
        assert trinho("setup", "claude-code", "--remove", "--yes").status == 0
        assert snapshot(home.folder) == before
        assert "nothing of ours" in trinho("setup", "claude-code", "--remove", "--yes").out

    @pytest.mark.parametrize("form", JSON_FORMS)
    def test_without_the_record_what_they_say_is_the_same(self, home: Home, trinho: Terminal, form: str) -> None:
        put(home, {SETTINGS: JSON_FORMS[form], SERVERS: JSON_FORMS[form]})
        was = said(home)
        assert trinho("setup", "claude-code", "--yes").status == 0
        (home.folder / ".local/state/trinho/setup.json").unlink()
        assert trinho("setup", "claude-code", "--remove", "--yes").status == 0
        assert b"trinho" not in (home.folder / SETTINGS).read_bytes() + (home.folder / SERVERS).read_bytes()
        assert said(home) == was

    def test_what_was_written_in_between_stays(self, home: Home, trinho: Terminal) -> None:
        put(home, {SETTINGS: '{\n  // mine\n  "model": "opus"\n}\n'})
        assert trinho("setup", "claude-code", "--yes").status == 0
        path = home.folder / SETTINGS
        path.write_text(path.read_text().replace('"opus"', '"sonnet"').replace("// mine", "// ours"))
        assert trinho("setup", "claude-code", "--remove", "--yes").status == 0
        assert path.read_text() == '{\n  // ours\n  "model": "sonnet"\n}\n'

    def test_a_file_that_the_client_rewrote(self, home: Home, trinho: Terminal) -> None:
        put(home, {SERVERS: '{"numStartups": 1, "mcpServers": {"other": {"command": "x"}}}'})
        assert trinho("setup", "claude-code", "--yes").status == 0
        path = home.folder / SERVERS
        said = json.loads(path.read_text())
        path.write_text(json.dumps({**said, "numStartups": 2}, indent=4))
        assert trinho("setup", "claude-code", "--remove", "--yes").status == 0
        assert json.loads(path.read_text()) == {"numStartups": 2, "mcpServers": {"other": {"command": "x"}}}

    def test_files_that_were_not_there_go(self, home: Home, trinho: Terminal) -> None:
        assert trinho("setup", "claude-code", "--yes").status == 0
        assert trinho("setup", "claude-code", "--remove", "--yes").status == 0
        assert snapshot(home.folder) == {}
        assert not (home.folder / ".claude").exists()

    @pytest.mark.parametrize(("client", "folder"), [("claude-code", ".claude"), ("codex", ".codex")])
    def test_a_folder_that_was_there_stays(self, home: Home, trinho: Terminal, client: str, folder: str) -> None:
        (home.folder / folder).mkdir()
        assert trinho("setup", client, "--yes").status == 0
        assert trinho("setup", client, "--remove", "--yes").status == 0
        assert snapshot(home.folder) == {}
        assert (home.folder / folder).is_dir()

    @pytest.mark.parametrize("client", ["claude-code", "codex"])
    def test_folders_that_were_made_go(self, home: Home, trinho: Terminal, client: str) -> None:
        trinho.set(CODEX_HOME=str(home.folder / "a/b/c"), CLAUDE_CONFIG_DIR=str(home.folder / "a/b/c"))
        (home.folder / "a").mkdir()
        assert trinho("setup", client, "--yes").status == 0
        assert trinho("setup", client, "--yes", "--role", "worker").status == 0
        assert trinho("setup", client, "--remove", "--yes").status == 0
        assert list((home.folder / "a").iterdir()) == []

    def test_a_record_that_tells_of_no_folders_still_holds(self, home: Home, trinho: Terminal) -> None:
        assert trinho("setup", "codex", "--yes").status == 0
        records = home.folder / ".local/state/trinho/setup.json"
        known = json.loads(records.read_text())
        older = {path: {"texts": each["texts"], "made": each["made"]} for path, each in known.items()}
        records.write_text(json.dumps(older))
        assert trinho("setup", "codex", "--remove", "--yes").status == 0
        assert snapshot(home.folder) == {}
        assert (home.folder / ".codex").is_dir()

    @pytest.mark.parametrize("text", ["[]", "{", '{"%s": 1}', '{"%s": {}}', '{"%s": {"texts": 1, "folders": 2}}'])
    def test_a_record_that_says_nothing(self, home: Home, trinho: Terminal, text: str) -> None:
        assert trinho("setup", "claude-code", "--yes").status == 0
        records = home.folder / ".local/state/trinho/setup.json"
        records.write_text(text.replace("%s", str(home.folder / SETTINGS)))
        assert trinho("setup", "claude-code", "--remove", "--yes").status == 0
        assert settings(home) == settings(home, SERVERS) == {}

    def test_another_role_takes_the_place_of_the_first(self, home: Home, trinho: Terminal) -> None:
        put(home, {SETTINGS: JSON_FORMS["comments"]})
        before = snapshot(home.folder)
        assert trinho("setup", "claude-code", "--yes").status == 0
        assert trinho("setup", "claude-code", "--yes", "--role", "worker").status == 0
        text = (home.folder / SETTINGS).read_text()
        assert text.count("--as worker") == len(EVENTS)
        assert "--as main" not in text
        assert trinho("setup", "claude-code", "--remove", "--yes").status == 0
        assert {**snapshot(home.folder)} == before

    @pytest.mark.parametrize("client", ["claude-code", "codex"])
    def test_another_root_takes_the_place_of_the_first_everywhere(
        self, home: Home, trinho: Terminal, client: str
    ) -> None:
        first = str(home.folder / "first")
        assert trinho("--root", first, "setup", client, "--yes").status == 0
        trinho.unset("TRINHO_MEMORY_ROOT")
        assert trinho("setup", client, "--yes").status == 0
        mine = {name: raw for name, raw in snapshot(home.folder).items() if not name.startswith("first/")}
        assert len(mine) == 3
        assert not any(first.encode() in raw for raw in mine.values())

    def test_a_link_is_followed_and_its_mode_kept(self, home: Home, trinho: Terminal) -> None:
        put(home, {"dotfiles/claude.json": "{}\n"})
        real = home.folder / "dotfiles/claude.json"
        real.chmod(0o640)
        (home.folder / ".claude").mkdir()
        (home.folder / SETTINGS).symlink_to(real)
        assert trinho("setup", "claude-code", "--yes").status == 0
        assert (home.folder / SETTINGS).is_symlink()
        assert b"trinho" in real.read_bytes()
        assert stat.S_IMODE(real.stat().st_mode) == 0o640
        assert trinho("setup", "claude-code", "--remove", "--yes").status == 0
        assert real.read_text() == "{}\n"

    def test_a_project_gets_no_path_of_one_person(
        self, home: Home, trinho: Terminal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        project = home.folder / "lantern"
        project.mkdir()
        monkeypatch.chdir(project)
        assert trinho("setup", "claude-code", "--scope", "project", "--yes").status == 0
        assert json.loads((project / ".mcp.json").read_text())["mcpServers"]["trinho"] == {
            "type": "stdio",
            "command": "trinho",
            "args": ["mcp", "--as", "main"],
            "alwaysLoad": True,
        }
        assert str(home.root) not in (project / SETTINGS).read_text()
        assert trinho("setup", "claude-code", "--scope", "project", "--remove", "--yes").status == 0
        assert snapshot(home.folder) == {}
        assert list(project.iterdir()) == []

    def test_the_folder_of_the_environment(self, home: Home, trinho: Terminal) -> None:
        trinho.set(CLAUDE_CONFIG_DIR=str(home.folder / "elsewhere"))
        assert trinho("setup", "claude-code", "--yes").status == 0
        assert set(snapshot(home.folder)) == {
            "elsewhere/settings.json",
            "elsewhere/.claude.json",
            ".local/state/trinho/setup.json",
        }


class TestCodex:
    def test_it_starts_our_server_and_hooks(self, home: Home, trinho: Terminal) -> None:
        answer = trinho("setup", "codex", "--yes")
        assert answer.status == 0, answer
        server = tomllib.loads((home.folder / CONFIG).read_text())["mcp_servers"]["trinho"]
        assert server["required"] is True
        assert server["args"][-3:] == ["mcp", "--as", "main"]
        assert set(json.loads((home.folder / HOOKS).read_text())["hooks"]) == EVENTS
        assert "trust" in answer.err  # which is left to the person, and told

    @pytest.mark.parametrize("form", TOML_FORMS)
    @pytest.mark.parametrize("hooks", [None, *JSON_FORMS])
    def test_setup_and_removal_leave_every_byte(
        self, home: Home, trinho: Terminal, form: str, hooks: str | None
    ) -> None:
        put(home, {CONFIG: TOML_FORMS[form], **({HOOKS: JSON_FORMS[hooks]} if hooks else {})})
        before = snapshot(home.folder)
        assert trinho("setup", "codex", "--yes").status == 0
        assert tomllib.loads((home.folder / CONFIG).read_text())["mcp_servers"]["trinho"]["required"]
        assert "already" in trinho("setup", "codex", "--yes").out
        assert trinho("setup", "codex", "--remove", "--yes").status == 0
        assert snapshot(home.folder) == before

    def test_hooks_stand_where_the_person_keeps_them(self, home: Home, trinho: Terminal) -> None:
        put(home, {CONFIG: TOML_FORMS["hooks of one's own"]})
        assert trinho("setup", "codex", "--yes").status == 0
        assert not (home.folder / HOOKS).exists()
        hooks = tomllib.loads((home.folder / CONFIG).read_text())["hooks"]
        assert set(hooks) == EVENTS
        assert hooks["Stop"][0]["hooks"][0]["command"] == "beep"

    @pytest.mark.parametrize("form", TOML_FORMS)
    def test_without_the_record_what_they_say_is_the_same(self, home: Home, trinho: Terminal, form: str) -> None:
        put(home, {CONFIG: TOML_FORMS[form]})
        was = tomllib.loads(TOML_FORMS[form])
        assert trinho("setup", "codex", "--yes").status == 0
        (home.folder / ".local/state/trinho/setup.json").unlink()
        assert trinho("setup", "codex", "--remove", "--yes").status == 0
        assert tomllib.loads((home.folder / CONFIG).read_text()) == was

    def test_what_the_client_wrote_in_between_stays(self, home: Home, trinho: Terminal) -> None:
        put(home, {CONFIG: TOML_FORMS["plain"]})
        assert trinho("setup", "codex", "--yes").status == 0
        path = home.folder / CONFIG
        path.write_text(f'{path.read_text()}\n[projects."/work"]\ntrust_level = "trusted"\n')
        assert trinho("setup", "codex", "--remove", "--yes").status == 0
        assert path.read_text() == 'model = "gpt" # mine\n\n[projects."/work"]\ntrust_level = "trusted"\n'


class TestTheLockOfClaudeCode:
    """Claude Code keeps its state in the same file as its servers, and locks it with a folder while it writes."""

    @pytest.fixture
    def lock(self, home: Home) -> Path:
        put(home, {SERVERS: "{}"})
        lock = home.folder / f"{SERVERS}.lock"
        lock.mkdir()
        return lock

    @pytest.fixture
    def clock(self, lock: Path, monkeypatch: pytest.MonkeyPatch) -> Clock:
        clock = Clock(lock.stat().st_mtime)
        monkeypatch.setattr(claude_code, "time", clock)
        return clock

    def test_it_is_waited_for_and_held_while_ours_goes_in(
        self, home: Home, trinho: Terminal, lock: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def let_go() -> None:
            assert settings(home, SERVERS) == {}
            lock.rmdir()

        def apply(*arguments: Any) -> None:
            assert lock.is_dir()
            put_in(*arguments)

        clock.meanwhile, put_in = let_go, files.apply
        monkeypatch.setattr(files, "apply", apply)
        assert trinho("setup", "claude-code", "--yes").status == 0
        assert clock.passed > 0
        assert "trinho" in settings(home, SERVERS)["mcpServers"]
        assert not lock.exists()

    def test_one_that_is_kept_is_not_broken(self, home: Home, trinho: Terminal, lock: Path, clock: Clock) -> None:
        before = snapshot(home.folder)
        clock.meanwhile = lambda: os.utime(lock, (clock.time(), clock.time()))
        answer = trinho("setup", "claude-code", "--yes", "--json")
        assert answer.error["code"] == "INVALID_CLIENT_SETTINGS"
        assert "Claude Code is writing it" in answer.error["message"]
        assert snapshot(home.folder) == before
        assert lock.is_dir()

    def test_one_that_was_left_behind_is_taken(self, home: Home, trinho: Terminal, lock: Path, clock: Clock) -> None:
        assert trinho("setup", "claude-code", "--yes").status == 0
        assert 10 < clock.passed < 11
        assert "trinho" in settings(home, SERVERS)["mcpServers"]
        assert not lock.exists()

    def test_files_that_the_client_does_not_write_wait_for_nothing(
        self, home: Home, trinho: Terminal, lock: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (home.folder / "lantern").mkdir()
        monkeypatch.chdir(home.folder / "lantern")
        assert trinho("setup", "claude-code", "--scope", "project", "--yes").status == 0
        assert clock.passed == 0
        assert lock.is_dir()


class TestRefusals:
    """Nothing is written where it can't be written well."""

    @pytest.mark.parametrize(
        ("client", "name", "text", "reason"),
        [
            ("claude-code", SETTINGS, '{"model": "opus"', "line 1"),
            ("claude-code", SETTINGS, '{\n  "a": 1\n  "b": 2\n}', "line"),
            ("claude-code", SETTINGS, "[]", "no JSON object"),
            ("claude-code", SETTINGS, "{} {}", "no JSON object"),
            ("claude-code", SETTINGS, '{"hooks": []}', "`hooks`"),
            ("claude-code", SETTINGS, '{"hooks": {"Stop": {}}}', "`Stop`"),
            ("claude-code", SETTINGS, '{"permissions": null}', "`permissions`"),
            ("claude-code", SERVERS, '{"mcpServers": {"trinho": {"command": "rm"}}}', "another server"),
            ("codex", CONFIG, "model = ", "no TOML"),
            ("codex", CONFIG, '[mcp_servers.trinho]\ncommand = "rm"\n', "another server"),
            ("codex", CONFIG, 'mcp_servers = {other = {command = "x"}}\n', "can't stand beside"),
        ],
    )
    def test_a_file_that_is_not_understood(
        self, home: Home, trinho: Terminal, client: str, name: str, text: str, reason: str
    ) -> None:
        put(home, {name: text})
        before = snapshot(home.folder)
        answer = trinho("setup", client, "--yes", "--json")
        assert answer.status == 2
        assert answer.error["code"] == "INVALID_CLIENT_SETTINGS"
        assert reason in answer.error["message"]
        assert snapshot(home.folder) == before

    def test_a_folder_in_the_place_of_a_file(self, home: Home, trinho: Terminal) -> None:
        (home.folder / SETTINGS).mkdir(parents=True)
        assert trinho("setup", "claude-code", "--yes", "--json").error["code"] == "INVALID_CLIENT_SETTINGS"

    def test_dry_run_shows_and_writes_nothing(self, home: Home, trinho: Terminal) -> None:
        put(home, {SETTINGS: JSON_FORMS["two spaces"]})
        before = snapshot(home.folder)
        answer = trinho("setup", "claude-code", "--dry-run")
        assert answer.status == 0
        assert "+" in answer.out
        assert "hook session-start --as main" in answer.out
        assert snapshot(home.folder) == before
        assert not home.root.exists()

    def test_it_asks_and_shows_what_it_writes(self, home: Home, trinho: Terminal) -> None:
        answer = trinho("setup", "claude-code", stdin=b"")
        assert answer.status == 2
        shown, _, told = answer.err.partition("CONFIRMATION_REQUIRED")
        assert "+++" in shown
        assert "hook session-start --as main" in shown
        assert "--yes" in told
        assert answer.out == ""

    @pytest.mark.parametrize("arguments", [(), ("--remove",), ("--json",), ("--dry-run",), ("--role", "ghost")])
    def test_without_an_answer_nothing_is_left(self, home: Home, trinho: Terminal, arguments: tuple[str, ...]) -> None:
        answer = trinho("setup", "claude-code", *arguments, stdin=b"")
        assert "there is no memory" not in answer.err
        assert list(home.folder.rglob("*")) == []

    def test_an_agent_may_not(self, home: Home, trinho: Terminal) -> None:
        put(home, {SETTINGS: "{}"})
        for arguments in (("--as", "main"), ("--as", "main", "--remove"), ("--as", "worker", "--dry-run")):
            answer = trinho("setup", "claude-code", "--yes", "--json", *arguments)
            assert answer.status == 3, answer
            assert answer.error["code"] == "RESERVED_FOR_PRINCIPAL"
        trinho.set(CLAUDECODE="1")
        assert trinho("setup", "claude-code", "--yes").status == 3
        assert trinho("--as", "principal", "setup", "codex", "--yes").status == 3
        assert snapshot(home.folder) == {SETTINGS: b"{}"}

    def test_an_unknown_role(self, home: Home, trinho: Terminal) -> None:
        answer = trinho("setup", "claude-code", "--yes", "--role", "ghost", "--json")
        assert answer.error["code"] == "UNKNOWN_ACTOR"
        assert trinho("setup", "claude-code", "--yes", "--role", "principal").status == 3
        assert snapshot(home.folder) == {}

    def test_it_is_audited(self, home: Home, trinho: Terminal) -> None:
        assert trinho("setup", "codex", "--yes").status == 0
        assert ("principal", "setup", None, "allowed", None) in home.told()

    def test_a_file_that_changed_since_it_was_shown(self, home: Home) -> None:
        put(home, {SETTINGS: "{}"})
        records = Records(str(home.folder / "state/setup.json"))
        client = ClaudeCodeSettings(os.environ, records)
        planned = client.installing(Wiring(("trinho",), "main"))
        put(home, {SETTINGS: '{"model": "opus"}'})
        with pytest.raises(FileChangedError):
            client.apply(planned)
        assert snapshot(home.folder) == {SETTINGS: b'{"model": "opus"}'}


def test_a_hook_ends_by_itself_before_the_client_ends_it() -> None:
    start, reading = 1.0, 1.0
    for name, seconds in ours.EVENTS.values():
        answers = name in ("session-start", "prompt")
        own = SECONDS.get(name, USUAL_SECONDS)
        assert start + own + (reading if answers else 0.0) <= seconds, name


scalars = st.none() | st.booleans() | st.integers(-9, 9) | st.text('ab{}[],:"/*\\ é\n', max_size=5)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3)
)
documents = st.dictionaries(st.sampled_from(["model", "hooks", "x"]), values, max_size=3).map(
    lambda held: {name: each for name, each in held.items() if name != "hooks" or isinstance(each, dict)}
)


@given(
    document=documents, indent=st.sampled_from([None, 0, 1, 2, 4, "\t"]), spaces=st.sampled_from([",", " ,\n ", ", "])
)
def test_whatever_an_object_holds_it_comes_back(
    document: dict[str, Any], indent: int | str | None, spaces: str
) -> None:
    raw = json.dumps(document, indent=indent, separators=(spaces, ": ")).encode()
    wanted: dict[str, Any] = {
        "hooks": ours.hooks(Wiring(("trinho",), "main")),
        "mcpServers": {"trinho": {"command": "x"}},
    }
    if any(not isinstance(each, list) for each in document.get("hooks", {}).values()):
        document.pop("hooks")
        raw = json.dumps(document, indent=indent, separators=(spaces, ": ")).encode()
    merged = jsonc.merge(raw, wanted, "settings.json")
    said = json.loads(merged.raw)
    assert said["mcpServers"] == wanted["mcpServers"]
    assert {name: said[name] for name in document if name != "hooks"} == {
        name: each for name, each in document.items() if name != "hooks"
    }
    record = Record(tuple(text.decode() for text in merged.texts), made=False)
    assert without(merged.raw, record, lambda each: each) == raw
