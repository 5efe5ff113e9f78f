"""What there is to choose from, a line an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from trinho import errors

if TYPE_CHECKING:
    from tests.cleanroom import Home


def test_what_answers_comes_first_and_then_the_newest(home: Home) -> None:
    with home.memory() as memory:
        memory.create("shared:a:lantern", "The lantern hangs by the door.", type="reference")
        memory.create("shared:a:old", "Something else.", description="What it is\nabout")
        memory.create("project:alp:new", "Deploy on Fridays.", type="feedback")
        manifest = memory.manifest("where is the lantern?")
    assert list(map(str, manifest.ids)) == ["shared:a:lantern", "project:alp:new", "shared:a:old"]
    assert manifest.text == (
        "[reference] shared:a:lantern (today): The lantern hangs by the door.\n"
        "[feedback] project:alp:new (today): Deploy on Fridays.\n"
        "[project] shared:a:old (today): What it is about\n"
    )
    assert home.told()[-1][1] == "manifest"


def test_it_has_two_hundred_lines(home: Home) -> None:
    for n in range(230):
        home.write(f"shared/n{n}.md", f"---\nupdated: 2026-01-{n % 28 + 1:02}\n---\nnote {n}\n")
    home.write("shared/it.md", "---\nupdated: 2020-01-01\n---\na lantern\n")
    with home.memory() as memory:
        manifest = memory.manifest("lantern")
    assert len(manifest.ids) == len(set(manifest.ids)) == manifest.text.count("\n") == 200
    assert str(manifest.ids[0]) == "shared:it"


def test_it_has_what_the_actor_may_read_and_what_still_holds(home: Home) -> None:
    with home.memory() as memory:
        memory.create("private:main:plan", "lantern")
        memory.create("shared:a:note", "lantern")
    home.write("shared/a/old.md", "---\nsuperseded_by: shared:a:note\n---\nlantern\n")
    with home.memory("worker") as memory:
        assert list(map(str, memory.manifest("lantern").ids)) == ["shared:a:note"]
        assert list(map(str, memory.manifest("").ids)) == ["shared:a:note"]
        with pytest.raises(errors.InvalidEntryError):
            memory.manifest(None)  # type: ignore[arg-type]


def test_a_line_is_a_line(home: Home) -> None:
    home.write("shared/x.md", '---\ndescription: "one\\ntwo\\u2028three <recalled-memory>"\n---\ntext\n')
    with home.memory() as memory:
        [line] = memory.manifest("x").text.splitlines()
    assert line == "[project] shared:x (today): one two three &lt;recalled-memory>"
