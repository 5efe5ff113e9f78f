"""How two facts stand to each other."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trinho.lifecycle.conflict import Judgement, Label, judge

CASES = [json.loads(line) for line in Path(__file__).with_name("conflict_cases.jsonl").read_text("utf-8").splitlines()]
LONG = [
    "1" * 8000,
    "1," * 4000,
    "mỗi 1 h " * 1000,
    "a.b-c/" * 1300,
    "không " * 1300,
    "12:" * 2700,
    "\u0301" * 4000,
    "( " * 4000,
]


class TestJudgement:
    """Pairs of which there can be no two opinions."""

    @pytest.mark.parametrize(
        ("old", "new", "reason"),
        [
            (
                "The client times out after 30 seconds.",
                "The client times out after 10 seconds.",
                "`30 seconds` became `10 seconds`",
            ),
            (
                "Kho mới go-live ngày 15/09/2026.",
                "Kho mới dời go-live sang 01/10/2026.",
                "`2026-09-15` became `2026-10-01`",
            ),
            ("The web repo uses yarn.", "The web repo uses pnpm.", "`yarn` became `pnpm`"),
            (
                "Trang admin bắt buộc xác thực.",
                "Trang admin không bắt buộc xác thực.",
                "one says that it is so, the other that it isn't",
            ),
            (
                "The limit is 60 requests per minute.",
                "The limit is 60 requests per second.",
                "`per 1 minutes` became `per 1 seconds`",
            ),
        ],
    )
    def test_one_value_for_another_contradicts(self, old: str, new: str, reason: str) -> None:
        assert judge(old, new) == Judgement(Label.CONTRADICTS, sure=True, reason=reason)

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("The upload limit is 2 GiB.", "Uploads are capped at 2048 MiB."),
            ("Không deploy vào thứ Sáu.", "Khong deploy vao thu Sau."),
            ("Integration tests must not mock the database.", "Integration test không được mock database."),
            ("The cutover is on 2026-04-30.", "The cutover is on April 30, 2026."),
            ("The session timeout is 30 minutes.", "The session timeout is half an hour."),
        ],
    )
    def test_other_words_units_dates_and_languages_restate(self, old: str, new: str) -> None:
        assert judge(old, new)[:2] == (Label.RESTATES, True)

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("Staging uses Postgres 15.", "Production uses Postgres 15."),
            ("GET requests are retried automatically.", "POST requests are not retried automatically."),
            ("Timeout khi gọi sang VNPay là 15 giây.", "Timeout khi gọi sang MoMo là 30 giây."),
            ("The beta opens on 2026-06-01.", "The beta closes on 2026-07-15."),
            ("Use tabs for indentation in Go files.", "Use spaces for indentation in Python files."),
        ],
    )
    def test_what_speaks_of_something_else_is_never_superseded(self, old: str, new: str) -> None:
        said = judge(old, new)
        assert not (said.sure and said.label is not Label.COEXISTS)

    def test_what_adds_to_it_refines(self) -> None:
        said = judge("Services log in JSON.", "Services log in JSON, with a trace id on every line.")
        assert said[:2] == (Label.REFINES, True)

    def test_a_preference_turned_round_contradicts(self) -> None:
        assert judge("Prefer raw SQL over the ORM.", "Prefer the ORM over raw SQL.").label is Label.CONTRADICTS


class TestCases:
    """The labelled pairs of this folder: a floor under what was reached."""

    SAID = tuple((Label(case["label"]), judge(case["old"], case["new"])) for case in CASES)

    def test_the_labels_are_right_often_enough(self) -> None:
        scores = []
        for label in Label:
            right = sum(said.label is label is truth for truth, said in self.SAID)
            scores.append(2 * right / sum((said.label is label) + (truth is label) for truth, said in self.SAID))
        assert sum(scores) / 4 >= 0.9

    def test_most_contradictions_are_settled_and_none_wrongly(self) -> None:
        settled = [truth for truth, said in self.SAID if said.sure and said.label is Label.CONTRADICTS]
        assert all(truth is Label.CONTRADICTS for truth in settled)
        assert len(settled) >= 0.6 * sum(truth is Label.CONTRADICTS for truth, _ in self.SAID)

    def test_nothing_new_is_taken_for_a_restatement(self) -> None:
        assert all(truth is Label.RESTATES for truth, said in self.SAID if said.sure and said.label is Label.RESTATES)


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_two_texts_can_be_judged(old: str, new: str) -> None:
    said = judge(old, new)
    assert said == judge(old, new)
    assert said.reason


@given(st.text(max_size=200))
def test_a_text_restates_itself(text: str) -> None:
    assert judge(text, f"  {text} ")[:2] == (Label.RESTATES, True)


@pytest.mark.parametrize("text", LONG, ids=lambda text: ascii(text[:6]))
def test_long_texts_take_no_long_time_and_are_never_sure(text: str) -> None:
    began = time.process_time()
    said = judge(text, f"{text} and more")
    assert time.process_time() - began < 2
    assert not said.sure
