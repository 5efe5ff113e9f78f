"""Dispatches by the first command to one door."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit with its status."""
    from trinho.interfaces.cli.app import run  # each door is loaded only when it is asked for

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
