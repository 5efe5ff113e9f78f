"""Each command, each of its errors, and that nothing goes past policy, versions, scanner and trail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest
from tests.secret_samples import MADE

from trinho.errors import UnauthorizedMemoryAccessError
from trinho.interfaces.memory_tool.commands import Answer, MemoryCommands

if TYPE_CHECKING:
    from tests.cleanroom import Home

    from trinho.application.library import Memory

AWS_KEY = MADE["aws-access-key-id"]()[1]
TABS = "/memories/shared/team/tabs.md"
HEADER = "Here's the content of {} with line numbers:\n"


class Ask(Protocol):
    def __call__(self, command: str, **given: object) -> Answer: ...


def listed(answer: Answer) -> list[str]:
    """The paths of a folder's listing, without its header."""
    assert not answer.is_error
    return [line.partition("\t")[2] for line in answer.text.splitlines()[1:]]


def code(answer: Answer) -> str:
    assert answer.is_error
    assert answer.error is not None
    return answer.error.error_code


class TestView:
    """Two levels of a folder, or the numbered lines of an entry."""

    def test_an_empty_memory_shows_where_something_can_be_put(self, ask: Ask) -> None:
        assert listed(ask("view", path="/memories")) == [
            "/memories",
            "/memories/private/",
            "/memories/private/main/",
            "/memories/project/",
            "/memories/shared/",
        ]

    def test_a_folder(self, ask: Ask, memory: Memory) -> None:
        memory.create("shared:team:tabs", "Tabs.")
        memory.create("project:alp:goals", "Ship it.")
        assert listed(ask("view", path="/memories/shared/")) == [
            "/memories/shared",
            "/memories/shared/team/",
            "/memories/shared/team/tabs.md",
        ]
        assert listed(ask("view", path="/memories/project")) == [
            "/memories/project",
            "/memories/project/alp/",
            "/memories/project/alp/goals.md",
        ]

    def test_the_size_is_that_of_the_file(self, ask: Ask, home: Home) -> None:
        home.write("shared/big.md", "x" * 2048)
        assert "2.0K\t/memories/shared/big.md" in ask("view", path="/memories/shared").text

    def test_an_entry(self, ask: Ask, memory: Memory) -> None:
        memory.create("shared:team:tabs", "Tabs.\n\nIn Makefiles.\n")
        told = HEADER.format(TABS) + "     1\tTabs.\n     2\t\n     3\tIn Makefiles."
        assert ask("view", path=TABS) == Answer(told)

    @pytest.mark.parametrize(
        ("wanted", "numbers"),
        [([2, 3], [2, 3]), ([2, -1], [2, 3, 4]), ([0, 1], [1]), ([3, 99], [3, 4]), ([4, 4], [4])],
    )
    def test_a_range(self, ask: Ask, memory: Memory, wanted: list[int], numbers: list[int]) -> None:
        memory.create("shared:team:tabs", "1\n2\n3\n4\n")
        told = ask("view", path=TABS, view_range=wanted).text
        assert told == HEADER.format(TABS) + "\n".join(f"{number:>6}\t{number}" for number in numbers)

    @pytest.mark.parametrize("wanted", [[9, 10], [3, 2], [2, -5]])
    def test_a_range_without_lines(self, ask: Ask, memory: Memory, wanted: list[int]) -> None:
        memory.create("shared:team:tabs", "1\n2\n3\n4\n")
        answer = ask("view", path=TABS, view_range=wanted)
        assert answer.is_error
        reach = "It should be within the range of lines of the file: [1, 4]"
        assert answer.text == f"Error: Invalid `view_range` parameter: {wanted}. {reach}"

    @pytest.mark.parametrize("wanted", ["1-2", [1], [1, 2, 3], ["1", "2"], [True, 2], {}, 7])
    def test_what_is_no_range(self, ask: Ask, memory: Memory, wanted: object) -> None:
        memory.create("shared:team:tabs", "1\n")
        assert code(ask("view", path=TABS, view_range=wanted)) == "INVALID_ENTRY"

    @pytest.mark.parametrize("path", [TABS, "/memories/shared/team", "/memories/project/alp/"])
    def test_what_is_not_there(self, ask: Ask, path: str) -> None:
        answer = ask("view", path=path)
        assert code(answer) == "MEMORY_NOT_FOUND"
        assert answer.text == f"The path {path} does not exist. Please provide a valid path."

    def test_more_lines_than_are_numbered(self, ask: Ask, memory: Memory) -> None:
        memory.create("shared:team:tabs", "\n" * 1_000_000)
        answer = ask("view", path=TABS)
        assert answer == Answer(f"File {TABS} exceeds maximum line limit of 999,999 lines.", True)

    def test_characters_that_nobody_sees_are_spelled_out(self, ask: Ask, home: Home) -> None:
        home.write("shared/team/tabs.md", "plain\u200b\U000e0041text")
        assert ask("view", path=TABS).text.endswith("     1\tplain\\u200b\\udb40\\udc41text")

    def test_a_file_that_is_no_text(self, ask: Ask, home: Home) -> None:
        home.write("shared/team/tabs.md", b"\xff\xfe\x00")
        assert code(ask("view", path=TABS)) == "MEMORY_UNREADABLE"


