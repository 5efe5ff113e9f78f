"""The table of goals: `python -m benchmarks`. Each run is kept in benchmarks/results/ with the versions it ran on."""

from __future__ import annotations

import argparse
import platform
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from benchmarks import cold, conflicts, contention, durable, grants, hook, kills, mcp_start, preamble, recall

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.row import Row

RESULTS = Path(__file__).with_name("results")
MEASUREMENTS: tuple[Callable[[], list[Row]], ...] = (
    durable.rows,
    cold.rows,
    hook.rows,
    mcp_start.rows,
    grants.rows,
    kills.rows,
    contention.rows,
    recall.rows,
    conflicts.rows,
    preamble.rows,
)


def main() -> int:
    """Print every row as it is measured; 1 if a goal is missed."""
    options = argparse.ArgumentParser(description="measure the goals")
    options.add_argument("--keep", action="store_true", help="write the table into benchmarks/results/")
    keep: bool = options.parse_args().keep
    lines = [_machine()]
    print(lines[0])
    met = True
    for measure in MEASUREMENTS:
        for row in measure():
            print(row, flush=True)
            lines.append(str(row))
            met = met and row.met
    if keep:
        RESULTS.mkdir(exist_ok=True)
        path = RESULTS / f"{datetime.now(UTC):%Y-%m-%d}.txt"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0 if met else 1


def _machine() -> str:
    return (
        f"trinho {version('trinho')}, Python {platform.python_version()}, SQLite {apsw.sqlite_lib_version()}, "
        f"{platform.system()} {platform.machine()}, medians"
    )


if __name__ == "__main__":
    sys.exit(main())
