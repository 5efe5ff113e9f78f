"""The real Claude Code and the real Codex, each in a world of one test, against a scripted model."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest
from tests.cleanroom import CACHE
from tests.clients.model_fakes import LAST_WORDS, Script, serving

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tests.clients.model_fakes import Turn

PACKAGES = Path(__file__).resolve().parents[2] / ".clients" / "node_modules"
TRINHO = Path(sys.executable).with_name("trinho")
SECONDS = 60
NOWHERE = "http://127.0.0.1:9"  # what a client asks of any other host than ours fails at once
OFFLINE = {"HTTP_PROXY": NOWHERE, "HTTPS_PROXY": NOWHERE, "NO_PROXY": "127.0.0.1,localhost"}


@dataclass(frozen=True, slots=True)
class World:
    """The folders of one test: a home, the memory in it, a repository, and room for what clients leave behind."""

    folder: Path

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def root(self) -> Path:
        return self.home / ".trinho" / "memory"

    @property
    def repository(self) -> Path:
        return self.folder / "repo"

    @property
    def environment(self) -> dict[str, str]:
        """That of the person's own terminal."""
        return {
            "HOME": str(self.home),
            "PATH": f"{TRINHO.parent}{os.pathsep}{os.environ['PATH']}",
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "TMPDIR": str(self.folder / "tmp"),
            "GIT_CONFIG_NOSYSTEM": "1",
        }

    def make(self) -> World:
        for each in (self.home / ".cache", self.folder / "tmp", self.repository):
            each.mkdir(parents=True)
        (CACHE / "trinho").mkdir(parents=True, exist_ok=True)
        (self.home / ".cache" / "trinho").symlink_to(CACHE / "trinho")  # compiling the secret rules takes seconds
        (self.home / ".gitconfig").write_text("[user]\n\tname = Lan\n\temail = lan@example.org\n")
        self.git("init", "--quiet", "--initial-branch=main")
        self.git("commit", "--quiet", "--allow-empty", "--message=begin")
        return self

    def git(self, *arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=self.repository, env=self.environment, check=True, timeout=SECONDS)

    def trinho(self, *arguments: str, said: object = None) -> str:
        """A command of the person, at a terminal of their own, or a hook that is told of an event; what it printed."""
        done = subprocess.run(
            [TRINHO, *arguments],
            cwd=self.repository,
            env=self.environment,
            input="" if said is None else json.dumps(said),
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool answered, as the model was told."""

    text: str
    is_error: bool | None  # None where the client's API has no word for it

    @property
    def document(self) -> dict[str, Any]:
        """The JSON of the memory server, behind what the client may say of the call."""
        document: dict[str, Any] = json.loads(self.text[self.text.index("{") :])
        return document

    @property
    def code(self) -> str | None:
        """The code of the error that the memory server answered with."""
        code: str | None = self.document.get("error", {}).get("code")
        assert self.is_error in (None, code is not None)
        return code


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a client, from the prompt to its end."""

    status: int
    out: str
    err: str
    answer: str
    bodies: list[dict[str, Any]]
    results: list[Result]
    tools: set[str]  # of the memory server, in the first request
    left: list[str]  # processes of the memory server that outlived the client

    def texts(self) -> list[str]:
        return [json.dumps(body, ensure_ascii=False) for body in self.bodies]

    def ended_well(self) -> Run:
        assert self.status == 0, (self.out, self.err)
        assert self.answer == LAST_WORDS, (self.out, self.err)
        return self


class Client(Protocol):
    """What a test needs of a client."""

    @property
    def name(self) -> str: ...
    @property
    def world(self) -> World: ...

    def set_up(self) -> None:
        """Connect memory to the client."""

    def going_on(self) -> Client:
        """The client in the session that it had last."""

    def run(
        self, prompt: str, *turns: Turn, folder: Path | None = None, variables: Mapping[str, str] | None = None
    ) -> Run:
        """Give the client one prompt."""


def program(package: str, path: str) -> Path:
    """The client's own binary, whatever the platform; skips where it isn't installed."""
    if not TRINHO.exists():
        pytest.skip("the command `trinho` is not installed beside this Python")
    found = sorted(PACKAGES.glob(f"{package}-*/{path}"), key=lambda each: ("musl" in each.parts[-2], str(each)))
    if not found:
        pytest.skip(f"{package} is not installed: run `make clients`")
    return found[0]


@dataclass(frozen=True, slots=True)
class Claude:
    """Claude Code."""

    world: World
    more: tuple[str, ...] = ()  # arguments
    name: str = "claude-code"

    def set_up(self) -> None:
        """Connect memory to the client."""
        self.world.trinho("setup", "claude-code", "--yes")

    def going_on(self) -> Claude:
        """The client in the session that it had last."""
        return replace(self, more=(*self.more, "--continue"))

    def run(
        self, prompt: str, *turns: Turn, folder: Path | None = None, variables: Mapping[str, str] | None = None
    ) -> Run:
        """Give the client one prompt."""
        binary = program("@anthropic-ai/claude-code", "claude")
        arguments = ["-p", prompt, "--output-format", "json", "--allowedTools", "mcp__trinho", "Bash", *self.more]
        script = Script(turns)
        with serving(script) as address:
            own = {
                "ANTHROPIC_BASE_URL": address,
                "ANTHROPIC_API_KEY": "none",
                "CLAUDE_CODE_TMPDIR": self.world.environment["TMPDIR"],
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
                "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
                "DISABLE_AUTOUPDATER": "1",
                "DISABLE_ERROR_REPORTING": "1",
                "DISABLE_TELEMETRY": "1",
            }
            done, left = _run([binary, *arguments], self.world, folder, {**own, **(variables or {})})
        first = script.bodies[0] if script.bodies else {}
        return Run(
            done.returncode,
            done.stdout,
            done.stderr,
            _parsed(done.stdout).get("result", ""),
            script.bodies,
            [
                Result(_text(block.get("content")), bool(block.get("is_error")))
                for block in _blocks(script.bodies[-1]["messages"] if script.bodies else [])
                if block.get("type") == "tool_result"
            ],
            _named(each.get("name", "") for each in first.get("tools", ())),
            left,
        )


@dataclass(frozen=True, slots=True)
class Codex:
    """Codex. A model that it doesn't know gets each tool by its name."""

    world: World
    more: tuple[str, ...] = ()  # arguments
    hooks_are_trusted: bool = True
    name: str = "codex"

    @property
    def folder(self) -> Path:
        return self.world.home / ".codex"

    def set_up(self) -> None:
        """Connect memory to the client."""
        self.world.trinho("setup", "codex", "--yes")

    def going_on(self) -> Codex:
        """The client in the session that it had last."""
        return replace(self, more=(*self.more, "resume", "--last"))

    @property
    def config(self) -> Path:
        self.folder.mkdir(exist_ok=True)
        return self.folder / "config.toml"

    def run(
        self, prompt: str, *turns: Turn, folder: Path | None = None, variables: Mapping[str, str] | None = None
    ) -> Run:
        """Give the client one prompt."""
        binary = program("@openai/codex", "vendor/*/bin/codex")
        script = Script(turns)
        with serving(script) as address:
            provider = f'{{name="fake", base_url="{address}/v1", wire_api="responses", env_key="FAKE_KEY", \
request_max_retries=0, stream_max_retries=0}}'
            chosen = ["model=scripted", "model_provider=fake", f"model_providers.fake={provider}"]
            chosen += ["check_for_update_on_startup=false"]
            chosen += ["analytics.enabled=false", 'approval_policy="never"', 'sandbox_mode="danger-full-access"']
            arguments = ["exec", "--json", *(["--dangerously-bypass-hook-trust"] if self.hooks_are_trusted else [])]
            arguments += [word for each in chosen for word in ("-c", each)]
            own = {"CODEX_HOME": str(self.config.parent), "FAKE_KEY": "none"}
            done, left = _run(
                [binary, *arguments, *self.more, prompt], self.world, folder, {**own, **(variables or {})}
            )
        first = script.bodies[0] if script.bodies else {}
        said = [event.get("item", {}) for event in map(_parsed, done.stdout.splitlines())]
        return Run(
            done.returncode,
            done.stdout,
            done.stderr,
            "".join(item.get("text", "") for item in said if item.get("type") == "agent_message"),
            script.bodies,
            [
                Result(_text(item.get("output")), None)
                for item in (script.bodies[-1]["input"] if script.bodies else [])
                if str(item.get("type")).endswith("_call_output")
            ],
            {
                tool["name"]
                for group in first.get("tools", ())
                if group.get("name") == "mcp__trinho"
                for tool in group.get("tools", ())
            },
            left,
        )


def _run(
    command: Sequence[str | Path], world: World, folder: Path | None, variables: Mapping[str, str]
) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """Run a client in a session of its own, and see what outlives it there."""
    with subprocess.Popen(
        command,
        cwd=folder or world.repository,
        env={**world.environment, **OFFLINE, **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            out, err = process.communicate(timeout=SECONDS)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(command, process.returncode, out, err), servers_of(world)


def servers_of(world: World) -> list[str]:
    """Servers of memory that run with the home of this test."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            words = (place / "cmdline").read_bytes().split(b"\0")
            variables = (place / "environ").read_bytes().split(b"\0")
        except OSError:  # it has ended, or is another user's
            continue
        if b"mcp" in words and f"HOME={world.home}".encode() in variables:
            found.append(b" ".join(words).decode(errors="replace"))
    return found


def _parsed(text: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def _blocks(messages: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [block for message in messages if isinstance(message["content"], list) for block in message["content"]]


def _named(names: Iterable[str]) -> set[str]:
    mark = "mcp__trinho__"
    return {name.removeprefix(mark) for name in names if name.startswith(mark)}


def _text(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(str(block.get("text", "")) for block in content)
    return content if isinstance(content, str) else json.dumps(content)
