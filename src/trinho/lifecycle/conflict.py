"""How two facts of the same domain and topic stand to each other."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Label(StrEnum):
    """What a newer fact does to an older one."""

    RESTATES = "restates"
    CONTRADICTS = "contradicts"
    REFINES = "refines"
    COEXISTS = "coexists"


class Judgement(NamedTuple):
    """The label, whether it is so certain that nobody need be asked, and the reason in a few words."""

    label: Label
    sure: bool
    reason: str


def judge(old: str, new: str) -> Judgement:
    """How `new` stands to `old`; languages are English and Vietnamese, also one on each side."""
    if " ".join(old.split()).casefold() == " ".join(new.split()).casefold():
        return Judgement(Label.RESTATES, sure=True, reason="the same words")
    return Judgement(Label.COEXISTS, sure=False, reason="it can't be told")
