"""More is brought in than there is memory for."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from tests.faults.crashing import Say, fork
from tests.faults.scenes import A, entries, open_at

if TYPE_CHECKING:
    from pathlib import Path

FILES = 40
SPARE_BYTES = 30_000_000
TEXT = b"some words here\n" * 55_000


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the size of a process is read from /proc")
def test_an_import_larger_than_the_memory_goes_file_by_file(tmp_path: Path) -> None:
    """Only a file or two are in memory at a time; what was there is as it was."""
    import resource  # not on every platform

    root, source = tmp_path / "root", tmp_path / "source"
    source.mkdir()
    for n in range(FILES):
        (source / f"n{n}.md").write_bytes(b"# %d\n" % n + TEXT)
    with open_at(root) as memory:
        memory.create(A, "x")
    before = entries(root)

    def bringing_in(say: Say) -> None:
        memory = open_at(root)
        with open("/proc/self/statm", "rb") as sizes:
            size = int(sizes.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + SPARE_BYTES, size + SPARE_BYTES))
        say(str(len(memory.import_markdown(str(source), "project:in:x").added)))

    assert len(TEXT) * FILES > SPARE_BYTES
    assert fork(bringing_in).end() == (0, [str(FILES)])
    assert len(entries(root)) == FILES + 1
    assert entries(root).items() >= before.items()
    with open_at(root) as memory:
        assert memory.verify_audit().ok
