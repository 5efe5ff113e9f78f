"""One line of the table of goals."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured, beside its floor or peer of the same run, and whether the goal is met."""

    what: str
    measured: str
    beside: str
    goal: str
    met: bool

    def __str__(self) -> str:
        return f"{'met ' if self.met else 'MISS'}  {self.what:<44} {self.measured:>16}   {self.goal:<22} {self.beside}"
