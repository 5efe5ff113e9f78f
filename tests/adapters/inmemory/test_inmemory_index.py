"""The in-memory index keeps the contract."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.contracts.index_contract import IndexContract

from trinho.adapters.inmemory.index import InMemoryIndex

if TYPE_CHECKING:
    from pathlib import Path


class TestInMemoryIndex(IndexContract):
    def make(self, folder: Path) -> InMemoryIndex:
        return InMemoryIndex()
