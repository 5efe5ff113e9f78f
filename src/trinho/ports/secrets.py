"""Secrets in texts, and those that a person lets through."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class SecretFound(NamedTuple):
    """What is taken for a secret: the rule that found it, its line from 1, and a hash of it salted for one root.

    INVARIANT: it doesn't hold the secret, so it may be shown, logged and kept.
    """

    rule: str
    line: int
    fingerprint: str


class SecretScanner(Protocol):
    """Finds credentials in a text before it is written."""

    def scan(self, text: str, salt: Callable[[], bytes]) -> Sequence[SecretFound]:
        """What is found, by line; `salt` is asked only where something is.

        SecretScannerError if the text could hold a secret and the rules can't be used.
        """
        ...


class AllowedSecret(NamedTuple):
    """What a person lets through although a rule takes it for a secret. `at` is an instant in ISO 8601."""

    fingerprint: str
    rule: str
    reason: str
    at: str
    actor: str


class AllowedSecrets(Protocol):
    """Keeps the exceptions of one root, and the salt under which they are known."""

    def salt(self) -> bytes:
        """The root's own salt; empty where nothing was ever allowed."""
        ...

    def all(self) -> Sequence[AllowedSecret]:
        """The exceptions, oldest first; StoreDamagedError if they can't be read."""
        ...

    def begin(self) -> bytes:
        """The salt, made durable if there is none yet."""
        ...

    def add(self, allowed: Sequence[AllowedSecret]) -> None:
        """Keep further exceptions, durably. The caller holds the turn to write."""
        ...
