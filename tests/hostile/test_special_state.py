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


def word(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("made", [pipe, link, folder], ids=lambda made: made.__name__)
@pytest.mark.parametrize("name", ["index.db", "index.db-wal", "index.db-shm"])
def test_what_stands_in_the_place_of_the_index_is_set_aside(home: Home, made: object, name: str) -> None:
    with home.memory() as memory:
        memory.create("shared:a:note", "text")
    for file in (home.root / ".trinho").glob("index.db*"):
        file.unlink()
    if name != "index.db":
        (home.root / ".trinho/index.db").write_bytes(b"")
    made(home.root / ".trinho" / name)  # type: ignore[operator]
    for command in (("list",), ("search", "text"), ("doctor",), ("index", "rebuild")):
        done = home.installed(*command)
        assert done.returncode == 0, done.stderr
    assert b"shared:a:note" in home.installed("search", "text").stdout


@pytest.mark.parametrize("made", [pipe, link, folder], ids=lambda made: made.__name__)
@pytest.mark.parametrize("name", ["ledger.db", "ledger.db-wal"])
def test_what_stands_in_the_place_of_the_ledger_is_named(home: Home, made: object, name: str) -> None:
    with home.memory() as memory:
        memory.create("shared:a:note", "text")
    for file in (home.root / ".trinho").glob(f"{name}*"):
        file.unlink()
    made(home.root / ".trinho" / name)  # type: ignore[operator]
    done = home.installed("list")
    assert (done.returncode, name.encode() in done.stderr, b"move it away" in done.stderr) == (8, True, True)


@pytest.mark.parametrize("made", [pipe, link, word], ids=lambda made: made.__name__)
@pytest.mark.parametrize("name", ["trash", "journal"])
def test_what_stands_in_the_place_of_a_folder_of_the_state(home: Home, made: object, name: str) -> None:
    with home.memory() as memory:
        memory.create("shared:a:note", "text")
        memory.create("shared:a:other", "text")
    place = home.root / ".trinho" / name
    if place.exists():
        for file in place.iterdir():
            file.unlink()
        place.rmdir()
    made(place)  # type: ignore[operator]
    assert home.installed("list").returncode == 0
    assert f".trinho/{name}".encode() in home.installed("doctor").stdout
    done = home.installed("delete", "shared:a:note", "--expected-version", "1")
    assert (done.returncode, f".trinho/{name}".encode() in done.stderr) == (8, True), done.stderr
    assert home.installed("get", "shared:a:note").returncode == 0


def test_a_pipe_for_a_plan(home: Home) -> None:
    with home.memory() as memory:
        memory.create("shared:a:note", "text")
    (home.root / ".trinho/journal").mkdir(exist_ok=True)
    os.mkfifo(home.root / ".trinho/journal/7.json")
    with home.memory() as memory, pytest.raises(errors.TrinhoError):
        memory.create("shared:a:other", "text")
