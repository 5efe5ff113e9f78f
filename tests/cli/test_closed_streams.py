"""A command started without its streams does what it was asked for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import trinho

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cleanroom import Home, Terminal


def test_without_standard_input_nobody_can_confirm_or_give_a_text(home: Home, trinho: Terminal) -> None:
    trinho("create", "shared:a", "--body", "text")
    for line, code in (("forget shared:a --purge", "CONFIRMATION_REQUIRED"), ("create shared:b", "USAGE")):
        command = f"'{sys.executable}' -m trinho {line} --json <&-"
        environment = {**home.environment, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(["sh", "-c", command], env=environment, check=False, capture_output=True)
        assert (done.returncode, done.stderr) == (2, b"")
        assert json.loads(done.stdout)["error"]["code"] == code


def test_a_standard_input_that_cannot_be_read(home: Home) -> None:
    command = f"'{sys.executable}' -m trinho create shared:b --json 0>unread"
    environment = {**home.environment, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(["sh", "-c", command], env=environment, check=False, capture_output=True)
    assert (done.returncode, done.stderr) == (2, b"")
    assert json.loads(done.stdout)["error"]["code"] == "USAGE"


def test_without_standard_output_and_error(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "TRINHO_MEMORY_ROOT": str(tmp_path / "root")}
    command = f"'{sys.executable}' -m trinho create shared:a --body text >&- 2>&-"
    done = subprocess.run(["sh", "-c", command], env=environment, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 0
    with trinho.open_memory(tmp_path / "root", environment={}) as memory:
        assert memory.get("shared:a").body == "text"
