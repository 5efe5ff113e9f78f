"""Dispatches by the first command to one door: the only module that knows them all."""

from __future__ import annotations

import sys
from typing import NoReturn


def main() -> None:
    """Run the command line and exit with its status."""
    try:
        if "hook" in sys.argv[1:] and _first_word(sys.argv[1:]) == "hook":
            _answer_hook()
        from trinho.interfaces.cli.app import run  # each door is loaded only when it is asked for

        status = run(sys.argv[1:], {"mcp": _serve_mcp})
    except KeyboardInterrupt:  # while it was still loading, or already ending
        status = 130
    sys.exit(status)


def _first_word(arguments: list[str]) -> str | None:
    """The command, behind options that hold everywhere."""
    rest = iter(arguments)
    for each in rest:
        if each in ("--root", "--as"):
            next(rest, None)
        elif not each.startswith("-"):
            return each
    return None


def _answer_hook() -> NoReturn:
    import gc
    import os

    gc.disable()  # a process of a tenth of a second: neither counting its objects nor taking them down pays off
    from trinho.interfaces.hooks.run import main as answer

    os._exit(answer(sys.argv[1:]))


def _serve_mcp(*arguments: object, **options: object) -> None:
    import gc  # the library behind the server makes a hundred thousand objects that stay: counting them is lost time

    gc.disable()
    from trinho.interfaces.mcp.server import serve

    serve(*arguments, **options)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
