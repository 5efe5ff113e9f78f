"""An agent's own note, its observations, and what it remembers for a session."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from tests.secret_samples import MADE

from trinho import errors, open_memory
from trinho.domain.notes import MOST_HOT_ITEMS

if TYPE_CHECKING:
    from tests.cleanroom import Home, Terminal

    from trinho.application.library import Memory


class TestNote:
    """One text for each role, or for each agent in it."""

    def test_it_is_replaced_as_a_whole(self, home: Home) -> None:
        with home.memory("worker") as memory:
            assert memory.notes() is None
            memory.update_my_notes("first")
            assert memory.update_my_notes("second\n\nand more").version == 2
            note = memory.notes()
            assert note is not None
            assert (str(note.id), note.body) == ("private:worker:notes", "second\n\nand more")
        with home.memory() as memory:
            memory.undo()
            assert memory.get("private:worker:notes").body == "first"

    def test_each_agent_has_its_own(self, home: Home) -> None:
        with home.memory("worker") as memory:
            memory.update_my_notes("of a1", agent="a1")
            assert memory.notes() is None
            assert memory.get("private:worker:agents:a1:notes").body == "of a1"
            assert "of a1" in memory.preamble(agent="a1").text
            assert "of a1" not in memory.preamble().text

    def test_no_other_role_reads_it(self, home: Home) -> None:
        with home.memory("worker") as memory:
            memory.update_my_notes("mine alone")
        with home.memory("main") as memory:
            assert "mine alone" not in memory.preamble().text
            with pytest.raises(errors.UnauthorizedMemoryAccessError):
                memory.get("private:worker:notes")

    def test_too_long(self, home: Home) -> None:
        with home.memory("worker") as memory, pytest.raises(errors.BodyTooLargeError):
            memory.update_my_notes("x" * (1 << 20) + "x")


class TestObservation:
    """A dated line that facts can name, also when the note is written anew."""

    def test_it_is_a_line_and_a_source(self, home: Home) -> None:
        with home.memory("worker") as memory:
            memory.update_my_notes("what I know")
            seen = memory.record_observation("the test\n is flaky")
            note = memory.notes()
            assert note is not None
            first, line = note.body.split("\n")
            assert first == "what I know"
            assert line.endswith(f"Z [{seen.id}] the test is flaky")
            memory.update_my_notes("all anew")
            fact = memory.propose_fact("Test x is flaky.", domain="ci", topic="x", sources=[seen.id])
            assert memory.fact(str(fact.id)).knowledge.sources == (seen.id,)

    @pytest.mark.parametrize("text", ["", " \n", "x" * 9000])
    def test_what_is_none(self, home: Home, text: str) -> None:
        with home.memory("worker") as memory, pytest.raises(errors.InvalidEntryError):
            memory.record_observation(text)


class TestHotItems:
    """Seen by the same role in the same session, for their time."""

    def at(self, home: Home, role: str, session: str) -> Memory:
        return open_memory(actor=role, environment={**home.environment, "TRINHO_SESSION": session})

    def test_only_the_same_role_and_session_see_them(self, home: Home) -> None:
        with self.at(home, "worker", "one") as memory:
            memory.remember("port 8080 is taken")
            memory.remember("port 9090 is free", memory_type="fact", importance=0.9)
            assert [item.content for item in memory.remembered()] == ["port 9090 is free", "port 8080 is taken"]
        for role, session in (("worker", "two"), ("main", "one")):
            with self.at(home, role, session) as memory:
                assert memory.remembered() == []

    def test_they_go_by_themselves(self, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
        with home.memory("worker") as memory:
            memory.remember("short", life=timedelta(hours=2))
            memory.remember("long")
            now = memory.session.workspace.clock()
            monkeypatch.setattr(memory.session.workspace, "clock", lambda: now + timedelta(hours=3))
            assert [item.content for item in memory.remembered()] == ["long"]
            monkeypatch.setattr(memory.session.workspace, "clock", lambda: now + timedelta(days=8))
            assert memory.remembered() == []

    def test_the_oldest_make_room(self, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("trinho.application.notes.MOST_HOT_ITEMS", 3)
        assert MOST_HOT_ITEMS == 1000
        with home.memory("worker") as memory:
            for n in range(5):
                memory.remember(f"item {n}")
            assert [item.content for item in memory.remembered()] == ["item 4", "item 3", "item 2"]

    def test_a_secret_is_refused(self, home: Home) -> None:
        text, secret = MADE["github-pat"]()
        with home.memory("worker") as memory, pytest.raises(errors.SecretDetectedError):
            memory.remember(f"the token is {text}")
        assert not any(secret.encode() in file.read_bytes() for file in home.root.rglob("*") if file.is_file())

    @pytest.mark.parametrize(
        "given",
        [{"content": ""}, {"importance": 2}, {"importance": True}, {"life": timedelta(0)}, {"memory_type": "x"}],
        ids=str,
    )
    def test_what_cannot_be(self, home: Home, given: dict[str, object]) -> None:
        with home.memory("worker") as memory:
            with pytest.raises(errors.InvalidEntryError):
                memory.remember(**{"content": "x", **given})  # type: ignore[arg-type]
            assert memory.remembered() == []

    def test_they_are_audited(self, home: Home) -> None:
        with home.memory("worker") as memory:
            memory.remember("x is y")
            assert memory.verify_audit().ok
        assert ("worker", "remember", "private:worker:notes", "allowed", None) in home.told()


def test_the_command_line(trinho: Terminal) -> None:
    assert trinho("--as", "worker", "notes", "show").out == "nothing is noted\n"
    assert trinho("--as", "worker", "notes", "set", "--body", "known").status == 0
    assert trinho("--as", "worker", "notes", "append", "--body", "seen", "--json").json["id"].startswith("obs-")
    assert trinho("--as", "worker", "notes", "show", "--json").json["note"]["body"].startswith("known\n- 20")
    assert trinho("--as", "worker", "remember", "a b", "--ttl", "2h", "--session", "s").status == 0
    assert trinho("--as", "worker", "remember", "--session", "s", "--json").json["total"] == 1
    assert trinho("--as", "worker", "remember", "a b", "--ttl", "soon").status == 2
    assert trinho("--as", "worker", "remember", "a b", "--ttl", "999999d").status == 2
