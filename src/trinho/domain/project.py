"""Which project a folder belongs to: an id that outlives renames, moves and second worktrees."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

_LONGEST_SLUG = 40
_HASH = 6  # characters behind the slug, more where these are taken
# Compiled when a remote is first read: most commands never do
_SCP = r"^(?:[^@/\s]+@)?(?P<host>[^:/\s]+):(?!//)(?P<path>.+)$"
_URL = r"^(?P<scheme>[a-zA-Z][a-zA-Z0-9+.-]*)://(?:[^@/\s]*@)?(?P<host>[^/\s]*)/(?P<path>.*)$"


class Sort(StrEnum):
    """What a folder is a part of."""

    REPOSITORY = "repository"
    WORKTREE = "worktree"
    SUBMODULE = "submodule"
    BARE = "bare repository"
    FOLDER = "folder"


class Checkout(NamedTuple):
    """A folder's place as git sees it, all paths resolved.

    `tree` is the top of the work tree, `common` the folder that all worktrees share (for no repository the folder
    itself), `doubt` why a repository's own claim wasn't followed.
    """

    sort: Sort
    tree: str
    common: str
    doubt: str | None = None

    @property
    def name(self) -> str:
        """What people call it."""
        path = self.common.rstrip("/")
        path = path.removesuffix("/.git") if self.sort in (Sort.REPOSITORY, Sort.WORKTREE) else path
        return path.rpartition("/")[2].removesuffix(".git") or "project"


class Registered(NamedTuple):
    """A project of the ledger. `token` is a secret that only the ledger and the repository's own config know."""

    id: str
    slug: str
    root: str
    remote: str | None
    token: str


class Project(NamedTuple):
    """The project of a folder, why it is that one, and others whose repository has the same remote."""

    id: str
    slug: str
    root: str
    remote: str | None
    why: str
    same_remote: tuple[str, ...] = ()


def slug_of(name: str) -> str:
    """A readable part of an id: small Latin letters, digits and hyphens."""
    folded = unicodedata.normalize("NFKD", name.replace("đ", "d").replace("Đ", "d")).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", folded.lower()).strip("-")[:_LONGEST_SLUG].strip("-") or "project"


def id_of(slug: str, place: str, more: int = 0) -> str:
    """The id of a project that begins at a place; `more` characters beyond the usual tell two places apart."""
    return f"{slug}-{sha256(place.encode(errors='surrogateescape')).hexdigest()[: _HASH + more]}"


def canonical_remote(url: str) -> str | None:
    """`host/path` of a remote, however it is spelled and without credentials; None for a path on this machine."""
    at = re.match(_URL, url)
    found = at or re.match(_SCP, url)
    if found is None or (at is not None and at["scheme"].lower() == "file"):
        return None
    host = found["host"].lower()
    if at is not None:
        host = host.partition(":")[0]
    path = found["path"].strip("/").removesuffix(".git").strip("/")
    return f"{host}/{path}" if host and path else None
