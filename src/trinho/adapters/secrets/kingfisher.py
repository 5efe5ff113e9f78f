"""Kingfisher's rules, loaded once and only when a text gives reason to.

Compiling them takes 4.5 CPU-seconds; kingfisher keeps the outcome in a folder, from which it is loaded in 0.3 s. It
checks what it finds there and compiles anew where it is damaged, of another version, or can't be kept at all.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from trinho.documents.secrets import Suspect
from trinho.errors import SecretScannerError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kingfisher_sdk import Finding, Scanner

    from trinho.documents.views import View

_PATIENCE_SECONDS = 10.0
# Where a rule comes from says nothing to a person
_ORIGINS = ("betterleaks.", "veles.secrets/")
# Two of its catalogs know the same tokens; one name for each
_NAMES = {
    "digitaloceanapikey": "digitalocean-pat",
    "npmjsaccesstoken": "npm-access-token",
    "postmanapikey": "postman-api-token",
    "sendgrid": "sendgrid-api-token",
    "slackappleveltoken": "slack-app-token",
}
# Ours knows placeholders and hosts of examples
_OURS = frozenset({"generic-credential-uri"})


class Kingfisher:
    """The rules that kingfisher brings along. `cache` is a folder of the user's own, or None to keep nothing."""

    def __init__(self, cache: str | None) -> None:
        self._cache = cache
        self._scanner: Scanner | None = None

    def suspects(self, view: View) -> Iterator[Suspect]:
        """What the rules find in a view; SecretScannerError if they can't be loaded or don't finish."""
        scanner = self._loaded()
        raw = view.text.encode(errors="replace")
        found = None
        with suppress(RuntimeError, ValueError, OSError):
            found = scanner.scan(raw, timeout=_PATIENCE_SECONDS)
        if found is None:
            # INVARIANT: raised out here: what the engine says of its trouble could hold text, and would be its context
            raise SecretScannerError("its rules did not come to an end")
        told: set[str] = set()
        for finding in sorted(found, key=_precedence):
            rule, secret = _named(finding.rule_id), finding.secret
            if finding.visible and rule not in _OURS and secret not in told:
                told.add(secret)
                offset = len(raw[: finding.location["start_offset"]].decode(errors="replace"))
                yield Suspect(rule, view.line_at(offset), secret)

    def _loaded(self) -> Scanner:
        if self._scanner is None:
            try:
                from kingfisher_sdk import Rules, Scanner

                rules = Rules(cache=self._cache is not None, cache_dir=self._cache)
                # base64 is decoded before, for our own rules as well
                self._scanner = Scanner(rules, base64=False)
            except (ImportError, RuntimeError, ValueError, OSError) as error:
                raise SecretScannerError(f"its rules can't be loaded ({type(error).__name__})") from error
        return self._scanner


def _precedence(finding: Finding) -> tuple[bool, bool]:
    """Where several rules find one secret, the most certain one names it."""
    return finding.confidence != "high", finding.rule_id.startswith(_ORIGINS[1])


def _named(rule_id: str) -> str:
    for origin in _ORIGINS:
        rule_id = rule_id.removeprefix(origin)
    return _NAMES.get(rule_id, rule_id)
