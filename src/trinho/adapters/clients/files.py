"""Settings files as planned and as written, and the record that lets a text go as it came."""

from __future__ import annotations

import json
import os
import stat
import tempfile
from contextlib import nullcontext, suppress
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from trinho.errors import FileChangedError, InvalidClientSettingsError
from trinho.ports.clients import FileChange

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

_MOST_BYTES = 64 << 20  # a client keeps its own state in one of these files, too


class Merged(NamedTuple):
    """A file with what was put in, and the texts that this took, in the order in which they came in."""

    raw: bytes
    texts: tuple[bytes, ...]


class Record(NamedTuple):
    """What we put into a file, and whether we made the file and which folders for it, the innermost first."""

    texts: tuple[str, ...]
    made: bool
    folders: tuple[str, ...] = ()


class Records:
    """A file of the user's own that tells what was put where. Without it removing goes by what a file says."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)

    def of(self, path: str) -> Record | None:
        """What was put into a file."""
        match self._read().get(path):
            case {"texts": list(texts), **more}:
                folders = more.get("folders")
                kept = folders if isinstance(folders, list) else ()
                return Record(tuple(map(str, texts)), bool(more.get("made")), tuple(map(str, kept)))
        return None

    def paths(self) -> list[str]:
        """The files that something was put into."""
        return [path for path in self._read() if self.of(path)]

    def note(self, path: str, record: Record | None) -> None:
        """Remember it, or forget the file."""
        known = self._read()
        if record is None:
            known.pop(path, None)
        else:
            known[path] = record._asdict()
        try:
            if known:
                self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                replace(self._path, json.dumps(known, indent=1).encode(), 0o600)
                return
            self._path.unlink(missing_ok=True)
        except OSError as error:
            raise InvalidClientSettingsError(str(self._path), error.strerror or str(error)) from error
        with suppress(OSError):  # something else is in there
            self._path.parent.rmdir()

    def _read(self) -> dict[str, Any]:
        try:
            known = json.loads(self._path.read_bytes())
        except (OSError, ValueError):
            return {}
        return known if isinstance(known, dict) else {}


def read(path: str) -> bytes | None:
    """The bytes of a settings file, None where there is none; InvalidClientSettingsError if it can't be read."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - a link is followed: people keep such files elsewhere
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise InvalidClientSettingsError(path, "it is no plain file")
            raw = file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InvalidClientSettingsError(path, error.strerror or str(error)) from error
    if len(raw) > _MOST_BYTES:
        raise InvalidClientSettingsError(path, f"it has more than {_MOST_BYTES} bytes")
    return raw


def refuse_user_files(folder: str | None, places: Callable[[str | None], Sequence[str]]) -> None:
    """What is for a project doesn't go into the files for all that the person does, wherever a link may lead."""
    users = set(map(os.path.realpath, places(None)))
    for path in places(folder) if folder is not None else ():
        if os.path.realpath(path) in users:
            reason = "it is the file for all that you do, not a project's; leave out `--scope project`"
            raise InvalidClientSettingsError(path, reason)


def replacing(path: str, records: Records, cut: Callable[[bytes], bytes], put: Callable[[bytes], Merged]) -> FileChange:
    """The file with ours put in, in the place of what it had of ours before."""
    raw, record = read(path), records.of(path)
    _refuse_unwritable(path)
    rest = None if raw is None else without(raw, record, cut)
    merged = put(rest or b"")
    made = raw is None or (record is not None and record.made)
    return FileChange(path, raw, merged.raw, merged.texts, made=made, leads_to=_leads_to(path))


def removing(
    cuts: Mapping[str, Callable[[bytes], bytes]],
    records: Records,
    followers: Mapping[str, Callable[[bytes], bytes]] = MappingProxyType({}),
) -> list[FileChange]:
    """The files that have something of ours, without it, and without what the client wrote of it, which goes first."""
    changes = []
    for path in {**cuts, **followers}:
        raw = read(path)
        if raw is not None:
            rest = followers[path](raw) if path in followers else raw
            after = without(rest, records.of(path), cuts[path]) if path in cuts else rest
            if after != raw:
                _refuse_unwritable(path)
                changes.append(FileChange(path, raw, after, leads_to=_leads_to(path)))
    return changes