class TestCreate:
    """A new entry; one that is there is never overwritten."""

    def test_a_new_entry_holds_the_text_to_the_byte(self, ask: Ask, memory: Memory) -> None:
        assert ask("create", path=TABS, file_text="Tabs.\n\n") == Answer(f"File created successfully at: {TABS}")
        assert memory.get("shared:team:tabs").body == "Tabs.\n\n"

    def test_one_that_is_there(self, ask: Ask, memory: Memory) -> None:
        memory.create("shared:team:tabs", "Tabs.")
        answer = ask("create", path=TABS, file_text="Spaces.")
        assert code(answer) == "MEMORY_ALREADY_EXISTS"
        assert answer.text == f"Error: File {TABS} already exists"
        assert memory.get("shared:team:tabs").body == "Tabs."

    @pytest.mark.parametrize("path", ["/memories/shared/notes.txt", "/memories/shared/team/", "/memories"])
    def test_a_path_that_names_no_entry(self, ask: Ask, path: str) -> None:
        answer = ask("create", path=path, file_text="x")
        assert code(answer) == "INVALID_MEMORY_ID"
        assert "ends in .md" in answer.text

    def test_a_text_that_is_too_large(self, ask: Ask) -> None:
        assert code(ask("create", path=TABS, file_text="x" * 2_000_000)) == "BODY_TOO_LARGE"


