"""The in-memory index keeps the contract."""

from __future__ import annotations

from pathlib import Path

from tests.contracts.index_contract import IndexContract

from trinho.adapters.inmemory.index import InMemoryIndex


class TestInMemoryIndex(IndexContract):
    def make(self, folder: Path) -> InMemoryIndex:
        return InMemoryIndex()
