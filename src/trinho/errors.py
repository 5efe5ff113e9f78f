"""Every error a caller can meet, as one tree.

TrinhoError
├── OutOfMemoryError                     exit 1: OUT_OF_MEMORY
├── OutputError                          exit 1: OUTPUT_FAILED
├── InvalidInputError                    exit 2: mend the call
│   ├── InvalidMemoryIdError             INVALID_MEMORY_ID
│   ├── InvalidMemoryGrantError          INVALID_MEMORY_GRANT
│   ├── InvalidEntryError                INVALID_ENTRY
│   ├── BodyTooLargeError                BODY_TOO_LARGE
│   ├── InvalidRootError                 INVALID_ROOT
│   ├── InvalidSettingError              INVALID_SETTING
│   ├── InvalidClientSettingsError       INVALID_CLIENT_SETTINGS
│   ├── EvidenceNotFoundError            EVIDENCE_NOT_FOUND
│   ├── InvalidDefinitionError           INVALID_DEFINITION
│   ├── PathTraversalError               PATH_TRAVERSAL
│   ├── ConfirmationRequiredError        CONFIRMATION_REQUIRED
│   ├── MissingExtraError                MISSING_EXTRA
│   └── UsageError                       USAGE
├── AccessDeniedError                    exit 3: the policy said no
│   ├── UnauthorizedMemoryAccessError    the deny code of the policy engine
│   │   └── InsufficientMemoryPermissionError  INSUFFICIENT_MEMORY_PERMISSION
│   └── UnknownActorError                UNKNOWN_ACTOR
├── NotFoundError                        exit 4
│   ├── MemoryEntryNotFoundError         MEMORY_NOT_FOUND
│   ├── ConflictNotFoundError            CONFLICT_NOT_FOUND
│   └── RunNotFoundError                 RUN_NOT_FOUND
├── ConflictError                        exit 5: read again, then decide
│   ├── MemoryEntryAlreadyExistsError    MEMORY_ALREADY_EXISTS
│   ├── MemoryVersionConflictError       MEMORY_VERSION_CONFLICT
│   ├── FileChangedError                 FILE_CHANGED
│   ├── AlreadySupersededError           ALREADY_SUPERSEDED
│   ├── ConflictPassedError              CONFLICT_PASSED
│   ├── NotHeldError                     NOT_HELD
│   └── UndoConflictError                UNDO_CONFLICT
├── StoreBusyError                       exit 6: STORE_BUSY
├── SecretBlockedError                   exit 7: the secret scanner let it not through
│   ├── SecretDetectedError              SECRET_DETECTED
│   └── SecretScannerError               SECRET_SCANNER_FAILED
└── StoreError                           exit 8: the store can't serve this
    ├── StoreReadOnlyError               STORE_READ_ONLY
    ├── StoreUnreadableError             STORE_UNREADABLE
    ├── StoreFullError                   STORE_FULL
    ├── StoreIOError                     STORE_IO_ERROR
    ├── StoreDamagedError                STORE_DAMAGED
    ├── StoreFormatNewerError            STORE_FORMAT_NEWER
    ├── StoreFormatOlderError            STORE_FORMAT_OLDER
    ├── StoreReplacedError               STORE_REPLACED
    ├── StoreForkedError                 STORE_FORKED
    ├── StoreClosedError                 STORE_CLOSED
    ├── UnreadableEntryError             MEMORY_UNREADABLE
    └── BrokenFrontmatterError           BROKEN_FRONTMATTER

Errors take data and own their wording: lower case, no full stop, what the caller gave in backticks.
"""

from __future__ import annotations

from typing import ClassVar

type_of_field = str | int | bool | None | list[str]

_SHOWN = 120
_SECRET = 8  # characters that a part of a name must have to be one
_REDACTED = "[a secret]"


def shown(text: str) -> str:
    """Text from outside, cut and with every character that could act on a terminal escaped."""
    cut = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in cut)


def plural(number: int, one: str, many: str) -> str:
    """The number with its noun: "1 copy", "2 copies"."""
    return f"{number} {one if number == 1 else many}"