class TestStrReplace:
    """One text in the place of another that is there once."""

    @pytest.fixture(autouse=True)
    def _entry(self, memory: Memory) -> None:
        memory.create("shared:team:tabs", "one\ntwo\nthree\nfour\nfive\nsix\n")

    def test_it_shows_the_change(self, ask: Ask, memory: Memory) -> None:
        answer = ask("str_replace", path=TABS, old_str="four\n", new_str="4\n")
        assert answer.text == (
            "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
            "     2\ttwo\n     3\tthree\n     4\t4\n     5\tfive\n     6\tsix"
        )
        assert memory.get("shared:team:tabs").body == "one\ntwo\nthree\n4\nfive\nsix\n"

    @pytest.mark.parametrize("more", [{}, {"new_str": ""}])
    def test_without_a_new_text_the_old_one_goes(self, ask: Ask, memory: Memory, more: dict[str, str]) -> None:
        assert not ask("str_replace", path=TABS, old_str="two\n", **more).is_error
        assert memory.get("shared:team:tabs").body == "one\nthree\nfour\nfive\nsix\n"

    def test_a_text_that_is_not_there(self, ask: Ask) -> None:
        assert ask("str_replace", path=TABS, old_str="seven", new_str="7") == Answer(
            f"No replacement was performed, old_str `seven` did not appear verbatim in {TABS}.", True
        )

    def test_a_text_that_is_there_more_than_once(self, ask: Ask, memory: Memory) -> None:
        assert ask("str_replace", path=TABS, old_str="o", new_str="0") == Answer(
            "No replacement was performed. Multiple occurrences of old_str `o` in lines: 1, 2, 4. "
            "Please ensure it is unique",
            True,
        )
        assert memory.get("shared:team:tabs").version == 1

    def test_lines_that_end_as_on_windows(self, ask: Ask, memory: Memory) -> None:
        memory.update("shared:team:tabs", "one\r\ntwo\r\n", expected_version=1)
        assert not ask("str_replace", path=TABS, old_str="one\ntwo", new_str="1\n2").is_error
        assert memory.get("shared:team:tabs").body == "1\r\n2\r\n"

    def test_an_empty_old_text(self, ask: Ask) -> None:
        assert code(ask("str_replace", path=TABS, old_str="", new_str="x")) == "USAGE"

    @pytest.mark.parametrize("path", ["/memories/shared/team", "/memories/shared/none.md"])
    def test_a_folder_and_what_is_not_there(self, ask: Ask, path: str) -> None:
        answer = ask("str_replace", path=path, old_str="a", new_str="b")
        assert answer.is_error
        assert answer.text == f"Error: The path {path} does not exist. Please provide a valid path."


class TestInsert:
    """Whole lines after a line."""

    @pytest.fixture(autouse=True)
    def _entry(self, memory: Memory) -> None:
        memory.create("shared:team:tabs", "one\ntwo\n")

    @pytest.mark.parametrize(("line", "body"), [(0, "new\none\ntwo\n"), (1, "one\nnew\ntwo\n"), (2, "one\ntwo\nnew\n")])
    def test_it_stands_after_that_line(self, ask: Ask, memory: Memory, line: int, body: str) -> None:
        answer = ask("insert", path=TABS, insert_line=line, insert_text="new\n")
        assert answer == Answer(f"The file {TABS} has been edited.")
        assert memory.get("shared:team:tabs").body == body

    @pytest.mark.parametrize("line", [-1, 3])
    def test_a_line_that_there_is_not(self, ask: Ask, line: int) -> None:
        assert ask("insert", path=TABS, insert_line=line, insert_text="new") == Answer(
            f"Error: Invalid `insert_line` parameter: {line}. "
            "It should be within the range of lines of the file: [0, 2]",
            True,
        )

    @pytest.mark.parametrize("line", ["1", None, True, 1.0])
    def test_what_is_no_line(self, ask: Ask, line: object) -> None:
        assert code(ask("insert", path=TABS, insert_line=line, insert_text="new")) == "INVALID_ENTRY"

    @pytest.mark.parametrize("path", ["/memories/shared/team", "/memories/shared/none.md"])
    def test_a_folder_and_what_is_not_there(self, ask: Ask, path: str) -> None:
        answer = ask("insert", path=path, insert_line=0, insert_text="b")
        assert answer.is_error
        assert answer.text == f"Error: The path {path} does not exist"


class TestDelete:
    """One entry, which undo brings back."""

    def test_an_entry(self, ask: Ask, home: Home) -> None:
        ask("create", path=TABS, file_text="Tabs.")
        assert ask("delete", path=TABS) == Answer(f"Successfully deleted {TABS}")
        with home.memory() as person:
            person.undo()
            assert person.get("shared:team:tabs").body == "Tabs."

    @pytest.mark.parametrize("path", [TABS, "/memories/shared/team"])
    def test_what_is_not_there(self, ask: Ask, path: str) -> None:
        answer = ask("delete", path=path)
        assert code(answer) == "MEMORY_NOT_FOUND"
        assert answer.text == f"Error: The path {path} does not exist"

    def test_a_folder_stays(self, ask: Ask, memory: Memory) -> None:
        memory.create("shared:team:tabs", "Tabs.")
        answer = ask("delete", path="/memories/shared/team")
        assert code(answer) == "USAGE"
        assert "one by one" in answer.text
        assert memory.get("shared:team:tabs").body == "Tabs."

    @pytest.mark.parametrize("path", ["/memories", "/memories/"])
    def test_the_root_stays(self, ask: Ask, path: str) -> None:
        assert ask("delete", path=path).text.startswith("Error: USAGE: /memories itself can't be deleted")


