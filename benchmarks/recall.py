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


def rows() -> list[Row]:
    """A row for each goal of recall by words."""
    if not SHARED.is_dir():
        return [Row("quality of recall", "not measured", f"{SHARED} isn't there", "", True)]
    return [*_locomo_rows(), *_xquad_rows(), *_coding_rows()]


def _locomo_rows() -> Iterator[Row]:
    alone, together = locomo(), locomo(together=True)
    for what, value, goal in (("R@5", recall_at(5), 0.66), ("R@10", recall_at(10), 0.75), ("MRR", reciprocal, 0.55)):
        beside = f"{mean(together, value):.3f} with all ten asked at once; {len(alone)} questions"
        yield _row(f"LoCoMo turns by words, {what}", mean(alone, value), goal, beside)


def _xquad_rows() -> Iterator[Row]:
    for what, bare, goal in (("accented", False, 0.95), ("without accents", True, 0.94)):
        alone, mixed = xquad(bare=bare), xquad(bare=bare, mixed=True)
        beside = f"{mean(mixed, recall_at(1)):.3f} among English ones; {len(alone)} questions"
        yield _row(f"XQuAD-vi, {what}, R@1", mean(alone, recall_at(1)), goal, beside)


def _coding_rows() -> Iterator[Row]:
    asked, elsewhere, withheld = coding(), coding(project=False), coding(replaced=False)
    answerable = [each for each in asked if each.relevant]
    beside = f"{len(answerable)} queries; {mean(_answerable(elsewhere), reciprocal):.3f} without the project"
    yield _row("coding notes, MRR", mean(answerable, reciprocal), 0.78, beside)
    share = mean(answerable, trapped)
    beside = f"{mean(_answerable(withheld), trapped):.1%} where superseded_by is withheld"
    yield Row("coding notes, a look-alike first", f"{share:.1%}", beside, "<= 1 %", share <= 0.01)
    abstain = [each for each in asked if not each.relevant]
    beside = f"{len(abstain)} queries"
    yield _row("coding notes, nothing shown where nothing is", mean(abstain, silent), 0.65, beside)


def _answerable(ranked: Iterable[Ranked]) -> list[Ranked]:
    return [each for each in ranked if each.relevant]


def recall_at(depth: int) -> Callable[[Ranked], float]:
    return lambda each: len(each.relevant & set(each.found[:depth])) / len(each.relevant)


def reciprocal(each: Ranked) -> float:
    """One divided by the rank of the first right one, 0 where none was found."""
    return next((1 / rank for rank, id in enumerate(each.found, 1) if id in each.relevant), 0.0)


def trapped(each: Ranked) -> float:
    """1 where a look-alike stands above the right ones."""
    first = next((id for id in each.found if id in each.relevant or id in each.must_not), None)
    return float(first in each.must_not)


def silent(each: Ranked) -> float:
    """1 where nothing was found."""
    return float(not each.found)


def locomo(*, together: bool = False) -> list[Ranked]:
    """Questions about ten long conversations, each asked in its own, or in all of them together."""
    conversations = json.loads((SHARED / "data/locomo/locomo10.json").read_text(encoding="utf-8"))
    files = {f"projects/{c['sample_id']}/{id}.md": text for c in conversations for id, text in _turns(c)}
    with memory_of(files) as memory:
        return [
            Ranked(
                _ids(memory, q["question"], scope=None if together else f"project:{c['sample_id']}"),
                frozenset(f"project:{c['sample_id']}:{e.replace(':', '-')}" for e in q["evidence"]),
            )
            for c in conversations
            for q in c["qa"]
            if q["category"] in _ANSWERABLE and q["evidence"]
        ]


