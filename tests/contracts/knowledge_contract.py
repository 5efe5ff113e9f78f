"""What every ledger's part about knowledge promises."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from trinho.domain.conflict import Conflict, ConflictState
from trinho.domain.ids import parse_memory_id
from trinho.domain.knowledge import MemoryType
from trinho.domain.notes import Counts, HotItem, Observation

if TYPE_CHECKING:
    from pathlib import Path

    from trinho.ports.ledger import Ledger

A, B, C = (parse_memory_id(f"shared:facts:x:{name}") for name in "abc")
AT = datetime(2026, 11, 30, 12, 0, 0, 123456, tzinfo=UTC)


def conflict(loser: str = str(A), winner: str = str(B), state: ConflictState = ConflictState.OPEN) -> Conflict:
    return Conflict(0, loser, winner, "contradicts", state, AT, "worker")


def item(role: str = "worker", content: str = "nội dung") -> HotItem:
    return HotItem(0, role, "s1", content, MemoryType.EVENT, 0.25, AT, AT + timedelta(hours=1))


class KnowledgeContract:
    """Subclass it and give `make`."""

    def make(self, folder: Path) -> Ledger:
        raise NotImplementedError

    @pytest.fixture
    def ledger(self, tmp_path: Path) -> Ledger:
        return self.make(tmp_path)

    def test_counts_begin_with_the_first_mention(self, ledger: Ledger) -> None:
        ledger.knowledge.mention(A)
        ledger.knowledge.mention(A)
        ledger.knowledge.recalled([A, B], AT)
        assert ledger.knowledge.counts([A, B, C]) == {A: Counts(3, 1), B: Counts(1, 1), C: Counts(1, 0)}

    def test_conflicts_are_numbered_and_kept(self, ledger: Ledger) -> None:
        knowledge = ledger.knowledge
        first = knowledge.add_conflict(conflict())
        second = knowledge.add_conflict(conflict(state=ConflictState.SUPERSEDED)._replace(overturns=first))
        assert first < second
        assert knowledge.conflicts() == [
            conflict()._replace(number=first),
            conflict(state=ConflictState.SUPERSEDED)._replace(number=second, overturns=first),
        ]
        knowledge.set_state(first, ConflictState.SETTLED)
        assert [row.number for row in knowledge.conflicts(ConflictState.SETTLED)] == [first]
        assert knowledge.conflicts(ConflictState.OPEN) == []

    def test_hot_items_are_a_role_s(self, ledger: Ledger) -> None:
        knowledge = ledger.knowledge
        one, two = knowledge.add_hot(item()), knowledge.add_hot(item(content="\ud800 lone"))
        other = knowledge.add_hot(item("main"))
        assert [each.number for each in knowledge.hot("worker")] == [one, two]
        assert knowledge.hot("worker")[0] == item()._replace(number=one)
        assert knowledge.hot_roles() == ["main", "worker"]
        knowledge.drop_hot([one, other, 999])
        assert [each.number for each in knowledge.hot("worker")] == [two]
        assert knowledge.hot_roles() == ["worker"]

    def test_observations_stay(self, ledger: Ledger) -> None:
        seen = Observation("obs-1", "private:worker:notes", "saw it", AT)
        ledger.knowledge.add_observation(seen)
        assert ledger.knowledge.observation("obs-1") == seen
        assert ledger.knowledge.observation("obs-2") is None

    def test_what_is_forgotten_of_an_entry(self, ledger: Ledger) -> None:
        note = parse_memory_id("private:worker:notes")
        ledger.knowledge.mention(A)
        ledger.knowledge.add_conflict(conflict())
        ledger.knowledge.add_conflict(conflict(str(B), str(C)))
        ledger.knowledge.add_observation(Observation("obs-1", str(note), "saw it", AT))
        ledger.forget(A)
        ledger.forget(note)
        assert ledger.knowledge.counts([A]) == {A: Counts()}
        assert [(row.loser, row.winner) for row in ledger.knowledge.conflicts()] == [(str(B), str(C))]
        assert ledger.knowledge.observation("obs-1") is None
