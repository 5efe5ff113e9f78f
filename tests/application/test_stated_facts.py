"""An agent's fact is stated where it quotes the person, out of the transcript that the hooks have told of."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from tests import transcript_lines as lines
from tests.cleanroom import Home
from tests.mcp_client import server
from tests.transcript_lines import OTHER_RUN, RUN

from trinho import errors
from trinho.bootstrap import memory_of
from trinho.settings import load_settings

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cleanroom import Answer, Terminal

QUOTE = "we always indent with four spaces"
FACT = "The team indents with four spaces."
GIVEN = {"content": FACT, "domain": "style", "topic": "indentation", "veracity": "stated"}


@pytest.fixture
def said(home: Home) -> Path:
    """A transcript in which the person has said it, and a tool and memory have said more."""
    return lines.write(
        lines.claude_place(home.folder),
        lines.claude_prompt(f"Please keep in mind that {QUOTE} here."),
        lines.claude_tool_result("the tool says that we deploy on Fridays"),
    )


def heard(home: Home, transcript: Path | str, run: str = RUN, event: str = "prompt") -> None:
    """The client's hook speaks of a run."""
    document = {"session_id": run, "transcript_path": str(transcript), "cwd": str(home.folder), "prompt": "hello"}
    done = home.installed("hook", event, "--as", "main", stdin=json.dumps(document).encode())
    assert (done.returncode, done.stderr) == (0, b"")


def propose(trinho: Terminal, evidence: str | None = QUOTE, run: str = RUN, *more: str) -> Answer:
    trinho.set(TRINHO_SESSION=run)
    quoted = () if evidence is None else ("--evidence", evidence)
    about = ("--domain", "style", "--topic", "indentation")
    return trinho(
        "--as", "main", "fact", "propose", FACT, *about, *(more or ("--veracity", "stated")), *quoted, "--json"
    )


def veracity(home: Home, answer: Answer) -> str:
    assert answer.status == 0, answer.out
    with home.memory() as memory:
        return str(memory.fact(answer.json["id"]).knowledge.veracity)


@pytest.fixture
def begun(home: Home) -> Home:
    """A root with something in it, as hooks make none."""
    with home.memory() as memory:
        memory.create("shared:team:goals", "Ship it.")
    return home


class TestCommand:
    """From the hook to the fact."""

    def test_what_the_person_said_is_stated(self, begun: Home, said: Path, trinho: Terminal) -> None:
        heard(begun, said)
        assert veracity(begun, propose(trinho)) == "stated"

    def test_a_quote_alone_says_that_it_is_stated(self, begun: Home, said: Path, trinho: Terminal) -> None:
        heard(begun, said)
        assert veracity(begun, propose(trinho, QUOTE, RUN, "--confidence", "0.9")) == "stated"

    def test_codex_keeps_its_transcripts_too(self, begun: Home, trinho: Terminal) -> None:
        heard(begun, lines.write(lines.codex_place(begun.folder), lines.codex_prompt(QUOTE)))
        assert veracity(begun, propose(trinho)) == "stated"

    def test_what_a_tool_said_is_not(self, begun: Home, said: Path, trinho: Terminal) -> None:
        heard(begun, said)
        refused = propose(trinho, "we deploy on Fridays")
        assert (refused.status, refused.error["code"]) == (2, "EVIDENCE_NOT_FOUND")
        assert "word for word" in refused.error["hint"]
        assert veracity(begun, propose(trinho, None, RUN, "--veracity", "inferred")) == "inferred"

    @pytest.mark.parametrize(
        ("quote", "told"), [(None, "needs a quote"), (" ", "needs a quote"), ("four", "too short")]
    )
    def test_too_little_proves_nothing(
        self, begun: Home, said: Path, trinho: Terminal, quote: str | None, told: str
    ) -> None:
        heard(begun, said)
        refused = propose(trinho, quote).error
        assert refused["code"] == "EVIDENCE_NOT_FOUND"
        assert told in refused["message"]

    def test_without_a_transcript_it_says_so(self, begun: Home, said: Path, trinho: Terminal) -> None:
        assert "no transcript" in propose(trinho).error["message"]
        heard(begun, said)
        assert "no transcript" in propose(trinho, QUOTE, OTHER_RUN).error["message"]
        said.unlink()
        assert "no transcript" in propose(trinho).error["message"]

    def test_a_secret_in_the_quote_reaches_no_file(self, begun: Home, said: Path, trinho: Terminal) -> None:
        heard(begun, said)
        assert propose(trinho, "the token is not to be kept").status == 2
        assert not any("token" in json.dumps(line) for line in begun.audit())

    def test_a_person_needs_no_quote(self, home: Home, trinho: Terminal) -> None:
        done = trinho("fact", "propose", FACT, "--domain", "style", "--topic", "indentation", "--json")
        assert veracity(home, done) == "stated"


