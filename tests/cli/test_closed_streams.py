"""A command started without its streams does what it was asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import trinho

if TYPE_CHECKING:
    from pathlib import Path


def test_without_standard_output_and_error(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "TRINHO_MEMORY_ROOT": str(tmp_path / "root")}
    command = f"'{sys.executable}' -m trinho create shared:a --body text >&- 2>&-"
    done = subprocess.run(["sh", "-c", command], env=environment, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 0
    with trinho.open_memory(tmp_path / "root", environment={}) as memory:
        assert memory.get("shared:a").body == "text"
