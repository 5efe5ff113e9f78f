"""What SQLite's columns can't hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trinho.adapters.sqlite.connection import DatabaseDamagedError
from trinho.adapters.sqlite.rows import decoding, id_of, marks_of, path_key
from trinho.adapters.sqlite.unicode import storable
from trinho.domain.versions import FileMark


@given(st.text(st.characters(categories=["L", "N", "Cs", "So"])))
def test_any_text_becomes_one_that_can_be_stored(text: str) -> None:
    storable(text).encode()
    if not any("\ud800" <= character <= "\udfff" for character in text):
        assert storable(text) == text


def test_a_path_that_is_not_utf_8_is_kept_as_its_bytes() -> None:
    assert path_key("shared/\udcff.md") == b"shared/\xff.md"
    assert marks_of([(b"shared/\xff.md", 1, 2, 3)]) == {"shared/\udcff.md": FileMark(1, 2, 3)}
    assert path_key("shared/é.md") == "shared/é.md"


@pytest.mark.parametrize("row", [(None, 1, 2, 3), (1, 1, 2, 3), ("a", "b", 2, 3), ("a", None, 2, 3), ("a", 1)])
def test_a_mark_that_we_never_wrote_is_damage(row: tuple[object, ...]) -> None:
    with pytest.raises(DatabaseDamagedError):
        decoding("index.db", marks_of, [row])


@pytest.mark.parametrize("value", [None, 3, "", "nothing", "shared:..:a"])
def test_an_id_that_we_never_wrote_is_damage(value: object) -> None:
    with pytest.raises(DatabaseDamagedError):
        decoding("index.db", id_of, value)
