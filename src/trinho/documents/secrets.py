"""Credentials in plain words: the rules of our own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trinho.documents.views import View

# Patterns are texts, compiled by `re` when a text first has a need of them: a short write pays for none of them


class Suspect(NamedTuple):
    """What a rule takes for a secret, and its line from 1."""

    rule: str
    line: int
    secret: str

    def __repr__(self) -> str:
        return f"Suspect(rule={self.rule!r}, line={self.line})"  # INVARIANT: no message shows the secret


def suspects(view: View) -> Iterator[Suspect]:
    """What our own rules find in a view. Each rule has a word without which it isn't asked."""
    text = view.text
    lower = text.lower()
    for words, rule, pattern in _RULES:
        if any(word in lower for word in words):
            for found in re.finditer(pattern, text):
                secret = found["secret"]
                if not is_placeholder(secret):
                    yield Suspect(rule, view.line_at(found.start("secret")), secret)
    if "://" in lower and "@" in lower:
        yield from _in_addresses(view)
    if any(word in lower for word in _PASSWORD_WORDS):
        yield from _passwords(view)


def is_placeholder(value: str) -> bool:
    """Whether it stands for a secret instead of being one."""
    bare = value.strip("\"'`*_,;.:")
    if not bare or bare[0] in "<[({%" or bare.startswith(("${", "$(", "@{")) or re.fullmatch(r"\$[A-Za-z_]\w*", bare):
        return True
    if re.search(r"(?i)xxxx|\*{3,}|•{3,}|\.{3,}|…|example|placeholder|redacted|dummy|change-?_?me|replace-?_?me", bare):
        return True
    if re.fullmatch(r"(.)\1*", bare):
        return True
    if re.fullmatch(r"(?i)(?:your|my|some|the|insert|enter|put)[-_ ]?[a-z_ -]*", bare):
        return True
    return bare.lower() in _STAND_INS


_RULES = (
    (("hf_", "api_org_"), "huggingface-access-token", r"\b(?P<secret>(?:hf|api_org)_[A-Za-z0-9]{30,})\b"),
    (
        ("akia", "asia", "abia", "acca", "a3t"),
        "aws-access-key-id",
        r"\b(?P<secret>(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)(?=[A-Z]*[0-9])[A-Z0-9]{16})\b",
    ),
    (("q~",), "azure-ad-client-secret", r"(?<![\w~.-])(?P<secret>[\w~.]{3}\dQ~[\w~.-]{31,34})(?![\w~-])"),
    (
        ("-----begin",),
        "private-key",
        (
            r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
            r"(?:\\n|\\r|[\s\"',>|+]|[A-Za-z-]{4,20}: [^\n]*\n)*(?P<secret>[A-Za-z0-9+/=]{40,})"
        ),
    ),
)
_ADDRESS = (
    r"(?i)\b[a-z][a-z0-9+.-]{1,20}://(?P<user>[^\s/:@?#\"'`<>|]{0,128})"
    r":(?P<secret>[^\s/@\"'`]{1,256})@(?P<host>[^\s/:?#\"'`)\]>,;|]{1,253})"
)
# Names that RFC 2606 and RFC 6761 keep for examples
_EXAMPLE_HOST = r"(?i)(?:^|\.)(?:example(?:\.(?:com|org|net|edu))?|test|invalid)\.?$"


def _in_addresses(view: View) -> Iterator[Suspect]:
    for found in re.finditer(_ADDRESS, view.text):
        secret = found["secret"]
        if is_placeholder(secret) or re.search(_EXAMPLE_HOST, found["host"]) or secret == found["user"]:
            continue
        yield Suspect("credentials-in-url", view.line_at(found.start("secret")), secret)