class TestRename:
    """Another path for one entry."""

    TO = "/memories/shared/indentation.md"

    def test_an_entry(self, ask: Ask, memory: Memory) -> None:
        memory.create("shared:team:tabs", "Tabs.")
        told = ask("rename", old_path=TABS, new_path=self.TO)
        assert told == Answer(f"Successfully renamed {TABS} to {self.TO}")
        assert memory.get("shared:indentation").body == "Tabs."
        gone = ask("view", path=TABS).text
        assert gone == f"The path {TABS} does not exist. Please provide a valid path.\nIt was moved to {self.TO}"

    def test_what_is_not_there(self, ask: Ask) -> None:
        answer = ask("rename", old_path=TABS, new_path=self.TO)
        assert answer.is_error
        assert answer.text == f"Error: The path {TABS} does not exist"

    def test_a_place_that_is_taken(self, ask: Ask, memory: Memory) -> None:
        memory.create("shared:team:tabs", "Tabs.")
        memory.create("shared:indentation", "Spaces.")
        answer = ask("rename", old_path=TABS, new_path=self.TO)
        assert answer.is_error
        assert answer.text == f"Error: The destination {self.TO} already exists"
        assert memory.get("shared:indentation").body == "Spaces."

    def test_a_folder_and_the_root_stay(self, ask: Ask, memory: Memory) -> None:
        memory.create("shared:team:tabs", "Tabs.")
        assert code(ask("rename", old_path="/memories/shared/team", new_path="/memories/shared/x")) == "USAGE"
        assert code(ask("rename", old_path="/memories", new_path="/memories/shared/x")) == "USAGE"
        assert code(ask("rename", old_path=TABS, new_path="/memories/shared/x")) == "INVALID_MEMORY_ID"


