"""The contract of the command line: options, JSON documents, exit statuses, safe output."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cleanroom import Home, Terminal

from trinho.domain.entry import MAX_ENTRY_BYTES

ENTRY = ["id", "version", "kind", "type", "name", "description", "body", "created_at", "updated_at"]
EVIL = "\x1b]8;;http://x\x07link\x1b[2J \u202egnp.exe \u200b \x9b31m \r over"


@pytest.fixture
def note(trinho: Terminal) -> str:
    assert trinho("create", "shared:a:note", "--body", "tabs", "--name", "Note").status == 0
    return "shared:a:note"


class TestOptionsEverywhere:
    """--root, --as and --json hold before and after any command."""

    @pytest.mark.parametrize(
        "line",
        [
            ["--root", "R", "--as", "main", "--json", "get", "shared:a:note"],
            ["get", "--root", "R", "--as", "main", "--json", "shared:a:note"],
            ["get", "shared:a:note", "--root", "R", "--as", "main", "--json"],
            ["--root", "R", "get", "shared:a:note", "--json", "--as", "main"],
        ],
    )
    def test_in_any_place(self, home: Home, trinho: Terminal, line: list[str]) -> None:
        other = str(home.folder / "other")
        trinho("--root", other, "create", "shared:a:note", "--body", "elsewhere")
        answer = trinho(*(other if word == "R" else word for word in line))
        assert answer.json["body"] == "elsewhere"
        assert trinho("--root", other, "audit", "--json").json["lines"][-1]["actor"] == "main"
        assert not home.root.exists()

    @pytest.mark.parametrize(
        "line", [["index", "--json", "status"], ["--json", "index", "status"], ["index", "status", "--json"]]
    )
    def test_around_a_subcommand(self, trinho: Terminal, line: list[str]) -> None:
        assert trinho(*line).json == {"entries": 0, "quarantined": 0, "read_anew": 0}

    def test_behind_two_dashes_nothing_is_an_option(self, trinho: Terminal) -> None:
        answer = trinho("get", "--", "--json")
        assert (answer.status, answer.out) == (2, "")

    def test_a_value_is_no_option(self, trinho: Terminal) -> None:
        answer = trinho("create", "shared:..", "--body", "--json")
        assert (answer.status, answer.out) == (2, "")


class TestDocuments:
    """Under --json there is one document of a fixed shape on standard output."""

    def test_an_entry(self, trinho: Terminal, note: str) -> None:
        created = trinho("create", "shared:a:other", "--body", "x", "--json")
        updated = trinho("update", note, "--expected-version", "1", "--body", "spaces", "--json")
        read = trinho("get", note, "--json")
        moved = trinho("move", note, "shared:a:moved", "--json")
        assert [list(answer.json) for answer in (created, updated, read)] == [ENTRY] * 3
        assert list(moved.json) == [*ENTRY, "moved_from"]
        assert read.json == {**updated.json, "body": "spaces", "version": 2}
        assert created.json["created_at"].endswith("Z")

    def test_a_delete(self, trinho: Terminal, note: str) -> None:
        deleted = trinho("delete", note, "--expected-version", "1", "--json").json
        assert deleted == {"id": note, "version": 1, "run": 2}
        undone = trinho("undo", "--json").json
        assert undone == {"run": 3, "undoes": 2, "entries": [{"id": note, "what": "restored"}]}

    def test_a_search(self, trinho: Terminal, note: str) -> None:
        answer = trinho("search", "tabs spaces", "--explain", "--json").json
        assert list(answer) == ["query", "mode", "intent", "voices", "inactive_voices", "results", "total_considered"]
        assert (answer["mode"], answer["voices"], answer["total_considered"]) == ("hybrid", ["lexical"], 1)
        assert set(answer["inactive_voices"]) == {"semantic", "temporal", "graph"}
        [result] = answer["results"]
        keys = ["id", "version", "score", "snippet", "age", "kind", "type", "name", "description", "why"]
        assert list(result) == keys
        why = ["ranks", "decay", "confidence", "boost", "diversity", "matched", "in_other_words", "missing", "coverage"]
        assert list(result["why"]) == why
        assert (result["why"]["matched"], result["why"]["missing"]) == (["tabs"], ["spaces"])
        assert list(trinho("search", "tabs", "--json").json["results"][0]) == keys[:-1]

    def test_a_listing(self, trinho: Terminal, note: str) -> None:
        answer = trinho("list", "--json").json
        assert list(answer) == ["entries", "total"]
        [row] = answer["entries"]
        assert list(row) == [key for key in ENTRY if key != "body"]
        assert (row["id"], row["version"], answer["total"]) == (note, 1, 1)

    def test_a_context(self, trinho: Terminal, note: str) -> None:
        answer = trinho("context", "--task", "where do we use tabs and why", "--json").json
        assert list(answer) == ["text", "characters_used", "truncated", "omitted_entry_ids", "included"]
        assert answer["included"] == [{"id": note, "version": 1}]
        assert answer["characters_used"] == len(answer["text"])
        trinho("update", note, "--expected-version", "1", "--body", "tabs " * 400)
        small = trinho("context", "--task", "where do we use tabs and why", "--json").json
        assert (small["included"], small["omitted_entry_ids"], small["truncated"]) == ([], [note], True)

    def test_an_explanation(self, trinho: Terminal, note: str) -> None:
        answer = trinho("explain", "tabs", note, "--json").json
        keys = ["query", "id", "verdict", "reason", "code", "grant_that_would_open", "rank", "why"]
        assert list(answer) == keys
        denied = trinho("--as", "worker", "explain", "tabs", "private:main:plan", "--json")
        assert (denied.status, denied.json["code"]) == (0, "PRIVATE_MEMORY_DENIED")

    def test_the_audit(self, trinho: Terminal, note: str) -> None:
        keys = ["seq", "at", "actor", "operation", "id", "result", "code", "version", "session", "prev", "hash"]
        [line] = trinho("audit", "--json").json["lines"]
        assert list(line) == keys
        assert (line["seq"], line["operation"], line["result"]) == (1, "create", "allowed")
        [seen] = trinho("--as", "worker", "audit", "--json").json["lines"]
        assert (seen["seq"], seen["prev"], seen["hash"]) == (None, None, None)
        assert trinho("audit", "verify", "--json").json == {
            "ok": True,
            "lines": 1,
            "faults": [],
            "torn": None,
            "unsure": [],
        }
        assert trinho("--as", "worker", "audit", "verify", "--json").json == {"ok": True}

    def test_an_export(self, home: Home, trinho: Terminal, note: str) -> None:
        home.write("shared/a/raw.md", b"\xff")
        lines = trinho("export").out.splitlines()
        assert [sorted(json.loads(line)) for line in lines] == [["document", "id"], ["document_base64", "id"]]
        assert trinho("export", "--json").json == {"entries": [json.loads(line) for line in lines], "skipped": []}
        assert trinho("export", "--to", "out", "--json").json == {"files": 2, "skipped": []}
        assert Path("out/shared/a/note.md").read_bytes() == (home.root / "shared/a/note.md").read_bytes()

    def test_an_import(self, home: Home, trinho: Terminal) -> None:
        folder = home.folder / "notes"
        folder.mkdir()
        (folder / "one.md").write_text("text\n", encoding="utf-8")
        first = trinho("import", "markdown", str(folder), "--into", "shared:in", "--json").json
        assert list(first) == ["run", "added", "unchanged", "skipped", "notes"]
        assert [each["id"] for each in first["added"]] == ["shared:in:one"]
        again = trinho("import", "markdown", str(folder), "--into", "shared:in", "--json").json
        assert (again["run"], again["added"], len(again["unchanged"])) == (None, [], 1)

    def test_upkeep(self, home: Home, trinho: Terminal, note: str) -> None:
        assert trinho("doctor", "--json").json == {"entries": 1, "findings": [], "mended": []}
        assert trinho("index", "rebuild", "--json").json == {"files": 1}
        assert trinho("migrate", "--json").json == {"from": 1, "to": 1, "backup": None}
        purged = trinho("forget", note, "--purge", "--yes", "--json").json
        assert list(purged) == ["id", "copies", "sought", "leftovers", "out_of_reach"]

    def test_letters_stay_and_unseen_ones_are_escaped(self, trinho: Terminal) -> None:
        answer = trinho("create", "shared:quy-ước:thụt-lề", "--body", f"Thụt lề {EVIL}", "--json")
        assert "Thụt lề" in answer.out
        assert answer.json["body"] == f"Thụt lề {EVIL}"
        assert not any(c in answer.out for c in "\x1b\x07\u202e\u200b\x9b\r")


class TestStatus:
    """Each kind of error has its exit status and its code."""

    @pytest.mark.parametrize(
        ("line", "status", "code"),
        [
            (["get", "shared:a:note"], 0, None),
            (["get", "shared:../x"], 2, "INVALID_MEMORY_ID"),
            (["search", "x", "--scope", "*"], 2, "INVALID_MEMORY_GRANT"),
            (["list", "--kind", "poem"], 2, "INVALID_ENTRY"),
            (["list", "--type", "poem"], 2, "INVALID_ENTRY"),
            (["search", "x", "--kind", "poem"], 2, "INVALID_ENTRY"),
            (["search", "x", "--type", "fact", "--type", "poem"], 2, "INVALID_ENTRY"),
            (["get"], 2, "USAGE"),
            (["get", "shared:a:note", "--bogus"], 2, "USAGE"),
            (["nonsense"], 2, "USAGE"),
            (["index"], 2, "USAGE"),
            (["update", "shared:a:note", "--expected-version", "x"], 2, "USAGE"),
            (["create", "shared:a:b", "--body", "x", "--file", "y"], 2, "USAGE"),
            (["create", "shared:a:b", "--file", "/nowhere"], 2, "USAGE"),
            (["create", "shared:a:b"], 2, "USAGE"),
            (["forget", "shared:a:note"], 2, "USAGE"),
            (["import", "markdown", "/nowhere"], 2, "USAGE"),
            (["--as", "worker", "get", "private:main:x"], 3, "PRIVATE_MEMORY_DENIED"),
            (["--as", "worker", "update", "shared:a:note", "--expected-version", "1", "--body", "x"], 3, None),
            (["--as", "nobody", "list"], 3, "UNKNOWN_ACTOR"),
            (["get", "shared:a:none"], 4, "MEMORY_NOT_FOUND"),
            (["undo", "99"], 4, "RUN_NOT_FOUND"),
            (["create", "shared:a:note", "--body", "x"], 5, "MEMORY_ALREADY_EXISTS"),
            (["delete", "shared:a:note", "--expected-version", "7"], 5, "MEMORY_VERSION_CONFLICT"),
        ],
    )
    def test_of_a_line(self, trinho: Terminal, note: str, line: list[str], status: int, code: str | None) -> None:
        plain, in_json = trinho(*line), trinho(*line, "--json")
        assert (plain.status, in_json.status) == (status, status)
        if status == 0:
            return
        assert list(in_json.error)[:3] == ["code", "message", "hint"]
        assert in_json.error["code"] == code or code is None
        assert in_json.error["hint"]
        assert plain.out == ""
        assert plain.err.startswith(f"{in_json.error['code']}: {in_json.error['message']}\n")
        assert not in_json.error["message"].endswith(".")

    @pytest.mark.parametrize("command", [["list"], ["search", "x"]])
    @pytest.mark.parametrize("option", ["--kind", "--type"])
    def test_a_filter_that_there_is_not_stands_in_the_trail(
        self, home: Home, trinho: Terminal, note: str, command: list[str], option: str
    ) -> None:
        for scope in (None, "shared:a"):
            given = [] if scope is None else ["--scope", scope]
            assert trinho(*command, *given, option, "poem", "--json").error["field"] == option.removeprefix("--")
            assert home.told()[-1] == ("principal", command[0], scope, "error", "INVALID_ENTRY")
        assert len(home.told()) == 3

    def test_a_denial_carries_its_grant(self, trinho: Terminal) -> None:
        answer = trinho("--as", "compaction", "create", "shared:team:x", "--body", "x", "--json")
        assert answer.error["grant_that_would_open"] == "shared:team:x"
        assert answer.error["subject"] == "shared:team:x"
        plain = trinho("--as", "compaction", "create", "shared:team:x", "--body", "x")
        assert "the grant that would open it: shared:team:x" in plain.err

    def test_a_conflict_carries_both_versions(self, trinho: Terminal, note: str) -> None:
        error = trinho("update", note, "--expected-version", "4", "--body", "x", "--json").error
        assert (error["expected"], error["actual"]) == (4, 1)

    def test_busy(self, home: Home, trinho: Terminal, note: str) -> None:
        config = home.folder / "config.toml"
        config.write_text("lock_wait_seconds = 0\n", encoding="utf-8")
        trinho.set(TRINHO_CONFIG=str(config))
        with home.memory() as memory, memory.session.workspace.store.writing():
            answer = trinho("create", "shared:a:b", "--body", "x", "--json")
        assert (answer.status, answer.error["code"]) == (6, "STORE_BUSY")
        assert not (home.root / "shared/a/b.md").exists()

    def test_damaged_entries(self, home: Home, trinho: Terminal) -> None:
        home.write("shared/a/bad.md", b"\xff\xfe")
        home.write("shared/a/broken.md", "---\nkind: [\n---\nx\n")
        assert trinho("get", "shared:a:bad", "--json").error["code"] == "MEMORY_UNREADABLE"
        answer = trinho("update", "shared:a:broken", "--expected-version", "1", "--body", "x", "--json")
        assert (answer.status, answer.error["code"], answer.error["line"]) == (8, "BROKEN_FRONTMATTER", 3)
        read = trinho("get", "shared:a:broken")
        assert (read.status, read.out) == (0, "---\nkind: [\n---\nx\n\n")
        assert "note: broken frontmatter in line 3" in read.err
        doctor = trinho("doctor", "--json")
        assert (doctor.status, [each["line"] for each in doctor.json["findings"]]) == (8, [0, 3])
        assert trinho("doctor").status == 8

    def test_a_trail_that_was_changed(self, home: Home, trinho: Terminal, note: str) -> None:
        [trail] = (home.root / ".trinho/audit").iterdir()
        trail.write_bytes(trail.read_bytes().replace(b"principal", b"worker"))
        answer = trinho("audit", "verify", "--json")
        assert (answer.status, answer.json["ok"]) == (8, False)
        assert trinho("audit", "verify").out.startswith("the trail does not hold\n")


class TestSafeOutput:
    """Nothing that a memory holds acts on the terminal."""

    @pytest.mark.parametrize(
        "line",
        [
            ["get", "shared:a:evil"],
            ["list"],
            ["search", "link"],
            ["context", "--task", "link"],
            ["explain", f"link {EVIL}", "shared:a:evil"],
            ["doctor"],
            ["audit"],
            ["get", f"shared:{EVIL}"],
            ["--as", EVIL, "list"],
            ["create", "shared:a:x", "--body", "x", "--kind", EVIL],
            ["search", "x", "--scope", EVIL],
            [EVIL],
            ["undo", EVIL],
            ["import", "markdown", f"/{EVIL}"],
        ],
    )
    def test_neither_body_nor_names_nor_arguments(self, home: Home, trinho: Terminal, line: list[str]) -> None:
        trinho("create", "shared:a:evil", "--body", f"link {EVIL}", "--name", f"n{EVIL}", "--description", f"d{EVIL}")
        home.write(f"shared/{EVIL.replace('/', '')}.md", "x")
        home.write("shared/a/broken.md", f"---\nkind: {EVIL}\n---\nx")
        for more in ([], ["--json"]):
            answer = trinho(*line, *more)
            for text in (answer.out, answer.err):
                assert [c for c in text if c in "\x1b\x07\u202e\u200b\x9b\r"] == []


class TestNumbers:
    """How many there are is said as people say it, and how many are wanted is a number that makes sense."""

    def test_one_and_many(self, home: Home, trinho: Terminal, note: str) -> None:
        home.write("shared/a/bad.md", b"\xff")
        assert trinho("doctor").out.endswith("\n1 entry, 1 fault, 0 warnings\n")
        assert trinho("index", "status").out.startswith("1 entry, 1 file left out")
        assert trinho("export", "--to", "out").out == "2 files written to out\n"
        assert trinho("export", "--to", "one", "--scope", "shared:a:note").out == "1 file written to one\n"
        assert trinho("forget", note, "--purge", "--yes").out.startswith(f"forgot {note}: 1 copy erased\n")
        assert trinho("index", "rebuild").out == "read 1 file\n"
        trinho("create", note, "--body", "some more words")
        purged = trinho("forget", note, "--purge", "--yes").out
        assert "1 lines" not in purged
        assert re.findall(r"\b1 \w+s\b", purged) == []

    def test_an_agent_hears_of_no_file_that_it_may_not_see(self, trinho: Terminal) -> None:
        trinho("create", "private:main:plan", "--body", "x")
        assert trinho("--as", "worker", "index", "rebuild").out == "the index is made anew\n"
        assert trinho("--as", "worker", "index", "rebuild", "--json").json == {"files": None}

    @pytest.mark.parametrize("k", ["0", "-5", "x", "1.5"])
    def test_no_result_is_no_number_of_results(self, trinho: Terminal, note: str, k: str) -> None:
        for line in (["search", "tabs"], ["explain", "tabs", note]):
            assert trinho(*line, "-k", k, "--json").error["code"] == "USAGE"

    def test_very_many(self, trinho: Terminal, note: str) -> None:
        many = "9" * 30
        assert trinho("search", "tabs", "-k", many, "--json").json["total_considered"] == 1
        assert trinho("explain", "tabs", note, "-k", many, "--json").json["verdict"] == "shown"
        assert len(trinho("audit", "-n", many, "--json").json["lines"]) == 3
        assert trinho("delete", note, "--expected-version", many, "--json").status == 5
        assert trinho("undo", "9" * 5000, "--json").error["code"] == "RUN_NOT_FOUND"


class TestMode:
    """There is no model, and an answer that was asked for with one says so."""

    def test_a_search_that_asks_for_a_model(self, trinho: Terminal, note: str) -> None:
        for mode in ("semantic", "hybrid"):
            answer = trinho("search", "tabs", "--mode", mode)
            assert answer.err == "note: found by words alone: no embedding model is installed\n"
            assert "shared:a:note" in answer.out
        assert trinho("search", "tabs", "--mode", "keyword").err == trinho("search", "tabs").err == ""


class TestBodies:
    """A text comes from --body, --file or standard input."""

    @pytest.mark.parametrize(
        ("given", "body"),
        [("a\n", "a"), ("a\n\n", "a\n"), ("a", "a"), ("a\r\n", "a"), ("Quy ước\n", "Quy ước")],
    )
    def test_one_final_line_end_is_the_files(self, home: Home, trinho: Terminal, given: str, body: str) -> None:
        file = home.folder / "in.md"
        file.write_bytes(given.encode())
        trinho("create", "shared:a:file", "--file", str(file))
        trinho("create", "shared:a:dash", "--file", "-", stdin=given)
        trinho("create", "shared:a:piped", stdin=given)
        assert [trinho("get", f"shared:a:{name}", "--json").json["body"] for name in ("file", "dash", "piped")] == [
            body
        ] * 3

    def test_of_an_argument_nothing_is_cut(self, trinho: Terminal) -> None:
        trinho("create", "shared:a:x", "--body", "a\n")
        assert trinho("get", "shared:a:x", "--json").json["body"] == "a\n"

    def test_an_empty_pipe_is_no_text(self, trinho: Terminal, note: str) -> None:
        assert trinho("create", "shared:a:x", stdin="\n").status == 2
        assert trinho("create", "shared:a:x", stdin="").status == 2
        assert trinho("update", note, "--expected-version", "1", stdin="").status == 2

    @pytest.mark.parametrize("line", [["create", "shared:../x"], ["update", "shared:../x", "--expected-version", "1"]])
    def test_of_no_text_and_no_id_the_id_is_said(
        self, home: Home, trinho: Terminal, note: str, line: list[str]
    ) -> None:
        assert trinho(*line, "--json", stdin="").error["code"] == "INVALID_MEMORY_ID"
        assert home.told()[-1] == ("principal", line[0], "shared:../x", "error", "INVALID_MEMORY_ID")

    def test_metadata_alone_needs_no_text(self, trinho: Terminal, note: str) -> None:
        answer = trinho("update", note, "--expected-version", "1", "--kind", "log", "--json", stdin="ignored")
        assert (answer.json["kind"], answer.json["body"]) == ("log", "tabs")

    def test_not_utf8(self, trinho: Terminal) -> None:
        answer = trinho("create", "shared:a:x", "--json", stdin=b"ab\xff")
        assert (answer.error["code"], answer.error["hint"]) == ("INVALID_ENTRY", "it is not UTF-8 at byte 2")

    @pytest.mark.parametrize("lead", ["", "a", "ab"])
    def test_too_large(self, trinho: Terminal, lead: str) -> None:
        text = lead + "ước" * (MAX_ENTRY_BYTES // 5)
        answer = trinho("create", "shared:a:x", "--json", stdin=text)
        assert (answer.status, answer.error["code"]) == (2, "BODY_TOO_LARGE")


class TestProject:
    """The project is that of the option, else of the environment, else of the person's settings."""

    def test_a_listing_is_narrowed(self, home: Home, trinho: Terminal) -> None:
        for id in ("project:alp:x", "project:beta:x", "shared:x"):
            trinho("create", id, "--body", "tabs")
        assert trinho("list", "--json").json["total"] == 3
        assert trinho("list", "--project", "alp", "--json").json["total"] == 1
        config = home.folder / "config.toml"
        config.write_text('project = "beta"\n', encoding="utf-8")
        trinho.set(TRINHO_CONFIG=str(config))
        assert [each["id"] for each in trinho("list", "--json").json["entries"]] == ["project:beta:x"]
        trinho.set(TRINHO_PROJECT="alp")
        assert [each["id"] for each in trinho("list", "--json").json["entries"]] == ["project:alp:x"]
        assert trinho("search", "tabs", "--json").json["results"][0]["id"] == "project:alp:x"

    @pytest.mark.parametrize("project", ["../..", "a:b", "a/b", "*", ".", "-x"])
    def test_what_no_project_can_be_called(self, home: Home, trinho: Terminal, project: str) -> None:
        (home.folder / "CLAUDE.md").write_text("text\n", encoding="utf-8")
        trinho("create", "project:a:b:c", "--body", "tabs")
        for line in (["list"], ["search", "tabs"], ["import", "agents-md", "CLAUDE.md"]):
            for given in ([f"--project={project}"], []):
                trinho.set(TRINHO_PROJECT=project)
                error = trinho(*line, *given, "--json").error
                assert (error["code"], error["field"]) == ("INVALID_ENTRY", "project")


