"""Where domains and their permissions are kept: a file that a person reads and edits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from trinho.access.domains import Domain, DomainKey, Domains, Permission


class DomainStore(Protocol):
    """Keeps domains. Changes are made in a writer's turn."""

    def read(self) -> Domains:
        """All of them; StoreDamagedError if they can't be told, so that nothing is opened by mistake."""
        ...

    def add(self, domain: Domain) -> None:
        """Add one that isn't there."""
        ...

    def set_permission(self, key: DomainKey, role: str, permission: Permission | None) -> None:
        """Set what a role may do, or with None take its row away."""
        ...
