"""The in-memory ledger keeps the contract."""

from __future__ import annotations

from pathlib import Path

from tests.contracts.ledger_contract import LedgerContract

from trinho.adapters.inmemory.ledger import InMemoryLedger


class TestInMemoryLedger(LedgerContract):
    def make(self, folder: Path) -> InMemoryLedger:
        return InMemoryLedger()