class TrinhoError(Exception):
    """A promise that could not be kept, with a code for programs and a hint for people."""

    code: ClassVar[str] = "UNEXPECTED"
    exit_status: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str = "", **fields: type_of_field) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.fields = fields
        self.audited = False  # set once the trail tells of it, so that it is told once

    @property
    def error_code(self) -> str:
        return self.code

    def redact(self, name: str) -> None:
        """Name it no longer: what was given for a name is a secret."""
        for text in (name, shown(name), *(part for part in name.split(":") if len(part) >= _SECRET)):
            self.message = self.message.replace(text, _REDACTED)
            self.hint = self.hint.replace(text, _REDACTED)
            for field, value in self.fields.items():
                if isinstance(value, str):
                    self.fields[field] = value.replace(text, _REDACTED)
        self.args = (self.message,)

    def as_dict(self) -> dict[str, type_of_field]:
        """The error object of the JSON contract: code, message, hint, then the fields of its kind."""
        return {"code": self.error_code, "message": self.message, "hint": self.hint, **self.fields}


class OutOfMemoryError(TrinhoError):
    """The process got no more memory; whatever was acknowledged before is done."""

    code = "OUT_OF_MEMORY"

    def __init__(self) -> None:
        super().__init__("out of memory", hint="give the process more memory, or bring in less at once")


class OutputError(TrinhoError):
    """Standard output takes no more; what was asked for is done."""

    code = "OUTPUT_FAILED"

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"the output can't be written: {reason}",
            hint="what was asked for is done, only its output is lost; `trinho audit` shows what was done",
        )


class InvalidInputError(TrinhoError):
    """The call itself is wrong."""

    code = "INVALID_INPUT"
    exit_status = 2


class InvalidMemoryIdError(InvalidInputError):
    """The text is not a memory ID; raised before anything touches a file system."""

    code = "INVALID_MEMORY_ID"

    def __init__(self, text: str, reason: str, hint: str = "") -> None:
        super().__init__(
            f"`{shown(text)}` is not a memory id: {reason}",
            hint=hint or "write shared:<segment>…, project:<project>:<segment>… or private:<role>:<segment>…",
            id=shown(text),
            reason=reason,
        )


class InvalidMemoryGrantError(InvalidInputError):
    """The text is not a grant."""

    code = "INVALID_MEMORY_GRANT"

    def __init__(self, text: str, reason: str) -> None:
        super().__init__(
            f"`{shown(text)}` is not a grant: {reason}",
            hint="write shared[:<segment>…], project:<project or *>[:<segment>…] or private:<role>[:<segment>…]; "
            "the last segment may be *",
            grant=shown(text),
            reason=reason,
        )


class InvalidEntryError(InvalidInputError):
    """A field of an entry has a value that it cannot have."""

    code = "INVALID_ENTRY"

    def __init__(self, field: str, value: str, reason: str) -> None:
        super().__init__(f"{field} can't be `{shown(value)}`", hint=reason, field=field)


class BodyTooLargeError(InvalidInputError):
    """The entry would be larger than one entry may be. Sizes in bytes of UTF-8."""

    code = "BODY_TOO_LARGE"

    def __init__(self, id: str, size: int, limit: int) -> None:
        super().__init__(
            f"`{id}` would be {size} bytes, the limit is {limit}",
            hint="split it into several entries, or keep the long text elsewhere and remember where it is",
            id=id,
            size=size,
            limit=limit,
        )


class InvalidRootError(InvalidInputError):
    """The folder given as root cannot be one."""

    code = "INVALID_ROOT"

    def __init__(self, path: str, reason: str, hint: str) -> None:
        super().__init__(f"`{shown(path)}` can't be a memory root: {reason}", hint=hint, path=shown(path))


class InvalidSettingError(InvalidInputError):
    """A setting has a value that it cannot have."""

    code = "INVALID_SETTING"

    def __init__(self, source: str, reason: str, hint: str = "mend it there and run the command again") -> None:
        super().__init__(f"{source}: {reason}", hint=hint, source=source)


class InvalidClientSettingsError(InvalidInputError):
    """The settings of an agent's client can't be edited as they are."""

    code = "INVALID_CLIENT_SETTINGS"

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(
            f"`{shown(path)}` can't be edited: {reason}",
            hint="mend it and run the command again; this file was left as it is",
            path=shown(path),
            reason=reason,
        )


class EvidenceNotFoundError(InvalidInputError):
    """What is said to be a person's word was found in no turn of theirs."""

    code = "EVIDENCE_NOT_FOUND"

    def __init__(self, quote: str, *, too_short: bool = False, unknown_run: bool = False) -> None:
        message, instead = "the quote stands in no user's turn of this session", "quote the person word for word"
        if not quote.strip():
            message = "`stated` needs a quote as evidence"
        elif too_short:
            message, instead = "the quote is too short to prove anything", "quote at least three words of the person"
        elif unknown_run:
            message = "this session has no transcript in which the quote could be looked up"
            instead = "let a person connect the client with `trinho setup`"
        super().__init__(
            message, hint=f"{instead}, or leave `veracity` out: then it counts as inferred", evidence=shown(quote)
        )


