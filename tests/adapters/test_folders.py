"""Folders of the person: read whatever state they are in, never beyond their edge."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

import pytest

from trinho.adapters.files import source_tree
from trinho.adapters.files.folders import PlainFolders
from trinho.domain.entry import MAX_ENTRY_BYTES
from trinho.errors import StoreIOError, UsageError
from trinho.ports.source import SourceFile, SourceKind

MARKDOWN, CLAUDE_CODE = SourceKind.MARKDOWN, SourceKind.CLAUDE_CODE
AGENTS_MD, DOT_MEMORY = SourceKind.AGENTS_MD, SourceKind.DOT_MEMORY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "notes"
    made.mkdir()
    return made


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "root"
    made.mkdir()
    return made


def write(path: Path, text: str | bytes = "text\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def read(path: Path, root: Path, kind: SourceKind = MARKDOWN) -> list[SourceFile]:
    return list(PlainFolders().source(kind, str(path), str(root)).files)


def taken(path: Path, root: Path, kind: SourceKind = MARKDOWN) -> list[str]:
    return ["/".join(file.parts) for file in read(path, root, kind) if file.fault is None]


def faults(path: Path, root: Path, kind: SourceKind = MARKDOWN) -> dict[str, str | None]:
    return {"/".join(file.parts): file.fault for file in read(path, root, kind) if file.fault is not None}


class TestMarkdown:
    """Every Markdown file, byte for byte, in the order of its path."""

    def test_files_and_folders(self, folder: Path, root: Path) -> None:
        for name in ("b.md", "a/x.md", "UPPER.MD", "c.txt", "x.md/in.md", ".git/config.md"):
            write(folder / name, name)
        assert taken(folder, root) == ["UPPER", "a/x", "b", "x.md/in"]

    def test_bytes_stay(self, folder: Path, root: Path) -> None:
        raw = b"\xef\xbb\xbf---\r\nname: x\r\n---\r\n\xff\x00tail"
        write(folder / "a.md", raw)
        assert [file.raw for file in read(folder, root)] == [raw]

    def test_a_name_that_is_no_text_is_shown_escaped(self, folder: Path, root: Path) -> None:
        with open(os.path.join(os.fsencode(folder), b"caf\xe9.md"), "w", encoding="utf-8") as file:
            file.write("x")
        assert [file.path for file in read(folder, root)] == [f"{folder}/caf\\xe9.md"]

    def test_hidden_files_are_told_of(self, folder: Path, root: Path) -> None:
        write(folder / ".draft.md")
        assert faults(folder, root) == {".draft": "it is hidden"}


class TestHostileFolder:
    """Whatever lies in the folder, the rest is read, and nothing beyond."""

    def test_links_are_not_followed(self, folder: Path, root: Path, tmp_path: Path) -> None:
        secret = write(tmp_path / "secret.md", "secret")
        (folder / "file.md").symlink_to(secret)
        (folder / "dead.md").symlink_to("nowhere")
        (folder / "loop").symlink_to(folder)
        (folder / "photo.png").symlink_to(secret)
        write(folder / "sound.md")
        link = "it is a symbolic link"
        assert faults(folder, root) == {"dead": link, "file": link, "loop": link}
        assert taken(folder, root) == ["sound"]

    def test_what_is_no_file_is_not_opened(self, folder: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        os.mkfifo(folder / "fifo.md")
        monkeypatch.chdir(folder)  # the path of a socket has few characters
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind("socket.md")
            assert set(faults(folder, root).values()) == {"it is not a regular file"}

    def test_a_huge_file_is_not_read(self, folder: Path, root: Path) -> None:
        with open(folder / "sparse.md", "wb") as file:
            file.truncate(1 << 40)
        write(folder / "most.md", b"x" * MAX_ENTRY_BYTES)
        assert faults(folder, root) == {"sparse": f"it has {1 << 40} bytes, the limit is {MAX_ENTRY_BYTES}"}
        assert taken(folder, root) == ["most"]

    def test_depth_is_bounded(self, folder: Path, root: Path) -> None:
        write(folder.joinpath(*["d"] * 40) / "deep.md")
        write(folder.joinpath(*["d"] * 31) / "reached.md")
        assert faults(folder, root) == {"/".join(["d"] * 32): "it is 32 folders deep, and no id has so many segments"}
        assert taken(folder, root) == ["/".join([*["d"] * 31, "reached"])]

    def test_the_number_of_files_is_bounded(self, folder: Path) -> None:
        for number in range(9):
            write(folder / f"{number % 3}" / f"{number}.md")
        walk = source_tree.SourceTree("notes", source_tree.MARKDOWN, most_files=5)
        files = list(walk.files(source_tree.open_folder(str(folder))))
        assert [file.raw is not None for file in files] == [True, True, True, False]
        assert files[-1].fault == "it holds more than 5 files; import its parts one by one"

    def test_a_file_that_vanishes(self, folder: Path, root: Path) -> None:
        write(folder / "a.md")
        gone = write(folder / "b.md")
        files = PlainFolders().source(MARKDOWN, str(folder), str(root)).files
        assert next(files).fault is None
        gone.unlink()
        assert [file.fault for file in files] == ["it vanished while the folder was read"]

    def test_a_folder_that_becomes_a_link(self, folder: Path, root: Path, tmp_path: Path) -> None:
        write(tmp_path / "outside" / "secret.md")
        write(folder / "a.md")
        (folder / "b").mkdir()
        files = PlainFolders().source(MARKDOWN, str(folder), str(root)).files
        assert next(files).fault is None
        (folder / "b").rmdir()
        (folder / "b").symlink_to(tmp_path / "outside")
        assert [file.fault for file in files] == ["it is a symbolic link"]

    def test_a_file_that_keeps_changing(self, folder: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Each reading finds the file grown, as that of a journal would."""
        journal = write(folder / "a.md", "0")
        fstat = os.fstat
        looks = iter(range(1, 100))

        def growing(fd: int) -> os.stat_result:
            journal.write_text("0" * next(looks), encoding="utf-8")
            return fstat(fd)

        monkeypatch.setattr(os, "fstat", growing)
        assert faults(folder, root) == {"a": "it keeps changing while it is read"}

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may read anything")
    def test_what_may_not_be_read(self, folder: Path, root: Path) -> None:
        write(folder / "a.md").chmod(0)
        write(folder / "b" / "x.md").parent.chmod(0)
        try:
            assert faults(folder, root) == {"a": "permission denied", "b": "permission denied"}
        finally:
            (folder / "b").chmod(0o700)

    def test_no_descriptor_stays_open(self, folder: Path, root: Path) -> None:
        write(folder / "a" / "b" / "x.md")
        before = len(os.listdir("/dev/fd"))
        read(folder, root)
        started = PlainFolders().source(MARKDOWN, str(folder), str(root)).files
        next(started)
        started.close()  # type: ignore[attr-defined] # a generator, as every walk is
        assert len(os.listdir("/dev/fd")) == before


