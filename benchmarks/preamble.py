"""How long it takes to say what an agent is told when its work begins: `python -m benchmarks.preamble 10000 100000`.

A root of as many entries, a fifth of them facts, forty policies, a note and a project's index; tasks are eight words of
an entry. CPU time in one process that goes on asking, audit line included.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from random import Random
from time import process_time
from typing import TYPE_CHECKING

import trinho
from benchmarks.latency import drawn, made_texts
from benchmarks.row import Row

if TYPE_CHECKING:
    from collections.abc import Iterator

GOALS_MS = {10_000: 3.0, 100_000: 8.0}
_POLICIES = 40
_TASKS = 200
_PROJECT = "alp"


def rows() -> list[Row]:
    """The smaller size; the other takes a minute to make."""
    return list(measured(10_000))


def measured(size: int) -> Iterator[Row]:
    """Median and 95th percentile at one size."""
    with tempfile.TemporaryDirectory(prefix="trinho-bench-") as folder:
        root = Path(folder) / "root"
        texts = list(made_texts(size))
        filled(root, texts)
        with trinho.open_memory(root, environment={}) as person:
            for n in range(_POLICIES):
                person.propose_policy(f"Rule number {n}: {' '.join(texts[n].split()[:8])}.", domain=f"domain{n % 8}")
        with trinho.open_memory(root, actor="worker", environment={}) as memory:
            memory.update_my_notes("\n".join(f"- what I noted {n}" for n in range(40)))
            tasks = [" ".join(drawn(Random(f"task {n}"), texts[n * (size // _TASKS)])) for n in range(_TASKS)]
            for task in tasks[:20]:
                memory.preamble(task, project=_PROJECT)
            took = []
            for task in tasks:
                started = process_time()
                told = memory.preamble(task, project=_PROJECT)
                took.append((process_time() - started) * 1000)
                assert told.text
        took.sort()
        median, most = took[len(took) // 2], took[int(0.95 * len(took))]
        goal = GOALS_MS.get(size, 8.0)
        beside = f"p50 {median:.2f} ms; {_POLICIES} policies, {len(told.text)} characters"
        yield Row(f"preamble, {size:,} entries, CPU p95", f"{most:.2f} ms", beside, f"<= {goal:g} ms", most <= goal)


def filled(root: Path, texts: list[str]) -> None:
    for n, text in enumerate(texts):
        if n % 5:
            file = root / f"projects/p{n % 50}/notes/n{n}.md"
            head = f"---\nname: note {n}\ndescription: {text[:60]}\ntype: project\nkind: reference\n---\n\n"
        else:
            file = root / f"shared/facts/domain{n % 8}/topic{n % 500}-{n:08x}.md"
            head = f"---\nname: t\ndescription: {text[:60]}\ntype: project\nkind: fact\ndomain: domain{n % 8}\n"
            head += f"topic: topic {n % 500}\nveracity: inferred\nconfidence: 0.35\n---\n\n"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{head}{text}\n", encoding="utf-8")
    (root / f"projects/{_PROJECT}").mkdir(parents=True, exist_ok=True)
    for n in range(100):
        text = f"---\ndescription: {texts[n][:50]}\nkind: log\n---\nentry {n}\n"
        (root / f"projects/{_PROJECT}/e{n}.md").write_text(text, encoding="utf-8")
    lines = "".join(f"- [e{n}](e{n}.md) — {texts[n][:50]}\n" for n in range(100))
    (root / f"projects/{_PROJECT}/MEMORY.md").write_text(f"# Memory index\n\n{lines}", encoding="utf-8")


def main() -> None:
    options = argparse.ArgumentParser(description="measure the preamble")
    options.add_argument("sizes", nargs="*", type=int, default=[10_000])
    for size in options.parse_args().sizes:
        for row in measured(size):
            print(row, flush=True)


if __name__ == "__main__":
    main()
