"""The in-memory list of allowed secrets keeps the contract."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.contracts.allowed_secrets_contract import AllowedSecretsContract

from trinho.adapters.inmemory.allowed import InMemoryAllowed

if TYPE_CHECKING:
    from pathlib import Path


class TestInMemoryAllowed(AllowedSecretsContract):
    def make(self, folder: Path) -> InMemoryAllowed:
        return InMemoryAllowed()
