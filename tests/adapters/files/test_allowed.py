"""The file of allowed secrets keeps the contract, and fails like every other file of the root."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest
from tests.contracts.allowed_secrets_contract import ONE, TWO, AllowedSecretsContract

from trinho.adapters.files.allowed import NAME, AllowedFile
from trinho.adapters.files.root import open_root
from trinho.adapters.files.syscalls import FileSystem
from trinho.errors import StoreDamagedError, StoreFullError

if TYPE_CHECKING:
    from pathlib import Path


class _Full(FileSystem):
    def __init__(self) -> None:
        self.full = False

    def write(self, fd: int, data: bytes | memoryview) -> int:
        if self.full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(fd, data)


class TestAllowedFile(AllowedSecretsContract):
    def make(self, folder: Path) -> AllowedFile:
        return AllowedFile(open_root(str(folder / "root"), FileSystem()))

    def test_it_outlives_the_process(self, tmp_path: Path) -> None:
        first = self.make(tmp_path)
        salt = first.begin()
        first.add([ONE, TWO])
        again = self.make(tmp_path)
        assert (again.salt(), list(again.all())) == (salt, [ONE, TWO])

    @pytest.mark.parametrize(
        "content", [b"", b"[]", b"{}", b'{"salt": "zz", "allowed": []}', b'{"salt": "", "allowed": [1]}']
    )
    def test_a_damaged_one_is_said(self, tmp_path: Path, content: bytes) -> None:
        allowed = self.make(tmp_path)
        (tmp_path / "root" / ".trinho" / NAME).write_bytes(content)
        for ask in (allowed.salt, allowed.all, allowed.begin):
            with pytest.raises(StoreDamagedError):
                ask()
        assert (tmp_path / "root" / ".trinho" / NAME).read_bytes() == content

    def test_a_full_disk_leaves_the_old_one(self, tmp_path: Path) -> None:
        fs = _Full()
        allowed = AllowedFile(open_root(str(tmp_path / "root"), fs))
        allowed.begin()
        allowed.add([ONE])
        fs.full = True
        with pytest.raises(StoreFullError):
            allowed.add([TWO])
        assert list(allowed.all()) == [ONE]
        assert [name for name in os.listdir(tmp_path / "root" / ".trinho") if name.startswith(".tmp")] == []
