"""What an actor may not read changes nothing of what it is told.

Two roots differ only in entries that the actor may not read. Whatever the actor asks of them, it gets the same bytes.
TRINHO_CASES sets how many pairs of roots are tried.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from trinho.access.engine import visible
from trinho.access.grant import parse_grant
from trinho.application.ranking import SearchQuery
from trinho.application.undo import UNDOABLE
from trinho.bootstrap import open_memory
from trinho.documents.codec import Document, encode
from trinho.domain.entry import EntryType, Kind
from trinho.domain.ids import MemoryId, parse_memory_id
from trinho.errors import TrinhoError
from trinho.interfaces.contract import audit_json, entry_json, file_json, listed_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from trinho.application.library import Memory
    from trinho.application.recall import SearchAnswer
    from trinho.application.transfer import Exported
    from trinho.application.undo import Undone
    from trinho.domain.audit import AuditLine
    from trinho.ports.index import Listed

CASES = int(os.environ.get("TRINHO_CASES", "40"))
QUICK = "/dev/shm" if Path("/dev/shm").is_dir() else None  # nothing here asks for a disk
WORDS = ("lantern", "tabs", "spaces", "deploy", "friday", "quy", "ước", "rotate")
NAMES = ("note", "notes", "plan", "goals", "goal", "Note", "quy-ước")
BRANCHES = ("shared", "shared:team", "shared:facts", "project:alp", "project:alpha", "project:alp:team")
PRIVATE = ("private:main", "private:worker", "private:guest")
GRANTS = (
    *("shared", "shared:*", "shared:team", "shared:team:*", "shared:note", "project:*", "project:alp"),
    *("project:alpha:goals", "project:*:notes", "project:alp:*", "project:alp:team:*"),
)
PROJECTS = (None, "alp", "alpha", "none", "..")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")


class Role(NamedTuple):
    """Who asks. A built-in role has its own grants: None."""

    name: str
    reads: tuple[str, ...] | None = None
    writes: tuple[str, ...] = ()


class Question(NamedTuple):
    """What is asked of a root."""

    query: str
    scope: str | None = None
    limit: int = 5
    kinds: frozenset[Kind] = frozenset()
    types: frozenset[EntryType] = frozenset()
    project: str | None = None


class Deed(NamedTuple):
    """Something that is done to the entry at a place among those of a root, and another ID where it needs one."""

    act: str
    place: int
    other: str


def ids_of(names: tuple[str, ...]) -> st.SearchStrategy[str]:
    branch, name = st.sampled_from((*BRANCHES, *PRIVATE)), st.sampled_from(names)
    return st.one_of(st.tuples(branch, name), st.tuples(branch, name, name)).map(":".join)


def deeds(*acts: str, most: int) -> st.SearchStrategy[list[Deed]]:
    return st.lists(st.builds(Deed, st.sampled_from(acts), st.integers(0, 30), plain_ids), max_size=most)


ids = ids_of(NAMES)
# A new name that differs only in case from one that is there is refused, hidden or not, since many file systems would
# give one file to both: that refusal tells of what is hidden, and is left out where something is written.
plain_ids = ids_of(tuple(name for name in NAMES if name != "Note"))
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
days = st.integers(min_value=1, max_value=4)
sound = st.tuples(texts, st.sampled_from(list(Kind)), st.sampled_from(list(EntryType)), days)
broken = st.sampled_from([b"---\nkind: [\n---\ntabs\n", b"\xff\xfe", b"", b"plain tabs text\n"])
anything = st.one_of(sound, sound, broken)
entries = st.dictionaries(ids, anything, min_size=2, max_size=12)
plain_entries = st.dictionaries(plain_ids, anything, min_size=2, max_size=12)
some_grants = st.lists(st.sampled_from(GRANTS), max_size=4, unique=True)
guests = some_grants.flatmap(
    lambda reads: st.builds(
        Role,
        st.just("guest"),
        st.just(tuple(reads)),
        st.sets(st.sampled_from(reads)).map(lambda grants: tuple(sorted(grants))) if reads else st.just(()),
    )
)
roles = st.one_of(st.sampled_from(["main", "worker", "compaction"]).map(Role), guests)
questions = st.builds(
    Question,
    query=texts,
    scope=st.sampled_from([None, *GRANTS, "private:main"]),
    limit=st.integers(min_value=0, max_value=5),
    kinds=st.frozensets(st.sampled_from(list(Kind)), max_size=2),
    types=st.frozensets(st.sampled_from(list(EntryType)), max_size=2),
    project=st.sampled_from(PROJECTS),
)
moves_by_hand = deeds("move", most=3)


def document(id: str, content: Any) -> bytes:
    if isinstance(content, bytes):
        return content
    text, kind, type, day = content
    at = datetime(2026, 1, day, tzinfo=UTC)
    return encode(Document(id.rpartition(":")[2], text, type, kind, day, at, at, f"{text} {id}"))


def path_of(id: MemoryId) -> str:
    first = {"shared": "shared", "project": "projects", "private": "private"}[id.parts[0]]
    return "/".join((first, *id.parts[1:])) + ".md"


class Pair:
    """Two roots, one of them with the hidden entries too, and the actor that asks both.

    Before it asks, the person has read, changed and moved entries, in one root the hidden ones too.
    """

    def __init__(
        self,
        folder: Path,
        role: Role,
        content: Mapping[str, Any],
        *,
        done: Sequence[Deed] = (),
        moved: Sequence[Deed] = (),
    ) -> None:
        self.name = role.name
        self.now = datetime.now(UTC)
        self.config = folder / "config.toml"
        if role.reads is not None:
            grants = {"memory_read": list(role.reads), "memory_write": list(role.writes)}
            (folder / "roles.yaml").write_text(json.dumps({"roles": {"guest": grants}}), encoding="utf-8")
        self.roots = [folder / "with", folder / "out"]
        self.sees = self._sees(folder)
        self.content = content
        self.hidden = [id for id in content if self.is_hidden(id)]
        for root in self.roots:
            for id, value in content.items():
                if self._is_there(root, id):
                    self._put(root, id, document(id, value))
            self._visit(root, done)
        self._move_by_hand(moved)

    def is_hidden(self, id: str) -> bool:
        return not self.sees(parse_memory_id(id))

    def _is_there(self, root: Path, *ids: str) -> bool:
        return root.name == "with" or not any(map(self.is_hidden, ids))

    def _put(self, root: Path, id: str, raw: bytes) -> None:
        file = root / path_of(parse_memory_id(id))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(raw)
        os.utime(file, (1_750_000_000, 1_750_000_000))

    def _visit(self, root: Path, done: Sequence[Deed]) -> None:
        """The person is there first, so that trail, ledger and index of one root know of hidden entries."""
        with self._at_one_time(open_memory(root, environment={})) as memory:
            if root.name == "with":
                memory.delete(
                    "private:oracle:gone", expected_version=memory.create("private:oracle:gone", "tabs").version
                )
            for id in self.content:
                if self._is_there(root, id):
                    attempt(lambda name=id: memory.get(name))  # type: ignore[misc]
            for deed in done:
                id, other = self.id_at(deed.place), deed.other
                if deed.act == "move" and self.is_hidden(id) != self.is_hidden(other):
                    continue  # to whom one end is hidden, this is no move at all
                if self._is_there(root, id):
                    attempt(lambda each=deed, name=id: do(memory, each, name))  # type: ignore[misc]
            memory.entries()

    def _move_by_hand(self, moved: Sequence[Deed]) -> None:
        """Files get other names, as if somebody used a file manager; what is hidden has no file in the other root."""
        for deed in moved:
            source, target = (path_of(parse_memory_id(id)) for id in (self.id_at(deed.place), deed.other))
            whole, other = self.roots
            if not (whole / source).exists() or (whole / target).exists():
                continue
            if self.is_hidden(self.id_at(deed.place)):
                if not self.is_hidden(deed.other):
                    raw = (whole / source).read_bytes()
                    if raw != document(self.id_at(deed.place), self.content[self.id_at(deed.place)]):
                        continue  # it was written since, at an instant that the other root doesn't know
                    self._put(other, deed.other, raw)
            elif self.is_hidden(deed.other):
                (other / source).unlink()
            else:
                self._rename(other / source, other / target)
            self._rename(whole / source, whole / target)

    def _rename(self, source: Path, target: Path) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        source.rename(target)
        os.utime(target, (1_750_000_000, 1_750_000_000))

    def id_at(self, place: int) -> str:
        return list(self.content)[place % len(self.content)]

    def runs(self, root: Path) -> tuple[list[int], list[int]]:
        """The numbers of the runs that the actor may know of, and of the others."""
        touched: dict[int, list[str]] = {}
        with open_memory(root, environment={}) as memory:
            for line in memory.audit(10_000):
                event = line.event
                if event.operation in UNDOABLE and event.result == "allowed":
                    touched.setdefault(event.run or line.seq, []).extend(filter(None, (event.id, event.to)))
        hidden = [run for run, ids in touched.items() if any(map(self.is_hidden, ids))]
        return [run for run in touched if run not in hidden], hidden

    def _sees(self, folder: Path) -> Callable[[MemoryId], bool]:
        with self.open(folder / "none") as memory:
            return visible(memory.session.actor)

    def open(self, root: Path) -> Memory:
        environment = {"TRINHO_MEMORY_ROOT": str(root), "TRINHO_CONFIG": str(self.config)}
        return self._at_one_time(open_memory(actor=self.name, environment=environment))

    def _at_one_time(self, memory: Memory) -> Memory:
        """With a clock that stands still: what was written in one root a moment later has not faded less there."""
        memory.session.workspace.clock = lambda: self.now
        return memory

    def answers(self, root: Path, ask: Callable[[Memory], Iterator[Any]]) -> str:
        with self.open(root) as memory:
            told = [*ask(memory), [memory.session.notices]]
        text = json.dumps(told, ensure_ascii=False, default=str, indent=1)
        return TIME.sub(_of_the_run, text.replace(str(root), "ROOT"))


def _of_the_run(time: re.Match[str]) -> str:
    """Times that the files carry stay; those of the run itself can't be the same twice."""
    return time[0] if time[0].startswith(("2026-01", "2025-06")) else "NOW"


