"""Processes killed by SIGKILL at random moments: nothing torn, nothing acknowledged lost, no index row without bytes.

    python -m benchmarks.kills --runs 1000

Each run forks a process that creates, updates, deletes, moves and undoes at random, and says what was acknowledged;
it is killed at a random moment, and what is left is held against what it said.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import trinho
from benchmarks.row import Row
from trinho.errors import MemoryEntryNotFoundError, TrinhoError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trinho.application.library import Memory

NAMES = tuple(f"shared:n{n}" for n in range(6)) + tuple(f"project:alp:deep:n{n}" for n in range(4))
_LONGEST = 0.08


def run(root: Path, seed: int, known: dict[str, str]) -> list[str]:
    """One kill. `known` is what stands in the root, and is brought up to date; the answer is what went wrong."""
    heard, said = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(heard)
        try:
            _work(root, seed, said)
        finally:
            os._exit(0)
    os.close(said)
    time.sleep(random.Random(seed).uniform(0.002, _LONGEST))
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    lines = list(_lines(heard))
    return _judge(root, known, lines)


def _work(root: Path, seed: int, said: int) -> None:
    dice = random.Random(seed)
    with trinho.open_memory(root, environment={}) as memory:
        for step in range(10_000):
            name, body = dice.choice(NAMES), f"{seed} {step} " + "words " * dice.randrange(60)
            intent, act = _choose(dice, memory, name, body)
            os.write(said, f"begin\t{intent}\n".encode())
            try:
                act()
            except TrinhoError:
                os.write(said, b"refused\n")
            else:
                os.write(said, b"done\n")


def _choose(dice: random.Random, memory: Memory, name: str, body: str):  # type: ignore[no-untyped-def]
    try:
        version = memory.get(name).version
    except MemoryEntryNotFoundError:
        return f"set\t{name}\t{body}", lambda: memory.create(name, body)
    other = dice.choice(NAMES)
    choice = dice.random()
    if choice < 0.6:
        return f"set\t{name}\t{body}", lambda: memory.update(name, body, expected_version=version)
    if choice < 0.8:
        return f"drop\t{name}", lambda: memory.delete(name, expected_version=version)
    return f"move\t{name}\t{other}", lambda: memory.move(name, other)


def _lines(heard: int) -> Iterator[list[str]]:
    text = b""
    while piece := os.read(heard, 1 << 16):
        text += piece
    os.close(heard)
    for line in text.decode().split("\n")[:-1]:
        yield line.split("\t")


def _judge(root: Path, known: dict[str, str], lines: list[list[str]]) -> list[str]:
    """Hold the root against what was acknowledged; the last act may have been done or not."""
    open_act: list[str] | None = None
    for line in lines:
        if line[0] == "begin":
            open_act = line[1:]
        else:
            if line[0] == "done" and open_act:
                _apply(known, open_act)
            open_act = None
    possible = [dict(known)]
    if open_act:
        after = dict(known)
        _apply(after, open_act)
        possible.append(after)
    with trinho.open_memory(root, environment={}) as memory:
        memory.create("shared:next", "the next writer")
        memory.delete("shared:next", expected_version=memory.get("shared:next").version)
        found = {str(row.id): memory.get(str(row.id)).body for row in memory.entries()}
        wrong = [] if found in possible else [f"found {sorted(found.items())}, expected {possible}"]
        report = memory.verify_audit()
        wrong += [f"audit {fault}" for fault in report.faults]
        wrong += [f"doctor {finding}" for finding in memory.doctor().findings]
    known.clear()
    known.update(found)
    return wrong


def _apply(known: dict[str, str], act: list[str]) -> None:
    if act[0] == "set":
        known[act[1]] = act[2]
    elif act[0] == "drop":
        known.pop(act[1], None)
    elif act[1] in known and act[2] not in known:
        known[act[2]] = known.pop(act[1])


def compare(runs: int, seed: int = 1) -> list[str]:
    """All that went wrong in so many kills, on one root that lives on from kill to kill."""
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="trinho-kills-") as folder:
        known: dict[str, str] = {}
        for number in range(runs):
            wrong += [f"run {number}: {what}" for what in run(Path(folder) / "root", seed + number, known)]
    return wrong


def rows(runs: int = 1000) -> list[Row]:
    """The line of the table."""
    wrong = compare(runs)
    beside = wrong[0][:60] if wrong else "no torn file, no lost write, no row without bytes"
    return [Row(f"SIGKILL at a random moment, {runs} runs", f"{len(wrong)} faults", beside, "0 faults", not wrong)]


def main() -> int:
    """Print every fault; 1 if there is one."""
    options = argparse.ArgumentParser(description="kill writers at random moments")
    options.add_argument("--runs", type=int, default=1000)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    wrong = compare(given.runs, given.seed)
    print("\n".join([*wrong, f"{given.runs} runs, {len(wrong)} faults"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
