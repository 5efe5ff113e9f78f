"""The five doors: parse, authorize, do, audit."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.cleanroom import Home

from trinho import errors
from trinho.access.actor import RoleActor
from trinho.access.grant import parse_grant
from trinho.access.role import Role
from trinho.application.memory import MemoryService
from trinho.application.ranking import SearchQuery
from trinho.application.session import Session, Workspace
from trinho.bootstrap import utc_now
from trinho.domain.entry import MAX_ENTRY_BYTES, Draft, EntryType, Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from trinho.application.library import Memory
    from trinho.domain.audit import AuditEvent, AuditLine

DOORS: dict[str, Callable[[Memory, str], object]] = {
    "get": lambda memory, name: memory.get(name),
    "create": lambda memory, name: memory.create(name, "text"),
    "update": lambda memory, name: memory.update(name, "text", expected_version=1),
    "delete": lambda memory, name: memory.delete(name, expected_version=1),
    "search": lambda memory, name: memory.search("text", scope=name),
}
each_door = pytest.mark.parametrize("door", DOORS)


class TestOneLineEach:
    """Every request leaves exactly one line in the trail."""

    def test_allowed(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", "text")
            memory.get("shared:a:note")
            memory.update("shared:a:note", "other", expected_version=1)
            memory.search("other", scope="shared:a")
            memory.delete("shared:a:note", expected_version=2)
        assert home.told() == [
            ("principal", "create", "shared:a:note", "allowed", None),
            ("principal", "get", "shared:a:note", "allowed", None),
            ("principal", "update", "shared:a:note", "allowed", None),
            ("principal", "search", "shared:a", "allowed", None),
            ("principal", "delete", "shared:a:note", "allowed", None),
        ]
        assert [line["version"] for line in home.audit()] == [1, 1, 2, None, 2]

    @each_door
    def test_denied(self, home: Home, door: str) -> None:
        with home.memory("worker") as memory, pytest.raises(errors.UnauthorizedMemoryAccessError):
            DOORS[door](memory, "private:main:plan")
        assert home.told() == [("worker", door, "private:main:plan", "denied", "PRIVATE_MEMORY_DENIED")]

    @pytest.mark.parametrize("door", ["get", "update", "delete"])
    def test_missing(self, home: Home, door: str) -> None:
        with home.memory() as memory, pytest.raises(errors.MemoryEntryNotFoundError):
            DOORS[door](memory, "shared:a:gone")
        assert home.told() == [("principal", door, "shared:a:gone", "error", "MEMORY_NOT_FOUND")]

    def test_conflicts(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", "text")
            with pytest.raises(errors.MemoryEntryAlreadyExistsError):
                memory.create("shared:a:note", "text")
            for door in ("update", "delete"):
                if door == "update":
                    memory.update("shared:a:note", "again", expected_version=1)
                with pytest.raises(errors.MemoryVersionConflictError) as conflict:
                    DOORS[door](memory, "shared:a:note")
                assert (conflict.value.fields["expected"], conflict.value.fields["actual"]) == (1, 2)
        assert [(line[1], line[3], line[4]) for line in home.told()] == [
            ("create", "allowed", None),
            ("create", "error", "MEMORY_ALREADY_EXISTS"),
            ("update", "allowed", None),
            ("update", "error", "MEMORY_VERSION_CONFLICT"),
            ("delete", "error", "MEMORY_VERSION_CONFLICT"),
        ]

    @pytest.mark.parametrize("door", ["get", "create", "update", "delete"])
    def test_invalid_id_is_escaped_and_cut(self, home: Home, door: str) -> None:
        with home.memory("main") as memory, pytest.raises(errors.InvalidMemoryIdError):
            DOORS[door](memory, "shared:\x1b[31m\u202e" + "x" * 5000)
        [(actor, operation, id, result, code)] = home.told()
        assert (actor, operation, result, code) == ("main", door, "error", "INVALID_MEMORY_ID")
        assert id is not None
        assert id.startswith("shared:\\x1b[31m\\u202ex")
        assert len(id) < 200

    def test_invalid_scope(self, home: Home) -> None:
        with home.memory("main") as memory, pytest.raises(errors.InvalidMemoryGrantError):
            memory.search("text", scope="nowhere:x")
        assert home.told() == [("main", "search", "nowhere:x", "error", "INVALID_MEMORY_GRANT")]

    def test_unknown_role(self, home: Home) -> None:
        with pytest.raises(errors.UnknownActorError):
            home.memory("nobody\x1b")
        assert home.told() == [("nobody\\x1b", "open", None, "denied", "UNKNOWN_ACTOR")]

    @pytest.mark.parametrize("field", ["kind", "type"])
    def test_a_kind_or_type_that_there_is_not(self, home: Home, field: str) -> None:
        with home.memory() as memory:
            with pytest.raises(errors.InvalidEntryError) as error:
                memory.create("shared:a:note", "text", **{field: "poem"})
            with pytest.raises(errors.InvalidEntryError):
                memory.update("shared:a:note", "text", expected_version=1, **{field: "poem"})
        assert error.value.fields["field"] == field
        assert "reference" in error.value.hint
        assert [line[1:] for line in home.told()] == [
            ("create", "shared:a:note", "error", "INVALID_ENTRY"),
            ("update", "shared:a:note", "error", "INVALID_ENTRY"),
        ]

    def test_a_reader_is_recorded_with_the_session(self, home: Home) -> None:
        named = Home(home.folder, {"TRINHO_SESSION": "s-1"})
        with named.memory() as memory:
            memory.search("x")
        assert [line["session"] for line in home.audit()] == ["s-1"]


class _Touched(Exception):  # noqa: N818 - it is no error, it is what must not happen
    """Something was asked of the disk."""


class _Untouchable:
    """A store, index and ledger that may not be reached."""

    def __getattr__(self, name: str) -> Any:
        raise _Touched(name)

    def __call__(self, *_: object) -> Any:
        raise _Touched("open")


class _Trail:
    """Remembers what is audited."""

    def __init__(self) -> None:
        self.events: list[AuditEvent] = []

    def append(self, events: list[AuditEvent], *_: object, **__: object) -> list[AuditLine]:
        self.events += events
        return []


def _sealed() -> tuple[MemoryService, _Trail]:
    """The five doors for a role that may read and write shared:open alone, on a disk that may not be reached."""
    trail = _Trail()
    nothing: Any = _Untouchable()
    audit: Any = trail
    workspace = Workspace(
        root="/",
        store=nothing,
        ledger=nothing,
        audit=audit,
        open_index=nothing,
        clock=utc_now,
        close=lambda: None,
        open_scanner=nothing,
        open_allowed_secrets=nothing,
        domains=nothing,
        repositories=nothing,
        scratch_index=nothing,
    )
    opened = (parse_grant("shared:open"), parse_grant("private:guest"))
    return MemoryService(Session(RoleActor(Role("guest", memory_read=opened, memory_write=opened)), workspace)), trail


SERVICE: dict[str, Callable[[MemoryService, str], object]] = {
    "get": lambda doors, name: doors.get(name),
    "create": lambda doors, name: doors.create(name, Draft("text")),
    "update": lambda doors, name: doors.update(name, Draft("text"), 1),
    "delete": lambda doors, name: doors.delete(name, 1),
    "search": lambda doors, name: doors.search(SearchQuery("text", scope=name)),
}


class TestDenialComesFirst:
    """A denial is the same whatever is there, because nothing was looked at."""

    @each_door
    @pytest.mark.parametrize("id", ["private:main:plan", "shared:closed:note", "project:alp:goals"])
    def test_before_anything_is_read(self, door: str, id: str) -> None:
        service, trail = _sealed()
        with pytest.raises(errors.UnauthorizedMemoryAccessError):
            SERVICE[door](service, id)
        assert [(event.operation, event.id, event.result) for event in trail.events] == [(door, id, "denied")]

    @each_door
    def test_what_is_granted_does_reach_the_disk(self, door: str) -> None:
        service, _ = _sealed()
        with pytest.raises(_Touched):
            SERVICE[door](service, "shared:open:note")

    @each_door
    def test_before_an_invalid_id_is_looked_for(self, door: str) -> None:
        service, trail = _sealed()
        with pytest.raises(errors.InvalidInputError):
            SERVICE[door](service, "shared:../../etc/passwd")
        assert [event.result for event in trail.events] == ["error"]

    @each_door
    def test_the_same_whether_or_not_the_entry_exists(self, home: Home, door: str) -> None:
        with home.memory() as memory:
            memory.create("private:main:plan", "text")
        told = []
        with home.memory("worker") as memory:
            for id in ("private:main:plan", "private:main:none"):
                with pytest.raises(errors.UnauthorizedMemoryAccessError) as denial:
                    DOORS[door](memory, id)
                told.append(str(denial.value.as_dict()).replace(id, "ID"))
        assert told[0] == told[1]

    def test_the_grant_that_would_open_it_is_named(self, home: Home) -> None:
        with home.memory("compaction") as memory, pytest.raises(errors.UnauthorizedMemoryAccessError) as denial:
            memory.create("shared:team:note", "text")
        assert denial.value.error_code == "MEMORY_NOT_GRANTED"
        assert denial.value.fields["grant_that_would_open"] == "shared:team:note"


class TestReservedBranches:
    """What another command keeps is closed to agents and open to the person."""

    @pytest.mark.parametrize(
        ("id", "way"),
        [
            ("shared:facts:testing:x", "`trinho fact propose`"),
            ("project:alp:policies:style:x", "`trinho policy propose`"),
            ("project:alp:team:facts:x", "`trinho fact propose`"),
            ("project:alp:logs:2026:12:x", "`trinho log append`"),
            ("private:main:notes", "`trinho notes set`"),
            ("shared:deep:MEMORY", "the index"),
        ],
    )
    @pytest.mark.parametrize("door", ["create", "update", "delete"])
    def test_agents_are_told_who_can(self, home: Home, door: str, id: str, way: str) -> None:
        with home.memory("main") as memory, pytest.raises(errors.UnauthorizedMemoryAccessError) as denial:
            DOORS[door](memory, id)
        assert denial.value.error_code == "RESERVED_MEMORY_BRANCH"
        assert denial.value.exit_status == 3
        assert way in denial.value.hint
        assert home.told() == [("main", door, id, "denied", "RESERVED_MEMORY_BRANCH")]

    def test_the_person_may(self, home: Home) -> None:
        with home.memory() as memory:
            assert memory.create("shared:facts:testing:x", "text").version == 1

    @pytest.mark.parametrize("id", ["shared:MEMORY", "project:alp:MEMORY", "project:alp:team:MEMORY"])
    def test_the_index_is_no_entry_for_anybody(self, home: Home, id: str) -> None:
        with home.memory() as memory, pytest.raises(errors.InvalidMemoryIdError):
            memory.create(id, "text")


class TestCreate:
    """What the caller leaves out is filled."""

    def test_defaults(self, home: Home) -> None:
        with home.memory() as memory:
            entry = memory.create("shared:team:indentation", "\n\n# Four spaces\n\nNever tabs.")
        assert (entry.name, entry.description) == ("indentation", "Four spaces")
        assert (entry.type, entry.kind, entry.version) == (EntryType.PROJECT, Kind.REFERENCE, 1)
        assert entry.created_at == entry.updated_at
        head = (home.root / "shared/team/indentation.md").read_text(encoding="utf-8").split("---\n")[1]
        keys = [line.split(":")[0] for line in head.splitlines()]
        assert keys == ["name", "description", "type", "kind", "version", "created", "updated"]

    @pytest.mark.parametrize("kind", list(Kind))
    @pytest.mark.parametrize("type", list(EntryType))
    def test_every_kind_and_type(self, home: Home, kind: Kind, type: EntryType) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", "text", kind=kind.value, type=type.value, name="N", description="D")
            entry = memory.get("shared:a:note")
        assert (entry.kind, entry.type, entry.name, entry.description) == (kind, type, "N", "D")

    def test_a_body_over_one_mebibyte(self, home: Home) -> None:
        with home.memory() as memory:
            with pytest.raises(errors.BodyTooLargeError) as error:
                memory.create("shared:a:note", "x" * (MAX_ENTRY_BYTES + 1))
            assert error.value.fields["limit"] == MAX_ENTRY_BYTES
            with pytest.raises(errors.MemoryEntryNotFoundError):
                memory.get("shared:a:note")
        assert [line[4] for line in home.told()] == ["BODY_TOO_LARGE", "MEMORY_NOT_FOUND"]
        assert list((home.root / "shared").rglob("*")) == []

    @pytest.mark.parametrize("body", ["a\0b", "\ud800"])
    def test_a_body_that_no_text_file_can_hold(self, home: Home, body: str) -> None:
        with home.memory() as memory, pytest.raises(errors.InvalidEntryError):
            memory.create("shared:a:note", body)

    @pytest.mark.parametrize("body", ["", "\n", "a\r\nb", "---\nx: y\n---\n", "\ufeffmark", "no end", "end\n\n"])
    def test_the_body_comes_back_as_it_was_given(self, home: Home, body: str) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", body)
            assert memory.get("shared:a:note").body == body


class TestUpdate:
    """Only what differs is changed."""

    def test_a_description_made_of_the_body_follows_it(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", "Deploy on Fridays.")
            assert memory.update("shared:a:note", "Never deploy.", expected_version=1).description == "Never deploy."
            own = memory.update("shared:a:note", expected_version=2, description="About deploys")
            assert memory.update("shared:a:note", "x", expected_version=own.version).description == "About deploys"
        assert "Friday" not in (home.root / "shared/MEMORY.md").read_text()

    def test_a_pipe_among_the_kept_copies_is_none(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", "one")
            memory.update("shared:a:note", "two", expected_version=1)
            (home.root / ".trinho/trash/2.md").unlink()
            os.mkfifo(home.root / ".trinho/trash/2.md")
            with pytest.raises(errors.UndoConflictError):
                memory.undo()
            assert memory.get("shared:a:note").body == "two"

    def test_metadata_alone_leaves_the_rest_of_the_bytes(self, home: Home) -> None:
        head = "---\n# mine\nzeta: 1\nname: Old\n---\n"
        body = "\r\nFirst  \nsecond\r\n\n\ttabs \u202f and more"
        file = home.write("shared/a/note.md", head + body)
        with home.memory() as memory:
            version = memory.get("shared:a:note").version
            entry = memory.update("shared:a:note", name="New", expected_version=version)
        after = file.read_bytes().decode()
        assert (entry.name, entry.version) == ("New", version + 1)
        assert after.endswith("---\n" + body)
        assert after.startswith("---\n# mine\nzeta: 1\nname: New\n")

    def test_each_update_is_newer(self, home: Home) -> None:
        with home.memory() as memory:
            first = memory.create("shared:a:note", "1")
            second = memory.update("shared:a:note", "2", expected_version=1)
            third = memory.update("shared:a:note", kind="log", expected_version=2)
        assert [first.version, second.version, third.version] == [1, 2, 3]
        assert first.updated_at < second.updated_at < third.updated_at
        assert first.created_at == third.created_at

    def test_a_hand_edit_is_a_newer_version(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", "1")
        file = home.root / "shared/a/note.md"
        file.write_bytes(file.read_bytes() + b"by hand\n")
        with home.memory() as memory:
            with pytest.raises(errors.MemoryVersionConflictError):
                memory.update("shared:a:note", "2", expected_version=1)
            assert memory.get("shared:a:note").version == 2

    def test_a_hand_edit_counts_where_the_index_is_gone(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", "1")
        file = home.root / "shared/a/note.md"
        file.write_bytes(file.read_bytes() + b"by hand\n")
        for index in (home.root / ".trinho").glob("index.db*"):
            index.unlink()
        with home.memory() as memory, pytest.raises(errors.MemoryVersionConflictError):
            memory.update("shared:a:note", "2", expected_version=1)


class TestFilesOfPeople:
    """Whatever state a file is in, it can be read or said to be unreadable, and taken away."""

    def test_without_frontmatter(self, home: Home) -> None:
        file = home.write("projects/alp/goals.md", "# Ship it\n\nSoon.\n")
        with home.memory() as memory:
            entry = memory.get("project:alp:goals")
            assert (entry.name, entry.description, entry.version) == ("goals", "Ship it", 1)
            assert (entry.kind, entry.type) == (Kind.REFERENCE, EntryType.PROJECT)
            assert memory.search("soon").results[0].entry.id == entry.id
            memory.update("project:alp:goals", "# Ship it\n\nLater.", expected_version=1)
        assert file.read_text(encoding="utf-8").endswith("\n\n# Ship it\n\nLater.\n")

    def test_with_broken_frontmatter(self, home: Home) -> None:
        raw = "---\nname: a\nname: b\n---\nfindme\n"
        file = home.write("shared/a/note.md", raw)
        with home.memory() as memory:
            entry = memory.get("shared:a:note")
            assert (entry.body, entry.kind) == (raw, Kind.REFERENCE)
            assert entry.warnings[0].startswith("broken frontmatter in line 3")
            with pytest.raises(errors.BrokenFrontmatterError):
                memory.update("shared:a:note", "new", expected_version=entry.version)
            assert file.read_text(encoding="utf-8") == raw
            assert memory.search("findme").results == ()
            memory.delete("shared:a:note", expected_version=entry.version)
        assert not file.exists()

    def test_not_utf8(self, home: Home) -> None:
        file = home.write("shared/a/note.md", b"\xff\xfea\0b\0")
        with home.memory() as memory:
            for door in ("get", "update"):
                with pytest.raises(errors.UnreadableEntryError):
                    DOORS[door](memory, "shared:a:note")
            assert file.read_bytes() == b"\xff\xfea\0b\0"
            memory.delete("shared:a:note", expected_version=1)
        assert not file.exists()

    def test_an_unknown_kind_is_a_reference(self, home: Home) -> None:
        home.write("shared/a/note.md", "---\nkind: poem\n---\nx\n")
        with home.memory() as memory:
            entry = memory.get("shared:a:note")
        assert entry.kind is Kind.REFERENCE
        assert "poem" in entry.warnings[0]


class TestDelete:
    """A delete is a move into the trash, and numbers go on."""

    def test_versions_go_on_after_a_delete(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", "1")
            memory.update("shared:a:note", "2", expected_version=1)
            memory.delete("shared:a:note", expected_version=2)
            assert memory.create("shared:a:note", "3").version == 3

    def test_the_bytes_are_kept(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:a:note", "precious")
            raw = (home.root / "shared/a/note.md").read_bytes()
            memory.delete("shared:a:note", expected_version=1)
        kept = [file.read_bytes() for file in (home.root / ".trinho/trash").iterdir()]
        assert kept == [raw]


def test_an_entry_moved_by_hand_tells_where_it_went(home: Home) -> None:
    with home.memory() as memory:
        memory.create("shared:a:note", "a text of its own")
    Path(home.root / "shared/a/note.md").rename(home.root / "shared/a/other.md")
    with home.memory() as memory, pytest.raises(errors.MemoryEntryNotFoundError) as error:
        memory.get("shared:a:note")
    assert error.value.fields["moved_to"] == "shared:a:other"
