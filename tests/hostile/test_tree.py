"""A root into which people and programs have put anything: what is sound works, the rest is told and left as it is."""

from __future__ import annotations

import json
import os
import socket
import stat
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from tests.faults.counting import CountingFileSystem
from tests.faults.scenes import open_at

from trinho.adapters.files.syscalls import FileSystem
from trinho.domain.entry import MAX_ENTRY_BYTES
from trinho.domain.ids import MAX_SEGMENTS
from trinho.errors import (
    InvalidMemoryIdError,
    MemoryEntryAlreadyExistsError,
    MemoryEntryNotFoundError,
    PathTraversalError,
    TrinhoError,
    UsageError,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cleanroom import Home, Terminal

SECRET = "what lies outside stays outside"
TEXT = "---\nname: x\n---\n\nbody\n"


@dataclass(frozen=True)
class Bad:
    """Something below `shared` that can't be an entry: how it is made, the ID it seems to have, and what is told."""

    make: Callable[[Path], None]
    where: str
    reason: str
    id: str | None = None


def _link(folder: Path) -> None:
    (folder / "linked.md").symlink_to(_outside(folder))


def _outside(folder: Path) -> Path:
    outside = folder.parent.parent / "outside"
    outside.mkdir(exist_ok=True)
    (outside / "secret.md").write_text(SECRET)
    return outside / "secret.md"


def _linked_folder(folder: Path) -> None:
    (folder / "away").symlink_to(_outside(folder).parent)


def _circle(folder: Path) -> None:
    (folder / "circle.md").symlink_to("circle.md")


def _socket(folder: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        here = os.getcwd()
        os.chdir(folder)  # the name of a socket has room for 107 bytes only
        try:
            listening.bind("socket.md")
        finally:
            os.chdir(here)


def _device(folder: Path) -> None:
    try:
        os.mknod(folder / "null.md", 0o600 | stat.S_IFCHR, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("only root makes devices")


def _sparse(folder: Path) -> None:
    with (folder / "vast.md").open("wb") as file:
        file.truncate(1 << 40)


def _deep(folder: Path) -> None:
    for _ in range(MAX_SEGMENTS):
        folder /= "d"
        folder.mkdir()
    (folder / "x.md").write_text(TEXT)


def _named(name: str | bytes) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        path = os.path.join(os.fsencode(folder), name if isinstance(name, bytes) else os.fsencode(name))
        with open(path, "wb") as file:
            file.write(TEXT.encode())

    return make


def _holding(name: str, raw: bytes) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        (folder / name).write_bytes(raw)

    return make


BAD = {
    "a link to a file": Bad(_link, "shared/linked.md", "symbolic link", "shared:linked"),
    "a link in a circle": Bad(_circle, "shared/circle.md", "symbolic link", "shared:circle"),
    "a pipe": Bad(lambda f: os.mkfifo(f / "pipe.md"), "shared/pipe.md", "not a regular file", "shared:pipe"),
    "a socket": Bad(_socket, "shared/socket.md", "not a regular file", "shared:socket"),
    "a device file": Bad(_device, "shared/null.md", "not a regular file", "shared:null"),
    "a terabyte": Bad(_sparse, "shared/vast.md", "the limit is 1048576", "shared:vast"),
    "a byte too many": Bad(
        _holding("big.md", b"x" * (MAX_ENTRY_BYTES + 1)), "shared/big.md", "the limit is", "shared:big"
    ),
    "folders without end": Bad(_deep, "shared/" + "d/" * (MAX_SEGMENTS - 2) + "d", "folders deep"),
    "a device": Bad(_named("con.md"), "shared/con.md", "device"),
    "a device with an extension": Bad(_named("aux.txt.md"), "shared/aux.txt.md", "device"),
    "a dot at the end": Bad(_named("a..md"), "shared/a..md", "ends in a dot"),
    "a space at the end": Bad(_named("a .md"), "shared/a .md", "ends in a dot or a space"),
    "characters of patterns": Bad(_named("what?.md"), "shared/what?.md", "holds ?"),
    "a line end": Bad(_named("new\nline.md"), "shared/new\nline.md", "invisible"),
    "an escape": Bad(_named("\x1b[31mred.md"), "shared/\x1b[31mred.md", "invisible"),
    "a turned direction": Bad(_named("a\u202edm.md"), "shared/a\u202edm.md", "invisible"),
    "no width": Bad(_named("a\u200bb.md"), "shared/a\u200bb.md", "invisible"),
    "no text": Bad(_named(b"caf\xe9.md"), "shared/caf\udce9.md", "invisible"),
    "a leading dash": Bad(_named("-rf.md"), "shared/-rf.md", "begins with -"),
    "a long name": Bad(_named("x" * 200 + ".md"), "shared/" + "x" * 200 + ".md", "longer than"),
    "two alphabets": Bad(_named("\u0430dmin.md"), "shared/\u0430dmin.md", "mixes"),
    "nothing": Bad(_holding("empty.md", b""), "shared/empty.md", "empty", "shared:empty"),
    "an open block": Bad(_holding("open.md", b"---\nname: x\n"), "shared/open.md", "no closing", "shared:open"),
    "latin letters": Bad(_holding("latin.md", b"caf\xe9\n"), "shared/latin.md", "not UTF-8 at byte 3", "shared:latin"),
    "utf-16": Bad(_holding("wide.md", "xin chào".encode("utf-16")), "shared/wide.md", "UTF-16", "shared:wide"),
    "binary": Bad(_holding("binary.md", b"\x7fELF\0\0"), "shared/binary.md", "NUL", "shared:binary"),
}


@pytest.fixture(params=list(BAD.values()), ids=list(BAD))
def bad(request: pytest.FixtureRequest, home: Home) -> Bad:
    with home.memory() as memory:
        memory.create("shared:sound", "a sound entry about tabs")
    case: Bad = request.param
    case.make(home.root / "shared")
    return case


def _state(home: Home) -> dict[str, bytes | str]:
    """Everything that lies in the tree, unread where it can't be read."""
    found: dict[str, bytes | str] = {}
    for folder, folders, names in os.walk(os.fsencode(home.root / "shared")):
        for name in folders + names:
            path = os.path.join(folder, name)
            if os.path.islink(path):
                found[os.fsdecode(path)] = os.fsdecode(os.readlink(path))
            elif os.path.isfile(path) and os.path.getsize(path) < 1 << 30 and not path.endswith(b"MEMORY.md"):
                with open(path, "rb") as file:
                    found[os.fsdecode(path)] = file.read()
            else:
                found[os.fsdecode(path)] = ""
    return found


def test_it_is_told_and_left_as_it_is(bad: Bad, home: Home, trinho: Terminal) -> None:
    before = _state(home)
    answer = trinho("doctor", "--json")
    assert answer.status == 8
    [finding] = [each for each in answer.json["findings"] if each["severity"] == "fault"]
    assert (finding["code"], finding["where"]) == ("QUARANTINED", bad.where)
    assert bad.reason in finding["what"]
    assert finding["mend"]
    said = trinho("doctor")
    assert said.status == 8
    assert all(character.isprintable() or character == "\n" for character in said.out)
    assert trinho("doctor", "--fix").status == 8
    assert _state(home) == before


def test_it_never_stops_the_rest(bad: Bad, home: Home, trinho: Terminal) -> None:
    before = _state(home)
    assert [row["id"] for row in trinho("list", "--json").json["entries"]] == ["shared:sound"]
    assert [row["id"] for row in trinho("search", "tabs", "--json").json["results"]] == ["shared:sound"]
    for line in (("context", "--task", "tabs"), ("index", "rebuild"), ("index", "status"), ("audit", "verify")):
        assert trinho(*line).status == 0
    assert trinho("update", "shared:sound", "--expected-version", "1", "--body", "tabs, still").status == 0
    assert trinho("create", "shared:other", "--body", "another").status == 0
    assert trinho("export", "--to", str(home.folder / "out")).status == 0
    assert "another" in (home.folder / "out/shared/other.md").read_text()
    after = _state(home)
    assert {path: raw for path, raw in before.items() if not path.endswith("sound.md")}.items() <= after.items()
    assert SECRET not in json.dumps([str(raw) for raw in after.values()])
    out = b"".join(file.read_bytes() for file in (home.folder / "out").rglob("*") if file.is_file())
    assert SECRET.encode() not in out


def test_no_door_opens_it(bad: Bad, home: Home) -> None:
    if bad.id is None:
        return
    before = _state(home)
    with home.memory() as memory:
        doors: list[Callable[[], object]] = [
            lambda: memory.get(bad.id or ""),
            lambda: memory.create(bad.id or "", "over it"),
            lambda: memory.update(bad.id or "", "over it", expected_version=1),
            lambda: memory.move("shared:sound", bad.id or ""),
            lambda: memory.document(bad.id or ""),
        ]
        if bad.where == "shared/open.md":  # its text is given, with a warning
            assert memory.get("shared:open").warnings
            doors = doors[1:4]
        for door in doors:
            with pytest.raises(TrinhoError) as caught:
                door()
            assert SECRET not in caught.value.message
    assert _state(home) == before


def test_an_import_tells_it_and_brings_the_rest(bad: Bad, home: Home, trinho: Terminal) -> None:
    answer = trinho("import", "markdown", str(home.root / "shared"), "--into", "project:alp:in", "--json")
    assert answer.status == 2  # out of the root itself nothing is imported
    source = home.folder / "source"
    (home.folder / "outside").mkdir(exist_ok=True)
    source.mkdir()
    (source / "good.md").write_text(TEXT)
    inner = source / "shared"
    inner.mkdir(parents=True)
    bad.make(inner)
    answer = trinho("import", "markdown", str(source), "--into", "project:alp:in", "--json")
    assert answer.status == 0
    assert "project:alp:in:good" in [each["id"] for each in answer.json["added"]]
    for file in home.root.rglob("*.md"):
        if file.is_file() and not file.is_symlink() and file.stat().st_size < 1 << 30:
            assert SECRET.encode() not in file.read_bytes()


class TestLinkedFolder:
    """A folder that is a link is not entered, by no door."""

    def test_no_door(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:sound", "x")
        _linked_folder(home.root / "shared")
        with home.memory() as memory:
            for door in (
                lambda: memory.get("shared:away:secret"),
                lambda: memory.create("shared:away:new", "x"),
                lambda: memory.update("shared:away:secret", "x", expected_version=1),
                lambda: memory.delete("shared:away:secret", expected_version=1),
                lambda: memory.move("shared:sound", "shared:away:sound"),
                lambda: memory.purge("shared:away:secret"),
            ):
                with pytest.raises(TrinhoError):
                    door()
            assert [str(row.id) for row in memory.entries()] == ["shared:sound"]
        assert [path.name for path in (home.folder / "outside").iterdir()] == ["secret.md"]
        assert (home.folder / "outside/secret.md").read_text() == SECRET

    def test_a_scope_that_is_one(self, home: Home) -> None:
        outside = home.folder / "outside"
        outside.mkdir()
        with home.memory() as memory:
            memory.create("shared:sound", "x")
        (home.root / "projects").symlink_to(outside)
        with home.memory() as memory:
            with pytest.raises(TrinhoError):
                memory.create("project:alp:new", "x")
            assert [finding.where for finding in memory.doctor().findings if finding.is_fault] == ["projects"]
        assert not list(outside.iterdir())


def test_a_folder_whose_name_ends_like_a_file(home: Home) -> None:
    """What is in it is found; it stands in the way of nothing else."""
    with home.memory() as memory:
        memory.create("shared:sound", "x")
    home.write("shared/x.md/inner.md", TEXT)
    with home.memory() as memory:
        assert [str(row.id) for row in memory.entries()] == ["shared:sound", "shared:x.md:inner"]
        with pytest.raises(TrinhoError):
            memory.get("shared:x")
        with pytest.raises(TrinhoError):
            memory.create("shared:x", "y")
        assert [finding for finding in memory.doctor().findings if finding.is_fault] == []


def test_a_root_whose_name_goes_on_is_another_one(home: Home) -> None:
    """`memory` is no beginning of `memory-evil` that would let anything through."""
    sibling = home.root.with_name(f"{home.root.name}-evil")
    (sibling / "shared").mkdir(parents=True)
    (sibling / "shared/secret.md").write_text(SECRET)
    with home.memory() as memory:
        memory.create("shared:sound", "x")
    (home.root / "shared/away").symlink_to(sibling / "shared")
    with home.memory() as memory:
        for text in (f"shared:..:..:{sibling.name}:shared:secret", f"shared:../../{sibling.name}/shared/secret"):
            with pytest.raises(InvalidMemoryIdError):
                memory.get(text)
        away = "shared:away:secret"
        doors: list[Callable[[], object]] = [
            lambda: memory.get(away),
            lambda: memory.create(away, "x"),
            lambda: memory.move("shared:sound", away),
        ]
        for door in doors:
            with pytest.raises(PathTraversalError):
                door()
        assert [str(row.id) for row in memory.entries()] == ["shared:sound"]
        with pytest.raises(UsageError, match="inside the memory root"):
            memory.import_markdown(home.root / "shared", "project:alp:in")
        assert len(memory.import_markdown(sibling / "shared", "project:alp:in").added) == 1
    assert [path.name for path in (sibling / "shared").iterdir()] == ["secret.md"]


class Circle(FileSystem):
    """A folder `again` that is the folder around it, as a bind mount makes one."""

    def open(self, name: str, flags: int, *, dir_fd: int, mode: int = 0o600) -> int:
        return super().open("." if name == "again" else name, flags, dir_fd=dir_fd, mode=mode)


def test_a_folder_that_contains_itself_is_entered_once(home: Home) -> None:
    with home.memory() as memory:
        memory.create("shared:sound", "x")
    (home.root / "shared/again").mkdir()
    with open_at(home.root, Circle()) as memory:
        assert [str(row.id) for row in memory.entries()] == ["shared:sound"]
        [finding] = [finding for finding in memory.doctor().findings if finding.is_fault]
        assert (finding.where, finding.what) == ("shared/again", "the folder contains itself")


class Watched(CountingFileSystem):
    """Counts how often a file is looked at."""

    looks = 0

    def before(self, call: str) -> None:
        self.looks += call == "status_of"


def test_a_folder_of_very_many_files_is_looked_over_file_by_file(home: Home) -> None:
    """What is found is told before the rest is looked at, and is not kept: only their names are in memory."""
    with home.memory() as memory:
        memory.create("shared:sound", "x")
    for n in range(3000):
        (home.root / f"shared/n{n}.md").touch()
    fs = Watched()
    with open_at(home.root, fs) as memory:
        found = memory.session.workspace.store.scan()
        fs.looks = 0
        for looks in range(1, 50):
            assert next(found).path.startswith("shared/n")
            assert fs.looks <= looks + 5
        assert sum(1 for _ in found) == 3001 - 49


class TestHardLink:
    """A second name of a file outside of the root: read as what it is, parted by a write, told by doctor."""

    def test_it_is_never_written_through(self, home: Home) -> None:
        outside = home.folder / "outside.md"
        outside.write_text(TEXT)
        (home.root / "shared").mkdir(parents=True)
        os.link(outside, home.root / "shared/linked.md")
        with home.memory() as memory:
            [finding] = memory.doctor().findings
            assert (finding.code, finding.where, finding.is_fault) == ("HARD_LINKED", "shared/linked.md", False)
            memory.update("shared:linked", "other", expected_version=1)
            memory.delete("shared:linked", expected_version=2)
            memory.undo()
            memory.purge("shared:linked")
            assert not memory.doctor().findings
        assert outside.read_text() == TEXT


class TestForms:
    """`é` as one character or as two: one name, one entry."""

    NFC = "quy-ước"
    NFD = unicodedata.normalize("NFD", NFC)

    @pytest.fixture
    def apart(self, home: Home) -> Path:
        return home.write(f"shared/{self.NFD}/{self.NFD}.md", TEXT)

    def test_it_is_the_entry_of_the_usual_form(self, apart: Path, home: Home, trinho: Terminal) -> None:
        id = f"shared:{self.NFC}:{self.NFC}"
        assert [row["id"] for row in trinho("list", "--json").json["entries"]] == [id]
        with home.memory() as memory:
            assert memory.get(id).body == "body"
            memory.update(id, "changed", expected_version=1)
            assert "changed" in apart.read_text()
            assert [row.id.parts[-1] for row in memory.entries()] == [self.NFC]
            with pytest.raises(MemoryEntryAlreadyExistsError):
                memory.create(id, "x")
            with pytest.raises(InvalidMemoryIdError, match="NFC"):
                memory.get(f"shared:{self.NFD}:x")
            memory.move(id, f"shared:{self.NFC}:other")
            memory.undo()
            memory.delete(id, expected_version=2)
            with pytest.raises(MemoryEntryNotFoundError):
                memory.get(id)
            memory.undo()
            assert memory.get(id).body == "changed"
            memory.create(f"shared:{self.NFC}:second", "beside it")
            assert len(memory.entries()) == 2
            memory.purge(id)
        assert len(list((home.root / "shared").iterdir())) == 2  # one folder, and MEMORY.md

    def test_of_two_the_usual_one_counts(self, apart: Path, home: Home) -> None:
        usual = apart.with_name(f"{self.NFC}.md")
        usual.write_text(TEXT.replace("body", "usual"))
        id = f"shared:{self.NFC}:{self.NFC}"
        with home.memory() as memory:
            assert memory.get(id).body == "usual"
            assert len(memory.entries()) == 1
            [fault] = [finding for finding in memory.doctor(fix=True).findings if finding.is_fault]
            assert "another Unicode form" in fault.what
            memory.update(id, "usual still", expected_version=1)
        assert TEXT in [file.read_text() for file in (home.root / "shared").rglob("*.md")]

    def test_doctor_gives_it_its_usual_name(self, apart: Path, home: Home) -> None:
        with home.memory() as memory:
            assert [finding.code for finding in memory.doctor().findings] == ["NAME_FORM", "NAME_FORM"]
            assert memory.doctor(fix=True).mended
            assert not memory.doctor().findings
            assert memory.get(f"shared:{self.NFC}:{self.NFC}").version == 1
        assert not apart.exists()


class TestCase:
    """`Note` and `note`: both are read where both are, and the second is never made."""

    def test_the_writer_makes_no_second(self, home: Home, trinho: Terminal) -> None:
        with home.memory() as memory:
            memory.create("project:alp:Note", "x")
            for id in ("project:alp:note", "project:Alp:other"):
                with pytest.raises(InvalidMemoryIdError, match="case"):
                    memory.create(id, "y")
            memory.create("shared:x", "x")
            with pytest.raises(InvalidMemoryIdError, match="case"):
                memory.move("shared:x", "project:alp:NOTE")
        home.folder.joinpath("in").mkdir()
        home.folder.joinpath("in/nOTE.md").write_text(TEXT)
        report = trinho("import", "markdown", str(home.folder / "in"), "--into", "project:alp", "--json").json
        assert report["added"] == []
        assert "case" in report["skipped"][0]["reason"]
        assert trinho("create", "project:alp:note", "--body", "y").status == 2

    def test_both_are_read_and_told(self, home: Home) -> None:
        home.write("shared/Note.md", "first\n")
        home.write("shared/note.md", "second\n")
        home.write("shared/Sub/x.md", "third\n")
        home.write("shared/sub/y.md", "fourth\n")
        with home.memory() as memory:
            assert (memory.get("shared:Note").body, memory.get("shared:note").body) == ("first", "second")
            memory.update("shared:note", "changed", expected_version=1)
            memory.create("shared:sub:z", "x")
            found = [(finding.code, finding.where) for finding in memory.doctor().findings]
        assert found == [("CASE_TWINS", "shared/note.md"), ("CASE_TWINS", "shared/sub")]
