"""Grants: their grammar, what they cover, and when one lies in another."""

from __future__ import annotations

import itertools

import pytest
from benchmarks.naive_grants import naive_covers
from hypothesis import given
from hypothesis import strategies as st

from trinho.access.grant import Grant, covering, parse_grant
from trinho.domain.ids import MAX_SEGMENTS, parse_memory_id
from trinho.errors import InvalidMemoryGrantError

SEGMENTS = st.sampled_from(["alp", "alpha", "facts", "a", "shared", "quy-ước", "x.y"])


@st.composite
def grant_texts(draw: st.DrawFn) -> str:
    scope = draw(st.sampled_from(["shared", "project", "private"]))
    parts = [scope]
    if scope != "shared":
        parts.append(draw(SEGMENTS | st.just("*")) if scope == "project" else draw(SEGMENTS))
    parts += draw(st.lists(SEGMENTS, max_size=3))
    if draw(st.booleans()) and (scope == "shared" or len(parts) > 1):
        parts.append("*")
    return ":".join(parts)


@st.composite
def id_texts(draw: st.DrawFn) -> str:
    scope = draw(st.sampled_from(["shared", "project", "private"]))
    return ":".join([scope, *draw(st.lists(SEGMENTS, min_size=1 if scope == "shared" else 2, max_size=6))])


@pytest.mark.parametrize(
    ("grant", "id", "covered"),
    [
        ("shared", "shared:a", True),
        ("shared", "shared:a:b:c", True),
        ("shared", "project:shared:a", False),
        ("shared:*", "shared:a", True),
        ("shared:*", "shared:a:b", True),
        ("shared:team", "shared:team", True),
        ("shared:team", "shared:team:onboarding", True),
        ("shared:team", "shared:teams", False),
        ("shared:team:*", "shared:team:onboarding:x", True),
        ("shared:team:*", "shared:team:onboarding", True),
        ("shared:team:*", "shared:team", False),
        ("project:alp", "project:alp:goals", True),
        ("project:alp", "project:alp:goals:x", True),
        ("project:alp", "project:alpha:goals", False),
        ("project:alp", "private:alp:goals", False),
        ("project:alp:*", "project:alp:goals", True),
        ("project:alp:goals", "project:alp:goals", True),
        ("project:alp:goals", "project:alp:goals:x", True),
        ("project:alp:goals:*", "project:alp:goals", False),
        ("project:alp:goals:*", "project:alp:goals:x", True),
        ("project:*", "project:alp:goals", True),
        ("project:*", "shared:alp:goals", False),
        ("project:*", "private:alp:goals", False),
        ("project:*:facts", "project:alp:facts", True),
        ("project:*:facts", "project:alp:facts:x:y", True),
        ("project:*:facts", "project:alp:team:facts", False),
        ("project:*:facts", "private:alp:facts", False),
        ("project:*:facts:*", "project:alp:facts", False),
        ("project:*:facts:*", "project:alp:facts:x", True),
        ("project:*:*", "project:alp:facts", True),
        ("private:worker", "private:worker:notes", True),
        ("private:worker", "private:worker2:notes", False),
        ("private:worker:*", "private:worker:notes", True),
        ("shared:quy-ước", "shared:quy-ước:thụt-lề", True),
    ],
)
def test_what_a_grant_covers(grant: str, id: str, covered: bool) -> None:
    assert parse_grant(grant).covers(parse_memory_id(id)) is covered


@pytest.mark.parametrize(
    "text",
    [
        "",
        "*",
        "project",
        "private",
        "private:*",
        "private:*:notes",
        "public",
        "Shared",
        "shared:",
        "shared::a",
        "shared:*:a",
        "shared:a:*:b",
        "project:",
        "project:alp:*:x",
        "project:*:*:x",
        "project:a*",
        "project:**",
        "shared:..",
        "shared:a/b",
        "shared:a\\b",
        "shared:con",
        "shared:a\u202eb",
        "shared:-a",
        "shared:a ",
        " shared",
        "shared\n",
        "shared:" + "a" * 101,
        ":".join(["shared", *["a"] * MAX_SEGMENTS]),
    ],
)
def test_what_is_no_grant(text: str) -> None:
    with pytest.raises(InvalidMemoryGrantError) as caught:
        parse_grant(text)
    assert caught.value.error_code == "INVALID_MEMORY_GRANT"
    assert caught.value.exit_status == 2


def test_the_longest_grant() -> None:
    text = ":".join(["shared", *["a"] * (MAX_SEGMENTS - 1)])
    assert parse_grant(text).covers(parse_memory_id(text))


@given(st.text(max_size=20) | st.lists(SEGMENTS | st.sampled_from(["*", "", "project"]), max_size=5).map(":".join))
def test_any_text_is_a_grant_of_that_text_or_refused(text: str) -> None:
    try:
        grant = parse_grant(text)
    except InvalidMemoryGrantError:
        return
    assert str(grant) == text


@given(grant_texts(), id_texts())
def test_covers_is_what_the_naive_reading_says(grant: str, id: str) -> None:
    assert parse_grant(grant).covers(parse_memory_id(id)) is naive_covers(grant, id)


@given(grant_texts(), st.lists(SEGMENTS, max_size=3))
def test_covers_at_the_border_of_a_grant(grant: str, more: list[str]) -> None:
    stem = [part if part != "*" else "alp" for part in grant.split(":")]
    least = 2 if stem[0] == "shared" else 3
    text = ":".join([*stem, *["a"] * (least - len(stem)), *more])
    assert naive_covers(grant, text)
    assert parse_grant(grant).covers(parse_memory_id(text))


@given(st.lists(grant_texts(), max_size=6), id_texts())
def test_covering_is_any_of_the_grants(texts: list[str], id: str) -> None:
    entry = parse_memory_id(id)
    grants = [parse_grant(text) for text in texts]
    assert covering(grants)(entry) is any(grant.covers(entry) for grant in grants)


def _all_grants(most: int) -> list[Grant]:
    grants = []
    for length in range(1, most + 1):
        for scope in ("shared", "project", "private"):
            for rest in itertools.product("ab*", repeat=length - 1):
                try:
                    grants.append(parse_grant(":".join([scope, *rest])))
                except InvalidMemoryGrantError:
                    continue
    return grants


def test_covers_grant_is_inclusion_on_a_small_alphabet() -> None:
    # `c` is in no grant, and the IDs are longer than any, so that what holds for them holds for all.
    ids = [
        ":".join([scope, *rest])
        for scope in ("shared", "project", "private")
        for length in range(1 if scope == "shared" else 2, 5)
        for rest in itertools.product("abc", repeat=length)
    ]
    grants = _all_grants(4)
    covered = {grant: {text for text in ids if naive_covers(str(grant), text)} for grant in grants}
    assert len(grants) > 60
    assert all(covered.values())
    for outer, inner in itertools.product(grants, repeat=2):
        assert outer.covers_grant(inner) is (covered[inner] <= covered[outer]), f"{outer} and {inner}"


@given(grant_texts(), grant_texts(), id_texts())
def test_covers_grant_never_promises_too_much(outer: str, inner: str, id: str) -> None:
    if parse_grant(outer).covers_grant(parse_grant(inner)) and naive_covers(inner, id):
        assert naive_covers(outer, id)
