"""What every search index must do. A backend applies it by a class with its `make`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trinho.domain.entry import EntryType, Kind
from trinho.domain.ids import MemoryId, parse_memory_id
from trinho.domain.versions import FileMark
from trinho.ports.index import IndexRecord, Listed, Match, Quarantined, SearchIndex
from trinho.retrieval.words import index_words, query_terms

if TYPE_CHECKING:
    from pathlib import Path

CREATED = datetime(2026, 11, 3, 9, 30, 0, 123456, UTC)
UPDATED = datetime(2026, 12, 1, 23, 59, 59, 999999, UTC)

words_of_people = st.text(st.sampled_from("abAB01_-. đĐướệ黒猫ガ한글ที่—🙂"), max_size=12)
texts = words_of_people | st.text(max_size=12)
# One law for every backend, each with an index that lives through all of its examples
SHARED = [HealthCheck.function_scoped_fixture, HealthCheck.differing_executors]
IDS = [parse_memory_id(f"shared:facts:{name}") for name in ("a", "a-b", "a:b", "b", "Z", "é", "日")]


def everything(_: MemoryId) -> bool:
    return True


def record(id: str = "shared:a", words: str = "", **changed: object) -> IndexRecord:
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
        words=index_words(words),
    )
    return made._replace(**changed)  # type: ignore[arg-type]


def ids(found: list[Listed]) -> list[str]:
    return [str(row.id) for row in found]


def matched(found: list[Match]) -> dict[str, tuple[int, ...]]:
    return {str(match.row.id): match.terms for match in found}


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
        assert index.matching(["a"], everything) == []
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

    def test_a_word_is_found_by_its_beginning(self, index: SearchIndex) -> None:
        index.put([record("shared:a", "deployment notes"), record("shared:b", "the deploy script")])
        assert matched(index.matching(["deploy"], everything)) == {"shared:a": (0,), "shared:b": (0,)}
        assert matched(index.matching(["deployment"], everything)) == {"shared:a": (0,)}
        assert index.matching(["ployment"], everything) == []

    def test_a_match_names_the_terms_by_their_place(self, index: SearchIndex) -> None:
        index.put([record("shared:a", "red green"), record("shared:b", "green blue"), record("shared:c", "grey")])
        found = matched(index.matching(["blue", "pink", "green", "red"], everything))
        assert found == {"shared:a": (2, 3), "shared:b": (0, 2)}

    def test_the_same_term_twice_is_two_places(self, index: SearchIndex) -> None:
        index.put([record("shared:a", "red")])
        assert matched(index.matching(["red", "red"], everything)) == {"shared:a": (0, 1)}

    def test_matches_are_in_the_order_of_ids_with_their_rows(self, index: SearchIndex) -> None:
        index.put([record(str(id), "red") for id in IDS])
        rows = [match.row for match in index.matching(["red"], everything)]
        assert rows == index.listing(everything)

    def test_matching_covers_only_what_is_visible(self, index: SearchIndex) -> None:
        index.put([record("shared:a", "red"), record("private:worker:b", "red")])
        assert matched(index.matching(["red"], lambda seen: seen.parts[0] == "shared")) == {"shared:a": (0,)}

    def test_no_term_matches_nothing(self, index: SearchIndex) -> None:
        index.put([record("shared:a", "red")])
        assert index.matching([], everything) == []

    @pytest.mark.parametrize(
        "term",
        ['"', '""', "red OR blue", "NEAR(red blue)", "*", "red*", "^red", "text:red", "-red", "'", "", " ", "\0", "("],
    )
    def test_no_term_is_a_command(self, index: SearchIndex, term: str) -> None:
        index.put([record("shared:a", "red blue near or text")])
        assert index.matching([term], everything) == []
        assert matched(index.matching([term, "red"], everything)) == {"shared:a": (1,)}

    def test_sixty_four_terms_are_looked_for_at_once(self, index: SearchIndex) -> None:
        terms = [f"word{number:02}" for number in range(64)]
        index.put([record("shared:a", " ".join(terms))])
        assert matched(index.matching(terms, everything)) == {"shared:a": tuple(range(64))}

    def test_putting_a_path_again_replaces_it(self, index: SearchIndex) -> None:
        index.put([record("shared:a", "red", name="old")])
        mark = FileMark(8, 9, 10)
        index.put([record("shared:a", "blue", name="new", mark=mark)])
        assert index.matching(["red"], everything) == []
        assert matched(index.matching(["blue"], everything)) == {"shared:a": (0,)}
        assert [row.name for row in index.listing(everything)] == ["new"]
        assert index.marks() == {"shared/a.md": mark}

    def test_a_path_given_twice_holds_what_came_last(self, index: SearchIndex) -> None:
        index.put([record("shared:a", "red", name="old"), record("shared:a", "blue", name="new")])
        assert [row.name for row in index.listing(everything)] == ["new"]
        assert index.matching(["red"], everything) == []

    def test_dropping_forgets_a_file_and_its_words(self, index: SearchIndex) -> None:
        index.put([record("shared:a", "red"), record("shared:b", "red")])
        index.drop(["shared/a.md", "shared/none.md"])
        assert ids(index.listing(everything)) == ["shared:b"]
        assert matched(index.matching(["red"], everything)) == {"shared:b": (0,)}
        assert set(index.marks()) == {"shared/b.md"}

    def test_what_comes_after_a_drop_does_not_get_its_words(self, index: SearchIndex) -> None:
        index.put([record("shared:a", "red")])
        index.drop(["shared/a.md"])
        index.put([record("shared:b", "blue")])
        assert index.matching(["red"], everything) == []

    def test_a_quarantined_file_is_told_and_left_out(self, index: SearchIndex) -> None:
        index.put([record("shared:a", "red")])
        held = Quarantined("shared/a.md", parse_memory_id("shared:a"), FileMark(1, 2, 3), 4, "broken `kind`")
        index.put([held])
        assert index.quarantined() == [held]
        assert index.listing(everything) == []
        assert index.matching(["red"], everything) == []
        index.put([record("shared:a", "red")])
        assert index.quarantined() == []
        assert matched(index.matching(["red"], everything)) == {"shared:a": (0,)}

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
        assert index.matching(["red"], everything) == []
        index.put([record("shared:c", "red")])
        assert matched(index.matching(["red"], everything)) == {"shared:c": (0,)}

    def test_nothing_to_put_or_drop_is_fine(self, index: SearchIndex) -> None:
        index.put([])
        index.drop([])
        assert index.marks() == {}

    @settings(max_examples=60, suppress_health_check=SHARED, deadline=None)
    @given(text=texts, before=texts)
    def test_what_a_text_says_is_found(self, index: SearchIndex, text: str, before: str) -> None:
        index.put([record("shared:a", f"{before} {text}")])
        terms = query_terms(text)
        expected = {"shared:a": tuple(range(len(terms)))} if terms else {}
        assert matched(index.matching(terms, everything)) == expected

    @settings(max_examples=40, suppress_health_check=SHARED, deadline=None)
    @given(seen=st.sets(st.sampled_from(IDS)), said=st.lists(st.sampled_from(["red", "green", "blue"]), max_size=3))
    def test_answers_are_the_same_without_what_is_hidden(
        self, index: SearchIndex, seen: set[MemoryId], said: list[str]
    ) -> None:
        index.clear()
        shades = ["red green", "green", "blue red", "", "red", "blue", "green blue"]
        records = [record(str(id), words) for id, words in zip(IDS, shades, strict=True)]
        index.put(records)
        among_others = index.matching(said, seen.__contains__), index.listing(seen.__contains__)
        index.drop([each.path for each in records if each.id not in seen])
        assert (index.matching(said, everything), index.listing(everything)) == among_others
