"""One SQLite file: how it is opened, read, written and taken out of the way."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import apsw

from trinho.adapters.sqlite.unicode import is_unicode
from trinho.errors import (
    OutOfMemoryError,
    StoreBusyError,
    StoreDamagedError,
    StoreForkedError,
    StoreFullError,
    StoreIOError,
    StoreReadOnlyError,
    StoreUnreadableError,
    TrinhoError,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

MEMORY = ":memory:"
PATIENCE_SECONDS = 10.0
MOST_LOG_BYTES = 64 << 20
_FILE, _LOG = 0, 1  # as SQLite's own reading of its files numbers them
_PIECE = 1 << 20
_PLAIN = frozenset(b"/._-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
_ATTACHED = ("-wal", "-shm")  # the log goes first: see folder_turn
_BUSY = (apsw.BusyError, apsw.LockedError, apsw.ProtocolError)
_CLOSED_TO_US = (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError, apsw.AuthError)
# Our statements are fixed, so one that fails by itself met a schema or a value that we didn't write
_DAMAGED = (
    apsw.CorruptError,
    apsw.NotADBError,
    apsw.FormatError,
    apsw.SQLError,
    apsw.ConstraintError,
    apsw.MismatchError,
    apsw.RangeError,
    apsw.TooBigError,
    UnicodeDecodeError,
)


class DatabaseDamagedError(Exception):
    """The file's content is not what was written; the adapter that owns the file decides what follows."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class Database:
    """An open file, for the process that opened it and one thread at a time."""

    def __init__(self, connection: apsw.Connection, path: str) -> None:
        self._connection = connection
        self._path = path
        self._pid = os.getpid()
        self._identity = _identity(path)

    @property
    def connection(self) -> apsw.Connection:
        """The connection as it is, for one who translates its errors."""
        self.check_process()
        return self._connection

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """The connection, with SQLite's errors turned into ours or DatabaseDamagedError."""
        self.check_process()
        with translating(self._path):
            yield self._connection

    @contextmanager
    def snapshot(self) -> Iterator[apsw.Connection]:
        """The connection for reading only, which sees one state for as long as it lasts."""
        with self.reading() as connection:
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.execute("ROLLBACK")

    @contextmanager
    def writing(self) -> Iterator[apsw.Connection]:
        """A write transaction: everything that is done in it, or nothing."""
        with self.reading() as connection:
            # INVARIANT: never a plain BEGIN, whose later upgrade to a write fails at once when another one wrote.
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def replaced(self) -> bool:
        """Whether the path no longer leads to the file that is open."""
        return self._path != MEMORY and _identity(self._path) != self._identity

    def faults(self) -> list[str]:
        """What SQLite's own check finds wrong with the file."""
        try:
            with self.reading() as connection:
                found = [str(text) for (text,) in connection.execute("PRAGMA integrity_check(20)")]
        except DatabaseDamagedError as damage:
            return [damage.reason]
        return ([] if found == ["ok"] else found) + self._log_faults()

    def _log_faults(self) -> list[str]:
        """A log that can't be taken into the file grows without end, for as long as somebody reads an old state."""
        try:
            size = os.path.getsize(f"{self._path}-wal")
        except OSError:
            return []
        return [f"its log has {size >> 20} MiB: a process reads it without end"] if size > MOST_LOG_BYTES else []

    def holding(self, texts: Collection[bytes]) -> list[str]:
        """Its files in which one of the texts stands, log included, also where no row has it any more."""
        return [
            f"{self._path}{suffix}"
            for which, suffix in ((_FILE, ""), (_LOG, "-wal"))
            if any(text in window for window in self._windows(which, max(map(len, texts), default=0)) for text in texts)
        ]

    def _windows(self, which: int, overlap: int) -> Iterator[bytes]:
        """The bytes of a file, each piece behind the end of the last. Read by SQLite, which keeps its locks thereby."""
        with self.reading() as connection:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()  # opens the log
        size = self._size(which)
        end = b""
        for offset in range(0, size, _PIECE):
            with self.reading() as connection:
                _, piece = connection.read("main", which, offset, min(_PIECE, size - offset))
            yield end + piece
            end = piece[-overlap:] if overlap else b""

    def _size(self, which: int) -> int:
        if self._path == MEMORY:
            return 0
        try:
            return os.stat(self._path if which == _FILE else f"{self._path}-wal").st_size
        except FileNotFoundError:
            return 0

    def close(self) -> None:
        """Let go of the file. A process that inherited it leaves it to the one that opened it."""
        if os.getpid() == self._pid:
            self._connection.close()

    def check_process(self) -> None:
        """StoreForkedError in a process that inherited the file by fork()."""
        if os.getpid() != self._pid:
            raise StoreForkedError(self._pid, os.getpid())


def open_file(path: str, patience: float = PATIENCE_SECONDS, *, shared_memory: bool = True) -> Database:
    """The file, made with mode 0600 where there is none, ready to be read and written.

    Without `shared_memory`, as between machines, it goes on with a rollback journal instead of a write-ahead log.
    """
    try:
        _make(path)
    except OSError as error:
        raise _failure(error, path) from error
    with translating(path):
        connection = _connection(path, apsw.SQLITE_OPEN_READWRITE)
        try:
            if connection.readonly("main"):  # SQLite opens what it can't write for reading, without a word
                raise StoreReadOnlyError(path, "it belongs to somebody else or lies on a read-only disk")
            _configure(connection, patience)
            connection.execute(f"PRAGMA journal_mode = {'WAL' if shared_memory else 'DELETE'}")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute(f"PRAGMA journal_size_limit = {MOST_LOG_BYTES}")  # once nobody needs more of it
        except BaseException:
            connection.close()
            raise
    return Database(connection, path)


