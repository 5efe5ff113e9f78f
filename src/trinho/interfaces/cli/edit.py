"""edit: the whole file in the person's editor, and nothing that was typed there is lost."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from trinho.errors import UsageError
from trinho.interfaces.cli.app import Command, memory
from trinho.interfaces.cli.entries import told
from trinho.interfaces.cli.output import tell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trinho.domain.entry import Entry

_HINT = "set VISUAL or EDITOR to an editor that runs here; nothing was changed"
_PATIENCE_SECONDS = 2


@click.command("edit", cls=Command)
@click.argument("id")
def edit_command(id: str) -> None:
    """Open an entry in your editor ($VISUAL, $EDITOR) and save it if nobody else has changed it."""
    with memory() as opened:
        entry, before = opened.document(id)
        with _ends_raised(), _working_copy(entry, before) as copy:
            command = os.environ.get("VISUAL", "").strip() or os.environ.get("EDITOR", "").strip() or "vi"
            _run(command, copy)
            after = _text(copy)
            if after is None:
                raise UsageError(f"the editor `{command}` left no file", hint=_HINT)
            if after != before:
                entry = opened.replace_document(id, after, expected_version=entry.version)
        told("unchanged" if after == before else "updated", entry, opened)


@contextmanager
def _working_copy(entry: Entry, before: bytes) -> Iterator[Path]:
    """A copy for the editor, removed afterwards; if the block fails, what it has become is kept and told of."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="trinho-"))
    except OSError as error:
        raise _no_place(error) from error
    copy = folder / f"{entry.id.parts[-1]}.md"
    stays = False
    try:
        _write(copy, before)
        yield copy
    except BaseException:
        stays = _keep(copy, before)
        raise
    finally:
        if not stays:
            shutil.rmtree(folder, ignore_errors=True)


def _write(copy: Path, text: bytes) -> None:
    try:
        copy.write_bytes(text)
    except OSError as error:
        copy.unlink(missing_ok=True)  # what there is of it is nobody's text
        raise _no_place(error) from error


def _no_place(error: OSError) -> UsageError:
    hint = "free some space, or set TMPDIR to a folder that has some"
    return UsageError(f"there is no place for a copy to edit: {error.strerror or error}", hint=hint)


def _run(command: str, copy: Path) -> None:
    """Let the editor work on the copy; UsageError if it can't be started or says that it failed."""
    try:
        process = subprocess.Popen([*shlex.split(command), os.fspath(copy)])  # noqa: S603 - the person's own editor
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"the editor `{command}` can't be started: {reason}", hint=_HINT) from error
    try:
        with _interrupts_left_to_the_editor():
            status = process.wait()
    except BaseException:
        _stop(process)
        raise
    if status:
        raise UsageError(f"the editor `{command}` failed", hint=_HINT)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _text(copy: Path) -> bytes | None:
    """What stands in the copy; None where there is no file any more."""
    try:
        return copy.read_bytes() if copy.is_file() else None
    except OSError:
        return None


def _keep(copy: Path, before: bytes) -> bool:
    """Keep a text that has changed in a new file beside the person; True if it had to stay where it is."""
    text = _text(copy)
    if text is None or text == before:
        return False
    kept = None
    try:
        with tempfile.NamedTemporaryFile(
            prefix=f"{copy.stem}.unsaved-", suffix=".md", dir=Path.cwd(), delete=False
        ) as file:
            kept = Path(file.name)
            file.write(text)
    except OSError:
        if kept is not None:
            with suppress(OSError):
                kept.unlink()
        tell(f"your text is kept in {copy}")
        return True
    tell(f"your text is kept in {kept}")
    return False


@contextmanager
def _ends_raised() -> Iterator[None]:
    """Inside, the first signal that would end the process is raised, so that what is at hand can be kept."""
    numbers = (signal.SIGTERM, signal.SIGHUP)

    def end(number: int, _: Any) -> NoReturn:
        for each in (*numbers, signal.SIGINT):
            signal.signal(each, signal.SIG_IGN)
        raise SystemExit(128 + number)

    with _handling(end, *numbers):
        yield


@contextmanager
def _interrupts_left_to_the_editor() -> Iterator[None]:
    """Inside, a Ctrl-C on the terminal is for the editor, which hears of it as well."""
    if not sys.stdin.isatty():
        yield
        return
    with _handling(lambda *_: None, signal.SIGINT):
        yield


@contextmanager
def _handling(handler: Any, *numbers: signal.Signals) -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in numbers}
    chosen = [number for number in numbers if before[number] is not signal.SIG_IGN]
    with suppress(ValueError):  # no main thread, to which alone signals come
        for number in chosen:
            signal.signal(number, handler)
    try:
        yield
    finally:
        with suppress(ValueError):
            for number in chosen:
                signal.signal(number, before[number])
