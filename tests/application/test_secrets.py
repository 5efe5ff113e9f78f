"""No secret gets where others read, and none gets into what is told of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.secret_samples import MADE, some

from trinho import errors, open_memory
from trinho.errors import SecretDetectedError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cleanroom import Home, Terminal

    from trinho.application.library import Memory

TOKEN, SECRET = MADE["github-pat"]()
BODY = f"# Deploy\n\nUse {TOKEN} for it."
OTHER = some("abcdefghjkmnpqrstuvwxyz23456789", 12, "other")


def holding(folder: Path, secret: str = SECRET) -> list[str]:
    """The files that hold the secret or a telling part of it."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    return [str(file.relative_to(folder)) for file in files if secret[:16].encode() in file.read_bytes()]


def blocked(act: Callable[[], object], part: str, line: int) -> None:
    with pytest.raises(SecretDetectedError) as caught:
        act()
    fields = caught.value.as_dict()
    assert (fields["code"], fields["rule"], fields["line"], fields["part"]) == (
        "SECRET_DETECTED",
        "github-pat",
        line,
        part,
    )
    assert SECRET[:16] not in json.dumps(fields) + str(caught.value) + repr(caught.value)
    assert caught.value.__cause__ is None


SCOPES = ("shared:a:note", "project:alp:note", "project:alp:team:note")


