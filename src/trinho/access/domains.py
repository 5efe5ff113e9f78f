"""Domains of knowledge, and what each role may do in one: a refinement inside what its grants cover."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from trinho.domain.ids import TEAM, segment_fault
from trinho.errors import InvalidEntryError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from trinho.access.grant import Sight
    from trinho.domain.ids import MemoryId

_REPOSITORY = "repo:"
BRANCHES = ("facts", "policies")


class Permission(StrEnum):
    """What a role may do in a domain."""

    NONE = "none"
    READ = "read"
    WRITE = "write"

    def suffices_for(self, needed: Permission) -> bool:
        return _RANK[self] >= _RANK[needed]


_RANK = {Permission.NONE: 0, Permission.READ: 1, Permission.WRITE: 2}


class DomainKey(NamedTuple):
    """A domain: workspace-wide, or that of one repository, which is another store under the same name."""

    name: str
    project: str | None = None

    def __str__(self) -> str:
        return self.name if self.project is None else f"{_REPOSITORY}{self.project}/{self.name}"

    @property
    def branch(self) -> tuple[str, ...]:
        return ("shared",) if self.project is None else ("project", self.project)


class Domain(NamedTuple):
    """A domain as it was made, with the permissions of the roles that have one."""

    key: DomainKey
    label: str = ""
    description: str = ""
    created_by: str = ""
    permissions: Mapping[str, Permission] = {}


class Domains:
    """All domains that were made; no row means read."""

    def __init__(self, domains: Collection[Domain] = ()) -> None:
        self._of = {domain.key: domain for domain in domains}

    def all(self) -> list[Domain]:
        """In the order of their names."""
        return [self._of[key] for key in sorted(self._of, key=str)]

    def get(self, key: DomainKey) -> Domain | None:
        return self._of.get(key)

    def permission(self, role: str, key: DomainKey) -> Permission:
        domain = self._of.get(key)
        return Permission.READ if domain is None else domain.permissions.get(role, Permission.READ)

    def hidden_from(self, role: str) -> frozenset[DomainKey]:
        """The domains of which the role may know nothing."""
        return frozenset(key for key in self._of if self.permission(role, key) is Permission.NONE)


def parse_domain(text: str, repository: str | None = None) -> DomainKey:
    """The only door from text to a domain: `name`, or `repo:<project>/<name>`. InvalidEntryError otherwise."""
    if not isinstance(text, str):
        raise InvalidEntryError("domain", repr(text), "give a text")
    name, project = text, repository
    if text.startswith(_REPOSITORY):
        project, _, name = text[len(_REPOSITORY) :].partition("/")
        if repository is not None and repository != project:
            raise InvalidEntryError("domain", text, f"the repository is `{repository}`; name it once")
    for part in (name, project):
        fault = None if part is None else segment_fault(part)
        if fault:
            raise InvalidEntryError("domain", text, f"write `name` or `repo:<project>/<name>`: {fault}")
    return DomainKey(name, project)


def domain_of(id: MemoryId) -> DomainKey | None:
    """The domain in whose branch an ID lies."""
    segments = id.segments
    if id.parts[0] == "private":
        return None
    project = id.owner
    if project is not None and segments[0] == TEAM:
        segments = segments[1:]
    if len(segments) < 2 or segments[0] not in BRANCHES:
        return None
    return DomainKey(segments[1], project)


def domain_said(id: MemoryId, name: str) -> DomainKey | None:
    """The domain of an entry that says in its frontmatter that it is of one."""
    return None if not name or id.parts[0] == "private" else DomainKey(name, id.owner)


class Unhidden:
    """A sight without what lies in hidden domains. `said` names the entries elsewhere that say they are of one."""

    __slots__ = ("_hidden", "_said", "_sight", "_told")

    def __init__(self, sight: Sight, hidden: frozenset[DomainKey], said: Callable[[], Collection[MemoryId]]) -> None:
        self._sight = sight
        self._hidden = hidden
        self._said = said
        self._told: frozenset[MemoryId] | None = None

    def __call__(self, id: MemoryId) -> bool:
        if not self._sight(id) or domain_of(id) in self._hidden:
            return False
        if self._told is None:  # asked for late, so that the answer is of the index that is being read
            self._told = frozenset()
            self._told = frozenset(self._said())
        return id not in self._told

    def of_branch(self, branch: tuple[str, ...]) -> bool | None:
        whole = self._sight.of_branch(branch)
        return None if whole and any(key.branch == branch for key in self._hidden) else whole


def is_policy(memory_id: MemoryId) -> bool:
    """Whether an ID lies where policies are kept."""
    return domain_of(memory_id) is not None and "policies" in memory_id.segments[:2]
