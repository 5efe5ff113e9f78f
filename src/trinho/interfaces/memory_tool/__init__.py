"""The memory tool of Anthropic's API: its paths and commands over entries, for one role.

    import anthropic, trinho
    from trinho.interfaces.memory_tool import MemoryTool

    with trinho.open_memory(actor="main") as memory:
        anthropic.Anthropic().beta.messages.tool_runner(tools=[MemoryTool(memory)], ...)

Names are loaded when they are first used: the paths and commands work without Anthropic's library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trinho.interfaces.memory_tool.tool import AsyncMemoryTool as AsyncMemoryTool
    from trinho.interfaces.memory_tool.tool import MemoryTool as MemoryTool

__all__ = ["AsyncMemoryTool", "MemoryTool"]


if not TYPE_CHECKING:  # so that a checker knows a name that there isn't

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from trinho.interfaces.memory_tool import tool

        return getattr(tool, name)
