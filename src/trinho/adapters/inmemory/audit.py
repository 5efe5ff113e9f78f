"""The audit trail in a list, with the same chain as on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trinho.domain.audit import AuditEvent, AuditFault, AuditLine, AuditReport
from trinho.domain.chain import chain_fault, head_fault, head_of, in_run, next_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from trinho.ports.ledger import ChainLedger

FILE = "memory"


class InMemoryAudit:
    """Keeps the lines as long as the process lives; see ports.audit.AuditLog."""

    def __init__(self, ledger: ChainLedger) -> None:
        self._ledger = ledger
        self._lines: list[AuditLine] = []

    def append(self, events: Sequence[AuditEvent], now: datetime, *, durable: bool) -> list[AuditLine]:  # noqa: ARG002 - nothing here outlives the process
        last = self._lines[-1] if self._lines else self._ledger.chain_head()
        run = 1 if last is None else last.seq + 1
        added: list[AuditLine] = []
        for event in events:
            last = next_line(in_run(event, run, len(events)), now, last)
            added.append(last)
        self._lines.extend(added)
        if added:
            self._ledger.advance_chain(head_of(added[-1]))
        return added

    def lines(self) -> Iterator[AuditLine]:
        return iter(tuple(self._lines))

    def newest(self) -> Iterator[AuditLine]:
        return reversed(tuple(self._lines))

    def verify(self) -> AuditReport:
        faults: list[AuditFault] = []
        before: AuditLine | None = None
        for number, line in enumerate(self._lines, 1):
            fault = chain_fault(line, before)
            if fault:
                faults.append(AuditFault(FILE, number, fault))
            before = line
        head = self._ledger.chain_head()
        at_head = next((line for line in self._lines if head is not None and line.seq == head.seq), None)
        fault = head_fault(head, before, at_head)
        if fault:
            faults.append(AuditFault(FILE, 0, fault))
        return AuditReport(len(self._lines), tuple(faults))

    def close(self) -> None:
        """Nothing is held outside."""
