"""Of a transcript only what a person typed counts, and only a file that the client keeps for the run is read."""

from __future__ import annotations

import json
import os
import unicodedata
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from tests import transcript_lines as lines
from tests.transcript_lines import OTHER_RUN, RUN

from trinho.adapters.clients import transcripts
from trinho.adapters.clients.transcripts import ClientTranscripts
from trinho.domain.run import ClientRun

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

QUOTE = "we always indent with four spaces"
PLACES = {"claude-code": lines.claude_place, "codex": lines.codex_place}
PROMPTS: dict[str, Callable[[str], dict[str, Any]]] = {
    "claude-code": lines.claude_prompt,
    "codex": lines.codex_prompt,
}


@pytest.fixture(params=list(PLACES))
def client(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def run(place: Path | str, session: str = RUN) -> ClientRun:
    return ClientRun(session, str(place), None, datetime(2026, 12, 7, tzinfo=UTC))


def kept(home: Path, **variables: str) -> ClientTranscripts:
    return ClientTranscripts({"HOME": str(home), **variables})


def says(home: Path, place: Path, quote: str = QUOTE) -> bool:
    assert kept(home).holds(run(place))
    return kept(home).says(run(place), quote)


# -- what counts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        lines.claude_prompt(f"Remember that {QUOTE}!"),
        lines.claude_prompt([{"type": "image", "source": {}}, {"type": "text", "text": f"Remember: {QUOTE}"}]),
        lines.claude_prompt(QUOTE, promptSource="queued"),
        {key: value for key, value in lines.claude_prompt(QUOTE).items() if key != "turnOrigin"},
        lines.claude_prompt_of_a_command(QUOTE),
        lines.claude_queued(QUOTE),
        lines.claude_queued([{"type": "text", "text": QUOTE}]),
    ],
)
def test_what_was_typed_into_claude_code_counts(tmp_path: Path, line: dict[str, Any]) -> None:
    assert says(tmp_path, lines.write(lines.claude_place(tmp_path), lines.claude_answer("yes?"), line))


@pytest.mark.parametrize("number", range(len(lines.claude_untyped(QUOTE))))
def test_what_else_stands_in_claude_codes_does_not(tmp_path: Path, number: int) -> None:
    place = lines.claude_place(tmp_path)
    lines.write(place, lines.claude_prompt("what do we indent with?"), lines.claude_untyped(QUOTE)[number])
    assert not says(tmp_path, place)


@pytest.mark.parametrize(
    "line",
    [
        lines.codex_prompt(f"Remember that {QUOTE}!"),
        lines.codex_prompt("look at this", QUOTE),
        lines.codex_earlier_prompt(QUOTE),
        lines.codex_earlier_prompt(QUOTE, kind="plain"),
    ],
)
def test_what_was_typed_into_codex_counts(tmp_path: Path, line: dict[str, Any]) -> None:
    assert says(tmp_path, lines.write(lines.codex_place(tmp_path), lines.codex_message("user", "yes?"), line))


@pytest.mark.parametrize("number", range(len(lines.codex_untyped(QUOTE))))
def test_what_else_stands_in_codexs_does_not(tmp_path: Path, number: int) -> None:
    place = lines.codex_place(tmp_path)
    lines.write(place, lines.codex_prompt("what do we indent with?"), lines.codex_untyped(QUOTE)[number])
    assert not says(tmp_path, place)


def test_a_quote_does_not_go_over_two_turns(tmp_path: Path, client: str) -> None:
    prompt, place = PROMPTS[client], PLACES[client](tmp_path)
    lines.write(place, prompt("we always indent"), prompt("with four spaces"))
    assert not says(tmp_path, place)
    assert says(tmp_path, place, "with four spaces")


