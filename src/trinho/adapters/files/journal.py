"""Acts over several files: written down before they begin, so that a crash in between can be finished."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from trinho.adapters.files.root import Root, state_folder
from trinho.adapters.files.syscalls import open_regular, write_all
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
        _sweep(root, fd)
        file = fs.open(_temporary(run), os.O_CREAT | os.O_EXCL | os.O_WRONLY, dir_fd=fd)
        try:
            write_all(fs, file, text.encode())
            fs.fsync(file)
        finally:
            fs.close(file)
        fs.rename(_temporary(run), _name(run), dir_fd=fd, new_dir_fd=fd)
        fs.fsync(fd)


def remove(root: Root, run: int) -> None:
    """Take the plan of a finished act away for good."""
    with _folder(root) as fd:
        with suppress(FileNotFoundError):
            root.fs.unlink(_name(run), dir_fd=fd)
        root.fs.fsync(fd)


def cancel(root: Root, run: int) -> None:
    """Take back a plan of which nothing was done, however far it was written. An empty one is none."""
    fs = root.fs
    with _folder(root) as fd:
        for name in (_temporary(run), _name(run)):
            try:
                fs.unlink(name, dir_fd=fd)
            except FileNotFoundError:
                continue
            except OSError:
                _empty(root, name, fd)
        with suppress(OSError):
            fs.fsync(fd)


def pending(root: Root) -> Iterator[tuple[int, list[Step]]]:
    """The acts that were begun and not finished, oldest first; one that was cancelled has no steps."""
    for run, text in _plans(root):
        try:
            yield run, [_decode(step) for step in json.loads(text)["steps"]] if text else []
        except (ValueError, KeyError, TypeError, InvalidMemoryIdError) as error:
            path = root.state_path(f"{FOLDER}/{_name(run)}")
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


def _plans(root: Root) -> list[tuple[int, bytes]]:
    plans = []
    try:
        with _folder(root, create=False) as fd:
            for run in sorted(int(name[:-5]) for name in root.fs.names(fd) if _is_plan(name)):
                with suppress(FileNotFoundError):  # finished since the folder was listed
                    plans.append((run, _read(root, _name(run), fd)))
    except FileNotFoundError:
        return []
    return plans


def _name(run: int) -> str:
    return f"{run}.json"


def _temporary(run: int) -> str:
    return f".tmp-{run}"


def _is_plan(name: str) -> bool:
    return name.endswith(".json") and name[:-5].isdigit()


def _sweep(root: Root, fd: int) -> None:
    """Remove what killed processes left of plans that they never finished writing."""
    for name in root.fs.names(fd):
        if name.startswith(".tmp-"):
            root.fs.unlink(name, dir_fd=fd)


def _empty(root: Root, name: str, fd: int) -> None:
    file = open_regular(root.fs, name, os.O_WRONLY, dir_fd=fd)
    try:
        root.fs.truncate(file, 0)
        root.fs.fsync(file)
    finally:
        root.fs.close(file)


@contextmanager
def _folder(root: Root, *, create: bool = True) -> Iterator[int]:
    fd = state_folder(root, FOLDER, create=create)
    try:
        yield fd
    finally:
        root.fs.close(fd)


def _read(root: Root, name: str, fd: int) -> bytes:
    file = open_regular(root.fs, name, os.O_RDONLY, dir_fd=fd)
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
