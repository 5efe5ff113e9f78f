"""Processes killed by SIGKILL at random moments: nothing torn, nothing acknowledged lost, no index row without bytes.

    python -m benchmarks.kills --runs 1000

Each run forks a process that creates, updates, deletes, moves and undoes at random, and says what was acknowledged;
it is killed at a random moment, and what is left is held against what it said.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import trinho
from benchmarks.row import Row
from trinho.errors import MemoryEntryAlreadyExistsError, MemoryEntryNotFoundError

if TYPE_CHECKING:
    from collections.abc import Callable

    from trinho.application.library import Memory

NAMES = tuple(f"shared:n{n}" for n in range(6)) + tuple(f"project:alp:deep:n{n}" for n in range(4))
LIVES = 50  # kills that one root lives through
_LONGEST = 0.08

Bodies = dict[str, str]
Change = dict[str, str | None]  # what an act makes of each name; None where nothing is left


def run(root: Path, seed: int, known: Bodies) -> list[str]:
    """One kill. `known` is what stands in the root, and is brought up to date; the answer is what went wrong."""
    heard, said = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(heard)
        try:
            _work(root, random.Random(seed), said, dict(known))
        except BaseException:  # noqa: BLE001 - whatever ends the worker is a fault
            _say(said, "fault", traceback.format_exc())
        finally:
            os._exit(0)
    os.close(said)
    time.sleep(random.Random(seed).uniform(0.002, _LONGEST))
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return _judge(root, known, _lines(heard))


def _work(root: Path, dice: random.Random, said: int, bodies: Bodies) -> None:
    back: Change = {}  # what undoing the last act brings
    with trinho.open_memory(root, environment={}) as memory:
        for step in range(10_000):
            body = f"{step} {dice.random()} " + "words " * dice.randrange(60)
            undoing = bool(back) and dice.random() < 0.2
            change, act = (back, partial(memory.undo)) if undoing else _choose(dice, memory, dice.choice(NAMES), body)
            _say(said, "begin", change)
            before: Change = {name: bodies.get(name) for name in change}
            try:
                act()
            except MemoryEntryAlreadyExistsError:
                _say(said, "refused", None)
                continue
            _say(said, "done", None)
            back = {} if undoing else before
            _apply(bodies, change)


def _choose(dice: random.Random, memory: Memory, name: str, body: str) -> tuple[Change, Callable[[], object]]:
    try:
        entry = memory.get(name)
    except MemoryEntryNotFoundError:
        return {name: body}, lambda: memory.create(name, body)
    other = dice.choice([there for there in NAMES if there != name])
    choice = dice.random()
    if choice < 0.6:
        return {name: body}, lambda: memory.update(name, body, expected_version=entry.version)
    if choice < 0.8:
        return {name: None}, lambda: memory.delete(name, expected_version=entry.version)
    return {name: None, other: entry.body}, lambda: memory.move(name, other)


def _say(said: int, word: str, value: object) -> None:
    os.write(said, json.dumps([word, value]).encode() + b"\n")


def _lines(heard: int) -> list[tuple[str, Change]]:
    text = b""
    while piece := os.read(heard, 1 << 16):
        text += piece
    os.close(heard)
    return [tuple(json.loads(line)) for line in text.split(b"\n")[:-1]]


def _judge(root: Path, known: Bodies, lines: list[tuple[str, Change]]) -> list[str]:
    """Hold the root against what was acknowledged; the last act may have been done or not."""
    begun: Change = {}
    wrong = []
    for word, value in lines:
        if word == "begin":
            begun = value
            continue
        if word == "fault":
            wrong.append(f"the worker: {value}")
        if word == "done":
            _apply(known, begun)
        begun = {}
    done = dict(known)
    _apply(done, begun)
    with trinho.open_memory(root, environment={}) as memory:
        memory.create("shared:next", "the next writer")
        memory.undo()
        found = {str(row.id): memory.get(str(row.id)).body for row in memory.entries()}
        if found not in (known, done):
            wrong.append(f"found {sorted(found.items())}, expected {sorted(known.items())} or {sorted(done.items())}")
        wrong += [f"audit {fault}" for fault in memory.verify_audit().faults]
        wrong += [f"doctor {finding}" for finding in memory.doctor().findings]
    known.clear()
    known.update(found)
    return wrong


def _apply(bodies: Bodies, change: Change) -> None:
    for name, body in change.items():
        if body is None:
            bodies.pop(name, None)
        else:
            bodies[name] = body


def compare(runs: int, seed: int = 1) -> list[str]:
    """All that went wrong in so many kills, on roots of which each lives on from kill to kill for a while."""
    wrong: list[str] = []
    for first in range(0, runs, LIVES):
        with tempfile.TemporaryDirectory(prefix="trinho-kills-") as folder:
            known: Bodies = {}
            for number in range(first, min(first + LIVES, runs)):
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
