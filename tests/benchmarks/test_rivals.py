"""The harness that asks rivals: what it counts, and that one which can't start stops nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from benchmarks.ablation import difference
from benchmarks.rivals import outside
from benchmarks.rivals.__main__ import finds_without_accents
from benchmarks.rivals.inside import FullText, Grep, Trinho
from benchmarks.rivals.outside import RivalUnavailableError, Worker
from benchmarks.rivals.rival import Measured, percentile

FAKE = """
from protocol import serve

def open_store(folder):
    kept = []
    return (lambda id, text: kept.append(id)), (lambda query, most: kept[::-1][:most])

print("what a library prints is no answer")
serve(open_store)
"""


@pytest.fixture
def workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of workers with the protocol in it."""
    folder = tmp_path / "workers"
    folder.mkdir()
    protocol = Path(outside.__file__).with_name("workers") / "protocol.py"
    (folder / "protocol.py").write_text(protocol.read_text())
    monkeypatch.setattr(outside, "HERE", tmp_path)
    return folder


def test_a_worker_answers_and_tells_its_time(workers: Path, tmp_path: Path) -> None:
    (workers / "fake.py").write_text(FAKE)
    worker = Worker("fake", str(tmp_path), sys.executable)
    measured = Measured()
    measured.put(worker, [("a", "one"), ("b", "two")])
    measured.ask(worker, "what?", frozenset({"a"}))
    worker.close()
    assert (measured.at_5, measured.reciprocal, measured.empty) == ([1.0], [0.5], 0)
    assert len(measured.add_ms) == 2
    assert all(took >= 0 for took in [*measured.add_ms, *measured.query_ms])


def test_one_that_cannot_start_says_why(workers: Path, tmp_path: Path) -> None:
    (workers / "broken.py").write_text("raise SystemExit('no such model here')")
    with pytest.raises(RivalUnavailableError, match="no such model here"):
        Worker("broken", str(tmp_path), sys.executable)


@pytest.mark.parametrize(("rival", "accents"), [(FullText, True), (Grep, False), (Trinho, True)])
def test_those_of_our_own_process(rival: type[FullText | Grep | Trinho], accents: bool, tmp_path: Path) -> None:
    one = rival(str(tmp_path))
    assert finds_without_accents(one) is accents
    assert list(one.search("thursdays", 5)) == ["other"]
    assert not list(one.search("nothing of the sort", 5))
    one.close()


def test_percentiles_and_rows() -> None:
    assert percentile([3, 1, 2], 50) == 2
    assert percentile([], 95) == 0
    assert "0.000" in Measured().row("nobody")


def test_a_difference_has_an_interval() -> None:
    lost, low, high = difference([1.0] * 50 + [0.0] * 50, [0.0] * 100)
    assert lost == 0.5
    assert 0.35 < low < 0.5 < high < 0.65
    assert difference([1.0, 0.0], [1.0, 0.0]) == (0.0, 0.0, 0.0)
