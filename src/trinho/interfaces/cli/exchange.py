"""import and export."""

from __future__ import annotations

from pathlib import Path

import click

from trinho.interfaces.cli.app import Command, Group, as_json, memory
from trinho.interfaces.cli.output import file_json, print_json, print_line, say, tell


@click.group("import", cls=Group)
def import_command() -> None:
    """Bring knowledge in from elsewhere."""


@import_command.command("markdown")
@click.argument("path")
@click.option("--into", metavar="BRANCH", help="Where the entries go, for example project:alp:adr.")
@click.option("--project", metavar="P", envvar="TRINHO_PROJECT", help="Into this project, if --into isn't given.")
def import_markdown_command(path: str, into: str | None, project: str | None) -> None:
    """Bring in every Markdown file of a folder, byte for byte; running it again adds nothing."""
    from trinho.documents.names import segment_from

    folder = Path(path).resolve().name
    branch = into or (f"project:{project}" if project else f"shared:{segment_from(folder)}")
    with memory() as opened:
        report = opened.import_markdown(path, branch)
        if as_json():
            print_json(
                {
                    "run": report.run,
                    "added": [{"path": path, "id": str(id)} for path, id in report.added],
                    "unchanged": [{"path": path, "id": str(id)} for path, id in report.unchanged],
                    "skipped": [{"path": path, "reason": reason} for path, reason in report.skipped],
                }
            )
            return
        say(f"{len(report.added)} added, {len(report.unchanged)} there already, {len(report.skipped)} left out")
        for left_out, reason in report.skipped:
            say(f"    {left_out}: {reason}")
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
            say(f"{len(exported.files)} files written to {folder}")
        elif folder is not None:
            print_json({"files": len(exported.files), "skipped": skipped})
        elif as_json():
            print_json({"entries": [file_json(file) for file in exported.files], "skipped": skipped})
        else:
            for file in exported.files:
                print_line(file_json(file))
