"""The command `trinho`: options that hold everywhere, commands loaded when called, errors with their status."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from trinho.errors import ConfirmationRequiredError, TrinhoError, UsageError
from trinho.interfaces.cli.output import print_json, tell

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from trinho.application.library import Memory

# Command → the module that has it, so that one command doesn't pay for the others
COMMANDS = {
    "audit": "history",
    "completion": "upkeep",
    "context": "questions",
    "create": "entries",
    "delete": "entries",
    "doctor": "upkeep",
    "edit": "entries",
    "explain": "questions",
    "export": "exchange",
    "forget": "history",
    "get": "entries",
    "import": "exchange",
    "index": "upkeep",
    "list": "questions",
    "migrate": "upkeep",
    "move": "entries",
    "search": "questions",
    "undo": "history",
    "update": "entries",
}


@dataclass(slots=True)
class Invocation:
    """The options that hold for the whole command line."""

    root: str | None = None
    actor: str | None = None
    json: bool = False


def _remember(name: str) -> Any:
    def callback(ctx: click.Context, _: click.Parameter, value: Any) -> None:
        if value not in (None, False):
            setattr(ctx.ensure_object(Invocation), name, value)

    return callback


def _everywhere() -> list[click.Parameter]:
    return [
        click.Option(
            ["--root"], metavar="DIR", expose_value=False, callback=_remember("root"), help="The memory root."
        ),
        click.Option(
            ["--as", "actor"], metavar="ROLE", expose_value=False, callback=_remember("actor"), help="Act as this role."
        ),
        click.Option(
            ["--json"], is_flag=True, expose_value=False, callback=_remember("json"), help="Print one JSON document."
        ),
    ]


class Command(click.Command):
    """A command that takes the options that hold everywhere."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.extend(_everywhere())


class Group(click.Group):
    """A group of such commands."""

    command_class = Command

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.extend(_everywhere())


class _Trinho(Group):
    """Finds its commands by name and loads only the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"trinho.interfaces.cli.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command


@click.command(cls=_Trinho, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="trinho")
@click.pass_context
def trinho(ctx: click.Context) -> None:
    """Memory for coding agents: Markdown files, reached by logical IDs, governed and audited."""
    ctx.ensure_object(Invocation)


def run(arguments: Sequence[str]) -> int:
    """Run one command line; answers with the exit status and never raises."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        trinho.main(list(arguments), prog_name="trinho", standalone_mode=False)
    except TrinhoError as error:
        return _report(error, arguments)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.UsageError as error:
        hint = f"see `{error.ctx.command_path} --help`" if error.ctx else "see `trinho --help`"
        return _report(UsageError(error.format_message(), hint=hint), arguments)
    except (click.Abort, KeyboardInterrupt):
        tell("stopped")
        return 130
    except BrokenPipeError:
        # Whoever read us has gone; what was asked for is done
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _report(error: TrinhoError, arguments: Sequence[str]) -> int:
    if "--json" in arguments:
        print_json({"error": error.as_dict()})
    else:
        tell(f"{error.error_code}: {error.message}")
        grant = error.fields.get("grant_that_would_open")
        if grant:
            tell(f"  the grant that would open it: {grant}")
        if error.hint:
            tell(f"  {error.hint}")
    return error.exit_status


@contextmanager
def memory() -> Iterator[Memory]:
    """The open memory of this command line; notices go to stderr when it is done."""
    from trinho.bootstrap import memory_of  # not needed for --help and completion
    from trinho.settings import load_settings

    asked = invocation()
    opened = memory_of(load_settings(os.environ, root=asked.root, actor=asked.actor))
    try:
        with opened:
            yield opened
            sys.stdout.flush()  # INVARIANT: the acknowledgement is out before the index is brought up to date
    finally:
        for notice in opened.session.notices:
            tell(f"note: {notice}")


def invocation() -> Invocation:
    return click.get_current_context().ensure_object(Invocation)


def as_json() -> bool:
    return invocation().json


def confirm(act: str, shown: str, *, yes: bool) -> None:
    """Ask the person on the terminal for an act that can't be taken back, or take their --yes."""
    if yes:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise ConfirmationRequiredError(act)
    tell(shown)
    if not click.confirm(f"{act}?", err=True):
        raise ConfirmationRequiredError(act)
