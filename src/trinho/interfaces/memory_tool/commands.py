"""The six commands of the memory tool, each over one door, answered in the words of the tool's documentation.

What the documentation has no words for is told with the code and the hint of our own error.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from trinho.access.actor import PRINCIPAL
from trinho.access.decision import Deny, DenyCode
from trinho.access.engine import decide
from trinho.access.grant import parse_grant
from trinho.access.request import MemoryRequest
from trinho.domain.arguments import expect_text, expect_whole
from trinho.domain.ids import Scope, parse_memory_id
from trinho.domain.knowledge import Status
from trinho.errors import (
    InvalidEntryError,
    InvalidMemoryIdError,
    MemoryEntryAlreadyExistsError,
    MemoryEntryNotFoundError,
    MemoryVersionConflictError,
    OutOfMemoryError,
    TrinhoError,
    UsageError,
    shown,
)
from trinho.interfaces.memory_tool.lines import (
    inserted,
    like,
    line_numbers,
    lines_of,
    listed,
    numbered,
    places_of,
    snippet,
)
from trinho.interfaces.memory_tool.listing import tree
from trinho.interfaces.memory_tool.paths import HINT, ROOT, Place, parse_path, path_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from trinho.application.library import Memory
    from trinho.domain.entry import Entry
    from trinho.domain.ids import MemoryId
    from trinho.ports.index import Listed

MOST_LINES = 999_999
_ABSENT = {
    "view": "The path {path} does not exist. Please provide a valid path.",
    "str_replace": "Error: The path {path} does not exist. Please provide a valid path.",
    "insert": "Error: The path {path} does not exist",
    "delete": "Error: The path {path} does not exist",
    "rename": "Error: The path {old_path} does not exist",
}
_TAKEN = {
    "create": "Error: File {path} already exists",
    "rename": "Error: The destination {new_path} already exists",
}


class Answer(NamedTuple):
    """What the model is told; `error` is the promise that couldn't be kept, where there was one."""

    text: str
    is_error: bool = False
    error: TrinhoError | None = None


