"""The files' store and trail keep the promises of their ports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.contracts.audit_contract import LastingAuditContract
from tests.contracts.domains_contract import DomainsContract
from tests.contracts.store_contract import LastingStoreContract

from trinho.adapters.files.access import AccessFile
from trinho.adapters.files.audit import JsonLinesAudit
from trinho.adapters.files.root import open_root
from trinho.adapters.files.store import MarkdownStore
from trinho.adapters.files.syscalls import FileSystem

if TYPE_CHECKING:
    from pathlib import Path

    from trinho.ports.audit import AuditLog
    from trinho.ports.ledger import ChainLedger
    from trinho.ports.store import EntryStore


class TestMarkdownStore(LastingStoreContract):
    def make(self, folder: Path) -> EntryStore:
        return MarkdownStore(open_root(str(folder / "root"), FileSystem()))


class TestJsonLinesAudit(LastingAuditContract):
    def make(self, folder: Path, ledger: ChainLedger) -> AuditLog:
        return JsonLinesAudit(open_root(str(folder / "root"), FileSystem()), ledger)


class TestAccessFile(DomainsContract):
    def make(self, folder: Path) -> AccessFile:
        return AccessFile(open_root(str(folder / "root"), FileSystem()))
