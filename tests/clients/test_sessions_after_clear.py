"""Claude Code begins a new session at `/clear` and keeps its servers: ours goes on with it."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

from tests.clients.model_fakes import Script, call, serving
from tests.clients.real_clients import NOWHERE, SECONDS, Claude, program

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.clients.real_clients import World

QUOTE = "we always indent with four spaces"
LATER = "we deploy on Fridays only"
ARGUMENTS = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]


def test_what_was_typed_after_it_is_quoted_and_what_was_before_is_not(world: World) -> None:
    Claude(world).set_up()

    def stated(quote: str) -> Any:
        given = {"domain": "style", "topic": "indentation", "content": "The team indents with four spaces."}
        return call("propose_fact", **given, veracity="stated", evidence=quote)

    def nothing_more(_: str) -> Any:
        return None

    script = Script([stated(QUOTE), nothing_more, stated(QUOTE), stated(LATER)])
    answers = list(talk(world, script, [f"Please keep in mind: {QUOTE}.", "/clear", f"And one more thing: {LATER}."]))
    assert ["EVIDENCE_NOT_FOUND" in answer for answer in answers] == [False, True, False], answers
    trail = [
        json.loads(line)
        for path in sorted((world.root / ".trinho/audit").glob("*.jsonl"))
        for line in path.read_text().splitlines()
    ]
    first, *_, last = [line["session"] for line in trail if line["actor"] == "main"]
    assert last not in (None, first)


def talk(world: World, script: Script, prompts: Sequence[str]) -> Iterator[str]:
    """Say one thing after the other to one process of the client; what its tools answered."""
    binary = program("@anthropic-ai/claude-code", "claude")
    with serving(script) as address:
        variables = {
            "ANTHROPIC_BASE_URL": address,
            "ANTHROPIC_API_KEY": "none",
            "CLAUDE_CODE_TMPDIR": world.environment["TMPDIR"],
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
            "HTTP_PROXY": NOWHERE,
            "HTTPS_PROXY": NOWHERE,
            "NO_PROXY": "127.0.0.1,localhost",
        }
        with subprocess.Popen(
            [binary, "-p", *ARGUMENTS, "--allowedTools", "mcp__trinho"],
            cwd=world.repository,
            env={**world.environment, **variables},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                for prompt in prompts:
                    said = {"type": "user", "message": {"role": "user", "content": prompt}}
                    process.stdin.write(json.dumps(said) + "\n")
                    process.stdin.flush()
                    for line in map(json.loads, process.stdout):
                        if line["type"] == "user":
                            yield json.dumps(line["message"], ensure_ascii=False)
                        elif line["type"] == "result":
                            break
                process.stdin.close()
                process.wait(SECONDS)
            finally:
                process.kill()
