"""A pipe, a link or a folder in the place of a file of the store's own is told, and nobody waits for it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from trinho import errors

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cleanroom import Home


def pipe(path: Path) -> None:
    os.mkfifo(path)


def link(path: Path) -> None:
    path.symlink_to("/etc/hostname")


def folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize("made", [pipe, link, folder], ids=lambda made: made.__name__)
@pytest.mark.parametrize("name", ["audit.lock", "lock", "audit/{month}"])
def test_what_stands_in_the_place_of_a_file(home: Home, made: object, name: str) -> None:
    with home.memory() as memory:
        memory.create("shared:a:note", "text")
    [month] = (home.root / ".trinho/audit").glob("*.jsonl")
    place = home.root / ".trinho" / name.format(month=month.name)
    place.unlink(missing_ok=True)
    made(place)  # type: ignore[operator]
    for command in (("get", "shared:a:note"), ("create", "shared:a:other", "--body", "x"), ("list",), ("doctor",)):
        done = home.installed(*command)
        assert b"Traceback" not in done.stderr
        assert done.returncode in (0, 1, 8), done.stderr
        told = b"move that away" in done.stderr or place.name.encode() in done.stdout  # doctor tells it as a finding
        assert done.returncode == 0 or told or made is link


def test_a_pipe_for_a_plan(home: Home) -> None:
    with home.memory() as memory:
        memory.create("shared:a:note", "text")
    (home.root / ".trinho/journal").mkdir(exist_ok=True)
    os.mkfifo(home.root / ".trinho/journal/7.json")
    with home.memory() as memory, pytest.raises(errors.TrinhoError):
        memory.create("shared:a:other", "text")
