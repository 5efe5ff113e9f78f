"""What every audit trail must do. A backend applies it by a class with its `make`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from trinho.adapters.inmemory.ledger import InMemoryLedger
from trinho.domain.audit import AuditEvent, AuditLine, ChainHead
from trinho.domain.chain import GENESIS, chain_fault, head_of

if TYPE_CHECKING:
    from pathlib import Path

    from trinho.ports.audit import AuditLog
    from trinho.ports.ledger import ChainLedger

NOW = datetime(2026, 11, 30, 23, 59, 59, 999_999, UTC)
TICK = timedelta(microseconds=1)


def event(id: str | None = "shared:a", **changed: object) -> AuditEvent:
    return AuditEvent(**{"actor": "main", "operation": "read", "id": id, "result": "allowed", **changed})  # type: ignore[arg-type]


FULL = event(
    "shared:quy-ước",
    result="denied",
    code="MEMORY_NOT_GRANTED",
    version=3,
    session="s-1",
    to="shared:b",
    run=1,
    undoes=7,
    included=(("shared:c", 2), ("shared:d", 1)),
)


class AuditContract:
    """Subclass it, name the class Test… and say how a trail is opened in a folder beside a ledger."""

    def make(self, folder: Path, ledger: ChainLedger) -> AuditLog:
        raise NotImplementedError

    @pytest.fixture
    def ledger(self) -> ChainLedger:
        return InMemoryLedger()

    @pytest.fixture
    def audit(self, tmp_path: Path, ledger: ChainLedger) -> AuditLog:
        return self.make(tmp_path, ledger)

    def test_a_new_trail_is_empty_and_sound(self, audit: AuditLog) -> None:
        assert list(audit.lines()) == list(audit.newest()) == []
        report = audit.verify()
        assert (report.ok, report.lines, report.torn) == (True, 0, None)

    @pytest.mark.parametrize("durable", [True, False])
    def test_a_line_tells_all_of_its_event(self, audit: AuditLog, durable: bool) -> None:
        [line] = audit.append([FULL], NOW, durable=durable)
        assert line.event == FULL
        assert (line.seq, line.at, line.prev) == (1, NOW, GENESIS)
        assert list(audit.lines()) == [line]

    def test_lines_are_chained_in_order(self, audit: AuditLog) -> None:
        added = self._fill(audit, 5)
        assert [line.seq for line in added] == [1, 2, 3, 4, 5]
        for before, line in zip([None, *added], added, strict=False):
            assert chain_fault(line, before) is None
        assert list(audit.lines()) == added
        assert list(audit.newest()) == added[::-1]
        assert audit.verify().ok
        assert audit.verify().lines == 5

    def test_several_events_are_one_run(self, audit: AuditLog) -> None:
        audit.append([event()], NOW, durable=False)
        lines = audit.append([event("shared:a"), event("shared:b"), event("shared:c")], NOW, durable=True)
        assert [line.event.id for line in lines] == ["shared:a", "shared:b", "shared:c"]
        assert [line.event.run for line in lines] == [2, 2, 2]
        assert audit.verify().ok

    def test_a_single_event_and_one_that_names_its_run_keep_what_they_say(self, audit: AuditLog) -> None:
        [alone] = audit.append([event()], NOW, durable=False)
        first, second = audit.append([event(run=1), event()], NOW, durable=False)
        assert (alone.event.run, first.event.run, second.event.run) == (None, 1, 2)

    def test_time_never_runs_backwards(self, audit: AuditLog) -> None:
        moments = [NOW, NOW, NOW - timedelta(days=40), NOW + timedelta(hours=1), NOW]
        lines = [line for now in moments for line in audit.append([event(), event()], now, durable=False)]
        for before, line in pairwise(lines):
            assert line.at >= before.at + TICK
        assert lines[6].at == NOW + timedelta(hours=1)
        assert audit.verify().ok

    def test_the_turn_of_a_month_breaks_nothing(self, audit: AuditLog) -> None:
        lines = [
            line
            for days in (0, 1, 32, 64, 3)
            for line in audit.append([event()], NOW + timedelta(days=days), durable=True)
        ]
        assert list(audit.lines()) == lines
        assert list(audit.newest()) == lines[::-1]
        assert audit.verify().ok

    def test_times_are_told_in_utc(self, audit: AuditLog) -> None:
        [line] = audit.append([event()], NOW.astimezone(timezone(timedelta(hours=7))), durable=False)
        assert line.at == NOW
        assert line.at.utcoffset() == timedelta(0)

    def test_what_cannot_be_an_id_is_recorded_too(self, audit: AuditLog) -> None:
        [line] = audit.append([event("../\n\x1b[31m\udc80")], NOW, durable=False)
        assert list(audit.lines()) == [line]
        assert audit.verify().ok

    def test_reading_can_go_on_while_lines_are_added(self, audit: AuditLog) -> None:
        self._fill(audit, 3)
        reading = audit.lines()
        first = next(reading)
        self._fill(audit, 1)
        assert first.seq == 1
        assert [line.seq for line in reading][:2] == [2, 3]

    def test_the_ledger_learns_the_head(self, audit: AuditLog, ledger: ChainLedger) -> None:
        lines = self._fill(audit, 2)
        assert ledger.chain_head() == head_of(lines[-1])

    def test_an_end_that_was_cut_off_is_found_by_the_head(self, audit: AuditLog, ledger: ChainLedger) -> None:
        self._fill(audit, 2)
        ledger.advance_chain(ChainHead(4, "f" * 64))
        [fault] = audit.verify().faults
        assert "line 4" in fault.reason
        assert not audit.verify().ok

    def test_going_on_after_a_cut_hides_nothing(self, audit: AuditLog, ledger: ChainLedger) -> None:
        self._fill(audit, 2)
        ledger.advance_chain(ChainHead(4, "f" * 64))
        audit.append([event()], NOW, durable=False)
        assert not audit.verify().ok

    def _fill(self, audit: AuditLog, count: int) -> list[AuditLine]:
        return [line for n in range(count) for line in audit.append([event(f"shared:n{n}")], NOW, durable=False)]


class LastingAuditContract(AuditContract):
    """For a trail that outlives its process: `make` opens what is there already."""

    def test_a_trail_that_is_opened_again_goes_on(self, tmp_path: Path, ledger: ChainLedger) -> None:
        first = self.make(tmp_path, ledger)
        lines = self._fill(first, 3)
        first.close()
        second = self.make(tmp_path, ledger)
        assert list(second.lines()) == lines
        [line] = second.append([event()], NOW, durable=True)
        assert chain_fault(line, lines[-1]) is None
        assert second.verify().ok
        second.close()

    def test_two_that_are_open_take_turns(self, tmp_path: Path, ledger: ChainLedger) -> None:
        one, other = self.make(tmp_path, ledger), self.make(tmp_path, ledger)
        for _ in range(3):
            self._fill(one, 1)
            self._fill(other, 2)
        assert [line.seq for line in one.lines()] == list(range(1, 10))
        assert one.verify().ok
        assert other.verify().ok
