"""The audit trail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from trinho.domain.audit import AuditEvent, AuditLine, AuditReport


class AuditLog(Protocol):
    """An append-only chain of lines; what was appended durably survives power loss."""

    def append(self, events: Sequence[AuditEvent], now: datetime, *, durable: bool) -> list[AuditLine]:
        """Add lines, in order and without another's between them; `durable` ones are on disk when this returns.

        Several events are one run: each line carries the number of the first as `run`, unless the event names one.
        Times never run backwards: a line is at least a microsecond after the one before.
        """
        ...

    def lines(self) -> Iterator[AuditLine]:
        """Every line that parses, oldest first."""
        ...

    def newest(self) -> Iterator[AuditLine]:
        """Every line that parses, newest first."""
        ...

    def verify(self) -> AuditReport:
        """Recompute the whole chain, its end against the head that the ledger remembers."""
        ...

    def close(self) -> None: ...
