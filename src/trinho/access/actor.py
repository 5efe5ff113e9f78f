"""Who asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trinho.errors import UnknownActorError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trinho.access.role import Role

PRINCIPAL = "principal"


class Principal(NamedTuple):
    """The person, who may do everything."""

    name: str = PRINCIPAL


class RoleActor(NamedTuple):
    """An agent in a role, which may do what the role lists."""

    role: Role

    @property
    def name(self) -> str:
        return self.role.id


Actor = Principal | RoleActor


def actor_named(name: str, roles: Mapping[str, Role]) -> Actor:
    """The person or the role of that name, or UnknownActorError."""
    if name == PRINCIPAL:
        return Principal()
    role = roles.get(name)
    if role is None:
        raise UnknownActorError(name, sorted(roles))
    return RoleActor(role)
