"""What kind of file system a root lies on."""

from __future__ import annotations

import os
import re

# SQLite's write-ahead log needs memory that all its users share; across machines there is none
_NETWORK = frozenset({"9p", "afs", "ceph", "cifs", "glusterfs", "lustre", "nfs", "nfs4", "smb3", "smbfs"})
_LOCAL_FUSE = frozenset({"fuse.fuse-overlayfs", "fuseblk", "fusectl"})
_MOUNTS = "/proc/self/mountinfo"


def network_file_system(fd: int, mounts: str = _MOUNTS) -> str | None:
    """The kind of network or user-space file system behind a descriptor, such as nfs4; None for a local one.

    Read from Linux's table of mounts; elsewhere, and for a mount that isn't in it, the answer is None.
    """
    device = os.fstat(fd).st_dev
    wanted = f"{os.major(device)}:{os.minor(device)}"
    try:
        with open(mounts, encoding="utf-8", errors="surrogateescape") as table:
            kinds = [kind for number, kind in map(_mount, table) if number == wanted]
    except OSError:
        return None
    kind = kinds[-1] if kinds else ""
    return kind if kind in _NETWORK or (kind.startswith("fuse") and kind not in _LOCAL_FUSE) else None


def is_mask(path: str, mounts: str = _MOUNTS) -> bool:
    """Whether an empty file system in memory is mounted on the very folder, as a sandbox hides what it denies."""
    try:
        if os.listdir(path):
            return False
        with open(mounts, encoding="utf-8", errors="surrogateescape") as table:
            kinds = [_mount(line)[1] for line in table if _point(line) == path]
    except OSError:
        return False
    return bool(kinds) and kinds[-1] in ("tmpfs", "ramfs")


def _point(line: str) -> str:
    """Where one line's file system is mounted; blanks and backslashes stand in octal."""
    fields = line.split(" ")
    return re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), fields[4]) if len(fields) > 4 else ""


def _mount(line: str) -> tuple[str, str]:
    """Device number and kind of one line: `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw`."""
    before, _, after = line.partition(" - ")
    fields = before.split(" ")
    return (fields[2] if len(fields) > 2 else "", after.split(" ")[0])
