"""What the index knows of words, in one state of it."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from trinho.adapters.sqlite.rows import LISTED_COLUMNS, decoding, id_of, listed
from trinho.ports.index import Listed, Postings, Statistics, Words

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    import apsw

    from trinho.access.grant import Sight
    from trinho.domain.entry import EntryType, Kind
    from trinho.domain.ids import MemoryId

# INVARIANT: a row is a hash of the ID and, in its last bits, the number of the branch. So what is visible is told by
# the row alone, and the first rows of a term are a fair sample of all, whichever order they were written in.
_BRANCH_BITS = 16
NO_BRANCH = (1 << _BRANCH_BITS) - 1
_HASH_BITS = 46
_HASHES = 1 << _HASH_BITS
_MOST_IN_A_LIST = 500
_LONGEST_LINE = 2_000
_AGES = "SELECT row, updated FROM files WHERE row IN"


def row_of(text: str, branch: int) -> int:
    """The row for an ID, or the path of a file that has none, in the branch of that number."""
    digest = blake2b(text.encode("utf-8", "surrogateescape"), digest_size=8).digest()
    return (int.from_bytes(digest, "big") % _HASHES) << _BRANCH_BITS | branch


class KindRows:
    """The rows of all entries of some kinds and types, as long as the index doesn't change."""

    def __init__(self) -> None:
        self._known: dict[object, tuple[object, frozenset[int]]] = {}

    def all(self, what: object, stamp: object, read: Callable[[], frozenset[int]]) -> frozenset[int]:
        known = self._known.get(what)
        if known is None or known[0] != stamp:
            known = self._known[what] = (stamp, read())
        return known[1]