class InvalidDefinitionError(InvalidInputError):
    """Role definitions with faults, all of them named at once."""

    code = "INVALID_DEFINITION"

    def __init__(self, source: str, faults: list[str]) -> None:
        super().__init__(
            f"{source}: {'; '.join(faults)}",
            hint="mend every fault named; nothing of the file is used until then",
            source=source,
            faults=faults,
        )


class PathTraversalError(InvalidInputError):
    """A link or a mount stands where a plain file or folder should, or a path leads out of its tree."""

    code = "PATH_TRAVERSAL"

    def __init__(self, path: str, reason: str, hint: str = "") -> None:
        super().__init__(
            f"`{shown(path)}` is not followed: {reason}",
            hint=hint or "replace it by a plain file or folder, or choose another id",
            path=shown(path),
            reason=reason,
        )


class ConfirmationRequiredError(InvalidInputError):
    """An act reserved to a person was not confirmed."""

    code = "CONFIRMATION_REQUIRED"

    def __init__(self, act: str) -> None:
        super().__init__(f"{act} needs your word", hint="run it on a terminal and answer, or add --yes", act=act)


class MissingExtraError(InvalidInputError, ImportError):
    """A part of Trinho was imported whose library isn't installed."""

    code = "MISSING_EXTRA"

    def __init__(self, extra: str, library: str) -> None:
        super().__init__(
            f"`{library}` is not installed, or not in a version that serves here",
            hint=f"install it with `pip install 'trinho[{extra}]'`",
            extra=extra,
            library=library,
        )


class UsageError(InvalidInputError):
    """The command line doesn't parse."""

    code = "USAGE"


class AccessDeniedError(TrinhoError):
    """The policy said no."""

    code = "DENIED"
    exit_status = 3


class UnauthorizedMemoryAccessError(AccessDeniedError):
    """A memory request was denied; carries the deny code, what was asked for and the grant that would open it."""

    code = "MEMORY_NOT_GRANTED"

    def __init__(
        self, deny_code: str, *, actor: str, operation: str, subject: str, grant_that_would_open: str | None, hint: str
    ) -> None:
        super().__init__(
            f"`{actor}` may not {operation} `{subject}`",
            hint=hint,
            actor=actor,
            operation=operation,
            subject=subject,
            grant_that_would_open=grant_that_would_open,
        )
        self.deny_code = deny_code

    @property
    def error_code(self) -> str:
        return self.deny_code


class InsufficientMemoryPermissionError(UnauthorizedMemoryAccessError):
    """The role's permission in a domain doesn't suffice, though its grants cover it."""

    code = "INSUFFICIENT_MEMORY_PERMISSION"


class UnknownActorError(AccessDeniedError):
    """No role of that name is defined."""

    code = "UNKNOWN_ACTOR"

    def __init__(self, actor: str, known: list[str]) -> None:
        super().__init__(
            f"no role is called `{shown(actor)}`",
            hint=f"choose one of {', '.join(known)}",
            actor=shown(actor),
            subject=shown(actor),
            grant_that_would_open=None,
        )


class NotFoundError(TrinhoError):
    """What was asked for is not there."""

    code = "NOT_FOUND"
    exit_status = 4


class MemoryEntryNotFoundError(NotFoundError):
    """No entry has this ID."""

    code = "MEMORY_NOT_FOUND"

    def __init__(self, id: str, moved_to: str | None = None) -> None:
        hint = f"it moved to `{moved_to}`" if moved_to else "`trinho list` shows what is there"
        super().__init__(f"no entry `{id}`", hint=hint, id=id, moved_to=moved_to)


class RunNotFoundError(NotFoundError):
    """There is nothing to undo under that name."""

    code = "RUN_NOT_FOUND"

    def __init__(self, run: str | None) -> None:
        what = "nothing to undo" if run is None else f"no run `{shown(run)}` that could be undone"
        super().__init__(what, hint="`trinho audit` lists the runs", run=run)


