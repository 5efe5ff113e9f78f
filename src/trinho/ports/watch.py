"""What changes in the files while a process lives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet


class ChangeWatch(Protocol):
    """Hears of every change below the folders that it was made for."""

    def changed(self) -> AbstractSet[str] | None:
        """The documents, relative to the root, that changed since it was last asked; None where it can't say which."""
        ...

    def close(self) -> None: ...
