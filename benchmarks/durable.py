"""Durable create and update, audit line included, beside the bare write + fsync + rename + fsync of the same bytes.

The bare writes go into a hidden folder inside, so that both find inodes in one place. What it costs to make a file
differs between places, from 0.1 to 1.2 ms on one ext4: those that were deleted in the last minutes are passed over.
Into the very folder they would be another writer, after whom a name that is new has to be looked for anew.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import trinho
from benchmarks.row import Row

if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT = 3.0


def rows(runs: int = 300) -> list[Row]:
    """The two ratios. Each of ours is timed right beside a bare one, so that both meet the same disk."""
    with (
        tempfile.TemporaryDirectory(prefix="trinho-bench-") as folder,
        trinho.open_memory(Path(folder) / "root", environment={}) as memory,
    ):
        body = "word " * 80
        memory.create("shared:bench:first", body)  # opens what is opened once
        bench = Path(folder) / "root/shared/bench"
        (bench / ".bare").mkdir()
        bare = _Bare(bench / ".bare")

        def create(number: int) -> None:
            memory.create(f"shared:bench:n{number}", body)

        def update(number: int) -> None:
            memory.update(f"shared:bench:n{number}", body + "more", expected_version=1)

        created = _ratio(create, bare, bench, runs)
        updated = _ratio(update, bare, bench, runs)
    return [_row("durable create", created), _row("durable update", updated)]


class _Bare:
    """The least that a durable write takes: a temporary file, fsync, rename, fsync of the folder."""

    def __init__(self, folder: Path) -> None:
        self.fd = os.open(folder, os.O_RDONLY)
        self.count = 0

    def write(self, raw: bytes) -> None:
        name = f"n{self.count}"
        self.count += 1
        fd = os.open(".bare", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600, dir_fd=self.fd)
        os.write(fd, raw)
        os.fsync(fd)
        os.close(fd)
        os.rename(".bare", name, src_dir_fd=self.fd, dst_dir_fd=self.fd)
        os.fsync(self.fd)


def _ratio(act: Callable[[int], None], bare: _Bare, folder: Path, runs: int) -> tuple[float, float, float]:
    """Median seconds of ours and of the bare one, and the median of their ratios pair by pair."""
    ours, floor = [], []
    for number in range(runs):
        started = time.perf_counter()
        act(number)
        done = time.perf_counter()
        raw = (folder / f"n{number}.md").read_bytes()
        again = time.perf_counter()
        bare.write(raw)
        floor.append(time.perf_counter() - again)
        ours.append(done - started)
    ratios = [a / b for a, b in zip(ours, floor, strict=True)]
    return statistics.median(ours), statistics.median(floor), statistics.median(ratios)


def _row(what: str, figures: tuple[float, float, float]) -> Row:
    ours, floor, ratio = figures
    beside = f"{ours * 1e3:.2f} ms, bare {floor * 1e3:.2f} ms"
    return Row(what, f"{ratio:.2f} x bare", beside, f"<= {LIMIT:g} x bare", ratio <= LIMIT)
