"""A cold `trinho get` as a whole process, beside a bare interpreter."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import trinho
from benchmarks.row import Row

LIMIT = 8.0


def rows(runs: int = 25) -> list[Row]:
    """The ratio of the CPU time of the two processes, taken in turn."""
    with tempfile.TemporaryDirectory(prefix="trinho-bench-") as folder:
        root = Path(folder) / "root"
        with trinho.open_memory(root, environment={}) as memory:
            memory.create("shared:bench:one", "We indent with four spaces.")
        environment = {"PATH": os.environ.get("PATH", ""), "HOME": folder, "TRINHO_MEMORY_ROOT": os.fspath(root)}
        command = [os.fspath(Path(sys.executable).with_name("trinho")), "get", "shared:bench:one"]
        bare = [sys.executable, "-c", "pass"]
        _cpu(command, environment)  # compiles what was never run
        pairs = [(_cpu(command, environment), _cpu(bare, environment)) for _ in range(runs)]
    ours, floor = (statistics.median(times) for times in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    beside = f"{ours * 1e3:.0f} ms CPU, bare {floor * 1e3:.0f} ms"
    return [Row("trinho get, cold process", f"{ratio:.1f} x bare", beside, f"<= {LIMIT:g} x bare", ratio <= LIMIT)]


def _cpu(command: list[str], environment: dict[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
