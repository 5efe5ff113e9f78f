"""One SQLite file, opened the same way everywhere."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

import apsw

from trinho.errors import StoreBusyError, StoreForkedError, StoreFullError, StoreIOError, StoreReadOnlyError

if TYPE_CHECKING:
    from collections.abc import Iterator

BUSY_MILLISECONDS = 10_000
_MADE = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = NORMAL",
    "PRAGMA secure_delete = ON",
)


class DatabaseDamaged(Exception):  # noqa: N818 - a finding, which each owner turns into its own error
    """The file is no database, or not a whole one."""


class Database:
    """A connection that belongs to one process; its errors are ours."""

    def __init__(self, path: str, *, memory: bool = False, read_only: bool = False) -> None:
        self.path = path
        self.memory = memory
        self.read_only = read_only
        self._pid = os.getpid()
        with self.typed():
            self.connection = self._connect()

    def _connect(self) -> apsw.Connection:
        if self.memory:
            return apsw.Connection(":memory:")
        if not self.read_only and not os.path.exists(self.path):
            with os.fdopen(os.open(self.path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600)):
                pass
        flags = apsw.SQLITE_OPEN_READONLY if self.read_only else apsw.SQLITE_OPEN_READWRITE
        connection = apsw.Connection(self.path, flags)
        connection.set_busy_timeout(BUSY_MILLISECONDS)
        # Closing must not wait for the disk; the automatic checkpoint every 1,000 pages stays
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        if not self.read_only:
            for pragma in _MADE:
                connection.execute(pragma).fetchall()
        return connection

    @property
    def schema(self) -> int:
        with self.typed():
            version: int = self.connection.execute("PRAGMA user_version").fetchall()[0][0]
            return version

    @contextmanager
    def typed(self) -> Iterator[None]:
        """Inside, apsw's errors become those of the error tree."""
        if os.getpid() != self._pid:
            raise StoreForkedError(self._pid, os.getpid())
        try:
            yield
        except (apsw.BusyError, apsw.LockedError) as error:
            raise StoreBusyError("another process", BUSY_MILLISECONDS / 1000) from error
        except (apsw.CorruptError, apsw.NotADBError) as error:
            raise DatabaseDamaged(str(error)) from error
        except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError) as error:
            raise StoreReadOnlyError(self.path, str(error)) from error
        except apsw.FullError as error:
            raise StoreFullError(self.path, str(error)) from error
        except apsw.IOError as error:
            raise StoreIOError(self.path, str(error)) from error
        except PermissionError as error:
            raise StoreReadOnlyError(self.path, error.strerror or str(error)) from error
        except OSError as error:
            if error.errno == 30:
                raise StoreReadOnlyError(self.path, error.strerror or str(error)) from error
            raise StoreIOError(self.path, error.strerror or str(error)) from error

    @contextmanager
    def writing(self) -> Iterator[apsw.Connection]:
        """One write transaction, begun as one so that it can't fail half-way for want of the lock."""
        with self.typed():
            self.connection.execute("BEGIN IMMEDIATE").fetchall()
            try:
                yield self.connection
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK").fetchall()
                raise
            self.connection.execute("COMMIT").fetchall()

    def rows(self, sql: str, bindings: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
        with self.typed():
            return self.connection.execute(sql, bindings).fetchall()  # type: ignore[arg-type]

    def close(self) -> None:
        if os.getpid() == self._pid:
            self.connection.close(True)
