"""Codex: the server in config.toml, hooks in hooks.json, or in config.toml where a person keeps hooks there."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from trinho.adapters.clients import files, jsonc, ours, toml
from trinho.errors import InvalidClientSettingsError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

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


class CodexSettings:
    """See `trinho.ports.clients.ClientSettings`."""

    def __init__(self, environment: Mapping[str, str], records: files.Records) -> None:
        self._records = records
        home = environment.get("HOME") or os.path.expanduser("~")  # noqa: PTH111 - a text is what is needed
        self._user = environment.get("CODEX_HOME") or f"{home}/.codex"

    def installing(self, wiring: Wiring) -> list[FileChange]:
        config, hooks = self._places(wiring.folder)
        said = toml.read(files.read(config) or b"", config)
        known = said.get("mcp_servers", {}).get(ours.SERVER)
        if known is not None and not ours.is_server(known):
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
        config, hooks = self._places(folder)
        return files.removing({config: _config_cutter(config), hooks: _hooks_cutter(hooks)}, self._records)

    def apply(self, changes: Sequence[FileChange]) -> None:
        files.apply(changes, self._records)

    def advice(self, folder: str | None) -> list[str]:
        told = ["Codex runs a hook only when you trust it: start `codex` and allow them when it asks, or in `/hooks`"]
        if folder is not None:
            told.append("Codex reads a project's settings only where you trust the project")
            told.append("whoever works here needs `trinho` on their PATH")
        return told

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
            return ours.is_server(value)
        case ("hooks", _, "*"):
            return ours.is_hook_group(value)
        case ("hooks", _, "*", "hooks", "*"):
            return ours.is_hook(value)
    return False
