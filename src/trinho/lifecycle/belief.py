"""What becomes of a new fact among those that are held of the same thing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from trinho.domain.knowledge import Veracity
from trinho.lifecycle.conflict import Label, judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trinho.domain.ids import MemoryId
    from trinho.lifecycle.conflict import Judgement

_CLASSES = {Veracity.STATED: 3, Veracity.INFERRED: 2, Veracity.IMPORTED: 1, Veracity.TOOL: 0, Veracity.UNKNOWN: 0}


class Claim(NamedTuple):
    """A fact as it is judged."""

    id: MemoryId
    content: str
    veracity: Veracity


class Relation(NamedTuple):
    """How a new fact stands to an old one."""

    to: MemoryId
    judgement: Judgement


class Resolution(NamedTuple):
    """What to do with a new fact.

    It only says again what `restates` says; or it `loses_to` one that is better founded; or it supersedes some, and of
    the `doubtful` ones a person decides.
    """

    relations: tuple[Relation, ...]
    restates: MemoryId | None = None
    loses_to: MemoryId | None = None
    supersedes: tuple[MemoryId, ...] = ()
    doubtful: tuple[MemoryId, ...] = ()


def outranks(one: Veracity, other: Veracity) -> bool:
    """Whether one comes from a more reliable source than the other."""
    return _CLASSES[one] > _CLASSES[other]


def resolve(new: Claim, olds: Sequence[Claim]) -> Resolution:
    """The resolution of a claim that is newer than all the others; of a doubt a person is asked, never guessed."""
    relations = tuple(Relation(old.id, judge(old.content, new.content)) for old in olds)
    pairs = list(zip(olds, relations, strict=True))
    same = [old.id for old, relation in pairs if relation.judgement.label is Label.RESTATES and relation.judgement.sure]
    if same:
        return Resolution(relations, restates=same[0])
    sure = [(old, relation.judgement.label) for old, relation in pairs if relation.judgement.sure]
    better = [old.id for old, label in sure if label is Label.CONTRADICTS and outranks(old.veracity, new.veracity)]
    doubtful = tuple(
        old.id for old, (_, judgement) in pairs if not judgement.sure and judgement.label is not Label.COEXISTS
    )
    if better:
        return Resolution(relations, loses_to=better[0], doubtful=doubtful)
    beaten = tuple(
        old.id
        for old, label in sure
        if label in (Label.CONTRADICTS, Label.REFINES) and not outranks(old.veracity, new.veracity)
    )
    return Resolution(relations, supersedes=beaten, doubtful=doubtful)
