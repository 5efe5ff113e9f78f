"""The server as a client sees it: lines on its two pipes, or the official client."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
from mcp.client.session import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping

    from mcp_types import CallToolResult
    from tests.cleanroom import Home

T = TypeVar("T")

INITIALIZE = {
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


def environment(home: Home, more: Mapping[str, str] | None = None) -> dict[str, str]:
    return {**home.environment, "PYTHONPATH": os.pathsep.join(sys.path), **(more or {})}


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "trinho", "mcp", *arguments]


class Lines:
    """One server and its pipes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._last = 0

    def send(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the server has ended"
        document: dict[str, Any] = json.loads(line)
        return document

    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """One request and its answer."""
        self.post(method, params)
        return self.read()

    def post(self, method: str, params: Mapping[str, Any] | None = None) -> int:
        """One request, without waiting for the answer; its id."""
        self._last += 1
        document = {"jsonrpc": "2.0", "id": self._last, "method": method}
        self.send(json.dumps(document if params is None else {**document, "params": params}).encode())
        return self._last

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured content of a tool's answer."""
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]
        content: dict[str, Any] = result["structuredContent"]
        return content

    def end(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(30)


@contextmanager
def server(home: Home, *arguments: str, more: Mapping[str, str] | None = None) -> Iterator[Lines]:
    """A server that is initialised, and is gone afterwards."""
    with subprocess.Popen(
        command(*(arguments or ("--as", "main"))),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(home, more),
        cwd=home.folder,
    ) as process:
        lines = Lines(process)
        try:
            answer = lines.ask(INITIALIZE["method"], INITIALIZE["params"])  # type: ignore[arg-type]
            assert answer["result"]["serverInfo"]["name"] == "trinho"
            lines.send(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')
            yield lines
        finally:
            process.kill()


def with_client(home: Home, use: Callable[[ClientSession], Awaitable[T]], *arguments: str) -> T:
    """Run something with the official client."""

    async def connected() -> T:
        told = command(*(arguments or ("--as", "main")))
        parameters = StdioServerParameters(command=told[0], args=told[1:], env=environment(home), cwd=str(home.folder))
        async with stdio_client(parameters) as (reader, writer), ClientSession(reader, writer) as client:
            await client.initialize()
            return await use(client)

    return anyio.run(connected)


def document(result: CallToolResult) -> dict[str, Any]:
    """What a tool answered; its text says the same."""
    (block,) = result.content
    assert block.type == "text"
    structured = result.structured_content
    assert structured is not None
    assert json.loads(block.text) == structured
    return dict(structured)