class SqliteWords:
    """See ports.index.WordReader."""

    def __init__(self, connection: apsw.Connection, path: str, kinds: KindRows) -> None:
        self._kinds = kinds
        self._connection = connection
        self._path = path
        self._seen: tuple[Sight, _Seen] | None = None
        self._branches: dict[int, tuple[str, ...]] = {}
        self._lines: dict[str, _Line | None] = {}

    def statistics(self, sight: Sight) -> Statistics:
        return self._seen_by(sight).statistics

    def postings(self, term: str, sight: Sight, most: int) -> Postings:
        return self._postings(f'"{term}"', sight, most)

    def beginning(self, prefix: str, sight: Sight, most: int) -> Postings:
        return self._postings(f'"{prefix}" *', sight, most)

    def words(self, rows: Collection[int]) -> dict[int, Words]:
        sql = "SELECT row, body, head, summary, accented, meanings FROM texts WHERE row IN"
        return decoding(self._path, _words, self._of(sql, rows))

    def around(self, rows: Collection[int], sight: Sight, reach: int) -> dict[int, dict[int, int]]:
        seen = self._seen_by(sight)
        places = self._of("SELECT row, sequence, place FROM texts WHERE sequence IS NOT NULL AND row IN", rows)
        around: dict[int, dict[int, int]] = {}
        for row, sequence, place in places:
            line = self._line(sequence, seen)
            if line is None:
                around[row] = {
                    way * distance: other
                    for way, sign, order in ((-1, "<", "DESC"), (1, ">", "ASC"))
                    for distance, other in enumerate(self._beside(sequence, place, sign, order, seen, reach), 1)
                }
            elif row in line.at:
                at = line.at[row]
                first = max(0, at - reach)
                beside = enumerate(line.rows[first : at + reach + 1], first - at)
                around[row] = {distance: other for distance, other in beside if distance}
        return around

    def listed(self, rows: Collection[int]) -> dict[int, Listed]:
        found = self._of(f"SELECT row, {LISTED_COLUMNS} FROM files WHERE row IN", rows)  # noqa: S608
        return {row: decoding(self._path, _listed, columns) for row, *columns in found}

    def of_kind(self, rows: Collection[int], kinds: Collection[Kind], types: Collection[EntryType]) -> Collection[int]:
        if not kinds and not types:
            return rows
        condition, values = _of_kind(kinds, types)
        if len(rows) > _MOST_IN_A_LIST:
            all_of_kind = self._kinds.all((condition, values), self._stamp(), lambda: self._whole(condition, values))
            return all_of_kind.intersection(rows)
        rows = list(rows)
        kept: set[int] = set()
        for start in range(0, len(rows), _MOST_IN_A_LIST):
            part = rows[start : start + _MOST_IN_A_LIST]
            sql = f"SELECT row FROM files WHERE {condition} AND row IN ({_marks(part)})"  # noqa: S608
            kept.update(row for (row,) in self._each(sql, (*values, *part)))
        return kept

    def _stamp(self) -> object:
        return self._connection.pragma("data_version"), self._connection.total_changes()

    def _whole(self, condition: str, values: Sequence[str]) -> frozenset[int]:
        found = self._rows(f"SELECT row FROM files WHERE {condition}", tuple(values))  # noqa: S608
        return frozenset(row for (row,) in found)

    def newest_of(self, rows: Collection[int], most: int) -> list[int]:
        aged = decoding(self._path, sorted, ((-updated, row) for row, updated in self._of(_AGES, rows)))
        return [row for _, row in aged[:most]]

    def branch_of(self, row: int) -> tuple[str, ...]:
        if not self._branches:
            found = self._rows("SELECT branch, name FROM branches")
            self._branches = decoding(
                self._path, lambda: {branch: tuple(str(name).split(":")) for branch, name in found}
            )
        return self._branches[row & NO_BRANCH]

    def row_of(self, id: MemoryId) -> int | None:
        sql = "SELECT branch FROM branches WHERE name = ?"
        for (branch,) in self._rows(sql, (":".join(id.branch),)):
            row = row_of(str(id), branch)
            while found := self._rows("SELECT id FROM files WHERE row = ?", (row,)):
                if found[0][0] == str(id):
                    return row
                row += NO_BRANCH + 1
        return None

    def newest(
        self, sight: Sight, most: int, kinds: Collection[Kind] = (), types: Collection[EntryType] = ()
    ) -> list[Listed]:
        condition, values = _of_kind(kinds, types)
        sql = f"""SELECT {LISTED_COLUMNS} FROM files WHERE updated IS NOT NULL AND {condition}
            ORDER BY updated DESC, id"""  # noqa: S608
        rows: list[Listed] = []
        for columns in self._each(sql, values):
            row = decoding(self._path, _listed, columns)
            if sight(row.id):
                rows.append(row)
                if len(rows) >= most:
                    break
        return rows

    def _postings(self, query: str, sight: Sight, most: int) -> Postings:
        seen = self._seen_by(sight)
        sql = f"SELECT rowid FROM words(?1){seen.condition} ORDER BY rowid"  # noqa: S608
        if seen.rows is None:
            rows = [row for (row,) in self._each(f"{sql} LIMIT ?2", (query, most + 1))]
        else:
            rows = []
            for (row,) in self._each(sql, (query,)):
                if row in seen.rows or row & NO_BRANCH in seen.branches:
                    rows.append(row)
                    if len(rows) > most:
                        break
        if len(rows) <= most:
            return Postings(rows, float(len(rows)))
        rows.pop()
        return Postings(rows, most * _HASHES / ((rows[-1] >> _BRANCH_BITS) + 1))

    def _line(self, sequence: str, seen: _Seen) -> _Line | None:
        """All seen rows of a sequence; None where they are too many to be read for the few that are asked for."""
        if sequence not in self._lines:
            sql = "SELECT row FROM texts WHERE sequence = ? ORDER BY place, row LIMIT ?"
            rows = [row for (row,) in self._each(sql, (sequence, _LONGEST_LINE + 1))]
            kept = [row for row in rows if seen.holds(row)]
            self._lines[sequence] = None if len(rows) > _LONGEST_LINE else _Line(kept)
        return self._lines[sequence]

    def _beside(self, sequence: str, place: str, sign: str, order: str, seen: _Seen, reach: int) -> Iterator[int]:
        sql = f"SELECT row FROM texts WHERE sequence = ? AND place {sign} ? ORDER BY place {order}"  # noqa: S608
        for (row,) in self._each(sql, (sequence, place)):
            if seen.holds(row):
                yield row
                reach -= 1
                if not reach:
                    return

    def _seen_by(self, sight: Sight) -> _Seen:
        if self._seen is None or self._seen[0] is not sight:
            self._lines.clear()
            self._seen = (sight, self._look(sight))
        return self._seen[1]

    def _look(self, sight: Sight) -> _Seen:
        whole: set[int] = set()
        part: list[int] = []
        sums = [0, 0, 0, 0]
        hidden = False
        sql = "SELECT branch, name, entries, body, head, summary FROM branches WHERE entries"
        for branch, name, *counts in self._rows(sql):
            seen = sight.of_branch(tuple(str(name).split(":")))
            if seen:
                whole.add(branch)
                sums = decoding(self._path, lambda: [a + b for a, b in zip(sums, counts, strict=True)])  # noqa: B023
            else:
                hidden = True
                if seen is None:
                    part.append(branch)
        rows = set(self._rows_among(part, sight, sums)) if part else None
        condition = ""
        if hidden and len(whole) + len(part) <= _MOST_IN_A_LIST:
            condition = f" WHERE rowid & {NO_BRANCH} IN ({', '.join(map(str, sorted([*whole, *part])))})"
        elif hidden and rows is None:
            rows = set()
        return _Seen(Statistics(sums[0], (sums[1], sums[2], sums[3])), whole, rows, condition)

    def _rows_among(self, branches: Iterable[int], sight: Sight, sums: list[int]) -> Iterator[int]:
        """The seen rows of branches that are seen in part; their words are added to the sums."""
        sql = f"""SELECT row, id, texts.body, head, summary FROM texts JOIN files USING (row)
            WHERE row & {NO_BRANCH} IN ({", ".join(map(str, branches))})"""  # noqa: S608
        for row, text, *texts in self._each(sql):
            if sight(decoding(self._path, id_of, text)):
                sums[0] += 1
                for place, each in enumerate(texts, 1):
                    sums[place] += max(0, str(each).count(" ") - 1)
                yield row

    def _of(self, sql: str, rows: Collection[int]) -> Iterator[tuple[Any, ...]]:
        given = list(rows)
        for start in range(0, len(given), _MOST_IN_A_LIST):
            part = given[start : start + _MOST_IN_A_LIST]
            yield from self._each(f"{sql} ({_marks(part)})", part)

    def _rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        return list(self._each(sql, values))

    def _each(self, sql: str, values: Sequence[object] = ()) -> Iterator[tuple[Any, ...]]:
        return self._connection.execute(sql, values)


