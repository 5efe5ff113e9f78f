"""The table of rivals: LoCoMo's turns, each conversation alone, the same text and questions for all."""

from __future__ import annotations

import argparse
import json
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.recall import SHARED, turns
from benchmarks.rivals import hooks
from benchmarks.rivals.inside import FullText, Grep, Trinho
from benchmarks.rivals.outside import RivalUnavailableError, Worker
from benchmarks.rivals.rival import HEAD, Measured

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from benchmarks.rivals.rival import Rival

RESULTS = Path(__file__).parents[1] / "results"
RIVALS: Mapping[str, Callable[[str], Rival]] = {
    "Trinho, by words": Trinho,
    "FTS5 porter, no stop words": FullText,
    "grep, words counted": Grep,
    "mnemosyne 3.15, by words": lambda folder: Worker("mnemosyne", folder),
    "chromadb 1.5 with e5-small": lambda folder: Worker("chromadb", folder),
}
_ANSWERABLE = (1, 2, 3, 4)


def main() -> None:
    """Print a line for each rival as soon as it is measured."""
    options = argparse.ArgumentParser(description="other memories on the same questions")
    options.add_argument("--rivals", default="", help="parts of their names, separated by commas")
    options.add_argument("--conversations", type=int, default=2, help="of the ten")
    options.add_argument("--keep", action="store_true", help="write the table into benchmarks/results/")
    given = options.parse_args()
    if not SHARED.is_dir():
        print(f"not measured: {SHARED} isn't there")
        return
    conversations = json.loads((SHARED / "data/locomo/locomo10.json").read_text(encoding="utf-8"))
    lines = [f"{given.conversations} conversations of LoCoMo, CPU times", HEAD]
    print("\n".join(lines))
    for name, open_rival in RIVALS.items():
        if any(part.lower() in name.lower() for part in given.rivals.split(",")):
            line = _line(name, open_rival, conversations[: given.conversations])
            print(line, flush=True)
            lines.append(line)
    if any(part.lower() in "claude-mem's hook" for part in given.rivals.split(",")):
        lines.append(hooks.line())
        print(lines[-1])
    if given.keep:
        path = RESULTS / f"rivals-{datetime.now(UTC):%Y-%m-%d}.txt"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _line(name: str, open_rival: Callable[[str], Rival], conversations: list[dict[str, Any]]) -> str:
    measured = Measured()
    try:
        for conversation in conversations:
            with tempfile.TemporaryDirectory(prefix="trinho-rival-") as folder:
                _ask(open_rival(folder), conversation, measured)
        with tempfile.TemporaryDirectory(prefix="trinho-rival-") as folder:
            rival = open_rival(folder)
            measured.unaccented = finds_without_accents(rival)
            rival.close()
    except RivalUnavailableError as error:
        return f"{name:<28} not measured: {error}"
    return measured.row(name)


def _ask(rival: Rival, conversation: dict[str, Any], measured: Measured) -> None:
    measured.put(rival, turns(conversation))
    for question in conversation["qa"]:
        if question["category"] in _ANSWERABLE and question["evidence"]:
            wanted = frozenset(each.replace(":", "-") for each in question["evidence"])
            measured.ask(rival, question["question"], wanted)
    rival.close()


def finds_without_accents(rival: Rival) -> bool:
    """Whether "moi truong" finds the text with "môi trường" among others."""
    texts = {
        "right": "Ghi chú về môi trường kiểm thử của nhóm.",
        "other": "Deploy on Thursdays.",
        "more": "Cà phê sáng.",
    }
    for id, text in texts.items():
        rival.add(id, text)
    return list(rival.search("moi truong", 1)) == ["right"]


if __name__ == "__main__":
    main()
