"""The in-memory store keeps the contract."""

from __future__ import annotations

from pathlib import Path

from tests.contracts.store_contract import StoreContract

from trinho.adapters.inmemory.store import InMemoryStore


class TestInMemoryStore(StoreContract):
    def make(self, folder: Path) -> InMemoryStore:
        return InMemoryStore()
