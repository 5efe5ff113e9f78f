"""Dispatches by the first command to one door."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit with its status."""
    try:
        from trinho.interfaces.cli.app import run  # each door is loaded only when it is asked for

        status = run(sys.argv[1:])
    except KeyboardInterrupt:  # while it was still loading, or already ending
        status = 130
    sys.exit(status)


if __name__ == "__main__":
    main()
