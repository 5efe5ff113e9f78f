"""A path is an ID in other letters, or nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trinho.domain.ids import MemoryId, parse_memory_id
from trinho.errors import InvalidInputError, InvalidMemoryIdError, PathTraversalError
from trinho.interfaces.memory_tool.paths import parse_path, path_of

SEGMENTS = st.from_regex(r"[a-z_][a-z0-9_.é\-]{0,8}[a-z0-9_]", fullmatch=True).filter(
    lambda text: text not in ("con", "prn", "aux", "nul") and not text.startswith(("con.", "prn.", "aux.", "nul."))
)
IDS = st.one_of(
    st.lists(SEGMENTS, min_size=1, max_size=5).map(lambda parts: ("shared", *parts)),
    st.lists(SEGMENTS, min_size=2, max_size=5).map(lambda parts: ("project", *parts)),
    st.lists(SEGMENTS, min_size=2, max_size=5).map(lambda parts: ("private", *parts)),
).map(lambda parts: parse_memory_id(":".join(parts)))


@pytest.mark.parametrize(
    ("path", "id"),
    [
        ("/memories/shared/tabs.md", "shared:tabs"),
        ("/memories/shared/team/indentation.md", "shared:team:indentation"),
        ("/memories/project/alp/goals.md", "project:alp:goals"),
        ("/memories/private/main/a.txt.md", "private:main:a.txt"),
        ("/memories/private/main/x.md.md", "private:main:x.md"),
        ("/memories/shared/nhóm/thụt lề.md", "shared:nhóm:thụt lề"),
    ],
)
def test_the_path_of_an_entry(path: str, id: str) -> None:
    place = parse_path(path)
    assert place.id == parse_memory_id(id)
    assert place.path == path_of(parse_memory_id(id)) == path


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("/memories", ()),
        ("/memories/", ()),
        ("/memories/shared", ("shared",)),
        ("/memories/project/alp/", ("project", "alp")),
        ("/memories/private/main/x.md/", ("private", "main", "x.md")),
        ("/memories/shared/notes.txt", ("shared", "notes.txt")),
    ],
)
def test_any_other_path_leads_to_a_folder(path: str, parts: tuple[str, ...]) -> None:
    place = parse_path(path)
    assert (place.id, place.parts) == (None, parts)


def test_the_paths_of_the_reference_lead_where_it_says() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "reference" / "memory-tool.md"
    rows = re.findall(r"^\| `(/memories/\S+\.md)` \| `(\S+)` \|$", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) == 3
    assert [str(parse_path(path).id) for path, _ in rows] == [id for _, id in rows]


@given(IDS)
def test_each_id_has_one_path_that_leads_back_to_it(id: MemoryId) -> None:
    assert parse_path(path_of(id)).id == id


@given(
    st.lists(st.sampled_from(["shared", "project", "private", "a", "..", ".", "", "b.md", "c:d", "%2e", "\\", "．．"]))
)
def test_what_is_taken_is_the_only_spelling_of_its_place(parts: list[str]) -> None:
    text = "/".join(["/memories", *parts])
    try:
        place = parse_path(text)
    except InvalidInputError:
        return
    assert place.path == text.removesuffix("/")


TRAVERSAL = [
    "",
    "/",
    "memories/shared/x.md",
    "/etc/passwd",
    "/memoriesx/shared/x.md",
    "/Memories/shared/x.md",
    "//memories/shared/x.md",
    "/memories/..",
    "/memories/../etc/passwd",
    "/memories/../../secrets.env",
    "/memories/shared/../private/worker/x.md",
    "/memories/shared/./x.md",
    "/memories/shared/.../x.md",
    "/memories/shared/x.md/..",
    "/memories/..\\..\\secrets.env",
    "/memories/shared\\x.md",
    "/memories/shared/a\\..\\b.md",
    "/memories/%2e%2e%2fsecrets.md",
    "/memories/shared/%2E%2E/x.md",
    "/memories/shared/%252e%252e%252fx.md",
    "/memories/shared/a%5cb.md",
    "/memories/shared/a%2fb.md",
    "/memories/shared/a%00.md",
    "/memories/shared/a\0.md",
    "/memories/shared/．．/x.md",
    "/memories/shared/‥/x.md",
    "/memories/shared/a／..／b.md",
    "/memories/shared/a＼b.md",
    "/memories/shared/．．％2fx.md",
]


@pytest.mark.parametrize("path", TRAVERSAL)
def test_what_leads_out_is_refused(path: str) -> None:
    with pytest.raises(PathTraversalError) as refused:
        parse_path(path)
    assert refused.value.code == "PATH_TRAVERSAL"
    assert "/memories/shared/<name>.md" in refused.value.hint


INVALID = [
    "/memories//",
    "/memories/notes.md",
    "/memories/secret/x.md",
    "/memories/projects/alp/goals.md",
    "/memories/.trinho/ledger.db",
    "/memories/shared.md",
    "/memories/project/goals.md",
    "/memories/shared//x.md",
    "/memories//shared/x.md",
    "/memories/shared/.md",
    "/memories/shared/.hidden.md",
    "/memories/shared/.git/config",
    "/memories/shared/~root/x.md",
    "/memories/shared/a:b.md",
    "/memories/shared:team/x.md",
    "/memories/shared/*.md",
    "/memories/shared/a\nb.md",
    "/memories/shared/a\u202eb.md",
    "/memories/shared/a\u200b.md",
    "/memories/shared/\U000e0041.md",
    "/memories/shared/\ud800.md",
    "/memories/shared/e\u0301.md",
    "/memories/shared/pаypal.md",
    "/memories/shared/con.md",
    "/memories/shared/MEMORY.md",
    "/memories/shared/a .md",
    "/memories/shared/" + "a" * 101 + ".md",
    "/memories/shared/" + "a/" * 40 + "x.md",
    "/memories/shared/" + "a/" * 40,
]


@pytest.mark.parametrize("path", INVALID, ids=lambda path: ascii(path)[:40])
def test_what_is_no_id_is_refused(path: str) -> None:
    with pytest.raises(InvalidMemoryIdError) as refused:
        parse_path(path)
    assert refused.value.code == "INVALID_MEMORY_ID"
    assert "/memories/shared/<name>.md" in refused.value.hint
