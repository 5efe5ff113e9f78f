"""conflicts, inbox: what waits for a person's word."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from trinho.domain.conflict import ConflictState
from trinho.domain.entry import format_instant
from trinho.errors import TrinhoError
from trinho.interfaces.cli.app import Group, as_json, confirm, memory
from trinho.interfaces.cli.output import print_json, say, table
from trinho.interfaces.contract import conflict_json, proposed_json

if TYPE_CHECKING:
    from trinho.application.conflicts import Winner
    from trinho.application.library import Memory
    from trinho.domain.conflict import Conflict


@click.group("conflicts", cls=Group, invoke_without_command=True)
@click.option("--status", metavar="STATE", help=f"Only these: {', '.join(ConflictState)}.")
@click.pass_context
def conflicts_command(ctx: click.Context, status: str | None) -> None:
    """List facts that can't both hold, and what was decided."""
    if ctx.invoked_subcommand is not None:
        return
    with memory() as opened:
        rows = opened.conflicts(status)
        if as_json():
            print_json({"conflicts": [conflict_json(row) for row in rows], "total": len(rows)})
            return
        for row in rows:
            say(f"{row.number}  {row.state}, {row.label}, by {row.by} at {format_instant(row.at)[:16]}Z")
            for word, id in _words(row):
                say(f"    {word} {id}: {_first_line(opened, id)}")


@conflicts_command.command("overturn")
@click.argument("number", type=int)
@click.option("--yes", is_flag=True, help="Don't ask.")
def conflicts_overturn_command(number: int, yes: bool) -> None:
    """Let the one that lost hold from now on; of an open one, the older."""
    with memory() as opened:
        confirm("overturn it", _both(opened, number), yes=yes)
        _decided(opened.overturn_conflict(number))


@conflicts_command.command("settle")
@click.argument("number", type=int)
@click.option("--keep", type=click.Choice(["older", "newer", "both"]), required=True, help="Which holds.")
@click.option("--yes", is_flag=True, help="Don't ask.")
def conflicts_settle_command(number: int, keep: str, yes: bool) -> None:
    """Decide an open conflict."""
    with memory() as opened:
        confirm(f"keep {keep}", _both(opened, number), yes=yes)
        _decided(opened.settle_conflict(number, cast("Winner", keep)))


@click.group("inbox", cls=Group, invoke_without_command=True)
@click.pass_context
def inbox_command(ctx: click.Context) -> None:
    """List what is held until a person accepts it."""
    if ctx.invoked_subcommand is not None:
        return
    with memory() as opened:
        rows = opened.inbox()
        if as_json():
            held = [
                {
                    "id": str(row.id),
                    "kind": row.kind.value,
                    "description": row.description,
                    "veracity": row.knowledge.veracity,
                    "author": row.knowledge.author or None,
                    "created_at": format_instant(row.created_at),
                }
                for row in rows
            ]
            print_json({"held": held, "total": len(held)})
        elif not rows:
            say("nothing is held")
        else:
            table((str(row.id), row.knowledge.author, row.knowledge.veracity or "", row.description) for row in rows)


@inbox_command.command("accept")
@click.argument("id")
@click.option("--expected-version", type=int, help="The version that you have read; without it what is shown now.")
@click.option("--yes", is_flag=True, help="Don't ask.")
def inbox_accept_command(id: str, expected_version: int | None, yes: bool) -> None:
    """Let it take part, exactly as it is shown."""
    with memory() as opened:
        version = _shown("accept it", opened, id, expected_version, yes=yes)
        accepted = opened.accept(id, expected_version=version)
        proposed = accepted.proposed
        if as_json():
            print_json({"id": id, "accepted": True, **({} if proposed is None else proposed_json(proposed))})
        else:
            say(f"accepted {id}" + ("" if proposed is None else f": {proposed.outcome} {proposed.id}"))


@inbox_command.command("reject")
@click.argument("id")
@click.option("--expected-version", type=int, help="The version that you have read; without it what is shown now.")
@click.option("--yes", is_flag=True, help="Don't ask.")
def inbox_reject_command(id: str, expected_version: int | None, yes: bool) -> None:
    """Move it to the trash; `trinho undo` brings it back."""
    with memory() as opened:
        version = _shown("reject it", opened, id, expected_version, yes=yes)
        run = opened.reject(id, expected_version=version)
        if as_json():
            print_json({"id": id, "accepted": False, "run": run})
        else:
            say(f"rejected {id}; `trinho undo {run}` brings it back")


def _shown(act: str, opened: Memory, id: str, expected_version: int | None, *, yes: bool) -> int:
    entry = opened.held(id)
    said = f"{entry.id}, version {entry.version}\n\n{entry.body}"
    confirm(act, said, yes=yes)
    return entry.version if expected_version is None else expected_version


def _both(opened: Memory, number: int) -> str:
    rows = [row for row in opened.conflicts() if row.number == number]
    return "\n".join(f"{word} {id}: {_first_line(opened, id)}" for row in rows for word, id in _words(row))


def _words(row: Conflict) -> list[tuple[str, str]]:
    if row.state is ConflictState.OPEN:
        return [("older", row.loser), ("newer", row.winner)]
    return [("lost", row.loser), ("won", row.winner)]


def _first_line(opened: Memory, id: str) -> str:
    try:
        return opened.fact(id).entry.description
    except TrinhoError as error:  # deleted, moved or broken since: the row stays
        return f"({error.message})"


def _decided(conflict: Conflict) -> None:
    if as_json():
        print_json(conflict_json(conflict))
    else:
        say(f"conflict {conflict.number}: {conflict.state}; {conflict.winner} holds")
