"""The home of a test is its own."""

from tests.cleanroom import home, trinho

__all__ = ["home", "trinho"]
