"""Sessions of the real clients: what their models are told of memory, and what they can do with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.clients.model_fakes import call

if TYPE_CHECKING:
    from tests.clients.real_clients import Client

CORE = {"search_memory", "propose_fact", "propose_policy", "remember", "update_my_notes", "memory_get"}


def test_the_tools_are_there_and_a_call_is_answered(client: Client) -> None:
    client.world.trinho("create", "shared:team:indentation", "--body", "Indent with four spaces.")
    run = client.run("hello", call("memory_get", id="shared:team:indentation"))
    print(run.out[:3000], run.err[:2000], run.results, run.tools)
    run.ended_well()
    assert run.tools == CORE
    (result,) = run.results
    assert "Indent with four spaces." in result.text
    assert run.left == []
