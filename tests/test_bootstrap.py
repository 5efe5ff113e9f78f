"""Roots that can't be one, that can't be written, or that are damaged: each is said, and nothing is lost."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.cleanroom import home, trinho

from trinho import errors
from trinho.adapters.files.syscalls import FileSystem
from trinho.application.library import Memory
from trinho.bootstrap import open_memory, open_session, utc_now
from trinho.settings import load_settings

if TYPE_CHECKING:
    from tests.cleanroom import Home, Terminal

__all__ = ["home", "trinho"]

READS = (
    "get shared:a:note",
    "get shared:hand",
    "search tabs",
    "list",
    "context --task where-do-we-use-tabs-and-why",
    "doctor",
    "export",
)
WRITES = (
    "create shared:a:x --body y",
    "update shared:a:note --expected-version 1 --body y",
    "delete shared:a:note --expected-version 1",
    "move shared:a:note shared:a:x",
    "undo",
    "forget shared:a:note --purge --yes",
)


def snapshot(root: Path) -> dict[str, bytes]:
    """Every file of the entries and every audited line."""
    files = [file for file in root.rglob("*") if file.suffix in (".md", ".jsonl") or file.name.startswith(".tmp")]
    return {str(file.relative_to(root)): file.read_bytes() for file in files}


class TestNoRoot:
    """What can't be a root is refused with a reason, and left as it is."""

    def test_a_file(self, home: Home, trinho: Terminal) -> None:
        home.root.write_text("mine", encoding="utf-8")
        answer = trinho("list", "--json")
        assert (answer.status, answer.error["code"]) == (2, "INVALID_ROOT")
        assert home.root.read_text(encoding="utf-8") == "mine"

    def test_below_a_file(self, home: Home, trinho: Terminal) -> None:
        home.root.write_text("mine", encoding="utf-8")
        assert trinho("--root", str(home.root / "x"), "list", "--json").error["code"] == "INVALID_ROOT"

    def test_a_symbolic_link_names_its_target(self, home: Home, trinho: Terminal) -> None:
        target = home.folder / "target"
        target.mkdir()
        home.root.symlink_to(target)
        error = trinho("list", "--json").error
        assert error["code"] == "INVALID_ROOT"
        assert str(target) in error["hint"]
        assert list(target.iterdir()) == []

    def test_a_link_to_nowhere(self, home: Home, trinho: Terminal) -> None:
        home.root.symlink_to(home.folder / "nowhere")
        assert trinho("list", "--json").error["code"] == "INVALID_ROOT"
        assert not (home.folder / "nowhere").exists()

    def test_a_name_with_nul(self, trinho: Terminal) -> None:
        assert trinho("--root", "a\0b", "list", "--json").error["code"] == "INVALID_ROOT"

    def test_a_root_of_a_relative_name_is_made(self, home: Home, trinho: Terminal) -> None:
        assert trinho("--root", "deep/er", "create", "shared:x", "--body", "y").status == 0
        assert (home.folder / "deep/er/shared/x.md").is_file()
        assert (home.folder / "deep/er").stat().st_mode & 0o777 == 0o700

    def test_the_home_of_the_person_is_the_default(self, home: Home, trinho: Terminal) -> None:
        trinho.unset("TRINHO_MEMORY_ROOT")
        assert trinho("create", "shared:x", "--body", "y").status == 0
        assert (home.folder / ".trinho/memory/shared/x.md").is_file()