class ConflictNotFoundError(NotFoundError):
    """No conflict has this number."""

    code = "CONFLICT_NOT_FOUND"

    def __init__(self, number: int) -> None:
        super().__init__(f"no conflict {number}", hint="`trinho conflicts` lists them", conflict=number)


class ConflictError(TrinhoError):
    """Somebody else was there first."""

    code = "CONFLICT"
    exit_status = 5


class MemoryEntryAlreadyExistsError(ConflictError):
    """create never overwrites."""

    code = "MEMORY_ALREADY_EXISTS"

    def __init__(self, id: str, reason: str = "") -> None:
        super().__init__(
            f"`{id}` exists already" + (f": {reason}" if reason else ""),
            hint="read it and update it, or choose another id",
            id=id,
        )


class MemoryVersionConflictError(ConflictError):
    """The entry is no longer at the version that the caller had read."""

    code = "MEMORY_VERSION_CONFLICT"

    def __init__(self, id: str, expected: int, actual: int) -> None:
        super().__init__(
            f"`{id}` is at version {actual}, not {expected}",
            hint="read it again, merge, and write with the version you then see",
            id=id,
            expected=expected,
            actual=actual,
        )


class FileChangedError(ConflictError):
    """The file is no longer the one that the act was planned on."""

    code = "FILE_CHANGED"

    def __init__(self, id: str) -> None:
        super().__init__(
            f"`{id}` changed on disk while it was being written",
            hint="read it again, merge, and write with the version you then see",
            id=id,
        )


class UndoConflictError(ConflictError):
    """What the run wrote has been changed since, so undoing it would lose that change."""

    code = "UNDO_CONFLICT"

    def __init__(self, run: str | None, id: str, reason: str) -> None:
        what = "the last run" if run is None else f"run {run}"
        super().__init__(
            f"{what} can't be undone: `{id}` {reason}",
            hint="undo the later change first, or mend the entry by hand",
            run=run,
            id=id,
        )


class ConflictPassedError(ConflictError):
    """The conflict isn't any more what the caller takes it for."""

    code = "CONFLICT_PASSED"

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(
            f"conflict {number} can't be decided so: {reason}",
            hint="`trinho conflicts` shows how they stand",
            conflict=number,
        )


class NotHeldError(ConflictError):
    """The entry doesn't wait for a person."""

    code = "NOT_HELD"

    def __init__(self, id: str) -> None:
        super().__init__(f"`{id}` isn't held", hint="`trinho inbox` lists what is", id=id)


class AlreadySupersededError(ConflictError):
    """Another has superseded it already; what holds now is to be superseded."""

    code = "ALREADY_SUPERSEDED"

    def __init__(self, id: str, superseded_by: str) -> None:
        super().__init__(
            f"`{id}` was superseded by `{superseded_by}`",
            hint=f"supersede `{superseded_by}`, or ask a person to overturn that (`trinho conflicts`)",
            id=id,
            superseded_by=superseded_by,
        )


class StoreBusyError(TrinhoError):
    """Another process holds the lock for longer than we wait."""

    code = "STORE_BUSY"
    exit_status = 6

    def __init__(self, holder: str, waited: float) -> None:
        super().__init__(
            f"the store is busy, held by {holder}, waited {waited:.1f} s",
            hint="try again; if that process hangs, end it",
            holder=holder,
        )


class SecretBlockedError(TrinhoError):
    """The secret scanner let it not through; nothing was written."""

    code = "SECRET_BLOCKED"
    exit_status = 7


class SecretDetectedError(SecretBlockedError):
    """A text holds what a rule takes for a secret. It carries the rule and the line of the part, never the secret."""

    code = "SECRET_DETECTED"

    def __init__(self, part: str, rule: str, line: int, id: str | None) -> None:
        super().__init__(
            f"line {line} of the {part} holds a secret, by the rule `{rule}`; nothing was written",
            hint="take it out and say where it is kept instead; if it is no secret, "
            "a person can let it through: `trinho secrets allow --file FILE --reason WHY`",
            rule=rule,
            line=line,
            part=part,
            id=id,
        )


class SecretScannerError(SecretBlockedError):
    """A text could hold a secret, and the rules that would know can't be used."""

    code = "SECRET_SCANNER_FAILED"

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"the text could hold a secret, and the scanner failed: {reason}",
            hint="install trinho again; until then only private memory takes such a text",
            reason=reason,
        )


class StoreError(TrinhoError):
    """The store can't serve this request."""

    code = "STORE_ERROR"
    exit_status = 8


