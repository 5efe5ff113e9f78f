"""Domains in `access.toml` beside the entries; what a person wrote there stays as it is."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from trinho.access.domains import Domain, DomainKey, Domains, Permission, parse_domain
from trinho.adapters.files.syscalls import failure, read_exactly, write_all
from trinho.errors import InvalidEntryError, StoreDamagedError

if TYPE_CHECKING:
    from trinho.adapters.files.root import Root

NAME = "access.toml"
_MOST_BYTES = 1 << 20
_TEXTS = ("label", "description", "created_by")


class AccessFile:
    """See ports.domains.DomainStore. The file is read again when it has changed."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self._mark: tuple[int, int, int] | None = None
        self._domains = Domains()

    def read(self) -> Domains:
        try:
            status = os.stat(NAME, dir_fd=self._root.fd, follow_symlinks=False)
        except FileNotFoundError:
            self._mark, self._domains = None, Domains()
            return self._domains
        except OSError as error:
            raise failure(error, self._path(), reading=True) from error
        mark = (status.st_ino, status.st_size, status.st_mtime_ns)
        if mark != self._mark:
            self._domains = self._parsed(self._raw())
            self._mark = mark
        return self._domains

    def add(self, domain: Domain) -> None:
        document, table = self._edited(domain.key)
        for name in _TEXTS:
            if getattr(domain, name):
                table[name] = getattr(domain, name)
        rows = table.setdefault("permissions", {})
        rows.update({role: permission.value for role, permission in domain.permissions.items()})
        self._save(document)

    def set_permission(self, key: DomainKey, role: str, permission: Permission | None) -> None:
        document, table = self._edited(key)
        rows = table.setdefault("permissions", {})
        if permission is None:
            rows.pop(role, None)
        else:
            rows[role] = permission.value
        self._save(document)

    def _edited(self, key: DomainKey) -> tuple[Any, Any]:
        """The document as it stands, to be changed where it has to be, and the table of a domain in it."""
        import tomlkit  # keeps comments and order; only a change pays for it

        self.read()  # nothing is written over what can't be understood
        document = tomlkit.parse(self._raw().decode())
        domains = document.setdefault("domains", tomlkit.table(is_super_table=True))
        return document, domains.setdefault(str(key), tomlkit.table())

    def _save(self, document: Any) -> None:
        raw = document.as_string().encode()
        self._parsed(raw)
        try:
            self._replace(raw)
        except OSError as error:
            raise failure(error, self._path()) from error

    def _parsed(self, raw: bytes) -> Domains:
        import tomllib  # a root without domains doesn't pay for it

        try:
            document = tomllib.loads(raw.decode())
            return Domains([_domain(name, row) for name, row in document.get("domains", {}).items()])
        except (ValueError, AttributeError, TypeError, InvalidEntryError) as error:
            hint = "mend it in an editor; until then agents are let into no domain"
            raise StoreDamagedError(self._path(), f"it can't be read: {error}", hint) from error

    def _raw(self) -> bytes:
        try:
            return self._read_whole()
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise failure(error, self._path(), reading=True) from error

    def _read_whole(self) -> bytes:
        fs = self._root.fs
        fd = fs.open(NAME, os.O_RDONLY | os.O_NONBLOCK, dir_fd=self._root.fd)
        try:
            status = fs.status(fd)
            if not stat.S_ISREG(status.st_mode) or status.st_size > _MOST_BYTES:
                hint = "move it away and run the command again"
                raise StoreDamagedError(self._path(), "it is no plain file of at most 1 MiB", hint)
            return read_exactly(fs, fd, status.st_size, 0)
        finally:
            fs.close(fd)

    def _replace(self, raw: bytes) -> None:
        fs, fd = self._root.fs, self._root.fd
        temporary = f".tmp-{NAME}-{os.getpid()}"
        try:
            file = fs.open(temporary, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, dir_fd=fd)
            try:
                write_all(fs, file, raw)
                fs.fsync(file)
            finally:
                fs.close(file)
            fs.rename(temporary, NAME, dir_fd=fd, new_dir_fd=fd)
            fs.fsync(fd)
        except OSError:
            with suppress(OSError):
                fs.unlink(temporary, dir_fd=fd)
            raise

    def _path(self) -> str:
        return os.path.join(self._root.path, NAME)


def _domain(name: str, row: dict[str, Any]) -> Domain:
    texts = {key: row.get(key, "") for key in _TEXTS}
    if not all(isinstance(text, str) for text in texts.values()):
        raise ValueError(f"label, description and created_by of `{name}` must be texts")
    rows = {role: Permission(held) for role, held in row.get("permissions", {}).items()}
    return Domain(parse_domain(name), permissions=rows, **texts)
