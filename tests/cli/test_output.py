"""What is printed is one line where one is meant, and output that nobody takes is an error that is told."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cleanroom import Home, Terminal

HOSTILE = "new\nline\t\r\x1b[2J"
SPELLED = r"new\nline\t\r\x1b[2J"


class TestNamesOfFiles:
    """Whatever a file is called, its name is spelled out on one line."""

    def test_of_the_root(self, home: Home, trinho: Terminal) -> None:
        home.write(f"shared/team/{HOSTILE}.md", "x")
        home.write(f"shared/{HOSTILE}/a.md", "x")
        home.write("shared/sound.md", "text")
        diagnosis = trinho("doctor").out.splitlines()
        assert len(diagnosis) == 5
        assert diagnosis[2].startswith(f"QUARANTINED  shared/team/{SPELLED}.md: ")
        assert [line.split(": ")[0] for line in trinho("export").err.splitlines()] == [
            f"left out shared/{SPELLED}/a.md",
            f"left out shared/team/{SPELLED}.md",
        ]
        assert trinho("doctor", "--json").json["findings"][1]["where"] == f"shared/team/{HOSTILE}.md"

    def test_of_a_folder_that_is_brought_in(self, home: Home, trinho: Terminal) -> None:
        folder = home.folder / HOSTILE
        folder.mkdir()
        (folder / f"{HOSTILE}.md").write_text("[x](y.md)\n", encoding="utf-8")
        (folder / f"{HOSTILE}2.md").write_bytes(b"\xff")
        told = trinho("import", "markdown", str(folder), "--into", "shared:in")
        assert told.status == 0
        assert [line for line in told.out.splitlines() if line.strip().startswith(("new", "line"))] == []
        assert f"{SPELLED}2.md: not UTF-8" in told.out
        refused = trinho("export", "--to", str(folder))
        assert refused.err.startswith("USAGE: `")
        assert refused.err.count("\n") == 2


def test_a_text_keeps_its_lines(trinho: Terminal) -> None:
    trinho("create", "shared:a", "--body", "one\n\ttwo\n")
    assert trinho("get", "shared:a").out == "one\n\ttwo\n\n"
    trinho("notes", "set", "--body", "one\n\ttwo\n")
    assert "one\n\ttwo\n" in trinho("context").out


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
class TestNobodyTakesIt:
    """Where output can't be written, the rest is done, said beside it, and the status tells."""

    @pytest.mark.parametrize(
        "line",
        ["list", "list --json", "get shared:a", "export", "audit", "--help", "get --help", "--version", "index status"],
    )
    @pytest.mark.parametrize("unbuffered", ["", "1"])
    def test_of_output(self, home: Home, trinho: Terminal, line: str, unbuffered: str) -> None:
        trinho("create", "shared:a", "--body", "x")
        done = self.run(home, f"{line} >/dev/full", PYTHONUNBUFFERED=unbuffered)
        assert done.returncode == 1
        assert done.stderr.startswith("OUTPUT_FAILED: the output can't be written: ")
        assert "Traceback" not in done.stderr

    def test_what_was_asked_for_is_done(self, home: Home, trinho: Terminal) -> None:
        done = self.run(home, "create shared:a --body x >/dev/full")
        assert done.returncode == 1
        assert "what was asked for is done" in done.stderr
        assert trinho("get", "shared:a").out == "x\n"
        assert trinho("search", "x", "--json").json["total_considered"] == 1

    @pytest.mark.parametrize(
        ("line", "status"),
        [
            ("get shared:none 2>/dev/full", 4),
            ("get shared:none --json >/dev/full", 4),
            ("get shared:none --json >/dev/full 2>/dev/full", 4),
            ("get shared:a >/dev/full 2>/dev/full", 1),
            ("search x --mode semantic 2>/dev/full", 0),
        ],
    )
    def test_the_status_tells_in_any_case(self, home: Home, trinho: Terminal, line: str, status: int) -> None:
        trinho("create", "shared:a", "--body", "x")
        done = self.run(home, line)
        assert done.returncode == status
        if "2>" not in line:
            assert done.stderr.startswith("MEMORY_NOT_FOUND: ")

    def run(self, home: Home, line: str, **more: str) -> subprocess.CompletedProcess[str]:
        environment = {**home.environment, "PYTHONPATH": os.pathsep.join(sys.path), **more}
        command = f"'{sys.executable}' -m trinho {line}"
        return subprocess.run(
            ["sh", "-c", command], env=environment, check=False, capture_output=True, text=True, timeout=60
        )
