"""The trail shows an agent what it did and what it may read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trinho.domain.audit import AuditEvent

if TYPE_CHECKING:
    from tests.cleanroom import Home


def shown(home: Home, actor: str) -> list[tuple[str, str, str | None]]:
    with home.memory(actor) as memory:
        lines = memory.audit(100)
    return [(line.event.actor, line.event.operation, line.event.id) for line in lines]


def test_the_person_sees_everything(home: Home) -> None:
    with home.memory() as memory:
        memory.create("private:main:plan", "x")
        memory.search("x")
    assert shown(home, "principal") == [
        ("principal", "create", "private:main:plan"),
        ("principal", "search", None),
    ]


def test_an_agent_sees_its_own_acts_and_what_it_may_read(home: Home) -> None:
    with home.memory() as memory:
        memory.create("private:main:plan", "x")
        memory.create("shared:a:note", "x")
        memory.move("shared:a:note", "private:main:note")
        memory.search("x")
    with home.memory("worker") as memory:
        memory.search("x")
    assert shown(home, "worker") == [("principal", "create", "shared:a:note"), ("worker", "search", None)]


def test_settling_what_another_left_tells_an_agent_nothing(home: Home) -> None:
    with home.memory("worker") as memory:
        workspace = memory.session.workspace
        event = AuditEvent("worker", "recover", "private:main:plan", "allowed", code="FINISHED", run=1)
        workspace.audit.append([event], workspace.clock(), durable=False)
    assert shown(home, "worker") == []


def test_a_limit_counts_what_is_shown(home: Home) -> None:
    with home.memory() as memory:
        for n in range(4):
            memory.create(f"shared:a:n{n}", "x")
            memory.create(f"private:main:n{n}", "x")
    with home.memory("worker") as memory:
        assert [line.event.id for line in memory.audit(2)] == ["shared:a:n2", "shared:a:n3"]
        assert memory.audit(0) == []
