"""The secrets that a person lets through, in one JSON file of the root: hashes, never the texts."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from trinho.adapters.files.root import state_folder
from trinho.adapters.files.syscalls import failure, read_exactly, write_all
from trinho.errors import StoreDamagedError
from trinho.ports.secrets import AllowedSecret

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trinho.adapters.files.root import Root

NAME = "allowed-secrets.json"
_SALT_BYTES = 16


class AllowedFile:
    """See ports.secrets.AllowedSecrets. The file is read when something is found, not before."""

    def __init__(self, root: Root) -> None:
        self._root = root

    def salt(self) -> bytes:
        return self._read()[0]

    def all(self) -> Sequence[AllowedSecret]:
        return self._read()[1]

    def begin(self) -> bytes:
        salt, allowed = self._read()
        if not salt:
            salt = os.urandom(_SALT_BYTES)
            self._write(salt, allowed)
        return salt

    def add(self, allowed: Sequence[AllowedSecret]) -> None:
        salt, present = self._read()
        self._write(salt, [*present, *allowed])

    def _read(self) -> tuple[bytes, list[AllowedSecret]]:
        try:
            raw = self._raw()
        except OSError as error:
            raise failure(error, self._path()) from error
        if raw is None:
            return b"", []
        try:
            document: dict[str, Any] = json.loads(raw)
            entries = [AllowedSecret(**entry) for entry in document["allowed"]]
            return bytes.fromhex(document["salt"]), entries
        except (ValueError, TypeError, KeyError) as error:
            hint = "restore it from a backup, or move it away: what it lets through is then asked for again"
            raise StoreDamagedError(self._path(), "it can't be read", hint) from error

    def _raw(self) -> bytes | None:
        fs = self._root.fs
        try:
            state = state_folder(self._root, create=False)
        except FileNotFoundError:
            return None
        try:
            fd = fs.open(NAME, os.O_RDONLY | os.O_NONBLOCK, dir_fd=state)
        except FileNotFoundError:
            return None
        finally:
            fs.close(state)
        try:
            return read_exactly(fs, fd, fs.status(fd).st_size, 0)
        finally:
            fs.close(fd)

    def _write(self, salt: bytes, allowed: Sequence[AllowedSecret]) -> None:
        document = {"salt": salt.hex(), "allowed": [entry._asdict() for entry in allowed]}
        raw = json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n"
        try:
            self._replace(raw)
        except OSError as error:
            raise failure(error, self._path()) from error

    def _replace(self, raw: bytes) -> None:
        fs = self._root.fs
        temporary = f".tmp-{NAME}-{os.getpid()}"
        state = state_folder(self._root)
        try:
            fd = fs.open(temporary, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, dir_fd=state)
            try:
                write_all(fs, fd, raw)
                fs.fsync(fd)
            finally:
                fs.close(fd)
            fs.rename(temporary, NAME, dir_fd=state, new_dir_fd=state)
            fs.fsync(state)
        except OSError:
            with suppress(OSError):
                fs.unlink(temporary, dir_fd=state)
            raise
        finally:
            fs.close(state)

    def _path(self) -> str:
        return self._root.state_path(NAME)
