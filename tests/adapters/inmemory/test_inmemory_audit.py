"""The in-memory audit trail keeps the contract."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.contracts.audit_contract import AuditContract

from trinho.adapters.inmemory.audit import InMemoryAudit

if TYPE_CHECKING:
    from pathlib import Path

    from trinho.ports.ledger import ChainLedger


class TestInMemoryAudit(AuditContract):
    def make(self, folder: Path, ledger: ChainLedger) -> InMemoryAudit:
        return InMemoryAudit(ledger)
