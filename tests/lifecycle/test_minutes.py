"""Decisions in minutes, by their marks."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trinho.lifecycle.minutes import decisions_in


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("Decision: use Go for the agent", ["Use Go for the agent"]),
        ("**Decided:** ship on Monday morning", ["Ship on Monday morning"]),
        ("- Quyết định: dùng Go cho agent", ["Dùng Go cho agent"]),
        (
            "## Decisions\n1. Use Go here\n2. Drop the old API\n## Next\n- nothing of it",
            ["Use Go here", "Drop the old API"],
        ),
        ("Decisions:\n- Use Go here\n\nAttendees:\n- Lan and Minh", ["Use Go here"]),
        ("### Kết luận\n* Chuyển sang Notion", ["Chuyển sang Notion"]),
        ("We agreed to freeze deploys in December. Lan was late.", ["Freeze deploys in December"]),
        ("Cả nhóm thống nhất dùng Postgres 16.", ["Dùng Postgres 16"]),
        ("Decision: use Go for the agent\nDECISION: Use Go  for the agent", ["Use Go for the agent"]),
        ("The decision was postponed.\nWe discussed decisions.", []),
        ("Decision: no", []),
    ],
)
def test_what_is_marked(text: str, found: list[str]) -> None:
    assert decisions_in(text) == found


@given(st.text(max_size=300))
def test_any_text_can_be_looked_at(text: str) -> None:
    assert all(decision.strip() for decision in decisions_in(text))


@pytest.mark.parametrize(
    "text", ["- " * 100_000, "we decided " * 50_000, "Decision:\n" * 50_000, "**" * 200_000, " " * 500_000]
)
def test_long_minutes_take_no_long_time(text: str) -> None:
    began = time.process_time()
    decisions_in(text)
    assert time.process_time() - began < 3
