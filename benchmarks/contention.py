"""Eight processes on one root at once: creates of names of their own, and updates of one entry that all want.

    python -m benchmarks.contention --each 1000

None is lost, none is overwritten, and nobody hears that a database is locked.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

import trinho
from benchmarks.row import Row
from trinho.errors import MemoryVersionConflictError

if TYPE_CHECKING:
    from collections.abc import Callable

    from trinho.application.library import Memory

PROCESSES = 8
COUNTER = "shared:counter"


def compare(each: int) -> list[str]:
    """All that went wrong with so many creates and a tenth as many successful updates of each process."""
    with tempfile.TemporaryDirectory(prefix="trinho-contention-") as folder:
        root = Path(folder) / "root"
        with trinho.open_memory(root, environment={}) as memory:
            memory.create(COUNTER, "0")
        wrong = _together(root, lambda memory, number: _create(memory, number, each))
        wrong += _together(root, lambda memory, _: _count(memory, each // 10))
        with trinho.open_memory(root, environment={}) as memory:
            return wrong + _judge(memory, each)


def _judge(memory: Memory, each: int) -> list[str]:
    wrong = [
        f"{name} holds `{body}`"
        for number in range(PROCESSES)
        for name, wanted in _names(number, each)
        if (body := memory.get(name).body) != wanted
    ]
    counter = memory.get(COUNTER)
    successes = PROCESSES * (each // 10)
    if (counter.body, counter.version) != (str(successes), successes + 1):
        wrong.append(f"{successes} updates count {counter.body} at version {counter.version}")
    wrong += [f"audit {fault}" for fault in memory.verify_audit().faults]
    return wrong + [f"doctor {finding}" for finding in memory.doctor().findings]


def _names(number: int, each: int) -> list[tuple[str, str]]:
    return [(f"project:p{number}:n{n}", f"note {n} of {number}") for n in range(each)]


def _create(memory: Memory, number: int, each: int) -> None:
    for name, body in _names(number, each):
        memory.create(name, body)


def _count(memory: Memory, successes: int) -> None:
    while successes:
        entry = memory.get(COUNTER)
        try:
            memory.update(COUNTER, str(int(entry.body) + 1), expected_version=entry.version)
        except MemoryVersionConflictError:
            continue
        successes -= 1


def _together(root: Path, work: Callable[[Memory, int], None]) -> list[str]:
    """Each process does the work by itself; the answer is which of them failed."""
    pids = []
    for number in range(PROCESSES):
        pid = os.fork()
        if not pid:
            _alone(root, work, number)
        pids.append(pid)
    statuses = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]
    return [f"process {number} ended with {status}" for number, status in enumerate(statuses) if status]


def _alone(root: Path, work: Callable[[Memory, int], None], number: int) -> None:
    status = 1
    try:
        with trinho.open_memory(root, environment={}) as memory:
            work(memory, number)
        status = 0
    except BaseException:  # noqa: BLE001 - whatever ends the process is told by its status
        traceback.print_exc()
    finally:
        os._exit(status)


def rows(each: int = 1000) -> list[Row]:
    """The line of the table."""
    wrong = compare(each)
    beside = wrong[0][:60] if wrong else "none lost, none overwritten, no locked database"
    return [
        Row(f"{PROCESSES} processes x {each:,} creates, updates", f"{len(wrong)} faults", beside, "0 faults", not wrong)
    ]


def main() -> int:
    """Print every fault; 1 if there is one."""
    options = argparse.ArgumentParser(description="let processes write at once")
    options.add_argument("--each", type=int, default=1000)
    each: int = options.parse_args().each
    wrong = compare(each)
    print("\n".join([*wrong, f"{PROCESSES} x {each} creates, {PROCESSES} x {each // 10} updates, {len(wrong)} faults"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
