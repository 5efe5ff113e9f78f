"""log, harvest, consolidate, harmonize."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from trinho.errors import UsageError, plural
from trinho.interfaces.cli.app import Command, Group, as_json, asked_project, invocation, memory
from trinho.interfaces.cli.entries import given_text
from trinho.interfaces.cli.output import print_json, say, say_text, tell
from trinho.interfaces.contract import consolidated_json, entry_json, harvested_json

if TYPE_CHECKING:
    from trinho.application.consolidation import Consolidated

_DRY_RUN = click.option("--dry-run", is_flag=True, help="Only show what would be done.")
_PROJECT = click.option("--project", metavar="P", help="The project; TRINHO_PROJECT if it isn't given.")


@click.group("log", cls=Group)
def log_command() -> None:
    """The day's log."""


@log_command.command("append")
@click.argument("text")
@_PROJECT
def log_append_command(text: str, project: str | None) -> None:
    """Add a line to today's log of the project, or of the workspace."""
    with memory(create=True) as opened:
        entry = opened.log_append(text, project=asked_project(opened, project))
        if as_json():
            print_json(entry_json(entry))
        else:
            say(f"logged in {entry.id}, version {entry.version}")


@click.command("harvest", cls=Command)
@click.argument("file")
@click.option("--meeting", help="What the meeting is called.")
@click.option("--repo", metavar="SLUG", help="The project that it is about; without it the workspace.")
def harvest_command(file: str, meeting: str | None, repo: str | None) -> None:
    """Take the decisions of saved minutes into the domain `decisions`, each once; - is standard input."""
    text = given_text(None, file, needed=True) or ""
    with memory(create=True) as opened:
        harvested = opened.harvest_decisions(text, meeting=meeting, repo=repo)
        if as_json():
            print_json(harvested_json(harvested))
            return
        for each in harvested.proposed:
            say(f"{each.outcome} {each.id}")
        for text, reason in harvested.refused:
            tell(f"note: {text}: {reason}")
        found = plural(len(harvested.proposed), "decision", "decisions")
        say(f"{found} taken in, {harvested.known} known already")


@click.command("consolidate", cls=Command)
@_DRY_RUN
def consolidate_command(dry_run: bool) -> None:
    """Merge facts that say the same, promote hot items that last, prune what is over."""
    with memory() as opened:
        _refuse_if_off()
        _told(opened.consolidate(dry_run=dry_run), dry_run=dry_run)


@click.command("harmonize", cls=Command)
@_DRY_RUN
def harmonize_command(dry_run: bool) -> None:
    """Compare what different agents believe: the same becomes one belief, the rest a conflict for a person."""
    with memory() as opened:
        _refuse_if_off()
        _told(opened.harmonize(dry_run=dry_run), dry_run=dry_run)


def _refuse_if_off() -> None:
    off = invocation().off
    if off is not None:
        raise UsageError(f"memory is switched off: {off}", hint="switch it on; nothing was changed")


def _told(done: Consolidated, *, dry_run: bool) -> None:
    if as_json():
        print_json(consolidated_json(done, dry_run=dry_run))
        return
    if done.diff and dry_run:
        say_text(done.diff.rstrip("\n"))
    would = "would be " if dry_run else ""
    for stays, gone in done.merged:
        say(f"{gone} {would}merged into {stays}")
    for id in done.promoted:
        say(f"{id} {would}promoted")
    for older, newer in done.conflicts:
        say(f"a conflict {would}opened between {older} and {newer}")
    if done.pruned:
        say(f"{plural(done.pruned, 'hot item', 'hot items')} {would}pruned")
    if not (done.merged or done.promoted or done.conflicts or done.pruned):
        say("there is nothing to do")
    elif done.run is not None:
        say(f"`trinho undo {done.run}` takes it back")
