"""The secret scanner: every rule over every view of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trinho.documents.secret_hints import could_hold_a_secret
from trinho.documents.secrets import GENERAL, Suspect, is_placeholder, suspects
from trinho.documents.views import views
from trinho.ports.secrets import SecretFound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from trinho.adapters.secrets.kingfisher import Kingfisher
    from trinho.documents.views import View


class RuleScanner:
    """Our rules and kingfisher's; see ports.secrets.SecretScanner."""

    def __init__(self, open_kingfisher: Callable[[], Kingfisher]) -> None:
        self._open = open_kingfisher
        self._kingfisher: Kingfisher | None = None

    def scan(self, text: str, salt: Callable[[], bytes]) -> Sequence[SecretFound]:
        found: dict[str, Suspect] = {}
        for view in views(text):
            for suspect in self._in(view):
                told = found.setdefault(suspect.secret, suspect)
                if told.rule in GENERAL and suspect.rule not in GENERAL:
                    found[suspect.secret] = suspect
        if not found:
            return ()
        key = salt()
        return sorted(
            (SecretFound(suspect.rule, suspect.line, _fingerprint(key, secret)) for secret, suspect in found.items()),
            key=lambda secret: (secret.line, secret.rule),
        )

    def _in(self, view: View) -> Iterator[Suspect]:
        yield from suspects(view)
        if could_hold_a_secret(view.text):
            if self._kingfisher is None:
                self._kingfisher = self._open()
            yield from (s for s in self._kingfisher.suspects(view) if not is_placeholder(s.secret))


def _fingerprint(salt: bytes, secret: str) -> str:
    import hmac  # only where something is found

    return hmac.digest(salt, secret.encode(errors="replace"), "sha256").hex()
