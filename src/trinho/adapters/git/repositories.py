"""Finding the repository of a folder, and the mark that says which project it is.

The layout is that of gitrepository-layout(5). It is read here because a hook can't wait for a process for each
question; what has a syntax of its own, the configuration, is left to the git command.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from trinho.domain.project import Checkout, Sort
from trinho.errors import InvalidEntryError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

KEY = "trinho.mark"
_MOST_BYTES = 4096
_MOST_CONFIG_BYTES = 1 << 20
_PATIENCE = 5.0  # seconds that the git command may take


class GitRepositories:
    """See ports.projects.Repositories."""

    def __init__(self, environment: Mapping[str, str], *, may_mark: bool = True) -> None:
        """`may_mark` is false where nothing would remember what a mark says."""
        self._path = environment.get("PATH", os.defpath)
        self._home = environment.get("HOME")
        self._may_mark = may_mark
        self._configs: dict[str, dict[str, list[str]]] = {}

    def checkout_of(self, folder: str) -> Checkout:
        try:
            place = os.path.realpath(folder, strict=True)
        except (OSError, ValueError) as error:
            raise InvalidEntryError("folder", folder, "name a folder that is there") from error
        if not os.path.isdir(place):
            place = os.path.dirname(place)
        top = place
        while True:
            found = self._repository_at(top)
            if found is not None:
                return found
            above = os.path.dirname(top)
            if above == top:
                return Checkout(Sort.FOLDER, place, place)
            top = above

    def is_there(self, common: str) -> bool:
        return os.path.isdir(common)

    def remote(self, checkout: Checkout) -> str | None:
        if checkout.sort is Sort.FOLDER:
            return None
        return next(iter(self._config(checkout.common).get("remote.origin.url", [])), None)

    def marks(self, common: str) -> tuple[str, ...]:
        return tuple(self._config(common).get(KEY, ()))

    def mark(self, common: str, text: str, instead_of: str | None = None) -> bool:
        config = f"{common}/config"
        if (
            not self._may_mark
            or not _is_plain(config)
            or not os.access(config, os.W_OK)
            or not os.access(common, os.W_OK)
        ):
            return False
        self._configs.pop(common, None)
        if instead_of is not None and instead_of != text:
            self._git("config", "--file", config, "--fixed-value", "--unset-all", KEY, instead_of)
        return self._git("config", "--file", config, "--replace-all", "--fixed-value", KEY, text, text) is not None

    def homes(self) -> Collection[str]:
        homes = ["/"]
        place = os.path.realpath(self._home) if self._home else "/"
        while place != "/":
            homes.append(place)
            place = os.path.dirname(place)
        return homes

    def _repository_at(self, top: str) -> Checkout | None:
        """The repository whose work tree begins here, or that lies here; None if there is neither."""
        place = f"{top}/.git"
        try:
            status = os.stat(place)
        except OSError:
            is_bare = os.path.isfile(f"{top}/HEAD") and os.path.isdir(f"{top}/objects") and os.path.isdir(f"{top}/refs")
            if not is_bare:
                return None
            if top.endswith("/.git"):  # inside the folder of a usual repository
                return Checkout(Sort.REPOSITORY, os.path.dirname(top), top)
            return Checkout(Sort.BARE, top, top)
        if stat.S_ISDIR(status.st_mode):
            common = os.path.realpath(place)
            if os.path.dirname(common) != top and not self._is_worktree_of(common, top):
                # A link: it may lead to another repository, which knows nothing of this folder
                return Checkout(Sort.FOLDER, top, top, "its .git is a link to a repository elsewhere")
            return Checkout(Sort.REPOSITORY, top, common) if os.path.isfile(f"{common}/HEAD") else None
        if not stat.S_ISREG(status.st_mode):
            return None
        return self._pointed_at(top, place)

    def _pointed_at(self, top: str, place: str) -> Checkout | None:
        """Where a `.git` file leads, if the repository there knows of it: anybody can write such a file."""
        text = _line(place)
        if text is None or not text.startswith("gitdir: "):
            return None
        folder = os.path.realpath(os.path.join(top, text.removeprefix("gitdir: ")))
        if not os.path.isfile(f"{folder}/HEAD"):
            return Checkout(Sort.FOLDER, top, top, "its .git names a repository that isn't there")
        shared = _line(f"{folder}/commondir")
        if shared is not None:
            back = _line(f"{folder}/gitdir")
            common = os.path.realpath(os.path.join(folder, shared))
            if back is not None and os.path.realpath(os.path.join(folder, back)) == place and _holds(common, folder):
                return Checkout(Sort.WORKTREE, top, common)
            doubt = "its .git names a repository that doesn't know this worktree; `git worktree repair` tells it"
            return Checkout(Sort.FOLDER, top, top, doubt)
        if self._is_worktree_of(folder, top):
            return Checkout(Sort.SUBMODULE, top, folder)
        return Checkout(Sort.FOLDER, top, top, "its .git names a repository that doesn't know this folder")

    def _is_worktree_of(self, folder: str, top: str) -> bool:
        """Whether a repository's own configuration names this folder as its work tree, as that of a submodule does."""
        named = self._config(folder).get("core.worktree")
        return named is not None and os.path.realpath(os.path.join(folder, named[-1])) == top

    def _config(self, common: str) -> dict[str, list[str]]:
        """The values of the repository's own configuration that matter here; what it includes has no say."""
        known = self._configs.get(common)
        if known is not None:
            return known
        values: dict[str, list[str]] = {}
        config = f"{common}/config"
        if _is_plain(config):
            wanted = r"^(trinho\.mark|remote\.origin\.url|core\.worktree)$"
            told = self._git("config", "--file", config, "--no-includes", "--null", "--get-regexp", wanted) or ""
            for pair in told.split("\0"):
                key, _, value = pair.partition("\n")
                if key:
                    values.setdefault(key.lower(), []).append(value)
        self._configs[common] = values
        return values

    def _git(self, *arguments: str) -> str | None:
        """What git printed; None where it is missing, failed or took too long."""
        import subprocess  # 10 ms that a folder which is known doesn't pay

        environment = {"PATH": self._path, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "LC_ALL": "C"}
        try:
            done = subprocess.run(  # noqa: S603 - arguments of our own; the path of a file stands behind --file
                ["git", *arguments],  # noqa: S607 - the person's own git
                stdin=subprocess.DEVNULL,
                capture_output=True,
                env=environment,
                cwd="/",
                timeout=_PATIENCE,
                check=False,
            )
        except (OSError, subprocess.SubprocessError, ValueError):
            return None
        return done.stdout.decode(errors="surrogateescape") if done.returncode == 0 else None


def _holds(common: str, folder: str) -> bool:
    return os.path.dirname(folder) == f"{common}/worktrees"


def _is_plain(path: str) -> bool:
    try:
        status = os.stat(path)
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size <= _MOST_CONFIG_BYTES


def _line(path: str) -> str | None:
    """The first line of a small plain file."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return None
        raw = os.read(fd, _MOST_BYTES)
    except OSError:
        return None
    finally:
        os.close(fd)
    return raw.decode(errors="surrogateescape").partition("\n")[0].rstrip("\r") or None
