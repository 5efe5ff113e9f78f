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
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trinho.access.engine import visible
from trinho.access.grant import parse_grant
from trinho.bootstrap import open_memory
from trinho.documents.codec import Document, encode
from trinho.domain.entry import EntryType, Kind
from trinho.domain.ids import MemoryId, parse_memory_id
from trinho.errors import TrinhoError
from trinho.interfaces.cli.output import audit_json, entry_json, file_json, listed_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from trinho.application.library import Memory
    from trinho.application.recall import SearchAnswer
    from trinho.application.transfer import Exported
    from trinho.domain.audit import AuditLine

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
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")

ids = st.one_of(
    st.tuples(st.sampled_from((*BRANCHES, *PRIVATE)), st.sampled_from(NAMES)).map(":".join),
    st.tuples(st.sampled_from((*BRANCHES, *PRIVATE)), st.sampled_from(NAMES), st.sampled_from(NAMES)).map(":".join),
)
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
days = st.integers(min_value=1, max_value=4)
sound = st.tuples(texts, st.sampled_from(list(Kind)), st.sampled_from(list(EntryType)), days)
broken = st.sampled_from([b"---\nkind: [\n---\ntabs\n", b"\xff\xfe", b"", b"plain tabs text\n"])
entries = st.dictionaries(ids, st.one_of(sound, sound, broken), min_size=2, max_size=12)
roles = st.one_of(
    st.sampled_from(["main", "worker", "compaction"]).map(lambda name: (name, None)),
    st.lists(st.sampled_from(GRANTS), max_size=4, unique=True).map(lambda grants: ("guest", tuple(grants))),
)
questions = st.tuples(texts, st.sampled_from([None, *GRANTS, "private:main"]), st.integers(min_value=0, max_value=5))


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
    """Two roots, one of them with the hidden entries too, and the actor that asks both."""

    def __init__(self, folder: Path, role: tuple[str, tuple[str, ...] | None], content: Mapping[str, Any]) -> None:
        self.name, grants = role
        self.config = folder / "config.toml"
        if grants is not None:
            listed = json.dumps(list(grants))
            (folder / "roles.yaml").write_text(f"roles:\n  guest:\n    memory_read: {listed}\n", encoding="utf-8")
        self.roots = [folder / "with", folder / "out"]
        sees = self._sees(folder)
        self.hidden = [id for id in content if not sees(parse_memory_id(id))]
        for root in self.roots:
            for id, value in content.items():
                if root.name == "with" or id not in self.hidden:
                    file = root / path_of(parse_memory_id(id))
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_bytes(document(id, value))
                    os.utime(file, (1_750_000_000, 1_750_000_000))
            self._visit(root, content)

    def _visit(self, root: Path, content: Mapping[str, Any]) -> None:
        """The person reads what is there, so that the trail of one root tells of hidden entries."""
        with open_memory(root, environment={}) as memory:
            for id in content:
                if root.name == "with" or id not in self.hidden:
                    attempt(lambda name=id: memory.get(name))  # type: ignore[misc]

    def _sees(self, folder: Path) -> Callable[[MemoryId], bool]:
        with self.open(folder / "none") as memory:
            return visible(memory.session.actor)

    def open(self, root: Path) -> Memory:
        environment = {"TRINHO_MEMORY_ROOT": str(root), "TRINHO_CONFIG": str(self.config)}
        return open_memory(actor=self.name, environment=environment)

    def answers(self, root: Path, ask: Callable[[Memory], Iterator[Any]]) -> str:
        with self.open(root) as memory:
            told = [*ask(memory), [memory.session.notices]]
        text = json.dumps(told, ensure_ascii=False, default=str, indent=1)
        return TIME.sub(_of_the_run, text.replace(str(root), "ROOT"))


def _of_the_run(time: re.Match[str]) -> str:
    """Times that the files carry stay; those of the run itself can't be the same twice."""
    return time[0] if time[0].startswith(("2026-01", "2025-06")) else "NOW"


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


def export_json(exported: Exported) -> list[Any]:
    return [[file_json(file) for file in exported.files], exported.skipped]


def line_json(line: AuditLine) -> dict[str, Any]:
    return audit_json(line, numbered=False)


