"""What every ledger's part about projects and clients' runs promises."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from trinho.domain.ids import parse_memory_id
from trinho.domain.project import Registered
from trinho.domain.run import ClientRun

if TYPE_CHECKING:
    from pathlib import Path

    from trinho.ports.ledger import Ledger

AT = datetime(2026, 12, 4, 12, 0, 0, 123456, tzinfo=UTC)
ALP = Registered("alp-1a2b3c", "alp", "/work/alp", "example.org/ann/alp", "secret")
BAY = Registered("bay-4d5e6f", "bay", "/work/bay", None, "other")


class ProjectsContract:
    """Subclass it and give `make`."""

    def make(self, folder: Path) -> Ledger:
        raise NotImplementedError

    @pytest.fixture
    def ledger(self, tmp_path: Path) -> Ledger:
        return self.make(tmp_path)

    def test_a_project_is_known_by_its_places(self, ledger: Ledger) -> None:
        projects = ledger.projects
        assert projects.at("/work/alp/.git") is None
        assert projects.register(ALP, "/work/alp/.git") == ALP
        projects.settle(ALP, "/work/clone/.git")
        projects.register(BAY, "/work/bay")
        assert projects.projects() == [ALP, BAY]
        assert projects.at("/work/clone/.git") == ALP
        assert projects.places(ALP.id) == ["/work/alp/.git", "/work/clone/.git"]

    def test_who_registered_first_wins(self, ledger: Ledger) -> None:
        ledger.projects.register(ALP, "/work/alp/.git")
        assert ledger.projects.register(BAY, "/work/alp/.git") == ALP
        assert ledger.projects.projects() == [ALP]

    def test_a_project_moves(self, ledger: Ledger) -> None:
        ledger.projects.register(ALP, "/work/alp/.git")
        moved = ALP._replace(root="/new/alp")
        ledger.projects.settle(moved, "/new/alp/.git", "/work/alp/.git")
        assert ledger.projects.at("/work/alp/.git") is None
        assert ledger.projects.at("/new/alp/.git") == moved

    def test_a_place_with_bytes_that_are_no_text(self, ledger: Ledger) -> None:
        ledger.projects.register(BAY, "/work/\udcff")
        assert ledger.projects.at("/work/\udcff") == BAY

    def test_runs_and_what_was_shown_in_them(self, ledger: Ledger) -> None:
        runs = ledger.runs
        run = ClientRun("s1", "/home/t.jsonl", "alp", AT)
        assert runs.run("s1") is None
        runs.heard_of(run)
        assert runs.run("s1") == run
        runs.add_surfaced("s1", [("shared:a", 1), ("shared:b", 2)], AT)
        runs.add_surfaced("s1", [("shared:a", 3)], AT)
        runs.add_surfaced("s2", [("shared:a", 1)], AT)
        assert runs.surfaced("s1") == {("shared:a", 3), ("shared:b", 2)}
        runs.forget_surfaced("s1")
        assert runs.surfaced("s1") == set()
        assert runs.surfaced("s2") == {("shared:a", 1)}
        assert runs.run("s1") == run

    def test_what_is_forgotten_was_never_shown(self, ledger: Ledger) -> None:
        ledger.runs.add_surfaced("s1", [("shared:a", 1), ("shared:b", 2)], AT)
        ledger.forget(parse_memory_id("shared:a"))
        assert ledger.runs.surfaced("s1") == {("shared:b", 2)}

    def test_the_oldest_runs_beyond_a_thousand_go(self, ledger: Ledger) -> None:
        for number in range(1_002):
            ledger.runs.heard_of(ClientRun(f"s{number}", "", None, AT + timedelta(seconds=number)))
        assert ledger.runs.run("s0") is None
        assert ledger.runs.run("s1") is None
        assert ledger.runs.run("s2") is not None

    def test_the_run_that_a_process_is_at(self, ledger: Ledger) -> None:
        runs = ledger.runs
        assert runs.at_work(7) is None
        runs.set_at_work(7, "s1", AT)
        runs.set_at_work(8, "s1", AT)
        runs.set_at_work(7, "s2", AT + timedelta(seconds=1))
        assert runs.at_work(7) == ("s2", AT + timedelta(seconds=1))
        assert runs.at_work(8) == ("s1", AT)

    def test_the_oldest_processes_beyond_a_thousand_go(self, ledger: Ledger) -> None:
        for number in range(1_002):
            ledger.runs.set_at_work(number, "s1", AT + timedelta(seconds=number))
        assert ledger.runs.at_work(1) is None
        assert ledger.runs.at_work(2) is not None
