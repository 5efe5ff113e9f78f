"""setup."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

import click

from trinho.application.setup import diff
from trinho.interfaces.cli.app import Command, as_json, confirm, invocation, memory
from trinho.interfaces.cli.output import print_json, say_text, tell, tell_text
from trinho.ports.clients import FileChange, Wiring

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.command("setup", cls=Command)
@click.argument("client", type=click.Choice(["claude-code", "codex"]))
@click.option("--remove", is_flag=True, help="Take it out again.")
@click.option("--dry-run", is_flag=True, help="Show what would be changed, and change nothing.")
@click.option(
    "--scope",
    type=click.Choice(["user", "project"]),
    default="user",
    show_default=True,
    help="For all that you do, or for the present folder and whoever works in it.",
)
@click.option("--role", default="main", show_default=True, help="The role that the agent acts as.")
@click.option("--yes", is_flag=True, help="Don't ask.")
def setup_command(client: str, remove: bool, dry_run: bool, scope: str, role: str, yes: bool) -> None:
    """Let an agent's client use this memory: its server, and hooks that tell a session what is known."""
    from trinho.bootstrap import client_settings  # not needed for --help and completion

    folder = os.getcwd() if scope == "project" else None  # noqa: PTH109 - pathlib costs a cold start more
    settings = client_settings(client, os.environ)
    wiring = Wiring(_command(folder), role, _root(folder), folder)
    with memory(may_be_missing=True) as opened:
        planned = opened.plan_removal(settings, folder) if remove else opened.plan_setup(settings, wiring)
        if remove and not planned and not dry_run:
            opened.forget_setup(settings, folder)
    shown = "\n".join(map(diff, planned))
    if not planned:
        _tell(client, planned, "nothing of ours is there" if remove else "it is set up already", applied=False)
        for path in settings.known() if remove else ():
            tell(f"note: setup wrote into {path}; take it out from where it was set up, or with the same environment")
        return
    if dry_run:
        _tell(client, planned, shown, applied=False)
        return
    if not yes:
        tell_text(shown)
    elif not as_json():
        say_text(shown)
    confirm(_question(client, remove=remove), yes=yes)
    # The root is made only now: who says no finds nothing made
    with memory(create=not remove, may_be_missing=True) as opened:
        opened.apply_setup(settings, planned)
        told = f"{client} no longer uses this memory" if remove else f"{client} uses {opened.session.workspace.root}"
        _tell(client, planned, f"{told}, as {role}" if not remove else told, applied=True)
        for line in [] if remove else settings.advice(folder):
            tell(f"note: {line}")


def _question(client: str, *, remove: bool) -> str:
    return f"take it out of {client}'s settings" if remove else f"write this into {client}'s settings"


def _tell(client: str, planned: Sequence[FileChange], text: str, *, applied: bool) -> None:
    if as_json():
        changes = [{"path": change.path, "diff": diff(change)} for change in planned]
        print_json({"client": client, "changes": changes, "applied": applied})
    else:
        say_text(text)


def _command(folder: str | None) -> tuple[str, ...]:
    """How a client starts us. What a project's people share can't hold a path of one of them."""
    if folder is not None:
        return ("trinho",)
    name = sys.argv[0]
    found = shutil.which(name) if name.rpartition("/")[2] == "trinho" else None
    return (sys.executable, "-m", "trinho") if found is None else (os.path.abspath(found),)  # noqa: PTH100


def _root(folder: str | None) -> str | None:
    """The root where it isn't what the user's own settings say: the client may start us without our environment."""
    named = invocation().root or (
        None if folder else os.environ.get("TRINHO_MEMORY_ROOT") or os.environ.get("ALP_MEMORY_ROOT")
    )
    return None if named is None else os.path.abspath(os.path.expanduser(named))  # noqa: PTH100, PTH111