class TestVersions:
    """Nothing that somebody else has written is lost unseen."""

    @pytest.fixture(autouse=True)
    def _read_entry(self, ask: Ask, home: Home) -> None:
        ask("create", path=TABS, file_text="one\ntwo\n")
        ask("view", path=TABS)
        home.write("shared/team/tabs.md", "zero\none\ntwo")

    @pytest.mark.parametrize(("command", "given"), [("insert", {"insert_line": 1, "insert_text": "x"}), ("delete", {})])
    def test_what_counts_lines_or_removes_needs_what_was_read(
        self, ask: Ask, memory: Memory, command: str, given: dict[str, object]
    ) -> None:
        answer = ask(command, path=TABS, **given)
        assert code(answer) == "MEMORY_VERSION_CONFLICT"
        assert "is at version 2, not 1" in answer.text
        assert "read it again" in answer.text
        assert memory.get("shared:team:tabs").body == "zero\none\ntwo"
        ask("view", path=TABS)
        assert not ask(command, path=TABS, **given).is_error

    def test_a_replacement_merges_with_what_others_wrote(self, ask: Ask, memory: Memory) -> None:
        assert not ask("str_replace", path=TABS, old_str="two", new_str="2").is_error
        assert memory.get("shared:team:tabs").body == "zero\none\n2"
        assert code(ask("insert", path=TABS, insert_line=1, insert_text="x")) == "MEMORY_VERSION_CONFLICT"

    def test_one_s_own_writes_are_no_conflict(self, ask: Ask, memory: Memory) -> None:
        ask("view", path=TABS)
        for line in range(3):
            assert not ask("insert", path=TABS, insert_line=line, insert_text=f"{line}").is_error
        assert not ask("rename", old_path=TABS, new_path="/memories/shared/b.md").is_error
        assert not ask("delete", path="/memories/shared/b.md").is_error

    def test_a_write_between_reading_and_writing_is_a_conflict(
        self, ask: Ask, memory: Memory, home: Home, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        read = memory.get

        def read_and_be_overtaken(id: str) -> object:
            entry = read(id)
            home.write("shared/team/tabs.md", "two, by somebody else")
            return entry

        monkeypatch.setattr(memory, "get", read_and_be_overtaken)
        answer = ask("str_replace", path=TABS, old_str="two", new_str="2")
        assert code(answer) == "MEMORY_VERSION_CONFLICT"
        assert read("shared:team:tabs").body == "two, by somebody else"


class TestPolicy:
    """A role gets what its grants give it, and is told what they don't."""

    def test_the_person_is_refused(self, home: Home) -> None:
        with home.memory() as memory, pytest.raises(UnauthorizedMemoryAccessError) as refused:
            MemoryCommands(memory)
        assert refused.value.error_code == "RESERVED_FOR_PRINCIPAL"
        assert home.told()[-1] == ("principal", "open", None, "denied", "RESERVED_FOR_PRINCIPAL")

    @pytest.mark.parametrize(
        ("command", "given"),
        [
            ("create", {"path": "/memories/project/alp/plan.md", "file_text": "x"}),
            ("str_replace", {"path": "/memories/project/alp/goals.md", "old_str": "Ship", "new_str": "Keep"}),
            ("insert", {"path": "/memories/project/alp/goals.md", "insert_line": 0, "insert_text": "x"}),
            ("delete", {"path": "/memories/project/alp/goals.md"}),
            (
                "rename",
                {"old_path": "/memories/project/alp/goals.md", "new_path": "/memories/private/worker/goals.md"},
            ),
        ],
    )
    def test_a_denied_write_carries_its_code_and_the_grant(
        self, home: Home, memory: Memory, command: str, given: dict[str, str]
    ) -> None:
        memory.create("project:alp:goals", "Ship it.")
        with home.memory("worker") as worker:
            answer = MemoryCommands(worker).answer({"command": command, **given})
        assert code(answer) == "MEMORY_NOT_GRANTED"
        assert answer.text.startswith("Error: MEMORY_NOT_GRANTED: `worker` may not ")
        assert "\nthe grant that would open it: project:alp:" in answer.text
        assert memory.get("project:alp:goals").body == "Ship it."

    def test_another_role_s_private_memory_is_not_seen(self, ask: Ask, home: Home) -> None:
        before = ask("view", path="/memories"), ask("view", path="/memories/private")
        with home.memory("worker") as worker:
            worker.create("private:worker:plan", "Mine.")
        assert (ask("view", path="/memories"), ask("view", path="/memories/private")) == before
        there = ask("view", path="/memories/private/worker/plan.md")
        assert code(there) == "PRIVATE_MEMORY_DENIED"
        nowhere = ask("view", path="/memories/private/worker/none.md")
        assert there.text.replace("plan", "none") == nowhere.text
        assert code(ask("view", path="/memories/private/worker")) == "PRIVATE_MEMORY_DENIED"

    def test_an_entry_of_a_hidden_domain_is_not_there(self, ask: Ask, home: Home) -> None:
        home.write("shared/pay.md", "---\nname: pay\ntype: project\nkind: reference\ndomain: hr\n---\n\nNumbers.\n")
        with home.memory() as person:
            person.create_domain("hr")
            person.set_grant("main", "hr", "none")
        pay = "/memories/shared/pay.md"
        assert listed(ask("view", path="/memories/shared")) == ["/memories/shared"]
        for command, given in (
            ("view", {"path": pay}),
            ("str_replace", {"path": pay, "old_str": "N", "new_str": "n"}),
            ("insert", {"path": pay, "insert_line": 0, "insert_text": "x"}),
            ("delete", {"path": pay}),
            ("rename", {"old_path": pay, "new_path": "/memories/private/main/pay.md"}),
        ):
            assert code(ask(command, **given)) == "MEMORY_NOT_FOUND"

    def test_a_role_with_a_grant_of_one_branch_sees_the_folders_above_it(self, home: Home, memory: Memory) -> None:
        config = home.write("../config/config.toml", "")
        home.write("../config/roles.yaml", "roles:\n  guest:\n    memory_read: ['shared:team', 'project:alp:goals']\n")
        for id in ("shared:team:tabs", "shared:secret", "project:alp:goals", "project:alp:secret"):
            memory.create(id, "x")
        guest_home = type(home)(home.folder, {"TRINHO_CONFIG": str(config)})
        with guest_home.memory("guest") as guest:
            commands = MemoryCommands(guest)

            def view(path: str) -> Answer:
                return commands.answer({"command": "view", "path": path})

            assert listed(view("/memories/shared"))[1:] == ["/memories/shared/team/", "/memories/shared/team/tabs.md"]
            assert listed(view("/memories/project/alp"))[1:] == ["/memories/project/alp/goals.md"]
            assert code(view("/memories/project/other")) == "MEMORY_NOT_GRANTED"
            assert code(view("/memories/shared/secret.md")) == "MEMORY_NOT_GRANTED"

    @pytest.mark.parametrize("branch", ["facts", "policies"])
    def test_what_is_proposed_is_not_created(self, ask: Ask, branch: str) -> None:
        answer = ask("create", path=f"/memories/shared/{branch}/x.md", file_text="x")
        assert code(answer) == "RESERVED_MEMORY_BRANCH"

    def test_a_secret_is_refused_for_others_and_warned_of_in_private(self, ask: Ask, memory: Memory) -> None:
        text = f"key: {AWS_KEY}\n"
        assert code(ask("create", path=TABS, file_text=text)) == "SECRET_DETECTED"
        memory.create("shared:team:tabs", "one\n")
        assert code(ask("str_replace", path=TABS, old_str="one", new_str=text)) == "SECRET_DETECTED"
        assert code(ask("insert", path=TABS, insert_line=0, insert_text=text)) == "SECRET_DETECTED"
        told = ask("create", path="/memories/private/main/key.md", file_text=text)
        assert not told.is_error
        assert "\nnote: " in told.text
        moved = ask("rename", old_path="/memories/private/main/key.md", new_path="/memories/shared/key.md")
        assert code(moved) == "SECRET_DETECTED"

    def test_what_a_person_has_to_accept_is_said_to_wait(self, home: Home) -> None:
        config = home.write("../config.toml", "strict = true\n")
        with type(home)(home.folder, {"TRINHO_CONFIG": str(config)}).memory("main") as strict:
            answer = MemoryCommands(strict).answer({"command": "create", "path": TABS, "file_text": "x\n"})
            assert answer.text.endswith("\nnote: it waits until a person accepts it")
            changed = MemoryCommands(strict).answer(
                {"command": "str_replace", "path": TABS, "old_str": "x", "new_str": "y"}
            )
        assert code(changed) == "RESERVED_FOR_PRINCIPAL"


class TestTrail:
    """Every command leaves the lines of the doors that it goes through."""

    def test_a_session(self, ask: Ask, home: Home, memory: Memory) -> None:
        ask("view", path="/memories")
        ask("create", path=TABS, file_text="one\ntwo\n")
        ask("view", path=TABS)
        ask("str_replace", path=TABS, old_str="one", new_str="1")
        ask("insert", path=TABS, insert_line=0, insert_text="0")
        ask("rename", old_path=TABS, new_path="/memories/shared/tabs.md")
        ask("delete", path="/memories/shared/tabs.md")
        ask("view", path="/memories/private/worker/plan.md")
        assert home.told() == [
            ("main", "list", None, "allowed", None),
            ("main", "create", "shared:team:tabs", "allowed", None),
            ("main", "get", "shared:team:tabs", "allowed", None),
            ("main", "get", "shared:team:tabs", "allowed", None),
            ("main", "update", "shared:team:tabs", "allowed", None),
            ("main", "get", "shared:team:tabs", "allowed", None),
            ("main", "update", "shared:team:tabs", "allowed", None),
            ("main", "get", "shared:team:tabs", "allowed", None),
            ("main", "move", "shared:team:tabs", "allowed", None),
            ("main", "delete", "shared:tabs", "allowed", None),
            ("main", "get", "private:worker:plan", "denied", "PRIVATE_MEMORY_DENIED"),
        ]
        assert memory.verify_audit().faults == ()

    @pytest.mark.parametrize(
        ("command", "given", "operation"),
        [
            ("view", {"path": "/memories/../x"}, "get"),
            ("create", {"path": "/memories/../x", "file_text": "x"}, "create"),
            ("str_replace", {"path": "/memories/../x", "old_str": "x"}, "update"),
            ("insert", {"path": "/memories/../x", "insert_line": 0, "insert_text": "x"}, "update"),
            ("delete", {"path": "/memories/../x"}, "delete"),
            ("rename", {"old_path": "/memories/../x", "new_path": TABS}, "move"),
            ("rename", {"old_path": TABS, "new_path": "/memories/../x"}, "move"),
        ],
    )
    def test_a_path_that_leads_out_is_refused_and_stands_in_the_trail(
        self, ask: Ask, home: Home, command: str, given: dict[str, object], operation: str
    ) -> None:
        assert code(ask(command, **given)) == "PATH_TRAVERSAL"
        assert home.told() == [("main", operation, "/memories/../x", "error", "PATH_TRAVERSAL")]
        assert not (home.root / "x").exists()
        assert list(home.root.rglob("*.md")) == []

    def test_a_secret_in_a_path_does_not_stand_there(self, ask: Ask, home: Home) -> None:
        answer = ask("view", path=f"/memories/../{AWS_KEY}")
        assert AWS_KEY not in answer.text
        assert home.told() == [("main", "get", None, "error", "PATH_TRAVERSAL")]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "USAGE"),
        ({"command": None}, "USAGE"),
        ({"command": "clear", "path": "/memories"}, "USAGE"),
        ({"command": ["view"]}, "USAGE"),
        ({"command": "view"}, "INVALID_ENTRY"),
        ({"command": "view", "path": 7}, "INVALID_ENTRY"),
        ({"command": "create", "path": TABS}, "INVALID_ENTRY"),
        ({"command": "create", "path": TABS, "file_text": ["x"]}, "INVALID_ENTRY"),
        ({"command": "create", "path": TABS, "file_text": "a\0"}, "INVALID_ENTRY"),
        ({"command": "create", "path": TABS, "file_text": "\ud800"}, "INVALID_ENTRY"),
        ({"command": "str_replace", "path": TABS, "old_str": None, "new_str": "x"}, "INVALID_ENTRY"),
        ({"command": "str_replace", "path": TABS, "old_str": "x", "new_str": 1}, "INVALID_ENTRY"),
        ({"command": "insert", "path": TABS, "insert_line": 0}, "INVALID_ENTRY"),
        ({"command": "insert", "path": TABS, "insert_line": 0, "insert_text": 5}, "INVALID_ENTRY"),
        ({"command": "rename", "old_path": TABS}, "INVALID_ENTRY"),
    ],
)
def test_a_call_that_is_wrong_is_told_what_is(memory: Memory, given: dict[str, object], told: str) -> None:
    assert code(MemoryCommands(memory).answer(given)) == told
    assert memory.entries() == []