class StoreReadOnlyError(StoreError):
    """The root can't be written; reading still works."""

    code = "STORE_READ_ONLY"

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(
            f"`{shown(path)}` can't be written: {reason}",
            hint="make it writable for you, or name another root with --root; reading and searching still work",
            path=shown(path),
        )


class StoreUnreadableError(StoreError):
    """A part of the root may not be read by us."""

    code = "STORE_UNREADABLE"

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(
            f"`{shown(path)}` can't be read: {reason}",
            hint="check whom it belongs to and who may read it",
            path=shown(path),
        )


class StoreFullError(StoreError):
    """No space is left; nothing was written."""

    code = "STORE_FULL"

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(
            f"no space to write `{shown(path)}`: {reason}",
            hint="free some space and run the command again; nothing was written",
            path=shown(path),
        )


class StoreIOError(StoreError):
    """The device or the file system failed."""

    code = "STORE_IO_ERROR"

    def __init__(self, path: str, reason: str) -> None:
        hint = "check the disk, then run `trinho doctor`"
        if reason in _SOMETHING_ELSE:
            hint = (
                "something else lies in its place: move that away; what was there comes from a backup, if you have one"
            )
        super().__init__(f"`{shown(path)}`: {reason}", hint=hint, path=shown(path))


_SOMETHING_ELSE = frozenset({"it is not a plain file", "it is not a regular file", "Not a directory", "Is a directory"})


class StoreDamagedError(StoreError):
    """A file that can't be rebuilt is unreadable."""

    code = "STORE_DAMAGED"

    def __init__(self, path: str, reason: str, hint: str) -> None:
        super().__init__(f"`{shown(path)}` is damaged: {reason}", hint=hint, path=shown(path))


class StoreFormatNewerError(StoreError):
    """The root was written by a newer Trinho."""

    code = "STORE_FORMAT_NEWER"

    def __init__(
        self, path: str, found: int, known: int, hint: str = "install a newer trinho; nothing was changed"
    ) -> None:
        super().__init__(
            f"`{shown(path)}` has format {found}, this trinho knows {known}",
            hint=hint,
            path=shown(path),
            found=found,
            known=known,
        )


class StoreFormatOlderError(StoreError):
    """The root must be moved forward before it can be used."""

    code = "STORE_FORMAT_OLDER"

    def __init__(self, path: str, found: int, known: int) -> None:
        super().__init__(
            f"`{shown(path)}` has format {found}, this trinho writes {known}",
            hint="run `trinho migrate`: it keeps a backup",
            path=shown(path),
            found=found,
            known=known,
        )


class StoreReplacedError(StoreError):
    """The root was removed or replaced while it was open."""

    code = "STORE_REPLACED"

    def __init__(self, path: str) -> None:
        super().__init__(
            f"`{shown(path)}` is no longer the folder that was opened",
            hint="open it again; nothing was written into the new one",
            path=shown(path),
        )


class StoreForkedError(StoreError):
    """An open store was carried through fork()."""

    code = "STORE_FORKED"

    def __init__(self, opened_by: int, used_by: int) -> None:
        super().__init__(
            f"the store was opened by process {opened_by} and is used by {used_by}",
            hint="open the store after fork(), once in each process",
        )


class StoreClosedError(StoreError):
    """A memory was used after it had been closed."""

    code = "STORE_CLOSED"

    def __init__(self, path: str) -> None:
        super().__init__(
            f"the memory of `{shown(path)}` is closed",
            hint="open it again, or use it inside its `with` block",
            path=shown(path),
        )


class UnreadableEntryError(StoreError):
    """The file is there and can't be read, or not as text."""

    code = "MEMORY_UNREADABLE"

    def __init__(self, id: str, path: str, reason: str, hint: str = "") -> None:
        super().__init__(
            f"`{id}` can't be read: {reason}",
            hint=hint or f"mend `{shown(path)}` in an editor; it was left untouched",
            id=id,
            path=shown(path),
            reason=reason,
        )


class BrokenFrontmatterError(StoreError):
    """The file's frontmatter doesn't parse, so rewriting it could lose something."""

    code = "BROKEN_FRONTMATTER"

    def __init__(self, id: str, path: str, line: int, reason: str) -> None:
        super().__init__(
            f"`{id}` has broken frontmatter in line {line}: {reason}",
            hint=f"mend `{shown(path)}` in an editor; it was left untouched",
            id=id,
            path=shown(path),
            line=line,
            reason=reason,
        )
