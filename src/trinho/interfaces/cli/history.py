"""undo, forget, audit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from trinho.application import trail
from trinho.domain.entry import format_instant
from trinho.errors import StoreError, TrinhoError, UsageError, plural
from trinho.interfaces.cli.app import Command, Group, as_json, confirm, memory
from trinho.interfaces.cli.output import print_json, say, table
from trinho.interfaces.contract import audit_json

if TYPE_CHECKING:
    from trinho.application.library import Memory
    from trinho.domain.audit import AuditLine
    from trinho.domain.ids import MemoryId


@click.command("undo", cls=Command)
@click.argument("run", required=False)
def undo_command(run: str | None) -> None:
    """Take back the last write, or the run of that number (`trinho audit` shows the numbers)."""
    with memory() as opened:
        undone = opened.undo(run)
        numbered = trail.is_person(opened.session)  # runs are numbered over everybody's acts
        if as_json():
            entries = [{"id": str(id), "what": what} for id, what in undone.entries]
            runs = (undone.run, undone.undoes) if numbered else (None, None)
            print_json({"run": runs[0], "undoes": runs[1], "entries": entries})
            return
        for id, what in undone.entries:
            say(f"{what} {id}")
        if numbered:
            say(f"run {undone.undoes} is undone; `trinho undo {undone.run}` does it again")


@click.command("forget", cls=Command)
@click.argument("id")
@click.option("--purge", is_flag=True, help="Erase it and every kept copy, for good.")
@click.option("--yes", is_flag=True, help="Don't ask.")
def forget_command(id: str, purge: bool, yes: bool) -> None:
    """Erase an entry for good: no undo, no byte left in this root."""
    if not purge:
        raise UsageError(
            "forget erases for good and wants --purge", hint=f"`trinho delete {id}` can be undone, forget --purge can't"
        )
    with memory() as opened:
        memory_id = opened.may_purge(id)
        confirm(f"forget {id} for good", "" if yes else _shown(opened, memory_id), yes=yes)
        purged = opened.purge(id)
        if as_json():
            print_json(
                {
                    "id": id,
                    "copies": purged.copies,
                    "sought": purged.sought,
                    "leftovers": list(purged.leftovers),
                    "out_of_reach": list(purged.out_of_reach),
                }
            )
            return
        if not purged.copies:
            say(f"of {id} nothing was left to erase")
            return
        say(f"forgot {id}: {plural(purged.copies, 'copy', 'copies')} erased")
        if purged.leftovers:
            say(f"the same text still stands in: {', '.join(purged.leftovers)}")
        elif purged.sought:
            say(f"no file of this root holds {_one_of(purged.sought)}")
        else:
            say("its lines are too short to be looked for in other files")
        say("out of reach: " + "; ".join(purged.out_of_reach))


def _one_of(lines: int) -> str:
    return "its one line" if lines == 1 else f"one of its {lines} lines"


def _shown(opened: Memory, memory_id: MemoryId) -> str:
    """What the person is asked about: the file and all that stands in it."""
    place = f"{opened.file_of(memory_id)} and every earlier version of it"
    try:
        _, raw = opened.document(str(memory_id))
    except TrinhoError as error:  # deleted, or no text: earlier versions may still be kept
        return f"{place} ({error.message})"
    return f"{place}:\n\n{raw.decode(errors='replace')}"


@click.group("audit", cls=Group, invoke_without_command=True)
@click.option("-n", "limit", type=click.IntRange(min=0), default=50, show_default=True, help="How many lines.")
@click.pass_context
def audit_command(ctx: click.Context, limit: int) -> None:
    """Show who asked for what, and what came of it."""
    if ctx.invoked_subcommand is not None:
        return
    with memory() as opened:
        lines = opened.audit(limit)
        numbered = trail.is_person(opened.session)
        if as_json():
            print_json({"lines": [audit_json(line, numbered=numbered) for line in lines]})
        else:
            table(_row(line, numbered=numbered) for line in lines)


@audit_command.command("verify")
@click.pass_context
def audit_verify_command(ctx: click.Context) -> None:
    """Check that no line of the trail was changed, dropped, reordered or cut off."""
    with memory() as opened:
        report = opened.verify_audit()
        counted = trail.is_person(opened.session)
        if as_json():
            faults = [{"file": fault.file, "line": fault.line, "reason": fault.reason} for fault in report.faults]
            details = (
                {"lines": report.lines, "faults": faults, "torn": report.torn, "unsure": list(report.unsure)}
                if counted
                else {}
            )
            print_json({"ok": report.ok, **details})
        else:
            say("the trail holds" if report.ok else "the trail does not hold")
            if counted:
                say(plural(report.lines, "line", "lines"))
                for fault in report.faults:
                    say(f"{fault.file}:{fault.line}: {fault.reason}")
                if report.torn:
                    say(f"note: {report.torn}")
                for note in report.unsure:
                    say(f"note: {note}")
    if not report.ok:
        ctx.exit(StoreError.exit_status)


def _row(line: AuditLine, *, numbered: bool) -> tuple[str, ...]:
    event = line.event
    number = str(line.seq) if numbered else ""
    what = event.id or ""
    if event.to:
        what += f" → {event.to}"
    if event.version is not None:
        what += f" (version {event.version})"
    if event.included:
        what += " " + ", ".join(f"{id} (version {version})" for id, version in event.included)
    return (number, format_instant(line.at), event.actor, event.operation, event.code or event.result, what.strip())
