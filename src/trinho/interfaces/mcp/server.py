"""The server on standard input and output."""

from __future__ import annotations

import gc
import json
import os
import re
import signal
import sys
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel import Server

from trinho.domain.unseen import UNSEEN
from trinho.errors import (
    AccessDeniedError,
    InvalidInputError,
    InvalidRootError,
    OutOfMemoryError,
    TrinhoError,
    UsageError,
)
from trinho.interfaces.mcp.tools import BACKGROUND, BY_NAME, At, Tool, profile
from trinho.interfaces.mcp.wire import claim_standard_streams
from trinho.interfaces.protocol import protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server.context import ServerRequestContext

    from trinho.application.library import Memory
    from trinho.settings import Settings

_PARENT_CHECKED_EVERY = 1.0  # seconds
_BEGUN_BEFORE = timedelta(minutes=1)  # a session's first hook may run before its servers are started
_LAST_WORK = 10.0  # seconds that a call which has begun may still take when the server ends
_UNSEEN = re.compile(f"[\x7f-\x9f{UNSEEN}]")  # JSON can spell it


class MemoryServer:
    """Serves one memory to one role. Its calls run one after the other in a thread of their own."""

    def __init__(
        self,
        open_memory: Callable[[], Memory],
        *,
        project: str | None = None,
        agent: str | None = None,
        tools: str = "core",
        session: str | None = None,
        client: int | None = None,
        off: bool = False,
    ) -> None:
        self._open_memory = open_memory
        self._project = project
        self._agent = agent
        self._tools = () if off else profile(tools)
        self._names = {tool.name for tool in self._tools}
        self._session = session
        self._client = client  # the process that may go on to another session
        self._since = datetime.now(UTC) - _BEGUN_BEFORE
        self._at: At | None = None
        self._turn = anyio.CapacityLimiter(1)
        self._background: anyio.abc.TaskGroup | None = None
        self._server: Server[Any] = Server(
            "trinho",
            version=version("trinho"),
            instructions=None if off else protocol(project),
            on_list_tools=self._list,
            on_call_tool=self._call,
        )

    async def serve(self) -> None:
        """Serve until the input ends, nobody reads, a signal comes, or the process that started us is gone."""
        wire = claim_standard_streams()
        try:
            async with anyio.create_task_group() as group:
                self._background = group
                stop = group.cancel_scope.cancel
                group.start_soon(wire.read)
                group.start_soon(wire.write, stop)
                group.start_soon(_on_signal, stop)
                group.start_soon(_on_orphaned, stop)
                await self._server.run(wire.received, wire.sent, self._server.create_initialization_options())
                stop()
        finally:
            with anyio.move_on_after(_LAST_WORK, shield=True):
                await anyio.to_thread.run_sync(self._close, limiter=self._turn, abandon_on_cancel=True)

    def _close(self) -> None:
        if self._at is not None:
            self._at.memory.close()

    async def _list(
        self, _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=tool.name,
                    description=tool.description,
                    input_schema=tool.schema,
                    annotations=types.ToolAnnotations.model_validate(tool.hints),
                )
                for tool in self._tools
            ]
        )

    async def _call(
        self, context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        session = _session_of(context)
        answer = await anyio.to_thread.run_sync(
            self._answer, params.name, params.arguments or {}, session, limiter=self._turn
        )
        if self._background is not None:
            self._background.start_soon(self._tidy)
        return answer

    async def _tidy(self) -> None:
        await anyio.to_thread.run_sync(self._flush, limiter=self._turn)

    def _flush(self) -> None:
        """Bring index and MEMORY.md up to date behind the answer, so that a kill leaves nothing to be caught up."""
        if self._at is None:
            return
        try:
            self._at.memory.flush()
        except TrinhoError as error:  # it is tried again at the next call and at the end
            _tell(f"{error.error_code}: {error.message}")

    def _answer(self, name: str, arguments: dict[str, Any], session: str | None) -> types.CallToolResult:
        try:
            tool = BY_NAME.get(name) if name in self._names else None
            if tool is None:
                known = ", ".join(sorted(self._names)) or "none: memory is switched off"
                raise UsageError(f"there is no tool `{name}`", hint=f"the tools are: {known}")
            at = self._opened(session)
            with at.memory.session.auditing(tool.name, None):
                check(tool, arguments)
            return _told(tool, tool.call(at, dict(arguments)))
        except TrinhoError as error:
            return _failed(error)
        except MemoryError:
            return _failed(OutOfMemoryError())
        except Exception as error:  # noqa: BLE001 - one call that fails must not end the session
            import traceback

            _tell("".join(traceback.format_exception(error)).rstrip())
            hint = "the server's own log says more; if it comes again, please report it"
            return _failed(TrinhoError(f"this should not happen: {type(error).__name__}", hint=hint))

    def _opened(self, session: str | None) -> At:
        if self._at is None:
            self._at = At(self._open_memory(), self._project, self._agent)
        held = self._at.memory.session
        if self._session is None and session is not None:  # a client that names its run only in its calls
            held.session = held.nameable_run(session)
        elif self._client is not None and held.session is not None:  # one that names it only when it starts us
            held.session = self._at.memory.run_at_work(self._client, self._since) or held.session
        for notice in held.notices:
            _tell(f"note: {notice}")
        held.notices.clear()
        return self._at


def serve(settings: Settings, *, agent: str | None, tools: str) -> None:
    """Serve the memory of these settings on standard input and output until the client has had enough.

    A wrong role or setting is an error at once. Where the memory can't be opened, each call tries again and says why it
    can't: a client that waits for its server would otherwise not begin at all.
    """
    from trinho.bootstrap import memory_for_agent

    opened: list[Memory] = []
    try:
        opened.append(memory_for_agent(settings))
    except TrinhoError as error:
        if isinstance(error, InvalidInputError | AccessDeniedError) and not isinstance(error, InvalidRootError):
            raise
        _tell(f"{error.error_code}: {error.message}")
    server = MemoryServer(
        lambda: opened.pop() if opened else memory_for_agent(settings),
        project=_project(settings, opened),
        agent=agent,
        tools=tools,
        session=settings.session,
        client=None if os.environ.get("TRINHO_SESSION") else os.getppid(),
        off=settings.off is not None,
    )
    gc.freeze()
    gc.enable()
    anyio.run(server.serve)
    sys.stderr.flush()
    os._exit(0)  # a thread may still wait for a line that never comes, and Python's own end would wait for the thread


def _project(settings: Settings, opened: list[Memory]) -> str | None:
    """The project that was named, else that of the folder which the client works in."""
    if not opened:
        return settings.project
    if settings.project is not None:
        return opened[0].project_named(settings.project)
    try:
        found = opened[0].project_of(os.environ.get("CLAUDE_PROJECT_DIR") or Path.cwd())
    except (TrinhoError, OSError) as error:  # without a project there is still what holds everywhere
        _tell(f"note: the project is unknown: {error}")
        return None
    return None if found is None else found.id


def check(tool: Tool, arguments: dict[str, Any]) -> None:
    """Raise UsageError for arguments that the tool's schema doesn't allow."""
    from jsonschema import Draft202012Validator  # 60 ms, which the tool list must not wait for
    from jsonschema.exceptions import best_match

    fault = best_match(Draft202012Validator(tool.schema).iter_errors(arguments))
    if fault is None:
        return
    where = f"`{fault.absolute_path[0]}`: " if fault.absolute_path else ""
    hint = f"`{tool.name}` takes: {', '.join(tool.arguments)}"
    if tool.required:
        hint += f"; needed: {', '.join(tool.required)}"
    raise UsageError(f"{where}{fault.message[:300]}", hint=hint)


def _told(tool: Tool, document: dict[str, Any]) -> types.CallToolResult:
    if tool.recalls:
        document = {"trust": BACKGROUND, **document}
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=_json(document))], structured_content=document
    )


