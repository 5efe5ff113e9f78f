"""What people said, as the clients of agents keep it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from trinho.domain.run import ClientRun


class Transcripts(Protocol):
    """The transcripts that clients write. Whatever is wrong with one, it says nothing."""

    def holds(self, run: ClientRun) -> bool:
        """Whether the run's transcript is there, and is the one that a client keeps for a run of that name."""
        ...

    def says(self, run: ClientRun, quote: str) -> bool:
        """Whether a person typed the quote in one turn of the run, word for word (see lifecycle.quotation)."""
        ...
