"""What of an entry is kept for finding it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trinho.domain.entry import Kind
from trinho.ports.index import Place, Words
from trinho.retrieval.meanings import meanings_of
from trinho.retrieval.words import accented, index_text

if TYPE_CHECKING:
    from datetime import datetime

    from trinho.domain.ids import MemoryId

LOGS = "logs"
_NUMBER = re.compile(r"[0-9]+")
_DIGITS = 12
_SAYS = re.compile(r"\w+")


def words_of(id: MemoryId, name: str, description: str, body: str) -> Words:
    """The entry's words by field; a name or description that only repeats what stands beside it counts once."""
    named = [*filter(None, [id.owner]), *id.segments]
    head = " ".join(named if name == named[-1] else [*named, name])
    summary = "" if _repeats(description, body) else description
    text = f"{body}\n{head}\n{summary}"
    fields = index_text(body), index_text(head), index_text(summary)
    meanings = {meaning.word for field in fields for meaning in meanings_of(field.split())}
    return Words(*fields, accented(text), f" {' '.join(sorted(meanings))} " if meanings else "")


def place_of(id: MemoryId, kind: Kind, created: datetime) -> Place | None:
    """Where a line of a log stands: among those of one folder and day whose names differ in their numbers."""
    if kind is not Kind.LOG and LOGS not in id.segments[:-1]:
        return None
    *folder, name = id.parts
    numbers = _NUMBER.findall(name)
    if not numbers:
        return None
    pattern = _NUMBER.sub("#", name)
    place = "-".join(number.rjust(_DIGITS, "0") for number in numbers)
    return Place(f"{':'.join(folder)}:{pattern} {created:%Y-%m-%d}", place)


def _repeats(description: str, body: str) -> bool:
    """Whether the description is the beginning of the body, as one is that was made from it."""
    said = _SAYS.findall(description)
    return _SAYS.findall(body[: len(description) * 2 + 80])[: len(said)] == said