class _Line:
    """The rows of a sequence in their order, and where each stands."""

    __slots__ = ("at", "rows")

    def __init__(self, rows: Sequence[int]) -> None:
        self.rows = rows
        self.at = {row: place for place, row in enumerate(rows)}


class _Seen:
    """Which rows somebody sees: those of some branches, and in others some rows, where `rows` is not None."""

    __slots__ = ("branches", "condition", "rows", "statistics")

    def __init__(self, statistics: Statistics, branches: set[int], rows: set[int] | None, condition: str) -> None:
        self.statistics = statistics
        self.branches = branches
        self.rows = rows
        self.condition = condition

    def holds(self, row: int) -> bool:
        return row & NO_BRANCH in self.branches or (self.rows is not None and row in self.rows)


def _of_kind(kinds: Collection[Kind], types: Collection[EntryType]) -> tuple[str, tuple[str, ...]]:
    conditions = ["1"]
    values: list[str] = []
    for column, wanted in (("kind", kinds), ("type", types)):
        if wanted:
            conditions.append(f"{column} IN ({_marks(wanted)})")
            values += [each.value for each in wanted]
    return " AND ".join(conditions), tuple(values)


def _words(rows: Iterable[tuple[Any, ...]]) -> dict[int, Words]:
    words = {row: Words(*texts) for row, *texts in rows}
    if any(type(text) is not str for each in words.values() for text in each):
        raise ValueError("a text is none")
    return words


def _marks(values: Collection[object]) -> str:
    return ", ".join("?" * len(values))


def _listed(columns: Sequence[object]) -> Listed:
    return listed(id_of(columns[0]), columns)
