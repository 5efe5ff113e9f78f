"""What every store of entries must do. A backend applies it by a class with its `make`."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from trinho.domain.act import Move, Place, Retire, Step
from trinho.domain.ids import MemoryId, parse_memory_id
from trinho.errors import (
    ConflictError,
    FileChangedError,
    InvalidMemoryIdError,
    MemoryEntryAlreadyExistsError,
    MemoryEntryNotFoundError,
    StoreBusyError,
)

if TYPE_CHECKING:
    from pathlib import Path

    from trinho.ports.store import EntryStore

A, B, C = (parse_memory_id(f"shared:{name}") for name in ("a", "b", "deep:er:quy-ước"))
OLD, NEW, OTHER = b"old\n", "mới\r\n".encode(), b"\xff\x00 no text"


def digest(raw: bytes) -> str:
    return sha256(raw).hexdigest()


def commit(store: EntryStore, *steps: Step, run: int = 1) -> None:
    with store.writing() as turn:
        turn.commit(steps, run)


def create(store: EntryStore, id: MemoryId, raw: bytes, keep: int = 1) -> None:
    with store.writing() as turn:
        turn.commit([Place(id, turn.stage(id, raw).name, None, keep)], keep)


def update(store: EntryStore, id: MemoryId, raw: bytes, expect: bytes, keep: int = 2) -> None:
    with store.writing() as turn:
        turn.commit([Place(id, turn.stage(id, raw).name, digest(expect), keep)], keep)


def contents(store: EntryStore) -> dict[str, bytes]:
    return {str(found.id): store.read(found.id).raw for found in store.scan() if found.id is not None}


class StoreContract:
    """Subclass it, name the class Test… and say how a store that waits briefly for its turn is made in a folder."""

    def make(self, folder: Path) -> EntryStore:
        raise NotImplementedError

    @pytest.fixture
    def store(self, tmp_path: Path) -> EntryStore:
        return self.make(tmp_path)

    # -- reading

    def test_an_empty_store_has_nothing(self, store: EntryStore) -> None:
        assert list(store.scan()) == []
        assert store.kept(1) is None
        with pytest.raises(MemoryEntryNotFoundError):
            store.read(A)

    @pytest.mark.parametrize("raw", [OLD, NEW, OTHER, b"x" * 300_000], ids=["text", "utf-8", "bytes", "large"])
    def test_what_was_written_is_read_byte_for_byte(self, store: EntryStore, raw: bytes) -> None:
        create(store, C, raw)
        file = store.read(C)
        assert (file.id, file.raw, file.sha256, file.mark.size) == (C, raw, digest(raw), len(raw))

    def test_a_scan_finds_every_document_folder_by_folder(self, store: EntryStore) -> None:
        names = ["shared:a", "shared:a:b", "shared:a-b", "shared:A", "project:x:z", "private:worker:n", "shared:é"]
        ids = [parse_memory_id(name) for name in names]
        for id in ids:
            create(store, id, OLD)
        found = list(store.scan())
        assert {each.id for each in found} == set(ids)
        in_order = sorted((store.path_of(id) for id in ids), key=lambda path: path.split("/"))
        assert [each.path for each in found] == in_order
        assert all(each.fault is None for each in found)

    def test_a_scan_gives_the_mark_of_what_is_read(self, store: EntryStore) -> None:
        create(store, A, OLD)
        [found] = store.scan()
        assert found.mark == store.read(A).mark
        update(store, A, NEW, OLD)
        [again] = store.scan()
        assert again.mark == store.read(A).mark != found.mark

    def test_an_entry_and_entries_below_it_are_apart(self, store: EntryStore) -> None:
        create(store, parse_memory_id("shared:a"), OLD)
        create(store, parse_memory_id("shared:a:b"), NEW)
        assert contents(store) == {"shared:a": OLD, "shared:a:b": NEW}

    # -- places

    def test_every_id_has_a_place_of_its_own_that_leads_back(self, store: EntryStore) -> None:
        names = ["shared:a", "shared:a:b", "shared:a-b", "project:x:a", "private:x:a", "shared:a.b", "shared:a b"]
        ids = [parse_memory_id(name) for name in names]
        paths = [store.path_of(id) for id in ids]
        assert len(set(paths)) == len(ids)
        assert [store.id_at(path) for path in paths] == ids

    @pytest.mark.parametrize(
        "path", ["", "nowhere", "shared", "/etc/passwd", "shared/../a.md", "other/a.md", "a:b/c.md"]
    )
    def test_other_paths_have_no_id(self, store: EntryStore, path: str) -> None:
        assert store.id_at(path) is None

    def test_a_document_lies_below_the_folder_that_lists_it(self, store: EntryStore) -> None:
        for name in ("shared:a:b", "project:x:a", "project:x:team:a", "private:worker:a"):
            id = parse_memory_id(name)
            assert store.path_of(id).startswith(store.folder_path(id.folder) + "/")

    # -- one step

    def test_what_is_staged_keeps_its_mark_when_it_is_placed(self, store: EntryStore) -> None:
        with store.writing() as turn:
            staged = turn.stage(A, OLD)
            turn.commit([Place(A, staged.name, None, 1)], 1)
        assert store.read(A).mark == staged.mark
        with store.writing() as turn:
            staged = turn.stage(A, OLD)
            turn.commit([Place(A, staged.name, digest(OLD), 2)], 2)
        assert store.read(A).mark == staged.mark

    def test_create_never_overwrites(self, store: EntryStore) -> None:
        create(store, A, OLD)
        with pytest.raises(MemoryEntryAlreadyExistsError):
            create(store, A, NEW, keep=2)
        assert store.read(A).raw == OLD
        assert store.kept(2) is None

    def test_a_new_name_is_free_or_taken(self, store: EntryStore) -> None:
        store.expect_free(A)
        create(store, A, OLD)
        store.expect_free(B)
        for id in ("shared:memory", "project:alp:Memory", "project:alp:team:mEmORY", "private:main:memory"):
            with pytest.raises(InvalidMemoryIdError, match="index"):
                store.expect_free(parse_memory_id(id))
        store.expect_free(parse_memory_id("shared:deep:memory"))
        store.expect_free(parse_memory_id("shared:a:below"))
        with pytest.raises(MemoryEntryAlreadyExistsError):
            store.expect_free(A)

    @pytest.mark.parametrize("twin", ["shared:deep:er:Quy-Ước", "shared:deep:ER:x", "shared:Deep:er:quy-ước"])
    def test_a_name_that_differs_only_in_case_is_not_free(self, store: EntryStore, twin: str) -> None:
        create(store, C, OLD)
        store.expect_free(parse_memory_id("shared:deep:er:x"))
        with pytest.raises(InvalidMemoryIdError, match="upper and lower case"):
            store.expect_free(parse_memory_id(twin))

    @pytest.mark.parametrize("twin", ["shared:deep:er:Quy-Ước", "shared:deep:ER:x", "shared:Deep:er:quy-ước"])
    def test_a_twin_that_may_not_be_known_of_stands_in_no_way(self, store: EntryStore, twin: str) -> None:
        create(store, C, OLD)
        id = parse_memory_id(twin)
        store.expect_free(id, lambda other: other != C)
        with pytest.raises(InvalidMemoryIdError, match="upper and lower case"):
            store.expect_free(id, lambda other: other == C)

    def test_a_folder_is_known_of_by_what_lies_in_it(self, store: EntryStore) -> None:
        create(store, parse_memory_id("project:Alp:goals:far"), OLD)
        id = parse_memory_id("project:alp:notes")
        store.expect_free(id, lambda other: other.parts[2] == "notes")
        with pytest.raises(InvalidMemoryIdError, match="upper and lower case"):
            store.expect_free(id, lambda other: other.parts[2] == "goals")

    @pytest.mark.parametrize("other", ["shared:DEEP", "shared:deep:Er", "shared:deep:er:quy-uoc", "shared:deep:er2"])
    def test_a_name_like_that_of_a_folder_is_free(self, store: EntryStore, other: str) -> None:
        create(store, C, OLD)
        store.expect_free(parse_memory_id(other))

    def test_a_name_is_free_again_without_its_twin(self, store: EntryStore) -> None:
        create(store, A, OLD)
        create(store, B, OLD)
        commit(store, Retire(A, digest(OLD), 9))
        store.expect_free(parse_memory_id("shared:A"))
        with pytest.raises(InvalidMemoryIdError):
            store.expect_free(parse_memory_id("shared:B"))

    def test_an_update_keeps_what_it_replaced(self, store: EntryStore) -> None:
        create(store, A, OLD, keep=1)
        update(store, A, NEW, OLD, keep=2)
        assert store.read(A).raw == NEW
        assert (store.kept(1), store.kept(2)) == (None, OLD)

    def test_an_update_of_what_changed_meanwhile_does_nothing(self, store: EntryStore) -> None:
        create(store, A, OLD)
        with pytest.raises(FileChangedError):
            update(store, A, NEW, OTHER)
        assert store.read(A).raw == OLD
        assert store.kept(2) is None

    def test_an_update_of_what_is_gone_does_nothing(self, store: EntryStore) -> None:
        with pytest.raises(FileChangedError):
            update(store, A, NEW, OLD)
        assert contents(store) == {}

    def test_what_is_retired_is_kept(self, store: EntryStore) -> None:
        create(store, C, OLD)
        commit(store, Retire(C, digest(OLD), 5))
        assert contents(store) == {}
        assert store.kept(5) == OLD
        with pytest.raises(MemoryEntryNotFoundError):
            store.read(C)
        create(store, C, NEW, keep=6)
        assert store.read(C).raw == NEW

    @pytest.mark.parametrize("there", [True, False])
    def test_what_changed_or_is_gone_is_not_retired(self, store: EntryStore, there: bool) -> None:
        if there:
            create(store, A, OLD)
        with pytest.raises(FileChangedError):
            commit(store, Retire(A, digest(NEW), 5))
        assert contents(store) == ({"shared:a": OLD} if there else {})
        assert store.kept(5) is None

    def test_a_move_changes_the_id_and_no_byte(self, store: EntryStore) -> None:
        create(store, A, OTHER)
        commit(store, Move(A, C, digest(OTHER)))
        assert contents(store) == {str(C): OTHER}
        assert store.read(C).id == C

    def test_a_move_never_overwrites(self, store: EntryStore) -> None:
        create(store, A, OLD)
        create(store, B, NEW)
        with pytest.raises(MemoryEntryAlreadyExistsError):
            commit(store, Move(A, B, digest(OLD)))
        assert contents(store) == {"shared:a": OLD, "shared:b": NEW}

    @pytest.mark.parametrize("there", [True, False])
    def test_what_changed_or_is_gone_is_not_moved(self, store: EntryStore, there: bool) -> None:
        if there:
            create(store, A, OLD)
        with pytest.raises(FileChangedError):
            commit(store, Move(A, B, digest(NEW)))
        assert contents(store) == ({"shared:a": OLD} if there else {})

    # -- acts of several steps

    def test_an_act_does_all_of_its_steps(self, store: EntryStore) -> None:
        create(store, A, OLD)
        create(store, B, NEW)
        c, d, e = (parse_memory_id(f"project:x:{name}") for name in "cde")
        create(store, c, OTHER)
        with store.writing() as turn:
            turn.commit(
                [
                    Place(A, turn.stage(A, NEW).name, digest(OLD), 10),
                    Retire(B, digest(NEW), 11),
                    Move(c, d, digest(OTHER)),
                    Place(e, turn.stage(e, OLD).name, None, 12),
                ],
                10,
            )
        assert contents(store) == {"shared:a": NEW, "project:x:d": OTHER, "project:x:e": OLD}
        assert [store.kept(seq) for seq in (10, 11, 12)] == [OLD, NEW, None]

    @pytest.mark.parametrize("fault", ["place new", "place over", "retire", "move from", "move to"])
    @pytest.mark.parametrize("first", [True, False])
    def test_an_act_with_one_step_that_cannot_be_done_does_nothing(
        self, store: EntryStore, fault: str, first: bool
    ) -> None:
        create(store, A, OLD)
        create(store, B, NEW)
        d, e, f = (parse_memory_id(f"project:x:{name}") for name in "def")
        before = contents(store)
        with store.writing() as turn:
            sound: list[Step] = [Place(d, turn.stage(d, OLD).name, None, 10), Retire(A, digest(OLD), 11)]
            wrong: dict[str, Step] = {
                "place new": Place(B, turn.stage(B, OTHER).name, None, 12),
                "place over": Place(B, turn.stage(B, OTHER).name, digest(OTHER), 12),
                "retire": Retire(B, digest(OTHER), 12),
                "move from": Move(e, f, digest(OTHER)),
                "move to": Move(B, A, digest(NEW)),
            }
            steps = [wrong[fault], *sound] if first else [*sound, wrong[fault]]
            with pytest.raises(ConflictError):
                turn.commit(steps, 10)
        assert contents(store) == before
        assert [store.kept(seq) for seq in (10, 11, 12)] == [None, None, None]

    def test_after_an_act_that_failed_the_turn_can_go_on(self, store: EntryStore) -> None:
        create(store, A, OLD)
        with store.writing() as turn:
            with pytest.raises(ConflictError):
                turn.commit([Retire(A, digest(NEW), 5)], 5)
            turn.commit([Retire(A, digest(OLD), 6)], 6)
        assert contents(store) == {}
        assert (store.kept(5), store.kept(6)) == (None, OLD)

    def test_a_turn_has_room_for_several_acts(self, store: EntryStore) -> None:
        with store.writing() as turn:
            turn.commit([Place(A, turn.stage(A, OLD).name, None, 1)], 1)
            turn.commit([Place(A, turn.stage(A, NEW).name, digest(OLD), 2)], 2)
        assert store.read(A).raw == NEW
        assert store.kept(2) == OLD

    # -- turns

    def test_what_is_only_staged_is_not_there(self, store: EntryStore) -> None:
        with store.writing() as turn:
            turn.stage(A, OLD)
            turn.stage(C, OLD)
            assert list(store.scan()) == []
            turn.discard()
        assert list(store.scan()) == []
        with pytest.raises(MemoryEntryNotFoundError):
            store.read(A)
        assert store.holding([OLD]) == []

    def test_a_turn_that_breaks_off_leaves_nothing_and_ends(self, store: EntryStore) -> None:
        with pytest.raises(ZeroDivisionError), store.writing() as turn:  # noqa: PT012 - the break is what is tested
            turn.stage(A, OLD)
            raise ZeroDivisionError
        assert list(store.scan()) == []
        create(store, A, NEW)
        assert store.read(A).raw == NEW

    def test_there_is_one_turn_at_a_time(self, store: EntryStore) -> None:
        with store.writing() as turn:
            with pytest.raises(StoreBusyError), store.writing():
                pass
            turn.commit([Place(A, turn.stage(A, OLD).name, None, 1)], 1)
        create(store, B, NEW)
        assert contents(store) == {"shared:a": OLD, "shared:b": NEW}

    def test_reading_needs_no_turn(self, store: EntryStore) -> None:
        create(store, A, OLD)
        with store.writing():
            assert store.read(A).raw == OLD
            assert len(list(store.scan())) == 1

    # -- erasing

    def test_erasing_leaves_no_byte(self, store: EntryStore) -> None:
        secret = b"a very secret sentence\n"
        create(store, C, secret)
        update(store, C, NEW, secret, keep=2)
        update(store, C, secret, NEW, keep=3)
        assert store.holding([b"secret sentence"]) != []
        with store.writing() as turn:
            turn.erase(C, [2])
        assert contents(store) == {}
        assert (store.kept(2), store.kept(3)) == (None, NEW)
        assert store.holding([b"secret sentence"]) == []

    def test_kept_copies_alone_can_be_erased(self, store: EntryStore) -> None:
        create(store, A, OLD)
        update(store, A, NEW, OLD, keep=2)
        with store.writing() as turn:
            turn.erase(None, [2, 99])
        assert store.kept(2) is None
        assert store.read(A).raw == NEW

    def test_erasing_what_is_not_there_is_fine(self, store: EntryStore) -> None:
        with store.writing() as turn:
            turn.erase(A, [7])
        assert list(store.scan()) == []

    def test_holding_names_each_file_that_holds_one_of_the_texts(self, store: EntryStore) -> None:
        create(store, A, b"red and green")
        create(store, C, b"blue")
        assert store.holding([b"green", b"pink"]) == [store.path_of(A)]
        assert store.holding([b"pink"]) == []
        assert store.holding([]) == []

    # -- MEMORY.md

    def test_the_page_of_a_folder_is_written_over_what_is_expected(self, store: EntryStore) -> None:
        assert store.index_text(A.folder) == ""
        with store.writing() as turn:
            turn.write_index(A.folder, "- [Quy ước](a.md)\r\n", "")
            turn.write_index(("project", "x"), "- other\n", "")
        with store.writing() as turn:
            turn.write_index(A.folder, "- more\n", "- [Quy ước](a.md)\r\n")
        assert store.index_text(A.folder) == "- more\n"
        assert store.index_text(("project", "x")) == "- other\n"

    def test_a_page_that_somebody_wrote_is_left_as_it_is(self, store: EntryStore) -> None:
        with store.writing() as turn:
            turn.write_index(A.folder, "- theirs\n", "")
            with pytest.raises(FileChangedError):
                turn.write_index(A.folder, "- ours\n", "")
        assert store.index_text(A.folder) == "- theirs\n"

    def test_a_page_is_no_entry(self, store: EntryStore) -> None:
        with store.writing() as turn:
            turn.write_index(A.folder, "- a line\n", "")
        assert list(store.scan()) == []

    def test_bytes_of_a_page_that_are_no_text_survive(self, store: EntryStore) -> None:
        with store.writing() as turn:
            turn.write_index(A.folder, "caf\udce9\n", "")
            turn.write_index(A.folder, "caf\udce9\n- more\n", "caf\udce9\n")
        assert store.index_text(A.folder) == "caf\udce9\n- more\n"


class LastingStoreContract(StoreContract):
    """For a store that outlives its process: `make` opens what is there already."""

    def test_all_of_it_is_there_when_it_is_opened_again(self, tmp_path: Path) -> None:
        first = self.make(tmp_path)
        create(first, A, OLD)
        update(first, A, NEW, OLD, keep=2)
        second = self.make(tmp_path)
        assert second.read(A).raw == NEW
        assert second.kept(2) == OLD
        assert [found.id for found in second.scan()] == [A]

    def test_two_that_are_open_take_turns(self, tmp_path: Path) -> None:
        one, other = self.make(tmp_path), self.make(tmp_path)
        with one.writing(), pytest.raises(StoreBusyError), other.writing():
            pass
        create(other, A, OLD)
        assert one.read(A).raw == OLD
