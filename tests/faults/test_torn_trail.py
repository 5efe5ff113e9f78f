"""The end of the audit trail is torn, as a power cut may leave it: it goes on, and tells of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.faults.scenes import A, B, findings, open_at

if TYPE_CHECKING:
    from pathlib import Path


def _trail(root: Path) -> Path:
    return next((root / ".trinho" / "audit").glob("*.jsonl"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    with open_at(root) as memory:
        memory.create(A, "x")
    return root


@pytest.mark.parametrize("torn", [b"{", b'{"seq":9,"at":"2026', b"\0" * 300, b"\xff\xfe", b"x" * 70_000])
def test_what_was_never_finished_is_cut_and_noted(root: Path, torn: bytes) -> None:
    """Before the next line verify tolerates it and doctor tells it; with the next line it is gone, and that is told."""
    whole = _trail(root).read_bytes()
    _trail(root).write_bytes(whole + torn)
    with open_at(root) as memory:
        report = memory.verify_audit()
        assert report.ok
        size = "1 byte" if len(torn) == 1 else f"{len(torn)} bytes"
        assert report.torn == f"{_trail(root).name} ends in {size} of a line that was never finished"
        assert [found.split()[0] for found in findings(memory)] == ["AUDIT_TORN"]
        memory.create(B, "y")
        assert memory.verify_audit().ok
        assert not memory.verify_audit().torn
        assert "TORN_AUDIT_LINE_REMOVED" in [line.event.code for line in memory.audit(10)]
        assert not findings(memory)
    assert _trail(root).read_bytes().startswith(whole)
    assert torn not in _trail(root).read_bytes() or torn == b"{"


def test_a_torn_tail_costs_no_undo(root: Path) -> None:
    with open_at(root) as memory:
        memory.update(A, "y", expected_version=1)
    with _trail(root).open("ab") as trail:
        trail.write(b'{"seq":')
    with open_at(root) as memory:
        memory.undo()
        assert memory.get(A).body == "x"


def test_lines_that_are_cut_off_are_missed(root: Path) -> None:
    """A whole line that is gone is no torn one: the ledger remembers the head of the chain."""
    lines = _trail(root).read_bytes().splitlines(keepends=True)
    with open_at(root) as memory:
        memory.update(A, "y", expected_version=1)
    _trail(root).write_bytes(b"".join(lines))
    with open_at(root) as memory:
        assert not memory.verify_audit().ok
        memory.create(B, "y")
        assert not memory.verify_audit().ok


def test_without_its_ledger_a_root_settles_nothing_of_old(root: Path) -> None:
    """Also where a read comes first, which tells the new ledger the end of the trail."""
    for name in ("ledger.db", "ledger.db-wal", "ledger.db-shm"):
        (root / ".trinho" / name).unlink(missing_ok=True)
    with open_at(root) as memory:
        memory.get(A)
        memory.create(B, "y")
        assert [line.event.operation for line in memory.audit(10)] == ["create", "recover", "get", "create"]
        assert memory.verify_audit().unsure == (
            "the ledger was made anew before line 2: whether an end of the trail was cut off can't be told",
        )


def test_a_write_first_tells_it_too(root: Path) -> None:
    for name in ("ledger.db", "ledger.db-wal", "ledger.db-shm"):
        (root / ".trinho" / name).unlink(missing_ok=True)
    with open_at(root) as memory:
        memory.create(B, "y")
        assert [line.event.code for line in memory.audit(10)] == [None, "LEDGER_MADE_ANEW", None]
        assert len(memory.verify_audit().unsure) == 1


def test_an_end_that_was_cut_off_along_with_the_ledger_is_told_to_be_uncertain(root: Path) -> None:
    for name in ("ledger.db", "ledger.db-wal", "ledger.db-shm"):
        (root / ".trinho" / name).unlink(missing_ok=True)
    with open_at(root) as memory:
        assert memory.verify_audit().unsure


def test_a_new_root_is_certain(tmp_path: Path) -> None:
    with open_at(tmp_path / "root") as memory:
        assert not memory.verify_audit().unsure
        memory.create(A, "x")
        memory.get(A)
        assert not memory.verify_audit().unsure
    with open_at(tmp_path / "root") as memory:
        memory.update(A, "y", expected_version=1)
        assert not memory.verify_audit().unsure