def do(memory: Memory, deed: Deed, id: str) -> Any:
    """One write, at the version that the actor can read."""
    if deed.act == "create":
        return entry_json(memory.create(id, f"tabs {deed.other}"))
    if deed.act == "move":
        return entry_json(memory.move(id, deed.other))
    if deed.act == "undo":
        return undone_json(memory.undo())
    version = memory.get(id).version
    if deed.act == "update":
        return entry_json(memory.update(id, f"spaces {deed.other}", expected_version=version))
    return bool(memory.delete(id, expected_version=version))


def undone_json(undone: Undone) -> list[Any]:
    return [[str(id), what] for id, what in undone.entries]


def _append(file: Path) -> None:
    """What an editor does, where there is such a file."""
    if file.is_file():
        with file.open("ab") as opened:
            opened.write(b"by hand\n")


def attempt(act: Callable[[], Any]) -> Any:
    try:
        return act()
    except TrinhoError as error:
        return [error.exit_status, error.as_dict()]


def search_json(answer: SearchAnswer) -> list[Any]:
    results = [
        [entry_json(each.entry), each.score, each.snippet, each.age, each.why.matched, each.why.missing, each.why.rank]
        for each in answer.results
    ]
    return [results, answer.total_considered]


def rows_json(rows: Iterable[Listed]) -> list[Any]:
    """The rows of a listing; their hashes and versions are those of files, whose times differ in each root."""
    return [listed_json(row, 0) for row in rows]


