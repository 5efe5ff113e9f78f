"""What we have clients start, and how it is known again."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trinho.ports.clients import Wiring

SERVER = "trinho"
# Event of the clients → ours, and the seconds after which the client gives up: more than the hook gives itself
EVENTS = {
    "SessionStart": ("session-start", 10),
    "UserPromptSubmit": ("prompt", 5),
    "PreToolUse": ("pre-tool", 5),
    "PostToolUse": ("post-tool", 5),
    "PreCompact": ("pre-compact", 10),
    "Stop": ("stop", 10),
    "SessionEnd": ("session-end", 3),  # Codex allows no more, and tells people so where more is asked for
}
_HOOK = re.compile(
    r"""(^|[/\s'"])trinho(['"]|\s)+([^|;&]*\s)?hook\s+(session-start|prompt|pre-tool|post-tool|stop|session-end|pre-compact)\b"""
)


def hooks(wiring: Wiring) -> dict[str, Any]:
    """The hooks, as both clients write them down."""
    return {
        event: [{"hooks": [{"type": "command", "command": _hook_command(wiring, ours), "timeout": seconds}]}]
        for event, (ours, seconds) in EVENTS.items()
    }


def server(wiring: Wiring) -> dict[str, Any]:
    """Command and arguments of the server."""
    program, *arguments = wiring.command
    return {"command": program, "args": [*arguments, *_root(wiring), "mcp", "--as", wiring.role]}


def _hook_command(wiring: Wiring, event: str) -> str:
    return shlex.join([*wiring.command, *_root(wiring), "hook", event, "--as", wiring.role])


def _root(wiring: Wiring) -> list[str]:
    return [] if wiring.root is None else ["--root", wiring.root]


def advice_for_project(folder: str) -> list[str]:
    """What the person has yet to know where settings are a project's."""
    told = ["whoever works here needs `trinho` on their PATH"]
    place = Path(folder)
    repository = next((each for each in (place, *place.parents) if (each / ".git").exists()), place)
    if repository != place:
        told.append(f"this is a part of {repository}: sessions that start elsewhere in it aren't told of memory")
    return told


def is_hook_group(value: Any) -> bool:
    """Whether a group of hooks starts us and nothing else."""
    group = value.get("hooks") if isinstance(value, dict) else None
    return isinstance(group, list) and bool(group) and all(is_hook(each) for each in group)


def is_hook(value: Any) -> bool:
    """Whether a hook starts us."""
    command = value.get("command") if isinstance(value, dict) else None
    return isinstance(command, str) and _HOOK.search(command) is not None


def is_server(value: Any) -> bool:
    """Whether a server is ours."""
    if not isinstance(value, dict):
        return False
    command, arguments = value.get("command"), value.get("args")
    if not isinstance(command, str) or not isinstance(arguments, list):
        return False
    words = [command, *(each for each in arguments if isinstance(each, str))]
    return "mcp" in words and any(word.rpartition("/")[2] == "trinho" for word in words)


def hook_programs(said: Any) -> list[str]:
    """What each of our hooks in a settings file starts."""
    events = said.get("hooks")
    groups = [each for held in events.values() for each in _listed(held)] if isinstance(events, dict) else []
    hooks = [hook for group in groups if isinstance(group, dict) for hook in _listed(group.get("hooks"))]
    return [program for hook in hooks if is_hook(hook) for program in _words(hook["command"])[:1]]


def server_programs(said: Any, servers: str) -> list[str]:
    """What our server in a settings file starts."""
    held = said.get(servers)
    server = held.get(SERVER) if isinstance(held, dict) else None
    return [server["command"]] if server is not None and is_server(server) else []


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return [command]


def holds(said: Any, wanted: Any) -> bool:
    """Whether what is wanted is there already, and nothing else that is ours."""
    if isinstance(wanted, dict) and not is_server(wanted):
        return isinstance(said, dict) and all(name in said and holds(said[name], each) for name, each in wanted.items())
    if isinstance(wanted, list):
        known = said if isinstance(said, list) else []
        return all(each in known for each in wanted) and not any(
            is_hook_group(each) for each in known if each not in wanted
        )
    if isinstance(wanted, dict):  # a server; what the person or the client added to it stays
        return isinstance(said, dict) and all(name in said and said[name] == each for name, each in wanted.items())
    return bool(said == wanted)
