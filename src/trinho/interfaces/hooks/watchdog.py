"""The time that a hook may take, and the log of what went wrong.

Threads are started by `_thread`, since importing `threading` costs a hook more than its answer.
"""

from __future__ import annotations

import _thread
import os
import time
from contextlib import suppress

_MOST_LOG = 256 << 10  # bytes; then it begins anew, and one older log stays
_WRITING = 1.0  # seconds that the client may take to read an answer
_state = {"answering": False}


def start(seconds: float, event: str) -> None:
    """End this process when the time is over, without an answer, or when a whole one was not taken."""
    _thread.start_new_thread(_wait, (seconds, event))


def _wait(seconds: float, event: str) -> None:
    time.sleep(seconds)
    if _state["answering"]:
        time.sleep(_WRITING)
    log(event, f"gave up after {seconds:g} seconds")
    os._exit(0)


def finish(answer: bytes) -> None:
    """Write the answer. From here on the time is no reason to cut it."""
    _state["answering"] = True
    with suppress(OSError):  # the client has gone
        while answer:
            answer = answer[os.write(1, answer) :]


def log(event: str, text: str) -> None:
    """Add one line to the user's log of hooks; what fails there is nobody's concern."""
    try:
        place = log_file()
        os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
        with suppress(FileNotFoundError):
            if os.stat(place).st_size > _MOST_LOG:
                os.replace(place, f"{place}.1")
        line = " ".join(text.split())[:500]
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        fd = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
        try:
            os.write(fd, f"{stamp} hook {event}: {line}\n".encode(errors="replace"))
        finally:
            os.close(fd)
    except Exception:  # noqa: BLE001 - a log that can't be written changes nothing for the client
        return


def log_file() -> str:
    """Where the log is."""
    from platformdirs import user_state_dir  # only where there is something to tell

    return f"{user_state_dir('trinho')}/hooks.log"
