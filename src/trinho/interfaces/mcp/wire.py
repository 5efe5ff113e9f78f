"""The protocol's own pipe: nothing but messages leaves by standard output, and whatever comes in gets an answer.

The streams of the library's own transport ignore what is no message and wait for lines of any length.
"""

from __future__ import annotations

import fcntl
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest

from trinho.interfaces.mcp.messages import LONGEST, Refused, parse, too_long

if TYPE_CHECKING:
    from collections.abc import Callable

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp_types import JSONRPCMessage

_PIECE = 1 << 16
# Seconds after the end of the input in which what was asked before is still answered
_LAST_ANSWERS = 10.0


class Wire:
    """Reads lines from one descriptor and writes lines to another, until either side ends."""

    def __init__(self, source: int, sink: int) -> None:
        self._source = source
        self._sink = sink
        self._pending: set[str | int] = set()
        self._idle = anyio.Event()
        incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        outgoing = anyio.create_memory_object_stream[SessionMessage](0)
        self._incoming: MemoryObjectSendStream[SessionMessage | Exception] = incoming[0]
        self.received: MemoryObjectReceiveStream[SessionMessage | Exception] = incoming[1]
        self.sent: MemoryObjectSendStream[SessionMessage] = outgoing[0]
        self._outgoing: MemoryObjectReceiveStream[SessionMessage] = outgoing[1]
        self._refusals = self.sent.clone()

    async def read(self) -> None:
        """Hand over every message; at the end of the input wait until what was asked is answered."""
        async with self._incoming, self._refusals:
            lines = _Lines(self._source)
            while True:
                line = await anyio.to_thread.run_sync(lines.next, abandon_on_cancel=True)
                if line is None:
                    break
                if not line.strip():
                    continue
                message = too_long() if line is _TOO_LONG else parse(line)
                if isinstance(message, Refused):
                    await self._refusals.send(SessionMessage(message.message))
                    continue
                if isinstance(message, JSONRPCRequest):
                    self._pending.add(message.id)
                await self._incoming.send(SessionMessage(message))
            with anyio.move_on_after(_LAST_ANSWERS):
                while self._pending:
                    self._idle = anyio.Event()
                    await self._idle.wait()

    async def write(self, gone: Callable[[], None]) -> None:
        """Write every message; `gone` is called when nobody reads them any more."""
        async with self._outgoing:
            async for message in self._outgoing:
                text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                try:
                    await anyio.to_thread.run_sync(_write, self._sink, text.encode() + b"\n", abandon_on_cancel=True)
                except OSError:
                    gone()
                    return
                self._answered(message.message)

    def _answered(self, message: JSONRPCMessage) -> None:
        id = getattr(message, "id", None)
        if id is not None and not isinstance(message, JSONRPCRequest):
            self._pending.discard(id)
            if not self._pending:
                self._idle.set()


def claim_standard_streams() -> Wire:
    """The wire on standard input and output, which then lead nowhere: a stray print lands in standard error."""
    source = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, 3)
    sink = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, 3)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    with suppress(OSError):  # started with standard error closed
        os.dup2(2, 1)
    if sys.stderr is None:  # started with it closed: what it would say goes nowhere
        os.dup2(null, 1)
        os.dup2(null, 2)
    os.close(null)
    return Wire(source, sink)


_TOO_LONG = b"\xff"


class _Lines:
    """Lines of a descriptor, the length of each bounded; what is longer is read to its end and forgotten."""

    def __init__(self, source: int) -> None:
        self._source = source
        self._rest = b""
        self._ended = False

    def next(self) -> bytes | None:
        """The next line, _TOO_LONG in place of one that is, or None at the end."""
        pieces, size = [], 0
        while True:
            line, end, rest = self._rest.partition(b"\n")
            if size <= LONGEST:
                pieces.append(line)
            size += len(line)
            if end or self._ended:
                self._rest = rest
                if not end and not size:
                    return None
                return _TOO_LONG if size > LONGEST else b"".join(pieces)
            self._rest = self._piece()
            self._ended = not self._rest

    def _piece(self) -> bytes:
        try:
            return os.read(self._source, _PIECE)
        except OSError:  # the other end is gone
            return b""


def _write(sink: int, data: bytes) -> None:
    while data:
        data = data[os.write(sink, data) :]
