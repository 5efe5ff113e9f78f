"""The secrets that are let through, in a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trinho.ports.secrets import AllowedSecret


class InMemoryAllowed:
    """Forgets everything with the process; see ports.secrets.AllowedSecrets."""

    def __init__(self) -> None:
        self._salt = b""
        self._allowed: list[AllowedSecret] = []

    def salt(self) -> bytes:
        return self._salt

    def all(self) -> Sequence[AllowedSecret]:
        return list(self._allowed)

    def begin(self) -> bytes:
        self._salt = self._salt or b"salt"
        return self._salt

    def add(self, allowed: Sequence[AllowedSecret]) -> None:
        self._allowed += allowed
