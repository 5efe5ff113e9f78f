"""Each test has a home, a root and an environment of its own, and a role at work on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.cleanroom import home, trinho

from trinho.interfaces.memory_tool.commands import Answer, MemoryCommands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.cleanroom import Home

    from trinho.application.library import Memory

__all__ = ["home", "trinho"]


@pytest.fixture
def memory(home: Home) -> Iterator[Memory]:
    """The memory as the role `main` has it."""
    with home.memory("main") as memory:
        yield memory


@pytest.fixture
def ask(memory: Memory) -> Callable[..., Answer]:
    """Asks a command of the tool, as the role `main`."""
    commands = MemoryCommands(memory)
    return lambda command, **given: commands.answer({"command": command, **given})