def export_json(exported: Exported) -> list[Any]:
    return [[file_json(file) for file in exported.files], exported.skipped]


def line_json(line: AuditLine) -> dict[str, Any]:
    """A line as an agent sees it. It may have asked for a run by its number, of which each root has its own."""
    document = audit_json(line, numbered=False)
    return {**document, "id": "N"} if document["operation"] == "undo" and str(document["id"]).isdigit() else document


def reading(ids: Iterable[str], question: Question) -> Callable[[Memory], Iterator[Any]]:
    """Everything that can be read."""
    query, scope, limit, kinds, types, project = question

    def ask(memory: Memory) -> Iterator[Any]:
        yield attempt(lambda: search_json(memory.search(query, scope=scope, limit=limit)))
        yield attempt(lambda: search_json(memory.search(query, limit=limit)))
        yield attempt(lambda: search_json(memory.search("the", limit=50)))
        for asked in (
            SearchQuery(query, None, kinds, types, limit=3, project=project),
            SearchQuery(query, scope, kinds, limit=3),
            SearchQuery(query, None, frozenset(), types, limit=50, mode="keyword", project=project),
        ):
            yield attempt(lambda each=asked: search_json(memory.service.search(each)))  # type: ignore[misc]
        yield attempt(lambda: [listed_json(*row) for row in memory.versions(memory.entries(scope=scope))])
        for filters in ({"kinds": kinds}, {"types": types}, {"project": project}, {"kinds": kinds, "project": project}):
            yield attempt(lambda each=filters: rows_json(memory.entries(**each)))  # type: ignore[misc]
        yield rows_json(memory.entries())
        for id in (*ids, "shared:missing", "private:main:missing", "shared:../x"):
            yield attempt(lambda name=id: entry_json(memory.get(name)))  # type: ignore[misc]
            yield attempt(lambda name=id: str(memory.explain(query, name, limit=limit)))  # type: ignore[misc]
        for budget in (8000, 600):
            yield str(memory.build_memory_context(query, budget))
        yield str(memory.doctor())
        yield str(memory.index_status())
        yield attempt(lambda: export_json(memory.export(scope)))
        yield export_json(memory.export())
        yield [line_json(line) for line in memory.audit(1000)]

    return ask


