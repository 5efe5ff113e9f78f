"""Where projects and the runs of clients are known from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from trinho.domain.project import Checkout, Registered
    from trinho.domain.run import ClientRun


class Repositories(Protocol):
    """What git's folders say. Nothing inside a work tree has a say: only what git itself keeps outside of it."""

    def checkout_of(self, folder: str) -> Checkout:
        """The place of a folder; InvalidInputError if it is none."""
        ...

    def is_there(self, common: str) -> bool:
        """Whether a repository, or for no repository the folder, still is at that place."""
        ...

    def remote(self, checkout: Checkout) -> str | None:
        """The URL of its remote `origin`."""
        ...

    def marks(self, common: str) -> tuple[str, ...]:
        """What we wrote into its own configuration, one mark for each memory root."""
        ...

    def mark(self, common: str, text: str, instead_of: str | None = None) -> bool:
        """Write a mark, in place of another; False where it can't be written."""
        ...

    def homes(self) -> Collection[str]:
        """Folders that are no project: the person's home and what is above it."""
        ...


class ProjectLedger(Protocol):
    """Remembers projects and the places they are known at."""

    def projects(self) -> list[Registered]:
        """All of them, in the order of their ids."""
        ...

    def at(self, place: str) -> Registered | None:
        """The project that is known at a place."""
        ...

    def places(self, id: str) -> list[str]:
        """The places of a project."""
        ...

    def register(self, project: Registered, place: str) -> Registered:
        """Remember a new project at a place; the one that another process has registered there meanwhile wins."""
        ...

    def settle(self, project: Registered, place: str, instead_of: str | None = None) -> None:
        """Remember a project with its present root and remote at a place, and no longer at another one."""
        ...


class RunLedger(Protocol):
    """Remembers the runs of clients: where their transcripts lie, and what was shown in them already."""

    def heard_of(self, run: ClientRun) -> None:
        """A run goes on; the oldest beyond a thousand are forgotten."""
        ...

    def run(self, session: str) -> ClientRun | None: ...

    def set_at_work(self, process: int, session: str, at: datetime) -> None:
        """A client's process is at a run from now on; the oldest beyond a thousand are forgotten."""
        ...

    def at_work(self, process: int) -> tuple[str, datetime] | None:
        """The run that a client's process is at, and since when."""
        ...

    def surfaced(self, session: str) -> set[tuple[str, int]]:
        """ID and version of what was shown in a run."""
        ...

    def add_surfaced(self, session: str, shown: Collection[tuple[str, int]], at: datetime) -> None:
        """It was shown."""
        ...

    def forget_surfaced(self, session: str) -> None:
        """The client's context was cut short: nothing of it is before the agent's eyes any more."""
        ...