def turns(conversation: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The turns of a conversation in their order: their names, and what is said with who says it and when."""
    sessions = conversation["conversation"]
    for key in sorted((key for key in sessions if re.fullmatch(r"session_\d+", key)), key=lambda key: int(key[8:])):
        for turn in sessions[key]:
            caption = f" {turn['blip_caption']}" if turn.get("blip_caption") else ""
            text = f"{turn['speaker']}: {turn['text']}{caption}\n\n({sessions[f'{key}_date_time']})"
            yield turn["dia_id"].replace(":", "-"), text


def _turns(conversation: dict[str, Any]) -> Iterator[tuple[str, str]]:
    return ((id, f"---\nkind: log\n---\n\n{text}\n") for id, text in turns(conversation))


def xquad(*, bare: bool = False, mixed: bool = False) -> list[Ranked]:
    """Vietnamese questions about 240 paragraphs, without accents if they are `bare`, among English ones if `mixed`."""
    files, asked = {}, []
    for language in ("vi", "en") if mixed else ("vi",):
        articles = json.loads((SHARED / f"data/xquad/xquad.{language}.json").read_text(encoding="utf-8"))["data"]
        for n, paragraph in enumerate(paragraph for article in articles for paragraph in article["paragraphs"]):
            files[f"shared/{language}/p{n}.md"] = f"{paragraph['context']}\n"
            if language == "vi":
                asked += [(q["question"], f"shared:vi:p{n}") for q in paragraph["qas"]]
    with memory_of(files) as memory:
        return [Ranked(_ids(memory, _bare(text) if bare else text), frozenset([id])) for text, id in asked]


def _bare(text: str) -> str:
    decomposed = unicodedata.normalize("NFD", text.replace("đ", "d").replace("Đ", "D"))
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def coding(*, project: bool = True, replaced: bool = True) -> list[Ranked]:
    """Queries of coding teams, asked from their project, where it is told what has been replaced."""
    folder = SHARED / "cases/recall"
    notes = [json.loads(line) for line in (folder / "memories.jsonl").read_text(encoding="utf-8").splitlines()]
    queries = [json.loads(line) for line in (folder / "queries.dev.jsonl").read_text(encoding="utf-8").splitlines()]
    ids = {note["id"]: _id_of(note) for note in notes}
    with memory_of(dict(_note(note, ids, replaced=replaced) for note in notes)) as memory:
        return [
            Ranked(
                _ids(memory, query["query"], project=query["project"] if project else None),
                frozenset(ids[id] for id in query["relevant"]),
                frozenset(ids[id] for id in query["must_not"]),
            )
            for query in queries
        ]


def _note(note: dict[str, Any], ids: dict[str, str], *, replaced: bool) -> tuple[str, str]:
    keys = ("name", "description", "type", "kind")
    head = "".join(f"{key}: {json.dumps(note[key], ensure_ascii=False)}\n" for key in keys)
    dates = f"created: {note['created']}\nupdated: {note['created']}\n"
    by = f"superseded_by: {ids[note['superseded_by']]}\n" if replaced and note["superseded_by"] in ids else ""
    path = ids[note["id"]].replace("project:", "projects:", 1).replace(":", "/")
    return f"{path}.md", f"---\n{head}{dates}{by}---\n\n{note['body']}\n"


def _id_of(note: dict[str, Any]) -> str:
    scope = {"shared": "shared:bench", "project": f"project:{note['project']}"}.get(note["scope"], note["scope"])
    return f"{scope}:{note['id']}"


class memory_of:  # noqa: N801 - it is used as a function
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


def _ids(memory: Memory, text: str, *, scope: str | None = None, project: str | None = None) -> tuple[str, ...]:
    answer = memory.search(text, scope=scope, limit=_DEPTH, project=project)
    return tuple(str(result.entry.id) for result in answer.results)


def mean(ranked: Iterable[Ranked], value: Callable[[Ranked], float]) -> float:
    values = [value(each) for each in ranked]
    return sum(values) / len(values)


def _row(what: str, measured: float, goal: float, beside: str) -> Row:
    return Row(what, f"{measured:.3f}", beside, f">= {goal:g}", measured >= goal)
