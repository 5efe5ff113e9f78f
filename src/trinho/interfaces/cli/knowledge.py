"""fact, policy, domain, grant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from trinho.access.domains import Permission
from trinho.interfaces.cli.app import Group, as_json, asked_project, confirm, memory
from trinho.interfaces.cli.output import print_json, say, say_text, table, tell
from trinho.interfaces.contract import domain_json, fact_json, knowledge_json, policy_json, proposed_json

if TYPE_CHECKING:
    from trinho.application.facts import Proposed
    from trinho.application.policies import ProposedPolicy
    from trinho.ports.index import Listed

_DOMAIN = click.option("--domain", required=True, metavar="D", help="name, or repo:<project>/<name>.")
_REPO = click.option("--repo", metavar="SLUG", help="The project whose domain it is; without it the workspace's.")
_REASON = click.option("--reason", help="Why.")
_ALL = click.option("--all", "everything", is_flag=True, help="Also what holds no more, or is held.")
_SOURCES = click.option(
    "--source", "sources", multiple=True, metavar="ID", help="An observation or entry that it rests on."
)


@click.group("fact", cls=Group)
def fact_command() -> None:
    """What is known: propose, supersede, list, show."""


@fact_command.command("propose")
@click.argument("content")
@_DOMAIN
@click.option("--topic", required=True, metavar="T", help="What it is about, in a few words.")
@_REPO
@click.option("--memory-type", metavar="TYPE", help="How it ages: fact, preference, decision, event and others.")
@click.option("--veracity", help="stated, inferred, imported or tool.")
@click.option("--evidence", metavar="QUOTE", help="The person's own words; an agent needs them for `stated`.")
@click.option("--confidence", metavar="0…1", help="How sure it is; without it by its veracity.")
@click.option("--valid-until", metavar="DATE", help="When it stops to hold.")
@_SOURCES
def fact_propose_command(content: str, domain: str, topic: str, sources: tuple[str, ...], **given: Any) -> None:
    """Add a fact. What it corrects is superseded, or a person is asked."""
    with memory(create=True) as opened:
        _told(opened.propose_fact(content, domain=domain, topic=topic, sources=sources, **given))


@fact_command.command("supersede")
@click.argument("id")
@click.argument("content")
@_REASON
def fact_supersede_command(id: str, content: str, reason: str | None) -> None:
    """Put a new fact in the place of one."""
    with memory() as opened:
        _told(opened.supersede_fact(id, content, reason=reason))


@fact_command.command("list")
@click.option("--domain", metavar="D", help="Only this domain.")
@_ALL
@click.option("--as-of", metavar="DATE", help="Those that were believed then.")
def fact_list_command(domain: str | None, everything: bool, as_of: str | None) -> None:
    """List the facts."""
    with memory() as opened:
        rows = opened.facts(domain=domain, everything=everything, as_of=as_of)
        if as_json():
            print_json({"facts": [knowledge_json(row) for row in rows], "total": len(rows)})
        else:
            table((str(row.id), row.knowledge.topic, _standing(row), row.description) for row in rows)


@fact_command.command("show")
@click.argument("id")
def fact_show_command(id: str) -> None:
    """Show a fact with what is known of it."""
    with memory() as opened:
        fact = opened.fact(id)
        if as_json():
            print_json(fact_json(fact))
            return
        say_text(fact.entry.body)
        for key, value in fact_json(fact).items():
            if key not in ("body", "name", "description") and value not in (None, "", []):
                say(f"{key}: {value}")


@click.group("policy", cls=Group)
def policy_command() -> None:
    """Rules that every agent is told: propose, supersede, list, on, off."""


@policy_command.command("propose")
@click.argument("rule")
@_DOMAIN
@_REPO
@click.option("--required-role", metavar="ROLE", help="Whom it is meant for; all are told.")
@_SOURCES
def policy_propose_command(
    rule: str, domain: str, repo: str | None, required_role: str | None, sources: tuple[str, ...]
) -> None:
    """Add a rule. One that an agent other than main proposes waits in the inbox."""
    with memory(create=True) as opened:
        proposed = opened.propose_policy(rule, domain=domain, repo=repo, required_role=required_role, sources=sources)
        _told_policy(proposed)


@policy_command.command("supersede")
@click.argument("id")
@click.argument("rule")
@_REASON
def policy_supersede_command(id: str, rule: str, reason: str | None) -> None:
    """Put a rule in the place of another."""
    with memory() as opened:
        _told_policy(opened.supersede_policy(id, rule, reason=reason))


@policy_command.command("list")
@click.option("--project", metavar="P", help="Also this project's; TRINHO_PROJECT if it isn't given.")
@_ALL
def policy_list_command(project: str | None, everything: bool) -> None:
    """List the rules in force."""
    with memory() as opened:
        rows = opened.policies(project=asked_project(opened, project), everything=everything)
        if as_json():
            print_json({"policies": [knowledge_json(row) for row in rows], "total": len(rows)})
        else:
            table((str(row.id), row.knowledge.domain, _standing(row), row.description) for row in rows)


@policy_command.command("on")
@click.argument("id")
@click.option("--yes", is_flag=True, help="Don't ask.")
def policy_on_command(id: str, yes: bool) -> None:
    """Let a rule hold again."""
    _switch(id, on=True, yes=yes)


@policy_command.command("off")
@click.argument("id")
@click.option("--yes", is_flag=True, help="Don't ask.")
def policy_off_command(id: str, yes: bool) -> None:
    """Let a rule rest; nobody is told it until it is on again."""
    _switch(id, on=False, yes=yes)


def _switch(id: str, *, on: bool, yes: bool) -> None:
    word = "on" if on else "off"
    with memory() as opened:
        rule = opened.get(id).body
        confirm(f"switch the policy {word}", rule, yes=yes)
        version = opened.switch_policy(id, on=on)
        if as_json():
            print_json({"id": id, "active": on, "version": version})
        else:
            say(f"{id} is {word}, version {version}")


@click.group("domain", cls=Group)
def domain_command() -> None:
    """What knowledge is sorted by."""


@domain_command.command("list")
def domain_list_command() -> None:
    """List the domains."""
    with memory() as opened:
        domains = opened.domains()
        if as_json():
            print_json({"domains": [domain_json(domain) for domain in domains]})
        else:
            table((str(domain.key), domain.label, domain.description) for domain in domains)


@domain_command.command("create")
@click.argument("name")
@click.option("--label", default="", help="A name for people.")
@click.option("--description", default="", help="What belongs in it.")
def domain_create_command(name: str, label: str, description: str) -> None:
    """Make a domain; a fact proposed for one that isn't there makes it, too."""
    with memory(create=True) as opened:
        domain = opened.create_domain(name, label=label, description=description)
        if as_json():
            print_json(domain_json(domain))
        else:
            say(f"made {domain.key}; every role may write there until `trinho grant set` says otherwise")


