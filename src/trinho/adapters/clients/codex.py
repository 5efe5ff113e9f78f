"""Codex: the server in config.toml, hooks in hooks.json, or in config.toml where a person keeps hooks there."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from trinho.adapters.clients import files, jsonc, ours, toml
from trinho.errors import InvalidClientSettingsError
from trinho.ports.clients import FileChange

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from trinho.ports.clients import Wiring

# What of the environment a server of Codex is to see besides HOME, LANG, PATH, TERM and TMPDIR
_PASSED_ON = (
    "TRINHO_MEMORY_ROOT",
    "TRINHO_CONFIG",
    "TRINHO_DISABLE",
    "TRINHO_BARE",
    "XDG_CONFIG_HOME",
    "XDG_STATE_HOME",
)


class CodexSettings:
    """See `trinho.ports.clients.ClientSettings`."""

    def __init__(self, environment: Mapping[str, str], records: files.Records) -> None:
        self._records = records
        home = environment.get("HOME") or os.path.expanduser("~")  # noqa: PTH111 - a text is what is needed
        self._user = environment.get("CODEX_HOME") or f"{home}/.codex"

    def installing(self, wiring: Wiring) -> list[FileChange]:
        config, hooks = self._places(wiring.folder)
        raw = files.read(config)
        said = toml.read(raw or b"", config)
        known = said.get("mcp_servers", {}).get(ours.SERVER)
        if known is not None and not ours.is_server(known):
            raise InvalidClientSettingsError(config, f"another server is called `{ours.SERVER}`")
        wanted = _server(wiring)
        hooks_here = _has_hooks(said, but_ours=True) and files.read(hooks) is None
        changes = []
        if known != wanted or _has_our_hooks(said) != hooks_here or (hooks_here and not _same_hooks(said, wiring)):
            rest = None if raw is None else files.without(raw, self._records.of(config), self._cutter(config))
            tables = _table(f"mcp_servers.{ours.SERVER}", wanted)
            if hooks_here:
                tables += "".join(_hook_table(event, groups) for event, groups in ours.hooks(wiring).items())
            merged = toml.append(rest or b"", tables, config)
            changes.append(FileChange(config, raw, merged.raw, merged.texts, made=rest is None))
        if not hooks_here:
            changes += self._hooks_file(hooks, {"hooks": ours.hooks(wiring)})
        return changes

    def removing(self, folder: str | None) -> list[FileChange]:
        config, hooks = self._places(folder)
        found = []
        for path, cut in ((config, self._cutter(config)), (hooks, _hooks_cutter(hooks))):
            raw = files.read(path)
            if raw is not None:
                found.append(FileChange(path, raw, files.without(raw, self._records.of(path), cut)))
        return [change for change in found if change.before != change.after]

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

    def _cutter(self, path: str) -> Any:
        return lambda raw: toml.cut(raw, path, _is_ours)

    def _hooks_file(self, path: str, addition: dict[str, Any]) -> list[FileChange]:
        raw = files.read(path)
        said = jsonc.read(raw or b"", path)
        if raw is not None and ours.holds(said, addition):
            return []
        rest = None if raw is None else files.without(raw, self._records.of(path), _hooks_cutter(path))
        merged = jsonc.merge(rest or b"", addition, path)
        return [FileChange(path, raw, merged.raw, merged.texts, made=rest is None)]


def _hooks_cutter(path: str) -> Any:
    return lambda raw: jsonc.cut(raw, path, _is_ours)


def _server(wiring: Wiring) -> dict[str, Any]:
    """It is waited for, since tools that come late don't come at all; and asks for no approval: the policy decides."""
    return {
        **ours.server(wiring),
        "env_vars": list(_PASSED_ON),
        "required": True,
        "default_tools_approval_mode": "approve",
    }


def _has_hooks(said: dict[str, Any], *, but_ours: bool) -> bool:
    hooks = said.get("hooks")
    groups = (
        [each for event, held in hooks.items() if event != "state" and isinstance(held, list) for each in held]
        if (isinstance(hooks, dict))
        else []
    )
    return any(not (but_ours and ours.is_hook_group(each)) for each in groups)


def _has_our_hooks(said: dict[str, Any]) -> bool:
    return _has_hooks(said, but_ours=False) and any(
        ours.is_hook_group(each) for held in said["hooks"].values() if isinstance(held, list) for each in held
    )


def _same_hooks(said: dict[str, Any], wiring: Wiring) -> bool:
    return ours.holds({"hooks": said.get("hooks")}, {"hooks": ours.hooks(wiring)})


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
