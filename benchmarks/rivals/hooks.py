"""What a prompt waits for with another memory's hook, beside Trinho's.

claude-mem, whose worker is running and whose memory is empty: its hook says nothing then, and what it costs is how it
is started.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING

from benchmarks.hook import cpu, measured
from benchmarks.rivals.outside import ENVIRONMENTS, RivalUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PACKAGES = ("claude-mem@13.25.3", "bun@1.4.5")
_FOLDER = ENVIRONMENTS / "claude-mem"
_PLUGIN = _FOLDER / "node_modules/claude-mem/plugin"
_RUNS = 11


def line() -> str:
    """The medians of both, taken in turn, and their ratio."""
    try:
        _install()
    except (RivalUnavailableError, OSError, subprocess.SubprocessError) as error:
        return f"the hook of {PACKAGES[0]}: not measured: {error}"
    with (
        tempfile.TemporaryDirectory(prefix="trinho-bench-") as ours,
        tempfile.TemporaryDirectory(prefix="trinho-rival-") as theirs,
        measured(ours, _RUNS) as mine,
        _worker(theirs) as other,
    ):
        pairs = [(mine(n), other(n)) for n in range(_RUNS)]
    one, two = (statistics.median(times) * 1e3 for times in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    return f"hook at a prompt, CPU: Trinho {one:.0f} ms, {PACKAGES[0]} {two:.0f} ms, ratio {ratio:.2f} (goal < .5)"


def _install() -> None:
    if shutil.which("npm") is None:
        raise RivalUnavailableError("npm is missing")
    ready = _FOLDER / "ready"
    if ready.exists() and ready.read_text() == " ".join(PACKAGES):
        return
    _FOLDER.mkdir(parents=True, exist_ok=True)
    flags = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel", "error"]
    subprocess.run(["npm", "install", "--prefix", _FOLDER, *flags, *PACKAGES], check=True, timeout=600)
    subprocess.run(["node", "install.js"], cwd=_FOLDER / "node_modules/bun", check=True, capture_output=True)
    ready.write_text(" ".join(PACKAGES))


@contextmanager
def _worker(folder: str) -> Iterator[Callable[[int], float]]:
    path = f"{_FOLDER / 'node_modules/.bin'}{os.pathsep}{os.environ['PATH']}"
    environment = {"PATH": path, "HOME": folder, "CLAUDE_PLUGIN_ROOT": str(_PLUGIN)}
    hooks = json.loads((_PLUGIN / "hooks/hooks.json").read_text())["hooks"]
    [command] = [each["command"] for group in hooks["UserPromptSubmit"] for each in group["hooks"]]

    def serving(word: str) -> None:
        program = ["node", str(_PLUGIN / "scripts/bun-runner.js"), str(_PLUGIN / "scripts/worker-service.cjs"), word]
        subprocess.run(program, check=True, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)

    def prompted(n: int) -> float:
        said = {
            "session_id": "one",
            "cwd": folder,
            "hook_event_name": "UserPromptSubmit",
            "prompt": f"What is {n} for?",
        }
        return cpu(["bash", "-c", command], environment, json.dumps(said).encode())

    serving("start")
    try:
        prompted(_RUNS)
        yield prompted
    finally:
        serving("stop")
