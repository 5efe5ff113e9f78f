"""mcp."""

from __future__ import annotations

import os

import click

from trinho.errors import UsageError
from trinho.interfaces.cli.app import Command, invocation


@click.command("mcp", cls=Command)
@click.option("--agent", metavar="ID", help="With the note of one agent of the role.")
@click.option("--project", metavar="P", help="The project; TRINHO_PROJECT if it isn't given.")
@click.option("--tools", type=click.Choice(["core", "all"]), default="core", show_default=True, help="Which tools.")
def mcp_command(agent: str | None, project: str | None, tools: str) -> None:
    """Serve memory to an agent's client on standard input and output, as the role that --as names."""
    from trinho.settings import load_settings

    asked = invocation()
    role = asked.actor or os.environ.get("TRINHO_ACTOR")
    if not role:
        raise UsageError("no role is named", hint="name the agent's role: `trinho mcp --as main`")
    serve = asked.doors["mcp"]
    serve(load_settings(os.environ, root=asked.root, actor=role, project=project), agent=agent, tools=tools)
