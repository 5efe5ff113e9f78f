"""Typed settings, read once: the command line beats the environment, which beats the user's own file."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from trinho.access.actor import PRINCIPAL
from trinho.errors import InvalidRootError, InvalidSettingError

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT_ROOT = "~/.trinho/memory"
# A client that sets one of these runs an agent's commands in our process
CLIENT_MARKERS = (
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SESSION_ID",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "CODEX_SESSION_ID",
    "CODEX_THREAD_ID",
    "GEMINI_CLI",
    "OPENCODE",
    "CURSOR_AGENT",
)
AGENT_DEFAULT = "main"
_MOST_BYTES = 1 << 20
_MOST_SESSION_CHARACTERS = 200
_KEYS = {"root", "actor", "project", "lock_wait_seconds", "strict", "enabled"}


class Settings(NamedTuple):
    """What a command runs with. `agent_client` is the marker of the agent's client that started us, if one did."""

    root: str
    actor: str
    project: str | None = None
    session: str | None = None
    agent_client: str | None = None
    lock_wait_seconds: float = 10.0
    config_file: str | None = None
    roles_file: str | None = None
    strict: bool = False  # a person accepts whatever agents write for others
    root_named: bool = False  # by the caller, and not by the environment, the user's file or nobody
    off: str | None = None  # why agents get nothing of memory, if they don't


def load_settings(
    environment: Mapping[str, str], *, root: str | None = None, actor: str | None = None, project: str | None = None
) -> Settings:
    """The settings in force; InvalidSettingError names the source of a bad one."""
    if root == "":
        raise InvalidRootError(root, "it is empty", "name a folder, or leave the root to the settings")
    chosen_root = root or environment.get("TRINHO_MEMORY_ROOT") or environment.get("ALP_MEMORY_ROOT")
    config = _config_file(environment, isolated=bool(chosen_root))
    values = _user_values(config) if config else {}
    marker = next((name for name in CLIENT_MARKERS if environment.get(name)), None)
    default_actor = AGENT_DEFAULT if marker else _text(values, "actor", config) or PRINCIPAL
    roles = None if config is None else f"{config.rpartition('/')[0] or '.'}/roles.yaml"
    return Settings(
        root=chosen_root or _root(values, config) or DEFAULT_ROOT,
        actor=actor or environment.get("TRINHO_ACTOR") or default_actor,
        project=project or environment.get("TRINHO_PROJECT") or _text(values, "project", config),
        session=_session(environment),
        agent_client=marker,
        lock_wait_seconds=_seconds(values, config),
        config_file=config,
        roles_file=roles,
        strict=_switch(values, "strict", config),
        root_named=root is not None,
        off=_why_off(environment, values, config, root_is_named=bool(chosen_root)),
    )


def _why_off(
    environment: Mapping[str, str], values: Mapping[str, object], source: str | None, *, root_is_named: bool
) -> str | None:
    """Environment, bare mode, no storage that lasts, the user's file, in this order; the first that speaks decides."""
    switch = environment.get("TRINHO_DISABLE")
    if switch:
        return None if _is_off(switch) else "TRINHO_DISABLE is set"
    if not _is_off(environment.get("TRINHO_BARE", "")):
        return "TRINHO_BARE is set"
    if not _is_off(environment.get("CLAUDE_CODE_REMOTE", "")) and not root_is_named:
        return "the client runs where nothing lasts; name a root that does with TRINHO_MEMORY_ROOT"
    if not _switch(values, "enabled", source, default=True):
        return f"`enabled` is false in {source}"
    return None


def _is_off(text: str) -> bool:
    return text.strip().lower() in ("", "0", "false", "no", "off")


def _config_file(environment: Mapping[str, str], *, isolated: bool) -> str | None:
    """The user's file. A root that was named is isolated from it, unless the file is named too."""
    named = environment.get("TRINHO_CONFIG")
    if named:
        return named
    if isolated:
        return None
    from platformdirs import user_config_dir  # 10 ms, and not needed where a root is named

    return f"{user_config_dir('trinho')}/config.toml"


def _session(environment: Mapping[str, str]) -> str | None:
    names = ("TRINHO_SESSION", "CLAUDE_CODE_SESSION_ID", "CODEX_SESSION_ID")
    name = next((environment[each] for each in names if environment.get(each)), None)
    if name is not None and len(name) > _MOST_SESSION_CHARACTERS:
        raise InvalidSettingError("TRINHO_SESSION", f"it is longer than {_MOST_SESSION_CHARACTERS} characters")
    return name


def read_file(path: str) -> str | None:
    """A file of the user's own, None where there is none; InvalidSettingError if it can't be one."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # a pipe would make us wait
        try:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                raise InvalidSettingError(path, "it is no plain file")
            raw = os.read(fd, _MOST_BYTES + 1)
        finally:
            os.close(fd)
        if len(raw) > _MOST_BYTES:
            raise InvalidSettingError(path, f"it has more than {_MOST_BYTES} bytes")
        return raw.decode()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise InvalidSettingError(path, str(error)) from error


def _user_values(path: str) -> dict[str, object]:
    text = read_file(path)
    if text is None:
        return {}
    import tomllib  # only where there is a file to read

    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidSettingError(path, str(error)) from error
    unknown = sorted(values.keys() - _KEYS)
    if unknown:
        known = ", ".join(sorted(_KEYS))
        raise InvalidSettingError(path, f"no setting is called `{unknown[0]}`", f"the settings are: {known}")
    return values


def _root(values: Mapping[str, object], source: str | None) -> str | None:
    """The root of the user's file; a relative one lies beside that file, wherever the command runs."""
    root = _text(values, "root", source)
    if not root or root.startswith(("/", "~")):
        return root
    folder, slash, _ = f"{source}".rpartition("/")
    return f"{folder}{slash}{root}"


def _text(values: Mapping[str, object], key: str, source: str | None) -> str | None:
    value = values.get(key)
    if value is None or isinstance(value, str):
        return value
    raise InvalidSettingError(f"{source}", f"{key} must be a text")


def _switch(values: Mapping[str, object], key: str, source: str | None, *, default: bool = False) -> bool:
    value = values.get(key, default)
    if not isinstance(value, bool):
        raise InvalidSettingError(f"{source}", f"{key} must be true or false")
    return value


def _seconds(values: Mapping[str, object], source: str | None) -> float:
    value = values.get("lock_wait_seconds", 10.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 3600:
        raise InvalidSettingError(f"{source}", "lock_wait_seconds must be a number from 0 to 3600")
    return float(value)
