"""The command `trinho`: options that hold everywhere, commands loaded when called, errors with their status."""

from __future__ import annotations

import os
import re
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

import click

from trinho.errors import ConfirmationRequiredError, OutOfMemoryError, OutputError, TrinhoError, UsageError
from trinho.interfaces.cli.output import drop, flush, print_json, say_text, tell, tell_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from trinho.application.library import Memory
    from trinho.domain.project import Project

# Command → the module that has it, so that one command doesn't pay for the others
COMMANDS = {
    "audit": "history",
    "completion": "upkeep",
    "conflicts": "review",
    "consolidate": "tending",
    "context": "questions",
    "create": "entries",
    "delete": "entries",
    "doctor": "upkeep",
    "domain": "knowledge",
    "edit": "edit",
    "explain": "questions",
    "export": "exchange",
    "fact": "knowledge",
    "forget": "history",
    "get": "entries",
    "grant": "knowledge",
    "harmonize": "tending",
    "harvest": "tending",
    "import": "exchange",
    "inbox": "review",
    "index": "upkeep",
    "list": "questions",
    "log": "tending",
    "mcp": "serve",
    "migrate": "upkeep",
    "move": "entries",
    "notes": "notes",
    "policy": "knowledge",
    "project": "project",
    "remember": "notes",
    "search": "questions",
    "secrets": "secrets",
    "setup": "setup",
    "undo": "history",
    "update": "entries",
}


@dataclass(slots=True)
class Invocation:
    """The options that hold for the whole command line."""

    root: str | None = None
    actor: str | None = None
    json: bool = False
    project: str | None = None  # of the environment or the user's own settings
    off: str | None = None  # why agents get nothing of memory, if they don't
    doors: Mapping[str, Callable[..., None]] = field(default_factory=dict)  # the other doors, by their command


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


def _page(ctx: click.Context, text: str) -> NoReturn:
    try:
        say_text(text)
        flush()
    except BrokenPipeError:
        drop(sys.stdout)
    ctx.exit()


def _show_help(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        _page(ctx, ctx.get_help())


def _show_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        from importlib.metadata import version  # only where it is asked for

        _page(ctx, f"trinho, version {version('trinho')}")


class _Helpful(click.Command):
    """Prints its help as everything is printed here: click's own way raises what a full disk answers."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option is not None:
            option.callback = _show_help
        return option


class Command(_Helpful):
    """A command that takes the options that hold everywhere."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.extend(_everywhere())


class Group(_Helpful, click.Group):
    """A group of such commands."""

    command_class = Command

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"no_args_is_help": False, **kwargs})
        self.params.extend(_everywhere())


class _Trinho(Group):
    """Finds its commands by name and loads only the one that is called."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            answer = super().invoke(ctx)
            flush()
        except BrokenPipeError:
            # Whoever read us has gone; what was asked for is done
            drop(sys.stdout)
            return 0
        return answer

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"trinho.interfaces.cli.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command


@click.command(cls=_Trinho, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help="Show the version."
)
@click.pass_context
def trinho(ctx: click.Context) -> None:
    """Memory for coding agents: Markdown files, reached by logical IDs, governed and audited."""
    ctx.ensure_object(Invocation)


def run(arguments: Sequence[str], doors: Mapping[str, Callable[..., None]] | None = None) -> int:
    """Run one command line; answers with the exit status. Every error that a caller can meet is told, not raised.

    `doors` holds what a command opens that is a door of its own.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # started with the stream closed: it is empty, or what it would say goes nowhere
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    asked = Invocation(doors=doors or {})
    try:
        status = trinho.main(list(arguments) or ["--help"], "trinho", standalone_mode=False, obj=asked)
    except TrinhoError as error:
        return _report(error, in_json=asked.json)
    except click.ClickException as error:
        return _report(_usage_error(error), in_json=asked.json or "--json" in _options(arguments))
    except MemoryError:
        return _report(OutOfMemoryError(), in_json=asked.json)
    except (click.Abort, KeyboardInterrupt):
        tell("stopped")
        return 130
    return status if isinstance(status, int) else 0


def _options(arguments: Sequence[str]) -> Sequence[str]:
    """The arguments before `--`, behind which nothing is an option."""
    return arguments[: arguments.index("--")] if "--" in arguments else arguments


def _usage_error(error: click.ClickException) -> UsageError:
    """click's words in our form: lower case, no full stop, what was given in backticks."""
    context = getattr(error, "ctx", None)
    hint = f"see `{context.command_path} --help`" if context else "see `trinho --help`"
    text = re.sub(r"'([^']*)'", r"`\1`", " ".join(error.format_message().split()))
    return UsageError(text[:1].lower() + text[1:].rstrip("."), hint=hint)


def _report(error: TrinhoError, *, in_json: bool) -> int:
    """Tell the error where it is heard; answers with its status, whether it could be told or not."""
    if isinstance(error, OutputError):
        drop(sys.stdout)
        _tell_error(error)
    elif not in_json:
        _tell_error(error)
    else:
        try:
            print_json({"error": error.as_dict()})
            flush()
        except (OutputError, BrokenPipeError):
            drop(sys.stdout)
            _tell_error(error)
    return error.exit_status


def _tell_error(error: TrinhoError) -> None:
    tell(f"{error.error_code}: {error.message}")
    grant = error.fields.get("grant_that_would_open")
    if grant:
        tell(f"  the grant that would open it: {grant}")
    if error.hint:
        tell(f"  {error.hint}")


@contextmanager
def memory(*, create: bool = False, may_be_missing: bool = False) -> Iterator[Memory]:
    """The open memory of this command line, made only on `create`; notices go to stderr when it is done.

    A root that was named must be there otherwise, and of any other it is told that there is none, unless it
    `may_be_missing`.
    """
    from trinho.bootstrap import memory_of  # not needed for --help and completion
    from trinho.settings import load_settings

    asked = invocation()
    settings = load_settings(os.environ, root=asked.root, actor=asked.actor)
    asked.project, asked.off = settings.project, settings.off
    opened = memory_of(settings, create=create, may_be_missing=may_be_missing)
    try:
        with opened:
            yield opened
            flush()  # INVARIANT: the acknowledgement is out before the index is brought up to date
    finally:
        for notice in opened.session.notices:
            tell(f"note: {notice}")


def invocation() -> Invocation:
    return click.get_current_context().ensure_object(Invocation)


def asked_project(opened: Memory, named: str | None) -> str | None:
    """The project that was named, else that of the environment, else that of the folder if memory holds any of it."""
    named = named or invocation().project
    if named is not None:
        return opened.project_named(named)
    found = _project_of_this_folder(opened)
    return found.id if found is not None and opened.holds_project(found.id) else None


def _project_of_this_folder(opened: Memory) -> Project | None:
    try:
        return opened.project_of(os.getcwd(), register=False)  # noqa: PTH109 - pathlib costs a cold start more
    except (OSError, TrinhoError):  # the folder is gone, or the ledger can't say
        return None


def as_json() -> bool:
    return invocation().json


def confirm(act: str, shown: str = "", *, yes: bool) -> None:
    """Ask the person on the terminal for an act that can't be taken back, or take their --yes."""
    if yes:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise ConfirmationRequiredError(act)
    if shown:
        tell_text(shown)
    if not click.confirm(f"{act}?", err=True):
        raise ConfirmationRequiredError(act)
