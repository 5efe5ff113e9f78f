"""The in-memory store keeps the contract."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.contracts.store_contract import StoreContract

from trinho.adapters.inmemory.store import InMemoryStore

if TYPE_CHECKING:
    from pathlib import Path


class TestInMemoryStore(StoreContract):
    def make(self, folder: Path) -> InMemoryStore:
        return InMemoryStore()
