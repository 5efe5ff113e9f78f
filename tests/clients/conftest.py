"""Each test has a home, a memory and a repository of its own, once for each client."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.clients.real_clients import Claude, Codex, World

if TYPE_CHECKING:
    from pathlib import Path

    from tests.clients.real_clients import Client


@pytest.fixture
def world(tmp_path: Path) -> World:
    """The folders of this test alone."""
    return World(tmp_path).make()


@pytest.fixture(params=[Claude, Codex], ids=["claude-code", "codex"])
def client(request: pytest.FixtureRequest, world: World) -> Client:
    """A real client that memory is connected to."""
    client: Client = request.param(world)
    client.set_up()
    return client
