"""More is brought in than there is memory for."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.faults.crashing import Say, fork
from tests.faults.scenes import A, entries, findings, open_at

if TYPE_CHECKING:
    from pathlib import Path

FILES = 40
SPARE_BYTES = 30_000_000
BRINGING_IN = """
import sys
from tests.faults.test_little_memory import spare
from trinho.interfaces.cli.app import run
size = int(sys.argv.pop(1))
arguments = [*sys.argv[1:], "--into", "project:in:x"]
spare(size)
sys.exit(run(arguments))
"""
TEXT = b"some words here\n" * 55_000


def spare(size: int) -> None:
    """Let this process have no more than so many bytes beyond those that it has."""
    import resource  # not on every platform

    with open("/proc/self/statm", "rb") as sizes:
        limit = int(sizes.read().split()[0]) * resource.getpagesize() + size
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the size of a process is read from /proc")


@pytest.mark.slow
@LINUX
def test_an_import_larger_than_the_memory_goes_file_by_file(tmp_path: Path) -> None:
    """Only a file or two are in memory at a time; what was there is as it was."""
    root, source = tmp_path / "root", tmp_path / "source"
    source.mkdir()
    for n in range(FILES):
        (source / f"n{n}.md").write_bytes(b"# %d\n" % n + TEXT)
    with open_at(root) as memory:
        memory.create(A, "x")
    before = entries(root)

    def bringing_in(say: Say) -> None:
        memory = open_at(root)
        spare(SPARE_BYTES)
        say(str(len(memory.import_markdown(str(source), "project:in:x").added)))

    assert len(TEXT) * FILES > SPARE_BYTES
    assert fork(bringing_in).end() == (0, [str(FILES)])
    assert len(entries(root)) == FILES + 1
    assert entries(root).items() >= before.items()
    with open_at(root) as memory:
        assert memory.verify_audit().ok


@pytest.mark.slow
@LINUX
def test_an_import_for_which_there_is_no_memory_is_refused_in_words(tmp_path: Path) -> None:
    """However little there is: the code and its status, and what was brought in before is sound."""
    source = tmp_path / "source"
    source.mkdir()
    for n in range(3):
        (source / f"n{n}.md").write_bytes(b"# %d\n" % n + TEXT)
    told = []
    for size in (100_000, 2_000_000, 8_000_000, 1_000_000_000):
        root = tmp_path / f"root{size}"
        with open_at(root) as memory:
            memory.create(A, "x")
        before = entries(root)
        done = subprocess.run(
            [sys.executable, "-c", BRINGING_IN, str(size), "--root", str(root), "import", "markdown", str(source)],
            check=False,
            capture_output=True,
            text=True,
            env={"PYTHONPATH": os.pathsep.join(sys.path), "HOME": str(tmp_path)},
        )
        told.append((done.returncode, done.stderr.partition(":")[0]))
        with open_at(root) as memory:
            assert memory.create("shared:later", "something else").version == 1
            assert len(entries(root)) in (len(before) + 1, len(before) + 4)
            assert entries(root).items() >= before.items()
            assert not findings(memory)
            assert memory.verify_audit().ok
    # SQLite takes it for a failure of the disk where its shared memory can't be mapped
    assert set(told[:-1]) <= {(1, "OUT_OF_MEMORY"), (8, "STORE_IO_ERROR")}
    assert (1, "OUT_OF_MEMORY") in told
    assert told[-1] == (0, "")