def writing(pair: Pair, root: Path, acts: Sequence[Deed]) -> Callable[[Memory], Iterator[Any]]:
    """Every way to write, also to what is hidden, and to take it back."""
    content = pair.content

    def undo_run(memory: Memory, run: int) -> Any:
        told = attempt(lambda: undone_json(memory.undo(run)))
        return re.sub(rf"(run\W+){run}\b", r"\1N", json.dumps(told))

    def ask(memory: Memory) -> Iterator[Any]:
        for deed in acts:
            if deed.act == "undo run":
                runs, _ = pair.runs(root)
                yield undo_run(memory, runs[deed.place % len(runs)] if runs else 10**9)
            elif deed.act == "edit":
                _append(root / path_of(parse_memory_id(pair.id_at(deed.place))))
            else:
                yield attempt(lambda each=deed: do(memory, each, pair.id_at(each.place)))  # type: ignore[misc]
            yield rows_json(memory.entries())
        for id in content:
            yield attempt(lambda name=id: entry_json(memory.create(name, "tabs")))  # type: ignore[misc]
            yield attempt(lambda name=id: entry_json(memory.update(name, "tabs", expected_version=1)))  # type: ignore[misc]
            yield attempt(lambda: undone_json(memory.undo()))
            yield attempt(lambda name=id: entry_json(memory.move(name, name + ":moved")))  # type: ignore[misc]
            yield attempt(lambda name=id: entry_json(memory.move(f"private:{memory.session.actor.name}:own", name)))  # type: ignore[misc]
            yield attempt(lambda name=id: bool(memory.delete(name, expected_version=2)))  # type: ignore[misc]
            yield attempt(lambda: undone_json(memory.undo()))
            yield attempt(lambda name=id: str(memory.purge(name)))  # type: ignore[misc]
        yield [line_json(line) for line in memory.audit(1000)]
        yield from reading((*content, *(deed.other for deed in acts)), Question("tabs spaces"))(memory)
        none = undo_run(memory, 10**9)
        for run in pair.runs(root)[1]:
            assert undo_run(memory, run) == none

    return ask


