"""Decisions of meetings become facts once; the day's log only grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from trinho import errors

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cleanroom import Home, Terminal

MINUTES = """# Sync
## Decisions
- Use Postgres 16 for billing
- [x] Freeze deploys from 20 December

## Action items
- Minh writes the runbook

Quyết định: chuyển tài liệu sang Notion.
"""


def test_each_decision_is_taken_in_once(home: Home) -> None:
    with home.memory() as memory:
        first = memory.harvest_decisions(MINUTES, meeting="sync")
        again = memory.harvest_decisions(MINUTES)
        assert [memory.get(str(each.id)).body for each in first.proposed] == [
            "Use Postgres 16 for billing",
            "Freeze deploys from 20 December",
            "Chuyển tài liệu sang Notion.",
        ]
        assert (again.proposed, again.known) == ((), 3)
        assert {row.knowledge.memory_type for row in memory.facts(domain="decisions")} == {"decision"}


def test_not_again_either_when_it_was_superseded(home: Home) -> None:
    with home.memory() as memory:
        [done] = memory.harvest_decisions("Decision: use Postgres 16 for billing").proposed
        memory.supersede_fact(str(done.id), "Use MySQL for billing.")
        assert memory.harvest_decisions("Decision: use Postgres 16 for billing").proposed == ()


def test_what_is_refused_is_told_and_the_others_come(home: Home) -> None:
    with home.memory() as memory:
        done = memory.harvest_decisions(f"## Decisions\n- {'x' * 9000}\n- Use Postgres 16 for billing\n")
        assert len(done.proposed) == len(done.refused) == 1


def test_too_long_minutes(home: Home) -> None:
    with home.memory() as memory, pytest.raises(errors.BodyTooLargeError):
        memory.harvest_decisions("x" * ((1 << 20) + 1))


class TestLog:
    """Lines are added, by whoever may."""

    def test_lines_come_behind_one_another(self, home: Home) -> None:
        with home.memory("main") as memory:
            memory.log_append("built the\nthing", project="alp")
            entry = memory.log_append("again", project="alp")
            first, second = entry.body.split("\n")
            assert first.endswith(" built the thing")
            assert second.endswith(" again")
            assert (entry.kind, str(entry.id)[:17]) == ("log", "project:alp:logs:")

    def test_without_a_grant(self, home: Home) -> None:
        with home.memory("worker") as memory, pytest.raises(errors.UnauthorizedMemoryAccessError):
            memory.log_append("x y", project="alp")

    @pytest.mark.parametrize("text", ["", "x" * 9000])
    def test_what_is_no_line(self, home: Home, text: str) -> None:
        with home.memory() as memory, pytest.raises(errors.InvalidEntryError):
            memory.log_append(text)


def test_the_command_line(home: Home, trinho: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "minutes.md"
    file.write_text(MINUTES, encoding="utf-8")
    assert trinho("harvest", str(file), "--json").json["known"] == 0
    assert trinho("harvest", str(file)).out == "0 decisions taken in, 3 known already\n"
    assert trinho("harvest", str(tmp_path / "none.md")).status == 2
    assert trinho("log", "append", "built it", "--project", "alp", "--json").json["kind"] == "log"
