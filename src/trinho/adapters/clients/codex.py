"""Codex: the server in config.toml, hooks in hooks.json, or in config.toml where a person keeps hooks there."""

from __future__ import annotations

import functools
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trinho.adapters.clients import files, jsonc, ours, standing, toml, trust
from trinho.errors import InvalidClientSettingsError
from trinho.ports.clients import Trouble, TroubleKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from trinho.ports.clients import FileChange, Wiring

# What of the environment a server of Codex is to see besides HOME, LANG, PATH, TERM and TMPDIR
_PASSED_ON = (
    "TRINHO_MEMORY_ROOT",
    "TRINHO_CONFIG",
    "TRINHO_DISABLE",
    "TRINHO_BARE",
    "XDG_CONFIG_HOME",
    "XDG_STATE_HOME",
    "CODEX_HOME",
)


_TOP_OF_HOOKS = ("description", "hooks")
_FILES = ("/config.toml", "/hooks.json")
_PROJECT_FILES = tuple(f"/.codex{name}" for name in _FILES)


class CodexSettings:
    """See `trinho.ports.clients.ClientSettings`."""

    def __init__(self, environment: Mapping[str, str], records: files.Records) -> None:
        self._records = records
        home = environment.get("HOME") or os.path.expanduser("~")  # noqa: PTH111 - a text is what is needed
        self._home = home
        self._user = str(Path(environment.get("CODEX_HOME") or f"{home}/.codex").absolute())
        self._search_path = environment.get("PATH")

    def installing(self, wiring: Wiring) -> list[FileChange]:
        files.refuse_user_files(wiring.folder, self._places)
        config, hooks = self._places(wiring.folder)
        said = toml.read(files.read(config) or b"", config)
        servers = said.get("mcp_servers", {})
        if not isinstance(servers, dict):
            raise InvalidClientSettingsError(config, "`mcp_servers` holds something else than it should")
        known = servers.get(ours.SERVER)
        if known is not None and not _is_ours(("mcp_servers", ours.SERVER), known):
            raise InvalidClientSettingsError(config, f"another server is called `{ours.SERVER}`")
        groups = _groups(said)
        hooks_here = not all(map(ours.is_hook_group, groups)) and files.read(hooks) is None
        wanted: dict[str, Any] = {"mcp_servers": {ours.SERVER: _server(wiring)}}
        if hooks_here:
            wanted["hooks"] = ours.hooks(wiring)
        changes = []
        if not ours.holds(said, wanted) or (not hooks_here and any(map(ours.is_hook_group, groups))):
            tables = _tables(wanted)
            cut = _config_cutter(config)
            changes.append(files.replacing(config, self._records, cut, lambda rest: toml.append(rest, tables, config)))
        return changes if hooks_here else [*changes, *self._hooks_file(hooks, {"hooks": ours.hooks(wiring)})]

    def removing(self, folder: str | None) -> list[FileChange]:
        files.refuse_user_files(folder, self._places)
        config, hooks = self._places(folder)
        cuts = {config: _config_cutter(config), hooks: _hooks_cutter(hooks)}
        return files.removing(cuts, self._records, {self._user_config: self._trust_cutter(folder)})

    def forget(self, folder: str | None) -> None:
        files.forget(self._places(folder), self._records)

    def known(self) -> list[str]:
        return [path for path in self._records.paths() if path.endswith(_FILES)]

    def troubles(self) -> list[Trouble]:
        return [trouble for folder in self._folders() for trouble in self._troubles(folder)]

    def _folders(self) -> list[str | None]:
        """What it was set up for: the user, and the projects that are still there."""
        noted = self._records.paths()
        user: list[str | None] = [None] if any(path in noted for path in self._places(None)) else []
        found = dict.fromkeys(path.rpartition("/.codex/")[0] for path in noted if path.endswith(_PROJECT_FILES))
        return [*user, *(each for each in found if each != self._home and Path(each).is_dir())]

    def _troubles(self, folder: str | None) -> Iterator[Trouble]:
        config, hooks = self._places(folder)
        said = functools.partial(self._said, folder)
        mend = standing.mend("codex", folder, standing.noted((config, hooks), self._records))
        programs = {
            config: lambda: ours.server_programs(said()[0], "mcp_servers"),
            hooks: lambda: [program for each in said() for program in ours.hook_programs(each)],
        }
        yield from standing.troubles(programs, mend, self._search_path)
        unread = self._unread(folder)
        if unread is not None:
            yield Trouble(TroubleKind.SETTINGS, hooks, unread, "mend it in an editor")
            return
        with suppress(InvalidClientSettingsError):  # which is told already
            yield from self._mistrust(folder, hooks)

    def _unread(self, folder: str | None) -> str | None:
        """Why Codex reads no hooks from their file, though it is one of which we understand all: it takes less."""
        path = self._places(folder)[1]
        try:
            raw = files.read(path)
            said = jsonc.read(raw or b"", path)
        except InvalidClientSettingsError:
            return None
        other = next((name for name in said if name not in _TOP_OF_HOOKS), None)
        if other is not None:
            return f"Codex reads no hooks from a file with `{other}` in it"
        try:
            json.loads((raw or b"").strip() or b"{}")
        except ValueError:
            return "Codex reads no hooks from a file with comments in it"
        return None

    def _mistrust(self, folder: str | None, path: str) -> Iterator[Trouble]:
        """That hooks of ours don't run, since nobody said that they may: Codex itself doesn't tell."""
        state = toml.table(files.read(self._user_config) or b"", self._user_config, trust.STATE)
        found = [(hook.event, trust.standing(hook, state)) for hook in self._hooks(folder) if hook.ours]
        mend = f"start `codex`{f' in {folder}' if folder else ''} and trust them, when it asks or in `/hooks`"
        for reason in (trust.NEW, trust.CHANGED):
            events = [event for event, why in found if why == reason]
            if events:
                what = f"Codex doesn't run the hooks {', '.join(events)}: {reason}"
                yield Trouble(TroubleKind.TRUST, path, what, mend)

    def apply(self, changes: Sequence[FileChange]) -> None:
        files.apply(changes, self._records)

    def advice(self, folder: str | None) -> list[str]:
        told = ["Codex runs a hook only when you trust it: start `codex` and allow them when it asks, or in `/hooks`"]
        unread = self._unread(folder)
        if unread is not None:
            told.append(f"{self._places(folder)[1]}: {unread}")
        if folder is not None:
            told.append("Codex reads a project's settings only where you trust the project")
            told += ours.advice_for_project(folder)
        return told

    @property
    def _user_config(self) -> str:
        return self._places(None)[0]

    def _trust_cutter(self, folder: str | None) -> Callable[[bytes], bytes]:
        """What takes out that the person trusts our hooks, which the client keeps in the user's file for all scopes."""
        there = self._hooks(folder)

        def cut(raw: bytes) -> bytes:
            state = toml.table(raw, self._user_config, trust.STATE)
            return toml.drop(raw, self._user_config, trust.STATE, trust.ours_of(state, there))

        return cut

    def _hooks(self, folder: str | None) -> list[trust.Hook]:
        places = zip(self._places(folder), self._said(folder), strict=True)
        return [hook for path, said in places for hook in trust.hooks(path, said)]

    def _said(self, folder: str | None) -> tuple[dict[str, Any], dict[str, Any]]:
        """What both files say."""
        config, hooks = self._places(folder)
        return toml.read(files.read(config) or b"", config), jsonc.read(files.read(hooks) or b"", hooks)

    def _places(self, folder: str | None) -> tuple[str, str]:
        base = self._user if folder is None else f"{folder}/.codex"
        return f"{base}/config.toml", f"{base}/hooks.json"

    def _hooks_file(self, path: str, addition: dict[str, Any]) -> list[FileChange]:
        raw = files.read(path)
        if raw is not None and ours.holds(jsonc.read(raw, path), addition):
            return []
        put = files.replacing(path, self._records, _hooks_cutter(path), lambda rest: jsonc.merge(rest, addition, path))
        return [put]


