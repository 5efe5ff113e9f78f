"""A folder as the memory tool shows it: two levels with their sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trinho.interfaces.memory_tool.paths import SUFFIX

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LEVELS = 2
MOST_LINES = 1_000
_LEFT_OUT = "node_modules"


def tree(path: str, entries: Mapping[tuple[str, ...], int], folders: Iterable[tuple[str, ...]] = ()) -> str:
    """The folder at `path`: its entries, by their parts below it and with their sizes in bytes, and those folders."""
    entries = {parts: size for parts, size in entries.items() if _LEFT_OUT not in parts}
    sizes: dict[tuple[str, ...], int] = {}  # by the names as they are shown
    for parts in folders:
        for depth in range(1, min(len(parts), LEVELS) + 1):
            sizes.setdefault((*parts[:depth], ""), 0)
    for parts, size in entries.items():
        for depth in range(1, min(len(parts) - 1, LEVELS) + 1):
            folder = (*parts[:depth], "")
            sizes[folder] = sizes.get(folder, 0) + size
        if len(parts) <= LEVELS:
            sizes[*parts[:-1], parts[-1] + SUFFIX] = size
    lines = [f"{human(size)}\t{path}/{'/'.join(names)}" for names, size in sorted(sizes.items())]
    more = len(lines) - MOST_LINES
    if more > 0:
        lines[MOST_LINES:] = [f"({more} more; view a folder below)"]
    header = (
        f"Here're the files and directories up to {LEVELS} levels deep in {path}, "
        "excluding hidden items and node_modules:"
    )
    return "\n".join([header, f"{human(sum(entries.values()))}\t{path}", *lines])


def human(size: int) -> str:
    """A size in bytes as people read it: 512B, 5.5K, 1.2M."""
    if size < 1024:
        return f"{size}B"
    units = iter("KMGT")
    unit, value = next(units), size / 1024
    while value >= 1023.95:  # from here on it would read 1024.0
        unit, value = next(units), value / 1024
    return f"{value:.1f}{unit}"
