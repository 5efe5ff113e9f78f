"""A file layer in which the process dies by SIGKILL, and the child process for it to die in."""

from __future__ import annotations

import os
import signal
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass

from tests.faults.counting import CHANGING, CountingFileSystem

Say = Callable[[str], None]


class CrashingFileSystem(CountingFileSystem):
    """Kills the process around the n-th changing call after `arm`: before it, or just after it."""

    def __init__(self) -> None:
        self._left = 0
        self._moment = ""

    def arm(self, n: int, moment: str) -> None:
        self._left, self._moment = n, moment

    def before(self, call: str) -> None:
        if call not in CHANGING or not self._left:
            return
        self._left -= 1
        if not self._left and self._moment == "before":
            os.kill(os.getpid(), signal.SIGKILL)

    def after(self, call: str) -> None:
        if call in CHANGING and not self._left and self._moment == "after":
            os.kill(os.getpid(), signal.SIGKILL)


@dataclass
class Child:
    """A forked process and what it says, a line at a time."""

    pid: int
    _pipe: int
    _heard: bytes = b""

    def hear(self) -> bool:
        """Wait for more; False when it has nothing to say any more."""
        piece = os.read(self._pipe, 1 << 16)
        self._heard += piece
        return bool(piece)

    def lines(self) -> list[str]:
        """The whole lines heard so far."""
        return self._heard.decode().split("\n")[:-1]

    def kill(self, number: int = signal.SIGKILL) -> None:
        os.kill(self.pid, number)

    def end(self) -> tuple[int, list[str]]:
        """Hear it out; answers with its exit status, negative for a signal, and all its lines."""
        while self.hear():
            pass
        os.close(self._pipe)
        _, status = os.waitpid(self.pid, 0)
        return os.waitstatus_to_exitcode(status), self.lines()


def fork(work: Callable[[Say], None]) -> Child:
    """Run `work` in a forked process; it ends with status 0, or 1 and its traceback as last lines."""
    heard, said = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forking beside threads: the child uses none
        pid = os.fork()
    if pid:
        os.close(said)
        return Child(pid, heard)
    os.close(heard)
    status = 1
    try:
        work(lambda line: _write(said, line + "\n"))
        status = 0
    except BaseException:  # noqa: BLE001 - whatever ends the child is what it has to say
        _write(said, traceback.format_exc() + "\n")
    finally:
        os._exit(status)


def _write(fd: int, text: str) -> None:
    rest = text.encode()
    while rest:
        rest = rest[os.write(fd, rest) :]