class MemoryCommands:
    """Answers the tool's commands from one memory, one at a time, for an agent's role and never for the person."""

    def __init__(self, memory: Memory) -> None:
        if not memory.session.is_agent:
            reason = "this door is for agents; open the memory with the role of one: open_memory(actor='main')"
            raise memory.session.denied("open", None, Deny(DenyCode.RESERVED_FOR_PRINCIPAL, PRINCIPAL, None, reason))
        self._memory = memory
        self._turn = Lock()
        self._commands = {
            "view": self._view,
            "create": self._create,
            "str_replace": self._str_replace,
            "insert": self._insert,
            "delete": self._delete,
            "rename": self._rename,
        }
        # The version that the model has read: what counts lines or removes must not meet another
        self._seen: dict[MemoryId, int] = {}

    def answer(self, given: Mapping[str, object]) -> Answer:
        """Do one command; an error of ours is an answer, too."""
        with self._turn:
            try:
                return self._answer(given)
            except MemoryError:
                return _failed(OutOfMemoryError())

    def _answer(self, given: Mapping[str, object]) -> Answer:
        name = given.get("command")
        command = self._commands.get(name) if isinstance(name, str) else None
        try:
            if command is None or not isinstance(name, str):
                hint = f"the commands are: {', '.join(self._commands)}"
                raise UsageError(f"there is no command `{shown(str(name))}`", hint=hint)
            return command(given)
        except MemoryEntryNotFoundError as error:
            return Answer(_absent(str(name), given, error), True, error)
        except MemoryEntryAlreadyExistsError as error:
            return Answer(_TAKEN[str(name)].format_map(given), True, error)
        except TrinhoError as error:
            return _failed(error)

    # -- reading ------------------------------------------------------------------------------------------------

    def _view(self, given: Mapping[str, object]) -> Answer:
        place = self._place("get", given)
        if place.id is None:
            return Answer(tree(place.path, *self._below(place)))
        with self._memory.session.auditing("get", str(place.id)):
            wanted = _range(given.get("view_range"))
        entry = self._memory.get(str(place.id))
        self._seen[place.id] = entry.version
        lines = lines_of(entry.body).lines
        if len(lines) > MOST_LINES:
            return Answer(f"File {place.path} exceeds maximum line limit of {MOST_LINES:,} lines.", True)
        first, last = max(1, wanted[0]), len(lines) if wanted[1] == -1 else min(wanted[1], len(lines))
        if lines and first > last:
            reach = f"It should be within the range of lines of the file: [1, {len(lines)}]"
            return Answer(f"Error: Invalid `view_range` parameter: {list(wanted)}. {reach}", True)
        return Answer(f"Here's the content of {place.path} with line numbers:\n{numbered(lines, first, last)}")

    def _below(self, place: Place) -> tuple[dict[tuple[str, ...], int], list[tuple[str, ...]]]:
        """What the role may read below a folder, and which folders are there with nothing in them, by their parts."""
        depth = len(place.parts)
        rows = self._rows(place)
        own = (Scope.PRIVATE.value, self._memory.session.actor.name)
        always = [(Scope.SHARED.value,), (Scope.PROJECT.value,), own]
        below = [parts[depth:] for parts in always if parts[:depth] == place.parts]
        if not rows and not below:
            with self._memory.session.auditing("list", shown(place.path)):
                raise MemoryEntryNotFoundError(place.path)
        return {row.id.parts[depth:]: row.size for row in rows}, [parts for parts in below if parts]

    def _rows(self, place: Place) -> list[Listed]:
        """The listing of a folder. Where the role may not read the whole of it, what it may read there; if that is
        nothing, the denial.
        """
        if place.parts in ((), ("project",), ("private",)):  # of these there is no grant
            return self._inside(place, None)
        scope = ":".join(place.parts)
        whole = decide(MemoryRequest(self._memory.session.actor, "read", parse_grant(scope)))
        rows = self._inside(place, None) if isinstance(whole, Deny) else []
        return rows if rows or (isinstance(whole, Deny) and scope == "shared") else self._inside(place, scope)

    def _inside(self, place: Place, scope: str | None) -> list[Listed]:
        depth = len(place.parts)
        rows = self._memory.entries(scope=scope)
        return [row for row in rows if len(row.id.parts) > depth and row.id.parts[:depth] == place.parts]

    # -- writing ------------------------------------------------------------------------------------------------

    def _create(self, given: Mapping[str, object]) -> Answer:
        id = self._new_entry("create", given)
        entry = self._memory.create(str(id), self._text("create", given, "file_text"))
        self._seen[id] = entry.version
        return _written(f"File created successfully at: {path_of(id)}", entry)

    def _str_replace(self, given: Mapping[str, object]) -> Answer:
        id = self._entry("update", given)
        old, new = self._text("update", given, "old_str"), self._text("update", given, "new_str", default="")
        if not old:
            with self._memory.session.auditing("update", str(id)):
                raise UsageError("`old_str` is empty", hint="give the text that is to be replaced, with its lines")
        entry = self._memory.get(str(id))
        lines = lines_of(entry.body)
        old, new = like(lines, old), like(lines, new)
        places = places_of(old, entry.body)
        path = path_of(id)
        if not places:
            return Answer(
                f"No replacement was performed, old_str `{given['old_str']}` did not appear verbatim in {path}.", True
            )
        if len(places) > 1:
            where = listed(line_numbers(places, entry.body))
            return Answer(
                f"No replacement was performed. Multiple occurrences of old_str `{given['old_str']}` in lines: "
                f"{where}. Please ensure it is unique",
                True,
            )
        at = places[0]
        changed = self._update(entry, entry.body[:at] + new + entry.body[at + len(old) :])
        told = "The memory file has been edited. Here is the snippet showing the change (with line numbers):"
        return _written(f"{told}\n{snippet(changed.body, at, len(new))}", changed)

    def _insert(self, given: Mapping[str, object]) -> Answer:
        id = self._entry("update", given)
        text, after = self._text("update", given, "insert_text"), given.get("insert_line")
        entry = self._memory.get(str(id))
        lines = lines_of(entry.body)
        if isinstance(after, int) and not isinstance(after, bool) and not 0 <= after <= len(lines.lines):
            reach = f"It should be within the range of lines of the file: [0, {len(lines.lines)}]"
            return Answer(f"Error: Invalid `insert_line` parameter: {after}. {reach}", True)
        with self._memory.session.auditing("update", str(id)):
            expect_whole("insert_line", after, 0)
            assert isinstance(after, int)
            read = self._seen.get(id, entry.version)
            if read != entry.version:
                raise MemoryVersionConflictError(str(id), read, entry.version)
        changed = self._update(entry, inserted(lines, after, text))
        return _written(f"The file {path_of(id)} has been edited.", changed)

    def _update(self, entry: Entry, body: str) -> Entry:
        changed = self._memory.update(str(entry.id), body, expected_version=entry.version)
        if self._seen.get(entry.id) == entry.version:
            self._seen[entry.id] = changed.version
        return changed

    def _delete(self, given: Mapping[str, object]) -> Answer:
        place = self._place("delete", given)
        if place.id is None:
            raise self._whole_folder("delete", place)
        version = self._seen.get(place.id)
        if version is None:
            version = self._memory.get(str(place.id)).version
        self._memory.delete(str(place.id), expected_version=version)
        self._seen.pop(place.id, None)
        return Answer(f"Successfully deleted {place.path}")

    def _rename(self, given: Mapping[str, object]) -> Answer:
        place = self._place("move", given, "old_path")
        if place.id is None:
            raise self._whole_folder("move", place)
        to = self._new_entry("move", given, "new_path")
        self._memory.get(str(place.id))  # what a role may not read it can't bring to where it may
        entry = self._memory.move(str(place.id), str(to))
        if self._seen.pop(place.id, None) == entry.version:
            self._seen[to] = entry.version
        return _written(f"Successfully renamed {place.path} to {path_of(to)}", entry)

    def _whole_folder(self, operation: str, place: Place) -> TrinhoError:
        """The refusal of an act on a whole folder: of each entry the version that was read would be needed."""
        if place.parts:
            self._below(place)
        error = (
            UsageError(
                f"`{place.path}` is a folder, and a folder can't be changed as a whole",
                hint="do it with its entries, one by one",
            )
            if place.parts
            else UsageError(f"{ROOT} itself can't be deleted or renamed", hint="name an entry in it")
        )
        self._memory.session.record(operation, place.path, error=error)
        return error

    # -- arguments ----------------------------------------------------------------------------------------------

    def _place(self, operation: str, given: Mapping[str, object], name: str = "path") -> Place:
        path = self._text(operation, given, name)
        with self._memory.session.auditing(operation, shown(path)):
            return parse_path(path)

    def _entry(self, operation: str, given: Mapping[str, object]) -> MemoryId:
        """The entry that is to be changed; a folder is none that there is."""
        place = self._place(operation, given)
        if place.id is None:
            with self._memory.session.auditing(operation, shown(place.path)):
                raise MemoryEntryNotFoundError(place.path)
        return place.id

    def _new_entry(self, operation: str, given: Mapping[str, object], name: str = "path") -> MemoryId:
        """The ID of an entry that is to be made."""
        place = self._place(operation, given, name)
        if place.id is None:
            with self._memory.session.auditing(operation, shown(place.path)):
                raise InvalidMemoryIdError(place.path, "the path of an entry ends in .md", HINT)
        return place.id

    def _text(self, operation: str, given: Mapping[str, object], name: str, default: str | None = None) -> str:
        value = given.get(name, default)
        with self._memory.session.auditing(operation, None):
            expect_text(name, value)
        return str(value)


