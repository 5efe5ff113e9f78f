"""A home, a root and an environment that belong to one test alone."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from trinho.bootstrap import open_memory
from trinho.interfaces.cli.app import run
from trinho.settings import CLIENT_MARKERS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from trinho.application.library import Memory


# Tests share the compiled rules of the secret scanner, which take seconds to make
CACHE = Path(__file__).resolve().parents[1] / ".pytest_cache" / "shared"


@dataclass(frozen=True, slots=True)
class Answer:
    """What one command line printed, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, Any]:
        document: dict[str, Any] = self.json
        assert list(document) == ["error"]
        error: dict[str, Any] = document["error"]
        return error


@dataclass(frozen=True, slots=True)
class Home:
    """A root below a home of its own, and the ways to reach it."""

    folder: Path
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def root(self) -> Path:
        return self.folder / "memory"

    @property
    def environment(self) -> dict[str, str]:
        own = {"HOME": str(self.folder), "TRINHO_MEMORY_ROOT": str(self.root), "PATH": os.environ["PATH"]}
        own["XDG_CACHE_HOME"] = str(CACHE)
        return {**own, **self.variables}

    def memory(self, actor: str | None = None) -> Memory:
        return open_memory(actor=actor, environment=self.environment)

    def write(self, path: str, text: str | bytes) -> Path:
        """Put a file below the root by hand."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        return file

    def audit(self) -> list[dict[str, Any]]:
        """The whole trail as it is on disk."""
        files = sorted((self.root / ".trinho" / "audit").glob("*.jsonl"))
        return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]

    def told(self) -> list[tuple[str, str, str | None, str, str | None]]:
        """Actor, operation, id, result and code of each line of the trail."""
        keys = ("actor", "operation", "id", "result", "code")
        return [tuple(line[key] for key in keys) for line in self.audit()]

    def installed(self, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        """The command in a process of its own."""
        environment = {**self.environment, "PYTHONPATH": os.pathsep.join(sys.path)}
        return subprocess.run(
            [sys.executable, "-m", "trinho", *arguments],
            check=False,
            input=stdin,
            capture_output=True,
            env=environment,
            timeout=60,
        )


class Terminal:
    """Runs command lines in this process, with standard streams of their own."""

    def __init__(self, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home = home
        self._patch = monkeypatch

    def __call__(self, *arguments: str, stdin: str | bytes | None = None) -> Answer:
        out, err = _stream(b""), _stream(b"")
        raw = stdin.encode() if isinstance(stdin, str) else stdin
        given: io.TextIOWrapper = _Teletype(io.BytesIO()) if raw is None else _stream(raw)
        for name, stream in (("stdin", given), ("stdout", out), ("stderr", err)):
            self._patch.setattr(sys, name, stream)
        status = run(list(arguments))
        return Answer(status, _text(out), _text(err))

    def set(self, **variables: str) -> None:
        for name, value in variables.items():
            self._patch.setenv(name, value)

    def unset(self, name: str) -> None:
        self._patch.delenv(name, raising=False)


class _Teletype(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def _stream(content: bytes) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", newline="")


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()


def clean(monkeypatch: pytest.MonkeyPatch, names: Sequence[str] = ()) -> None:
    """Take away whatever of the person's environment could reach into a test."""
    own = [name for name in os.environ if name.startswith(("TRINHO_", "ALP_", "XDG_"))]
    for name in (*own, *CLIENT_MARKERS, "VISUAL", "EDITOR", "NO_COLOR", *names):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A home of this test alone."""
    clean(monkeypatch)
    home = Home(tmp_path)
    for name, value in home.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    return home


@pytest.fixture
def trinho(home: Home, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """The command line in this process."""
    return Terminal(home, monkeypatch)
