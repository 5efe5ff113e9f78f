"""Where an imported file goes: the branch of a whole import, and the ID of each file below it."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from trinho.documents.names import segment_from
from trinho.domain.ids import INDEX_NAME, MemoryId, parse_memory_id, segment_fault
from trinho.errors import InvalidMemoryIdError
from trinho.ports.source import SourceKind

# How an agent's client spells the home folder at the beginning of a project's path, its separators made dashes
_HOME = re.compile(r"-*(?:(?:home|Users)-[^-]+-+|root-+)?", re.IGNORECASE)
_INSTRUCTIONS = "instructions"


def default_branch(kind: SourceKind, name: str, project: str | None) -> str:
    """Where a source of that name goes when nobody says: the project, else a branch that the source names."""
    if project is not None:
        branch = f"project:{project}"
    elif kind is SourceKind.CLAUDE_CODE:
        branch = f"project:{segment_from(_readable(name))}"
    else:
        branch = f"shared:{segment_from(_readable(name) if name.startswith('-') else name)}"
    return f"{branch}:{_INSTRUCTIONS}" if kind is SourceKind.AGENTS_MD else branch


def branch_of(text: str) -> tuple[str, ...]:
    """The parts of a branch that entries can go below; InvalidMemoryIdError if it is none."""
    try:
        return parse_memory_id(f"{text}:any").parts[:-1]
    except InvalidMemoryIdError as error:
        raise InvalidMemoryIdError(text, str(error.fields["reason"])) from error


def destination(branch: tuple[str, ...], parts: tuple[str, ...]) -> tuple[str, ...]:
    """The parts of the ID of a file below the branch: its own names where they can be segments."""
    return (*branch, *map(_segment, parts))


def index_folder(parts: tuple[str, ...]) -> tuple[str, ...] | None:
    """The scope folder whose MEMORY.md stands there, or None where it would be an entry like any other."""
    if parts[-1] != INDEX_NAME:
        return None
    folder = parts[:-1]
    return folder if parse_memory_id(":".join((*folder, "any"))).folder == folder else None


@dataclass(slots=True)
class Taken:
    """The names that an import has given out, as a file system sees them that doesn't tell cases apart."""

    files: dict[tuple[str, ...], str] = field(default_factory=dict)
    folders: set[tuple[str, ...]] = field(default_factory=set)

    def fault(self, id: MemoryId) -> str | None:
        """Why a file can't have this ID beside the others, or None."""
        folders, file = _names(id)
        first = self.files.get(file)
        if first is not None:
            return f"`{first}` has the id `{id}` already, and names that differ in case or form alone count as one"
        if file in self.folders:
            return f"a folder is in the way of `{id}`: no file can have its name"
        blocking = next((self.files[above] for above in _prefixes(folders) if above in self.files), None)
        return None if blocking is None else f"`{blocking}` is in the way of `{id}`: no folder can have its name"

    def take(self, id: MemoryId, path: str) -> None:
        folders, file = _names(id)
        self.files[file] = path
        self.folders.update(_prefixes(folders))


def _readable(name: str) -> str:
    return name[len(_HOME.match(name)[0]) :] or name  # type: ignore[index] # it matches nothing, too


def _segment(part: str) -> str:
    composed = unicodedata.normalize("NFC", part)
    if segment_fault(composed) is None:
        return composed
    return segment_from(composed.encode(errors="surrogatepass").decode(errors="replace"))


def _names(id: MemoryId) -> tuple[tuple[str, ...], tuple[str, ...]]:
    folders = tuple(part.casefold() for part in id.parts[:-1])
    return folders, (*folders, f"{id.parts[-1].casefold()}.md")


def _prefixes(folders: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [folders[:length] for length in range(1, len(folders) + 1)]
