"""Rivals that run in our own process: SQLite's full text, a count of words, and Trinho itself."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

import trinho
from trinho.retrieval.words import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD = re.compile(r"\w+")


class FullText:
    """FTS5 with Porter's stemmer, accents taken off, stop words left out of the query, and its own ranking."""

    def __init__(self, folder: str) -> None:
        self._connection = apsw.Connection(f"{folder}/fts.db")
        self._connection.execute(
            "CREATE VIRTUAL TABLE t USING fts5(id UNINDEXED, text, tokenize='porter unicode61 remove_diacritics 2')"
        )

    def add(self, id: str, text: str) -> None:
        self._connection.execute("INSERT INTO t VALUES (?, ?)", (id, text))

    def search(self, query: str, most: int) -> Sequence[str]:
        words = [word for word in _WORD.findall(query.lower()) if word not in STOP_WORDS]
        if not words:
            return ()
        quoted = " OR ".join(f'"{word}"' for word in words)
        rows = self._connection.execute("SELECT id FROM t WHERE t MATCH ? ORDER BY rank LIMIT ?", (quoted, most))
        return [str(id) for (id,) in rows]

    def close(self) -> None:
        self._connection.close()


class Grep:
    """How often the words of the query stand in a text, as one would look with grep."""

    def __init__(self, folder: str) -> None:  # noqa: ARG002 - every rival is given one
        self._texts: dict[str, Counter[str]] = {}

    def add(self, id: str, text: str) -> None:
        self._texts[id] = Counter(_WORD.findall(text.lower()))

    def search(self, query: str, most: int) -> Sequence[str]:
        words = {word for word in _WORD.findall(query.lower()) if word not in STOP_WORDS}
        counted = [(-sum(text[word] for word in words), id) for id, text in self._texts.items()]
        return [id for count, id in sorted(counted)[:most] if count]

    def close(self) -> None:
        """Nothing is held outside."""


class Trinho:
    """Files in a root, one an entry of kind log, found through the library."""

    def __init__(self, folder: str) -> None:
        self._root = Path(folder) / "root"
        self._ids: dict[str, str] = {}
        self._memory: trinho.Memory | None = None

    def add(self, id: str, text: str) -> None:
        place = self._root / "projects/rival" / f"{id}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"---\nkind: log\n---\n\n{text}\n", encoding="utf-8")

    def search(self, query: str, most: int) -> Sequence[str]:
        if self._memory is None:
            self._memory = trinho.open_memory(self._root, environment={})
            self._memory.rebuild_index()
        return [result.entry.id.parts[-1] for result in self._memory.search(query, limit=most).results]

    def close(self) -> None:
        if self._memory is not None:
            self._memory.close()
