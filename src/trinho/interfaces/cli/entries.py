"""get, create, update, delete, move."""

from __future__ import annotations

import sys
from codecs import getincrementaldecoder
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from trinho.domain.entry import MAX_ENTRY_BYTES, Entry, Kind
from trinho.domain.ids import parse_memory_id
from trinho.errors import InvalidEntryError, InvalidMemoryIdError, UsageError
from trinho.interfaces.cli.app import Command, as_json, memory
from trinho.interfaces.cli.output import print_json, say, say_text, tell
from trinho.interfaces.contract import entry_json, fact_json

if TYPE_CHECKING:
    from trinho.application.library import Memory

_FIELDS = [
    click.option("--kind", metavar="KIND", help="fact, decision, reference, log or draft."),
    click.option("--type", "type_", metavar="TYPE", help="user, feedback, project or reference."),
    click.option("--name", help="A short name."),
    click.option("--description", help="One line that says what the entry is about."),
    click.option("--body", help="The text."),
    click.option("--file", "file", metavar="FILE", help="Read the text from a file; - is standard input."),
]


def _with_fields(command: Any) -> Any:
    for option in reversed(_FIELDS):
        command = option(command)
    return command


def _named(fields: dict[str, str | None]) -> dict[str, str | None]:
    """The options under the library's names; `type` itself would hide Python's own."""
    return {"type" if name == "type_" else name: value for name, value in fields.items()}


def _text_of(operation: str, id: str, body: str | None, file: str | None, *, needed: bool) -> str | None:
    """The text that is given for an entry; where there is none, an ID that can't be one is told of instead."""
    try:
        return given_text(body, file, needed=needed)
    except UsageError:
        try:
            parse_memory_id(id)
        except InvalidMemoryIdError:
            with memory() as opened:
                opened.session.parse(operation, id)  # raises it again, once the trail tells of it
        raise


@click.command("get", cls=Command)
@click.argument("id")
def get_command(id: str) -> None:
    """Print an entry."""
    with memory() as opened:
        entry = opened.get(id)
        if as_json():
            print_json(_document(opened, entry))
        else:
            say_text(entry.body)
            for warning in entry.warnings:
                tell(f"note: {warning}")


def _document(opened: Memory, entry: Entry) -> dict[str, Any]:
    """The entry of the JSON contract; a fact says more."""
    if entry.kind is not Kind.FACT:
        return entry_json(entry)
    return fact_json(opened.as_fact(entry))


@click.command("create", cls=Command)
@click.argument("id")
@_with_fields
def create_command(id: str, body: str | None, file: str | None, **fields: str | None) -> None:
    """Create an entry; one that is there is never overwritten."""
    text = _text_of("create", id, body, file, needed=True) or ""
    with memory(create=True) as opened:
        entry = opened.create(id, text, **_named(fields))
        told("created", entry, opened)


@click.command("update", cls=Command)
@click.argument("id")
@click.option("--expected-version", type=int, required=True, help="The version that you have read.")
@_with_fields
def update_command(id: str, expected_version: int, body: str | None, file: str | None, **fields: str | None) -> None:
    """Change an entry that is still at the version you have read."""
    text = _text_of("update", id, body, file, needed=not any(fields.values()))
    with memory() as opened:
        entry = opened.update(id, text, expected_version=expected_version, **_named(fields))
        told("updated", entry, opened)


@click.command("delete", cls=Command)
@click.argument("id")
@click.option("--expected-version", type=int, required=True, help="The version that you have read.")
def delete_command(id: str, expected_version: int) -> None:
    """Move an entry to the trash; `trinho undo` brings it back."""
    with memory() as opened:
        run = opened.delete(id, expected_version=expected_version)
        from trinho.application.trail import is_person  # reading one entry doesn't pay for it

        numbered = is_person(opened.session)  # runs are numbered over everybody's acts
        if as_json():
            print_json({"id": id, "version": expected_version, "run": run if numbered else None})
        else:
            say(f"deleted {id}; `trinho undo{f' {run}' if numbered else ''}` brings it back")


@click.command("move", cls=Command)
@click.argument("id")
@click.argument("new")
def move_command(id: str, new: str) -> None:
    """Give an entry another ID; the old one answers with where it went."""
    with memory() as opened:
        entry = opened.move(id, new)
        if as_json():
            print_json({**entry_json(entry), "moved_from": id})
        else:
            say(f"moved {id} to {entry.id}")


def told(done: str, entry: Entry, opened: Memory) -> None:
    """Say what became of an entry."""
    if as_json():
        print_json(entry_json(entry))
    else:
        say(f"{done} {entry.id}, version {entry.version}: {opened.file_of(entry.id)}")


def given_text(body: str | None, file: str | None, *, needed: bool) -> str | None:
    """The text from --body, --file or standard input. One final line end of a file is the file's, not the text's."""
    if body is not None and file is not None:
        raise UsageError("--body and --file exclude each other", hint="give one of them")
    if body is not None:
        return body
    if file is not None and file != "-":
        try:
            with open(file, "rb") as source:  # noqa: PTH123 - beside stdin's buffer, which is no path
                return _text(source, file)
        except OSError as error:
            raise UsageError(f"`{file}`: {error.strerror}", hint="name a file that can be read") from error
    if file is None and (not needed or sys.stdin.isatty()):
        if needed:
            raise UsageError("no text is given", hint="give --body TEXT, --file FILE, or pipe the text in")
        return None
    try:
        text = _text(sys.stdin.buffer, "standard input")
    except OSError as error:  # open for writing alone, or a terminal that is gone
        raise UsageError(f"standard input can't be read: {error}", hint="give --body TEXT or --file FILE") from error
    if not text and file is None:
        raise UsageError("no text is given", hint="give --body TEXT, --file FILE, or pipe the text in")
    return text


def _text(source: BinaryIO, name: str) -> str:
    raw = source.read(MAX_ENTRY_BYTES + 2)
    cut = len(raw) > MAX_ENTRY_BYTES  # too much in any case, and perhaps cut inside a character
    try:
        text = getincrementaldecoder("utf-8")().decode(raw, not cut)
    except UnicodeDecodeError as error:
        raise InvalidEntryError("body", name, f"it is not UTF-8 at byte {error.start}") from error
    return text[:-2] if text.endswith("\r\n") else text.removesuffix("\n")
