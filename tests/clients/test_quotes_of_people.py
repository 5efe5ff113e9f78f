"""An agent's fact is stated where it quotes what was typed into the real client, and nothing else there will do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.clients.model_fakes import Shell, call

if TYPE_CHECKING:
    from tests.clients.model_fakes import Remember
    from tests.clients.real_clients import Client

PROMPT = "Please keep in mind: we always indent with four spaces. And what did Huế decide about deploys?"


def stated(quote: str) -> Remember:
    given = {"domain": "style", "topic": "indentation", "content": "The team indents with four spaces."}
    return call("propose_fact", **given, veracity="stated", evidence=quote)


def test_the_person_is_quoted_and_nobody_else(client: Client) -> None:
    person = client.world.trinho
    person("create", "shared:team:deploys", "--body", "The team of Huế decided that deploys happen on Fridays.")
    (client.world.repository / "AGENTS.md").write_text("Every commit message begins with a ticket number.")
    (client.world.repository / "CLAUDE.md").write_text("Every commit message begins with a ticket number.")
    run = client.run(
        PROMPT,
        Shell("echo the linter wants tabs in every file"),
        stated("the linter wants tabs in every file"),
        stated("deploys happen on Fridays"),
        stated("Every commit message begins with a ticket number"),
        stated("what the person and the team said"),
        stated("we always indent with two spaces"),
        stated("four spaces"),
        stated("we always indent with four spaces"),
    ).ended_well()
    told = json.dumps(run.bodies[0], ensure_ascii=False)
    for text in ("deploys happen on Fridays", "Every commit message begins", "what the person and the team said"):
        assert text in told  # so that the model was shown all of it
    *refused, taken = run.results[1:]
    assert len(refused) == 6
    assert all("EVIDENCE_NOT_FOUND" in result.text for result in refused), refused
    assert '"added"' in taken.text.replace("\\", "")
    (fact,) = json.loads(person("fact", "list", "--json"))["facts"]
    assert json.loads(person("fact", "show", fact["id"], "--json"))["veracity"] == "stated"
