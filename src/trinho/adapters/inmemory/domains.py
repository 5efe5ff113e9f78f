"""Domains in a dictionary."""

from __future__ import annotations

from trinho.access.domains import Domain, DomainKey, Domains, Permission


class InMemoryDomains:
    """See ports.domains.DomainStore."""

    def __init__(self) -> None:
        self._domains: dict[DomainKey, Domain] = {}

    def read(self) -> Domains:
        return Domains(list(self._domains.values()))

    def add(self, domain: Domain) -> None:
        self._domains[domain.key] = domain

    def set_permission(self, key: DomainKey, role: str, permission: Permission | None) -> None:
        domain = self._domains.get(key, Domain(key))
        rows = {name: held for name, held in domain.permissions.items() if name != role}
        if permission is not None:
            rows[role] = permission
        self._domains[key] = domain._replace(permissions=rows)
