"""What every ledger must do. A backend applies it by a class with its `make`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trinho.domain.audit import ChainHead
from trinho.domain.ids import MemoryId, parse_memory_id
from trinho.domain.versions import Observed, effective_version

if TYPE_CHECKING:
    from pathlib import Path

    from trinho.ports.ledger import Ledger

A, B, C, D = (parse_memory_id(f"shared:{name}") for name in ("a", "b", "quy-ước", "d"))
# One law for every backend, each with a ledger that lives through all of its examples
SHARED = [HealthCheck.function_scoped_fixture, HealthCheck.differing_executors]
ONE, TWO, THREE = ("1" * 64, "2" * 64, "3" * 64)


class LedgerContract:
    """Subclass it, name the class Test… and say how a new ledger is made in a folder."""

    def make(self, folder: Path) -> Ledger:
        raise NotImplementedError

    @pytest.fixture
    def ledger(self, tmp_path: Path) -> Ledger:
        return self.make(tmp_path)

    def test_a_new_ledger_remembers_nothing(self, ledger: Ledger) -> None:
        assert ledger.observed(A) is None
        assert not ledger.moved_to(A)
        assert ledger.chain_head() is None
        assert ledger.settled_run() is None
        assert ledger.pointers("shared") == {}
        assert ledger.notes() == {}
        assert list(ledger.check()) == []

    # -- versions

    def test_the_first_sight_is_version_one_or_what_the_file_declares(self, ledger: Ledger) -> None:
        assert ledger.observe(A, ONE, None) == 1
        assert ledger.observe(B, ONE, 7) == 7
        assert ledger.observe(C, ONE, -3) == 1

    def test_the_same_bytes_keep_their_version(self, ledger: Ledger) -> None:
        ledger.observe(A, ONE, 4)
        assert ledger.observe(A, ONE, None) == 4
        assert ledger.observe(A, ONE, 99) == 4
        assert ledger.observed(A) == Observed(4, ONE)

    def test_other_bytes_are_newer(self, ledger: Ledger) -> None:
        ledger.observe(A, ONE, None)
        assert ledger.observe(A, TWO, 1) == 2
        assert ledger.observe(A, ONE, None) == 3
        assert ledger.observe(A, TWO, 10) == 10
        assert ledger.observed(A) == Observed(10, TWO)

    def test_ids_have_nothing_to_do_with_each_other(self, ledger: Ledger) -> None:
        ledger.observe(A, ONE, 4)
        assert ledger.observed(B) is None
        assert ledger.observe(C, TWO, None) == 1
        assert ledger.observed(C) == Observed(1, TWO)

    @settings(max_examples=40, suppress_health_check=SHARED, deadline=None)
    @given(seen=st.lists(st.tuples(st.sampled_from([ONE, TWO, THREE]), st.none() | st.integers(-1, 9)), max_size=6))
    def test_observing_follows_the_rule_of_versions(self, ledger: Ledger, seen: list[tuple[str, int | None]]) -> None:
        last = ledger.observed(A)
        for sha256, declared in seen:
            version = effective_version(last, sha256, declared)
            assert ledger.observe(A, sha256, declared) == version
            last = Observed(version, sha256)
            assert ledger.observed(A) == last

    def test_a_commit_remembers_all_of_a_run(self, ledger: Ledger) -> None:
        ledger.commit({A: Observed(3, ONE), B: Observed(1, TWO)}, 12, ChainHead(14, THREE))
        assert ledger.observed(A) == Observed(3, ONE)
        assert ledger.observed(B) == Observed(1, TWO)
        assert ledger.settled_run() == 12
        assert ledger.chain_head() == ChainHead(14, THREE)
        assert ledger.observe(A, ONE, None) == 3

    def test_after_a_delete_a_later_entry_counts_on(self, ledger: Ledger) -> None:
        ledger.commit({A: Observed(3, ONE)}, 1, None)
        ledger.commit({A: Observed(3, "")}, 2, None)
        assert ledger.observed(A) == Observed(3, "")
        assert ledger.observe(A, ONE, 1) == 4

    def test_a_commit_may_say_nothing_of_the_chain(self, ledger: Ledger) -> None:
        ledger.advance_chain(ChainHead(5, ONE))
        ledger.commit({}, 3, None)
        assert ledger.chain_head() == ChainHead(5, ONE)
        assert ledger.settled_run() == 3

    def test_a_commit_may_say_nothing_of_runs(self, ledger: Ledger) -> None:
        ledger.commit({A: Observed(1, ONE)}, None, None)
        assert ledger.settled_run() is None
        ledger.commit({}, 2, None)
        ledger.commit({A: Observed(2, TWO)}, None, None)
        assert ledger.settled_run() == 2

    def test_runs_settle_forwards_only(self, ledger: Ledger) -> None:
        ledger.commit({}, 9, None)
        ledger.commit({}, 4, None)
        assert ledger.settled_run() == 9

    # -- the chain

    def test_the_head_moves_forwards_only(self, ledger: Ledger) -> None:
        ledger.advance_chain(ChainHead(5, ONE))
        ledger.advance_chain(ChainHead(4, TWO))
        ledger.commit({}, 1, ChainHead(3, THREE))
        assert ledger.chain_head() == ChainHead(5, ONE)
        ledger.advance_chain(ChainHead(6, TWO))
        assert ledger.chain_head() == ChainHead(6, TWO)

    def test_another_line_of_the_same_number_changes_nothing(self, ledger: Ledger) -> None:
        ledger.advance_chain(ChainHead(5, ONE))
        ledger.advance_chain(ChainHead(5, TWO))
        assert ledger.chain_head() == ChainHead(5, ONE)

    # -- moves

    def test_a_chain_of_moves_leads_to_its_end(self, ledger: Ledger) -> None:
        ledger.record_move(A, B)
        ledger.record_move(B, C)
        ledger.record_move(C, D)
        assert [ledger.moved_to(id) for id in (A, B, C, D)] == [[D], [D], [D], []]

    def test_a_later_move_of_the_same_id_counts(self, ledger: Ledger) -> None:
        ledger.record_move(A, B)
        ledger.record_move(A, C)
        assert ledger.moved_to(A) == [C]

    def test_a_move_back_forgets_the_way_there(self, ledger: Ledger) -> None:
        ledger.record_move(A, B)
        ledger.record_move(B, A)
        assert not ledger.moved_to(A)
        assert ledger.moved_to(B) == [A]

    def test_a_move_to_the_same_id_is_none(self, ledger: Ledger) -> None:
        ledger.record_move(A, A)
        assert not ledger.moved_to(A)

    @settings(max_examples=60, suppress_health_check=SHARED, deadline=None)
    @given(moves=st.lists(st.permutations([A, B, C, D]), max_size=8))
    def test_moves_never_run_in_a_circle(self, ledger: Ledger, moves: list[list[MemoryId]]) -> None:
        for source, target, *_ in moves:
            ledger.record_move(source, target)
            assert not ledger.moved_to(target)
            assert ledger.moved_to(source) == [target]
        for id in (A, B, C, D):
            ends = ledger.moved_to(id)
            assert id not in ends
            assert not any(ledger.moved_to(end) for end in ends)

    def test_a_way_may_lead_to_one_of_several(self, ledger: Ledger) -> None:
        ledger.record_move(A, B, C)
        assert ledger.moved_to(A) == [B, C]
        ledger.record_move(C, D)
        assert ledger.moved_to(A) == [B, D]
        assert [ledger.moved_from(id) for id in (A, B, C, D)] == [[], [A], [A], [C]]
        ledger.forget(B)
        assert ledger.moved_to(A) == [D]
        ledger.forget(C)
        assert not ledger.moved_to(A)

    def test_an_entry_that_comes_to_an_old_id_ends_the_way_from_there(self, ledger: Ledger) -> None:
        for written in (True, False):
            ledger.commit({A: Observed(1, "")}, 1, None)
            ledger.record_move(A, B)
            assert ledger.moved_to(A) == [B]
            if written:
                ledger.commit({A: Observed(2, ONE)}, 1, None)
            else:
                ledger.observe(A, TWO, None)
            assert not ledger.moved_to(A)

    def test_bytes_that_are_replaced_by_now_get_no_number(self, ledger: Ledger) -> None:
        """Else a late reader would be given the number that the next writer gives to other bytes."""
        ledger.commit({A: Observed(6, TWO)}, 1, None)
        assert ledger.observe(A, ONE, 5, lambda: False) is None
        assert ledger.observed(A) == Observed(6, TWO)
        assert ledger.observe(A, ONE, 5, lambda: True) == 7
        assert ledger.observe(A, ONE, 5, lambda: False) == 7

    def test_an_entry_taken_away_leaves_the_way_that_led_on(self, ledger: Ledger) -> None:
        ledger.record_move(A, B)
        ledger.commit({A: Observed(1, ""), B: Observed(1, ONE)}, 1, None)
        assert ledger.moved_to(A) == [B]

    def test_forgetting_leaves_the_version_and_no_move(self, ledger: Ledger) -> None:
        ledger.commit({B: Observed(4, "")}, 1, None)
        ledger.record_move(A, B)
        ledger.record_move(C, D)
        ledger.forget(B)
        assert not ledger.moved_to(A)
        assert ledger.moved_to(C) == [D]
        assert ledger.observed(B) == Observed(4, "")
        ledger.forget(B)

    # -- pointers and notes

    def test_pointers_are_of_one_folder_and_are_replaced_whole(self, ledger: Ledger) -> None:
        ledger.set_pointers("shared", {"a.md": "- [A](a.md) — so", "quy-ước.md": "- [Q](quy-ước.md)"})
        ledger.set_pointers("projects/x", {"a.md": "- [Other](a.md)"})
        ledger.set_pointers("shared", {"b.md": "- [B](b.md)"})
        assert ledger.pointers("shared") == {"b.md": "- [B](b.md)"}
        assert ledger.pointers("projects/x") == {"a.md": "- [Other](a.md)"}
        ledger.set_pointers("shared", {})
        assert ledger.pointers("shared") == {}

    def test_what_is_given_and_taken_is_a_copy(self, ledger: Ledger) -> None:
        given = {"a.md": "- [A](a.md)"}
        ledger.set_pointers("shared", given)
        given["b.md"] = "x"
        ledger.pointers("shared")["c.md"] = "x"
        ledger.notes()["c"] = "x"
        assert ledger.pointers("shared") == {"a.md": "- [A](a.md)"}
        assert ledger.notes() == {}

    def test_notes_are_set_and_removed_by_name(self, ledger: Ledger) -> None:
        ledger.set_note("disk", "it failed")
        ledger.set_note("index", "on a local disk")
        ledger.set_note("disk", "it failed again")
        ledger.set_note("none", None)
        assert ledger.notes() == {"disk": "it failed again", "index": "on a local disk"}
        ledger.set_note("disk", None)
        assert ledger.notes() == {"index": "on a local disk"}


class LastingLedgerContract(LedgerContract):
    """For a ledger that outlives its process: `make` opens what is there already."""

    def test_all_of_it_is_there_when_it_is_opened_again(self, tmp_path: Path) -> None:
        first = self.make(tmp_path)
        first.commit({A: Observed(3, ONE)}, 12, ChainHead(14, THREE))
        first.record_move(B, C)
        first.set_pointers("shared", {"a.md": "- [A](a.md)"})
        first.set_note("disk", "it failed")
        first.close()
        second = self.make(tmp_path)
        assert second.observed(A) == Observed(3, ONE)
        assert (second.settled_run(), second.chain_head()) == (12, ChainHead(14, THREE))
        assert second.moved_to(B) == [C]
        assert second.pointers("shared") == {"a.md": "- [A](a.md)"}
        assert second.notes() == {"disk": "it failed"}
        second.close()

    def test_two_that_are_open_see_each_other(self, tmp_path: Path) -> None:
        one, other = self.make(tmp_path), self.make(tmp_path)
        assert one.observe(A, ONE, None) == 1
        assert other.observe(A, TWO, None) == 2
        assert one.observe(A, TWO, None) == 2
        other.advance_chain(ChainHead(5, ONE))
        assert one.chain_head() == ChainHead(5, ONE)
        one.close()
        other.close()
