"""YAML cut to mappings, lists and strings."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trinho.access.strict_yaml import MAX_BYTES, read_strict_yaml


def test_every_value_is_the_text_that_was_written() -> None:
    text = "a: no\non: 1.10\nb: [010, 12:30:45, null, 2024-13-45, '~', \"x\\ty\"]\nc: {d: 0x1F}\ne:\n"
    value, faults = read_strict_yaml(text)
    assert faults == []
    assert value == {
        "a": "no",
        "on": "1.10",
        "b": ["010", "12:30:45", "null", "2024-13-45", "~", "x\ty"],
        "c": {"d": "0x1F"},
        "e": "",
    }


@pytest.mark.parametrize("text", ["", "\n", "# nothing here\n"])
def test_an_empty_text_is_an_empty_mapping(text: str) -> None:
    assert read_strict_yaml(text) == ({}, [])


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a: &x 1", "line 1: anchors are not allowed"),
        ("a: 1\nb: &x [1]", "line 2: anchors are not allowed"),
        ("a: !!str 1", "line 1: tags are not allowed"),
        ("a: !!python/object:os.system x", "line 1: tags are not allowed"),
        ("a: ! x", "line 1: tags are not allowed"),
        ("a: 1\nb: 2\na: 3", "line 3: the key `a` is there twice"),
        ("a: 1\n'a': 3", "line 2: the key `a` is there twice"),
        ("? [a]\n: 1", "line 1: a key is not text"),
        ("a: 1\n---\nb: 2", "it holds more than one document"),
        ("a: [1", "line"),
        ("a:\n\t- 1", "line 2"),
        ("a: 1\u2028b: 1", "line 1: it holds the character U+2028"),
        ("x: 1\na: 1\u0085b: 1", "line 2: it holds the character U+0085"),
        ("a: \ud800", "line 1: it holds the character U+D800"),
        ("a: \x00", "a character that YAML does not allow"),
        ("a: \x1b", "a character that YAML does not allow"),
        ("[" * 9 + "]" * 9, "line 1: more than 8 levels"),
        ("a: 1\n" * 8000, f"it is longer than {MAX_BYTES} bytes"),
    ],
)
def test_what_is_refused(text: str, fault: str) -> None:
    _, faults = read_strict_yaml(text)
    assert any(fault in found for found in faults), faults


def test_an_alias_is_refused_and_stands_for_nothing() -> None:
    value, faults = read_strict_yaml("a: &x [1]\nb: *x")
    assert value == {"a": ["1"], "b": ""}
    assert faults == ["line 1: anchors are not allowed", "line 2: aliases are not allowed"]


def test_all_faults_are_collected() -> None:
    _, faults = read_strict_yaml("a: &x 1\nb: !t 2\na: 3\n")
    assert len(faults) == 3


@pytest.mark.parametrize("text", ["[" * 30000, "? " * 15000, "a: " + "{b: " * 7000, "- " * 15000])
def test_depth_costs_no_time(text: str) -> None:
    start = time.process_time()
    _, faults = read_strict_yaml(text)
    assert faults
    assert time.process_time() - start < 0.5


@given(st.text(max_size=60) | st.text(alphabet="ab:[]{}-?&*!|>'\"#\n \t%~<", max_size=40))
def test_no_text_raises(text: str) -> None:
    value, faults = read_strict_yaml(text)
    assert isinstance(value, str | list | dict)
    assert all(isinstance(fault, str) for fault in faults)
