"""secrets: what a person lets through."""

from __future__ import annotations

import click

from trinho.errors import UsageError
from trinho.interfaces.cli.app import Group, as_json, confirm, memory
from trinho.interfaces.cli.entries import given_text
from trinho.interfaces.cli.output import print_json, say, table


@click.group("secrets", cls=Group)
def secrets_command() -> None:
    """What looks like a secret and is let through all the same."""


@secrets_command.command("allow")
@click.option("--file", "file", metavar="FILE", help="The text that was refused; - is standard input.")
@click.option("--reason", required=True, help="Why it is no secret, or why it may stand there.")
@click.option("--line", type=int, help="Only what is found in this line.")
@click.option("--yes", is_flag=True, help="Don't ask.")
def secrets_allow_command(file: str | None, reason: str, line: int | None, yes: bool) -> None:
    """Let through what the scanner finds in a text, from now on and in every entry of this root."""
    text = given_text(None, file, needed=True) or ""
    with memory(create=True) as opened:
        found = [each for each in opened.blocked_in(text) if line in (None, each.line)]
        if not found:
            raise UsageError("nothing of it would be refused", hint="give the text as it was to be written")
        shown = "\n".join(f"line {each.line}: {each.rule}" for each in found)
        confirm(f"let {len(found)} through for good", shown, yes=yes)
        allowed = opened.allow_secrets(found, reason)
        if as_json():
            rules = [{"rule": each.rule, "line": each.line, "fingerprint": each.fingerprint} for each in found]
            print_json({"allowed": rules})
        else:
            say(shown)
            say(f"{len(allowed)} let through from now on")


@secrets_command.command("list")
def secrets_list_command() -> None:
    """List what is let through, with who said why. The secrets themselves aren't kept."""
    with memory() as opened:
        allowed = opened.allowed_secrets()
        if as_json():
            print_json({"allowed": [entry._asdict() for entry in allowed]})
        else:
            table((each.at, each.actor, each.fingerprint[:12], each.rule, each.reason) for each in allowed)
