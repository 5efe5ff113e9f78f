"""What Codex keeps of the hooks that a person trusts: in config.toml, by a hook's place, a hash of what it is."""

from __future__ import annotations

import json
import os
import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from trinho.adapters.clients import ours

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

STATE = ("hooks", "state")
NEW = "you haven't trusted them"
CHANGED = "they seem to have changed since you trusted them"
_USUAL_SECONDS = 600
_MOST_SECONDS = {"session_end": 3}  # where it takes less than what is written
_KNOWN = {"type", "command", "timeout", "async", "statusMessage"}


class Hook(NamedTuple):
    """A hook as Codex knows it again: by its place, written in one of two ways, and a hash, if we can compute it."""

    keys: tuple[str, ...]
    event: str
    hash: str | None
    ours: bool


def hooks(path: str, said: Mapping[str, Any]) -> Iterator[Hook]:
    """The hooks of a settings file."""
    folder, _, file = path.rpartition("/")
    paths = tuple({path: None, f"{os.path.realpath(folder)}/{file}": None})  # links are resolved in some folders' names
    events = said.get("hooks")
    for event, groups in events.items() if isinstance(events, dict) else ():
        name = re.sub("(?<!^)(?=[A-Z])", "_", event).lower()
        for at, group in enumerate(groups if isinstance(groups, list) else ()):
            held = group.get("hooks") if isinstance(group, dict) else None
            for index, hook in enumerate(held if isinstance(held, list) else ()):
                keys = tuple(f"{each}:{name}:{at}:{index}" for each in paths)
                yield Hook(keys, event, _hash(name, group, hook), ours.is_hook(hook))


def ours_of(state: Mapping[str, Any], there: Collection[Hook]) -> set[str]:
    """The entries for our hooks: of what they are, or at their place and of no other hook that may come back to it."""
    places = {key for hook in there if hook.ours for key in hook.keys}
    known = {(_event_of(key), hook.hash) for hook in there if hook.ours and hook.hash for key in hook.keys}
    others = {(_event_of(key), hook.hash) for hook in there if not hook.ours and hook.hash for key in hook.keys}
    kinds = {key: (_event_of(key), trusted(entry)) for key, entry in state.items()}
    return {key for key, kind in kinds.items() if kind in known or (key in places and kind not in others)}


def standing(hook: Hook, state: Mapping[str, Any]) -> str | None:
    """Why Codex doesn't run a hook; None if it does, or if the person switched the hook off."""
    entry = next((state[key] for key in hook.keys if key in state), None)
    if isinstance(entry, dict) and entry.get("enabled") is False:
        return None
    known = trusted(entry)
    return NEW if known is None else CHANGED if hook.hash not in (None, known) else None


def trusted(entry: Any) -> str | None:
    """The hash of what the person trusted."""
    said = entry.get("trusted_hash") if isinstance(entry, dict) else None
    return said if isinstance(said, str) else None


def _event_of(key: str) -> str:
    """File and event of a hook."""
    return key.rsplit(":", 2)[0]


def _hash(event: str, group: Mapping[str, Any], hook: Any) -> str | None:
    """The hash of a plain hook, as Codex 0.171 computes it."""
    if not isinstance(hook, dict) or not hook.keys() <= _KNOWN or not group.keys() <= {"hooks"}:
        return None
    seconds = hook.get("timeout", None if event in _MOST_SECONDS else _USUAL_SECONDS)
    if not isinstance(seconds, int):
        return None
    seconds = max(1, min(seconds, _MOST_SECONDS.get(event, seconds)))
    identity = {"event_name": event, "hooks": [{**hook, "async": bool(hook.get("async")), "timeout": seconds}]}
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{sha256(text.encode(errors='surrogatepass')).hexdigest()}"