class TestFormat:
    """A root says which format it has."""

    @pytest.mark.parametrize(
        ("mark", "code"),
        [("2\n", "STORE_FORMAT_NEWER"), ("0\n", "STORE_FORMAT_OLDER"), ("x\n", "STORE_DAMAGED"), ("", "STORE_DAMAGED")],
    )
    def test_another_one_is_refused(self, home: Home, trinho: Terminal, mark: str, code: str) -> None:
        trinho("create", "shared:x", "--body", "y")
        (home.root / ".trinho/format").write_text(mark, encoding="utf-8")
        before = snapshot(home.root)
        for line in ("list", "create shared:z --body y"):
            answer = trinho(*line.split(), "--json")
            assert (answer.status, answer.error["code"]) == (8, code)
        assert snapshot(home.root) == before

    def test_an_older_one_is_migrated_with_a_backup(self, home: Home, trinho: Terminal) -> None:
        file = home.write("shared/x.md", "y\n")
        home.write(".alp-memory-index.json", '{"entries": {"shared:x": {"version": 4}}}')
        assert trinho("list", "--json").error["code"] == "STORE_FORMAT_OLDER"
        moved = trinho("migrate", "--json").json
        assert (moved["from"], moved["to"]) == (0, 1)
        assert (Path(moved["backup"]) / "shared/x.md").read_bytes() == file.read_bytes() == b"y\n"
        assert trinho("get", "shared:x", "--json").json["version"] == 4

    def test_one_without_an_index_of_old_has_no_versions_to_bring_along(self, home: Home, trinho: Terminal) -> None:
        home.write("shared/x.md", "y\n")
        home.write(".trinho/format", "0\n")
        moved = trinho("migrate", "--json").json
        assert (moved["from"], moved["to"]) == (0, 1)
        assert trinho("get", "shared:x", "--json").json["version"] == 1

    def test_one_that_cannot_be_read_leaves_no_backup(self, home: Home, trinho: Terminal) -> None:
        home.write(".alp-memory-index.json", "no json")
        assert trinho("migrate", "--json").error["code"] == "STORE_DAMAGED"
        assert list(home.folder.iterdir()) == [home.root]

    def test_a_backup_that_cannot_be_made_whole_is_not_left(
        self, home: Home, trinho: Terminal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(_: str, to: str, **__: object) -> None:
            os.makedirs(f"{to}/shared", exist_ok=True)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        home.write("shared/x.md", "y\n")
        home.write(".alp-memory-index.json", '{"entries": {}}')
        monkeypatch.setattr("shutil.copytree", full)
        assert trinho("migrate", "--json").error["code"] == "STORE_FULL"
        assert list(home.folder.iterdir()) == [home.root]


class TestDamage:
    """The ledger can't be rebuilt, so it is said; the index can, so it is."""

    @pytest.mark.parametrize("garbage", [b"garbage" * 1000, b"SQLite format 3\0" + b"x" * 5000])
    def test_of_the_ledger(self, home: Home, trinho: Terminal, garbage: bytes) -> None:
        trinho("create", "shared:x", "--body", "y")
        for file in (home.root / ".trinho").glob("ledger.db*"):
            file.unlink()
        (home.root / ".trinho/ledger.db").write_bytes(garbage)
        before = snapshot(home.root)
        answer = trinho("get", "shared:x", "--json")
        assert (answer.status, answer.error["code"]) == (8, "STORE_DAMAGED")
        assert "ledger.db" in answer.error["message"]
        assert (home.root / ".trinho/ledger.db").read_bytes() == garbage
        assert snapshot(home.root) == before

    @pytest.mark.parametrize("garbage", [b"", b"garbage" * 1000, b"SQLite format 3\0" + b"x" * 5000])
    def test_of_the_index(self, home: Home, trinho: Terminal, garbage: bytes) -> None:
        trinho("create", "shared:x", "--body", "tabs")
        for file in (home.root / ".trinho").glob("index.db*"):
            file.unlink()
        (home.root / ".trinho/index.db").write_bytes(garbage)
        answer = trinho("search", "tabs", "--json")
        assert (answer.status, [each["id"] for each in answer.json["results"]]) == (0, ["shared:x"])


class _Refusing(FileSystem):
    """A file system on which nothing can be written."""

    def __init__(self, number: int) -> None:
        self._number = number

    def open(self, name: str, flags: int, *, dir_fd: int, mode: int = 0o600) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            raise OSError(self._number, os.strerror(self._number))
        return super().open(name, flags, dir_fd=dir_fd, mode=mode)


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.EROFS, errors.StoreReadOnlyError),
        (errno.EACCES, errors.StoreReadOnlyError),
        (errno.ENOSPC, errors.StoreFullError),
        (errno.EDQUOT, errors.StoreFullError),
    ],
)
def test_where_no_file_can_be_opened_for_writing(home: Home, number: int, kind: type[errors.TrinhoError]) -> None:
    with home.memory() as memory:
        memory.create("shared:a:note", "tabs")
    before = snapshot(home.root)
    session = open_session(load_settings(home.environment), fs=_Refusing(number), clock=utc_now)
    with Memory(session, no_folders()) as memory:
        assert memory.get("shared:a:note").body == "tabs"
        assert len(memory.search("tabs").results) == 1
        assert session.notices
        assert all(notice.startswith("not audited: ") for notice in session.notices)
        with pytest.raises(kind):
            memory.create("shared:a:other", "x")
        with pytest.raises(kind):
            memory.delete("shared:a:note", expected_version=1)
    assert snapshot(home.root) == before


