"""Lines of transcripts in the shapes in which Claude Code and Codex write them, and where they keep them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

RUN = "0b8e6a52-6f2c-4d6e-9f55-3c1b7a3f9d10"
OTHER_RUN = "1c9f7b63-7a3d-4e7f-8a66-4d2c8b4a0e21"


def claude_place(home: Path, run: str = RUN) -> Path:
    return home / ".claude/projects/-work-lantern" / f"{run}.jsonl"


def codex_place(home: Path, run: str = RUN) -> Path:
    return home / ".codex/sessions/2026/12/07" / f"rollout-2026-12-07T11-37-22-{run}.jsonl"


def write(place: Path, *lines: dict[str, Any] | bytes) -> Path:
    place.parent.mkdir(parents=True, exist_ok=True)
    raws = [line if isinstance(line, bytes) else _json(line) for line in lines]
    place.write_bytes(b"".join(raw + b"\n" for raw in raws))
    return place


def _json(line: dict[str, Any]) -> bytes:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode(errors="surrogatepass")


# -- Claude Code ----------------------------------------------------------------------------------------------------


def claude_line(content: object, **more: object) -> dict[str, Any]:
    """A line of the user that says nothing of where it comes from."""
    said = {"role": "user", "content": content}
    return {"parentUuid": None, "isSidechain": False, "type": "user", "message": said, "sessionId": RUN, **more}


def claude_prompt(content: object, **more: object) -> dict[str, Any]:
    """What was typed into the terminal."""
    typed: dict[str, object] = {"promptSource": "typed", "origin": {"kind": "human"}, "turnOrigin": "human"}
    return claude_line(content, **{**typed, **more})


def claude_prompt_of_a_command(content: object) -> dict[str, Any]:
    """What was given to `claude -p`."""
    return claude_line(content, promptSource="sdk", turnOrigin="sdk")


def claude_queued(prompt: object, **more: object) -> dict[str, Any]:
    """What was typed while the agent was at work."""
    queued = {"type": "queued_command", "prompt": prompt, "commandMode": "prompt", "origin": {"kind": "human"}, **more}
    return {"isSidechain": False, "type": "attachment", "attachment": queued, "sessionId": RUN}


def claude_tool_result(text: str) -> dict[str, Any]:
    block = {"tool_use_id": "toolu_1", "type": "tool_result", "content": text, "is_error": False}
    return claude_line([block], toolUseResult={"stdout": text}, sourceToolAssistantUUID="37c534b2")


def claude_answer(text: str) -> dict[str, Any]:
    return {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": text}]}}


def claude_untyped(text: str) -> list[dict[str, Any]]:
    """Each way in which a text gets into a transcript without a person's typing it."""
    context = {"type": "hook_additional_context", "content": [text], "hookEvent": "UserPromptSubmit"}
    return [
        claude_answer(text),
        claude_tool_result(text),
        claude_line(text),  # nothing says that it was typed
        claude_line(f"<bash-stdout>{text}</bash-stdout><bash-stderr></bash-stderr>", turnOrigin="human"),
        claude_line(f"<command-name>/x</command-name>\n<command-args>{text}</command-args>", turnOrigin="sdk"),
        claude_line(f"Stop hook feedback:\n{text}", isMeta=True, rowSource="hook"),
        claude_line([{"type": "text", "text": text}], isMeta=True, turnCompanion=True),  # a command, expanded
        claude_line(text, isVisibleInTranscriptOnly=True, isCompactSummary=True),
        claude_prompt(text, isCompactSummary=True),
        claude_prompt(text, isSidechain=True),  # a subagent's
        claude_prompt(text, isMeta=True),
        claude_prompt(text, origin={"kind": "task-notification"}),
        claude_prompt(text, origin=None),
        claude_prompt(text, promptSource="system", turnOrigin="task_notification"),
        claude_prompt(text, promptSource="system", turnOrigin="scheduled"),
        claude_prompt(text, turnOrigin="peer"),
        claude_prompt(text, promptSource="suggestion_accepted"),
        claude_prompt([{"type": "tool_result", "content": text}]),
        claude_prompt([{"type": "text", "text": f"<system-reminder>{text}</system-reminder>"}]),
        claude_prompt(f"ask about this\n<ide_selection>{text}</ide_selection>"),
        claude_prompt(f'<recalled-memory mark="3317a9d2a707">\n- {text}\n</recalled-memory>'),
        claude_queued(text, origin={"kind": "task-notification"}),
        claude_queued(text, commandMode="task-notification"),
        claude_queued(text, isMeta=True),
        {"type": "attachment", "attachment": context},
        {"type": "queue-operation", "operation": "enqueue", "content": text, "promptSource": "typed"},
        {"type": "last-prompt", "lastPrompt": text, "promptSource": "typed"},
        {"type": "api-request-blob", "message": {"role": "user", "content": text}, "promptSource": "typed"},
    ]


# -- Codex ----------------------------------------------------------------------------------------------------------


def codex_prompt(*texts: str) -> dict[str, Any]:
    """The event that tells of what was typed."""
    content = [{"type": "text", "text": text, "text_elements": []} for text in texts]
    return codex_event({"type": "item_completed", "item": {"type": "UserMessage", "content": content}})


def codex_earlier_prompt(message: str, **more: object) -> dict[str, Any]:
    """The same in files of earlier versions."""
    return codex_event({"type": "user_message", "message": message, "images": [], **more})


def codex_event(payload: dict[str, Any]) -> dict[str, Any]:
    return {"timestamp": "2026-12-07T11:37:24.120Z", "type": "event_msg", "payload": payload}


def codex_message(role: str, text: str) -> dict[str, Any]:
    content = [{"type": "input_text", "text": text}]
    return {"type": "response_item", "payload": {"type": "message", "role": role, "content": content}}


def codex_untyped(text: str) -> list[dict[str, Any]]:
    """Each way in which a text gets into a transcript without a person's typing it."""
    wrapped: Sequence[str] = (
        f"# AGENTS.md instructions for /work\n\n<INSTRUCTIONS>\n{text}\n</INSTRUCTIONS>",
        f"<environment_context>\n<cwd>{text}</cwd>\n</environment_context>",
        f'<hook_prompt hook_run_id="stop:10">{text}</hook_prompt>',
        f"<user_shell_command>\n<result>\nOutput:\n{text}\n</result>\n</user_shell_command>",
        f"<subagent_notification>\n{text}\n</subagent_notification>",
    )
    call = {"type": "McpToolCall", "result": {"content": [{"type": "text", "text": text}]}, "note": "UserMessage"}
    answer = {"type": "AgentMessage", "content": [{"type": "text", "text": text}], "note": "UserMessage"}
    return [
        codex_message("user", text),
        codex_message("developer", text),
        codex_message("assistant", text),
        *(codex_message("user", each) for each in wrapped),
        *(codex_prompt(each) for each in wrapped),
        codex_earlier_prompt(text, kind="user_instructions"),
        codex_event({"type": "item_completed", "item": call}),
        codex_event({"type": "item_completed", "item": answer}),
        codex_event({"type": "item_started", "item": codex_prompt(text)["payload"]["item"]}),
        {**codex_prompt(text), "type": "response_item"},
        {"type": "response_item", "payload": {"type": "function_call_output", "output": text}},
    ]
