"""notes, remember."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import click

from trinho.domain.entry import format_instant
from trinho.errors import InvalidEntryError, UsageError
from trinho.interfaces.cli.app import Command, Group, as_json, memory
from trinho.interfaces.cli.entries import given_text
from trinho.interfaces.cli.output import print_json, say, say_text, table
from trinho.interfaces.contract import entry_json, hot_item_json, observation_json

if TYPE_CHECKING:
    from trinho.domain.notes import HotItem

_AGENT = click.option("--agent", metavar="ID", help="The note of one agent of the role.")
_BODY = click.option("--body", help="The text.")
_FILE = click.option("--file", "file", metavar="FILE", help="Read the text from a file; - is standard input.")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


@click.group("notes", cls=Group)
def notes_command() -> None:
    """The role's own note, which it is told word for word."""


@notes_command.command("show")
@_AGENT
def notes_show_command(agent: str | None) -> None:
    """Print the note."""
    with memory() as opened:
        entry = opened.notes(agent=agent)
        if as_json():
            print_json({"note": None if entry is None else entry_json(entry)})
        else:
            say_text("nothing is noted" if entry is None else entry.body)


@notes_command.command("set")
@_BODY
@_FILE
@_AGENT
def notes_set_command(body: str | None, file: str | None, agent: str | None) -> None:
    """Write the note anew."""
    text = given_text(body, file, needed=True) or ""
    with memory(create=True) as opened:
        entry = opened.update_my_notes(text, agent=agent)
        if as_json():
            print_json(entry_json(entry))
        else:
            say(f"noted in {entry.id}, version {entry.version}")


@notes_command.command("append")
@_BODY
@_FILE
@_AGENT
def notes_append_command(body: str | None, file: str | None, agent: str | None) -> None:
    """Add a dated line that facts can name as their source."""
    text = given_text(body, file, needed=True) or ""
    with memory(create=True) as opened:
        observation = opened.record_observation(text, agent=agent)
        if as_json():
            print_json(observation_json(observation))
        else:
            say(f"{observation.id} in {observation.note}")


@click.command("remember", cls=Command)
@click.argument("content", required=False)
@click.option("--session", metavar="S", help="The session; without it the client's own.")
@click.option("--ttl", metavar="2h", help="How long: a number and s, m, h or d; seven days if it isn't given.")
@click.option("--memory-type", metavar="TYPE", help="observation if it isn't given.")
@click.option("--importance", type=float, default=0.5, show_default=True, help="From 0 to 1.")
def remember_command(
    content: str | None, session: str | None, ttl: str | None, memory_type: str | None, importance: float
) -> None:
    """Keep something for the session; without a text, list what is kept."""
    life = None if ttl is None else _life(ttl)
    with memory(create=content is not None) as opened:
        if session is not None:
            opened.session.session = session
        if content is None:
            _listed(opened.remembered())
            return
        item = opened.remember(content, memory_type=memory_type, importance=importance, life=life)
        if as_json():
            print_json(hot_item_json(item))
        else:
            say(f"remembered until {format_instant(item.expires_at)[:16]}Z")


def _life(text: str) -> timedelta:
    found = re.fullmatch(r"([0-9]{1,6})([smhd])", text.strip().lower())
    if found is None:
        raise UsageError(f"`{text}` is no length of time", hint="write a number and s, m, h or d, such as 2h")
    try:
        return timedelta(**{_UNITS[found[2]]: int(found[1])})
    except OverflowError as error:
        raise InvalidEntryError("ttl", text, "give a time of at most a year") from error


def _listed(items: list[HotItem]) -> None:
    if as_json():
        print_json({"remembered": [hot_item_json(item) for item in items], "total": len(items)})
    elif not items:
        say("nothing is remembered")
    else:
        table((format_instant(item.expires_at)[:16] + "Z", item.memory_type.value, item.content) for item in items)
