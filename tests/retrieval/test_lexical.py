"""Ranking by words: the same in every index, and by nothing but what is seen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trinho.access.grant import Everything, Sight, covering, parse_grant
from trinho.adapters.inmemory.index import InMemoryIndex
from trinho.adapters.sqlite.index import SqliteIndex
from trinho.domain.entry import EntryType, Kind
from trinho.domain.ids import parse_memory_id
from trinho.domain.versions import FileMark
from trinho.ports.index import IndexRecord, SearchIndex, WordReader
from trinho.retrieval import lexical
from trinho.retrieval.indexing import place_of, words_of
from trinho.retrieval.words import asked

START = datetime(2026, 1, 1, tzinfo=UTC)
WORDS = "lantern hill tab quy ước uoc hoàn tiền refund PAY-402 snake_case 日本語 deploy deployed gateway"
bodies = st.lists(st.sampled_from(WORDS.split()), max_size=8).map(" ".join)
BRANCHES = ("shared", "project:a", "project:b")
names = st.sampled_from([f"{branch}:{name}" for branch in BRANCHES for name in ("1", "2", "x")])
grants = st.sampled_from(["shared", "project:a", "project:*", "shared:x", "project:b:1"])
entries = st.dictionaries(names, bodies, max_size=9)


@dataclass
class Said:
    """An entry by what it says."""

    id: str
    body: str
    kind: Kind = Kind.FACT
    day: int = 0

    def record(self) -> IndexRecord:
        id, at = parse_memory_id(self.id), START + timedelta(days=self.day)
        name = id.parts[-1]
        return IndexRecord(
            path="/".join(id.parts),
            id=id,
            mark=FileMark(1, 2, 3),
            sha256="",
            kind=self.kind,
            type=EntryType.PROJECT,
            name=name,
            description="",
            created_at=START,
            updated_at=at,
            body_sha256="",
            words=words_of(id, name, "", self.body),
            place=place_of(id, self.kind, START),
        )


def index_of(said: list[Said], index: SearchIndex | None = None) -> SearchIndex:
    index = index or InMemoryIndex()
    index.put(each.record() for each in said)
    return index


def ranking(index: SearchIndex, query: str, sight: Sight | None = None) -> list[tuple[str, float]]:
    def found(reader: WordReader) -> list[tuple[str, float]]:
        scored = lexical.rank(reader, asked(query), sight or Everything()).scored
        rows = reader.listed([each.row for each in scored])
        return [(str(rows[each.row].id), round(each.score, 9)) for each in scored]

    return index.read(found)


def order(query: str, *said: str) -> list[int]:
    """The places of the bodies, best first."""
    index = index_of([Said(f"shared:e{n}", body) for n, body in enumerate(said)])
    return [int(id.partition(":e")[2]) for id, _ in ranking(index, query)]


class TestOrder:
    """What makes one entry better than another."""

    def test_a_rare_word_weighs_more_than_a_common_one(self) -> None:
        assert order("lamp hill", "hill of sand", "lamp of sand", "hill of stone", "a hill")[0] == 1

    def test_more_of_the_query_is_better(self) -> None:
        assert order("red lamp hill", "red red red red", "the lamp on a hill")[0] == 1

    def test_words_side_by_side_are_better(self) -> None:
        assert order("code review", "review what the code says", "the code review is late")[0] == 1

    def test_another_form_of_the_word_is_the_word(self) -> None:
        assert order("deploying policies", "nothing", "the policy is to deploy on Mondays") == [1]

    def test_a_word_with_other_accents_is_another_word(self) -> None:
        assert order("má", "ma quỷ, mà và mã", "gọi cho má")[0] == 1

    def test_without_accents_all_of_them_are_found(self) -> None:
        assert sorted(order("ma", "ma", "mà", "má")) == [0, 1, 2]
        assert order("duong pho", "con đường và phố", "đèn")[0] == 0

    def test_an_unaccented_text_is_found_by_an_accented_word(self) -> None:
        assert order("đường phố", "duong pho", "đèn") == [0]

    def test_two_syllables_that_are_an_english_stop_word_too(self) -> None:
        assert order("the gioi", "gioi thieu ve cong ty", "ban do the gioi")[0] == 1

    def test_another_word_for_the_same_is_found_and_counts_less(self) -> None:
        assert order("refund", "hoàn tiền trong 7 ngày", "the refund", "nothing") == [1, 0]
        assert order("hoan tien", "refunds take 7 days", "nothing") == [0]

    def test_a_code_stands_as_a_whole(self) -> None:
        assert order("PAY-402", "pay 402 dong", "PAY-403 and PAY-404", "see PAY-402")[0] == 2

    def test_a_part_of_a_name_finds_it(self) -> None:
        assert order("sync", "OrderSync", "order_sync_job", "nothing") == [0, 1]
        assert order("userservice", "class UserService", "nothing") == [0]

    @pytest.mark.parametrize(
        ("query", "right"), [("日本", 0), ("本語", 0), ("日", 0), ("語", 0), ("猫", 1), ("東京", 2)]
    )
    def test_words_of_one_and_of_two_characters(self, query: str, right: int) -> None:
        assert order(query, "これは日本語です", "黒猫", "東京都に住む") == [right]

    def test_a_beginning_finds_a_word_only_where_nothing_has_it_whole(self) -> None:
        assert order("kube", "kubernetes cluster", "nothing") == [0]
        assert order("kube", "kubernetes cluster", "kube") == [1]

    def test_a_line_of_a_log_gains_from_the_lines_before_it(self) -> None:
        lines = ["Where did you find the lantern?", "Behind the old mill.", "Lunch?"]
        told = [Said(f"project:a:t{n}", line, Kind.LOG) for n, line in enumerate(lines)]
        assert [id for id, _ in ranking(index_of(told), "where was the lantern found")][:2] == [
            "project:a:t0",
            "project:a:t1",
        ]
        apart = [Said(f"project:a:t{n}", line, Kind.FACT) for n, line in enumerate(lines)]
        assert [id for id, _ in ranking(index_of(apart), "where was the lantern found")] == ["project:a:t0"]

    def test_the_newest_of_many_that_are_equal(self) -> None:
        many = [Said(f"shared:e{n}", "lantern", day=n) for n in range(300)]
        best = {id for id, _ in ranking(index_of(many), "lantern")}
        assert best == {f"shared:e{n}" for n in range(200, 300)}


@settings(max_examples=60, deadline=None)
@given(said=entries, query=bodies, mine=grants)
def test_every_index_has_the_same_answer(said: dict[str, str], query: str, mine: str) -> None:
    given = [Said(id, body, Kind.LOG if id.startswith("project:a") else Kind.FACT) for id, body in said.items()]
    reference, sqlite = index_of(given), index_of(given[::-1], SqliteIndex("", memory=True))
    for sight in (Everything(), covering([parse_grant(mine)])):
        assert ranking(reference, query, sight) == ranking(sqlite, query, sight)
    sqlite.close()


@settings(max_examples=60, deadline=None)
@given(
    said=entries,
    query=bodies,
    mine=st.lists(grants),
)
def test_what_is_hidden_changes_nothing(said: dict[str, str], query: str, mine: list[str]) -> None:
    given = [Said(id, body, Kind.LOG if id.startswith("project:a") else Kind.FACT) for id, body in said.items()]
    sight = covering([parse_grant(grant) for grant in mine])
    alone = [each for each in given if sight(parse_memory_id(each.id))]
    assert ranking(index_of(given), query, sight) == ranking(index_of(alone), query)


def test_hidden_entries_do_not_change_how_rare_a_word_is() -> None:
    seen = [Said("shared:a", "lantern on the hill"), Said("shared:b", "gateway on the hill"), Said("shared:c", "x")]
    hidden = [Said(f"private:worker:h{n}", "lantern lantern") for n in range(15)]
    sight = covering([parse_grant("shared")])
    among = index_of([*seen, *hidden], SqliteIndex("", memory=True))
    assert ranking(among, "lantern gateway", sight) == ranking(index_of(seen), "lantern gateway")


def test_the_rarest_words_choose_who_is_scored() -> None:
    many = [Said(f"project:p{n % 7}:e{n}", "common words all over") for n in range(3_000)]
    index = index_of([*many, Said("shared:it", "common lantern")], SqliteIndex("", memory=True))
    assert ranking(index, "common lantern words")[0][0] == "shared:it"
    index.close()
