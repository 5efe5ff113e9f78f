"""A folder as it is shown."""

from __future__ import annotations

import pytest

from trinho.interfaces.memory_tool.listing import MOST_LINES, human, tree

HEADER = "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:"


def test_two_levels_with_their_sizes_and_the_rest_counted() -> None:
    entries = {("shared", "a"): 1536, ("shared", "team", "b"): 10, ("project", "alp", "x", "y"): 1024}
    assert tree("/memories", entries).splitlines() == [
        HEADER,
        "2.5K\t/memories",
        "1.0K\t/memories/project/",
        "1.0K\t/memories/project/alp/",
        "1.5K\t/memories/shared/",
        "1.5K\t/memories/shared/a.md",
        "10B\t/memories/shared/team/",
    ]


def test_a_folder_stands_before_what_is_in_it_and_beside_an_entry_of_its_name() -> None:
    listed = tree("/memories", {("a", "b"): 1, ("a",): 2}).splitlines()[2:]
    assert listed == ["1B\t/memories/a/", "1B\t/memories/a/b.md", "2B\t/memories/a.md"]


def test_an_empty_folder_is_its_own_line() -> None:
    assert tree("/memories", {}).splitlines() == [HEADER, "0B\t/memories"]
    assert tree("/memories", {}, [("private", "main")]).splitlines()[2:] == [
        "0B\t/memories/private/",
        "0B\t/memories/private/main/",
    ]


def test_node_modules_are_left_out_as_the_header_says() -> None:
    assert "node_modules/" not in tree("/memories", {("node_modules", "a"): 1, ("b", "node_modules"): 1})


def test_a_huge_folder_is_cut() -> None:
    listed = tree("/memories", {(f"n{number}",): 1 for number in range(MOST_LINES + 5)}).splitlines()
    assert listed[-1] == "(5 more; view a folder below)"
    assert len(listed) == MOST_LINES + 3


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0B"),
        (1023, "1023B"),
        (1024, "1.0K"),
        (5632, "5.5K"),
        (1024**2 - 1, "1.0M"),
        (1258291, "1.2M"),
        (3 * 1024**3, "3.0G"),
    ],
)
def test_sizes(size: int, text: str) -> None:
    assert human(size) == text
