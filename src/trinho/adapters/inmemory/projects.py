"""Projects and the runs of clients in dictionaries."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from trinho.domain.project import Registered
    from trinho.domain.run import ClientRun

_MOST_RUNS = 1_000


class InMemoryProjects:
    """Forgets everything with the process; see ports.projects.ProjectLedger and RunLedger."""

    def __init__(self) -> None:
        self._projects: dict[str, Registered] = {}
        self._places: dict[str, str] = {}
        self._runs: dict[str, ClientRun] = {}
        self._surfaced: dict[str, dict[str, int]] = {}
        self._at_work: dict[int, tuple[str, datetime]] = {}

    def projects(self) -> list[Registered]:
        return [self._projects[id] for id in sorted(self._projects)]

    def at(self, place: str) -> Registered | None:
        id = self._places.get(place)
        return None if id is None else self._projects[id]

    def places(self, id: str) -> list[str]:
        return sorted(place for place, of in self._places.items() if of == id)

    def register(self, project: Registered, place: str) -> Registered:
        known = self.at(place)
        if known is not None:
            return known
        self.settle(project, place)
        return project

    def settle(self, project: Registered, place: str, instead_of: str | None = None) -> None:
        if instead_of is not None:
            self._places.pop(instead_of, None)
        self._projects[project.id] = project
        self._places[place] = project.id

    def heard_of(self, run: ClientRun) -> None:
        self._runs[run.session] = run
        for old in sorted(self._runs.values(), key=lambda each: each.at)[:-_MOST_RUNS]:
            del self._runs[old.session]
            self._surfaced.pop(old.session, None)

    def run(self, session: str) -> ClientRun | None:
        return self._runs.get(session)

    def set_at_work(self, process: int, session: str, at: datetime) -> None:
        self._at_work[process] = session, at
        for old in sorted(self._at_work, key=lambda each: self._at_work[each][1])[:-_MOST_RUNS]:
            del self._at_work[old]

    def at_work(self, process: int) -> tuple[str, datetime] | None:
        return self._at_work.get(process)

    def surfaced(self, session: str) -> set[tuple[str, int]]:
        return set(self._surfaced.get(session, {}).items())

    def add_surfaced(self, session: str, shown: Collection[tuple[str, int]], at: datetime) -> None:
        from trinho.domain.run import ClientRun  # only the type is needed elsewhere

        self._runs.setdefault(session, ClientRun(session, "", None, at))
        self._surfaced.setdefault(session, {}).update(dict(shown))

    def forget_surfaced(self, session: str) -> None:
        self._surfaced.pop(session, None)

    def forget(self, id: str) -> None:
        """Nothing of an entry stays."""
        for shown in self._surfaced.values():
            shown.pop(id, None)
