"""Governed Markdown memory for coding agents.

    import trinho

    with trinho.open_memory() as memory:
        memory.create("shared:team:indentation", "We indent with four spaces.")
        memory.search("indentation")

Names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

# Not from typing: the command line can't answer an interrupt before this package is there
TYPE_CHECKING = False
if TYPE_CHECKING:
    from trinho.access.grant import Grant as Grant
    from trinho.access.grant import parse_grant as parse_grant
    from trinho.application.context import MemoryContext as MemoryContext
    from trinho.application.context import build_memory_context as build_memory_context
    from trinho.application.library import Memory as Memory
    from trinho.application.memory import MemoryService as MemoryService
    from trinho.bootstrap import open_memory as open_memory
    from trinho.domain.entry import Draft as Draft
    from trinho.domain.entry import Entry as Entry
    from trinho.domain.entry import EntryType as EntryType
    from trinho.domain.entry import Kind as Kind
    from trinho.domain.ids import MemoryId as MemoryId
    from trinho.domain.ids import parse_memory_id as parse_memory_id
    from trinho.errors import *  # noqa: F403 - each error is trinho.<Name>Error
    from trinho.retrieval.ranker import DeterministicContextRanker as DeterministicContextRanker

_HOMES = {
    "DeterministicContextRanker": "trinho.retrieval.ranker",
    "Draft": "trinho.domain.entry",
    "Entry": "trinho.domain.entry",
    "EntryType": "trinho.domain.entry",
    "Grant": "trinho.access.grant",
    "Kind": "trinho.domain.entry",
    "Memory": "trinho.application.library",
    "MemoryContext": "trinho.application.context",
    "MemoryId": "trinho.domain.ids",
    "MemoryService": "trinho.application.memory",
    "build_memory_context": "trinho.application.context",
    "open_memory": "trinho.bootstrap",
    "parse_grant": "trinho.access.grant",
    "parse_memory_id": "trinho.domain.ids",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605 - one list of names, not two; errors are reached as trinho.<Name>Error


if not TYPE_CHECKING:  # so that a checker knows a name that there isn't

    def __getattr__(name: str) -> object:
        home = "trinho.errors" if name.endswith("Error") else _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module 'trinho' has no attribute {name!r}")
        from importlib import import_module  # only where a name is used

        return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
