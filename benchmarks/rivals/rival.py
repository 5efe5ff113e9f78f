"""What every rival must do, and what is measured of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from time import process_time
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


class Rival(Protocol):
    """A store of texts that can be asked."""

    def add(self, id: str, text: str) -> None: ...

    def search(self, query: str, most: int) -> Sequence[str]: ...

    def close(self) -> None: ...


@dataclass(slots=True)
class Measured:
    """Recall by query, and CPU milliseconds by act; CPU of a worker is told by the worker."""

    at_5: list[float] = field(default_factory=list)
    at_10: list[float] = field(default_factory=list)
    reciprocal: list[float] = field(default_factory=list)
    empty: int = 0
    add_ms: list[float] = field(default_factory=list)
    query_ms: list[float] = field(default_factory=list)
    unaccented: bool | None = None

    def ask(self, rival: Rival, question: str, wanted: frozenset[str]) -> None:
        found, took = timed(rival, lambda: rival.search(question, 10))
        self.query_ms.append(took)
        self.empty += not found
        self.at_5.append(len(wanted & set(found[:5])) / len(wanted))
        self.at_10.append(len(wanted & set(found[:10])) / len(wanted))
        self.reciprocal.append(next((1 / rank for rank, id in enumerate(found, 1) if id in wanted), 0.0))

    def put(self, rival: Rival, texts: Iterable[tuple[str, str]]) -> None:
        for id, text in texts:
            _, took = timed(rival, partial(_added, rival, id, text))
            self.add_ms.append(took)

    def row(self, name: str) -> str:
        """One line of the table."""
        accents = {None: "?", True: "yes", False: "no"}[self.unaccented]
        return (
            f"{name:<28} {mean(self.at_5):.3f}  {mean(self.at_10):.3f}  {mean(self.reciprocal):.3f}  {self.empty:>5}"
            f"  {percentile(self.add_ms, 50):>8.2f}  {percentile(self.query_ms, 50):>7.2f} / "
            f"{percentile(self.query_ms, 95):<7.2f}  {accents}"
        )


def _added(rival: Rival, id: str, text: str) -> Sequence[str]:
    rival.add(id, text)
    return ()


HEAD = f"{'':<28} R@5    R@10   MRR    empty   add ms   query ms p50 / p95   finds moi truong"


def timed(rival: Rival, act: Callable[[], Sequence[str]]) -> tuple[Sequence[str], float]:
    """The answer, and the CPU milliseconds that it took: of the rival's own process where it has one."""
    of_worker: Callable[[], float] | None = getattr(rival, "cpu_ms", None)
    clock = of_worker or (lambda: process_time() * 1000)
    started = clock()
    answer = act()
    return answer, clock() - started


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def percentile(values: Sequence[float], share: int) -> float:
    return sorted(values)[min(len(values) - 1, len(values) * share // 100)] if values else 0.0