class TestPath:
    """The path itself may be a link, and neither holds the root nor lies in it."""

    def test_a_link_is_resolved_once(self, folder: Path, root: Path, tmp_path: Path) -> None:
        write(folder / "a.md")
        (tmp_path / "link").symlink_to(folder)
        source = PlainFolders().source(MARKDOWN, str(tmp_path / "link"), str(root))
        assert source.name == "notes"
        assert [file.path for file in source.files] == [f"{tmp_path}/link/a.md"]

    def test_a_trailing_separator_changes_nothing(self, folder: Path, root: Path) -> None:
        assert PlainFolders().source(MARKDOWN, f"{folder}/", str(root)).name == "notes"

    @pytest.mark.parametrize("kind", list(SourceKind))
    def test_apart_from_the_root(self, root: Path, tmp_path: Path, kind: SourceKind) -> None:
        write(root / "shared" / "MEMORY.md")
        write(tmp_path / "MEMORY.md")
        (tmp_path / "link").symlink_to(root / "shared")
        for inside in (root / "shared", tmp_path / "link"):
            with pytest.raises(UsageError, match="is inside the memory root"):
                PlainFolders().source(kind, str(inside), str(root))
        with pytest.raises(UsageError, match="the memory root is inside"):
            PlainFolders().source(kind, str(tmp_path), str(root))

    @pytest.mark.parametrize("kind", list(SourceKind))
    def test_that_is_not_there(self, tmp_path: Path, root: Path, kind: SourceKind) -> None:
        (tmp_path / "loop").symlink_to("loop")
        for path in ("nope", "loop", "nul\0"):
            with pytest.raises(UsageError):
                PlainFolders().source(kind, str(tmp_path / path), str(root))

    @pytest.mark.parametrize("kind", [MARKDOWN, CLAUDE_CODE, DOT_MEMORY])
    def test_that_is_no_folder(self, folder: Path, root: Path, kind: SourceKind) -> None:
        with pytest.raises(UsageError, match="is no folder"):
            PlainFolders().source(kind, str(write(folder / "a.md")), str(root))


