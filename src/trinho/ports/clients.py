"""Where the settings of agents' clients are read and written."""

from __future__ import annotations

from enum import StrEnum
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
    leads_to: str | None = None  # the file that it really is, where links lead there


class TroubleKind(StrEnum):
    """What can keep a client from starting us; the value is the code of the finding."""

    SETTINGS = "CLIENT_SETTINGS"  # they can't be read, or have nothing of ours any more
    COMMAND = "CLIENT_COMMAND"  # what they start isn't there
    TRUST = "HOOKS_UNTRUSTED"  # the person has yet to say that they may run


class Trouble(NamedTuple):
    """What keeps a client from starting us, in which file, and what mends it."""

    kind: TroubleKind
    path: str
    what: str
    mend: str


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

    def forget(self, folder: str | None) -> None:
        """Forget that it was set up, where nothing of ours is left."""
        ...

    def known(self) -> list[str]:
        """The files that something of ours was put into, of whatever folder."""
        ...

    def troubles(self) -> list[Trouble]:
        """What keeps the client from starting us, wherever it was set up to do so."""
        ...

    def apply(self, changes: Sequence[FileChange]) -> None:
        """Write just what was planned; FileChangedError where a file is no longer as it was."""
        ...

    def advice(self, folder: str | None) -> list[str]:
        """What the person has yet to do in the client."""
        ...
