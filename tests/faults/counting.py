"""A file layer that tells of every call before and after it is made."""

from __future__ import annotations

import os

from trinho.adapters.files.syscalls import FileSystem

# Calls that change what is on disk; between two of them a process may die at any point with the same outcome
CHANGING = frozenset(
    {"create", "write", "truncate", "fsync", "make_folder", "remove_folder", "link", "rename", "unlink"}
)


class CountingFileSystem(FileSystem):
    """Subclasses say what happens around a call. `close` is left out: by its contract it never fails."""

    def before(self, call: str) -> None:
        """Called before each call, with its name; opening to create is called `create`."""

    def after(self, call: str) -> None:
        """Called after each call that succeeded."""

    def open(self, name: str, flags: int, *, dir_fd: int, mode: int = 0o600) -> int:
        call = "create" if flags & os.O_CREAT else "open"
        self.before(call)
        fd = super().open(name, flags, dir_fd=dir_fd, mode=mode)
        self.after(call)
        return fd

    def read(self, fd: int, size: int) -> bytes:
        self.before("read")
        return super().read(fd, size)

    def read_at(self, fd: int, size: int, offset: int) -> bytes:
        self.before("read_at")
        return super().read_at(fd, size, offset)

    def write(self, fd: int, data: bytes | memoryview) -> int:
        self.before("write")
        written = super().write(fd, data)
        self.after("write")
        return written

    def truncate(self, fd: int, size: int) -> None:
        self.before("truncate")
        super().truncate(fd, size)
        self.after("truncate")

    def fsync(self, fd: int) -> None:
        self.before("fsync")
        super().fsync(fd)
        self.after("fsync")

    def status(self, fd: int) -> os.stat_result:
        self.before("status")
        return super().status(fd)

    def status_of(self, name: str, *, dir_fd: int) -> os.stat_result:
        self.before("status_of")
        return super().status_of(name, dir_fd=dir_fd)

    def names(self, fd: int) -> list[str]:
        self.before("names")
        return super().names(fd)

    def make_folder(self, name: str, *, dir_fd: int) -> None:
        self.before("make_folder")
        super().make_folder(name, dir_fd=dir_fd)
        self.after("make_folder")

    def remove_folder(self, name: str, *, dir_fd: int) -> None:
        self.before("remove_folder")
        super().remove_folder(name, dir_fd=dir_fd)
        self.after("remove_folder")

    def link(self, name: str, new: str, *, dir_fd: int, new_dir_fd: int) -> None:
        self.before("link")
        super().link(name, new, dir_fd=dir_fd, new_dir_fd=new_dir_fd)
        self.after("link")

    def rename(self, name: str, new: str, *, dir_fd: int, new_dir_fd: int) -> None:
        self.before("rename")
        super().rename(name, new, dir_fd=dir_fd, new_dir_fd=new_dir_fd)
        self.after("rename")

    def unlink(self, name: str, *, dir_fd: int) -> None:
        self.before("unlink")
        super().unlink(name, dir_fd=dir_fd)
        self.after("unlink")

    def try_lock(self, fd: int) -> bool:
        self.before("try_lock")
        return super().try_lock(fd)
