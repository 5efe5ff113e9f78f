"""Acts over several files: written down before they begin, so that a crash in between can be finished."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from trinho.adapters.files.root import Root, state_folder
from trinho.adapters.files.syscalls import write_all
from trinho.adapters.files.tree import location
from trinho.domain.act import Move, Place, Retire, Step
from trinho.domain.ids import parse_memory_id
from trinho.errors import InvalidMemoryIdError, StoreDamagedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FOLDER = "journal"


def write(root: Root, steps: Sequence[Step], run: int) -> None:
    """Make the plan durable. Once its name is there the act will be finished, whatever happens."""
    fs = root.fs
    text = json.dumps({"run": run, "steps": [_encode(step) for step in steps]}, ensure_ascii=False)
    with _folder(root) as fd:
        temporary = f".tmp-{run}"
        with suppress(FileNotFoundError):
            fs.unlink(temporary, dir_fd=fd)
        file = fs.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, dir_fd=fd)
        try:
            try:
                write_all(fs, file, text.encode())
                fs.fsync(file)
            finally:
                fs.close(file)
            fs.rename(temporary, f"{run}.json", dir_fd=fd, new_dir_fd=fd)
            fs.fsync(fd)
        except OSError:
            for name in (temporary, f"{run}.json"):
                with suppress(OSError):
                    fs.unlink(name, dir_fd=fd)
            raise


def remove(root: Root, run: int) -> None:
    with _folder(root) as fd:
        root.fs.unlink(f"{run}.json", dir_fd=fd)
        root.fs.fsync(fd)


def pending(root: Root) -> Iterator[tuple[int, list[Step]]]:
    """The acts that were begun and not finished, oldest first."""
    fs = root.fs
    try:
        with _folder(root, create=False) as fd:
            runs = sorted(int(name[:-5]) for name in fs.names(fd) if name.endswith(".json") and name[:-5].isdigit())
            plans = [(run, _read(root, f"{run}.json", fd)) for run in runs]
    except FileNotFoundError:
        return
    for run, text in plans:
        try:
            yield run, [_decode(step) for step in json.loads(text)["steps"]]
        except (ValueError, KeyError, TypeError, InvalidMemoryIdError) as error:
            path = root.state_path(f"{FOLDER}/{run}.json")
            raise StoreDamagedError(path, "it holds no plan", "move it away; `trinho doctor` shows the rest") from error


def staged_paths(root: Root) -> frozenset[str]:
    """The temporary files that unfinished acts still need, relative to the root."""
    paths = []
    for _, steps in pending(root):
        for step in steps:
            if isinstance(step, Place):
                folders, _ = location(step.id)
                paths.append("/".join((*folders, step.staged)))
    return frozenset(paths)


@contextmanager
def _folder(root: Root, *, create: bool = True) -> Iterator[int]:
    fd = state_folder(root, FOLDER, create=create)
    try:
        yield fd
    finally:
        root.fs.close(fd)


def _read(root: Root, name: str, fd: int) -> bytes:
    file = root.fs.open(name, os.O_RDONLY, dir_fd=fd)
    try:
        pieces = []
        while piece := root.fs.read(file, 1 << 20):
            pieces.append(piece)
    finally:
        root.fs.close(file)
    return b"".join(pieces)


def _encode(step: Step) -> dict[str, str | int | None]:
    if isinstance(step, Place):
        return {"do": "place", "id": str(step.id), "staged": step.staged, "expect": step.expect, "keep": step.keep}
    if isinstance(step, Retire):
        return {"do": "retire", "id": str(step.id), "expect": step.expect, "keep": step.keep}
    return {"do": "move", "id": str(step.id), "to": str(step.to), "expect": step.expect}


def _decode(step: dict[str, str | int | None]) -> Step:
    memory_id = parse_memory_id(str(step["id"]))
    expect = step["expect"]
    if step["do"] == "place":
        return Place(memory_id, str(step["staged"]), None if expect is None else str(expect), int(step["keep"] or 0))
    if step["do"] == "retire":
        return Retire(memory_id, str(expect), int(step["keep"] or 0))
    return Move(memory_id, parse_memory_id(str(step["to"])), str(expect))
