"""list, search, context, explain."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from trinho.application.preamble import Preamble
from trinho.application.ranking import SearchQuery
from trinho.application.recall import INACTIVE, Reason
from trinho.errors import shown
from trinho.interfaces.cli.app import Command, as_json, asked_project, invocation, memory
from trinho.interfaces.cli.output import print_json, say, say_text, table, tell
from trinho.interfaces.contract import context_json, explanation_json, listed_json, search_json
from trinho.retrieval.budget import DEFAULT_RESULTS

_SCOPE = click.option("--scope", metavar="GRANT", help="Only what this grant covers.")
_KIND = click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only this kind; may be repeated.")
_TYPE = click.option("--type", "types", multiple=True, metavar="TYPE", help="Only this type; may be repeated.")
_PROJECT = click.option("--project", metavar="P", help="The project; TRINHO_PROJECT if it isn't given.")
_MOST = click.option(
    "-k", "limit", type=click.IntRange(min=1), default=DEFAULT_RESULTS, show_default=True, help="How many results."
)


@click.command("list", cls=Command)
@_SCOPE
@_KIND
@_TYPE
@_PROJECT
def list_command(scope: str | None, kinds: tuple[str, ...], types: tuple[str, ...], project: str | None) -> None:
    """List the entries."""
    with memory() as opened:
        project = asked_project(opened, project)
        rows = opened.entries(scope=scope, kinds=kinds, types=types, project=project)
        if as_json():
            entries = [listed_json(row, version) for row, version in opened.versions(rows)]
            print_json({"entries": entries, "total": len(entries)})
        else:
            table((str(row.id), row.kind.value, row.type.value, row.description) for row in rows)


@click.command("search", cls=Command)
@click.argument("query")
@click.option(
    "--mode", type=click.Choice(["keyword", "semantic", "hybrid"]), default="hybrid", help="Which voices may speak."
)
@_SCOPE
@_KIND
@_TYPE
@_PROJECT
@_MOST
@click.option("--domain", metavar="D", help="Only what is of this domain.")
@click.option("--as-of", metavar="DATE", help="What was believed then.")
@click.option("--explain", "explained", is_flag=True, help="Say why each result came.")
def search_command(
    query: str,
    mode: Any,
    scope: str | None,
    kinds: tuple[str, ...],
    types: tuple[str, ...],
    project: str | None,
    limit: int,
    domain: str | None,
    as_of: str | None,
    explained: bool,
) -> None:
    """Find the entries that answer a question."""
    from trinho.application.library import as_kinds, as_types

    with memory() as opened:
        project = asked_project(opened, project)
        with opened.session.auditing("search", None if scope is None else shown(scope)):
            asked = SearchQuery(query, scope, as_kinds(kinds), as_types(types), limit, mode, project, domain, as_of)
        answer = opened.service.search(asked)
        if as_json():
            print_json(search_json(answer, explained=explained))
            return
        for result in answer.results:
            say(f"{result.entry.id}  ({result.entry.kind}, {result.age})")
            say(f"    {result.snippet}")
            if explained:
                say(f"    {_why_text(result.why)}")
        if not answer.results:
            say("nothing found")
        if "semantic" in answer.inactive_voices and _was_given("mode"):
            tell(f"note: found by words alone: {INACTIVE['semantic']}")


@click.command("context", cls=Command)
@click.option("--task", default="", metavar="TEXT", help="What the agent is about to do.")
@click.option("--agent", metavar="ID", help="With the note of one agent of the role.")
@_PROJECT
def context_command(task: str, agent: str | None, project: str | None) -> None:
    """Print what an agent is told when its work begins."""
    with memory() as opened:
        off = invocation().off
        if off is not None:
            tell(f"note: memory is switched off: {off}")
            told = Preamble("", 0, False, (), ())
        else:
            told = opened.preamble(task, project=asked_project(opened, project), agent=agent)
        if not as_json():
            say_text(told.text.removesuffix("\n") or "memory has nothing to tell")
            return
        print_json(context_json(told))


@click.command("explain", cls=Command)
@click.argument("query")
@click.argument("id")
@_PROJECT
@_MOST
def explain_command(query: str, id: str, project: str | None, limit: int) -> None:
    """Say why an entry came for a question, or why it did not."""
    with memory() as opened:
        explanation = opened.explain(query, id, limit=limit, project=asked_project(opened, project))
        if as_json():
            print_json(explanation_json(explanation))
            return
        say(f"{explanation.verdict}: {explanation.reason}")
        if explanation.code:
            say(f"{explanation.code}; the grant that would open it: {explanation.grant_that_would_open or 'none'}")
        if explanation.why:
            say(_why_text(explanation.why))


def _was_given(option: str) -> bool:
    """Whether the option was named, and not only has its default."""
    return click.get_current_context().get_parameter_source(option) is not ParameterSource.DEFAULT


def _why_text(why: Reason) -> str:
    said = [f"rank {why.rank} by words: {', '.join(why.matched) or 'none'}"]
    if why.in_other_words:
        said.append(f"in other words: {', '.join(why.in_other_words)}")
    if why.missing:
        said.append(f"not in it: {', '.join(why.missing)}")
    if why.boost != 1:
        said.append(f"{'raised' if why.boost > 1 else 'lowered'} × {why.boost:g} by the project")
    if why.decay != 1:
        said.append(f"× {why.decay:g} by its age")
    if why.confidence != 1:
        said.append(f"× {why.confidence:g} by its confidence")
    return "; ".join(said)