class TestProcess:
    """The command as it is installed."""

    def test_it_runs_as_a_module(self, home: Home) -> None:
        made = home.installed("create", "shared:a:x", "--json", stdin="Quy ước\n".encode())
        assert (made.returncode, json.loads(made.stdout)["body"], made.stderr) == (0, "Quy ước", b"")
        assert home.installed("get", "shared:a:none").returncode == 4
        assert home.installed("--version").stdout.startswith(b"trinho, version ")

    @pytest.mark.parametrize("module", ["click", "trinho.interfaces.cli.entries", "trinho.bootstrap", "apsw"])
    def test_an_interrupt_while_it_loads_is_no_fault(
        self, home: Home, trinho: Terminal, note: str, module: str
    ) -> None:
        program = f"""
import sys
class Interrupting:
    def find_spec(self, name, *_):
        if name == {module!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupting())
from trinho.__main__ import main
main()
"""
        environment = {**home.environment, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(
            [sys.executable, "-c", program, "get", note], check=False, capture_output=True, text=True, env=environment
        )
        assert (done.returncode, done.stdout) == (130, "")
        assert done.stderr.strip() in ("", "stopped")

    def test_a_reader_that_goes_is_no_error(self, home: Home, trinho: Terminal) -> None:
        for n in range(6):
            trinho("create", f"shared:a:n{n}", "--body", "x" * 60_000)
        environment = {**home.environment, "PYTHONPATH": os.pathsep.join(sys.path)}
        with subprocess.Popen(
            [sys.executable, "-m", "trinho", "export"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.read(10)
            process.stdout.close()
            assert process.stderr.read() == b""
        assert process.returncode == 0

    @pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
    def test_completion(self, trinho: Terminal, shell: str) -> None:
        answer = trinho("completion", shell)
        assert (answer.status, answer.err) == (0, "")
        assert "_TRINHO_COMPLETE" in answer.out
        assert "trinho" in answer.out
        assert trinho("completion", shell, "--json").json == {"shell": shell, "script": answer.out.removesuffix("\n")}

    def test_completion_answers(self, home: Home) -> None:
        asked = Home(home.folder, {"_TRINHO_COMPLETE": "bash_complete", "COMP_WORDS": "trinho und", "COMP_CWORD": "1"})
        assert asked.installed().stdout.strip() == b"plain,undo"

    def test_an_unknown_shell(self, trinho: Terminal) -> None:
        assert trinho("completion", "tcsh", "--json").error["code"] == "USAGE"


def test_numbers_that_count_what_others_did_are_not_told_to_an_agent(home: Home, trinho: Terminal) -> None:
    told = []
    for hidden in range(2):
        with home.memory() as memory:
            for n in range(hidden * 3):
                memory.create(f"private:main:n{n}", "x")
            memory.create(f"project:alp:n{hidden}", "x")
        lines = [("delete", f"project:alp:n{hidden}", "--expected-version", "1"), ("undo",)]
        for line in lines:
            answer = trinho("--as", "main", *line)
            assert answer.status == 0
            told.append(answer.out.replace(f"n{hidden}", "n"))
        answer = trinho("--as", "main", "--json", *lines[0]).json
        assert (answer["run"], trinho("--as", "main", "--json", "undo").json["run"]) == (None, None)
    assert told[:2] == told[2:]
