"""The reference pages cover every command and every error."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from trinho import errors
from trinho.interfaces.cli.app import COMMANDS
from trinho.interfaces.cli.app import trinho as command_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cleanroom import Terminal

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "reference"
DENIALS = ("MEMORY_NOT_GRANTED", "PRIVATE_MEMORY_DENIED", "RESERVED_MEMORY_BRANCH", "RESERVED_FOR_PRINCIPAL")


def command_names() -> Iterator[str]:
    """Every command with its subcommands, as a person types it."""
    context = click.Context(command_line)
    for name in COMMANDS:
        command = command_line.get_command(context, name)
        assert command is not None
        subcommands = list(command.commands) if isinstance(command, click.Group) else []
        if not subcommands or (isinstance(command, click.Group) and command.invoke_without_command):
            yield name
        yield from (f"{name} {subcommand}" for subcommand in subcommands)


def error_kinds() -> list[type[errors.TrinhoError]]:
    kinds = [kind for _, kind in inspect.getmembers(errors, inspect.isclass)]
    return [kind for kind in kinds if issubclass(kind, errors.TrinhoError)]


@pytest.mark.parametrize("name", list(command_names()))
class TestCommand:
    """Every command explains itself and is in the reference with an example."""

    def test_has_help(self, trinho: Terminal, name: str) -> None:
        answer = trinho(*name.split(), "--help")
        assert answer.status == 0
        assert answer.out.startswith(f"Usage: trinho {name}")
        described = answer.out.split("\n\n")[1].strip()
        assert described
        assert not described.startswith("Options")
        for option in ("--root", "--as", "--json"):
            assert option in answer.out

    def test_is_in_the_reference_with_an_example(self, name: str) -> None:
        page = (REFERENCE / "commands.md").read_text(encoding="utf-8")
        assert re.search(rf"^- `{name}\b[^`]*`: .+", page, re.MULTILINE)
        assert re.search(rf"^  `.*\btrinho .*{name}\b", page, re.MULTILINE)


def test_every_command_is_listed_by_help(trinho: Terminal) -> None:
    listed = re.findall(r"^  (\w+) {2,}\S", trinho("--help").out, re.MULTILINE)
    assert listed == sorted(COMMANDS)


def test_every_command_that_a_text_of_ours_names_is_there() -> None:
    sources = [path.read_text(encoding="utf-8") for path in Path(errors.__file__).parent.rglob("*.py")]
    named = {name for text in sources for name in re.findall(r"`trinho ([a-z]\w*)", text)}
    assert {"audit", "create", "undo"} < named
    assert named <= set(COMMANDS)


def test_nothing_at_all_is_a_call_for_help(trinho: Terminal) -> None:
    assert trinho().out == trinho("--help").out


@pytest.mark.parametrize("kind", error_kinds(), ids=lambda kind: kind.__name__)
def test_every_code_is_in_the_reference_under_its_status(kind: type[errors.TrinhoError]) -> None:
    page = (REFERENCE / "errors.md").read_text(encoding="utf-8")
    section = re.search(rf"^## {kind.exit_status}: .*?(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    assert section
    assert re.search(rf"^- `{kind.code}`: .+\.$", section[0], re.MULTILINE)


@pytest.mark.parametrize("code", DENIALS)
def test_every_denial_is_in_the_reference(code: str) -> None:
    assert f"- `{code}`: " in (REFERENCE / "errors.md").read_text(encoding="utf-8")


def test_the_reference_names_no_code_that_there_is_not() -> None:
    named = re.findall(r"^- `([A-Z_]+)`", (REFERENCE / "errors.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(named) == {kind.code for kind in error_kinds()} | {*DENIALS, "UNKNOWN_REQUEST"}
    assert len(named) == len(set(named))


def test_the_tree_in_the_docstring_has_every_kind() -> None:
    tree = errors.__doc__ or ""
    assert [kind.__name__ for kind in error_kinds() if kind.__name__ not in tree] == []