class TestDoors:
    """Every write into shared, project and team memory is looked at."""

    @pytest.mark.parametrize("id", SCOPES)
    def test_create(self, home: Home, id: str) -> None:
        with home.memory() as memory:
            blocked(lambda: memory.create(id, BODY), "body", 3)
            blocked(lambda: memory.create(id, "text", description=f"with {TOKEN}"), "description", 1)
            blocked(lambda: memory.create(id, "text", name=TOKEN), "name", 1)
            assert memory.session.notices == []
            with pytest.raises(errors.MemoryEntryNotFoundError):
                memory.get(id)
        assert home.told()[:3] == [("principal", "create", id, "error", "SECRET_DETECTED")] * 3
        assert holding(home.folder) == []

    @pytest.mark.parametrize("id", SCOPES)
    def test_update(self, home: Home, id: str) -> None:
        with home.memory() as memory:
            memory.create(id, "text")
            blocked(lambda: memory.update(id, BODY, expected_version=1), "body", 3)
            blocked(lambda: memory.replace_document(id, BODY.encode(), expected_version=1), "document", 3)
            assert (memory.get(id).body, memory.get(id).version) == ("text", 1)
        assert holding(home.folder) == []

    def test_what_a_hand_put_there_is_not_written_again(self, home: Home) -> None:
        home.write("shared/a/note.md", BODY)
        with home.memory() as memory:
            blocked(lambda: memory.update("shared:a:note", expected_version=1, description="new"), "document", 13)
            assert memory.update("shared:a:note", "clean", expected_version=1, description="new").body == "clean"

    @pytest.mark.parametrize("id", [f"shared:a:{TOKEN}", f"private:main:{TOKEN}:note"])
    def test_the_name_of_an_entry(self, home: Home, id: str) -> None:
        with home.memory() as memory:
            blocked(lambda: memory.create(id, "text"), "id", 1)
            memory.create("shared:a:note", "text")
            blocked(lambda: memory.move("shared:a:note", id), "id", 1)
        assert holding(home.folder) == []
        assert ("principal", "create", None, "error", "SECRET_DETECTED") in home.told()

    def test_a_move_out_of_private_memory(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("private:main:note", BODY)
            for target in ("shared:a:note", "project:alp:note"):
                blocked(lambda target=target: memory.move("private:main:note", target), "document", 13)  # type: ignore[misc]
            assert memory.move("private:main:note", "private:main:other").body == BODY
        assert home.told()[1] == ("principal", "move", "private:main:note", "error", "SECRET_DETECTED")
        assert {place.split("/")[0] for place in holding(home.root)} <= {"private", ".trinho"}
        assert not any("audit" in place for place in holding(home.root))

    def test_an_undo_brings_back_what_stood_there(self, home: Home) -> None:
        home.write("shared/a/note.md", BODY)
        with home.memory() as memory:
            run = memory.delete("shared:a:note", expected_version=1)
            memory.undo(run)
            assert memory.get("shared:a:note").body == BODY


class TestTrail:
    """The trail is never forgotten, so it keeps no secret that was given for a name."""

    @pytest.mark.parametrize(
        "command",
        [
            ("get", f"shared:x:{TOKEN}"),
            ("get", TOKEN),
            ("delete", f"shared:x:{TOKEN}", "--expected-version", "1"),
            ("forget", f"shared:x:{TOKEN}", "--purge", "--yes"),
            ("undo", TOKEN),
            ("list", "--scope", TOKEN),
            ("search", "x", "--scope", f"shared:{TOKEN}:?"),
            ("--as", TOKEN, "list"),
        ],
        ids=lambda command: command[0],
    )
    def test_what_is_refused(self, home: Home, trinho: Terminal, command: tuple[str, ...]) -> None:
        trinho("create", "shared:a:note", "--body", "text")
        assert trinho(*command).status != 0
        assert home.audit()[-1]["result"] in ("error", "denied")
        assert holding(home.root) == []

    @pytest.mark.parametrize(
        "command",
        [
            ("get", f"shared:x:{TOKEN}"),
            ("get", TOKEN),
            ("list", "--scope", TOKEN),
            ("--as", TOKEN, "list"),
            ("--as", "worker", "create", f"project:{TOKEN}:x", "--body", "x"),
        ],
        ids=lambda command: command[0],
    )
    @pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
    def test_what_is_refused_is_not_said_again(
        self, trinho: Terminal, command: tuple[str, ...], form: tuple[str, ...]
    ) -> None:
        answer = trinho(*command, *form)
        assert answer.status != 0
        assert "[a secret]" in answer.out + answer.err
        assert TOKEN not in answer.out + answer.err

    @pytest.mark.parametrize(
        "command",
        [
            ("search", "x", "--scope", f"shared:{TOKEN}"),
            ("list", "--scope", f"project:{TOKEN}"),
            ("export", "--scope", f"project:{TOKEN}"),
        ],
        ids=lambda command: command[0],
    )
    def test_what_is_allowed(self, home: Home, trinho: Terminal, command: tuple[str, ...]) -> None:
        trinho("create", "shared:a:note", "--body", "text")
        assert trinho(*command).status == 0
        assert home.audit()[-1]["result"] == "allowed"
        assert holding(home.root) == []

    def test_the_name_of_the_run(self, home: Home) -> None:
        with open_memory(home.root, environment={"TRINHO_SESSION": TOKEN}) as memory:
            memory.create("shared:a:note", "text")
            assert any("TRINHO_SESSION" in notice for notice in memory.session.notices)
        with open_memory(home.root, environment={"TRINHO_SESSION": "nightly"}) as memory:
            memory.get("shared:a:note")
        assert [line["session"] for line in home.audit()][-1] == "nightly"
        assert holding(home.root) == []


class TestPrivate:
    """A private write goes through, and says what it did."""

    def test_it_warns(self, home: Home) -> None:
        with home.memory() as memory:
            entry = memory.create("private:main:note", BODY)
            changed = memory.update("private:main:note", BODY + "\n", expected_version=1)
            notices = list(memory.session.notices)
        for warnings in (entry.warnings, changed.warnings):
            assert len(warnings) == 1
            assert "line 13 of its file" in warnings[0]
            assert "`github-pat`" in warnings[0]
        assert [SECRET[:16] in notice for notice in notices] == [False, False]
        assert [line["result"] for line in home.audit()] == ["allowed", "allowed"]

    def test_on_the_command_line(self, trinho: Terminal) -> None:
        answer = trinho("create", "private:main:note", "--json", stdin=BODY)
        assert (answer.status, len(answer.json["warnings"])) == (0, 1)
        assert "note: `private:main:note`: line 13" in answer.err
        assert SECRET[:16] not in answer.err

    def test_a_clean_one_warns_of_nothing(self, home: Home) -> None:
        with home.memory() as memory:
            assert memory.create("private:main:note", "text").warnings == ()
            assert memory.session.notices == []


class TestCommandLine:
    def test_exit_status_and_words(self, home: Home, trinho: Terminal) -> None:
        answer = trinho("create", "shared:a:note", stdin=BODY)
        assert (answer.status, answer.out) == (7, "")
        assert "SECRET_DETECTED: line 3 of the body holds a secret, by the rule `github-pat`" in answer.err
        assert "trinho secrets allow" in answer.err
        in_json = trinho("create", "shared:a:note", "--json", stdin=BODY)
        assert (in_json.status, in_json.error["rule"], in_json.error["line"]) == (7, "github-pat", 3)
        assert SECRET[:16] not in answer.err + in_json.out + in_json.err
        assert holding(home.folder) == []

    def test_in_a_process_of_its_own(self, home: Home) -> None:
        done = home.installed("create", "shared:a:note", stdin=BODY.encode())
        assert done.returncode == 7
        assert SECRET[:16].encode() not in done.stdout + done.stderr


class TestImport:
    """A file with a secret stays outside; the rest comes in."""

    @pytest.fixture
    def source(self, tmp_path: Path) -> Path:
        folder = tmp_path / "source"
        folder.mkdir()
        (folder / "clean.md").write_text("text\n", encoding="utf-8")
        (folder / "leak.md").write_text(
            f"---\nname: x\nkind: {TOKEN}\n---\n\nhttps://a:{OTHER}@host/x\n", encoding="utf-8"
        )
        (folder / "MEMORY.md").write_text(
            f"- [Clean](clean.md) — text\n- [x](https://u:{OTHER}@host/)\n", encoding="utf-8"
        )
        return folder

    @pytest.mark.parametrize("into", ["shared", "project:alp"])
    def test_it_is_skipped_and_reported(self, home: Home, trinho: Terminal, source: Path, into: str) -> None:
        answer = trinho("import", "markdown", str(source), "--into", into, "--json")
        assert answer.status == 0
        assert [each["id"] for each in answer.json["added"]] == [f"{into}:clean"]
        skipped = {each["path"].rpartition("/")[2]: each["reason"] for each in answer.json["skipped"]}
        assert skipped == {
            "MEMORY.md": "line 2 holds a secret, by the rule `credentials-in-url`",
            "leak.md": "line 3 holds a secret, by the rule `github-pat`",
        }
        assert not any(secret[:10] in answer.out + answer.err for secret in (SECRET, OTHER))
        assert holding(home.root) + holding(home.root, OTHER) == []

    def test_the_name_of_a_file_or_of_the_branch(self, home: Home, trinho: Terminal, tmp_path: Path) -> None:
        folder = tmp_path / "named"
        (folder / TOKEN).mkdir(parents=True)
        (folder / TOKEN / "a.md").write_text("text\n")
        (folder / f"{TOKEN}.md").write_text("text\n")
        (folder / "clean.md").write_text("text\n")
        for into in ("shared:in", "private:main:in"):
            answer = trinho("import", "markdown", str(folder), "--into", into, "--json")
            assert [each["id"] for each in answer.json["added"]] == [f"{into}:clean"]
            assert {each["reason"] for each in answer.json["skipped"]} == {
                "its name holds a secret, by the rule `github-pat`"
            }
            assert SECRET[:10] not in answer.out + answer.err
        refused = trinho("import", "markdown", str(folder), "--into", f"shared:{TOKEN}", "--json")
        assert (refused.status, refused.json["error"]["code"]) == (7, "SECRET_DETECTED")
        assert holding(home.root) == []

    def test_into_private_memory_it_comes_with_a_note(self, home: Home, trinho: Terminal, source: Path) -> None:
        (source / "MEMORY.md").unlink()
        answer = trinho("import", "markdown", str(source), "--into", "private:main:in", "--json")
        assert len(answer.json["added"]) == 2
        (note,) = answer.json["notes"]
        assert "`github-pat`" in note["note"]
        assert not any(secret[:10] in answer.out + answer.err for secret in (SECRET, OTHER))


class TestAllowing:
    """A person lets through what is none, or may stand there; only its hash is kept."""

    def test_it_then_passes_everywhere_in_this_root(self, home: Home, trinho: Terminal) -> None:
        answer = trinho("secrets", "allow", "--reason", "revoked in May", "--yes", stdin=BODY)
        assert answer.status == 0
        assert "line 3: github-pat" in answer.out
        assert SECRET[:16] not in answer.out + answer.err
        assert holding(home.folder) == []
        assert home.told() == [("principal", "secrets allow", "github-pat", "allowed", None)]
        assert trinho("create", "shared:a:note", stdin=f"Else: {TOKEN}").status == 0
        assert trinho("create", "shared:a:other", stdin=f"Else: {TOKEN[:-6]}{'A1b2C3'}").status == 7
        assert trinho("audit", "verify").status == 0

    def test_what_is_kept(self, home: Home, trinho: Terminal) -> None:
        trinho("secrets", "allow", "--reason", "revoked in May", "--yes", stdin=BODY)
        (entry,) = trinho("secrets", "list", "--json").json["allowed"]
        assert (entry["rule"], entry["reason"], entry["actor"]) == ("github-pat", "revoked in May", "principal")
        assert "revoked in May" in trinho("secrets", "list").out
        with_other_salt = trinho(
            "--root", "elsewhere", "secrets", "allow", "--reason", "x", "--yes", "--json", stdin=BODY
        )
        assert with_other_salt.json["allowed"][0]["fingerprint"] != entry["fingerprint"]
        assert (home.root / ".trinho/allowed-secrets.json").stat().st_mode & 0o777 == 0o600

    def test_it_needs_a_persons_word(self, home: Home, trinho: Terminal) -> None:
        (home.folder / "text").write_text(BODY, encoding="utf-8")
        answer = trinho("secrets", "allow", "--file", "text", "--reason", "x", "--json", stdin="y\n")
        assert (answer.status, answer.error["code"]) == (2, "CONFIRMATION_REQUIRED")
        assert trinho("create", "shared:a:note", stdin=BODY).status == 7

    @pytest.mark.parametrize("command", [("allow", "--reason", "x", "--yes"), ("list",)])
    def test_no_agent_may(self, home: Home, trinho: Terminal, command: tuple[str, ...]) -> None:
        home.memory().close()
        answer = trinho("--as", "main", "--json", "secrets", *command, stdin=BODY)
        assert (answer.status, answer.error["code"]) == (3, "RESERVED_FOR_PRINCIPAL")
        assert home.told() == [("main", "secrets allow", None, "denied", "RESERVED_FOR_PRINCIPAL")]

    def test_only_one_line(self, trinho: Terminal) -> None:
        two = f"{BODY}\nThe password is {OTHER}\n"
        assert trinho("secrets", "allow", "--line", "4", "--reason", "x", "--yes", stdin=two).status == 0
        assert trinho("create", "shared:a:note", "--json", stdin=two).error["line"] == 3

    def test_a_clean_text_has_nothing_to_allow(self, trinho: Terminal) -> None:
        assert trinho("secrets", "allow", "--reason", "x", "--yes", stdin="text").status == 2

    def test_the_reason_holds_no_secret_and_says_something(self, home: Home, trinho: Terminal) -> None:
        answer = trinho("secrets", "allow", "--reason", TOKEN, "--yes", "--json", stdin=BODY)
        assert (answer.status, answer.error["part"]) == (7, "reason")
        assert trinho("secrets", "allow", "--reason", " ", "--yes", stdin=BODY).status == 2
        assert holding(home.folder) == []

    def test_a_damaged_list_lets_nothing_through_and_blocks_nothing_else(self, home: Home, trinho: Terminal) -> None:
        trinho("secrets", "allow", "--reason", "x", "--yes", stdin=BODY)
        (home.root / ".trinho/allowed-secrets.json").write_text('{"salt": 1', encoding="utf-8")
        answer = trinho("create", "shared:a:note", "--json", stdin=BODY)
        assert (answer.status, answer.error["code"]) == (8, "STORE_DAMAGED")
        assert trinho("create", "shared:a:clean", "--body", "text").status == 0

    def test_it_is_kept_in_a_root_that_was_never_written(self, home: Home, trinho: Terminal) -> None:
        assert trinho("secrets", "list", "--json").json == {"allowed": []}


class _Broken:
    def scan(self, *_: object) -> Any:
        raise errors.SecretScannerError("its rules can't be loaded (ImportError)")


class TestFailingScanner:
    """Where the rules can't be used, nothing gets to others unseen."""

    def opened(self, home: Home) -> Memory:
        memory = home.memory()
        memory.session.workspace._scanner = _Broken()
        return memory

    def test_shared_memory_is_closed(self, home: Home) -> None:
        with self.opened(home) as memory, pytest.raises(errors.SecretScannerError):
            memory.create("shared:a:note", "text")
        assert home.told() == [("principal", "create", "shared:a:note", "error", "SECRET_SCANNER_FAILED")]

    def test_private_memory_is_open_and_says_so(self, home: Home) -> None:
        with self.opened(home) as memory:
            assert "the scanner failed" in memory.create("private:main:note", "text").warnings[0]
