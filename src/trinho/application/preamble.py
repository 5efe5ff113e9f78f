"""What an agent is told when its work begins: rules, its own note, what is known of the task, and what there is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from trinho.access.domains import is_policy
from trinho.application import notes, policies, ranking, reindex
from trinho.documents.links import targets
from trinho.documents.memory_index import load as loaded_part
from trinho.domain.arguments import expect_project, expect_text
from trinho.domain.entry import Kind
from trinho.errors import TrinhoError, plural
from trinho.lifecycle.staleness import age_in_words
from trinho.retrieval.framing import framed, harmless

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from trinho.application.session import Session
    from trinho.domain.ids import MemoryId
    from trinho.ports.index import Listed

# Bytes of UTF-8. Claude Code moves an answer of a hook with more than 10,000 characters into a file, Codex cuts the
# middle out of one with more than 10,000 bytes
MOST = 9_500
POLICIES = 3_500
NOTES = 2_500
FACTS = 1_200
MOST_FACTS = 5
SHORTEST_TASK = 20
VERIFY = (
    "Before you rely on something important from memory, look it up with `search_memory` and check that it still holds."
)
_TOLD = 400  # kept free to tell what was left out
_NAMED = 3
_LOOKED_AT = 10  # entries that may be among those that are told
_LONG = 2  # of these that may be too long for the room, so that others are looked at in their place
_SCORED = 40  # looked at closely: less than for a search, since five are told


@dataclass(frozen=True, slots=True)
class Preamble:
    """The text, and what is and isn't in it. `omitted` names all that had no room, `included` what was shown,
    a note also where only its end is."""

    text: str
    characters_used: int
    truncated: bool
    omitted: tuple[str, ...]
    included: tuple[tuple[MemoryId, int], ...]


@dataclass(slots=True)
class _Section:
    """The lines of one part, what had no room, and the entries that are in it."""

    title: str
    lines: list[str] = field(default_factory=list)
    omitted: list[str] = field(default_factory=list)
    included: list[tuple[MemoryId, int]] = field(default_factory=list)
    what: tuple[str, str] = ("line", "lines")

    def text(self) -> str:
        return "\n".join((f"## {self.title}", *self.lines)) if self.lines else ""


class _Told(NamedTuple):
    """One thing to tell: its line, what it is called where it has no room, and its entry."""

    line: str
    name: str
    entry: tuple[MemoryId, int] | None = None


def build(
    session: Session, task: str = "", project: str | None = None, agent: str | None = None, most: int = MOST
) -> Preamble:
    """The preamble for the actor, of at most so many bytes; audited as shown to it.

    The same memory and task make the same bytes.
    """
    with session.auditing("context", None):
        expect_text("task", task)
        expect_project(project)
        expect_text("agent", agent, optional=True)
        reindex.refresh(session)
        with reindex.as_it_is(session):
            stamp = (session.workspace.index.stamp(), session.hidden_domains(), project, agent)
            minute = f"{session.workspace.clock():%Y%m%d%H%M}"  # a policy may end
            rules = _kept(session, "policies", (stamp, minute), lambda: _rules(session, project))
            note = _kept(session, "note", stamp, lambda: _note(session, agent))
            inside = [note, _facts(session, task, project)]
            used = _size(_framed(rules, inside, [*inside, rules])) + _TOLD
            inside.append(_index(session, project, most - used))
            text = _framed(rules, inside, [*inside[::-1], rules])
    sections = [rules, *inside]
    included = tuple(entry for section in sections for entry in section.included)
    omitted = tuple(name for section in sections for name in section.omitted)
    session.record("context", None, included=tuple((str(id), version) for id, version in included))
    return Preamble(text, len(text), bool(omitted), omitted, included)


def _kept(session: Session, name: str, hangs_on: object, make: Callable[[], _Section]) -> _Section:
    """What was made before, as long as what it hangs on is the same; parts are read, never changed."""
    known = session.told.get(name)
    if known is None or known[0] != hangs_on:
        known = session.told[name] = (hangs_on, make())
    section: _Section = known[1]
    return section


def _rules(session: Session, project: str | None) -> _Section:
    rows = policies.active(session, project)
    told = (_Told(_rule(row, session), str(row.id), (row.id, _version(session, row))) for row in rows)
    return _fitting(_Section("Policies", what=("policy", "policies")), told, POLICIES)


def _rule(row: Listed, session: Session) -> str:
    text = harmless(_body(session, row)).strip().replace("\n", "\n  ")
    return f"- [{row.knowledge.domain}] {text}"


def _note(session: Session, agent: str | None) -> _Section:
    """The end of the note, where the newest is, if all of it is too long."""
    section = _Section("Your own notes", what=("line of your notes", "lines of your notes"))
    memory_id = notes.note_of(session, agent)
    row = _row(session, memory_id)
    if row is None:
        return section
    lines = harmless(_body(session, row)).strip("\n").split("\n")
    room = NOTES - _size(section.title)
    kept: list[str] = []
    for line in reversed(lines):
        room -= _size(line) + 1
        if room < 0:
            break
        kept.append(line)
    section.lines = kept[::-1]
    section.omitted = [line[:80] for line in lines[: len(lines) - len(kept)]]
    section.included = [(memory_id, _version(session, row))]
    return section


def _facts(session: Session, task: str, project: str | None) -> _Section:
    section = _Section("What is known of the task", what=("fact", "facts"))
    if len(task.strip()) < SHORTEST_TASK:
        return section
    query = ranking.SearchQuery(task, kinds=ranking.KNOWN, limit=_LOOKED_AT, project=project)
    found = list(ranking.ranked(session, query, session.sees(), scored=_SCORED).candidates)
    found = [each for each in found if each.scored is not None and not is_policy(each.row.id)]
    found.sort(key=lambda each: _order(each, project))
    now = session.workspace.clock()
    told = (
        _Told(
            f"- {' '.join(harmless(_body(session, each.row)).split())} ({each.row.id}, "
            f"{age_in_words(each.row.updated_at, now)})",
            str(each.row.id),
            (each.row.id, _version(session, each.row)),
        )
        for each in found[: MOST_FACTS + _LONG]
    )
    return _fitting(section, told, FACTS, MOST_FACTS)


def _order(found: ranking.Candidate, project: str | None) -> tuple[bool, bool, int, float, str]:
    """Facts before what else is known, the caller's repository first, then as the deterministic ranker has them."""
    row = found.row
    matched = 0 if found.scored is None else len(found.scored.terms)
    is_own = project is not None and row.id.parts[:2] == ("project", project)
    return (row.kind is not Kind.FACT, not is_own, -matched, -row.updated_at.timestamp(), str(row.id))


