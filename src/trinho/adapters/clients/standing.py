"""Whether what was put into a client's settings still stands, and what it starts is there."""

from __future__ import annotations

import re
import shlex
import shutil
from typing import TYPE_CHECKING

from trinho.errors import InvalidClientSettingsError
from trinho.ports.clients import Trouble, TroubleKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from trinho.adapters.clients.files import Record, Records

_ROLE = re.compile(r"""--as["'\s,]+([^"'\s]+)""")
_USUAL_ROLE = "main"
_PLAIN = re.compile(r"[^\s=$~`]+")  # a program that no shell is needed to find


def troubles(
    programs: Mapping[str, Callable[[], Sequence[str]]], mend: str, search_path: str | None
) -> Iterator[Trouble]:
    """What is wrong with files that are to start programs, each told once."""
    told: set[str] = set()
    for path, read in programs.items():
        try:
            started = read()
        except InvalidClientSettingsError as error:
            broken = str(error.fields["path"])
            if broken not in told:
                what = f"it can't be used: {error.fields['reason']}"
                yield Trouble(TroubleKind.SETTINGS, broken, what, "mend it in an editor")
            told.add(broken)
            continue
        if not started:
            yield Trouble(TroubleKind.SETTINGS, path, "what setup put there is gone", mend)
        for program in started:
            if program not in told and _PLAIN.fullmatch(program) and not shutil.which(program, path=search_path):
                yield Trouble(TroubleKind.COMMAND, path, f"it starts `{program}`, which isn't there", mend)
            told.add(program)


def mend(client: str, folder: str | None, records: Sequence[Record]) -> str:
    """The command that sets it up again as it was, and the one for whom that isn't wanted."""
    roles = [found[1] for record in records for text in record.texts if (found := _ROLE.search(text))]
    command = ["trinho", "setup", client, *(["--scope", "project"] if folder else [])]
    again = [*command, *(["--role", roles[0]] if roles and roles[0] != _USUAL_ROLE else [])]
    where = f" in {folder}" if folder else ""
    return f"`{shlex.join(again)}`{where}, or `{shlex.join([*command, '--remove'])}` if it isn't to be there"


def noted(paths: Sequence[str], records: Records) -> list[Record]:
    """What was put into these files."""
    return [record for path in paths if (record := records.of(path)) is not None]