_PASSWORD_WORDS = ("passw", "passphrase", "passcode", "pwd", "khẩu", "khau")
_SAID = r"""(?xi)
(?:pass(?:word|wd|phrase|code)|pwd
  |m[aàáạảãăằắặẳẵâầấậẩẫ]t[ \t_-]?kh[aàáạảãăằắặẳẵâầấậẩẫ]u)
(?P<mark>["'`*_\])]{0,4}[ \t]{0,3})
(?:\([^()\n]{0,40}\)[ \t]{0,3})?
(?:(?:for|of|to|on|at|cho|của|cua|vào|vao|trên|tren|ở)[ \t]+(?:[^\s:=|]{1,40}[ \t]+){0,4}?(?:[^\s:=|]{1,40}[ \t]*))?
(?:
  (?P<says>(?:\b|(?<=[ \t"'`*]))(?:is|là|la)[ \t]+(?:(?:now|currently|still|set[ \t]to|hiện[ \t]là)[ \t]+)?)
  |(?P<sets>(?::=|:{1,2}|=>|={1,2}|->|→|\|)[ \t"'`*_]{0,3}[ \t]{0,3}(?:\n[ \t]*)?)
)
(?P<quote>["'`“‘«*]{0,3})
(?P<secret>[^\s"'`“”‘’«»|]{4,200})
(?P<after>["'`”’»]?[ \t]*(?P<next>[^\s"'`,;)}\]]*))
"""
_UNITS = (
    r"(?i)\W*(?:-?(?:bit|byte|char|character|digit|letter|symbol|word|day|hour|minute|month|second|year|time)s?\b"
    r"|ký|ki tu|ngày|ngay|phút|giờ|lần|chữ|từ)"
)
# What is said of passwords, and isn't one
_OF_PASSWORDS = r"""(?xi)
sha-?\d.* | md5.* | base-?64.* | bcrypt.* | scrypt.* | argon2.* | pbkdf2.* | aes.* | rsa.* | hmac.*
| utf-?8.* | oauth2?.*
| 1password.* | keepass.* | bitwarden.* | vault.* | lastpass.*
| [a-z0-9.-]+-(?:encoded|encrypted|hashed|managed|protected|based)
| \d{4}-\d\d(?:-\d\d.*)? | \d+(?:[.,]\d+)?% | [<>≥≤~].* | rfc-?\d+ | v?\d+(?:\.\d+)+ | \d+[-–]\d+
| [a-z][a-z0-9+.-]*:.* | \.{0,2}/.* | ~/.* | \#.* | @.* | !.*
| [\w-]+(?:\.[\w-]+)*\.(?:md|txt|env|ya?ml|json|toml|cfg|conf|ini|py|js|ts|sh|go|rs|java)
| [\w.+-]+@[\w-]+(?:\.[\w-]+)+
| .*[()\[\]{}<>\\].*
"""
_STAND_INS = frozenset(
    """password passwd passphrase passcode pass pwd secret token key apikey api_key api-key user username admin root
    changeme hidden removed omitted masked todo tbd none null nil true false string str bytes text varchar int bool
    required optional mandatory empty blank unset unknown missing invalid wrong incorrect expired weak strong
    default below above here there stored kept rotated generated random hashed encrypted protected needed shared
    same different prompt input hunter env vault self undefined undetermined nullable readonly sensitive final any
    object value field column never always yes off see ask use from with must should cannot minimum maximum least
    char number password_hash correct""".split()  # noqa: SIM905 - one a line they would fill two screens
)


def _passwords(view: View) -> Iterator[Suspect]:
    text = view.text
    for found in re.finditer(_SAID, text):
        secret = found["secret"].rstrip(".,;:!?*_…")
        if len(secret) < 4 or is_placeholder(secret) or re.fullmatch(_OF_PASSWORDS, secret):
            continue
        if _is_a_name(secret) or re.match(_UNITS, found["after"]):
            continue
        if _is_no_word(secret) or _stands_alone(found, secret):
            yield Suspect("password-in-words", view.line_at(found.start("secret")), secret)


def _is_a_name(value: str) -> bool:
    """Whether it is how a program calls something: a dotted path without digits, or the name of a variable."""
    name = r"[A-Za-z_]+(?:[.:]{1,2}[A-Za-z_]\w*)+|\$?[A-Z]+(?:_[A-Z0-9]+)+|[a-z]+(?:_[a-z]+)+"
    return re.fullmatch(name, value) is not None


def _is_no_word(value: str) -> bool:
    return any(character.isdigit() or character in "!@#$%^&*+=~?" for character in value)


def _stands_alone(found: re.Match[str], value: str) -> bool:
    """A plain word is one if it is quoted or is all that follows: `password: swordfish`."""
    if found["quote"].strip("*"):
        return not found["says"] or found["quote"] != "`"
    sets = found["sets"] or "|"
    return not {"|", "\n"} & set(sets) and not found["next"] and value.isascii() and len(value) > 5
