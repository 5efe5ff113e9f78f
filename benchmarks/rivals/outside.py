"""Rivals with dependencies of their own: each in a virtual environment and a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).parent
ENVIRONMENTS = HERE.parent / ".rivals"


class RivalUnavailableError(Exception):
    """It can't be installed or doesn't start here; the message says why."""


class Worker:
    """A process that adds and searches, told by JSON lines; see workers/."""

    def __init__(self, name: str, folder: str, python: str | None = None) -> None:
        interpreter = python or str(environment(name))
        self._process = subprocess.Popen(
            [interpreter, str(HERE / "workers" / f"{name}.py"), folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._cpu_ms = 0.0
        self._ask({"do": "open"})

    def cpu_ms(self) -> float:
        """What the worker has used so far, as it last told."""
        return self._cpu_ms

    def add(self, id: str, text: str) -> None:
        self._ask({"do": "add", "id": id, "text": text})

    def search(self, query: str, most: int) -> Sequence[str]:
        return [str(id) for id in self._ask({"do": "search", "query": query, "most": most})]

    def close(self) -> None:
        with suppress(OSError):
            if self._process.stdin:
                self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=10)
        if self._process.poll() is None:
            self._process.kill()
        for stream in (self._process.stdout, self._process.stderr):
            if stream:
                stream.close()

    def _ask(self, question: dict[str, Any]) -> list[Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        except OSError as error:
            raise RivalUnavailableError(str(error)) from error
        if not answer:
            told = self._process.stderr.read() if self._process.stderr else ""
            self.close()
            raise RivalUnavailableError(told.strip().rpartition("\n")[2] or "it ended without a word")
        said: dict[str, Any] = json.loads(answer)
        self._cpu_ms = float(said["cpu_ms"])
        return list(said["found"])


def environment(name: str) -> Path:
    """The interpreter of a rival's own environment, made where there is none."""
    folder = ENVIRONMENTS / name
    python = folder / "bin" / "python"
    ready = folder / "ready"
    requirements = HERE / "requirements" / f"{name}.txt"
    if ready.exists() and ready.read_text() == requirements.read_text():
        return python
    try:
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, capture_output=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--no-cache-dir", "-r", str(requirements)]
        subprocess.run(install, check=True, capture_output=True, text=True, timeout=900)
    except (OSError, subprocess.SubprocessError) as error:
        told = getattr(error, "stderr", "") or str(error)
        raise RivalUnavailableError(f"can't be installed: {str(told).strip().rpartition(chr(10))[2][:150]}") from error
    ready.write_text(requirements.read_text())
    return python
