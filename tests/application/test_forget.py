"""After a purge no byte of the text stands in any file below the root."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest

from trinho import errors
from trinho.application import pointers, reindex

if TYPE_CHECKING:
    from tests.cleanroom import Home, Terminal

    from trinho.application.session import Session

MARK = "qzxjvkwp"  # in every version of the text, and in nothing else
LINE = f"a line with {MARK} in it, long enough to be known again"


def holding(root: Path, mark: str) -> list[str]:
    files = (file for file in root.rglob("*") if file.is_file())
    return sorted(str(file.relative_to(root)) for file in files if mark.encode() in file.read_bytes())


def locks(root: Path) -> set[tuple[str, str]]:
    """Which of the state's files this process holds read locks on, with the bytes."""
    inodes = {str(file.stat().st_ino): file.name for file in (root / ".trinho").iterdir()}
    held = (line.split() for line in Path("/proc/locks").read_text(encoding="ascii").splitlines() if " POSIX " in line)
    return {
        (inodes[inode], first)
        for *_, kind, pid, place, first, _ in held
        if (inode := place.rpartition(":")[2]) in inodes and kind == "READ" and int(pid) == os.getpid()
    }


def lived(home: Home) -> str:
    """An entry with a past: updated, moved, deleted, brought back. Answers with its ID."""
    with home.memory() as memory:
        memory.create("shared:a:first", LINE, description=f"about {MARK}")
        memory.update("shared:a:first", f"{LINE} again", expected_version=1)
        memory.search(MARK)
        memory.move("shared:a:first", "project:alp:second")
        memory.create("project:alp:stays", "something else")
    with home.memory() as memory:
        version = memory.get("project:alp:second").version
        memory.update("project:alp:second", f"{LINE} third", expected_version=version, description=f"still {MARK}")
        memory.delete("project:alp:second", expected_version=version + 1)
        memory.undo()
        memory.search(MARK)
    return "project:alp:second"


