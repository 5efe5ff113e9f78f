"""A cold `trinho mcp` up to its answer to tools/list, beside a bare server of the same library."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.row import Row

LIMIT = 1.1
_BARE = """
import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

async def listed(context, params):
    return types.ListToolsResult(tools=[types.Tool(name="a", description="b", input_schema={"type": "object"})])

async def main():
    server = Server("bare", version="1", on_list_tools=listed)
    async with stdio_server() as (reader, writer):
        await server.run(reader, writer, server.create_initialization_options())

anyio.run(main)
"""
_ASKED = (
    {
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"},
        },
    },
    {"method": "notifications/initialized"},
    {"id": 2, "method": "tools/list"},
)


def rows(runs: int = 15) -> list[Row]:
    """The ratio of the CPU time of the two processes until they have answered, taken in turn."""
    with tempfile.TemporaryDirectory(prefix="trinho-bench-") as folder:
        bare = Path(folder) / "bare.py"
        bare.write_text(_BARE, encoding="utf-8")
        environment = {"PATH": os.environ.get("PATH", ""), "HOME": folder, "TRINHO_MEMORY_ROOT": f"{folder}/root"}
        ours = [os.fspath(Path(sys.executable).with_name("trinho")), "mcp", "--as", "main"]
        floor = [sys.executable, os.fspath(bare)]
        _cpu(ours, environment)  # compiles what was never run, and makes the root
        pairs = [(_cpu(ours, environment), _cpu(floor, environment)) for _ in range(runs)]
    mine, other = (statistics.median(times) for times in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    beside = f"{mine * 1e3:.0f} ms CPU, bare server {other * 1e3:.0f} ms"
    return [
        Row("trinho mcp to tools/list, cold", f"{ratio:.2f} x bare", beside, f"<= {LIMIT:g} x bare", ratio <= LIMIT)
    ]


def _cpu(command: list[str], environment: dict[str, str]) -> float:
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for message in _ASKED:
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        assert b'"tools"' in process.stdout.readline()
        threads = Path(f"/proc/{process.pid}/task").glob("*/schedstat")
        used = sum(int(each.read_text(encoding="ascii").split()[0]) for each in threads)  # nanoseconds
        process.stdin.close()
        process.stdout.read()
    return used / 1e9