def _leads_to(path: str) -> str | None:
    real = os.path.realpath(path)
    return None if real == path else real


def _refuse_unwritable(path: str) -> None:
    """Say so before anything is asked or written."""
    real = Path(os.path.realpath(path))
    folder = next(each for each in real.parents if each.exists())
    if real.exists() and not os.access(real, os.W_OK):
        raise InvalidClientSettingsError(path, "it is read-only")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InvalidClientSettingsError(path, f"nothing can be written into `{folder}`")


def without(raw: bytes, record: Record | None, cut: Callable[[bytes], bytes]) -> bytes | None:
    """The file less what is ours; None if nothing else was ever in it.

    What was put in goes out as it came, so that every other byte stays; where somebody has rewritten it since, by what
    it says.
    """
    rest = None if record is None else _as_it_was(raw, record)
    try:
        if rest is not None:
            rest = cut(rest)
    except InvalidClientSettingsError:  # what was put in has grown together with what is beside it
        rest = None
    if rest is None:
        rest = cut(raw)
    if record is not None and record.made and rest.strip() in (b"", b"{}"):
        return None
    return rest


def _as_it_was(raw: bytes, record: Record) -> bytes | None:
    """The file less the very texts that were put in; None if one isn't there any more."""
    for text in map(str.encode, reversed(record.texts)):
        if raw.count(text) != 1:
            return None
        raw = raw.replace(text, b"")
    return raw


def apply(changes: Sequence[FileChange], records: Records, lock: AbstractContextManager[None] | None = None) -> None:
    """Write what was planned, if every file still is as it was then; a lock may lie in a folder that goes after it."""
    emptied: list[Sequence[str]] = []
    with lock or nullcontext():
        for change in changes:
            if read(change.path) != change.before:
                raise FileChangedError(change.path)
        missing = {change.path: _missing_folders(change.path) for change in changes}
        for change in changes:
            known = records.of(change.path)
            folders: Sequence[str] = known.folders if known else ()
            if change.after is not None and change.texts:
                texts = tuple(text.decode() for text in change.texts)
                records.note(change.path, Record(texts, change.made, (*missing[change.path], *folders)))
            _write(change)
            if not change.texts and not _holds(change, known):
                records.note(change.path, None)
                emptied.append(folders)
    for folders in emptied:
        _leave(folders)


def forget(paths: Sequence[str], records: Records) -> None:
    """Forget what was put into files that have nothing of it any more."""
    for path in paths:
        known = records.of(path)
        if known is not None:
            records.note(path, None)
            _leave(known.folders)


def _leave(folders: Sequence[str]) -> None:
    with suppress(OSError):  # something else is in there
        for folder in folders:
            Path(folder).rmdir()


def _holds(change: FileChange, known: Record | None) -> bool:
    """Whether what was put in is still there, so that just something that the client wrote has gone."""
    return bool(known and change.after and all(text.encode() in change.after for text in known.texts))


def _missing_folders(path: str) -> list[str]:
    """The folders that are to be made for a file, the innermost first."""
    folder = Path(os.path.realpath(path)).parent
    return [str(each) for each in (folder, *folder.parents) if not each.exists()]


def _write(change: FileChange) -> None:
    path = Path(os.path.realpath(change.path))
    try:
        if change.after is None:
            path.unlink(missing_ok=True)
            return
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        mode = 0o600 if change.before is None else stat.S_IMODE(path.stat().st_mode)
        if read(change.path) != change.before:
            raise FileChangedError(change.path)
        replace(path, change.after, mode)
    except OSError as error:
        raise InvalidClientSettingsError(change.path, error.strerror or str(error)) from error


def replace(path: Path, raw: bytes, mode: int) -> None:
    """Put a whole new file in the place of another."""
    fd, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(raw)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
