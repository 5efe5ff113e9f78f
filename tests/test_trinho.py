"""The library as a program sees it."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, assert_type

import pytest
from tests.cleanroom import home

import trinho

if TYPE_CHECKING:
    from tests.cleanroom import Home

__all__ = ["home"]

HEAVY = (
    "apsw",
    "yaml",
    "click",
    "platformdirs",
    "trinho.bootstrap",
    "trinho.application",
    "trinho.errors",
    "dataclasses",
)


def test_importing_it_loads_nothing(home: Home) -> None:
    program = "import sys; before = set(sys.modules); import trinho; print(*sorted(set(sys.modules) - before))"
    loaded = subprocess.run(
        [sys.executable, "-S", "-c", program], check=True, capture_output=True, text=True, env=_env()
    )
    assert [name for name in HEAVY if name in loaded.stdout.split()] == []


@pytest.mark.parametrize("line", ["get shared:x", "search x", "--help"])
def test_a_command_loads_no_more_than_it_needs(home: Home, line: str) -> None:
    program = (
        "import sys; from trinho.interfaces.cli.app import run; run(sys.argv[1:]); "
        "print('LOADED', *sorted(sys.modules), file=sys.stderr)"
    )
    environment = {**home.environment, **_env()}
    done = subprocess.run(
        [sys.executable, "-c", program, *line.split()], check=True, capture_output=True, text=True, env=environment
    )
    loaded = done.stderr.rpartition("LOADED")[2].split()
    unwanted = {
        "sqlite3",
        "numpy",
        "pydantic",
        "asyncio",
        "logging",
        "urllib.request",
        "platformdirs",
        "yaml",
        "tomllib",
    }
    assert unwanted & set(loaded) == set()


def _env() -> dict[str, str]:
    return {"PYTHONPATH": ":".join(path for path in sys.path if path)}


@pytest.mark.parametrize("name", trinho.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(trinho, name).__name__ == name
    assert name in dir(trinho)


def test_errors_are_reached_by_name() -> None:
    assert trinho.MemoryEntryNotFoundError.exit_status == 4
    with pytest.raises(AttributeError):
        _ = trinho.NoSuchError  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        _ = trinho.nothing  # type: ignore[attr-defined]


def test_a_program_that_uses_it(home: Home) -> None:
    with trinho.open_memory(home.root) as memory:
        assert_type(memory, trinho.Memory)
        entry = memory.create("shared:team:indentation", "We indent with four spaces.", kind=trinho.Kind.DECISION)
        assert_type(entry, trinho.Entry)
        answer = memory.search("indentation", limit=3)
        assert [str(result.entry.id) for result in answer.results] == ["shared:team:indentation"]
        changed = memory.update("shared:team:indentation", "Four.", expected_version=entry.version)
        context = memory.build_memory_context("indentation", character_budget=2000)
        assert_type(context, trinho.MemoryContext)
        assert "Four." in context.text
        run = memory.delete("shared:team:indentation", expected_version=changed.version)
        assert [what for _, what in memory.undo(run).entries] == ["restored"]
        assert memory.get("shared:team:indentation").body == "Four."
    grant = trinho.parse_grant("shared:team")
    assert grant.covers(trinho.parse_memory_id("shared:team:indentation"))
    ranked = trinho.DeterministicContextRanker().rank("four", [entry])
    assert_type(ranked, list[trinho.Entry])
