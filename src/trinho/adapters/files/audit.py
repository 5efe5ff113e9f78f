"""The audit trail as JSON lines, one file a month, chained by hashes."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from trinho.access.actor import PRINCIPAL
from trinho.adapters.files.lock import WAIT_SECONDS, holding
from trinho.adapters.files.root import Root, state_folder
from trinho.adapters.files.syscalls import failure, open_regular, read_exactly, write_all
from trinho.adapters.files.tree import mark_of
from trinho.domain.audit import LEDGER_MADE_ANEW, AuditEvent, AuditFault, AuditLine, AuditReport, ChainHead
from trinho.domain.chain import chain_fault, decode_line, encode_line, head_fault, head_of, in_run, next_line
from trinho.errors import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from trinho.domain.versions import FileMark
    from trinho.ports.ledger import ChainLedger

FOLDER = "audit"
_SUFFIX = ".jsonl"
_BLOCK = 64 * 1024
_UNSURE = "whether an end of the trail was cut off can't be told"


class _End(NamedTuple):
    """The end of the newest file: its name, where its last whole line ends, that line, and what is torn behind it."""

    file: str | None
    size: int
    line: AuditLine | None
    torn: int = 0


class _Appended(NamedTuple):
    """The last line that we appended, with the file as that left it."""

    file: str
    mark: FileMark
    line: AuditLine


class JsonLinesAudit:
    """Appends to `.trinho/audit/YYYY-MM.jsonl`; see ports.audit.AuditLog."""

    def __init__(self, root: Root, ledger: ChainLedger, wait: float = WAIT_SECONDS) -> None:
        self._root = root
        self._fs = root.fs
        self._ledger = ledger
        self._wait = wait
        self._appended: _Appended | None = None

    def append(self, events: Sequence[AuditEvent], now: datetime, *, durable: bool) -> list[AuditLine]:
        self._root.check()
        with holding(self._root, "audit.lock", self._wait):
            try:
                lines = self._append(events, now, durable=durable)
            except OSError as error:
                raise failure(error, self._root.state_path(FOLDER)) from error
            if not durable:  # who appends durably commits the head with what was done; until then the file is ahead
                self._ledger.advance_chain(head_of(lines[-1]))
        return lines

    def lines(self) -> Iterator[AuditLine]:
        for name in self._files():
            for raw in self._read(name).split(b"\n"):
                line = _decoded(raw)
                if line is not None:
                    yield line

    def newest(self) -> Iterator[AuditLine]:
        last = self._last()
        if last is not None:
            yield last
        for name in reversed(self._files()):
            for raw in self._backwards(name):
                line = _decoded(raw)
                if line is not None and line != last:
                    yield line

    def _last(self) -> AuditLine | None:
        """The newest line, where it is known without reading."""
        try:
            folder = state_folder(self._root, FOLDER, create=False)
            try:
                files = _months(self._fs.names(folder))
                last = self._unchanged(folder, files[-1]) if files else None
            finally:
                self._fs.close(folder)
        except OSError:  # reading it will say why
            return None
        return None if last is None else last.line

    def verify(self) -> AuditReport:
        head = self._ledger.chain_head()  # read first: lines that are added meanwhile only lie behind it
        check = _Check(head)
        files = self._files()
        for name in files:
            whole, _, torn = self._read(name).rpartition(b"\n")
            for number, raw in enumerate(whole.split(b"\n") if whole else [], 1):
                check.line(name, number, raw)
            if torn:
                check.torn(name, torn, last=name == files[-1])
        return check.report(files[-1] if files else "")

    def close(self) -> None:
        """Nothing is held between calls."""

    def _append(self, events: Sequence[AuditEvent], now: datetime, *, durable: bool) -> list[AuditLine]:
        folder = state_folder(self._root, FOLDER)
        try:
            end = self._end(folder)
            last: AuditLine | ChainHead | None = end.line
            head = self._ledger.chain_head()
            if head is not None and (end.line is None or head.seq > end.line.seq):
                last = head  # lines were cut off: going on from the head leaves the gap for verify to find
            lines: list[AuditLine] = []
            anew = [] if events[0].code == LEDGER_MADE_ANEW else self._new_ledger_note(end, head)
            for note in [each._replace(actor=events[0].actor) for each in _torn_note(end) + anew]:
                last = next_line(note, now, last)
                lines.append(last)
            run = 1 if last is None else last.seq + 1
            for event in events:
                last = next_line(in_run(event, run, len(events)), now, last)
                lines.append(last)
            self._write(folder, end, lines, durable=durable)
        finally:
            self._fs.close(folder)
        return lines[-len(events) :]

    def _new_ledger_note(self, end: _End, head: ChainHead | None) -> list[AuditEvent]:
        if head is not None or end.line is None or self._appended is not None:
            return []
        if self._ledger.settled_run() is not None:  # the first write of all was killed
            return []
        return [AuditEvent(PRINCIPAL, "recover", None, "allowed", code=LEDGER_MADE_ANEW)]

    def _write(self, folder: int, end: _End, lines: list[AuditLine], *, durable: bool) -> None:
        name = f"{lines[0].at:%Y-%m}{_SUFFIX}"
        if end.torn and end.file:
            self._cut(folder, end.file, end.size)
        fd = open_regular(self._fs, name, os.O_RDWR | os.O_CREAT | os.O_APPEND, dir_fd=folder)
        try:
            size = self._fs.status(fd).st_size
            if not size:
                self._fs.fsync(folder)  # INVARIANT: a line is only ever in a file whose name is durable
            try:
                encoded = [encode_line(line) for line in lines]
                write_all(self._fs, fd, b"".join(encoded))
                if durable:
                    self._fs.fsync(fd)
            except OSError:
                with suppress(OSError):  # else a torn line is cut by the next append, a whole one settled as undone
                    self._fs.truncate(fd, size)
                raise
            self._appended = _Appended(name, mark_of(self._fs.status(fd)), lines[-1])
        finally:
            self._fs.close(fd)

    def _unchanged(self, folder: int, newest: str) -> _Appended | None:
        """What was appended last, if the newest file still ends with it: the usual case needs no reading."""
        last = self._appended
        if last is None or last.file != newest or mark_of(self._fs.status_of(newest, dir_fd=folder)) != last.mark:
            return None
        return last

    def _cut(self, folder: int, name: str, size: int) -> None:
        fd = open_regular(self._fs, name, os.O_RDWR, dir_fd=folder)
        try:
            self._fs.truncate(fd, size)
            self._fs.fsync(fd)
        finally:
            self._fs.close(fd)

    def _end(self, folder: int) -> _End:
        files = _months(self._fs.names(folder))
        last = self._unchanged(folder, files[-1]) if files else None
        if last is not None:
            return _End(last.file, last.mark.size, last.line)
        for name in reversed(files):
            fd = open_regular(self._fs, name, os.O_RDONLY, dir_fd=folder)
            try:
                size = self._fs.status(fd).st_size
                end = self._end_of(name, fd, size)
            finally:
                self._fs.close(fd)
            if end.line is not None or end.torn:
                return end
        return _End(None, 0, None)

    def _end_of(self, name: str, fd: int, size: int) -> _End:
        tail = b""
        start = size
        while start > 0 and tail.rstrip(b"\n").count(b"\n") < 2:
            step = min(_BLOCK if tail else 4096, start)
            start -= step
            tail = read_exactly(self._fs, fd, step, start) + tail
        whole, _, torn = tail.rpartition(b"\n")
        line = _decoded(whole.rpartition(b"\n")[2]) if whole else None
        return _End(name, size - len(torn), line, len(torn))

    def _files(self) -> list[str]:
        try:
            folder = state_folder(self._root, FOLDER, create=False)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise failure(error, self._root.state_path(FOLDER), reading=True) from error
        try:
            return _months(self._fs.names(folder))
        except OSError as error:
            raise failure(error, self._root.state_path(FOLDER), reading=True) from error
        finally:
            self._fs.close(folder)

    def _read(self, name: str) -> bytes:
        return b"".join(reversed(list(self._blocks(name))))

    def _backwards(self, name: str) -> Iterator[bytes]:
        rest = b""
        for block in self._blocks(name):
            first, *whole = (block + rest).split(b"\n")
            yield from reversed(whole)
            rest = first
        yield rest

    def _blocks(self, name: str) -> Iterator[bytes]:
        """The file from its end to its beginning, a block at a time."""
        try:
            folder = state_folder(self._root, FOLDER, create=False)
            try:
                fd = open_regular(self._fs, name, os.O_RDONLY, dir_fd=folder)
            finally:
                self._fs.close(folder)
            try:
                at = self._fs.status(fd).st_size
                while at > 0:
                    step = min(_BLOCK, at)
                    at -= step
                    yield read_exactly(self._fs, fd, step, at)
            finally:
                self._fs.close(fd)
        except OSError as error:
            raise failure(error, self._root.state_path(f"{FOLDER}/{name}"), reading=True) from error


class _Check:
    """Walks the chain and collects what doesn't hold."""

    def __init__(self, head: ChainHead | None) -> None:
        self._head = head
        self._at_head: AuditLine | None = None
        self._before: AuditLine | None = None
        self._count = 0
        self._faults: list[AuditFault] = []
        self._torn: str | None = None
        self._unsure: list[str] = []

    def line(self, file: str, number: int, raw: bytes) -> None:
        self._count += 1
        try:
            line = decode_line(raw)
        except ValueError as error:
            self._faults.append(AuditFault(file, number, f"it is no audit line: {error}"))
            return
        fault = chain_fault(line, self._before)
        if fault:
            self._faults.append(AuditFault(file, number, fault))
        if line.event.code == LEDGER_MADE_ANEW:
            self._unsure.append(f"the ledger was made anew before line {line.seq}: {_UNSURE}")
        if self._head is not None and line.seq == self._head.seq:
            self._at_head = line
        self._before = line

    def torn(self, file: str, raw: bytes, *, last: bool) -> None:
        if last:
            self._torn = f"{file} ends in {plural(len(raw), 'byte', 'bytes')} of a line that was never finished"
        else:
            self._faults.append(AuditFault(file, 0, "its last line is cut"))

    def report(self, file: str) -> AuditReport:
        fault = head_fault(self._head, self._before, self._at_head)
        if fault:
            self._faults.append(AuditFault(file, 0, fault))
        if self._head is None and self._count:
            self._unsure.append(f"the ledger is new: {_UNSURE}")
        return AuditReport(self._count, tuple(self._faults), self._torn, tuple(self._unsure))


def _months(names: list[str]) -> list[str]:
    return sorted(name for name in names if name.endswith(_SUFFIX) and not name.startswith("."))


def _decoded(raw: bytes) -> AuditLine | None:
    if not raw:
        return None
    try:
        return decode_line(raw)
    except ValueError:
        return None


def _torn_note(end: _End) -> list[AuditEvent]:
    if not end.torn:
        return []
    return [AuditEvent(PRINCIPAL, "recover", None, "allowed", code="TORN_AUDIT_LINE_REMOVED")]