def open_reading(path: str, patience: float = PATIENCE_SECONDS) -> Database:
    """The file, for reading only; also from a folder in which nothing can be written. FileNotFoundError if missing."""
    try:
        _refuse_special(path)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise FileNotFoundError(path) from error
    except OSError as error:
        raise _unreadable(_failure(error, path), path) from error
    try:
        try:
            connection = _open_reading(path, patience)
        except StoreReadOnlyError:
            if os.path.exists(f"{path}-wal"):
                raise
            # Without a log and with no way to make one, the file is whole and nobody writes it.
            connection = _open_reading(path, patience, "?immutable=1")
    except StoreReadOnlyError as error:
        raise _unreadable(error, path) from error
    return Database(connection, path)


def open_memory() -> Database:
    """A database that lives as long as its connection."""
    return Database(apsw.Connection(MEMORY), MEMORY)


@contextmanager
def folder_turn(path: str, patience: float = PATIENCE_SECONDS) -> Iterator[None]:
    """Be the only one to open files, or to take them away, in the folder of `path`."""
    # INVARIANT: no file is opened between the renaming of its log and its own; SQLite would play the one's log into
    # the other.
    try:
        descriptor = os.open(os.path.dirname(path) or ".", os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise _failure(error, path) from error
    try:
        _lock(descriptor, path, patience)
        yield
    finally:
        os.close(descriptor)


def remove_files(path: str) -> None:
    """Delete the file with its log; call it in a folder_turn."""
    try:
        for suffix in (*_ATTACHED, ""):
            _remove(path + suffix)
    except OSError as error:
        raise _failure(error, path) from error


def rename_files(path: str, new: str) -> None:
    """Rename the file with its log, over what has the new names; call it in a folder_turn."""
    try:
        for suffix in (*_ATTACHED, ""):
            _remove(new + suffix)
            with suppress(FileNotFoundError):
                os.rename(path + suffix, new + suffix)
    except OSError as error:
        raise _failure(error, path) from error


@contextmanager
def translating(path: str) -> Iterator[None]:
    """Turn what SQLite raises inside into our errors about the file."""
    started = time.monotonic()
    try:
        yield
    except (apsw.Error, UnicodeDecodeError) as error:
        raise translated(error, path, time.monotonic() - started) from error


def translated(
    error: apsw.Error | UnicodeDecodeError, path: str, waited: float = 0.0
) -> TrinhoError | DatabaseDamagedError:
    """Our error for one of SQLite's about the file; text in it that is none is a damage too."""
    if isinstance(error, (*_DAMAGED, UnicodeDecodeError)):
        return DatabaseDamagedError(path, str(error))
    if isinstance(error, _BUSY):
        return StoreBusyError(f"another process that uses {os.path.basename(path)}", waited)
    if isinstance(error, _CLOSED_TO_US):
        return StoreReadOnlyError(path, str(error))
    if isinstance(error, apsw.NoMemError):
        return OutOfMemoryError()
    if isinstance(error, apsw.FullError):
        return StoreFullError(path, str(error))
    return StoreIOError(path, str(error))


def _failure(error: OSError, path: str) -> TrinhoError:
    reason = error.strerror or str(error)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreFullError(path, reason)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT, errno.ENOTDIR):
        return StoreReadOnlyError(path, reason)
    return StoreIOError(path, reason)


def _unreadable(error: TrinhoError, path: str) -> TrinhoError:
    """What is said of a refusal to one who only reads."""
    if not isinstance(error, StoreReadOnlyError):
        return error
    return StoreUnreadableError(path, error.message.rpartition(": ")[2])


def _make(path: str) -> None:
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        return
    _refuse_special(path)


def _refuse_special(path: str) -> None:
    """Links lead elsewhere and pipes make one wait."""
    if not stat.S_ISREG(os.lstat(path).st_mode):
        raise _special(path)
    for suffix in _ATTACHED:
        with suppress(FileNotFoundError):
            if not stat.S_ISREG(os.lstat(path + suffix).st_mode):
                raise _special(path + suffix)


def _special(path: str) -> StoreDamagedError:
    return StoreDamagedError(path, "it is not a plain file", "move it away and run the command again")


def _connection(path: str, flags: int, query: str = "") -> apsw.Connection:
    """SQLite takes a name in UTF-8 alone, and any byte and a query only as a URI."""
    if not query and is_unicode(path):
        return apsw.Connection(path, flags=flags)
    quoted = "".join(chr(byte) if byte in _PLAIN else f"%{byte:02x}" for byte in os.fsencode(path))
    return apsw.Connection(f"file:{quoted}{query}", flags=flags | apsw.SQLITE_OPEN_URI)


def _open_reading(path: str, patience: float, query: str = "") -> apsw.Connection:
    with translating(path):
        connection = _connection(path, apsw.SQLITE_OPEN_READONLY, query)
        try:
            _configure(connection, patience)
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        except BaseException:
            connection.close()
            raise
    return connection


def _configure(connection: apsw.Connection, patience: float) -> None:
    connection.set_busy_timeout(int(patience * 1000))
    # A close that empties the log would wait for the disk; the next automatic checkpoint does it.
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)


def _identity(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _lock(descriptor: int, path: str, patience: float) -> None:
    started = time.monotonic()
    pause = 0.001
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waited = time.monotonic() - started
            if waited > patience:
                raise StoreBusyError(f"another process that opens {os.path.basename(path)}", waited) from None
            time.sleep(pause)
            pause = min(pause * 2, 0.05)
        except OSError:
            return  # a file system without such locks: what they guard against is rare, and found by the index
        else:
            return


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
    except OSError:
        if not os.path.isdir(path):
            raise
        os.rename(path, f"{path}.{time.time_ns()}")  # somebody's folder: nothing in it is ours to remove