def no_folders() -> Any:
    """Nothing here imports or exports."""
    return None


MOUNTS = {
    "masked": "mount -t tmpfs tmpfs {root}",
    "read-only": "mount --bind {root} {root} && mount -o remount,ro,bind {root}",
    "full": "mount -t tmpfs -o size=500k tmpfs {folder}/disk && cp -a {root} {folder}/disk && "
    "head -c 1000000 /dev/zero > {folder}/disk/fill; export TRINHO_MEMORY_ROOT={folder}/disk/memory",
}


def within(home: Home, mount: str, lines: tuple[str, ...]) -> list[tuple[int, str, str]]:
    """Status, output and messages of command lines, in a mount that no other process sees."""
    (home.folder / "disk").mkdir()
    commands = [
        f"{sys.executable} -m trinho {line} >{home.folder}/out{n} 2>{home.folder}/err{n}; echo $?"
        for n, line in enumerate(lines)
    ]
    script = "; ".join([MOUNTS[mount].format(root=home.root, folder=home.folder) + " 2>/dev/null", *commands])
    environment = {**home.environment, "PYTHONPATH": os.pathsep.join(sys.path)}
    if mount == "full":
        script += f"; cp -a {home.folder}/disk/memory {home.folder}/after"
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script],
        check=False,
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
    )
    statuses = [int(line) for line in done.stdout.split()]
    outputs = [
        [(home.folder / f"{name}{n}").read_text(encoding="utf-8") for name in ("out", "err")] for n in range(len(lines))
    ]
    return [(status, out, err) for status, (out, err) in zip(statuses, outputs, strict=True)]


def can_mount(folder: Path) -> bool:
    if shutil.which("unshare") is None:
        return False
    tried = f"mount -t tmpfs tmpfs {folder} && mount --bind {folder} {folder}"
    return subprocess.run(["unshare", "-rm", "sh", "-c", tried], check=False, capture_output=True).returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize(("mount", "code"), [("read-only", "STORE_READ_ONLY"), ("full", "STORE_FULL")])
def test_a_root_that_cannot_be_written_is_read(home: Home, tmp_path: Path, mount: str, code: str) -> None:
    if not can_mount(tmp_path):
        pytest.skip("this machine lets nobody mount")
    with home.memory() as memory:
        memory.create("shared:a:note", "tabs")
        memory.search("tabs")
    home.write("shared/hand.md", "tabs by hand\n")
    before = snapshot(home.root)
    told = within(home, mount, (*READS, *(f"{line} --json" for line in WRITES)))
    for line, (status, out, err) in zip(READS, told[: len(READS)], strict=True):
        assert status == 0, (line, err)
        assert "tabs" in out or line == "doctor"
        assert "note: not audited: " in err
    for line, (status, out, _) in zip(WRITES, told[len(READS) :], strict=True):
        assert (status, json.loads(out)["error"]["code"]) == (8, code), line
    after = snapshot(home.root if mount == "read-only" else home.folder / "after")
    assert _without_reads(after) == _without_reads(before)


