"""The index is cut, overwritten, removed or too new: it is derived, so nothing is lost but a moment."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import apsw
import pytest
from tests.faults.scenes import A, B, findings, listed, open_at

from trinho.errors import StoreFormatNewerError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WHOLE = [(A, "a", "first words"), (B, "b", "second words")]


def _index(root: Path) -> Path:
    return root / ".trinho" / "index.db"


def _cut(path: Path, size: int) -> None:
    os.truncate(path, min(size, path.stat().st_size))


def _flip(path: Path, seed: int) -> None:
    raw = bytearray(path.read_bytes())
    dice = random.Random(seed)
    for _ in range(200):
        raw[dice.randrange(len(raw))] ^= 1 << dice.randrange(8)
    path.write_bytes(raw)


def _remove(path: Path, *suffixes: str) -> None:
    for suffix in suffixes:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _no_database(path: Path) -> None:
    path.write_bytes(b"not a database " * 4096)


SPOILT: dict[str, Callable[[Path], None]] = {
    "cut to nothing": lambda path: _cut(path, 0),
    "cut in a page": lambda path: _cut(path, 5000),
    "cut in half": lambda path: _cut(path, path.stat().st_size // 2),
    "bits flipped": lambda path: _flip(path, 1),
    "other bits flipped": lambda path: _flip(path, 2),
    "no database": _no_database,
    "removed": lambda path: _remove(path, "", "-wal", "-shm"),
    "removed without its log": lambda path: _remove(path, ""),
    "its log removed": lambda path: _remove(path, "-wal"),
    "its map removed": lambda path: _remove(path, "-shm"),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    with open_at(root) as memory:
        memory.create(A, "first words")
        memory.create(B, "second words")
        memory.search("words")
    return root


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT.keys())
def test_a_spoilt_index_is_rebuilt_when_the_root_is_opened(root: Path, spoil: Callable[[Path], None]) -> None:
    spoil(_index(root))
    with open_at(root) as memory:
        assert [str(found.entry.id) for found in memory.search("second").results] == [B]
        assert sorted(listed(memory)) == sorted(WHOLE)
        assert not findings(memory)
        memory.update(A, "third words", expected_version=1)
        assert [str(found.entry.id) for found in memory.search("third").results] == [A]


@pytest.mark.parametrize("how", ["removed", "no database", "cut to nothing"])
def test_an_index_that_is_spoilt_while_it_is_open(root: Path, how: str) -> None:
    """The open session notices, and answers from a new one."""
    with open_at(root) as memory:
        memory.search("words")
        SPOILT[how](_index(root))
        memory.create("shared:c", "third words")
        memory.session.reconciled_at = None
        assert [str(found.entry.id) for found in memory.search("third").results] == ["shared:c"]
        assert [str(found.entry.id) for found in memory.search("second").results] == [B]
        assert not findings(memory)


def test_an_index_of_a_newer_trinho_is_not_written(root: Path) -> None:
    """It is refused with the offer of a rebuild; reading, writing and undoing entries don't need it."""
    connection = apsw.Connection(str(_index(root)))
    connection.execute("PRAGMA user_version = 4711")
    connection.close()
    with open_at(root) as memory:
        with pytest.raises(StoreFormatNewerError, match="4711") as told:
            memory.search("words")
        assert "index rebuild" in told.value.hint
        assert memory.get(A).version == 1
        assert memory.update(A, "third words", expected_version=1).version == 2
        memory.session.written.clear()
    connection = apsw.Connection(str(_index(root)))
    assert connection.pragma("user_version") == 4711
    connection.close()