class TestWhichTranscript:
    """An agent may speak as a hook does, and name any file."""

    @pytest.mark.parametrize("name", ["t.jsonl", f"{RUN}.jsonl", f"repo/.claude/projects/x/{RUN}.jsonl"])
    def test_a_file_of_its_own_is_none(self, begun: Home, trinho: Terminal, name: str) -> None:
        heard(begun, lines.write(begun.folder / name, lines.claude_prompt(QUOTE)))
        assert "no transcript" in propose(trinho).error["message"]

    def test_the_first_one_stays(self, begun: Home, said: Path, trinho: Terminal) -> None:
        heard(begun, said, event="session-start")
        forged = said.parent.with_name("-elsewhere") / said.name
        lines.write(forged, lines.claude_prompt("we deploy on Fridays"))
        heard(begun, forged)
        assert propose(trinho, "we deploy on Fridays").error["code"] == "EVIDENCE_NOT_FOUND"
        assert veracity(begun, propose(trinho)) == "stated"

    def test_that_of_a_subagent_takes_no_place(self, begun: Home, trinho: Terminal) -> None:
        """Codex names the run of the parent with it."""
        own = lines.write(lines.codex_place(begun.folder), lines.codex_prompt(QUOTE))
        other = lines.write(lines.codex_place(begun.folder, OTHER_RUN), lines.codex_prompt("we deploy on Fridays"))
        heard(begun, own, event="session-start")
        heard(begun, other)
        assert propose(trinho, "we deploy on Fridays").error["code"] == "EVIDENCE_NOT_FOUND"
        assert veracity(begun, propose(trinho)) == "stated"

    def test_one_that_has_moved_is_found_again(self, begun: Home, said: Path, trinho: Terminal) -> None:
        heard(begun, said)
        moved = said.parent.with_name("-moved") / said.name
        moved.parent.mkdir()
        said.rename(moved)
        heard(begun, moved)
        assert veracity(begun, propose(trinho)) == "stated"

    def test_a_wrong_one_gives_way_to_the_right_one(self, begun: Home, said: Path, trinho: Terminal) -> None:
        heard(begun, begun.folder / "t.jsonl")
        heard(begun, said)
        assert veracity(begun, propose(trinho)) == "stated"

    def test_the_project_still_follows(self, begun: Home, said: Path) -> None:
        with begun.memory("main") as memory:
            memory.session.session = RUN
            memory.heard_of(str(said), project="one-1a2b3c")
            memory.heard_of(str(said.with_name("t.jsonl")), project="two-1a2b3c")
            run = memory.session.workspace.ledger.runs.run(RUN)
        assert run is not None
        assert (run.transcript, run.project) == (str(said), "two-1a2b3c")


def went_on(home: Home, transcript: Path, run: str, **variables: str) -> None:
    """A hook of the process that starts our servers, too."""
    named = {"CLAUDE_PID": str(os.getpid()), "CLAUDE_CODE_SESSION_ID": run, **variables}
    heard(Home(home.folder, named), transcript, run, "session-start")