def _without_reads(files: dict[str, bytes]) -> dict[str, bytes]:
    """Where there was room for a line of a read, the trail is longer; nothing was written of a write."""
    assert not any(b'"operation":"create","id":"shared:a:x","result":"allowed"' in raw for raw in files.values())
    return {path: raw for path, raw in files.items() if not path.endswith(".jsonl")}


class TestOpenMemory:
    """The way in for a program."""

    def test_a_root_and_an_actor(self, home: Home) -> None:
        with open_memory(home.folder / "mine", actor="worker", environment={}) as memory:
            assert memory.session.actor.name == "worker"
            assert memory.session.workspace.root == str(home.folder / "mine")

    def test_the_environment_of_the_process(self, home: Home) -> None:
        with open_memory() as memory:
            assert memory.session.workspace.root == str(home.root)

    def test_two_roots_share_nothing(self, home: Home) -> None:
        with open_memory(home.folder / "a") as one, open_memory(home.folder / "b") as other:
            one.create("shared:x", "tabs")
            assert other.search("tabs").results == ()
            assert [line.event.operation for line in other.audit()] == ["search"]

    def test_a_root_that_was_replaced_is_noticed(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:x", "tabs")
            home.root.rename(home.folder / "away")
            home.root.mkdir()
            with pytest.raises(errors.StoreReplacedError):
                memory.create("shared:y", "tabs")
            home.root.rmdir()
            (home.folder / "away").rename(home.root)


@pytest.mark.slow
def test_a_root_that_a_sandbox_hides_is_not_written_into(home: Home, tmp_path: Path) -> None:
    """What is written over the mask would be gone with the sandbox."""
    if not can_mount(tmp_path):
        pytest.skip("this machine lets nobody mount")
    with home.memory() as memory:
        memory.create("shared:a:note", "tabs")
    before = snapshot(home.root)
    for status, out, err in within(home, "masked", ("create shared:b --body y", "list", "get shared:a:note")):
        assert (status, out) == (2, "")
        assert "as a sandbox hides what it denies" in err
    assert snapshot(home.root) == before


class TestMigrating:
    """It is for a person, and it is audited."""

    @pytest.mark.parametrize("older", [True, False])
    def test_no_agent_does(self, home: Home, trinho: Terminal, older: bool) -> None:
        home.write("shared/x.md", "y\n")
        if older:
            home.write(".alp-memory-index.json", "{}")
        else:
            home.memory().close()
        before = snapshot(home.root / "shared")
        assert trinho("--as", "worker", "migrate", "--json").error["code"] == "RESERVED_FOR_PRINCIPAL"
        assert trinho("--as", "nobody", "migrate", "--json").error["code"] == "UNKNOWN_ACTOR"
        trinho.set(CLAUDECODE="1")
        assert trinho("--as", "principal", "migrate", "--json").error["code"] == "RESERVED_FOR_PRINCIPAL"
        assert snapshot(home.root / "shared") == before
        if not older:
            assert [line[1:] for line in home.told()] == [
                ("migrate", None, "denied", "RESERVED_FOR_PRINCIPAL"),
                ("open", None, "denied", "UNKNOWN_ACTOR"),
                ("open", None, "denied", "RESERVED_FOR_PRINCIPAL"),
            ]

    def test_it_is_audited(self, home: Home, trinho: Terminal) -> None:
        home.write("shared/x.md", "y\n")
        home.write(".alp-memory-index.json", '{"entries": {}}')
        assert trinho("migrate").status == 0
        assert home.told() == [("principal", "migrate", None, "allowed", None)]
