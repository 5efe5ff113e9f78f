"""An undo is a write: it does no more than the actor could do by hand, and its refusals tell no more."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from tests.cleanroom import Home

from trinho import errors

if TYPE_CHECKING:
    from pathlib import Path

ROLES = """\
roles:
  guest:
    memory_read: [shared, project:alp]
    memory_write: [shared:team, project:alp:notes]
"""


@pytest.fixture
def hall(home: Home) -> Home:
    """A home with a guest who may write beside what it may only read."""
    (home.folder / "roles.yaml").write_text(ROLES, encoding="utf-8")
    return Home(home.folder, {"TRINHO_CONFIG": str(home.folder / "config.toml")})


def refused(home: Home, actor: str, run: str | None) -> dict[str, Any]:
    """The whole answer to an undo that fails; no file changes by it."""
    before = contents(home.root)
    with home.memory(actor) as memory, pytest.raises(errors.TrinhoError) as error:
        memory.undo(run)
    assert contents(home.root) == before
    return {"status": error.value.exit_status, **error.value.as_dict()}


def contents(root: Path) -> dict[str, bytes]:
    files = (path for path in root.rglob("*.md") if ".trinho" not in path.parts)
    return {str(path): path.read_bytes() for path in files}


def last_run(home: Home) -> str:
    return str(max(line["seq"] for line in home.audit() if line["result"] == "allowed"))


class TestGrants:
    """What the actor may not write it can't bring back, remove or move by an undo."""

    @pytest.mark.parametrize("act", ["create", "update", "delete", "move"])
    def test_of_an_entry_that_may_only_be_read(self, home: Home, act: str) -> None:
        with home.memory() as memory:
            memory.create("project:alp:goals", "March")
            if act == "update":
                memory.update("project:alp:goals", "April", expected_version=1)
            elif act == "delete":
                memory.delete("project:alp:goals", expected_version=1)
            elif act == "move":
                memory.move("project:alp:goals", "project:alp:aims")
        answer = refused(home, "worker", last_run(home))
        assert (answer["status"], answer["code"]) == (3, "MEMORY_NOT_GRANTED")
        assert (answer["operation"], answer["subject"]) == ("undo", "project:alp:goals")
        assert home.told()[-1] == ("worker", "undo", "project:alp:goals", "denied", "MEMORY_NOT_GRANTED")
        with home.memory() as memory:
            assert memory.undo(last_run(home)).entries

    def test_of_a_run_that_may_be_written_in_part(self, hall: Home) -> None:
        source = hall.folder / "source"
        source.mkdir()
        for name in ("notes", "other"):
            (source / f"{name}.md").write_text("text\n", encoding="utf-8")
        with hall.memory() as memory:
            assert len(memory.import_markdown(source, "project:alp").added) == 2
        answer = refused(hall, "guest", "1")
        assert (answer["code"], answer["subject"]) == ("MEMORY_NOT_GRANTED", "project:alp:other")

    @pytest.mark.parametrize(
        ("source", "target", "subject"),
        [
            ("project:alp:notes:x", "project:alp:x", "project:alp:x"),
            ("project:alp:x", "project:alp:notes:x", "project:alp:x"),
        ],
    )
    def test_of_a_move_both_ends_count(self, hall: Home, source: str, target: str, subject: str) -> None:
        with hall.memory() as memory:
            memory.create(source, "text")
            memory.move(source, target)
        answer = refused(hall, "guest", "2")
        assert (answer["code"], answer["subject"]) == ("MEMORY_NOT_GRANTED", subject)

    def test_of_a_branch_that_another_command_keeps(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("project:alp:facts:deploy:day", "Friday")
        answer = refused(home, "main", "1")
        assert (answer["status"], answer["code"]) == (3, "RESERVED_MEMORY_BRANCH")

    def test_a_grant_that_was_lost_since(self, hall: Home) -> None:
        with hall.memory("guest") as memory:
            memory.create("shared:team:note", "text")
        (hall.folder / "roles.yaml").write_text("roles: {guest: {memory_read: [shared]}}\n", encoding="utf-8")
        for run in (None, "1"):
            assert refused(hall, "guest", run)["code"] == "MEMORY_NOT_GRANTED"

    def test_what_may_be_written_may_be_taken_back(self, hall: Home) -> None:
        with hall.memory() as memory:
            memory.create("shared:team:note", "text")
        with hall.memory("guest") as memory:
            assert [(str(id), what) for id, what in memory.undo("1").entries] == [("shared:team:note", "removed")]


class TestNames:
    """A run that touched anything hidden is a run that isn't there."""

    @pytest.mark.parametrize(
        "ids",
        [
            ["private:main:plan"],
            ["private:main:plan", "project:alp:plan"],
            ["project:alp:plan", "private:main:plan"],
        ],
    )
    def test_no_name_of_what_is_hidden(self, home: Home, ids: list[str]) -> None:
        with home.memory("main") as memory:
            memory.create(ids[0], "plan")
            for here, there in pairwise(ids):
                memory.move(here, there)
        number = last_run(home)
        answer = refused(home, "worker", number)
        assert answer == {**refused(home, "worker", "99"), "message": answer["message"], "run": number}
        assert answer["message"] == f"no run `{number}` that could be undone"
        assert refused(home, "worker", None) == refused(home, "search", None)
        with home.memory("worker") as memory:
            assert not [line for line in memory.audit() if "private:main" in f"{line.event.id} {line.event.to}"]

    def test_a_bare_undo_is_of_ones_own_runs(self, home: Home) -> None:
        for actor, id in (("worker", "private:worker:first"), ("main", "project:alp:plan")):
            with home.memory(actor) as memory:
                memory.create(id, "text")
        with home.memory() as memory:
            memory.create("project:alp:goals", "text")
        with home.memory("worker") as memory:
            assert [str(id) for id, _ in memory.undo().entries] == ["private:worker:first"]
        answer = refused(home, "worker", None)
        assert (answer["code"], answer["message"]) == ("RUN_NOT_FOUND", "nothing to undo")

    def test_a_refusal_counts_nobody_elses_runs(self, home: Home) -> None:
        """The number of a run is that of a line in everybody's trail, which an agent isn't told."""
        with home.memory() as memory:
            for n in range(3):
                memory.create(f"private:main:n{n}", "x")
        with home.memory("worker") as memory:
            memory.create("private:worker:plan", "text")
        with (home.root / "private/worker/plan.md").open("a", encoding="utf-8") as file:
            file.write("by hand\n")
        answer = refused(home, "worker", None)
        assert answer["code"] == "UNDO_CONFLICT"
        assert (answer["run"], answer["message"]) == (
            None,
            "the last run can't be undone: `private:worker:plan` has changed since",
        )
        assert refused(home, "worker", "4")["run"] == "4"
        assert refused(home, "principal", None)["run"] == "4"


def test_what_is_no_number_is_cut_in_the_trail(home: Home) -> None:
    refused(home, "worker", "9" * 5000 + "\x1b[2J")
    refused(home, "worker", "\x1b[2J")
    assert [line[2] for line in home.told()] == ["9" * 120 + "…", "\\x1b[2J"]


class TestWhereItWent:
    """A missing entry answers with where it went, to whoever may read it there."""

    @pytest.mark.parametrize(
        ("actor", "told"), [("main", "private:main:plan"), ("principal", "private:main:plan"), ("worker", None)]
    )
    @pytest.mark.parametrize("by_hand", [False, True])
    def test_into_what_is_hidden(self, home: Home, actor: str, told: str | None, by_hand: bool) -> None:
        with home.memory("main") as memory:
            memory.create("project:alp:plan", "a text of its own")
            if not by_hand:
                memory.move("project:alp:plan", "private:main:plan")
        if by_hand:
            (home.root / "private/main").mkdir(parents=True)
            (home.root / "projects/alp/plan.md").rename(home.root / "private/main/plan.md")
        with home.memory(actor) as memory, pytest.raises(errors.MemoryEntryNotFoundError) as gone:
            memory.get("project:alp:plan")
        assert gone.value.fields["moved_to"] == told
        if told is None:
            with home.memory(actor) as memory, pytest.raises(errors.MemoryEntryNotFoundError) as never:
                memory.get("project:alp:none")
            assert gone.value.hint == never.value.hint

    def test_out_of_what_is_hidden(self, home: Home) -> None:
        """Who may not read the old ID is denied and learns of no new one."""
        with home.memory("main") as memory:
            memory.create("private:main:plan", "text")
            memory.move("private:main:plan", "project:alp:plan")
        with home.memory("worker") as memory, pytest.raises(errors.UnauthorizedMemoryAccessError) as denial:
            memory.get("private:main:plan")
        assert "project:alp" not in str(denial.value.as_dict())
