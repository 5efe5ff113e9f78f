"""What people typed, out of the transcripts of Claude Code and Codex.

A transcript also holds what tools answered, what hooks, memory and scheduled tasks put in, and prompts that a model
wrote for another, much of it in turns of the user. So a turn counts only where the client itself marks it as typed.

INVARIANT: a file is read only where a client keeps the run's own: below the client's folder, named after the run. An
agent may speak as a hook does, and name any file.
"""

from __future__ import annotations

import json
import os
import re
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from trinho.lifecycle.quotation import spelled, stands_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from trinho.domain.run import ClientRun

MOST_BYTES = 256 << 20  # of the end of a transcript: a third of a second, as most of it is no prompt
LONGEST_LINE = 32 << 20  # bytes; a prompt may hold pictures, and the APIs take no more
_RUN = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_TYPED = ("typed", "queued", "sdk")  # not `suggestion_accepted`, which are the model's words, and not `system`
_BY_A_PERSON = ("human", "sdk")
_HUMAN = {"kind": "human"}
_NOT_TYPED = (
    "isMeta",
    "isSidechain",
    "isCompactSummary",
    "isVisibleInTranscriptOnly",
    "toolUseResult",
    "sourceToolAssistantUUID",
)
# What clients, and we, put around text that nobody typed; a block that has it is left out as a whole
_WRAPPED = re.compile(
    r"<(?:system-reminder|command-|local-command-|bash-|ide_|task-notification|teammate-message|cross-session"
    r"|user-prompt-submit-hook|hook_prompt|user_shell_command|user_instructions|INSTRUCTIONS|environment_context"
    r"|subagent_notification|turn_aborted|recalled-memory)"
)


class _Client(NamedTuple):
    """Where a client keeps transcripts, and how it marks what was typed."""

    folder: str
    name: str  # a pattern of the path in it, with the run's name to be put in
    marks: tuple[bytes, ...]  # one of them is in every line that counts: most lines need no parsing
    typed: Callable[[dict[str, Any]], Iterator[object]]


class ClientTranscripts:
    """See `trinho.ports.transcripts.Transcripts`."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        home = environment.get("HOME") or os.path.expanduser("~")  # noqa: PTH111 - a text is what is needed
        claude = environment.get("CLAUDE_CONFIG_DIR") or f"{home}/.claude"
        codex = environment.get("CODEX_HOME") or f"{home}/.codex"
        day = r"\d{4}/\d\d/\d\d"
        self._clients = (
            _Client(f"{claude}/projects", r"[^/]+/%s\.jsonl", (b'"promptSource"', b'"queued_command"'), _claude_code),
            _Client(
                f"{codex}/sessions", rf"{day}/rollout-[\dT-]+-%s\.jsonl", (b'"UserMessage"', b'"user_message"'), _codex
            ),
        )

    def holds(self, run: ClientRun) -> bool:
        opened = self._opened(run)
        if opened is None:
            return False
        opened[1].close()
        return True

    def says(self, run: ClientRun, quote: str) -> bool:
        wanted = spelled(quote)
        opened = self._opened(run) if wanted else None
        if opened is None:
            return False
        client, file = opened
        with file, suppress(OSError):
            return any(stands_in(wanted, spelled(text)) for text in _texts(client, file))
        return False

    def _opened(self, run: ClientRun) -> tuple[_Client, BinaryIO] | None:
        if not _RUN.fullmatch(run.session) or not run.transcript.startswith("/"):
            return None
        with suppress(OSError, ValueError):  # ValueError: a path that can be none
            folder, name = os.path.split(run.transcript)
            path = f"{os.path.realpath(folder)}/{name}"
            for client in self._clients:
                own = f"{os.path.realpath(client.folder)}/"
                if path.startswith(own) and re.fullmatch(client.name % run.session, path[len(own) :]):
                    return client, _plain_file(path)
        return None


def _plain_file(path: str) -> BinaryIO:
    """The user's own file at a path; OSError if it is none."""
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)  # a pipe would make us wait
    found = os.fstat(fd)
    if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
        os.close(fd)
        raise PermissionError(path)
    return os.fdopen(fd, "rb")


def _texts(client: _Client, file: BinaryIO) -> Iterator[str]:
    """Each text that a person typed."""
    for raw in _lines(file):
        if not any(mark in raw for mark in client.marks):
            continue
        try:
            line = json.loads(raw)
        except (ValueError, RecursionError):  # the client is still writing it, or it is no line of a transcript
            continue
        if isinstance(line, dict):
            texts = [text for text in client.typed(line) if isinstance(text, str)]
            yield from (text for text in texts if not _WRAPPED.search(text))


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of the last MOST_BYTES, less those that are too long."""
    size = os.fstat(file.fileno()).st_size
    is_rest = size > MOST_BYTES
    if is_rest:
        file.seek(size - MOST_BYTES)
    left = MOST_BYTES  # it may grow as fast as it is read
    while left > 0 and (line := file.readline(LONGEST_LINE)):
        left -= len(line)
        is_cut = len(line) == LONGEST_LINE and not line.endswith(b"\n")
        if not is_rest and not is_cut:
            yield line
        is_rest = is_cut


def _claude_code(line: dict[str, Any]) -> Iterator[object]:
    """A prompt is a line of the user; one that came while the agent was at work is an attachment."""
    if any(line.get(name) for name in _NOT_TYPED):
        return
    said, queued = line.get("message"), line.get("attachment")
    if line.get("type") == "user" and isinstance(said, dict) and _is_typed(line):
        yield from _blocks(said.get("content"))
    elif line.get("type") == "attachment" and isinstance(queued, dict) and _is_typed_meanwhile(queued):
        yield from _blocks(queued.get("prompt"))


def _is_typed(line: dict[str, Any]) -> bool:
    return (
        line.get("promptSource") in _TYPED
        and line.get("turnOrigin", "human") in _BY_A_PERSON  # older versions don't say it
        and _is_human(line.get("origin", _HUMAN))  # nor is it said of a prompt on the command line
    )


def _is_typed_meanwhile(queued: dict[str, Any]) -> bool:
    is_prompt = queued.get("type") == "queued_command" and queued.get("commandMode") == "prompt"
    return is_prompt and _is_human(queued.get("origin")) and not queued.get("isMeta")


def _is_human(origin: object) -> bool:
    return isinstance(origin, dict) and origin.get("kind") == "human"


def _codex(line: dict[str, Any]) -> Iterator[object]:
    """The event says what was typed; the message of the user beside it can also be made by the client."""
    event = line.get("payload")
    if line.get("type") != "event_msg" or not isinstance(event, dict):
        return
    item = event.get("item")
    if event.get("type") == "item_completed" and isinstance(item, dict) and item.get("type") == "UserMessage":
        yield from _blocks(item.get("content"))
    elif event.get("type") == "user_message" and event.get("kind", "plain") == "plain":
        yield event.get("message")


def _blocks(content: object) -> Iterator[object]:
    """The texts of a content: one text, or blocks of which some are texts."""
    if isinstance(content, list):
        yield from (each.get("text") for each in content if isinstance(each, dict) and each.get("type") == "text")
    else:
        yield content
