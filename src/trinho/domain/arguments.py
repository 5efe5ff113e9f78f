"""What a caller gives, checked where no type checker has seen it: from Python anything can come."""

from __future__ import annotations

from trinho.domain.ids import segment_fault
from trinho.errors import InvalidEntryError


def expect_text(name: str, value: object, *, optional: bool = False) -> None:
    """Return if it is a text, or None where it is optional; InvalidEntryError otherwise."""
    if not isinstance(value, str) and not (optional and value is None):
        raise InvalidEntryError(name, repr(value), "give a text")


def expect_bytes(name: str, value: object) -> None:
    """Return if it is bytes; InvalidEntryError otherwise."""
    if not isinstance(value, bytes):
        raise InvalidEntryError(name, repr(value), "give bytes")


def expect_whole(name: str, value: object, least: int) -> None:
    """Return if it is a whole number of at least that much; InvalidEntryError otherwise."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise InvalidEntryError(name, repr(value), f"give a whole number, {least} or more")


def expect_texts(name: str, value: object) -> None:
    """Return if it is a set or a sequence of texts; InvalidEntryError otherwise."""
    if not isinstance(value, frozenset | set | list | tuple) or not all(isinstance(each, str) for each in value):
        raise InvalidEntryError(name, repr(value), "give a set of texts")


def expect_project(value: object) -> None:
    """Return if it is None or what a project can be called; InvalidEntryError otherwise."""
    expect_text("project", value, optional=True)
    fault = None if value is None else segment_fault(str(value))
    if fault:
        raise InvalidEntryError("project", str(value), f"a project is one segment of an id: {fault}")
