"""Each test has a home, a root and an environment of its own."""

from tests.cleanroom import home, trinho

__all__ = ["home", "trinho"]