class TestServer:
    """The same as a tool: the client names the run in the environment, or with each call."""

    def test_the_environment_names_the_run(self, begun: Home, said: Path) -> None:
        heard(begun, said)
        with server(begun, more={"CLAUDE_CODE_SESSION_ID": RUN}) as client:
            refused = client.call("propose_fact", **GIVEN, evidence="we deploy on Fridays")
            assert refused["error"]["code"] == "EVIDENCE_NOT_FOUND"
            assert client.call("propose_fact", **GIVEN, evidence=QUOTE)["outcome"] == "added"
        with begun.memory() as memory:
            assert [row.knowledge.veracity for row in memory.facts()] == ["stated"]

    def test_the_call_names_the_run(self, begun: Home) -> None:
        heard(begun, lines.write(lines.codex_place(begun.folder), lines.codex_prompt(QUOTE)))
        meta = {"x-codex-turn-metadata": {"session_id": RUN}}
        asked = {"name": "propose_fact", "arguments": {**GIVEN, "evidence": QUOTE}}
        with server(begun) as client:
            assert client.ask("tools/call", asked)["result"]["isError"]
            told = client.ask("tools/call", {**asked, "_meta": meta})["result"]["structuredContent"]
        assert told["outcome"] == "added"

    def test_it_goes_on_to_another_run_with_the_client(self, begun: Home, said: Path) -> None:
        """Claude Code starts no other server after `/clear`."""
        later = lines.write(lines.claude_place(begun.folder, OTHER_RUN), lines.claude_prompt("we deploy on Fridays"))
        went_on(begun, said, RUN)
        with server(begun, more={"CLAUDE_CODE_SESSION_ID": RUN}) as client:
            assert client.call("propose_fact", **GIVEN, evidence=QUOTE)["outcome"] == "added"
            went_on(begun, later, OTHER_RUN)
            refused = client.call("propose_fact", **GIVEN, evidence=QUOTE)
            assert refused["error"]["code"] == "EVIDENCE_NOT_FOUND"
            assert client.call("propose_fact", **GIVEN, evidence="we deploy on Fridays")["outcome"] == "restated"
        assert begun.audit()[-1]["session"] == OTHER_RUN

    @pytest.mark.parametrize(
        "variables",
        [{"CLAUDE_CODE_SESSION_ID": RUN}, {"CLAUDE_PID": "1"}, {"CLAUDE_PID": "x"}, {"CLAUDE_PID": "9" * 30}],
    )
    def test_it_does_not_go_on_with_another_client(self, begun: Home, said: Path, variables: dict[str, str]) -> None:
        """One that an agent has started in its shell inherits what the shell was told."""
        heard(begun, said)
        later = lines.write(lines.claude_place(begun.folder, OTHER_RUN), lines.claude_prompt("we deploy on Fridays"))
        with server(begun, more={"CLAUDE_CODE_SESSION_ID": RUN}) as client:
            went_on(begun, later, OTHER_RUN, **variables)
            assert client.call("propose_fact", **GIVEN, evidence=QUOTE)["outcome"] == "added"

    def test_what_an_earlier_process_of_that_number_was_at_is_over(self, begun: Home, said: Path) -> None:
        heard(begun, said)
        with begun.memory("main") as memory:
            long_ago = datetime(2026, 12, 1, tzinfo=UTC)
            memory.session.workspace.ledger.runs.set_at_work(os.getpid(), OTHER_RUN, long_ago)
        with server(begun, more={"CLAUDE_CODE_SESSION_ID": RUN}) as client:
            assert client.call("propose_fact", **GIVEN, evidence=QUOTE)["outcome"] == "added"

    def test_a_run_that_the_person_has_named_stays(self, begun: Home, said: Path) -> None:
        went_on(begun, said, RUN)
        with server(begun, more={"TRINHO_SESSION": "nightly"}) as client:
            refused = client.call("propose_fact", **GIVEN, evidence=QUOTE)
        assert "no transcript" in refused["error"]["message"]

    def test_no_argument_names_another_run(self, begun: Home, said: Path) -> None:
        heard(begun, said, OTHER_RUN)
        with server(begun, more={"CLAUDE_CODE_SESSION_ID": RUN}) as client:
            given = {**GIVEN, "evidence": QUOTE, "session": OTHER_RUN}
            assert client.call("propose_fact", **given)["error"]["code"] == "USAGE"


def test_a_root_that_is_not_there_has_no_transcripts(home: Home, said: Path) -> None:
    settings = load_settings({**home.environment, "TRINHO_SESSION": RUN}, actor="main")
    with memory_of(settings, create=False) as memory:
        memory.heard_of(str(said))
        memory.heard_of(str(said.with_name("t.jsonl")))
        with pytest.raises(errors.EvidenceNotFoundError):
            memory.propose_fact(FACT, domain="style", topic="indentation", veracity="stated", evidence=QUOTE)
