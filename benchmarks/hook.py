"""What a prompt waits for: a cold `trinho hook prompt` in a session that has begun, beside a bare interpreter."""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING
from uuid import UUID

from benchmarks.latency import drawn, made_texts
from benchmarks.preamble import filled
from benchmarks.row import Row
from trinho import open_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

LIMIT = 6.0
_ENTRIES = 10_000


def rows(runs: int = 25) -> list[Row]:
    """The ratio of the CPU time of the two processes, taken in turn; every prompt is another one."""
    with tempfile.TemporaryDirectory(prefix="trinho-bench-") as folder, measured(folder, runs) as prompted:
        pairs = [(prompted(n), cpu([sys.executable, "-c", "pass"], {})) for n in range(runs)]
    mine, floor = (statistics.median(times) for times in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    beside = f"{mine * 1e3:.0f} ms CPU, bare {floor * 1e3:.0f} ms; {_ENTRIES:,} entries"
    return [
        Row("trinho hook prompt, cold process", f"{ratio:.1f} x bare", beside, f"<= {LIMIT:g} x bare", ratio <= LIMIT)
    ]


@contextmanager
def measured(folder: str, runs: int) -> Iterator[Callable[[int], float]]:
    """A measure of what the n-th prompt of a session takes, in seconds of CPU, with a memory in the folder."""
    texts = list(made_texts(_ENTRIES))
    filled(Path(folder) / "root", texts)
    with open_memory(f"{folder}/root", environment={}) as memory:
        memory.search("brings the index up to date")
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": folder, "TRINHO_MEMORY_ROOT": f"{folder}/root"}
    trinho = os.fspath(Path(sys.executable).with_name("trinho"))
    session = {"session_id": str(UUID(int=1)), "cwd": folder, "transcript_path": f"{folder}/said.jsonl"}

    def event(name: str, n: int) -> float:
        prompt = " ".join(drawn(Random(f"prompt {n}"), texts[n * 97]))
        said = json.dumps({**session, "prompt": prompt}).encode()
        return cpu([trinho, "hook", name, "--as", "main"], environment, said)

    event("session-start", 0)
    event("prompt", runs)  # compiles what was never run
    yield lambda n: event("prompt", n)


def cpu(command: list[str], environment: Mapping[str, str], said: bytes = b"") -> float:
    """Seconds of CPU that a command and its children took; it has to answer what it is told."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, env=environment, check=True, input=said, stdout=subprocess.PIPE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if bool(done.stdout) != bool(said):
        raise RuntimeError(f"{command} answered {done.stdout!r}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
