"""A root on a network file system keeps its index elsewhere and its ledger without shared memory."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

import trinho
from trinho.adapters.files.mounts import network_file_system

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def fd(tmp_path: Path) -> Iterator[int]:
    opened = os.open(tmp_path, os.O_RDONLY)
    yield opened
    os.close(opened)


@pytest.mark.parametrize(
    ("kind", "network"),
    [
        ("nfs4", True),
        ("cifs", True),
        ("9p", True),
        ("fuse.sshfs", True),
        ("ext4", False),
        ("fuse.fuse-overlayfs", False),
    ],
)
def test_the_table_of_mounts_tells_the_kind(fd: int, tmp_path: Path, kind: str, network: bool) -> None:
    device = os.fstat(fd).st_dev
    number = f"{os.major(device)}:{os.minor(device)}"
    table = tmp_path / "mountinfo"
    table.write_text(
        f"21 1 0:999 / /proc rw - proc proc rw\n36 21 {number} / /x rw shared:1 - {kind} server:/x rw\nodd\n",
        encoding="utf-8",
    )
    assert network_file_system(fd, str(table)) == (kind if network else None)


def test_a_mount_that_is_not_in_the_table_is_local(fd: int, tmp_path: Path) -> None:
    table = tmp_path / "mountinfo"
    table.write_text("21 1 0:999 / /proc rw - nfs4 x rw\n", encoding="utf-8")
    assert network_file_system(fd, str(table)) is None
    assert network_file_system(fd, str(tmp_path / "none")) is None


def test_the_index_is_kept_elsewhere_and_the_ledger_has_no_shared_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trinho.bootstrap.network_file_system", lambda fd: "nfs4")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = tmp_path / "root"
    with trinho.open_memory(root, environment={}) as memory:
        memory.create("shared:a", "a lantern")
        assert [str(result.entry.id) for result in memory.search("lantern").results] == ["shared:a"]
        memory.doctor()
        assert any("nfs4" in notice for notice in memory.session.notices)
    state = {path.name for path in (root / ".trinho").iterdir()}
    assert "index.db" not in state
    assert not {"ledger.db-wal", "ledger.db-shm"} & state
    assert list((tmp_path / "cache").rglob("*.db"))
