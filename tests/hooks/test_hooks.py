"""Hooks through the command itself: a session is told what is known, and no turn is ever held up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from trinho.interfaces.protocol import protocol

if TYPE_CHECKING:
    from tests.cleanroom import Home

SESSION = "0b8e6a52-6f2c-4d6e-9f55-3c1b7a3f9d10"
EVENTS = ["session-start", "prompt", "pre-tool", "post-tool", "stop", "session-end", "pre-compact"]
# Each costs more than an answer
HEAVY = {"numpy", "pydantic", "click", "mcp", "anyio", "jsonschema", "tree_sitter", "kingfisher_sdk", "watchfiles"}
HEAVY |= {"yaml", "dataclasses", "inspect", "pathlib", "threading", "subprocess", "tempfile", "secrets"}
PROMPT = "how many spaces do we indent python code with?"


def hook(home: Home, event: str, said: dict[str, Any] | bytes | None = None, *more: str) -> tuple[int, str, str]:
    """Status, answer (the context alone) and what went to standard error."""
    document = {"session_id": SESSION, "cwd": str(home.folder), **(said if isinstance(said, dict) else {})}
    raw = said if isinstance(said, bytes) else json.dumps(document).encode()
    arguments = more or ("--as", "main")
    done = home.installed("hook", event, *arguments, stdin=raw)
    text = ""
    if done.stdout:
        answer = json.loads(done.stdout)
        assert list(answer) == ["hookSpecificOutput"]
        text = answer["hookSpecificOutput"]["additionalContext"]
    return done.returncode, text, done.stderr.decode()


@pytest.fixture
def kept(home: Home) -> Home:
    with home.memory() as memory:
        memory.propose_policy("Never push to main.", domain="git")
        memory.create("shared:team:indentation", "Python code is indented with four spaces.")
        memory.create("private:worker:plan", "Python code is indented with five spaces, secretly.")
    return home


def log(home: Home) -> str:
    path = home.folder / ".local/state/trinho/hooks.log"
    return path.read_text() if path.exists() else ""


def test_a_session_begins_with_what_is_known(kept: Home) -> None:
    status, text, _ = hook(kept, "session-start")
    assert status == 0
    assert "- [git] Never push to main." in text
    assert "search_memory" in text
    assert "five spaces" not in text
    assert len(text) <= 9_500


@pytest.mark.parametrize("words", ["Remember it. ", "Đừng quên. ", "別忘了。 "])
def test_however_much_is_known_the_protocol_is_told_to_its_end(home: Home, words: str) -> None:
    with home.memory() as memory:
        for number in range(60):
            memory.propose_policy(f"Rule {number}. {words * 15}", domain="git")
            memory.create(f"shared:user:fact-{number:02}", f"Fact {number}. {words * 30}")
    with home.memory("main") as memory:
        memory.update_my_notes("\n".join(f"Note {number}. {words * 10}" for number in range(60)))
    status, text, err = hook(home, "session-start")
    assert (status, err) == (0, "")
    for section in ("Policies", "Your own notes", "What there is in memory"):
        assert f"## {section}\n" in text
    assert "Left out for want of room: " in text
    assert text.endswith(f"{protocol(None)}\n")
    assert 8_500 < len(text.encode()) <= 9_500


def test_a_prompt_gets_what_is_known_of_it_once(kept: Home) -> None:
    status, text, _ = hook(kept, "prompt", {"prompt": PROMPT})
    assert status == 0
    assert "four spaces" in text
    assert "shared:team:indentation" in text
    assert "five spaces" not in text
    assert hook(kept, "prompt", {"prompt": PROMPT})[1] == ""
    assert "four spaces" in hook(kept, "prompt", {"prompt": PROMPT, "session_id": SESSION.replace("0b", "0c")})[1]
    assert hook(kept, "pre-compact") == (0, "", "")
    assert "four spaces" in hook(kept, "prompt", {"prompt": PROMPT})[1]


def test_a_session_that_goes_on_is_told_only_what_is_new(kept: Home) -> None:
    began = hook(kept, "session-start", {"source": "startup"})[1]
    assert "four spaces" in hook(kept, "prompt", {"prompt": PROMPT})[1]
    assert hook(kept, "session-end") == (0, "", "")
    assert hook(kept, "session-start", {"source": "resume"}) == (0, "", "")
    assert hook(kept, "prompt", {"prompt": PROMPT}) == (0, "", "")
    with kept.memory() as memory:
        memory.propose_policy("Sign each commit.", domain="git")
    told = hook(kept, "session-start", {"source": "resume"})[1]
    assert told == began.replace("to main.\n", "to main.\n- [git] Sign each commit.\n")
    assert hook(kept, "session-start", {"source": "compact"})[1] == told
    assert "four spaces" in hook(kept, "prompt", {"prompt": PROMPT})[1]


def test_what_nothing_answers_gets_nothing(kept: Home) -> None:
    for prompt in ("ok", "thanks, go on", "which colour has the bicycle of the neighbour's aunt?"):
        assert hook(kept, "prompt", {"prompt": prompt}) == (0, "", "")


def test_what_is_no_knowledge_yet_is_not_told(kept: Home) -> None:
    text = "The neighbour's aunt paints her bicycle green on Sundays."
    with kept.memory("main") as memory:
        memory.update_my_notes(text)
        memory.log_append(text)
        memory.create("shared:team:plan", text, kind="draft")
    prompt = "which colour has the bicycle of the neighbour's aunt?"
    assert hook(kept, "prompt", {"prompt": prompt}) == (0, "", "")
    with kept.memory("main") as memory:
        memory.create("shared:team:bicycles", text)
    assert "shared:team:bicycles" in hook(kept, "prompt", {"prompt": prompt})[1]


def test_what_was_changed_is_shown_again(kept: Home) -> None:
    assert "four" in hook(kept, "prompt", {"prompt": PROMPT})[1]
    with kept.memory() as memory:
        memory.update("shared:team:indentation", "Python code is indented with two spaces.", expected_version=1)
    assert "two spaces" in hook(kept, "prompt", {"prompt": PROMPT})[1]


def test_what_was_changed_or_moved_by_hand_is_shown_as_it_is(kept: Home) -> None:
    with kept.memory() as memory:
        memory.create("shared:team:tabs", "Python code in the kernel folder is indented with tabs, by old habit.")
    path = kept.root / "shared/team/indentation.md"
    path.write_text(path.read_text().replace("four spaces", "three spaces"))
    (kept.root / "shared/team/tabs.md").unlink()
    _, text, _ = hook(kept, "prompt", {"prompt": PROMPT})
    assert "three spaces" in text
    assert "four spaces" not in text
    assert "tabs" not in text


def test_a_search_after_a_prompt_sees_the_files_as_they_are(kept: Home) -> None:
    with kept.memory("main") as memory:
        assert "four spaces" in memory.prompted(PROMPT)
        kept.write("shared/bicycle.md", "The colour of the bicycle of the neighbour's aunt is green.")
        assert [str(each.entry.id) for each in memory.search("colour of the bicycle").results] == ["shared:bicycle"]


def test_what_came_by_hand_is_found_in_the_next_session(kept: Home) -> None:
    kept.write("shared/bicycle.md", "The colour of the bicycle of the neighbour's aunt is green.")
    prompt = "which colour has the bicycle of the neighbour's aunt?"
    assert hook(kept, "session-start")[0] == 0
    assert "green" in hook(kept, "prompt", {"prompt": prompt})[1]


@pytest.mark.parametrize("event", ["pre-tool", "post-tool", "stop", "session-end", "pre-compact"])
def test_the_other_events_say_nothing(kept: Home, event: str) -> None:
    assert hook(kept, event) == (0, "", "")


@pytest.mark.parametrize("event", EVENTS)
def test_off_means_no_output(kept: Home, event: str) -> None:
    off = type(kept)(kept.folder, {"TRINHO_DISABLE": "1"})
    before = kept.told()
    assert hook(off, event, {"prompt": PROMPT}) == (0, "", "")
    assert kept.told() == before


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("said", [b"", b"{", b"[]", b"\xff\xfe", b'{"session_id": 5, "prompt": {}, "cwd": []}'])
def test_what_no_client_says_breaks_nothing(kept: Home, event: str, said: bytes) -> None:
    status, _, err = hook(kept, event, said)
    assert (status, err) == (0, "")


@pytest.mark.parametrize("event", EVENTS)
def test_a_broken_memory_breaks_no_turn(kept: Home, event: str) -> None:
    for name in ("ledger.db", "ledger.db-wal", "ledger.db-shm"):
        (kept.root / ".trinho" / name).unlink(missing_ok=True)
    (kept.root / ".trinho/ledger.db").write_bytes(b"no database" * 1000)
    status, text, err = hook(kept, event, {"prompt": PROMPT})
    assert (status, text, err) == (0, "", "")
    assert (f"hook {event}: " in log(kept)) == (event not in ("pre-tool", "post-tool"))


def test_a_missing_memory_breaks_no_turn(home: Home) -> None:
    assert hook(home, "prompt", {"prompt": PROMPT}) == (0, "", "")
    assert not home.root.exists()


def test_a_file_in_the_place_of_the_root(home: Home) -> None:
    home.root.write_text("no folder")
    assert hook(home, "session-start") == (0, "", "")
    assert "hook session-start: " in log(home)


@pytest.mark.parametrize(
    "arguments", [("--project", "x"), ("--as", "principal"), ("--as",), ("--as", "main", "--what")]
)
def test_a_call_that_no_event_can_mend_ends_with_1(kept: Home, arguments: tuple[str, ...]) -> None:
    status, text, err = hook(kept, "prompt", {"prompt": PROMPT}, *arguments)
    assert (status, text) == (1, "")
    assert err


def prompted(home: Home, *how: str) -> subprocess.CompletedProcess[bytes]:
    """The hook of a prompt in a process of its own, by the interpreter's arguments."""
    return subprocess.run(
        [sys.executable, *how, "hook", "prompt", "--as", "main"],
        input=json.dumps({"session_id": SESSION, "prompt": PROMPT}).encode(),
        capture_output=True,
        check=True,
        timeout=30,
        env={**home.environment, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def test_a_slow_memory_holds_up_no_turn(kept: Home) -> None:
    script = """
import time
from trinho.__main__ import main
from trinho.application.library import Memory
Memory.prompted = lambda *_, **__: time.sleep(60)
main()
"""
    done = prompted(kept, "-c", script)
    assert done.stdout == b""
    assert "hook prompt: gave up after 2 seconds" in log(kept)


def test_nothing_heavy_is_loaded(kept: Home) -> None:
    done = prompted(kept, "-X", "importtime", "-m", "trinho")
    assert b"four spaces" in done.stdout
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines()}
    assert "trinho.application.prompt" in loaded
    assert not loaded & HEAVY
