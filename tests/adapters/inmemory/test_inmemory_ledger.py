"""The in-memory ledger keeps the contract."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.contracts.domains_contract import DomainsContract
from tests.contracts.knowledge_contract import KnowledgeContract
from tests.contracts.ledger_contract import LedgerContract
from tests.contracts.projects_contract import ProjectsContract

from trinho.adapters.inmemory.domains import InMemoryDomains
from trinho.adapters.inmemory.ledger import InMemoryLedger

if TYPE_CHECKING:
    from pathlib import Path


class TestInMemoryLedger(LedgerContract):
    def make(self, folder: Path) -> InMemoryLedger:
        return InMemoryLedger()


class TestInMemoryProjects(ProjectsContract):
    def make(self, folder: Path) -> InMemoryLedger:
        return InMemoryLedger()


class TestInMemoryKnowledge(KnowledgeContract):
    def make(self, folder: Path) -> InMemoryLedger:
        return InMemoryLedger()


class TestInMemoryDomains(DomainsContract):
    def make(self, folder: Path) -> InMemoryDomains:
        return InMemoryDomains()
