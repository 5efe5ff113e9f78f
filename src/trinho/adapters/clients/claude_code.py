"""Claude Code: hooks and permission in settings.json, the server in .claude.json or a project's .mcp.json."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trinho.adapters.clients import files, jsonc, ours, standing
from trinho.errors import InvalidClientSettingsError
from trinho.ports.clients import FileChange

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from trinho.ports.clients import Trouble, Wiring

_ALLOWED = f"mcp__{ours.SERVER}"
_FILES = ("/settings.json", "/.claude.json", "/.mcp.json")
_LOCK_IS_STALE = 10.0  # seconds, as the client itself counts


class ClaudeCodeSettings:
    """See `trinho.ports.clients.ClientSettings`."""

    def __init__(self, environment: Mapping[str, str], records: files.Records) -> None:
        self._records = records
        home = environment.get("HOME") or os.path.expanduser("~")  # noqa: PTH111 - a text is what is needed
        self._search_path = environment.get("PATH")
        moved = environment.get("CLAUDE_CONFIG_DIR")
        moved = moved and str(Path(moved).absolute())
        self._user_settings = f"{moved or f'{home}/.claude'}/settings.json"
        self._user_servers = f"{moved or home}/.claude.json"

    def installing(self, wiring: Wiring) -> list[FileChange]:
        files.refuse_user_files(wiring.folder, self._places)
        settings, servers = self._places(wiring.folder)
        server = {"type": "stdio", **ours.server(wiring), "alwaysLoad": True}
        return [
            change
            for change in (
                self._merged(settings, {"hooks": ours.hooks(wiring), "permissions": {"allow": [_ALLOWED]}}),
                self._merged(servers, {"mcpServers": {ours.SERVER: server}}),
            )
            if change.before != change.after
        ]

    def removing(self, folder: str | None) -> list[FileChange]:
        files.refuse_user_files(folder, self._places)
        return files.removing({path: self._cutter(path) for path in self._places(folder)}, self._records)

    def forget(self, folder: str | None) -> None:
        files.forget(self._places(folder), self._records)

    def known(self) -> list[str]:
        return [path for path in self._records.paths() if path.endswith(_FILES)]

    def troubles(self) -> list[Trouble]:
        return [trouble for folder in self._folders() for trouble in self._troubles(folder)]

    def _folders(self) -> list[str | None]:
        """What it was set up for: the user, and the projects that are still there."""
        noted = self._records.paths()
        found = (path.removesuffix("/.mcp.json") for path in noted if path.endswith("/.mcp.json"))
        user: list[str | None] = [None] if any(path in noted for path in self._places(None)) else []
        return [*user, *(each for each in found if Path(each).is_dir())]

    def _troubles(self, folder: str | None) -> Iterator[Trouble]:
        settings, servers = self._places(folder)
        mend = standing.mend("claude-code", folder, standing.noted((settings, servers), self._records))
        programs = {
            settings: lambda: ours.hook_programs(jsonc.read(files.read(settings) or b"", settings)),
            servers: lambda: ours.server_programs(jsonc.read(files.read(servers) or b"", servers), "mcpServers"),
        }
        return standing.troubles(programs, mend, self._search_path)

    def apply(self, changes: Sequence[FileChange]) -> None:
        needed = any(change.path == self._user_servers for change in changes)
        files.apply(changes, self._records, _locked(self._user_servers, needed=needed))

    def advice(self, folder: str | None) -> list[str]:
        if folder is None:
            return ["start a new session of Claude Code: those that run already don't know of it"]
        return [
            "Claude Code asks each person once whether they trust the folder and its server",
            *ours.advice_for_project(folder),
        ]

    def _places(self, folder: str | None) -> tuple[str, str]:
        if folder is None:
            return self._user_settings, self._user_servers
        return f"{folder}/.claude/settings.json", f"{folder}/.mcp.json"

    def _cutter(self, path: str) -> Callable[[bytes], bytes]:
        record = self._records.of(path)
        put_in = record is None or any(_ALLOWED in text for text in record.texts)

        def cut(raw: bytes) -> bytes:
            rest = jsonc.cut(raw, path, _is_ours)
            # The permission may be the person's own, and is if nothing else of ours is there
            return rest if rest == raw or not put_in else jsonc.cut(rest, path, _is_permission)

        return cut

    def _merged(self, path: str, addition: dict[str, Any]) -> FileChange:
        """The file with what it had of ours before replaced."""
        raw = files.read(path)
        said = jsonc.read(raw or b"", path)
        servers = said.get("mcpServers")
        known = servers.get(ours.SERVER) if isinstance(servers, dict) else None
        if known is not None and not ours.is_server(known):
            raise InvalidClientSettingsError(path, f"another server is called `{ours.SERVER}`")
        if raw is not None and ours.holds(said, addition):
            return FileChange(path, raw, raw)
        return files.replacing(path, self._records, self._cutter(path), lambda rest: jsonc.merge(rest, addition, path))


def _is_permission(names: tuple[str, ...], value: Any) -> bool:
    return names == ("permissions", "allow", "*") and bool(value == _ALLOWED)


def _is_ours(names: tuple[str, ...], value: Any) -> bool:
    match names:
        case ("hooks", _, "*"):
            return ours.is_hook_group(value)
        case ("hooks", _, "*", "hooks", "*"):
            return ours.is_hook(value)
        case ("mcpServers", ours.SERVER):
            return ours.is_server(value)
    return False


@contextmanager
def _locked(path: str, *, needed: bool) -> Iterator[None]:
    """Keep the client, which writes its state into the same file, from doing so meanwhile: its own lock is a folder."""
    lock = Path(f"{path}.lock")
    if not needed:
        yield
        return
    until = time.monotonic() + 2 * _LOCK_IS_STALE
    while True:
        try:
            lock.mkdir()
            break
        except FileExistsError:
            with suppress(OSError):
                if time.time() - lock.stat().st_mtime > _LOCK_IS_STALE:
                    lock.rmdir()
                    continue
            if time.monotonic() > until:
                raise InvalidClientSettingsError(path, "Claude Code is writing it; try again") from None
            time.sleep(0.05)
        except FileNotFoundError:  # nor is there a client that could write
            break
        except OSError as error:
            raise InvalidClientSettingsError(path, error.strerror or str(error)) from error
    try:
        yield
    finally:
        with suppress(OSError):
            lock.rmdir()
