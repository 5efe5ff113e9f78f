"""The tool in the hands of Anthropic's library: its own tool runner, against a service that scripts the model."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from trinho.errors import InvalidInputError, MemoryVersionConflictError, MissingExtraError

anthropic = pytest.importorskip("anthropic", reason="the extra memory-tool is not installed")

from anthropic.lib.tools import ToolError  # noqa: E402 - after the question whether it is installed
from anthropic.types.beta import BetaMemoryTool20250818ViewCommand  # noqa: E402

from trinho.interfaces.memory_tool import AsyncMemoryTool, MemoryTool  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tests.cleanroom import Home

    from trinho.application.library import Memory

TABS = "/memories/shared/team/tabs.md"
SCRIPT: list[dict[str, Any]] = [
    {"command": "view", "path": "/memories"},
    {"command": "create", "path": TABS, "file_text": "Tabs.\nAlways.\n"},
    {"command": "view", "path": TABS, "view_range": [1, 1]},
    {"command": "str_replace", "path": TABS, "old_str": "Always.", "new_str": "In Makefiles."},
    {"command": "insert", "path": TABS, "insert_line": 0, "insert_text": "# Indentation\n"},
    {"command": "rename", "old_path": TABS, "new_path": "/memories/shared/indentation.md"},
    {"command": "view", "path": "/memories/../etc/passwd"},
    {"command": "delete", "path": "/memories/private/worker/plan.md"},
    {"command": "delete", "path": TABS},
    {"command": "forget"},
    {"command": "view", "path": "/memories/shared"},
]


class Service(ThreadingHTTPServer):
    """Answers each request with the next call of the script, and keeps what was asked."""

    daemon_threads = True

    def __init__(self, script: Sequence[Mapping[str, Any]]) -> None:
        super().__init__(("127.0.0.1", 0), _Messages)
        self.script = list(script)
        self.asked: list[dict[str, Any]] = []

    def results(self) -> list[tuple[bool, str]]:
        """What the tool answered to each call: whether it is an error, and its text."""
        told = []
        for request in self.asked[1:]:
            (block,) = request["messages"][-1]["content"]
            content = block["content"]
            told.append((block.get("is_error", False), content if isinstance(content, str) else content[0]["text"]))
        return told


class _Messages(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, Service)
        turn = len(self.server.asked)
        self.server.asked.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        calls = self.server.script[turn : turn + 1]
        content = [{"type": "tool_use", "id": f"toolu_{turn}", "name": "memory", "input": call} for call in calls]
        answer = {
            "id": f"msg_{turn}",
            "type": "message",
            "role": "assistant",
            "model": "claude-test",
            "content": content or [{"type": "text", "text": "Done."}],
            "stop_reason": "tool_use" if content else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing on standard error."""


@contextmanager
def service(script: Sequence[Mapping[str, Any]]) -> Iterator[Service]:
    with Service(script) as served:
        thread = threading.Thread(target=served.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield served
        finally:
            served.shutdown()
            thread.join(10)


def options(served: Service) -> dict[str, Any]:
    return {"base_url": f"http://127.0.0.1:{served.server_port}", "api_key": "none", "max_retries": 0, "timeout": 20}


REQUEST: dict[str, Any] = {
    "model": "claude-test",
    "max_tokens": 100,
    "messages": [{"role": "user", "content": "Remember how we indent."}],
}


def expect_the_script_was_done(served: Service, home: Home) -> None:
    assert served.asked[0]["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    results = served.results()
    assert [failed for failed, _ in results] == [False] * 6 + [True] * 4 + [False]
    texts = [text for _, text in results]
    assert texts[1] == f"File created successfully at: {TABS}"
    assert texts[2] == (f"Here's the content of {TABS} with line numbers:\n     1\tTabs.")
    assert texts[3].startswith("The memory file has been edited.")
    assert texts[4] == f"The file {TABS} has been edited."
    assert texts[5] == f"Successfully renamed {TABS} to /memories/shared/indentation.md"
    assert [text.split(":")[1].strip() for text in (texts[6], texts[7], texts[9])] == [
        "PATH_TRAVERSAL",
        "PRIVATE_MEMORY_DENIED",
        "USAGE",
    ]
    assert texts[8] == f"Error: The path {TABS} does not exist\nIt was moved to /memories/shared/indentation.md"
    assert texts[10].endswith("\t/memories/shared/indentation.md")
    with home.memory() as person:
        assert person.get("shared:indentation").body == "# Indentation\nTabs.\nIn Makefiles.\n"
        assert person.verify_audit().ok
    assert ("main", "get", "private:worker:plan", "denied", "PRIVATE_MEMORY_DENIED") in home.told()


def test_the_library_s_tool_runner_works_with_it(home: Home, memory: Memory) -> None:
    with service(SCRIPT) as served, anthropic.Anthropic(**options(served)) as client:
        runner = client.beta.messages.tool_runner(**REQUEST, tools=[MemoryTool(memory)])
        assert runner.until_done().content[0].text == "Done."
    expect_the_script_was_done(served, home)


def test_the_asynchronous_one_too(home: Home, memory: Memory) -> None:
    async def work(served: Service) -> str:
        async with anthropic.AsyncAnthropic(**options(served)) as client:
            runner = client.beta.messages.tool_runner(**REQUEST, tools=[AsyncMemoryTool(memory)])
            text: str = (await runner.until_done()).content[0].text
            return text

    with service(SCRIPT) as served:
        assert asyncio.run(work(served)) == "Done."
    expect_the_script_was_done(served, home)


def test_a_program_can_call_its_commands(memory: Memory) -> None:
    memory.create("shared:team:tabs", "Tabs.")
    tool = MemoryTool(memory, cache_control={"type": "ephemeral"})
    assert tool.to_dict()["cache_control"] == {"type": "ephemeral"}
    assert tool.name == "memory"
    command = BetaMemoryTool20250818ViewCommand(command="view", path=TABS)
    assert tool.view(command) == tool.execute(command) == tool.call({"command": "view", "path": TABS})
    assert str(tool.view(command)).endswith("     1\tTabs.")


def test_an_error_has_ours_as_its_cause(home: Home, memory: Memory) -> None:
    tool = MemoryTool(memory)
    tool.call({"command": "create", "path": TABS, "file_text": "Tabs."})
    home.write("shared/team/tabs.md", "Spaces.")
    with pytest.raises(ToolError, match="MEMORY_VERSION_CONFLICT") as refused:
        tool.call({"command": "delete", "path": TABS})
    assert isinstance(refused.value.__cause__, MemoryVersionConflictError)


@pytest.mark.parametrize("input", [None, [], "view", 7, {}, {"path": TABS}, {"command": "clear_all_memory"}])
def test_what_is_no_command_is_an_error_of_the_tool(memory: Memory, input: object) -> None:
    with pytest.raises(ToolError, match="USAGE: there is no command"):
        MemoryTool(memory).call(input)


def test_without_the_library_the_import_says_what_to_install(home: Home) -> None:
    program = (
        "import sys; sys.modules['anthropic'] = None\n"
        "import trinho.interfaces.memory_tool.commands\n"
        "try:\n    from trinho.interfaces.memory_tool import MemoryTool\n"
        "except ImportError as error:\n    print(type(error).__name__, error.error_code, error.hint)"
    )
    environment = {**home.environment, "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True, env=environment, timeout=60
    )
    assert done.stdout == "MissingExtraError MISSING_EXTRA install it with `pip install 'trinho[memory-tool]'`\n"
    assert issubclass(MissingExtraError, InvalidInputError)
