"""One event of a client, from standard input to standard output.

INVARIANT: whatever happens, the client goes on: this ends in time, with status 0 and either a whole answer or none.
What went wrong is one line in a log of the user's own. Only a call that names no role, which no event can mend, ends
with 1, which clients show and don't take for a refusal.

Imports stand where they are needed: what comes most often, a call of a tool, ends without one of them.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from trinho.interfaces.hooks import watchdog

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from trinho.application.library import Memory

MOST_BYTES = 9_500
# INVARIANT: with a second for the start, and one for the answer to be read, less than what setup has clients allow
SECONDS = {"session-start": 5.0, "stop": 5.0, "pre-compact": 5.0}
USUAL_SECONDS = 2.0
_NAMES = {
    "session-start": "SessionStart",
    "prompt": "UserPromptSubmit",
    "pre-tool": "PreToolUse",
    "post-tool": "PostToolUse",
    "stop": "Stop",
    "session-end": "SessionEnd",
    "pre-compact": "PreCompact",
}
_MOST_INPUT = 16 << 20  # bytes; a prompt may hold what was pasted into it
_OPTIONS = {"--root": "root", "--as": "actor", "--project": "project", "--agent": "agent"}
_USAGE = "usage: trinho hook EVENT --as ROLE [--root DIR] [--project P] [--agent ID]; EVENT is one of "


def main(arguments: Sequence[str]) -> int:
    """Answer one event; the exit status."""
    try:
        event, options = _parse(arguments)
    except ValueError as error:
        _tell(f"USAGE: {error}")
        return 1
    environment = os.environ
    role = options.get("actor") or environment.get("TRINHO_ACTOR")
    if not role or role == "principal":
        _tell(
            "USAGE: a hook acts for an agent's role; add --as main"
            if not role
            else "RESERVED_FOR_PRINCIPAL: a hook acts for an agent's role, never for the person"
        )
        return 1
    watchdog.start(SECONDS.get(event, USUAL_SECONDS), event)
    try:
        answer = _answer(event, role, options, environment)
    except Exception as error:  # noqa: BLE001 - whatever it is, the turn goes on
        code = getattr(error, "error_code", type(error).__name__)
        watchdog.log(event, f"{code}: {getattr(error, 'message', '') or error}")
        return 0
    if answer:
        watchdog.finish(_document(event, answer))
    return 0


def _parse(arguments: Sequence[str]) -> tuple[str, dict[str, str]]:
    words: list[str] = []
    options: dict[str, str] = {}
    rest = iter(arguments)
    for each in rest:
        name, equals, value = each.partition("=")
        if name in _OPTIONS:
            given = value if equals else next(rest, None)
            if not given:
                raise ValueError(f"{name} needs a value")
            options[_OPTIONS[name]] = given
        elif each == "--json":
            continue
        elif each.startswith("-"):
            raise ValueError(f"there is no option {each}; {_USAGE}{', '.join(_NAMES)}")
        else:
            words.append(each)
    if len(words) != 2 or words[0] != "hook" or words[1] not in _NAMES:
        raise ValueError(f"{_USAGE}{', '.join(_NAMES)}")
    return words[1], options


def _answer(event: str, role: str, options: Mapping[str, str], environment: Mapping[str, str]) -> str:
    if event in ("pre-tool", "post-tool"):  # nothing is collected here yet
        return ""
    from trinho.settings import load_settings

    settings = load_settings(environment, root=options.get("root"), actor=role, project=options.get("project"))
    if settings.off is not None:
        return ""
    said = _said()
    run = said.get("session_id")
    settings = settings._replace(lock_wait_seconds=1.0, session=run if isinstance(run, str) else settings.session)
    from trinho.bootstrap import memory_for_agent

    with memory_for_agent(settings, create=event == "session-start") as memory:
        project = _project(memory, settings.project, said, environment)
        return _asked(event, memory, said, project, options.get("agent"))


def _asked(event: str, memory: Memory, said: Mapping[str, Any], project: str | None, agent: str | None) -> str:
    transcript = said.get("transcript_path")
    if isinstance(transcript, str) and event != "session-end":
        memory.heard_of(transcript, project=project, process=_process(said))
    if event == "session-start":
        from trinho.interfaces.protocol import protocol

        if said.get("source") != "resume":  # a conversation that goes on holds what it was shown
            memory.forget_shown()
        told = protocol(project)
        preamble = memory.preamble(project=project, agent=agent, most=MOST_BYTES - len(told.encode()) - 2)
        text = f"{preamble.text}\n{told}\n" if preamble.text else f"{told}\n"
        return text if memory.begin_with(text) else ""
    if event == "prompt":
        prompt = said.get("prompt")
        return memory.prompted(prompt, project=project) if isinstance(prompt, str) else ""
    if event == "pre-compact":
        memory.forget_shown()
    return ""


def _process(said: Mapping[str, Any]) -> int | None:
    """The number of the client's process, where it says so: its servers know it as that of their parent.

    A client that an agent has started in another's shell inherits the number, and not the session.
    """
    given = os.environ.get("CLAUDE_PID", "")
    is_own = os.environ.get("CLAUDE_CODE_SESSION_ID") == said.get("session_id")
    return int(given) if is_own and given.isascii() and given.isdecimal() and len(given) < 10 else None


def _project(memory: Memory, named: str | None, said: Mapping[str, Any], environment: Mapping[str, str]) -> str | None:
    if named is not None:
        return memory.project_named(named)
    folder = environment.get("CLAUDE_PROJECT_DIR") or said.get("cwd")
    try:
        found = memory.project_of(folder if isinstance(folder, str) and folder else os.getcwd())
    except Exception as error:  # noqa: BLE001 - without a project there is still what holds everywhere
        watchdog.log("project", getattr(error, "message", str(error)))
        return None
    return None if found is None else found.id


def _said() -> dict[str, Any]:
    """What the client says of the event."""
    import json

    pieces: list[bytes] = []
    size = 0
    while size <= _MOST_INPUT and (piece := os.read(0, 1 << 16)):
        pieces.append(piece)
        size += len(piece)
    if size > _MOST_INPUT:
        raise ValueError(f"the event has more than {_MOST_INPUT} bytes")
    document = json.loads(b"".join(pieces) or b"{}")
    if not isinstance(document, dict):
        raise TypeError("the event is no JSON object")
    return document


def _document(event: str, text: str) -> bytes:
    import json

    text = text.encode(errors="replace")[:MOST_BYTES].decode(errors="ignore")
    answer = {"hookSpecificOutput": {"hookEventName": _NAMES[event], "additionalContext": text}}
    return json.dumps(answer, ensure_ascii=False).encode(errors="replace") + b"\n"


def _tell(text: str) -> None:
    try:
        sys.stderr.write(text + "\n")
    except (OSError, ValueError, AttributeError):  # nobody listens there
        return