cases = settings(
    max_examples=CASES,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
changes = deeds("create", "update", "delete", "move", most=6)
acts = deeds("create", "update", "delete", "move", "undo", "undo run", "edit", most=10)


@contextmanager
def paired(role: Role, content: Mapping[str, Any], **past: Sequence[Deed]) -> Iterator[Pair]:
    folder = Path(tempfile.mkdtemp(prefix="trinho-", dir=QUICK))
    try:
        yield Pair(folder, role, content, **past)
    finally:
        shutil.rmtree(folder)


PLAN = {"shared:plan": ("tabs", Kind.FACT, EntryType.PROJECT, 1), "shared:note": b"tabs\n"}


@cases
@example(Role("worker"), PLAN, Question("tabs"), [], [Deed("move", 0, "private:main:plan")])
@given(role=roles, content=entries, question=questions, done=changes, moved=moves_by_hand)
def test_what_is_read_is_the_same_without_what_is_hidden(
    role: Role, content: dict[str, Any], question: Question, done: list[Deed], moved: list[Deed]
) -> None:
    with paired(role, content, done=done, moved=moved) as pair:
        asked = (*content, *(deed.other for deed in (*done, *moved)))
        with_hidden, without = (pair.answers(root, reading(asked, question)) for root in pair.roots)
        assert with_hidden == without


@settings(cases, max_examples=max(1, CASES // 3))
@example(Role("main"), PLAN, [], [], [Deed("update", 0, ""), Deed("edit", 0, ""), Deed("undo", 0, "")])
@given(role=roles, content=plain_entries, done=changes, moved=moves_by_hand, acts=acts)
def test_what_is_written_meets_the_same_without_what_is_hidden(
    role: Role, content: dict[str, Any], done: list[Deed], moved: list[Deed], acts: list[Deed]
) -> None:
    with paired(role, content, done=done, moved=moved) as pair:
        with_hidden, without = (pair.answers(root, writing(pair, root, acts)) for root in pair.roots)
        assert with_hidden == without


def test_the_pairs_do_differ() -> None:
    """The property would hold of pairs that hide nothing."""
    content = {"private:main:plan": ("tabs", Kind.FACT, EntryType.PROJECT, 1), "shared:note": b"tabs\n"}
    with paired(Role("worker"), content, moved=[Deed("move", 0, "private:main:goals")]) as pair:
        assert pair.hidden == ["private:main:plan"]
        ask = reading([*content, "private:main:goals"], Question("tabs"))
        answers = [pair.answers(root, ask) for root in pair.roots]
        assert answers[0] == answers[1]
        assert '"shared:note"' in answers[0]
        pair.name = "main"
        seen = [pair.answers(root, ask) for root in pair.roots]
        assert "it moved to `private:main:goals`" in seen[0]
        assert "it moved to `private:main:goals`" not in seen[1]


def test_the_acts_do_write() -> None:
    """The property would hold of an actor that may do nothing."""
    content = {"shared:team:note": b"tabs\n", "shared:plan": b"tabs\n"}
    done = [Deed("update", 0, ""), Deed("update", 1, "")]
    wanted = [Deed("update", 0, "x"), Deed("undo", 0, ""), Deed("undo run", 0, ""), Deed("move", 0, "shared:team:goal")]
    with paired(Role("guest", ("shared:team",), ("shared:team",)), content, done=done) as pair:
        assert pair.hidden == ["shared:plan"]
        told = [json.loads(pair.answers(root, writing(pair, root, wanted))) for root in pair.roots]
        assert told[0] == told[1]
        restored = [["shared:team:note", "restored"]]
        assert [told[0][2], json.loads(told[0][4])] == [restored, restored]
        assert told[0][6]["id"] == "shared:team:goal"


@given(st.sampled_from(GRANTS))
def test_every_grant_that_is_tried_is_one(grant: str) -> None:
    assert str(parse_grant(grant)) == grant
