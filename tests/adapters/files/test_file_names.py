"""A file has the ID that its name says, and a name that can't be one leads to no other file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.cleanroom import home, trinho

from trinho.adapters.files.tree import id_of
from trinho.errors import InvalidMemoryIdError

if TYPE_CHECKING:
    from tests.cleanroom import Home, Terminal

__all__ = ["home", "trinho"]


@pytest.mark.parametrize(
    ("folders", "name"),
    [
        (("shared", "team"), "a:b.md"),
        (("shared", "te:am"), "a.md"),
        (("projects", "a:b"), "x.md"),
        (("private", "worker"), ":.md"),
    ],
)
def test_a_colon_parts_segments_and_is_in_none(folders: tuple[str, ...], name: str) -> None:
    with pytest.raises(InvalidMemoryIdError, match="a segment holds :"):
        id_of(folders, name)


def test_such_a_file_is_told_of_and_stands_in_the_way_of_nothing(home: Home, trinho: Terminal) -> None:
    home.write("shared/team/a:b.md", "stray")
    home.write("projects/a:b/x.md", "stray")
    home.write("shared/team/a/b.md", "sound")
    findings = trinho("doctor", "--json").json["findings"]
    assert [(finding["where"], finding["what"]) for finding in findings] == [
        ("projects/a:b/x.md", "a segment holds :"),
        ("shared/team/a:b.md", "a segment holds :"),
    ]
    assert trinho("get", "shared:team:a:b", "--json").json["body"] == "sound"
    assert trinho("list", "--json").json["total"] == 1
    assert trinho("--as", "worker", "doctor", "--json").json["findings"] == []


def test_names_with_a_colon_come_in_under_one_segment(home: Home, trinho: Terminal) -> None:
    folder = home.folder / "in"
    (folder / "x:y").mkdir(parents=True)
    (folder / "x:y" / "a:b.md").write_text("text\n", encoding="utf-8")
    [added] = trinho("import", "markdown", str(folder), "--into", "shared:in", "--json").json["added"]
    assert added["id"].count(":") == 3


def test_a_link_is_said_to_be_one(home: Home, trinho: Terminal) -> None:
    home.write("shared/a.md", "text")
    (home.root / "shared/b.md").symlink_to("a.md")
    error = trinho("get", "shared:b", "--json").error
    assert (error["code"], error["message"]) == (
        "PATH_TRAVERSAL",
        "`shared/b.md` is not followed: it is a symbolic link",
    )
