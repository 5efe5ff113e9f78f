"""The server on its pipes: what comes in, how it ends, and what others do meanwhile."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from tests.mcp_client import INITIALIZE, command, environment, server

if TYPE_CHECKING:
    from tests.cleanroom import Home

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND = -32700, -32600, -32601


def deep(levels: int) -> bytes:
    return b'{"jsonrpc": "2.0", "id": 7, "method": "x", "params": {"a": ' + b"[" * levels + b"]" * levels + b"}}"


@pytest.mark.parametrize(
    ("line", "code", "id"),
    [
        (b"what?", PARSE_ERROR, None),
        (b'{"jsonrpc": "2.0", "id": 7, "method"', PARSE_ERROR, None),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "tools/list\xff"}', PARSE_ERROR, None),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {"a": NaN}}', PARSE_ERROR, None),
        (b"[" + b'{"jsonrpc": "2.0", "id": 7, "method": "ping"},' * 10_000 + b"1]", INVALID_REQUEST, None),
        (b"7", INVALID_REQUEST, None),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', INVALID_REQUEST, None),
        (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', INVALID_REQUEST, None),
        (b'{"jsonrpc": "2.0", "id": 7, "id": 8, "method": "ping"}', INVALID_REQUEST, None),
        (b'{"jsonrpc": "1.0", "id": 7, "method": "ping"}', INVALID_REQUEST, 7),
        (b'{"jsonrpc": "2.0", "id": 7}', INVALID_REQUEST, 7),
        (deep(200), INVALID_REQUEST, 7),
        (deep(200_000), INVALID_REQUEST, None),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "x", "params": "' + b"x" * 9_000_000 + b'"}', INVALID_REQUEST, None),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "no/such"}', METHOD_NOT_FOUND, 7),
    ],
    ids=lambda value: repr(value[:40]) if isinstance(value, bytes) else str(value),
)
def test_what_is_no_request_gets_its_error_and_the_server_stays_up(
    home: Home, line: bytes, code: int, id: int | None
) -> None:
    with server(home) as lines:
        lines.send(line)
        answer = lines.read()
        assert answer["error"]["code"] == code
        assert answer.get("id") == id
        assert lines.ask("ping")["result"] == {}
        assert lines.end() == 0


def test_a_hundred_megabytes_are_refused_without_being_held(home: Home) -> None:
    with server(home) as lines:
        assert lines.process.stdin is not None
        for _ in range(100):
            lines.process.stdin.write(b"x" * 1_000_000)
        lines.send(b"")
        assert lines.read()["error"]["code"] == INVALID_REQUEST
        with open(f"/proc/{lines.process.pid}/status", encoding="ascii") as status:
            peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
        assert peak < 200_000  # kB
        assert lines.ask("ping")["result"] == {}


def test_a_notification_without_an_id_gets_no_answer(home: Home) -> None:
    with server(home) as lines:
        lines.send(b'{"jsonrpc": "2.0", "method": "tools/list"}')
        lines.send(b"   ")
        assert lines.ask("ping")["id"] == 2


def test_nothing_but_the_protocol_is_on_standard_output(home: Home) -> None:
    """With every warning on, with notices to tell, and with code that prints."""
    (home.folder / "sitecustomize.py").write_text(
        "import atexit, sys, warnings\nwarnings.warn('early')\nprint('stray', file=sys.stderr)\n"
        "atexit.register(lambda: print('late'))\n"
    )
    home.write("shared/broken.md", b"---\nname: [\n---\ntext")
    more = {"PYTHONWARNINGS": "always", "PYTHONDEVMODE": "1"}
    more["PYTHONPATH"] = os.pathsep.join([str(home.folder), *sys.path])
    with server(home, "--as", "main", "--tools", "all", more=more) as lines:
        lines.call("memory_get", id="shared:broken")
        lines.call("propose_fact", domain="a", topic="b", content="We use tabs.")
        lines.call("search_memory", query="tabs")
        assert lines.process.stdin is not None
        assert lines.process.stdout is not None
        lines.process.stdin.close()
        rest = lines.process.stdout.read()
        assert rest == b""
        assert lines.process.wait(30) == 0


def test_what_was_asked_before_the_end_is_still_answered(home: Home) -> None:
    asked = [
        {**INITIALIZE, "jsonrpc": "2.0", "id": 1},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        *(
            {
                "jsonrpc": "2.0",
                "id": number,
                "method": "tools/call",
                "params": {"name": "memory_create", "arguments": {"id": f"shared:n{number}", "body": "text"}},
            }
            for number in range(2, 12)
        ),
    ]
    done = subprocess.run(
        command("--as", "main", "--tools", "all"),
        input="".join(json.dumps(each) + "\n" for each in asked).encode(),
        capture_output=True,
        env=environment(home),
        timeout=60,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert sorted(answer["id"] for answer in answers) == list(range(1, 12))
    assert sorted(path.name for path in (home.root / "shared").glob("n*.md")) == sorted(
        f"n{number}.md" for number in range(2, 12)
    )
    assert "n11.md" in (home.root / "shared/MEMORY.md").read_text()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, None])
def test_it_ends_at_once_with_everything_written(home: Home, how: signal.Signals | None) -> None:
    with server(home, "--as", "main", "--tools", "all") as lines:
        made = lines.call("memory_create", id="shared:a", body="text")
        before = time.monotonic()
        if how is None:
            assert lines.process.stdin is not None
            lines.process.stdin.close()
        else:
            lines.process.send_signal(how)
        assert lines.process.wait(30) == 0
        assert time.monotonic() - before < 5
    assert made["version"] == 1
    assert "a.md" in (home.root / "shared/MEMORY.md").read_text()
    with home.memory() as memory:
        assert memory.get("shared:a").body == "text"
        assert memory.doctor().findings == ()


def test_a_kill_after_the_answer_loses_nothing(home: Home) -> None:
    with server(home, "--as", "main", "--tools", "all") as lines:
        lines.call("memory_create", id="shared:a", body="text")
        lines.process.kill()
        lines.process.wait(30)
    with home.memory() as memory:
        assert memory.get("shared:a").body == "text"
        assert memory.search("text").total_considered == 1


def test_a_client_that_goes_in_the_middle_of_an_answer(home: Home) -> None:
    with server(home, "--as", "main", "--tools", "all") as lines:
        assert lines.process.stdout is not None
        lines.process.stdout.close()
        lines.post("tools/call", {"name": "memory_create", "arguments": {"id": "shared:a", "body": "text"}})
        assert lines.process.wait(30) == 0
        assert lines.process.stderr is not None
        assert b"Traceback" not in lines.process.stderr.read()
    assert (home.root / "shared/a.md").exists()


def test_a_dead_parent_ends_it_though_its_input_stays_open(home: Home) -> None:
    """The test holds the pipe; the process that started the server is killed."""
    starter = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", starter, *command("--as", "main")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(home),
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        time.sleep(2)
        assert running(child)
        parent.kill()
        parent.wait()
        until = time.monotonic() + 30
        while running(child) and time.monotonic() < until:
            time.sleep(0.1)
        assert not running(child)


def running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.slow
def test_eight_servers_on_one_root_lose_nothing(home: Home) -> None:
    def work(number: int) -> list[dict[str, Any]]:
        with server(home, "--as", "main", "--tools", "all") as lines:
            own = [lines.call("memory_create", id=f"shared:s{number}:n{each}", body="text") for each in range(10)]
            lines.call("log_append", text=f"server {number}")
            assert lines.end() == 0
            return own

    with ThreadPoolExecutor(8) as pool:
        made = [each for own in pool.map(work, range(8)) for each in own]
    assert all(each.get("version") == 1 for each in made), made
    with home.memory() as memory:
        assert len([row for row in memory.entries() if row.id.parts[1].startswith("s")]) == 80
        (log,) = [row for row in memory.entries() if row.kind == "log"]
        assert memory.get(str(log.id)).body.count("server ") == 8
        assert memory.verify_audit().ok
        assert not [found for found in memory.doctor().findings if found.is_fault]


@pytest.mark.parametrize(
    ("arguments", "variables", "status", "word"),
    [
        ([], {}, 2, "name the agent's role"),
        ([], {"CLAUDECODE": "1"}, 2, "name the agent's role"),
        (["--as", "principal"], {}, 3, "RESERVED_FOR_PRINCIPAL"),
        ([], {"TRINHO_ACTOR": "principal"}, 3, "RESERVED_FOR_PRINCIPAL"),
        (["--as", "nobody"], {}, 3, "UNKNOWN_ACTOR"),
        (["--as", "main", "--tools", "some"], {}, 2, "USAGE"),
    ],
)
def test_it_starts_only_for_a_role(
    home: Home, arguments: list[str], variables: dict[str, str], status: int, word: str
) -> None:
    done = subprocess.run(
        command(*arguments),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(home, variables),
        timeout=60,
        check=False,
    )
    assert done.returncode == status
    assert word in done.stderr.decode()
    assert done.stdout == b""


def test_the_role_may_come_from_the_environment(home: Home) -> None:
    with server(home, "--tools", "core", more={"TRINHO_ACTOR": "titling"}) as lines:
        assert lines.call("memory_get", id="private:main:notes")["error"]["code"] == "PRIVATE_MEMORY_DENIED"


def test_a_client_that_asks_for_something_newer_first(home: Home) -> None:
    """Claude Code asks `server/discover` before it initialises."""
    with subprocess.Popen(
        command("--as", "main"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(home),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"jsonrpc": "2.0", "id": 0, "method": "no/such/discover"}\n')
        process.stdin.write(json.dumps({**INITIALIZE, "jsonrpc": "2.0", "id": 1}).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["error"]["code"] in (METHOD_NOT_FOUND, INVALID_REQUEST, -32602)
        assert "result" in json.loads(process.stdout.readline())
        process.stdin.close()
        process.wait(30)


def test_the_run_that_a_client_names_in_its_calls_is_in_the_trail(home: Home) -> None:
    with server(home) as lines:
        meta = {"x-codex-turn-metadata": {"session_id": "0199-codex"}}
        lines.ask("tools/call", {"name": "search_memory", "arguments": {"query": "x"}, "_meta": meta})
    assert home.audit()[-1]["session"] == "0199-codex"