def _range(value: object) -> tuple[int, int]:
    """The lines that a view asks for, from 1; -1 is the last one."""
    if value is None:
        return 1, -1
    match value:
        case [int(first), int(last)] if not isinstance(first, bool) and not isinstance(last, bool):
            return first, last
    raise InvalidEntryError("view_range", repr(value), "give two whole numbers: the first line and the last, or -1")


def _absent(command: str, given: Mapping[str, object], error: MemoryEntryNotFoundError) -> str:
    moved = error.fields.get("moved_to")
    told = _ABSENT[command].format_map(given)
    return f"{told}\nIt was moved to {path_of(parse_memory_id(moved))}" if isinstance(moved, str) else told


def _written(told: str, entry: Entry) -> Answer:
    """An answer, with what the writer should know of what was written."""
    notes = [f"note: {warning}" for warning in entry.warnings]
    if entry.knowledge.status is Status.HELD:
        notes.append("note: it waits until a person accepts it")
    return Answer("\n".join([told, *notes]))


def _failed(error: TrinhoError) -> Answer:
    told = [f"Error: {error.error_code}: {error.message}"]
    grant = error.fields.get("grant_that_would_open")
    if isinstance(grant, str):
        told.append(f"the grant that would open it: {grant}")
    return Answer("\n".join([*told, *([error.hint] if error.hint else [])]), True, error)
