"""Quality of recall through the product itself: LoCoMo's turns, XQuAD's Vietnamese paragraphs, notes of coding teams.

The sets lie beside the repository, in `../shared`; where they don't, there is nothing to measure and the rows say so.
"""

from __future__ import annotations

import json
import re
import tempfile
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import trinho
from benchmarks.row import Row
from trinho.application.recall import SearchQuery

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from trinho.application.library import Memory

SHARED = Path(__file__).parents[2] / "shared"
_DEPTH = 10
_ANSWERABLE = (1, 2, 3, 4)  # LoCoMo's category 5 asks for what was never said


class Ranked(NamedTuple):
    """What a query found, best first, what it should have found, and what must not stand above that."""

    found: tuple[str, ...]
    relevant: frozenset[str]
    must_not: frozenset[str] = frozenset()

    def recall(self, depth: int) -> float:
        return len(self.relevant & set(self.found[:depth])) / len(self.relevant)

    def reciprocal_rank(self) -> float:
        return next((1 / rank for rank, id in enumerate(self.found, 1) if id in self.relevant), 0.0)

    def is_trapped(self) -> bool:
        first = next((id for id in self.found if id in self.relevant or id in self.must_not), None)
        return first in self.must_not


def rows() -> list[Row]:
    """A row for each goal of recall by words."""
    if not SHARED.is_dir():
        return [Row("quality of recall", "not measured", f"{SHARED} isn't there", "", True)]
    return [*_locomo(), *_xquad(), *_coding()]


def _locomo() -> Iterator[Row]:
    conversations = json.loads((SHARED / "data/locomo/locomo10.json").read_text(encoding="utf-8"))
    with _memory(
        {f"projects/{c['sample_id']}/{id}.md": text for c in conversations for id, text in _turns(c)}
    ) as memory:
        asked = [
            (f"project:{c['sample_id']}", q["question"], frozenset(e.replace(":", "-") for e in q["evidence"]))
            for c in conversations
            for q in c["qa"]
            if q["category"] in _ANSWERABLE and q["evidence"]
        ]
        ranked = [Ranked(_names(memory, question, scope=scope), wanted) for scope, question, wanted in asked]
    for what, measured, goal in (
        ("R@5", _mean(ranked, lambda each: each.recall(5)), 0.66),
        ("R@10", _mean(ranked, lambda each: each.recall(10)), 0.75),
        ("MRR", _mean(ranked, Ranked.reciprocal_rank), 0.55),
    ):
        yield _row(f"LoCoMo turns by words, {what}", measured, goal, f"{len(ranked)} questions")


def _turns(conversation: dict[str, Any]) -> Iterator[tuple[str, str]]:
    sessions = conversation["conversation"]
    for key in sorted((key for key in sessions if re.fullmatch(r"session_\d+", key)), key=lambda key: int(key[8:])):
        for turn in sessions[key]:
            caption = f" {turn['blip_caption']}" if turn.get("blip_caption") else ""
            text = f"{turn['speaker']}: {turn['text']}{caption}"
            yield (
                turn["dia_id"].replace(":", "-"),
                f"---\nkind: log\n---\n\n{text}\n\n({sessions[f'{key}_date_time']})\n",
            )


def _xquad() -> Iterator[Row]:
    articles = json.loads((SHARED / "data/xquad/xquad.vi.json").read_text(encoding="utf-8"))["data"]
    paragraphs = [paragraph for article in articles for paragraph in article["paragraphs"]]
    files = {f"shared/p{n}.md": f"{paragraph['context']}\n" for n, paragraph in enumerate(paragraphs)}
    questions = [(q["question"], f"p{n}") for n, paragraph in enumerate(paragraphs) for q in paragraph["qas"]]
    with _memory(files) as memory:
        for what, spelled, goal in (("accented", str, 0.95), ("without accents", _bare, 0.94)):
            ranked = [Ranked(_names(memory, spelled(text)), frozenset([name])) for text, name in questions]
            measured = _mean(ranked, lambda each: each.recall(1))
            yield _row(f"XQuAD-vi, {what}, R@1", measured, goal, f"{len(ranked)} questions")


def _bare(text: str) -> str:
    decomposed = unicodedata.normalize("NFD", text.replace("đ", "d").replace("Đ", "D"))
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def _coding() -> Iterator[Row]:
    folder = SHARED / "cases/recall"
    notes = [json.loads(line) for line in (folder / "memories.jsonl").read_text(encoding="utf-8").splitlines()]
    queries = [json.loads(line) for line in (folder / "queries.dev.jsonl").read_text(encoding="utf-8").splitlines()]
    ids = {note["id"]: _id_of(note) for note in notes}
    with _memory(dict(_note(note, ids) for note in notes)) as memory:
        ranked = [
            Ranked(
                _names(memory, query["query"], project=query["project"]),
                frozenset(query["relevant"]),
                frozenset(query["must_not"]),
            )
            for query in queries
        ]
    answerable = [each for each in ranked if each.relevant]
    abstain = [each for each in ranked if not each.relevant]
    yield _row("coding notes, MRR", _mean(answerable, Ranked.reciprocal_rank), 0.78, f"{len(answerable)} queries")
    trapped = _mean(answerable, lambda each: float(each.is_trapped()))
    yield Row("coding notes, a look-alike first", f"{trapped:.1%}", "", "<= 1 %", trapped <= 0.01)
    silent = _mean(abstain, lambda each: float(not each.found))
    yield _row("coding notes, nothing found where nothing is", silent, 0.65, f"{len(abstain)} queries")


def _note(note: dict[str, Any], ids: dict[str, str]) -> tuple[str, str]:
    keys = ("name", "description", "type", "kind")
    head = "".join(f"{key}: {json.dumps(note[key], ensure_ascii=False)}\n" for key in keys)
    dates = f"created: {note['created']}\nupdated: {note['created']}\n"
    replaced = f"superseded_by: {ids[note['superseded_by']]}\n" if note["superseded_by"] in ids else ""
    path = ids[note["id"]].replace("project:", "projects:", 1).replace(":", "/")
    return f"{path}.md", f"---\n{head}{dates}{replaced}---\n\n{note['body']}\n"


def _id_of(note: dict[str, Any]) -> str:
    scope = {"shared": "shared:bench", "project": f"project:{note['project']}"}.get(note["scope"], note["scope"])
    return f"{scope}:{note['id']}"


def _memory(files: dict[str, str]) -> _Root:
    return _Root(files)


class _Root:
    """A memory of these files, in a folder that goes with it."""

    def __init__(self, files: dict[str, str]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="trinho-bench-")
        root = Path(self._folder.name) / "root"
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        self._memory = trinho.open_memory(root, environment={})

    def __enter__(self) -> Memory:
        return self._memory

    def __exit__(self, *_: object) -> None:
        self._memory.close()
        self._folder.cleanup()


def _names(memory: Memory, text: str, *, scope: str | None = None, project: str | None = None) -> tuple[str, ...]:
    answer = memory.service.search(SearchQuery(text, scope=scope, limit=_DEPTH, project=project))
    return tuple(result.entry.id.parts[-1] for result in answer.results)


def _mean(ranked: Iterable[Ranked], value: Callable[[Ranked], float]) -> float:
    values = [value(each) for each in ranked]
    return sum(values) / len(values)


def _row(what: str, measured: float, goal: float, beside: str) -> Row:
    return Row(what, f"{measured:.3f}", beside, f">= {goal:g}", measured >= goal)