def _config_cutter(path: str) -> Callable[[bytes], bytes]:
    return lambda raw: toml.cut(raw, path, _is_ours)


def _hooks_cutter(path: str) -> Callable[[bytes], bytes]:
    return lambda raw: jsonc.cut(raw, path, _is_ours)


def _server(wiring: Wiring) -> dict[str, Any]:
    """It is waited for, since tools that come late don't come at all; and asks for no approval: the policy decides."""
    return {
        **ours.server(wiring),
        "env_vars": list(_PASSED_ON),
        "required": True,
        "default_tools_approval_mode": "approve",
    }


def _groups(said: dict[str, Any]) -> list[Any]:
    """The groups of hooks in it, of every event; what the client keeps beside them is no event."""
    hooks = said.get("hooks")
    held = hooks.values() if isinstance(hooks, dict) else ()
    return [group for groups in held if isinstance(groups, list) for group in groups]


def _tables(wanted: dict[str, Any]) -> str:
    server = _table(f"mcp_servers.{ours.SERVER}", wanted["mcp_servers"][ours.SERVER])
    return server + "".join(_hook_table(event, groups) for event, groups in wanted.get("hooks", {}).items())


def _table(name: str, values: dict[str, Any]) -> str:
    return f"[{name}]\n" + "".join(f"{key} = {_toml(value)}\n" for key, value in values.items())


def _hook_table(event: str, groups: list[dict[str, Any]]) -> str:
    return "".join(
        f"\n[[hooks.{event}]]\n" + _table(f"[hooks.{event}.hooks]", hook) for group in groups for hook in group["hooks"]
    )


def _toml(value: Any) -> str:
    """A text, number, switch or list of texts: JSON's form of them is TOML's, too."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _is_ours(names: tuple[str, ...], value: Any) -> bool:
    match names:
        case ("mcp_servers", ours.SERVER):
            # What the client wrote of its tools is no server without ours
            alone = isinstance(value, dict) and not value.keys() & {"command", "url"}
            return alone or ours.is_server(value)
        case ("hooks", _, "*"):
            return ours.is_hook_group(value)
        case ("hooks", _, "*", "hooks", "*"):
            return ours.is_hook(value)
    return False