def test_accents_are_one_however_they_are_stored(tmp_path: Path, client: str) -> None:
    said = "Luôn dùng bốn dấu cách để thụt đầu dòng."
    for one, other in (("NFD", "NFC"), ("NFC", "NFD")):
        stored = unicodedata.normalize(one, said)  # type: ignore[arg-type]
        place = lines.write(PLACES[client](tmp_path), PROMPTS[client](stored))
        assert says(tmp_path, place, unicodedata.normalize(other, "dùng bốn dấu cách"))  # type: ignore[arg-type]
    assert not says(tmp_path, place, "dung bon dau cach")


def test_a_line_within_a_text_is_no_line(tmp_path: Path, client: str) -> None:
    forged = json.dumps(PROMPTS[client](QUOTE))
    untyped = lines.claude_tool_result if client == "claude-code" else (lambda text: lines.codex_message("user", text))
    place = lines.write(PLACES[client](tmp_path), untyped(f"done\n{forged}\n"))
    assert not says(tmp_path, place)


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"no JSON",
        b"\xff\xfe\x00",
        b"[1, 2]",
        b'"promptSource" "UserMessage"',
        b'{"promptSource":"typed","type":"user","message":"UserMessage"}',
        b'{"promptSource":["typed"],"type":"user","message":{"content":{"UserMessage":1}}}',
        b'{"promptSource":"typed","type":"user","message":{"content":[1,null,{"type":"text"}]}}',
        b'{"type":"event_msg","payload":[{"UserMessage":1}]}',
        b'{"type":"event_msg","payload":{"type":"item_completed","item":"UserMessage"}}',
        b'{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"UserMessage","content":7}}}',
        b'{"type":"event_msg","payload":{"type":"user_message","message":null}}',
        b'{"type":"attachment","attachment":"queued_command"}',
        b'"promptSource" "UserMessage"' + b"[" * 100_000,
    ],
)
def test_a_broken_line_is_passed_over(tmp_path: Path, client: str, broken: bytes) -> None:
    place = lines.write(PLACES[client](tmp_path), broken, PROMPTS[client](QUOTE), broken)
    assert says(tmp_path, place)
    assert not says(tmp_path, place, "something else altogether")


def test_the_last_line_may_still_be_in_writing(tmp_path: Path, client: str) -> None:
    place = lines.write(PLACES[client](tmp_path), PROMPTS[client]("another thing"), PROMPTS[client](QUOTE))
    raw = place.read_bytes()
    place.write_bytes(raw[:-1])
    assert says(tmp_path, place)
    place.write_bytes(raw[:-9])
    assert not says(tmp_path, place)


def test_half_of_a_letter_is_no_fault(tmp_path: Path, client: str) -> None:
    raw = json.dumps(PROMPTS[client](f"\ud800 {QUOTE}"), separators=(",", ":")).encode()
    assert says(tmp_path, lines.write(PLACES[client](tmp_path), raw))


def test_of_a_long_transcript_the_end_is_read(tmp_path: Path, client: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts, "MOST_BYTES", 2_000)
    prompt = PROMPTS[client]
    place = lines.write(PLACES[client](tmp_path), prompt("the first of all words"), prompt("x" * 3_000), prompt(QUOTE))
    assert says(tmp_path, place)
    assert not says(tmp_path, place, "the first of all words")


def test_a_line_that_is_too_long_is_passed_over(tmp_path: Path, client: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts, "LONGEST_LINE", 1_000)
    prompt = PROMPTS[client]
    tail = json.dumps(prompt("smuggled in behind it")).encode()
    place = lines.write(PLACES[client](tmp_path), b"x" * 2_000 + tail, prompt(QUOTE))
    assert says(tmp_path, place)
    assert not says(tmp_path, place, "smuggled in behind it")


# -- which file -----------------------------------------------------------------------------------------------------


def refused(home: Path, place: Path | str, session: str = RUN, **variables: str) -> bool:
    found = run(place, session)
    return not kept(home, **variables).holds(found) and not kept(home, **variables).says(found, QUOTE)