def _failed(error: TrinhoError) -> types.CallToolResult:
    document = {"error": error.as_dict()}
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=_json(document))], structured_content=document, is_error=True
    )


def _json(document: dict[str, Any]) -> str:
    return _UNSEEN.sub(lambda found: json.dumps(found[0])[1:-1], json.dumps(document, ensure_ascii=False))


def _session_of(context: ServerRequestContext[Any]) -> str | None:
    """The name of the client's run where it says it with each call, as Codex does."""
    meta: Any = context.meta or {}
    turn = meta.get("x-codex-turn-metadata")
    if isinstance(turn, str):
        try:
            turn = json.loads(turn)
        except ValueError:
            return None
    name = turn.get("session_id") if isinstance(turn, dict) else None
    return name if isinstance(name, str) and 0 < len(name) <= 200 else None


async def _on_signal(stop: Callable[[], None]) -> None:
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT, signal.SIGHUP) as signals:
        async for _ in signals:
            stop()
            return


async def _on_orphaned(stop: Callable[[], None]) -> None:
    """A client that was killed can leave our input open in another process; its death shows in our parent."""
    parent = os.getppid()
    while os.getppid() == parent:
        await anyio.sleep(_PARENT_CHECKED_EVERY)
    stop()


def _tell(text: str) -> None:
    try:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):  # nobody listens there
        return
