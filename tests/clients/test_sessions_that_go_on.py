"""Sessions that are resumed or compacted: what memory told is in the request once, and comes again when it is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.clients.model_fakes import LAST_WORDS, Shell
from tests.clients.real_clients import Claude, Codex

if TYPE_CHECKING:
    from tests.clients.real_clients import Client, World

PROMPT = "how many spaces do we indent python code with?"
OTHER = "on which port does the staging database of Lantern listen?"
POLICY = "Never push to main."
ANSWER = "Python code is indented with four spaces."
OTHER_ANSWER = "The staging database of Lantern listens on port 6543."
COMPACT_AT_ONCE = ("-c", "model_auto_compact_token_limit=5")


@pytest.fixture(autouse=True)
def known(world: World) -> None:
    world.trinho("policy", "propose", POLICY, "--domain", "git")
    world.trinho("create", "shared:team:indentation", "--body", ANSWER)
    world.trinho("create", "shared:team:port", "--body", OTHER_ANSWER)


def counted(text: str) -> list[int]:
    return [text.count(each) for each in (POLICY, ANSWER, OTHER_ANSWER)]


def test_a_resumed_session_holds_each_thing_once(client: Client) -> None:
    assert counted(client.run(PROMPT).ended_well().texts()[0]) == [1, 1, 0]
    (text,) = client.going_on().run(f"{OTHER} And again, {PROMPT}").ended_well().texts()
    assert counted(text) == [1, 1, 1]


def test_what_compaction_takes_away_is_told_again_by_claude_code(world: World) -> None:
    client = Claude(world)
    client.set_up()
    client.run(PROMPT).ended_well()
    assert client.going_on().run("/compact").status == 0
    (text,) = client.going_on().run(PROMPT).ended_well().texts()
    assert counted(text) == [1, 1, 0]


def test_what_compaction_takes_away_is_told_again_by_codex(world: World) -> None:
    client = Codex(world)
    client.set_up()
    before, compaction, after = Codex(world, COMPACT_AT_ONCE).run(PROMPT, Shell("echo hello")).ended_well().texts()
    assert counted(before) == [1, 1, 0]
    assert "COMPACTION" in compaction
    assert LAST_WORDS in after  # in the place of what was said
    assert counted(after) == [1, 0, 0]
    (text,) = client.going_on().run(PROMPT).ended_well().texts()
    assert counted(text) == [1, 1, 0]
