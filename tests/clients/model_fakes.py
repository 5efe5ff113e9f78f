"""The two model APIs on a loopback port, answering from a script and keeping what they were asked."""

from __future__ import annotations

import json
import re
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    Step: TypeAlias = "Remember | Shell | Delegate | Program"
    Turn: TypeAlias = "Step | Callable[[str], Step]"

LAST_WORDS = "That is all."  # the answer once the script has ended
_USAGE = {"input_tokens": 10, "output_tokens": 10}
_RESPONSES_USAGE = {**_USAGE, "total_tokens": 20, "input_tokens_details": None, "output_tokens_details": None}


@dataclass(frozen=True, slots=True)
class Remember:
    """A call of one tool of the memory server."""

    tool: str
    arguments: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Shell:
    """A command line that the model wants to run."""

    command: str


@dataclass(frozen=True, slots=True)
class Delegate:
    """Work for a subagent of Claude Code, whose turns follow."""

    prompt: str


@dataclass(frozen=True, slots=True)
class Program:
    """JavaScript in which the model calls tools: how Codex works with the models that it knows."""

    source: str


def call(tool: str, /, **arguments: object) -> Remember:
    return Remember(tool, arguments)


@dataclass(slots=True)
class Script:
    """The model's part of a conversation, and each body that it was sent.

    A turn that needs what was said before is a function of the request's text.
    """

    turns: Sequence[Turn]
    bodies: list[dict[str, Any]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, body: dict[str, Any]) -> Step | None:
        """The next step; None where there is nothing left but the last words."""
        with self._lock:
            self.bodies.append(body)
            asked = sum(1 for each in self.bodies if _tools(each))
        if not _tools(body) or asked > len(self.turns):  # without tools: what a client asks beside the work
            return None
        turn = self.turns[asked - 1]
        return turn(json.dumps(body, ensure_ascii=False)) if callable(turn) else turn


def _tools(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The tools that the model may call; Codex hands them to models that it knows as a part of the input."""
    parts = [part for part in body.get("input", ()) if part.get("type") == "additional_tools"]
    return [tool for place in (body, *parts) for tool in place.get("tools") or ()]


def messages_events(step: Step | None, number: int) -> list[dict[str, Any]]:
    """One answer of POST /v1/messages, as events."""
    if step is None:
        block: dict[str, Any] = {"type": "text", "text": ""}
        delta: dict[str, Any] = {"type": "text_delta", "text": LAST_WORDS}
    else:
        name, given = _claude_call(step)
        block = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(given)}
    message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "fake", "content": []}
    end = {"stop_reason": "end_turn" if step is None else "tool_use", "stop_sequence": None}
    return [
        {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None, "usage": _USAGE}},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": end, "usage": {"output_tokens": 10}},
        {"type": "message_stop"},
    ]


def _claude_call(step: Step) -> tuple[str, dict[str, object]]:
    if isinstance(step, Shell):
        return "Bash", {"command": step.command, "description": "run it"}
    if isinstance(step, Delegate):
        given = {"description": "do it", "prompt": step.prompt, "subagent_type": "general-purpose"}
        return "Agent", {**given, "run_in_background": False}
    assert isinstance(step, Remember)
    return f"mcp__trinho__{step.tool}", dict(step.arguments)


def responses_events(step: Step | None, number: int) -> list[dict[str, Any]]:
    """One answer of POST /v1/responses, as events."""
    if step is None:
        text = {"type": "output_text", "text": LAST_WORDS, "annotations": []}
        item: dict[str, Any] = {"type": "message", "role": "assistant", "id": f"msg_{number}", "content": [text]}
    elif isinstance(step, Program):
        item = {"type": "custom_tool_call", "id": f"ctc_{number}", "call_id": f"call_{number}"}
        item |= {"name": "exec", "input": step.source}
    else:
        item = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}"}
        if isinstance(step, Shell):
            item |= {"name": "exec_command", "arguments": json.dumps({"cmd": step.command})}
        else:
            assert isinstance(step, Remember)
            item |= {"namespace": "mcp__trinho", "name": step.tool, "arguments": json.dumps(step.arguments)}
    response = {"id": f"resp_{number}"}
    return [
        {"type": "response.created", "response": response},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {**response, "output": [item], "usage": _RESPONSES_USAGE}},
    ]


_PATHS: dict[str, Callable[[Step | None, int], list[dict[str, Any]]]] = {
    "/v1/messages": messages_events,
    "/v1/responses": responses_events,
}


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # a client may keep its connection open for as long as it lives
    script: Script

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is no error."""


class _Model(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_HEAD(self) -> None:
        self._answer(200, "text/plain", b"")

    def do_GET(self) -> None:
        self._answer(404, "application/json", b"{}")

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        events = _PATHS.get(re.sub(r"\?.*", "", self.path))
        if events is None:
            self._answer(404, "application/json", b"{}")
            return
        script = self.server.script
        step = script.answer(json.loads(raw))
        lines = [f"event: {each['type']}\ndata: {json.dumps(each)}\n\n" for each in events(step, len(script.bodies))]
        self._answer(200, "text/event-stream", "".join(lines).encode())

    def _answer(self, status: int, kind: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is logged: the bodies are kept."""


@contextmanager
def serving(script: Script) -> Iterator[str]:
    """The script behind a port of loopback that the system chose; its address."""
    with _Server(("127.0.0.1", 0), _Model) as server:
        server.script = script
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
