"""project."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from trinho.interfaces.cli.app import Group, as_json, confirm, memory
from trinho.interfaces.cli.output import print_json, say, table, tell
from trinho.interfaces.contract import project_json

if TYPE_CHECKING:
    from trinho.domain.project import Project

_FOLDER = click.option("--folder", metavar="DIR", default=".", help="The folder; without it the present one.")
_YES = click.option("--yes", is_flag=True, help="Don't ask.")


@click.group("project", cls=Group, invoke_without_command=True)
@click.option("--all", "everything", is_flag=True, help="Every project that is known.")
@click.option("--folder", metavar="DIR", default=".", help="The folder; without it the present one.")
@click.pass_context
def project_command(ctx: click.Context, everything: bool, folder: str) -> None:
    """Say which project a folder belongs to, and why."""
    if ctx.invoked_subcommand is not None:
        return
    with memory(create=True) as opened:
        if everything:
            known = opened.projects()
            if as_json():
                print_json({"projects": [project_json(each) for each in known], "total": len(known)})
            else:
                table((each.id, each.root, each.remote or "") for each in known)
            return
        _told(opened.project_of(folder))


@project_command.command("join")
@click.argument("id")
@_FOLDER
@_YES
def project_join_command(id: str, folder: str, yes: bool) -> None:
    """Let this repository share the memory of another project, as a second clone does."""
    with memory(create=True) as opened:
        confirm(f"join {id}", f"{os.path.abspath(folder)} will share the memory of {id}", yes=yes)  # noqa: PTH100
        _told(opened.join_project(folder, id))


@project_command.command("split")
@_FOLDER
@_YES
def project_split_command(folder: str, yes: bool) -> None:
    """Give this repository a project of its own, which begins empty."""
    with memory(create=True) as opened:
        confirm("split it off", f"{os.path.abspath(folder)} will have a memory of its own", yes=yes)  # noqa: PTH100
        _told(opened.split_project(folder))


@project_command.command("isolate")
@_FOLDER
@_YES
def project_isolate_command(folder: str, yes: bool) -> None:
    """Give this worktree a project of its own, apart from the other worktrees; `join` takes it back."""
    with memory(create=True) as opened:
        confirm("isolate it", f"{os.path.abspath(folder)} will have a memory of its own", yes=yes)  # noqa: PTH100
        _told(opened.isolate_worktree(folder))


def _told(project: Project | None) -> None:
    if as_json():
        empty: dict[str, object] = {"id": None, "slug": None, "root": None, "remote": None, "same_remote": []}
        print_json({**empty, "why": "your home is no project"} if project is None else project_json(project))
        return
    if project is None:
        say("your home is no project")
        return
    say(project.id)
    say(f"    root: {project.root}")
    if project.remote:
        say(f"    remote: {project.remote}")
    say(f"    why: {project.why}")
    for other in project.same_remote:
        tell(f"note: {other} has the same remote; `trinho project join {other}` would share its memory")