class TestPurge:
    """It erases what delete keeps."""

    def test_no_byte_is_left(self, home: Home) -> None:
        id = lived(home)
        assert {"projects/alp/second.md", "projects/alp/MEMORY.md"} <= set(holding(home.root, MARK))
        with home.memory() as memory:
            purged = memory.purge(id)
        assert holding(home.root, MARK) == []
        assert purged.leftovers == ()
        assert purged.copies >= 3

    def test_the_trail_keeps_the_id(self, home: Home) -> None:
        id = lived(home)
        with home.memory() as memory:
            memory.purge(id)
            assert memory.verify_audit().ok
        assert home.told()[-1] == ("principal", "purge", id, "allowed", None)

    def test_of_a_deleted_entry(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", LINE)
            memory.delete("shared:a:note", expected_version=1)
            memory.purge("shared:a:note")
        assert holding(home.root, MARK) == []

    def test_nothing_brings_it_back(self, home: Home) -> None:
        id = lived(home)
        with home.memory() as memory:
            memory.purge(id)
            with pytest.raises(errors.MemoryEntryNotFoundError):
                memory.get(id)
            run = next(line.seq for line in memory.audit(100) if line.event.operation == "update")
            with pytest.raises(errors.UndoConflictError):
                memory.undo(run)
            assert [str(entry) for entry, _ in memory.undo().entries] == ["project:alp:stays"]
            with pytest.raises(errors.RunNotFoundError):
                memory.undo()
        assert holding(home.root, MARK) == []

    def test_after_a_move_by_hand_the_copies_under_the_old_id_go_too(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:c", LINE)
            memory.update("shared:c", "other words", expected_version=1)
        (home.root / "shared/c.md").rename(home.root / "shared/d.md")
        with home.memory() as memory:
            memory.entries()
            assert memory.purge("shared:d").copies == 2
        assert holding(home.root, MARK) == []

    def test_undo_goes_on_with_what_was_done_before(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:z", "text")
            memory.create("shared:c", LINE)
            memory.update("shared:c", "other words", expected_version=1)
        (home.root / "shared/c.md").rename(home.root / "shared/d.md")
        with home.memory() as memory:
            memory.purge("shared:d")
            assert [str(entry) for entry, _ in memory.undo().entries] == ["shared:z"]

    @pytest.mark.parametrize("to", ["shared/c.md", "private/main/c.md", "projects/alp/team/c.md"])
    def test_after_a_move_by_hand_into_another_folder_the_old_index_holds_nothing(self, home: Home, to: str) -> None:
        with home.memory() as memory:
            memory.create("project:p:b", LINE)
            memory.create("project:p:other", "other words")
        (home.root / to).parent.mkdir(parents=True, exist_ok=True)
        (home.root / "projects/p/b.md").rename(home.root / to)
        with home.memory() as memory:
            [moved] = [row.id for row in memory.entries() if str(row.id).endswith(":c")]
            assert memory.purge(str(moved)).leftovers == ()
        assert holding(home.root, MARK) == []

    def test_after_moves_by_hand_that_emptied_a_folder(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("project:p:b", LINE)
        (home.root / "shared").mkdir(exist_ok=True)
        (home.root / "projects/p/b.md").rename(home.root / "shared/c.md")
        with home.memory() as memory:
            memory.purge("shared:c")
        assert holding(home.root, MARK) == []

    @pytest.mark.skipif(not Path("/proc/locks").exists(), reason="only Linux shows who holds which lock")
    def test_the_locks_of_the_databases_are_held_on(self, home: Home) -> None:
        """Closing any descriptor of a file drops them, and then another process may take its log away."""
        with home.memory() as memory:
            memory.create("shared:a:note", LINE)
            memory.search("line")
            before = locks(home.root)
            memory.purge("shared:a:note")
            memory.search("line")
            assert before
            assert {kind for kind, _ in locks(home.root)} >= {kind for kind, _ in before}

    def test_what_another_entry_was_under_that_id_stays(self, home: Home) -> None:
        """The first one lives elsewhere by now, with its past."""
        with home.memory() as memory:
            memory.create("shared:b", "the first one, as it began")
            memory.update("shared:b", "the first one, later", expected_version=1)
            memory.move("shared:b", "shared:c")
            memory.create("shared:b", LINE)
            purged = memory.purge("shared:b")
            assert (purged.copies, purged.leftovers) == (1, ())
            assert holding(home.root, MARK) == []
            memory.undo("3")
            memory.undo("2")
            assert memory.get("shared:b").body == "the first one, as it began"

    def test_versions_go_on(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", LINE)
            memory.purge("shared:a:note")
            assert memory.create("shared:a:note", "new").version == 2

    def test_others_stay(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", LINE)
            memory.create("shared:a:other", "another")
            memory.update("shared:a:other", "changed", expected_version=1)
            memory.purge("shared:a:note")
            assert memory.search("changed").results
            memory.undo("3")
            assert memory.get("shared:a:other").body == "another"

    def test_a_copy_elsewhere_is_told(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", LINE)
        home.write("shared/a/copy.md", f"{LINE}\n")
        with home.memory() as memory:
            assert "shared/a/copy.md" in memory.purge("shared:a:note").leftovers

    def test_an_index_that_was_set_aside_goes_too(self, home: Home) -> None:
        id = lived(home)
        index = home.root / ".trinho/index.db"
        connection = apsw.Connection(str(index))
        connection.execute("PRAGMA journal_mode = DELETE").fetchall()
        connection.close()
        index.write_bytes(b"no database" + index.read_bytes()[11:])
        with home.memory() as memory:
            memory.search("x")
        assert ".trinho/index.db.damaged" in holding(home.root, MARK)
        with home.memory() as memory:
            memory.purge(id)
        assert holding(home.root, MARK) == []

    def test_a_name_that_others_have_too_is_no_leftover(self, home: Home) -> None:
        for place in ("a", "b"):
            home.write(
                f"shared/{place}/indentation.md", f"---\nname: indentation rules\n---\n\nsaid by {place} alone\n"
            )
        with home.memory() as memory:
            purged = memory.purge("shared:a:indentation")
        assert (purged.copies, purged.sought, purged.leftovers) == (1, 1, ())

    def test_of_nothing_that_is_left(self, home: Home, trinho: Terminal) -> None:
        """Purged already, or lost with the trash: that is said, and nothing of lines that were looked for."""
        id = lived(home)
        for _ in range(2):
            answer = trinho("forget", id, "--purge", "--yes")
        assert (answer.status, answer.out) == (0, f"of {id} nothing was left to erase\n")

    def test_what_never_was(self, home: Home) -> None:
        with home.memory() as memory, pytest.raises(errors.MemoryEntryNotFoundError):
            memory.purge("shared:a:none")
        assert home.told() == [("principal", "purge", "shared:a:none", "error", "MEMORY_NOT_FOUND")]


class TestAtOnce:
    """Purges of several processes don't get in each other's way."""

    def test_a_purge_that_begins_while_another_one_ends(self, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
        with home.memory() as one, home.memory() as other:
            one.create("shared:a:first", "the first one")
            one.create("shared:a:second", f"{LINE}")
            rebuild = reindex.rebuild

            def meanwhile(session: Session) -> int:
                """The other one has begun, and hasn't come to its index yet."""
                monkeypatch.setattr(reindex, "rebuild", rebuild)
                with monkeypatch.context() as context:
                    context.setattr(pointers, "flush", interrupted)
                    with pytest.raises(KeyboardInterrupt):
                        other.purge("shared:a:second")
                return rebuild(session)

            monkeypatch.setattr(reindex, "rebuild", meanwhile)
            one.purge("shared:a:first")
            assert list(map(str, pointers.purged_ids(one.session.workspace))) == ["shared:a:second"]
        with home.memory() as memory:
            memory.create("shared:a:third", "the next writer")
        assert holding(home.root, MARK) == []
        with home.memory() as memory:
            assert pointers.purged_ids(memory.session.workspace) == []

    def test_a_note_that_another_one_removes(self, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
        with home.memory() as memory:
            memory.create("shared:a:first", "the first one")
            memory.session.workspace.ledger.set_note(pointers.PURGING, "shared:a:gone")
            index = pointers._index

            def meanwhile(session: Session) -> None:
                index(session)
                session.workspace.ledger.set_note(pointers.PURGING, None)

            monkeypatch.setattr(pointers, "_index", meanwhile)
            memory.create("shared:a:second", "another one")
            assert memory.session.notices == []


def interrupted(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


class TestWord:
    """It needs a person's word."""

    def test_no_agent_may(self, home: Home, trinho: Terminal) -> None:
        lived(home)
        answer = trinho("--as", "main", "--json", "forget", "project:alp:second", "--purge", "--yes")
        assert (answer.status, answer.error["code"]) == (3, "RESERVED_FOR_PRINCIPAL")
        assert home.told()[-1] == (
            "main",
            "forget --purge",
            "project:alp:second",
            "denied",
            "RESERVED_FOR_PRINCIPAL",
        )
        assert (home.root / "projects/alp/second.md").exists()

    def test_without_a_terminal_it_wants_yes(self, home: Home, trinho: Terminal) -> None:
        lived(home)
        before = holding(home.root, MARK)
        answer = trinho("--json", "forget", "project:alp:second", "--purge", stdin="y\n")
        assert (answer.status, answer.error["code"]) == (2, "CONFIRMATION_REQUIRED")
        assert holding(home.root, MARK) == before

    def test_with_yes_it_tells_what_is_out_of_reach(self, home: Home, trinho: Terminal) -> None:
        lived(home)
        answer = trinho("forget", "project:alp:second", "--purge", "--yes")
        assert answer.status == 0
        for place in ("git history", "backups", "transcripts"):
            assert place in answer.out
        assert holding(home.root, MARK) == []

    def test_without_purge_it_names_delete(self, home: Home, trinho: Terminal) -> None:
        lived(home)
        answer = trinho("forget", "project:alp:second")
        assert answer.status == 2
        assert "trinho delete project:alp:second" in answer.err
