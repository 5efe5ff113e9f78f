"""What the audit trail records of each request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

    from trinho.domain.versions import FileMark

Result = Literal["allowed", "denied", "error"]


LEDGER_MADE_ANEW = "LEDGER_MADE_ANEW"  # code of the line with which a trail goes on that its ledger doesn't know


class AuditEvent(NamedTuple):
    """One thing that was asked for and what came of it. IDs are text, since an invalid one is recorded too."""

    actor: str
    operation: str
    id: str | None
    result: Result
    code: str | None = None
    version: int | None = None
    session: str | None = None
    to: str | None = None  # where a move leads
    run: int | None = None  # seq of the first line of an act of several lines
    undoes: int | None = None  # the run that this one takes back
    placed: FileMark | None = None  # the file that a write puts there, by which it is known again after a crash
    included: tuple[tuple[str, int], ...] = ()  # (id, version) of what was put into a context


class AuditLine(NamedTuple):
    """An event with its place in the chain; `hash` covers everything else, `prev` the line before."""

    seq: int
    at: datetime
    event: AuditEvent
    prev: str
    hash: str


class ChainHead(NamedTuple):
    """The end of the chain as the ledger remembers it."""

    seq: int
    hash: str


class AuditFault(NamedTuple):
    """A place where the chain doesn't hold: file, line number (from 1) and what is wrong."""

    file: str
    line: int
    reason: str


class AuditReport(NamedTuple):
    """What verifying the whole chain found. A torn last line is told in `torn` and is no fault.

    `unsure` tells where an end that was cut off couldn't be found, since the ledger that remembered it was lost.
    """

    lines: int
    faults: tuple[AuditFault, ...]
    torn: str | None = None
    unsure: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.faults
