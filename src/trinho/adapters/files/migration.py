"""Moving a root of an older format forward."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from trinho.adapters.files import tree
from trinho.adapters.files.root import FOREIGN_INDEX, FORMAT, Root, open_root, read_format, state_folder, write_format
from trinho.adapters.files.syscalls import FileSystem, failure
from trinho.domain.ids import parse_memory_id
from trinho.domain.versions import Observed
from trinho.errors import InvalidMemoryIdError, MemoryEntryNotFoundError, StoreDamagedError, StoreFormatOlderError

if TYPE_CHECKING:
    from collections.abc import Callable

    from trinho.ports.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Migrated:
    """From which format to which, and where the backup lies; no backup where nothing had to be done."""

    found: int
    to: int
    backup: str | None


def migrate(path: str, fs: FileSystem, open_ledger: Callable[[Root], Ledger]) -> Migrated:
    """Bring the root to the present format. The whole root is copied first; a failure leaves it as it was."""
    try:
        root = open_root(path, fs)
        root.close()
        return Migrated(FORMAT, FORMAT, None)
    except StoreFormatOlderError:
        pass
    root = open_root(path, fs, any_format=True)
    try:
        versions = _foreign_versions(os.path.join(root.path, FOREIGN_INDEX))  # before anything is copied or changed
        backup = _copied(root.path)
        found = read_format(root) or 0
        _adopt(root, versions, open_ledger)
        write_format(root)
        return Migrated(found, FORMAT, backup)
    finally:
        root.close()


def _copied(path: str) -> str:
    """Where a copy of the root lies now; one that didn't become whole isn't left behind."""
    backup = f"{path}.backup-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    try:
        os.mkdir(backup, 0o700)
    except OSError as error:
        raise failure(error, backup) from error
    try:
        shutil.copytree(path, backup, symlinks=True, dirs_exist_ok=True)
    except OSError as error:
        shutil.rmtree(backup, ignore_errors=True)
        raise failure(error, backup) from error
    return backup


def _adopt(root: Root, versions: dict[str, int], open_ledger: Callable[[Root], Ledger]) -> None:
    """Format 0 keeps its versions in an index of its own beside the files; they go on from there."""
    root.fs.close(state_folder(root))  # the ledger lies in it
    ledger = open_ledger(root)
    try:
        for text, version in versions.items():
            try:
                memory_id = parse_memory_id(text)
                file = tree.read_entry(root, memory_id)
            except (InvalidMemoryIdError, MemoryEntryNotFoundError):  # such a row names nothing any more
                continue
            ledger.commit({memory_id: Observed(version, file.sha256)}, 0, None)
    finally:
        ledger.close()


def _foreign_versions(path: str) -> dict[str, int]:
    """ID → version, as that index has them; without an index they begin with what the entries say."""
    try:
        with open(path, encoding="utf-8") as file:
            entries = json.load(file)["entries"]
        return {str(name): max(1, int(row["version"])) for name, row in entries.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        reason = f"it can't be read as an index: {error}"
        raise StoreDamagedError(path, reason, "move it away: versions then begin anew") from error
