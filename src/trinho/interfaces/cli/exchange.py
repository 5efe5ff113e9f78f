"""import and export."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from trinho.errors import plural
from trinho.interfaces.cli.app import Command, Group, as_json, memory
from trinho.interfaces.cli.output import print_json, print_line, say, tell
from trinho.interfaces.contract import file_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from trinho.application.transfer import Imported

# A person sees the first of many; --json has them all
_MOST_NOTES = 20


@click.group("import", cls=Group)
def import_command() -> None:
    """Bring knowledge in from elsewhere, byte for byte; running it again adds nothing."""


def _placed(command: Callable[..., None]) -> Callable[..., None]:
    """The argument and the options that every kind of import takes."""
    command = click.option(
        "--project", metavar="P", envvar="TRINHO_PROJECT", help="Into this project, if --into isn't given."
    )(command)
    command = click.option("--into", metavar="BRANCH", help="Where the entries go, for example project:alp:adr.")(
        command
    )
    return click.argument("path")(command)


@import_command.command("markdown")
@_placed
def import_markdown_command(path: str, into: str | None, project: str | None) -> None:
    """Bring in every Markdown file of a folder."""
    _import("markdown", path, into, project)


@import_command.command("claude-code")
@_placed
def import_claude_code_command(path: str, into: str | None, project: str | None) -> None:
    """Bring in the memory folder of a Claude Code project, its MEMORY.md included."""
    _import("claude-code", path, into, project)


@import_command.command("agents-md")
@_placed
def import_agents_md_command(path: str, into: str | None, project: str | None) -> None:
    """Bring in one CLAUDE.md or AGENTS.md, or all that a repository holds."""
    _import("agents-md", path, into, project)


@import_command.command("dot-memory")
@_placed
def import_dot_memory_command(path: str, into: str | None, project: str | None) -> None:
    """Bring in a .memory folder, named itself or by the project that holds it."""
    _import("dot-memory", path, into, project)


def _import(kind: str, path: str, into: str | None, project: str | None) -> None:
    with memory(create=True) as opened:
        report = opened.import_from(kind, path, into=into, project=project)
        if as_json():
            print_json(_report_json(report))
        else:
            _say(report)


def _report_json(report: Imported) -> dict[str, Any]:
    return {
        "run": report.run,
        "added": [{"path": path, "id": str(id)} for path, id in report.added],
        "unchanged": [{"path": path, "id": str(id)} for path, id in report.unchanged],
        "skipped": [{"path": path, "reason": reason} for path, reason in report.skipped],
        "notes": [{"path": note.path, "line": note.line, "note": note.note} for note in report.notes],
    }


def _say(report: Imported) -> None:
    say(f"{len(report.added)} added, {len(report.unchanged)} there already, {len(report.skipped)} left out")
    for left_out, reason in report.skipped:
        say(f"    {left_out}: {reason}")
    if report.notes:
        say("notes:")
    for note in report.notes[:_MOST_NOTES]:
        line = "" if note.line is None else f", line {note.line}"
        say(f"    {note.path}{line}: {note.note}")
    if len(report.notes) > _MOST_NOTES:
        say(f"    and {len(report.notes) - _MOST_NOTES} more: --json has them")
    if report.run is not None:
        say(f"`trinho undo {report.run}` takes it back")


@click.command("export", cls=Command)
@click.option("--to", "folder", metavar="DIR", help="Write the files into a new folder, byte for byte.")
@click.option("--scope", metavar="GRANT", help="Only what this grant covers.")
def export_command(folder: str | None, scope: str | None) -> None:
    """Give everything back: as files with --to, else as JSON lines, with --json as one document."""
    with memory() as opened:
        exported = opened.export(scope) if folder is None else opened.export_to(folder, scope)
        skipped = [{"path": path, "reason": reason} for path, reason in exported.skipped]
        for item in skipped:
            tell(f"left out {item['path']}: {item['reason']}")
        if folder is not None and not as_json():
            say(f"{plural(len(exported.files), 'file', 'files')} written to {folder}")
        elif folder is not None:
            print_json({"files": len(exported.files), "skipped": skipped})
        elif as_json():
            print_json({"entries": [file_json(file) for file in exported.files], "skipped": skipped})
        else:
            for file in exported.files:
                print_line(file_json(file))
