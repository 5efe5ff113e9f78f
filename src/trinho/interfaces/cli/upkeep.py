"""index, doctor, migrate, completion."""

from __future__ import annotations

import os
import sys
from collections import Counter
from typing import TYPE_CHECKING

import click

from trinho.errors import StoreError, UsageError, plural
from trinho.interfaces.cli.app import Command, Group, as_json, invocation, memory, trinho
from trinho.interfaces.cli.output import print_json, say, say_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from trinho.application.checkup import Finding

_MOST_OF_A_SORT = 20


@click.group("index", cls=Group)
def index_command() -> None:
    """The derived index, which can be thrown away at any time."""


@index_command.command("status")
def index_status_command() -> None:
    """How many entries the index covers, and what is left out."""
    with memory() as opened:
        status = opened.index_status()
        document = {"entries": status.entries, "quarantined": status.quarantined, "read_anew": status.read_anew}
        if as_json():
            print_json(document)
        else:
            say(f"{_entries(status.entries)}, {_files(status.quarantined)} left out (`trinho doctor` says why)")


@index_command.command("rebuild")
def index_rebuild_command() -> None:
    """Throw the index away and read every file again."""
    with memory() as opened:
        count = opened.rebuild_index(_progress if sys.stderr.isatty() else None)
        if as_json():
            print_json({"files": count})
        else:
            say("the index is made anew" if count is None else f"read {_files(count)}")


def _progress(count: int) -> None:
    sys.stderr.write(f"\r{_files(count)}")
    sys.stderr.flush()


@click.command("doctor", cls=Command)
@click.option("--fix", is_flag=True, help="Mend what can be mended without losing anything.")
@click.pass_context
def doctor_command(ctx: click.Context, fix: bool) -> None:
    """Say what is wrong with this root, and the command that mends it."""
    with memory() as opened:
        diagnosis = opened.doctor(fix=fix)
        if as_json():
            findings = [
                {
                    "code": f.code,
                    "severity": "fault" if f.is_fault else "warning",
                    "where": f.where,
                    "line": f.line,
                    "what": f.what,
                    "mend": f.mend,
                }
                for f in diagnosis.findings
            ]
            print_json({"entries": diagnosis.entries, "findings": findings, "mended": list(diagnosis.mended)})
        else:
            for mended in diagnosis.mended:
                say(f"mended  {mended}")
            _say_findings(diagnosis.findings)
            faults = sum(f.is_fault for f in diagnosis.findings)
            warnings = len(diagnosis.findings) - faults
            counts = (
                _entries(diagnosis.entries),
                plural(faults, "fault", "faults"),
                plural(warnings, "warning", "warnings"),
            )
            say(", ".join(counts))
    if not diagnosis.sound:
        ctx.exit(StoreError.exit_status)


def _say_findings(findings: Iterable[Finding]) -> None:
    """Each with what mends it; of many of one sort only the first."""
    said: Counter[str] = Counter()
    for f in findings:
        said[f.code] += 1
        if said[f.code] <= _MOST_OF_A_SORT:
            say(f"{f.code if f.is_fault else f.code.lower()}  {f.where}{f':{f.line}' if f.line else ''}: {f.what}")
            say(f"    {f.mend}")
    for code, count in said.items():
        if count > _MOST_OF_A_SORT:
            say(f"{code}  and {count - _MOST_OF_A_SORT} more; `trinho doctor --json` has them all")


def _entries(count: int) -> str:
    return plural(count, "entry", "entries")


def _files(count: int) -> str:
    return plural(count, "file", "files")


@click.command("migrate", cls=Command)
def migrate_command() -> None:
    """Move a root of an older format forward; a backup is kept."""
    from trinho.bootstrap import migrate_root
    from trinho.settings import load_settings

    asked = invocation()
    migrated = migrate_root(load_settings(os.environ, root=asked.root, actor=asked.actor))
    if as_json():
        print_json({"from": migrated.found, "to": migrated.to, "backup": migrated.backup})
    elif migrated.backup:
        say(f"moved from format {migrated.found} to {migrated.to}; the backup is {migrated.backup}")
    else:
        say(f"already at format {migrated.to}")


@click.command("completion", cls=Command)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> None:
    """Print the completion script of a shell; `eval "$(trinho completion bash)"`."""
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    if kind is None:
        raise UsageError(f"no completion for `{shell}`")
    script = kind(trinho, {}, "trinho", "_TRINHO_COMPLETE").source()
    if as_json():
        print_json({"shell": shell, "script": script})
    else:
        say_text(script)