@click.group("grant", cls=Group)
def grant_command() -> None:
    """What roles may do in domains, inside what their grants cover."""


@grant_command.command("list")
def grant_list_command() -> None:
    """List the rows; where a role has none, it may read."""
    with memory() as opened:
        rows = opened.grants()
        if as_json():
            print_json(
                {"grants": [{"role": role, "domain": str(key), "permission": held.value} for role, key, held in rows]}
            )
        else:
            table((role, str(key), held.value) for role, key, held in rows)


@grant_command.command("set")
@click.argument("role")
@click.argument("domain")
@click.argument("permission", type=click.Choice([each.value for each in Permission]))
@click.option("--yes", is_flag=True, help="Don't ask.")
def grant_set_command(role: str, domain: str, permission: str, yes: bool) -> None:
    """Set what a role may do in a domain; `none` hides all of it."""
    _grant(role, domain, permission, yes=yes)


@grant_command.command("unset")
@click.argument("role")
@click.argument("domain")
@click.option("--yes", is_flag=True, help="Don't ask.")
def grant_unset_command(role: str, domain: str, yes: bool) -> None:
    """Take a role's row away: then it may read."""
    _grant(role, domain, None, yes=yes)


def _grant(role: str, domain: str, permission: str | None, *, yes: bool) -> None:
    with memory(create=True) as opened:
        said = f"{role} may {permission or 'read'} in {domain}"
        confirm("change what a role may do", said, yes=yes)
        opened.set_grant(role, domain, permission)
        if as_json():
            print_json({"role": role, "domain": domain, "permission": permission})
        else:
            say(said if permission != "none" else f"{role} knows nothing of {domain} any more")


def _told(proposed: Proposed) -> None:
    if as_json():
        print_json(proposed_json(proposed))
        return
    say(f"{'held' if proposed.held else proposed.outcome} {proposed.id}")
    for relation in proposed.relations:
        if relation.judgement.label != "coexists":
            say(f"    {relation.judgement.label} {relation.to}: {relation.judgement.reason}")
    if proposed.conflict_id is not None:
        say(f"    conflict {proposed.conflict_id}")
    if proposed.note:
        tell(f"note: {proposed.note}")


def _told_policy(proposed: ProposedPolicy) -> None:
    if as_json():
        print_json(policy_json(proposed))
        return
    say(f"{'held' if proposed.held else 'active'} {proposed.id}")
    if proposed.note:
        tell(f"note: {proposed.note}")


def _standing(row: Listed) -> str:
    said = row.knowledge
    if said.status != "active":
        return said.status.value
    if said.superseded_by:
        return "superseded"
    if said.switched_off:
        return "off"
    return said.veracity or "active"
