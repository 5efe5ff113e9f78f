"""How long a search by words takes in 10,000, 100,000 and a million entries, beside SQLite's own ranking.

The corpus is made: sixty words an entry, drawn from 20,000 made-up words as unevenly as the words of a language that
are no stop words; the commonest stands in every ninth entry. A query is eight words of one entry. Both sides search
the same text in one process and are measured in turns.
"""

from __future__ import annotations

import argparse
import tempfile
from bisect import bisect
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from random import Random
from time import process_time
from typing import TYPE_CHECKING

import apsw

from benchmarks.row import Row
from trinho.access.grant import Everything
from trinho.adapters.sqlite.index import SqliteIndex
from trinho.domain.entry import EntryType, Kind
from trinho.domain.ids import MemoryId
from trinho.domain.versions import FileMark
from trinho.ports.index import IndexRecord, Words
from trinho.retrieval import lexical
from trinho.retrieval.words import asked, index_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

GOALS_MS = {10_000: 1.0, 100_000: 5.0, 1_000_000: 20.0}
_WORDS_AN_ENTRY = 60
_WORDS_A_QUERY = 8
_QUERIES = 200
_BATCH = 10_000
_VOCABULARY = 20_000
_FIRST = datetime(2025, 1, 1, tzinfo=UTC)
_PRUNED = 8_000  # rows that SQLite may rank: the rarest words up to here


def rows() -> list[Row]:
    """The two smaller sizes: the third takes minutes to make."""
    return [row for size in (10_000, 100_000) for row in measured(size)]


def measured(size: int) -> Iterator[Row]:
    """The latency at one size, and that of SQLite's ranking on the same text."""
    with tempfile.TemporaryDirectory(prefix="trinho-bench-") as folder:
        texts = list(made_texts(size))
        index = SqliteIndex(f"{folder}/index.db")
        started = process_time()
        for start in range(0, size, _BATCH):
            index.put(_record(n, texts[n]) for n in range(start, min(start + _BATCH, size)))
        took = process_time() - started
        peer = _Peer(f"{folder}/peer.db", texts)
        queries = [" ".join(drawn(Random(f"query {n}"), texts[n * (size // _QUERIES)])) for n in range(_QUERIES)]
        ours, theirs = _in_turns(queries, lambda query: _search(index, query), peer.search)
        index.close()
    median, most = _percentile(ours, 50), _percentile(ours, 95)
    beside = f"p50 {median:.2f}; pruned FTS5 p50 {_percentile(theirs, 50):.2f} p95 {_percentile(theirs, 95):.2f} ms"
    goal = GOALS_MS[size]
    yield Row(f"search by words, {size:,} entries, CPU p95", f"{most:.2f} ms", beside, f"<= {goal:g} ms", most <= goal)
    yield Row(f"index of {size:,} entries, rows a CPU second", f"{size / took:,.0f}", "", "", True)


def _search(index: SqliteIndex, query: str) -> None:
    sight = Everything()
    question = asked(query)

    def best(reader: object) -> object:
        ranking = lexical.rank(reader, question, sight)  # type: ignore[arg-type]
        return reader.listed([each.row for each in ranking.scored[:10]])  # type: ignore[attr-defined]

    index.read(best)


class _Peer:
    """FTS5's bm25 over the rarest words of a query."""

    def __init__(self, path: str, texts: Sequence[str]) -> None:
        self._connection = apsw.Connection(path)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("CREATE VIRTUAL TABLE t USING fts5(text, content='', tokenize='porter unicode61')")
        self._connection.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, row)")
        with self._connection:
            self._connection.executemany("INSERT INTO t(rowid, text) VALUES (?, ?)", enumerate(texts, 1))
        found = self._connection.execute("SELECT term, doc FROM v")
        self._holding: dict[str, int] = {str(term): int(str(doc)) for term, doc in found}

    def search(self, query: str) -> None:
        terms = sorted((self._holding.get(term, 0), term) for term in set(query.split()))
        kept: list[str] = []
        room = _PRUNED
        for holding, term in terms:
            if kept and holding > room:
                break
            kept.append(f'"{term}"')
            room -= holding
        sql = "SELECT rowid FROM t(?) ORDER BY rank LIMIT 10"
        self._connection.execute(sql, (" OR ".join(kept),)).fetchall()


def _in_turns(
    queries: Sequence[str], one: Callable[[str], None], other: Callable[[str], None]
) -> tuple[list[float], list[float]]:
    took: tuple[list[float], list[float]] = ([], [])
    for query in queries[: len(queries) // 4]:  # warm
        one(query)
        other(query)
    for query in queries:
        for act, times in zip((one, other), took, strict=True):
            started = process_time()
            act(query)
            times.append((process_time() - started) * 1000)
    return took


def _percentile(values: Sequence[float], share: int) -> float:
    return sorted(values)[min(len(values) - 1, len(values) * share // 100)]


def made_texts(size: int) -> Iterator[str]:
    random = Random(7)
    vocabulary = [_word(random) for _ in range(_VOCABULARY)]
    often = list(accumulate(1 / (rank + 100) for rank in range(_VOCABULARY)))
    for _ in range(size):
        yield " ".join(vocabulary[bisect(often, random.random() * often[-1])] for _ in range(_WORDS_AN_ENTRY))


def _word(random: Random) -> str:
    return "".join(random.choice("bdfgklmnprtvz") + random.choice("aeiou") for _ in range(random.randint(2, 4)))


def drawn(random: Random, text: str) -> list[str]:
    return random.sample(text.split(), _WORDS_A_QUERY)


def _record(n: int, text: str) -> IndexRecord:
    id = MemoryId(("project", f"p{n % 20}", f"n{n}"))
    at = _FIRST + timedelta(minutes=n)
    return IndexRecord(
        path=f"projects/p{n % 20}/n{n}.md",
        id=id,
        mark=FileMark(n + 1, len(text), n),
        sha256=f"{n:064x}",
        kind=Kind.FACT,
        type=EntryType.PROJECT,
        name=f"n{n}",
        description=text[:60],
        created_at=at,
        updated_at=at,
        body_sha256="",
        words=Words(index_text(text), index_text(f"p{n % 20} n{n}")),
    )


def main() -> None:
    """One size, as `python -m benchmarks.latency 1000000`."""
    options = argparse.ArgumentParser(description="latency of search by words")
    options.add_argument("size", type=int, choices=sorted(GOALS_MS))
    for row in measured(options.parse_args().size):
        print(row)


if __name__ == "__main__":
    main()
