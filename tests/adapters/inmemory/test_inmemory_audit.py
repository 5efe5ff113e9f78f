"""The in-memory audit trail keeps the contract."""

from __future__ import annotations

from pathlib import Path

from tests.contracts.audit_contract import AuditContract

from trinho.adapters.inmemory.audit import InMemoryAudit
from trinho.ports.ledger import ChainLedger


class TestInMemoryAudit(AuditContract):
    def make(self, folder: Path, ledger: ChainLedger) -> InMemoryAudit:
        return InMemoryAudit(ledger)
