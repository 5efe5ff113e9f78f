"""Edits of TOML files that people keep: tables go in at the end, and out again without a trace."""

from __future__ import annotations

import re
import tomllib
from itertools import dropwhile, pairwise
from typing import TYPE_CHECKING, Any

from trinho.adapters.clients.files import Merged
from trinho.errors import InvalidClientSettingsError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

_HEADER = re.compile(
    r"""^[ \t]*\[\[?((?:[^\[\]"'\n]|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')+)\]\]?[ \t\r]*(?:#.*)?$""", re.MULTILINE
)


def read(raw: bytes, path: str) -> dict[str, Any]:
    """What the file says; InvalidClientSettingsError if it is no TOML."""
    try:
        return tomllib.loads(raw.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidClientSettingsError(path, f"it is no TOML: {error}") from error
    except RecursionError as error:
        raise InvalidClientSettingsError(path, "it is nested too deeply") from error


def table(raw: bytes, path: str, names: tuple[str, ...]) -> dict[str, Any]:
    """What one of its tables says, nothing if there is none."""
    return _at(read(raw, path), names)


def append(raw: bytes, tables: str, path: str) -> Merged:
    """Put tables behind what the file says; InvalidClientSettingsError if they can't stand there."""
    read(raw, path)
    newline = b"\r\n" if b"\r\n" in raw else b"\n"
    gap = b"" if not raw.strip() else newline if raw.endswith(b"\n") else newline * 2
    text = gap + tables.encode().replace(b"\n", newline)
    try:
        tomllib.loads((raw + text).decode())
    except tomllib.TOMLDecodeError as error:
        reason = f"what is needed can't stand beside what is there ({error})"
        raise InvalidClientSettingsError(path, reason) from error
    return Merged(raw + text, (text,))


def cut(raw: bytes, path: str, is_ours: Callable[[tuple[str, ...], Any], bool]) -> bytes:
    """Take out the tables that are ours; InvalidClientSettingsError if they can't be told from what is around them."""
    wanted = _less(read(raw, path), (), is_ours)
    groups = _groups(raw.decode())
    rest = "".join(_comments_after(text) if _is_all_ours(text, is_ours) else text for text in groups).encode()
    if read(rest, path) != wanted:
        raise InvalidClientSettingsError(path, "what is ours has grown together with the rest; take it out by hand")
    return rest


def drop(raw: bytes, path: str, parent: tuple[str, ...], names: Collection[str]) -> bytes:
    """Take tables out of another, each with the empty line before it; and that one, too, if it holds nothing then.

    All of it stays where they can't be told from what is around them.
    """
    said = read(raw, path)
    held = _at(said, parent)
    left = {name: each for name, each in held.items() if name not in names}
    if len(left) == len(held):
        return raw
    gone = {(*parent, name) for name in held if name in names} | (set() if left else {parent})
    rest = "".join(text for table, text in _pieces(raw.decode()) if table not in gone).encode()
    try:
        now = tomllib.loads(rest.decode())
    except tomllib.TOMLDecodeError:
        return raw
    return rest if _filled(now) == _filled(_with(said, parent, left)) else raw


def _at(said: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """The table of that name, an empty one if there is none."""
    for name in names:
        inner = said.get(name)
        said = inner if isinstance(inner, dict) else {}
    return said


def _with(said: dict[str, Any], names: tuple[str, ...], held: dict[str, Any]) -> dict[str, Any]:
    """The same with another table in the place of that name."""
    return {**said, names[0]: _with(said[names[0]], names[1:], held)} if names else held


def _filled(said: dict[str, Any]) -> dict[str, Any]:
    """The same without tables that hold nothing."""
    inner = {name: _filled(each) if isinstance(each, dict) else each for name, each in said.items()}
    return {name: each for name, each in inner.items() if each != {}}


def _pieces(text: str) -> list[tuple[tuple[str, ...], str]]:
    """The text in pieces with the table that each belongs to, if to any: an empty line belongs to the header after it.

    Comments belong to none, so that they stay.
    """
    pieces: list[tuple[tuple[str, ...], str]] = []
    table: tuple[str, ...] = ()
    between: list[str] = []
    for line in text.splitlines(keepends=True):
        if not line.strip() or line.lstrip().startswith("#"):
            between.append(line)
            continue
        if _HEADER.match(line):
            table = _names(line)
            empty = between.pop() if between and not between[-1].strip() else ""
            pieces += [((), "".join(between)), (table, empty + line)]
        else:
            pieces += [((), "".join(between)), (table, line)]
        between = []
    return [*pieces, ((), "".join(between))]


def _names(header: str) -> tuple[str, ...]:
    """The names that a header leads through."""
    try:
        said: Any = tomllib.loads(header)
    except tomllib.TOMLDecodeError:
        return ()
    names = []
    while isinstance(said, dict) and said:
        ((name, said),) = said.items()
        names.append(name)
    return tuple(names)


def _groups(text: str) -> list[str]:
    """The text in pieces that go or stay as one: a table with the tables in it."""
    starts = [match.start() for match in _HEADER.finditer(text)]
    pieces = [text[at:end] for at, end in pairwise([0, *starts, len(text)])]
    groups: list[str] = []
    outer = None
    for piece in pieces:
        header = _HEADER.match(piece)
        name = header[1].strip() if header else None
        if name is not None and outer is not None and name.startswith(f"{outer}."):
            groups[-1] += piece
        else:
            groups.append(piece)
            outer = name
    return groups


def _comments_after(text: str) -> str:
    """The comments behind the last value, which may be about what follows."""
    lines = text.splitlines(keepends=True)
    last = max((at for at, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")), default=-1)
    return "".join(dropwhile(lambda line: not line.strip(), lines[last + 1 :]))


def _is_all_ours(text: str, is_ours: Callable[[tuple[str, ...], Any], bool]) -> bool:
    try:
        said = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return bool(said) and not _less(said, (), is_ours)


def _less(value: Any, names: tuple[str, ...], is_ours: Callable[[tuple[str, ...], Any], bool]) -> Any:
    """The value less what is ours and what holds nothing else."""
    if isinstance(value, dict):
        pairs = [((*names, key), key, each) for key, each in value.items()]
        kept = [(key, each, _less(each, path, is_ours)) for path, key, each in pairs if not is_ours(path, each)]
        return {key: less for key, each, less in kept if less or not each}
    if isinstance(value, list):
        path = (*names, "*")
        items = [(each, _less(each, path, is_ours)) for each in value if not is_ours(path, each)]
        return [less for each, less in items if less or not each]
    return value