def reading(content: Mapping[str, Any], question: tuple[str, str | None, int]) -> Callable[[Memory], Iterator[Any]]:
    """Everything that can be read."""
    query, scope, limit = question

    def ask(memory: Memory) -> Iterator[Any]:
        yield attempt(lambda: search_json(memory.search(query, scope=scope, limit=limit)))
        yield attempt(lambda: search_json(memory.search(query, limit=limit)))
        yield attempt(lambda: search_json(memory.search("the", limit=50)))
        yield attempt(lambda: [listed_json(*row) for row in memory.versions(memory.entries(scope=scope))])
        yield [str(row) for row in memory.entries()]
        for id in (*content, "shared:missing", "private:main:missing", "shared:../x"):
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


def writing(content: Mapping[str, Any]) -> Callable[[Memory], Iterator[Any]]:
    """Every way to write, also to what is hidden."""

    def ask(memory: Memory) -> Iterator[Any]:
        for id in content:
            yield attempt(lambda name=id: entry_json(memory.create(name, "tabs")))  # type: ignore[misc]
            yield attempt(lambda name=id: entry_json(memory.update(name, "tabs", expected_version=1)))  # type: ignore[misc]
            yield attempt(lambda name=id: entry_json(memory.move(name, name + ":moved")))  # type: ignore[misc]
            yield attempt(lambda name=id: entry_json(memory.move(f"private:{memory.session.actor.name}:own", name)))  # type: ignore[misc]
            yield attempt(lambda name=id: bool(memory.delete(name, expected_version=2)))  # type: ignore[misc]
            yield attempt(lambda name=id: str(memory.purge(name)))  # type: ignore[misc]
        yield [line_json(line) for line in memory.audit(1000)]
        yield [str(row.id) for row in memory.entries()]

    return ask


cases = settings(
    max_examples=CASES,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@cases
@given(role=roles, content=entries, question=questions)
def test_what_is_read_is_the_same_without_what_is_hidden(
    role: tuple[str, tuple[str, ...] | None], content: dict[str, Any], question: tuple[str, str | None, int]
) -> None:
    folder = Path(tempfile.mkdtemp(prefix="trinho-", dir=QUICK))
    try:
        pair = Pair(folder, role, content)
        with_hidden, without = (pair.answers(root, reading(content, question)) for root in pair.roots)
        assert with_hidden == without
    finally:
        shutil.rmtree(folder)


@settings(cases, max_examples=max(1, CASES // 5))
@given(role=roles, content=entries)
def test_what_is_written_meets_the_same_without_what_is_hidden(
    role: tuple[str, tuple[str, ...] | None], content: dict[str, Any]
) -> None:
    folder = Path(tempfile.mkdtemp(prefix="trinho-", dir=QUICK))
    try:
        pair = Pair(folder, role, content)
        with_hidden, without = (pair.answers(root, writing(content)) for root in pair.roots)
        assert with_hidden == without
    finally:
        shutil.rmtree(folder)


def test_the_pairs_do_differ() -> None:
    """The property would hold of pairs that hide nothing."""
    folder = Path(tempfile.mkdtemp(prefix="trinho-", dir=QUICK))
    try:
        content = {"private:main:plan": ("tabs", Kind.FACT, EntryType.PROJECT, 1), "shared:note": b"tabs\n"}
        pair = Pair(folder, ("worker", None), content)
        assert pair.hidden == ["private:main:plan"]
        answers = {name: pair.answers(root, reading(content, ("tabs", None, 5))) for name, root in _named(pair)}
        assert answers["with"] == answers["out"]
        assert '"shared:note"' in answers["with"]
        pair.name = "main"
        seen = [pair.answers(root, reading(content, ("tabs", None, 5))) for root in pair.roots]
        assert seen[0] != seen[1]
    finally:
        shutil.rmtree(folder)


def _named(pair: Pair) -> list[tuple[str, Path]]:
    return [(root.name, root) for root in pair.roots]


@given(st.sampled_from(GRANTS))
def test_every_grant_that_is_tried_is_one(grant: str) -> None:
    assert str(parse_grant(grant)) == grant
