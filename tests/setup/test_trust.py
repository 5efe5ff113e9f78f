"""What Codex wrote of our hooks when a person trusted them goes with them, and nothing else does."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any

import pytest
from tests.setup.test_setup import CONFIG, HOOKS, JSON_FORMS, TOML_FORMS, put, snapshot

from trinho.adapters.clients import jsonc, toml, trust

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.cleanroom import Home, Terminal

BEEP = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "beep", "timeout": 3}]}]}}\n'


def hooks_of(path: Path) -> list[trust.Hook]:
    raw = path.read_bytes() if path.exists() else b""
    said = toml.read(raw, str(path)) if path.suffix == ".toml" else jsonc.read(raw, str(path))
    return list(trust.hooks(str(path), said))


def entries(hooks: Sequence[trust.Hook]) -> str:
    """The tables that Codex writes when a person trusts hooks."""
    return "".join(f'\n[hooks.state."{hook.keys[-1]}"]\ntrusted_hash = "{hook.hash}"\n' for hook in hooks)


def trusting(home: Home, *folders: str) -> None:
    """Trust every hook there is."""
    config = home.folder / CONFIG
    places = [
        home.folder / folder / name for folder in folders or (".codex",) for name in ("config.toml", "hooks.json")
    ]
    tables = entries([hook for place in places for hook in hooks_of(place)])
    text = config.read_bytes() if config.exists() else b""
    head = "" if b"[hooks.state." in text else "\n[hooks.state]\n"
    config.write_bytes(text + f"{head}{tables}".encode())


def state(home: Home) -> dict[str, Any]:
    return toml.table((home.folder / CONFIG).read_bytes(), CONFIG, trust.STATE)


@pytest.mark.parametrize("form", [form for form in TOML_FORMS if form != "white space"])
@pytest.mark.parametrize("hooks", [None, "two spaces", "tabs"])
def test_removal_takes_out_what_was_trusted(home: Home, trinho: Terminal, form: str, hooks: str | None) -> None:
    put(home, {CONFIG: TOML_FORMS[form], **({HOOKS: JSON_FORMS[hooks]} if hooks else {})})
    before = snapshot(home.folder)
    assert trinho("setup", "codex", "--yes").status == 0
    foreign = [hook for hook in (*hooks_of(home.folder / CONFIG), *hooks_of(home.folder / HOOKS)) if not hook.ours]
    trusting(home)
    assert trinho("setup", "codex", "--remove", "--yes").status == 0
    left = state(home) if foreign or form == "trusted hooks" else {}
    assert {key for hook in foreign for key in hook.keys} | {"/x:stop:0:0"} >= left.keys()
    assert all(any(key in left for key in hook.keys) for hook in foreign)
    if not foreign:
        assert snapshot(home.folder) == before


def test_files_that_were_not_there_go(home: Home, trinho: Terminal) -> None:
    assert trinho("setup", "codex", "--yes").status == 0
    trusting(home)
    assert trinho("setup", "codex", "--remove", "--yes").status == 0
    assert not (home.folder / ".codex").exists()
    assert snapshot(home.folder) == {}


def test_what_another_role_was_trusted_with_goes_too(home: Home, trinho: Terminal) -> None:
    assert trinho("setup", "codex", "--yes").status == 0
    trusting(home)
    assert trinho("setup", "codex", "--yes", "--role", "worker").status == 0
    assert trinho("setup", "codex", "--remove", "--yes").status == 0
    assert snapshot(home.folder) == {}


def test_a_hook_that_moved_is_known_again(home: Home, trinho: Terminal) -> None:
    put(home, {HOOKS: BEEP})
    assert trinho("setup", "codex", "--yes").status == 0
    trusting(home)
    path = home.folder / HOOKS
    said = json.loads(path.read_text())
    del said["hooks"]["Stop"][0]
    path.write_text(json.dumps(said))
    assert len(state(home)) == 8
    assert trinho("setup", "codex", "--remove", "--yes").status == 0
    assert b"hooks.state" not in b"".join(snapshot(home.folder).values())


def test_what_may_come_back_to_its_place_stays(home: Home, trinho: Terminal) -> None:
    assert trinho("setup", "codex", "--yes").status == 0
    path = home.folder / HOOKS
    said = json.loads(path.read_text())
    beep = json.loads(BEEP)["hooks"]["Stop"][0]
    said["hooks"]["Stop"] = [beep, *said["hooks"]["Stop"]]
    path.write_text(json.dumps(said))
    first = hooks_of(path)
    trusting(home)
    said["hooks"]["Stop"].reverse()
    path.write_text(json.dumps(said))
    assert trinho("setup", "codex", "--remove", "--yes").status == 0
    assert set(state(home)) == {key for hook in first if not hook.ours for key in hook.keys}


def test_a_project_is_trusted_in_the_file_of_the_user(home: Home, trinho: Terminal) -> None:
    trusted = f'\n[projects."{home.folder}/repo"]\ntrust_level = "trusted"\n'
    put(home, {CONFIG: f'model = "gpt"\n{trusted}'})
    before = snapshot(home.folder)
    (home.folder / "repo").mkdir()
    assert trinho("setup", "codex", "--yes").status == 0
    of_user = snapshot(home.folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home.folder / "repo")
        assert trinho("setup", "codex", "--scope", "project", "--yes").status == 0
        trusting(home, "repo/.codex")
        assert trinho("setup", "codex", "--scope", "project", "--remove", "--yes").status == 0
        assert "nothing of ours" in trinho("setup", "codex", "--scope", "project", "--remove", "--yes").out
    assert snapshot(home.folder) == of_user
    assert trinho("setup", "codex", "--remove", "--yes").status == 0
    assert snapshot(home.folder) == before


@pytest.mark.parametrize(
    "form",
    [
        '[hooks]\nstate = {"%s" = {trusted_hash = "x"}}\n',
        '[hooks]\nstate."%s".trusted_hash = "x"\n',
    ],
)
def test_what_codex_does_not_write_so_stays(home: Home, trinho: Terminal, form: str) -> None:
    written = form.replace("%s", f"{home.folder / HOOKS}:stop:0:0")
    put(home, {CONFIG: written})
    assert trinho("setup", "codex", "--yes").status == 0
    assert trinho("setup", "codex", "--remove", "--yes").status == 0
    assert (home.folder / CONFIG).read_text() == written


class TestDropping:
    """Tables go with the empty line before them; every other byte stays."""

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ('\n[hooks.state]\n\n[hooks.state."/a:stop:0:0"]\ntrusted_hash = "1"\n', ""),
            (
                'm = 1\n\n[hooks.state]\n\n[hooks.state."/a:stop:0:0"]\ntrusted_hash = "1"\n# c\n[tui]\n',
                "m = 1\n# c\n[tui]\n",
            ),
            ("[hooks.state.'/a:stop:0:0']\n# why\nenabled = false # x\n\n\n[b]\n", "# why\n\n\n[b]\n"),
            ('[hooks]\n\n[hooks.state."/a:stop:0:0"]\r\ntrusted_hash = "1"\r\n\r\n[b]\r\n', "[hooks]\n\r\n[b]\r\n"),
            (
                '[hooks.state]\n[hooks.state."/b[1]:stop:0:0"]\nx=1\n\n[hooks.state."/a:stop:0:0"]\ny=1\n',
                '[hooks.state]\n[hooks.state."/b[1]:stop:0:0"]\nx=1\n',
            ),
            (
                "x = '''\n\n[hooks.state.\"/a:stop:0:0\"]\nno = 1\n'''\n\n[hooks.state.\"/a:stop:0:0\"]\ny=1\n",
                None,
            ),
        ],
    )
    def test_the_rest_stays(self, before: str, after: str | None) -> None:
        dropped = toml.drop(before.encode(), CONFIG, trust.STATE, {"/a:stop:0:0"}).decode()
        assert dropped == (before if after is None else after)
        tomllib.loads(dropped)

    def test_what_is_not_there_changes_nothing(self) -> None:
        raw = b'[hooks]\nstate = "odd"\n'
        assert toml.drop(raw, CONFIG, trust.STATE, {"/a:stop:0:0"}) == raw


def test_hashes_are_those_of_codex() -> None:
    """As `codex app-server` 0.171.0 lists them."""
    told = {
        "PreToolUse": ("pre-tool", 5, "77b407a388a2cf7c58260295789e8e64628759c59f6df41fc0b67cfdd9563e2e"),
        "SessionEnd": ("session-end", 10, "85655c4e981f964aa09b3ee73273804189b2cb4cfcd4384b46b2350d5b65acdd"),
        "Stop": ("stop", 10, "0006aacacac770cb3f39933406739654023252b5d39338afcfd3fda6a40b54b8"),
    }
    for event, (name, seconds, hashed) in told.items():
        command = f"/work/main/.venv/bin/trinho hook {name} --as main"
        groups = [{"hooks": [{"type": "command", "command": command, "timeout": seconds}]}]
        (hook,) = trust.hooks("/x/hooks.json", {"hooks": {event: groups}})
        assert hook.hash == f"sha256:{hashed}"