def _index(session: Session, project: str | None, room: int) -> _Section:
    """The lines of MEMORY.md of the project, of its team, and of what is known of the person."""
    section = _Section("What there is in memory", what=("line of the index", "lines of the index"))
    folders: list[tuple[str, ...]] = [] if project is None else [("project", project), ("project", project, "team")]
    told = [_Told(line, line[:80]) for folder in folders for line in _lines(session, folder, lambda _: True)]
    told += [_Told(line, line[:80]) for line in _lines(session, ("shared",), _is_of_the_person)]
    return _fitting(section, told, room)


def _is_of_the_person(id: MemoryId) -> bool:
    return id.parts[:2] == ("shared", "user")


def _lines(session: Session, folder: tuple[str, ...], wanted: Callable[[MemoryId], bool]) -> list[str]:
    """The lines of a folder's index that point to something, without those of what the actor may not read."""
    store = session.workspace.store
    try:
        text = loaded_part(store.index_text(folder))[0]
    except TrinhoError:  # doctor tells of it
        return []
    place, sees = store.folder_path(folder), session.sees()
    hangs_on = (text, session.workspace.index.stamp() if session.hidden_domains() else None)
    known = session.told.get(place)
    if known is not None and known[0] == hangs_on:
        kept: list[str] = known[1]
        return kept
    lines: list[str] = []
    for line in text.splitlines():
        ids = [store.id_at(f"{place}/{target}") for target in targets(line)]
        if ids and all(id is not None and wanted(id) and sees(id) for id in ids):
            lines.append(harmless(line))
    session.told[place] = (hangs_on, lines)
    return lines


def _fitting(section: _Section, told: Iterable[_Told], room: int, most: int | None = None) -> _Section:
    """The section with what fits in its order; what doesn't is passed over, and told."""
    room -= len(section.title) + 4
    for each in told:
        if most is not None and len(section.lines) >= most:
            break
        if _size(each.line) + 1 > room:
            section.omitted.append(each.name)
            continue
        room -= _size(each.line) + 1
        section.lines.append(each.line)
        if each.entry is not None:
            section.included.append(each.entry)
    return section


def _size(text: str) -> int:
    return len(text.encode(errors="replace"))


def _framed(rules: _Section, inside: Sequence[_Section], dropped: Sequence[_Section]) -> str:
    """Rules stand by themselves; everything else is background, between marks that nothing inside can forge."""
    recalled = "\n\n".join(text for section in inside if (text := section.text()))
    parts = [rules.text()]
    if recalled:
        parts.append(framed(recalled).rstrip())
    left_out = [_left_out(section) for section in dropped if section.omitted]
    if left_out:
        told = f"Left out for want of room: {'; '.join(left_out)}."
        parts.append(told.encode(errors="replace")[:_TOLD].decode(errors="ignore"))
    if not any(parts):
        return ""
    return "\n\n".join([*filter(None, parts), VERIFY]) + "\n"


def _left_out(section: _Section) -> str:
    count = plural(len(section.omitted), *section.what)
    if "line" in section.what[0]:
        return count
    named = ", ".join(section.omitted[:_NAMED])
    return f"{count} ({named}{', …' if len(section.omitted) > _NAMED else ''})"


# -- entries, read once as long as they don't change ----------------------------------------------------------------


def _row(session: Session, memory_id: MemoryId) -> Listed | None:
    path = session.workspace.store.path_of(memory_id)
    rows = reindex.ask(session, lambda index: index.listing(session.sees(), path))
    return next((row for row in rows if row.id == memory_id), None)


def _body(session: Session, row: Listed) -> str:
    """The text of an entry. The index says by the hash of its bytes whether it is still the one that was read."""
    known = session.texts.get(row.id)
    if known is not None and known[0] == row.sha256:
        return known[1]
    loaded = ranking.load_ranked(session, row)
    if loaded is None:
        return row.description
    session.texts[row.id] = (loaded.file.sha256, loaded.entry.body)
    return loaded.entry.body


def _version(session: Session, row: Listed) -> int:
    last = session.workspace.ledger.observed(row.id)
    if last is not None and last.sha256 == row.sha256:
        return last.version
    loaded = ranking.load_ranked(session, row)
    return 1 if loaded is None else loaded.entry.version