class TestMemoryFolder:
    """A client's memory folder is found from the folder around it, and named after that."""

    @pytest.mark.parametrize(("kind", "inner"), [(CLAUDE_CODE, "memory"), (DOT_MEMORY, ".memory")])
    def test_named_itself_or_by_what_holds_it(self, folder: Path, root: Path, kind: SourceKind, inner: str) -> None:
        write(folder / "transcript.md")
        write(folder / inner / "logs" / "a.md")
        for path in (folder, folder / inner):
            source = PlainFolders().source(kind, str(path), str(root))
            assert (source.name, [file.parts for file in source.files]) == ("notes", [("logs", "a")])

    @pytest.mark.parametrize("kind", [CLAUDE_CODE, DOT_MEMORY])
    def test_under_another_name(self, folder: Path, root: Path, kind: SourceKind) -> None:
        write(folder / "MEMORY.md")
        assert taken(folder, root, kind) == ["MEMORY"]

    @pytest.mark.parametrize(("kind", "inner"), [(CLAUDE_CODE, "memory"), (DOT_MEMORY, ".memory")])
    def test_a_link_to_one_is_not_followed(self, folder: Path, root: Path, kind: SourceKind, inner: str) -> None:
        (folder / inner).symlink_to(folder)
        with pytest.raises(UsageError, match=f"holds no `{inner}` folder"):
            PlainFolders().source(kind, str(folder), str(root))


class TestAgentsFiles:
    """The files that tell agents how to work, wherever in a repository, and no dependency's."""

    def test_of_a_repository(self, folder: Path, root: Path) -> None:
        own = ["AGENTS.override.md", "CLAUDE.local.md", "CLAUDE.md", ".claude/CLAUDE.md", "pkg/AGENTS.md"]
        foreign = [".git/CLAUDE.md", "node_modules/a/AGENTS.md", ".venv/CLAUDE.md", "env/CLAUDE.md", "README.md"]
        for name in [*own, *foreign]:
            write(folder / name)
        write(folder / "env" / "pyvenv.cfg")
        (folder / "AGENTS.md").symlink_to("CLAUDE.md")
        assert sorted(f"{name}.md" for name in taken(folder, root, AGENTS_MD)) == sorted(own)
        assert faults(folder, root, AGENTS_MD) == {"AGENTS": "it is a symbolic link"}

    def test_one_file_alone(self, folder: Path, root: Path) -> None:
        write(folder / "CLAUDE.md")
        write(folder / "AGENTS.md")
        (folder / "link.md").symlink_to("CLAUDE.md")
        for name in ("CLAUDE.md", "link.md"):
            assert taken(folder / name, root, AGENTS_MD) == ["CLAUDE"]

    def test_one_file_of_another_sort(self, folder: Path, root: Path) -> None:
        with pytest.raises(UsageError, match="is no Markdown file"):
            PlainFolders().source(AGENTS_MD, str(write(folder / "x.txt")), str(root))


class TestWrite:
    """Files go into a new or empty folder outside of the root."""

    def test_each_at_its_path(self, tmp_path: Path, root: Path) -> None:
        files = [("shared/a.md", b"\xff"), ("shared/b/c.md", b"")]
        assert PlainFolders().write(str(tmp_path / "new" / "out"), files, str(root)) == 2
        assert (tmp_path / "new/out/shared/a.md").read_bytes() == b"\xff"
        assert (tmp_path / "new/out/shared/b/c.md").read_bytes() == b""

    def test_not_over_anything(self, folder: Path, root: Path) -> None:
        write(folder / "a.md")
        with pytest.raises(UsageError, match="is not empty"):
            PlainFolders().write(str(folder), [], str(root))

    def test_not_through_a_link_that_was_slipped_in(self, tmp_path: Path, root: Path) -> None:
        """Between the look into the folder and the first file, somebody puts a link where that file goes."""
        victim = write(tmp_path / "victim", "mine")

        def files() -> Iterator[tuple[str, bytes]]:
            (tmp_path / "out" / "a.md").symlink_to(victim)
            yield "a.md", b"theirs"

        with pytest.raises(StoreIOError):
            PlainFolders().write(str(tmp_path / "out"), files(), str(root))
        assert victim.read_text(encoding="utf-8") == "mine"

    @pytest.mark.parametrize("inside", ["", "x", "shared/x/y"])
    def test_not_into_the_root(self, tmp_path: Path, root: Path, inside: str) -> None:
        (tmp_path / "link").symlink_to(root)
        for way in (root, tmp_path / "link"):
            with pytest.raises(UsageError, match="is inside the memory root"):
                PlainFolders().write(str(way / inside), [], str(root))
