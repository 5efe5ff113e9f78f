"""What every search index must do. A backend applies it by a class with its `make`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trinho.access.grant import Everything, Sight, covering, parse_grant
from trinho.domain.entry import EntryType, Kind
from trinho.domain.ids import MemoryId, parse_memory_id
from trinho.domain.knowledge import Knowledge, MemoryType, Status, Veracity
from trinho.domain.versions import FileMark
from trinho.ports.index import IndexRecord, Listed, Place, Quarantined, SearchIndex, Statistics, WordReader, Words
from trinho.retrieval.words import asked, index_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CREATED = datetime(2026, 11, 3, 9, 30, 0, 123456, UTC)
UPDATED = datetime(2026, 12, 1, 23, 59, 59, 999999, UTC)

words_of_people = st.text(st.sampled_from("abAB01_-. đĐướệ黒猫ガ한글ที่—🙂"), max_size=12)
texts = words_of_people | st.text(max_size=12)
# One law for every backend, each with an index that lives through all of its examples
SHARED = [HealthCheck.function_scoped_fixture, HealthCheck.differing_executors]
IDS = [parse_memory_id(f"shared:facts:{name}") for name in ("a", "a-b", "a:b", "b", "Z", "é", "日")]


everything = Everything()


class Only:
    """A sight by a predicate, which says nothing of whole branches."""

    def __init__(self, sees: Callable[[MemoryId], bool]) -> None:
        self._sees = sees

    def __call__(self, id: MemoryId) -> bool:
        return self._sees(id)

    def of_branch(self, branch: tuple[str, ...]) -> bool | None:
        return None


def record(id: str = "shared:a", words: str | Words = "", **changed: object) -> IndexRecord:
    made = IndexRecord(
        path=id.replace(":", "/") + ".md",
        id=parse_memory_id(id),
        mark=FileMark(7, 120, 1_700_000_000_000_000_001),
        sha256="ab" * 32,
        kind=Kind.DECISION,
        type=EntryType.FEEDBACK,
        name="A name",
        description="What it says",
        created_at=CREATED,
        updated_at=UPDATED,
        body_sha256="",
        words=Words(index_text(words)) if isinstance(words, str) else words,
    )
    return made._replace(**changed)  # type: ignore[arg-type]


def ids(found: list[Listed]) -> list[str]:
    return [str(row.id) for row in found]


def holding(index: SearchIndex, term: str, sight: Sight = everything) -> list[str]:
    """The IDs of the entries that hold a term, in their order as text."""

    def ids_of(reader: WordReader) -> list[str]:
        return sorted(str(row.id) for row in reader.listed(reader.postings(term, sight, 1000).rows).values())

    return index.read(ids_of)


class IndexContract:
    """Subclass it, name the class Test… and say how an empty index is made in a folder."""

    def make(self, folder: Path) -> SearchIndex:
        raise NotImplementedError

    @pytest.fixture
    def index(self, tmp_path: Path) -> SearchIndex:
        return self.make(tmp_path)

    def test_an_empty_index_knows_nothing(self, index: SearchIndex) -> None:
        assert index.marks() == {}
        assert index.listing(everything) == []
        assert holding(index, "a") == []
        assert index.quarantined() == []

    def test_a_listing_gives_back_what_was_put(self, index: SearchIndex) -> None:
        index.put([record("shared:a")])
        assert index.listing(everything) == [
            Listed(
                id=parse_memory_id("shared:a"),
                kind=Kind.DECISION,
                type=EntryType.FEEDBACK,
                name="A name",
                description="What it says",
                created_at=CREATED,
                updated_at=UPDATED,
                sha256=record("shared:a").sha256,
                size=record("shared:a").mark.size,
            )
        ]

    @pytest.mark.parametrize("kind", Kind)
    @pytest.mark.parametrize("type", EntryType)
    def test_every_kind_and_type_comes_back(self, index: SearchIndex, kind: Kind, type: EntryType) -> None:
        index.put([record(kind=kind, type=type)])
        [row] = index.listing(everything)
        assert (row.kind, row.type) == (kind, type)

    @pytest.mark.parametrize(
        "at",
        [
            datetime(1, 1, 1, tzinfo=UTC),
            datetime(1969, 12, 31, 23, 59, 59, 999999, UTC),
            datetime.max.replace(tzinfo=UTC),
        ],
        ids=str,
    )
    def test_any_instant_comes_back(self, index: SearchIndex, at: datetime) -> None:
        index.put([record(created_at=at, updated_at=at)])
        [row] = index.listing(everything)
        assert (row.created_at, row.updated_at) == (at, at)
        assert row.created_at.utcoffset() == timedelta(0)

    @pytest.mark.parametrize("text", ["", "Quy ước ☂ 🙂", "a\0b", "line\nline", 'it\'s "so"; --'])
    def test_any_text_comes_back(self, index: SearchIndex, text: str) -> None:
        index.put([record(name=text, description=text)])
        [row] = index.listing(everything)
        assert (row.name, row.description) == (text, text)

    @pytest.mark.parametrize(
        "mark",
        [FileMark(0, 0, 0), FileMark(2**64 - 1, 2**40, 2**62), FileMark(2**63, 1, -1), FileMark(1, 1, 1)],
        ids=str,
    )
    def test_marks_come_back_for_sound_and_quarantined_files(self, index: SearchIndex, mark: FileMark) -> None:
        index.put([record("shared:a", mark=mark), Quarantined("shared/b.md", None, mark, 3, "why")])
        assert index.marks() == {"shared/a.md": mark, "shared/b.md": mark}

    def test_a_listing_is_in_the_order_of_ids(self, index: SearchIndex) -> None:
        index.put([record(str(id)) for id in IDS])
        assert ids(index.listing(everything)) == sorted(str(id) for id in IDS)
        index.put([record(str(IDS[0]))])
        assert ids(index.listing(everything)) == sorted(str(id) for id in IDS)

    def test_a_listing_covers_only_what_is_visible(self, index: SearchIndex) -> None:
        index.put([record("shared:a"), record("private:worker:b"), record("shared:c")])
        assert ids(index.listing(lambda seen: seen.parts[0] == "shared")) == ["shared:a", "shared:c"]
        assert index.listing(lambda _: False) == []

    def test_a_listing_can_be_of_the_paths_below_a_folder(self, index: SearchIndex) -> None:
        index.put([record(id) for id in ("shared:a", "shared:a:b", "shared:ab", "shared:á:b", "project:x:a:b")])
        assert ids(index.listing(everything, "shared/a/")) == ["shared:a:b"]
        assert ids(index.listing(everything, "shared/")) == ["shared:a", "shared:a:b", "shared:ab", "shared:á:b"]
        assert ids(index.listing(everything, "shared/á")) == ["shared:á:b"]
        assert index.listing(everything, "shared/%") == []
        assert len(index.listing(everything, "")) == 5

    def test_a_term_is_a_whole_word(self, index: SearchIndex) -> None:
        index.put([record("shared:a", "kubernetes"), record("shared:b", "the kube script")])
        assert holding(index, "kube") == ["shared:b"]
        assert holding(index, "kubernet") == ["shared:a"]

    def test_a_term_is_found_in_every_field(self, index: SearchIndex) -> None:
        for field in ("body", "head", "summary"):
            index.put([record(f"shared:{field}", words=Words(**{field: " red "}))])
        index.put([record("shared:accented", words=Words(accented=" red "))])
        assert holding(index, "red") == ["shared:body", "shared:head", "shared:summary"]

    def test_a_beginning_is_that_of_any_word(self, index: SearchIndex) -> None:
        index.put([record("shared:a", "kubernetes cluster"), record("shared:b", "kube"), record("shared:c", "cub")])
        found = index.read(lambda reader: reader.listed(reader.beginning("kub", everything, 9).rows))
        assert sorted(str(row.id) for row in found.values()) == ["shared:a", "shared:b"]

    def test_the_first_rows_tell_how_many_there_are(self, index: SearchIndex) -> None:
        index.put([record(f"shared:n{n}", "red") for n in range(400)])
        every = index.read(lambda reader: reader.postings("red", everything, 400))
        assert (len(every.rows), every.total) == (400, 400.0)
        some = index.read(lambda reader: reader.postings("red", everything, 100))
        assert list(some.rows) == list(every.rows)[:100]
        assert 250 < some.total < 600
        assert index.read(lambda reader: reader.beginning("re", everything, 100)) == some

    def test_rows_do_not_depend_on_the_order_in_which_entries_came(self, index: SearchIndex, tmp_path: Path) -> None:
        names = [f"shared:n{n}" for n in range(50)]
        index.put([record(name, "red") for name in names])
        (tmp_path / "other").mkdir()
        other = self.make(tmp_path / "other")
        for name in reversed(names):
            other.put([record(name, "red")])

        def order(reader: WordReader) -> list[str]:
            rows = reader.postings("red", everything, 1000).rows
            listed = reader.listed(rows)
            return [str(listed[row].id) for row in rows]

        assert index.read(order) == other.read(order)

    def test_statistics_are_of_what_is_seen(self, index: SearchIndex) -> None:
        index.put(
            [
                record("shared:a", words=Words(" one two ", " a ", "")),
                record("shared:b", words=Words(" one ", " b c ", " d ")),
                record("private:worker:x", words=Words(" one two three ")),
                Quarantined("shared/q.md", None, FileMark(1, 2, 3), 0, "why"),
            ]
        )
        assert index.read(lambda reader: reader.statistics(everything)) == Statistics(3, (6, 3, 1))
        for sight in (covering([parse_grant("shared")]), Only(lambda each: each.parts[0] == "shared")):
            assert index.read(lambda reader: reader.statistics(sight)) == Statistics(2, (3, 3, 1))  # noqa: B023
        sight = covering([parse_grant("shared:b")])
        assert index.read(lambda reader: reader.statistics(sight)) == Statistics(1, (1, 2, 1))
        index.put(
            [record("shared:b", words=Words(" one ")), Quarantined("shared/a.md", None, FileMark(1, 2, 3), 0, "w")]
        )
        index.drop(["private/worker/x.md"])
        assert index.read(lambda reader: reader.statistics(everything)) == Statistics(1, (1, 0, 0))

    def test_words_come_back(self, index: SearchIndex) -> None:
        given = Words(" quy uoc ", " head ", " summari ", " quy ước ")
        index.put([record("shared:a", words=given), record("shared:b", "red")])
        row = index.read(lambda reader: reader.row_of(parse_memory_id("shared:a")))
        assert row is not None
        assert index.read(lambda reader: reader.words([row, row + 1])) == {row: given}
        assert index.read(lambda reader: reader.branch_of(row)) == ("shared",)
        assert index.read(lambda reader: reader.row_of(parse_memory_id("shared:c"))) is None
        assert index.read(lambda reader: reader.row_of(parse_memory_id("project:x:c"))) is None

    def test_what_was_replaced_and_what_expires_comes_back(self, index: SearchIndex) -> None:
        index.put([record("shared:a", knowledge=Knowledge(superseded_by="shared:b", valid_until=UPDATED))])
        [row] = index.listing(everything)
        assert row.knowledge == Knowledge(superseded_by="shared:b", valid_until=UPDATED)

    def test_what_is_said_of_knowledge_comes_back(self, index: SearchIndex) -> None:
        said = Knowledge(
            domain="architecture",
            topic="database",
            memory_type=MemoryType.DECISION,
            veracity=Veracity.STATED,
            confidence=0.755,
            author="worker",
            agent="a1",
            sources=("obs-1", "obs-2"),
            supersedes=("shared:x",),
            superseded_by="shared:y",
            valid_until=UPDATED,
            status=Status.HELD,
            switched_off=True,
            required_role="main",
        )
        index.put([record("shared:a", knowledge=said), record("shared:b")])
        assert [row.knowledge for row in index.listing(everything)] == [said, Knowledge()]

    def test_entries_of_a_domain_and_topic(self, index: SearchIndex) -> None:
        said = {"shared:a": ("infra", "db"), "shared:b": ("infra", "ci"), "project:p:c": ("infra", "db")}
        index.put([record(id, knowledge=Knowledge(domain=d, topic=t)) for id, (d, t) in said.items()])
        index.put([record("shared:none")])
        assert [str(row.id) for row in index.about(everything, "infra", "db")] == ["project:p:c", "shared:a"]
        assert [str(row.id) for row in index.about(everything, "infra")] == ["project:p:c", "shared:a", "shared:b"]
        assert [str(row.id) for row in index.about(lambda each: each.parts[0] == "shared", "infra", "db")] == [
            "shared:a"
        ]
        index.drop(["shared/a.md"])
        assert [str(row.id) for row in index.about(everything, "infra", "db")] == ["project:p:c"]

    def test_the_winner_says_what_it_supersedes(self, index: SearchIndex) -> None:
        """Before the loser says it too, and only within one branch; a held one has superseded nothing yet."""
        winner = record("shared:new", knowledge=Knowledge(supersedes=("shared:old", "project:p:other")))
        index.put([record("shared:old"), record("project:p:other"), winner])
        by = {str(row.id): row.knowledge.superseded_by for row in index.listing(everything)}
        assert by == {"shared:old": "shared:new", "project:p:other": "", "shared:new": ""}
        index.put([winner._replace(knowledge=winner.knowledge._replace(status=Status.HELD))])
        assert not any(row.knowledge.superseded_by for row in index.listing(everything))
        index.put([winner])
        index.drop([winner.path])
        assert not any(row.knowledge.superseded_by for row in index.listing(everything))

    def test_of_two_that_supersede_each_other_the_later_one_does(self, index: SearchIndex) -> None:
        later = UPDATED + timedelta(seconds=1)
        index.put(
            [
                record("shared:a", knowledge=Knowledge(supersedes=("shared:b",)), updated_at=later),
                record("shared:b", knowledge=Knowledge(supersedes=("shared:a",))),
            ]
        )
        by = {str(row.id): row.knowledge.superseded_by for row in index.listing(everything)}
        assert by == {"shared:a": "", "shared:b": "shared:a"}

    def test_lines_of_a_log_have_lines_around_them(self, index: SearchIndex) -> None:
        places = {"shared:l1": "1", "shared:l2": "2", "private:worker:l3": "3", "shared:l4": "4", "shared:l5": "5"}
        index.put([record(id, place=Place("day", place)) for id, place in places.items()])
        index.put([record("shared:l25", place=Place("another", "25")), record("shared:none")])

        def around(reader: WordReader, id: str, sight: Sight, reach: int) -> dict[int, str]:
            row = reader.row_of(parse_memory_id(id))
            assert row is not None
            [found] = reader.around([row], sight, reach).values()
            listed = reader.listed(found.values())
            return {distance: str(listed[row].id) for distance, row in found.items()}

        assert index.read(lambda reader: around(reader, "shared:l2", everything, 2)) == {
            -1: "shared:l1",
            1: "private:worker:l3",
            2: "shared:l4",
        }
        for sight in (covering([parse_grant("shared")]), Only(lambda each: each.parts[0] == "shared")):
            found = index.read(lambda reader: around(reader, "shared:l2", sight, 1))  # noqa: B023
            assert found == {-1: "shared:l1", 1: "shared:l4"}
        row = index.read(lambda reader: reader.row_of(parse_memory_id("shared:none")))
        assert row is not None
        assert index.read(lambda reader: reader.around([row], everything, 2)) == {}

    def test_a_log_that_never_ends(self, index: SearchIndex) -> None:
        index.put([record(f"shared:l{n}", "red", place=Place("day", f"{n:06}")) for n in range(2_500)])

        def around(reader: WordReader) -> list[str]:
            row = reader.row_of(parse_memory_id("shared:l1234"))
            assert row is not None
            found = reader.around([row], everything, 2)[row]
            listed = reader.listed(found.values())
            return [str(listed[found[distance]].id) for distance in (-2, -1, 1, 2)]

        assert index.read(around) == ["shared:l1232", "shared:l1233", "shared:l1235", "shared:l1236"]

    def test_kinds_and_types_choose_among_rows(self, index: SearchIndex) -> None:
        index.put([record("shared:a", "red", kind=Kind.LOG), record("shared:b", "red", type=EntryType.USER)])

        def chosen(reader: WordReader, kinds: list[Kind], types: list[EntryType]) -> list[str]:
            rows = reader.of_kind(reader.postings("red", everything, 9).rows, kinds, types)
            return sorted(str(row.id) for row in reader.listed(rows).values())

        assert index.read(lambda reader: chosen(reader, [], [])) == ["shared:a", "shared:b"]
        assert index.read(lambda reader: chosen(reader, [Kind.LOG, Kind.FACT], [])) == ["shared:a"]
        assert index.read(lambda reader: chosen(reader, [], [EntryType.USER])) == ["shared:b"]
        assert index.read(lambda reader: chosen(reader, [Kind.LOG], [EntryType.USER])) == []

    def test_the_newest_come_first(self, index: SearchIndex) -> None:
        for n, id in enumerate(("shared:c", "private:worker:n", "shared:a", "shared:b")):
            index.put([record(id, updated_at=CREATED + timedelta(days=n // 3), kind=list(Kind)[n])])

        def newest(most: int, sight: Sight = everything, kinds: tuple[Kind, ...] = ()) -> list[str]:
            return ids(list(index.read(lambda reader: reader.newest(sight, most, kinds))))

        assert newest(9) == ["shared:b", "private:worker:n", "shared:a", "shared:c"]
        assert newest(2) == ["shared:b", "private:worker:n"]
        assert newest(2, Only(lambda each: each.parts[0] == "shared")) == ["shared:b", "shared:a"]
        assert newest(9, everything, (Kind.FACT, Kind.REFERENCE)) == ["shared:a", "shared:c"]

    def test_the_newest_of_some_rows(self, index: SearchIndex) -> None:
        index.put([record(f"shared:n{n}", "red", updated_at=CREATED + timedelta(days=n)) for n in range(700)])

        def newest(reader: WordReader) -> list[str]:
            rows = reader.newest_of(reader.postings("red", everything, 1000).rows, 3)
            listed = reader.listed(rows)
            return [str(listed[row].id) for row in rows]

        assert index.read(newest) == ["shared:n699", "shared:n698", "shared:n697"]

    def test_a_term_covers_only_what_is_seen(self, index: SearchIndex) -> None:
        index.put([record(id, "red") for id in ("shared:a", "shared:b", "project:x:a", "private:worker:b")])
        assert holding(index, "red", covering([parse_grant("shared")])) == ["shared:a", "shared:b"]
        assert holding(index, "red", covering([parse_grant("shared:b"), parse_grant("project:*")])) == [
            "project:x:a",
            "shared:b",
        ]
        assert holding(index, "red", Only(lambda each: each.parts[-1] == "b")) == ["private:worker:b", "shared:b"]
        assert holding(index, "red", covering([])) == []

    def test_more_branches_than_a_list_can_hold(self, index: SearchIndex) -> None:
        index.put([record(f"project:p{n}:a", "red") for n in range(600)])
        index.put([record("private:worker:a", "red")])
        assert len(holding(index, "red", covering([parse_grant("project:*")]))) == 600
        assert holding(index, "red", covering([parse_grant("project:p7"), parse_grant("private:worker")])) == [
            "private:worker:a",
            "project:p7:a",
        ]

    def test_putting_a_path_again_replaces_it(self, index: SearchIndex) -> None:
        index.put([record("shared:a", "red", name="old")])
        mark = FileMark(8, 9, 10)
        index.put([record("shared:a", "blue", name="new", mark=mark)])
        assert holding(index, "red") == []
        assert holding(index, "blue") == ["shared:a"]
        assert [row.name for row in index.listing(everything)] == ["new"]
        assert index.marks() == {"shared/a.md": mark}

    def test_a_path_given_twice_holds_what_came_last(self, index: SearchIndex) -> None:
        index.put([record("shared:a", "red", name="old"), record("shared:a", "blue", name="new")])
        assert [row.name for row in index.listing(everything)] == ["new"]
        assert holding(index, "red") == []

    def test_dropping_forgets_a_file_and_its_words(self, index: SearchIndex) -> None:
        index.put([record("shared:a", "red"), record("shared:b", "red")])
        index.drop(["shared/a.md", "shared/none.md"])
        assert ids(index.listing(everything)) == ["shared:b"]
        assert holding(index, "red") == ["shared:b"]
        assert set(index.marks()) == {"shared/b.md"}

    def test_what_comes_after_a_drop_does_not_get_its_words(self, index: SearchIndex) -> None:
        index.put([record("shared:a", "red")])
        index.drop(["shared/a.md"])
        index.put([record("shared:b", "blue")])
        assert holding(index, "red") == []

    def test_a_quarantined_file_is_told_and_left_out(self, index: SearchIndex) -> None:
        index.put([record("shared:a", "red")])
        held = Quarantined("shared/a.md", parse_memory_id("shared:a"), FileMark(1, 2, 3), 4, "broken `kind`")
        index.put([held])
        assert index.quarantined() == [held]
        assert index.listing(everything) == []
        assert holding(index, "red") == []
        index.put([record("shared:a", "red")])
        assert index.quarantined() == []
        assert holding(index, "red") == ["shared:a"]

    def test_quarantined_files_are_in_the_order_of_their_paths(self, index: SearchIndex) -> None:
        held = [Quarantined(path, None, FileMark(1, 2, 3), 0, "why") for path in ("z", "\udcff", "a\n", "日", "A")]
        index.put(held)
        assert index.quarantined() == sorted(held, key=lambda file: file.path)
        assert set(index.marks()) == {file.path for file in held}
        index.drop(["\udcff"])
        assert "\udcff" not in index.marks()

    def test_entries_that_say_the_same_are_grouped(self, index: SearchIndex) -> None:
        said = {"shared:b": "1" * 64, "shared:a": "1" * 64, "shared:c": "2" * 64, "shared:d": "", "shared:e": ""}
        more = {"private:main:x": "2" * 64, "shared:Z": "3" * 64, "shared:y": "3" * 64}
        index.put(record(id, body_sha256=body) for id, body in {**said, **more}.items())
        groups = [[str(each) for each in group] for group in index.same_bodies(everything)]
        assert groups == [["private:main:x", "shared:c"], ["shared:Z", "shared:y"], ["shared:a", "shared:b"]]
        groups = [[str(each) for each in group] for group in index.same_bodies(lambda each: each.parts[0] == "shared")]
        assert groups == [["shared:Z", "shared:y"], ["shared:a", "shared:b"]]

    def test_a_sound_index_has_no_faults(self, index: SearchIndex) -> None:
        index.put([record()])
        assert not index.check()

    def test_clearing_forgets_everything_and_it_goes_on(self, index: SearchIndex) -> None:
        index.put([record("shared:a", "red"), Quarantined("shared/b.md", None, FileMark(1, 2, 3), 0, "why")])
        index.clear()
        assert index.marks() == {}
        assert index.listing(everything) == []
        assert index.quarantined() == []
        assert holding(index, "red") == []
        index.put([record("shared:c", "red")])
        assert holding(index, "red") == ["shared:c"]

    def test_nothing_to_put_or_drop_is_fine(self, index: SearchIndex) -> None:
        index.put([])
        index.drop([])
        assert index.marks() == {}

    @settings(max_examples=60, suppress_health_check=SHARED, deadline=None)
    @given(text=texts, before=texts)
    def test_what_a_text_says_is_found(self, index: SearchIndex, text: str, before: str) -> None:
        index.put([record("shared:a", f"{before} {text}")])
        assert [term for term in asked(text).terms if holding(index, term) != ["shared:a"]] == []

    @settings(max_examples=40, suppress_health_check=SHARED, deadline=None)
    @given(seen=st.sets(st.sampled_from(IDS)), term=st.sampled_from(["red", "green", "blue"]))
    def test_answers_are_the_same_without_what_is_hidden(
        self, index: SearchIndex, seen: set[MemoryId], term: str
    ) -> None:
        index.clear()
        shades = ["red green", "green", "blue red", "", "red", "blue", "green blue"]
        records = [
            record(str(id), words, place=Place("day", str(id)), updated_at=UPDATED - timedelta(days=len(words)))
            for id, words in zip(IDS, shades, strict=True)
        ]
        index.put(records)
        sight = Only(seen.__contains__)

        def told(reader: WordReader) -> object:
            found = reader.postings(term, sight, 2)
            rows = reader.postings(term, sight, 100).rows
            return found, reader.statistics(sight), reader.around(rows, sight, 2), reader.newest(sight, 3)

        among_others = index.read(told), index.listing(sight)
        index.drop([each.path for each in records if each.id not in seen])
        assert (index.read(told), index.listing(everything)) == among_others