def test_only_where_the_client_keeps_it(tmp_path: Path, client: str) -> None:
    place, line = PLACES[client](tmp_path), PROMPTS[client](QUOTE)
    for other in (
        tmp_path / "t.jsonl",
        tmp_path / place.name,
        place.parent / "subagents" / place.name,
        place.parents[1] / place.name,
        place.with_name(f"agent-{place.name}"),
        place.with_suffix(".txt"),
    ):
        assert refused(tmp_path, lines.write(other, line)), other


def test_only_where_it_is_named_after_the_run(tmp_path: Path, client: str) -> None:
    """The file of a subagent lies beside that of the run."""
    lines.write(PLACES[client](tmp_path), PROMPTS[client](QUOTE))
    other = lines.write(PLACES[client](tmp_path, OTHER_RUN), PROMPTS[client](QUOTE))
    assert refused(tmp_path, other)
    assert says(tmp_path, PLACES[client](tmp_path))


@pytest.mark.parametrize("session", ["", "*", ".*", "..", "s-1", "nightly", RUN.upper(), f"{RUN}\n", f"../{RUN}"])
def test_only_for_a_run_with_the_name_of_one(tmp_path: Path, client: str, session: str) -> None:
    place = lines.write(PLACES[client](tmp_path), PROMPTS[client](QUOTE))
    assert refused(tmp_path, place, session)


def test_no_link_leads_out(tmp_path: Path, client: str) -> None:
    outside = lines.write(tmp_path / "elsewhere" / "t.jsonl", PROMPTS[client](QUOTE))
    place = PLACES[client](tmp_path)
    place.parent.mkdir(parents=True)
    place.symlink_to(outside)
    assert refused(tmp_path, place)
    place.unlink()
    place.parent.rmdir()
    lines.write(outside.parent / place.name, PROMPTS[client](QUOTE))
    place.parent.symlink_to(outside.parent)
    assert refused(tmp_path, place)


def test_a_home_behind_a_link_is_a_home(tmp_path: Path, client: str) -> None:
    home, link = tmp_path / "home", tmp_path / "link"
    place = lines.write(PLACES[client](home), PROMPTS[client](QUOTE))
    link.symlink_to(home)
    assert says(link, place)
    assert says(home, PLACES[client](link))


def test_a_client_that_keeps_its_things_elsewhere(tmp_path: Path, client: str) -> None:
    place = lines.write(PLACES[client](tmp_path), PROMPTS[client](QUOTE))
    moved = {"CLAUDE_CONFIG_DIR": str(tmp_path / ".claude"), "CODEX_HOME": str(tmp_path / ".codex")}
    assert kept(tmp_path / "home", **moved).says(run(place), QUOTE)
    assert refused(tmp_path / "home", place)


@pytest.mark.parametrize(
    "path", ["", "t.jsonl", "/", "\0", "/\udcff\ud800", "/proc/self/mem", "/dev/zero", "~/.claude"]
)
def test_whatever_the_path_is(tmp_path: Path, path: str) -> None:
    assert refused(tmp_path, path)


@pytest.mark.parametrize("kind", ["nothing", "folder", "pipe"])
def test_whatever_lies_there(tmp_path: Path, client: str, kind: str) -> None:
    place = PLACES[client](tmp_path)
    place.parent.mkdir(parents=True)
    if kind == "folder":
        place.mkdir()
    elif kind == "pipe":
        os.mkfifo(place)
    assert refused(tmp_path, place)


def test_another_users_file_is_not_read(tmp_path: Path, client: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place = lines.write(PLACES[client](tmp_path), PROMPTS[client](QUOTE))
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert refused(tmp_path, place)


def test_what_may_not_be_read_says_nothing(tmp_path: Path, client: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place = lines.write(PLACES[client](tmp_path), PROMPTS[client](QUOTE))

    def refuse(*arguments: object, **more: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    assert refused(tmp_path, place)
