"""Real processes, killed by SIGKILL wherever they happen to be."""

from __future__ import annotations

import warnings

import pytest
from benchmarks.kills import LIVES, compare


@pytest.mark.slow
@pytest.mark.parametrize("root", range(4))
def test_two_hundred_kills_lose_nothing(root: int) -> None:
    """No torn file, no acknowledged write lost, no index row without bytes, and an audit trail that holds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forking beside threads: the child uses none
        assert compare(LIVES, seed=1 + root * LIVES) == []
