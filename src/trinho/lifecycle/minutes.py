"""Decisions in the minutes of a meeting, by the words with which they are marked."""

from __future__ import annotations

import re

# A heading under which each item is a decision
_HEADING = re.compile(
    r"^\s*(?:#{1,6}\s*|\*\*\s*)?(?:\d+[.)]\s*)?"
    r"(?:key |main |các |những )?(?:decisions?(?: made| taken)?|agreements?|resolutions?|outcomes?"
    r"|quyết định|kết luận|thống nhất|đã chốt|nội dung chốt)\s*(?:\*\*)?\s*:?\s*(?:\*\*)?\s*$",
    re.IGNORECASE,
)
_ANY_HEADING = re.compile(r"^\s*(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$|[^\s\-*•\d][^\n]{0,60}:\s*$)")
_ITEM = re.compile(r"^\s*(?:[-*•+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.+)$")
# A line that is marked by itself
_MARKED = re.compile(
    r"^\s*(?:[-*•+]|\d+[.)])?\s*(?:\*\*|\[)?\s*"
    r"(?:decision|decided|we decided(?: that| to)?|agreed|resolved|quyết định|đã quyết định|chốt|đã chốt|thống nhất"
    r"|kết luận)\s*(?:\*\*|\])?\s*:\s*(?:\*\*)?\s*(.+)$",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"\b(?:we (?:have )?(?:decided|agreed)|the team (?:decided|agreed)|it was (?:decided|agreed)"
    r"|(?:chúng ta|chúng tôi|cả nhóm|cả team|mọi người) (?:đã )?(?:quyết định|thống nhất|chốt))\s+"
    r"(?:that |to |là |rằng )?(.{8,}?)(?:[.!]\s|[.!]?$)",
    re.IGNORECASE,
)
_SHORTEST = 8
_LONGEST = 2_000  # characters of a line in which marks are looked for


def decisions_in(text: str) -> list[str]:
    """The decisions, each once, in their order."""
    found: dict[str, str] = {}
    under = False
    for whole in text.splitlines():
        indented, line = whole[:1].isspace(), whole.strip()[:_LONGEST]
        if _HEADING.match(line):
            under = True
            continue
        marked = _MARKED.match(line)
        item = _ITEM.match(line)
        if marked is None and under and line and item is None:
            under = not _ANY_HEADING.match(line) and indented
        if marked:
            _add(found, whole.strip()[marked.start(1) :])
        elif under and item:
            _add(found, whole.strip()[item.start(1) :])
        else:
            for said in _SAID.finditer(line):
                _add(found, said[1])
    return list(found.values())


def _add(found: dict[str, str], text: str) -> None:
    said = text.strip().strip("*_").strip()
    said = said[:1].upper() + said[1:]
    if len(said) >= _SHORTEST:
        found.setdefault(" ".join(said.casefold().split()), said)
