"""Whatever a program without a type checker passes, and whenever, is answered by an error of the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import trinho
from trinho import errors
from trinho.application.ranking import SearchQuery

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.cleanroom import Home

TEXTS: dict[str, Callable[[Any, Any], object]] = {
    "get": lambda m, x: m.get(x),
    "create": lambda m, x: m.create(x, "text"),
    "create, body": lambda m, x: m.create("shared:new", x),
    "update": lambda m, x: m.update(x, "text", expected_version=1),
    "delete": lambda m, x: m.delete(x, expected_version=1),
    "search": lambda m, x: m.search(x),
    "explain": lambda m, x: m.explain(x, "shared:a"),
    "explain, id": lambda m, x: m.explain("tabs", x),
    "context": lambda m, x: m.build_memory_context(x),
    "move": lambda m, x: m.move(x, "shared:b"),
    "move, to": lambda m, x: m.move("shared:a", x),
    "may_purge": lambda m, x: m.may_purge(x),
    "purge": lambda m, x: m.purge(x),
    "document": lambda m, x: m.document(x),
    "replace_document": lambda m, x: m.replace_document(x, b"text", expected_version=1),
    "file_of": lambda m, x: m.file_of(x),
    "import": lambda m, x: m.import_from(x, "."),
    "parse_memory_id": lambda _, x: trinho.parse_memory_id(x),
    "parse_grant": lambda _, x: trinho.parse_grant(x),
}
OPTIONAL_TEXTS: dict[str, Callable[[Any, Any], object]] = {
    "create, kind": lambda m, x: m.create("shared:new", "text", kind=x),
    "create, type": lambda m, x: m.create("shared:new", "text", type=x),
    "create, name": lambda m, x: m.create("shared:new", "text", name=x),
    "create, description": lambda m, x: m.create("shared:new", "text", description=x),
    "update, body": lambda m, x: m.update("shared:a", x, expected_version=1),
    "search, scope": lambda m, x: m.search("tabs", scope=x),
    "entries, scope": lambda m, x: m.entries(scope=x),
    "entries, project": lambda m, x: m.entries(project=x),
    "export": lambda m, x: m.export(x),
    "export_to, scope": lambda m, x: m.export_to("out", x),
    "import, into": lambda m, x: m.import_from("markdown", ".", into=x),
    "import, project": lambda m, x: m.import_from("markdown", ".", project=x),
}
NUMBERS: dict[str, Callable[[Any, Any], object]] = {
    "update": lambda m, x: m.update("shared:a", "text", expected_version=x),
    "delete": lambda m, x: m.delete("shared:a", expected_version=x),
    "replace_document": lambda m, x: m.replace_document("shared:a", b"text", expected_version=x),
    "search": lambda m, x: m.search("tabs", limit=x),
    "explain": lambda m, x: m.explain("tabs", "shared:a", limit=x),
    "context": lambda m, x: m.build_memory_context("tabs", x),
    "audit": lambda m, x: m.audit(x),
}
OTHERS: dict[str, Callable[[Any], object]] = {
    "replace_document": lambda m: m.replace_document("shared:a", "text", expected_version=1),
    "kinds": lambda m: m.entries(kinds=5),
    "kind": lambda m: m.entries(kinds={"poem"}),
    "types": lambda m: m.entries(types=None),
    "an import of no kind": lambda m: m.import_from("poems", "."),
    "an export to no path": lambda m: m.export_to(None),
    "an import from no path": lambda m: m.import_from("markdown", 5, into="shared:in"),
    "a run": lambda m: m.undo(1.5),
    "a draft": lambda m: m.service.create("shared:new", None),
    "a draft's body": lambda m: m.service.create("shared:new", trinho.Draft(body=wrong(5))),
    "a draft's kind": lambda m: m.service.update("shared:a", trinho.Draft(kind=wrong("poem")), 1),
    "a draft's type": lambda m: m.service.create("shared:new", trinho.Draft("text", type=wrong("poem"))),
    "a mode": lambda m: m.service.search(search_query(mode="telepathic")),
    "a query's kinds": lambda m: m.service.search(search_query(kinds=5)),
    "a query's project": lambda m: m.service.search(search_query(project="../..")),
}


def wrong(value: Any) -> Any:
    return value


def search_query(**fields: Any) -> Any:
    return SearchQuery("tabs", **fields)


@pytest.fixture
def memory(home: Home) -> Iterator[trinho.Memory]:
    with home.memory() as memory:
        memory.create("shared:a", "tabs")
        yield memory


class TestWrongValues:
    """A value of another kind is refused by name, and nothing is done."""

    @pytest.mark.parametrize("name", TEXTS)
    @pytest.mark.parametrize("value", [None, 5, b"shared:a", ["shared:a"], object()])
    def test_no_text(self, memory: trinho.Memory, name: str, value: object) -> None:
        self.refused(memory, lambda: TEXTS[name](memory, value))

    @pytest.mark.parametrize("name", OPTIONAL_TEXTS)
    @pytest.mark.parametrize("value", [5, b"fact", ["fact"]])
    def test_neither_none_nor_a_text(self, memory: trinho.Memory, name: str, value: object) -> None:
        self.refused(memory, lambda: OPTIONAL_TEXTS[name](memory, value))

    @pytest.mark.parametrize("name", NUMBERS)
    @pytest.mark.parametrize("value", ["1", None, 1.0, float("nan"), True, -1])
    def test_no_number(self, memory: trinho.Memory, name: str, value: object) -> None:
        self.refused(memory, lambda: NUMBERS[name](memory, value))

    @pytest.mark.parametrize("name", OTHERS)
    def test_others(self, memory: trinho.Memory, name: str) -> None:
        self.refused(memory, lambda: OTHERS[name](memory))

    def refused(self, memory: trinho.Memory, ask: Callable[[], object]) -> None:
        with pytest.raises((errors.InvalidInputError, errors.RunNotFoundError)) as told:
            ask()
        assert told.value.hint
        assert [str(row.id) for row in memory.entries()] == ["shared:a"]
        assert memory.get("shared:a").version == 1

    def test_the_message_shows_what_was_given(self, memory: trinho.Memory) -> None:
        wrong: Any = "1"
        with pytest.raises(errors.InvalidEntryError, match="expected_version can't be `'1'`"):
            memory.update("shared:a", "x", expected_version=wrong)

    @pytest.mark.parametrize("root", [5, ["x"], object()])
    def test_a_root_that_is_no_path(self, root: Any) -> None:
        with pytest.raises(errors.InvalidRootError, match="it is no path"):
            trinho.open_memory(root, environment={})

    def test_an_actor_that_is_no_text(self, tmp_path: Path) -> None:
        actor: Any = 5
        with pytest.raises(errors.InvalidEntryError, match="actor can't be"):
            trinho.open_memory(tmp_path / "root", actor=actor, environment={})

    def test_paths_of_every_kind(self, home: Home, memory: trinho.Memory) -> None:
        (home.folder / "in").mkdir()
        assert memory.import_markdown(home.folder / "in", "shared:in").added == []
        assert len(memory.export_to(home.folder / "out").files) == 1
        assert memory.file_of("shared:a") == "shared/a.md"
        root: Any = bytes(home.folder / "other")
        trinho.open_memory(root, environment={}).close()


class TestClosed:
    """After close() every request is answered by one error that says so, and closing again does nothing."""

    @pytest.mark.parametrize("actor", [None, "worker"])
    def test_whatever_is_asked(self, home: Home, actor: str | None) -> None:
        with home.memory() as memory:
            memory.create("shared:a", "tabs")
        closed = home.memory(actor)
        closed.get("shared:a")
        closed.search("tabs")
        closed.close()
        closed.close()
        before = sorted(home.root.rglob("*"))
        for ask in ASKED:
            with pytest.raises(errors.StoreClosedError, match="is closed"):
                ask(closed)
        assert sorted(home.root.rglob("*")) == before

    def test_one_that_never_asked_for_the_index(self, home: Home) -> None:
        closed = home.memory()
        closed.close()
        with pytest.raises(errors.StoreClosedError):
            closed.search("tabs")


ASKED: tuple[Callable[[trinho.Memory], object], ...] = (
    lambda m: m.get("shared:a"),
    lambda m: m.get("private:main:x"),
    lambda m: m.get("shared:.."),
    lambda m: m.create("shared:b", "x"),
    lambda m: m.update("shared:a", "x", expected_version=1),
    lambda m: m.delete("shared:a", expected_version=1),
    lambda m: m.search("tabs"),
    lambda m: m.entries(),
    lambda m: m.explain("tabs", "shared:a"),
    lambda m: m.build_memory_context("tabs"),
    lambda m: m.undo(),
    lambda m: m.move("shared:a", "shared:b"),
    lambda m: m.purge("shared:a"),
    lambda m: m.audit(),
    lambda m: m.verify_audit(),
    lambda m: m.rebuild_index(),
    lambda m: m.index_status(),
    lambda m: m.doctor(),
    lambda m: m.import_from("markdown", ".", into="shared:in"),
    lambda m: m.export(),
    lambda m: m.export_to("out"),
    lambda m: m.document("shared:a"),
    lambda m: m.file_of("shared:a"),
)
