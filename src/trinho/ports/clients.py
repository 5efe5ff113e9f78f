"""Where the settings of agents' clients are read and written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence


class Wiring(NamedTuple):
    """What a client is to start: the command, the role that it acts for, and the root if it isn't the usual one.

    `folder` is the project's that it is for, None for everything that the person does.
    """

    command: tuple[str, ...]
    role: str
    root: str | None = None
    folder: str | None = None


class FileChange(NamedTuple):
    """One file as it is and as it is to be; None where there is none."""

    path: str
    before: bytes | None
    after: bytes | None
    texts: tuple[bytes, ...] = ()  # what goes in
    made: bool = False  # it is there for ours alone


class ClientSettings(Protocol):
    """The settings of one client."""

    def installing(self, wiring: Wiring) -> list[FileChange]:
        """What is to be changed so that the client starts us; nothing where it does already.

        InvalidClientSettingsError if a file can't be understood, or holds something else in our place.
        """
        ...

    def removing(self, folder: str | None) -> list[FileChange]:
        """What is to be changed so that nothing of ours is left."""
        ...

    def apply(self, changes: Sequence[FileChange]) -> None:
        """Write just what was planned; FileChangedError where a file is no longer as it was."""
        ...

    def advice(self, folder: str | None) -> list[str]:
        """What the person has yet to do in the client."""
        ...
