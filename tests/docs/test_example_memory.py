"""The example memory is one that the product could have written."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest
import yaml

from trinho.domain.entry import EntryType, Kind
from trinho.domain.ids import segment_fault

MEMORY = Path(__file__).resolve().parents[2] / "examples" / "memory"
INDEX = MEMORY / "MEMORY.md"
ENTRIES = sorted(str(path.relative_to(MEMORY)) for path in MEMORY.rglob("*.md") if path != INDEX)
POINTER = re.compile(r"- \[[^\]]+\]\((?P<target>[^)]+)\) — .+")


def fields_of(entry: str) -> dict[str, object] | None:
    block = re.match(r"---\n(.*?\n)---\n", (MEMORY / entry).read_text(encoding="utf-8"), flags=re.DOTALL)
    if block is None:
        return None
    fields: dict[str, object] = yaml.load(block[1], Loader=yaml.BaseLoader)
    return fields


@pytest.mark.parametrize("entry", ENTRIES)
class TestEntry:
    """Every file can be an entry."""

    def test_has_a_path_that_makes_an_id(self, entry: str) -> None:
        segments = Path(entry).with_suffix("").parts
        assert [segment_fault(segment) for segment in segments] == [None] * len(segments)

    def test_has_sound_frontmatter_or_none(self, entry: str) -> None:
        fields = fields_of(entry)
        if fields is None:
            assert entry == "notes-on-time-zones.md"
            return
        assert fields["name"]
        assert fields["description"]
        assert fields["type"] in list(EntryType)
        assert fields.get("kind", "reference") in list(Kind)

    def test_gives_reasons_if_it_is_feedback(self, entry: str) -> None:
        fields = fields_of(entry) or {}
        text = (MEMORY / entry).read_text(encoding="utf-8")
        assert ("**Why:**" in text and "**How to apply:**" in text) == (fields.get("type") == "feedback")


def test_pointer_lines_are_short() -> None:
    pointers = [line for line in INDEX.read_text(encoding="utf-8").splitlines() if POINTER.fullmatch(line)]
    assert pointers
    assert [line for line in pointers if len(line) >= 150] == []


def test_the_index_links_every_entry() -> None:
    targets = re.findall(r"\]\(([^)]+)\)", INDEX.read_text(encoding="utf-8"))
    assert sorted(unquote(target) for target in targets) == ENTRIES


def test_hosts_are_invented() -> None:
    text = "".join((MEMORY / entry).read_text(encoding="utf-8") for entry in ENTRIES)
    hosts = re.findall(r"https?://([\w.-]+)", text)
    assert hosts
    assert [host for host in hosts if not f".{host}".endswith(".example.com")] == []
