"""What is done to a root while it is disturbed, and how its state is looked at."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trinho.adapters.files.folders import PlainFolders
from trinho.application import pointers, transfer
from trinho.application.library import Memory
from trinho.bootstrap import open_session, utc_now
from trinho.errors import MemoryEntryNotFoundError
from trinho.ports.source import SourceFile
from trinho.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from trinho.adapters.files.syscalls import FileSystem
    from trinho.ports.clock import Clock

A, B, DEEP, MOVED = "shared:a", "project:alp:notes:b", "project:new:far:down", "project:alp:other:place"
_TIMES = re.compile(rb"^(created|updated): .*\n", re.MULTILINE)


def open_at(root: Path, fs: FileSystem | None = None, *, clock: Clock = utc_now, wait: float = 10.0) -> Memory:
    """The root opened by the person, through the file layer given."""
    settings = Settings(root=str(root), actor="principal", lock_wait_seconds=wait)
    return Memory(open_session(settings, fs=fs, clock=clock), PlainFolders)


def files(count: int = 3) -> list[SourceFile]:
    """Markdown files that somebody brings in."""
    return [SourceFile(f"/in/{n}.md", (f"n{n}",), f"# Number {n}\n\nbrought in\n".encode()) for n in range(count)]


def bring_in(memory: Memory) -> transfer.Imported:
    return transfer.import_markdown(memory.session, files(), "project:in:x")


@dataclass(frozen=True)
class Scene:
    """An act on a root that was prepared for it. `changes` is False where no entry becomes another."""

    name: str
    act: Callable[[Memory], object]
    prepare: Callable[[Memory], object] = lambda memory: None
    changes: bool = True
    undoable: bool = True

    def __str__(self) -> str:
        return self.name


def _update(memory: Memory) -> object:
    return memory.update(B, "a new body, quite another one\n" * 20, expected_version=1)


def _propose(memory: Memory) -> object:
    return memory.propose_fact("The limit is 5 requests.", domain="api", topic="limits")


def _supersede(memory: Memory) -> object:
    return memory.propose_fact("The limit is 9 requests.", domain="api", topic="limits")


def _write_and_flush(memory: Memory) -> None:
    _unflushed(memory)
    _flush(memory)


def _flush(memory: Memory) -> None:
    memory.session.notices.clear()
    pointers.flush(memory.session)


def _unflushed(memory: Memory) -> None:
    """Leave the entries written and MEMORY.md behind, as a process that is killed does."""
    memory.update(A, "said anew", expected_version=1)


SCENES = (
    Scene("create", lambda m: m.create("shared:fresh", "some words")),
    Scene("create in a new folder", lambda m: m.create(DEEP, "some words")),
    Scene("update", _update),
    Scene("delete", lambda m: m.delete(B, expected_version=1)),
    Scene("move", lambda m: m.move(B, MOVED)),
    Scene("import", bring_in),
    Scene("undo of a create", lambda m: m.undo(), lambda m: m.create(DEEP, "x"), undoable=False),
    Scene("undo of an update", lambda m: m.undo(), _update, undoable=False),
    Scene("undo of a delete", lambda m: m.undo(), lambda m: m.delete(B, expected_version=1), undoable=False),
    Scene("undo of a move", lambda m: m.undo(), lambda m: m.move(B, MOVED), undoable=False),
    Scene("undo of an import", lambda m: m.undo(), bring_in, undoable=False),
    Scene("supersede", _supersede, _propose),
    Scene("purge", lambda m: m.purge(B), _update, undoable=False),
)
QUIET = (
    Scene("rebuild of the index", lambda m: m.rebuild_index(), changes=False),
    Scene("refresh of MEMORY.md", _write_and_flush, changes=True),
)


def build(root: Path, scene: Scene) -> None:
    """A root with two entries, prepared for the scene and closed."""
    with open_at(root) as memory:
        memory.create(A, "the first body\n")
        memory.create(B, "the second body\n")
        scene.prepare(memory)


class Stage:
    """A scene's root, as often as it is needed, with what its entries are before and after."""

    def __init__(self, folder: Path, scene: Scene) -> None:
        self.scene = scene
        self._folder = folder
        self._count = 0
        self._template = folder / "template"
        build(self._template, scene)
        self.before = entries(self._template)
        done = self.fresh()
        with open_at(done) as memory:
            scene.act(memory)
        self.after = timeless(entries(done))
        shutil.rmtree(done)

    def fresh(self) -> Path:
        self._count += 1
        root = self._folder / f"root{self._count}"
        shutil.copytree(self._template, root)
        return root


def entries(root: Path) -> dict[str, bytes]:
    """The file of every entry by its path, as it is on disk."""
    found = {}
    for top in ("shared", "projects", "private"):
        for path in sorted((root / top).rglob("*.md")):
            if path.name != "MEMORY.md" and not path.name.startswith(".") and path.is_file():
                found[str(path.relative_to(root))] = path.read_bytes()
    return found


def timeless(files: dict[str, bytes]) -> dict[str, bytes]:
    """The same without the instants, which differ from run to run."""
    return {path: _TIMES.sub(b"", raw) for path, raw in files.items()}


def leftovers(root: Path) -> list[str]:
    """Temporary files, and folders in which nothing is."""
    temporary = [str(path) for path in root.rglob(".tmp-*")]
    empty = [str(path) for top in ("shared", "projects", "private") for path in (root / top).rglob("*") if _empty(path)]
    plans = [str(path) for path in (root / ".trinho" / "journal").glob("*")]
    return temporary + empty + plans


def _empty(path: Path) -> bool:
    return path.is_dir() and not any(path.iterdir())


def version(memory: Memory, id: str) -> int | None:
    """The version of an entry, or None where there is none."""
    try:
        return memory.get(id).version
    except MemoryEntryNotFoundError:
        return None


def findings(memory: Memory) -> list[str]:
    """What doctor says, in one line each, but of a MEMORY.md that a later write brings up to date."""
    return [
        f"{finding.code} {finding.where}: {finding.what}"
        for finding in memory.doctor().findings
        if finding.code != "INDEX_BEHIND"
    ]


def listed(memory: Memory) -> list[tuple[str, str, str]]:
    """What the index holds, as a listing shows it."""
    return [(str(row.id), row.name, row.description) for row in memory.entries()]
