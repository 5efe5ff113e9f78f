"""What the tool runners of Anthropic's library take: the memory tool over one memory, in both its kinds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from trinho.errors import MissingExtraError
from trinho.interfaces.memory_tool.commands import Answer, MemoryCommands

try:
    from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
    from anyio.to_thread import run_sync
except ImportError as error:
    raise MissingExtraError("memory-tool", "anthropic") from error

if TYPE_CHECKING:
    from anthropic.types.beta import BetaCacheControlEphemeralParam, BetaMemoryTool20250818Command

    from trinho.application.library import Memory


class MemoryTool(BetaAbstractMemoryTool):
    """One memory as the memory tool of a tool runner; what can't be done is a ToolError, with our error as its cause.

    While a runner works, its tool alone uses the memory. Who opened the memory closes it.
    """

    def __init__(self, memory: Memory, *, cache_control: BetaCacheControlEphemeralParam | None = None) -> None:
        super().__init__(cache_control=cache_control)
        self._commands = MemoryCommands(memory)

    def call(self, input: object) -> str:
        return _told(self._commands.answer(_arguments(input)))

    def _done(self, command: BetaMemoryTool20250818Command) -> str:
        return self.call(dict(command))

    execute = view = create = str_replace = insert = delete = rename = _done


class AsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for an asynchronous client; each command runs in a thread, one after the other."""

    def __init__(self, memory: Memory, *, cache_control: BetaCacheControlEphemeralParam | None = None) -> None:
        super().__init__(cache_control=cache_control)
        self._commands = MemoryCommands(memory)

    async def call(self, input: object) -> str:
        return _told(await run_sync(self._commands.answer, _arguments(input)))

    async def _done(self, command: BetaMemoryTool20250818Command) -> str:
        return await self.call(dict(command))

    execute = view = create = str_replace = insert = delete = rename = _done


def _arguments(input: object) -> Mapping[str, object]:
    """The arguments as the model gave them: the library hands them on unchecked."""
    return input if isinstance(input, Mapping) else {}


def _told(answer: Answer) -> str:
    if answer.is_error:
        raise ToolError(answer.text) from answer.error
    return answer.text
