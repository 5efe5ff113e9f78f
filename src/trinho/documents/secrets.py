"""Credentials in plain words: the rules of our own."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error as Base64Error
from math import log2
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
        if "|" in text:
            yield from _in_tables(view)
    if any(word in lower for word in _CREDENTIAL_WORDS):
        yield from _assigned(view)
    if "basic " in lower or "bearer " in lower:
        yield from _authorizations(view)


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
    (
        (":aa",),
        "telegram-bot-token",
        r"(?<![\w:])(?P<secret>\d{8,10}:AA[A-Za-z0-9_-]{33})(?![\w-])",
    ),
    (
        (".",),
        "discord-bot-token",
        r"(?<![\w.-])(?P<secret>[MNO](?=[A-Za-z]*\d)[A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40})(?![\w.-])",
    ),
    (
        ("accountkey",),
        "azure-storage-key",
        r"(?i)\bAccountKey=(?P<secret>[A-Za-z0-9+/]{60,120}={0,2})",
    ),
    (
        ("machine",),
        "netrc",
        r"(?i)\bmachine\s{1,8}\S{1,200}\s{1,8}login\s{1,8}\S{1,200}\s{1,8}password\s{1,8}(?P<secret>\S{4,200})",
    ),
    (
        (":5432:", ":5433:", ":6432:", ":*:"),
        "pgpass",
        r"(?m)^[^\s:#]{1,200}:(?:\d{4,5}|\*):[^\s:]{1,64}:[^\s:]{1,64}:(?P<secret>[^\s:]{4,200})$",
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
_CREDENTIAL_WORDS = ("secret", "token", "key", "credential")
# A name that says what it is, and a value behind it. INVARIANT: nothing in it matches in two ways, so it stays linear
_ASSIGNED = r"""(?xi)
(?P<name>secret[_-]?(?:access[_-]?)?key|(?:api|access|account|auth|private|encryption|signing|master)[_-]?key
  |secret|token|credentials?)
(?:[_-](?:value|prod|dev|live|test|[0-9]{1,2}))?["'`*]{0,3}[ \t]{0,4}
(?::=|=>|[:=|])[ \t]{0,4}["'`*]{0,3}
(?P<secret>[A-Za-z0-9+/_=.~!@#$%^&*()-]{20,200})
"""
_BEFORE = 40  # characters in which the rest of the name stands
# Names of what is shown to everybody, or is made anew each time
_SHOWN = r"(?i)public|page|cursor|next|csrf|xsrf|sync|continuation|idempoten|cache|count|limit|hash|digest|commit|_id$"
_OF_NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"
_AUTHORIZATION = r"(?i)\b(?P<how>basic|bearer)[ \t]+[\"'`]?(?P<secret>[A-Za-z0-9+/_.=~-]{16,400})"
_TABLE = r"(?m)^[ \t]*\|(?P<head>[^\n]*)\|[ \t]*\n[ \t]*\|[ \t:|-]+\|[ \t]*\n(?P<rows>(?:[ \t]*\|[^\n]*\n?)+)"
_TABLE_HEAD = r"(?i)pass(?:word|wd|phrase|code)|\bpwd\b|mật khẩu|mat khau|\b(?:secret|token|api[ _-]?key)\b"
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


def _assigned(view: View) -> Iterator[Suspect]:
    for found in re.finditer(_ASSIGNED, view.text):
        secret = found["secret"].rstrip(".,;:!?)*")
        before = view.text[max(0, found.start() - _BEFORE) : found.start()]
        name = before[len(before.rstrip(_OF_NAMES)) :] + found["name"]
        if (
            found["secret"].endswith("...")
            or re.search(_SHOWN, name)
            or is_placeholder(secret)
            or not _looks_random(secret)
        ):
            continue
        yield Suspect("credential-assignment", view.line_at(found.start("secret")), secret)


def _authorizations(view: View) -> Iterator[Suspect]:
    for found in re.finditer(_AUTHORIZATION, view.text):
        secret = found["secret"].rstrip(".")
        if found["secret"].endswith("...") or is_placeholder(secret):
            continue
        if found["how"].lower() == "basic":
            if not _is_user_and_password(secret):
                continue
        elif not _looks_random(secret):
            continue
        yield Suspect("authorization-header", view.line_at(found.start("secret")), secret)


def _is_user_and_password(encoded: str) -> bool:
    try:
        text = b64decode(encoded + "=" * (-len(encoded) % 4), validate=True).decode()
    except (Base64Error, UnicodeDecodeError):
        return False
    user, colon, password = text.partition(":")
    return bool(user and colon and password) and text.isprintable() and not is_placeholder(password)


def _in_tables(view: View) -> Iterator[Suspect]:
    """Cells below a head that says that they are passwords."""
    for table in re.finditer(_TABLE, view.text):
        columns = [n for n, cell in enumerate(table["head"].split("|")) if re.search(_TABLE_HEAD, cell)]
        at = table.start("rows")
        for row in table["rows"].splitlines(keepends=True):
            cells = row.strip().strip("|").split("|")
            for column in columns:
                secret = cells[column].strip().strip("`*") if column < len(cells) else ""
                if len(secret) >= 6 and " " not in secret and _is_no_word(secret) and not _is_said_of_one(secret):
                    yield Suspect("password-in-table", view.line_at(at), secret)
            at += len(row)


def _is_said_of_one(value: str) -> bool:
    return is_placeholder(value) or _is_a_name(value) or re.fullmatch(_OF_PASSWORDS, value) is not None


_LEAST_ENTROPY = 3.4  # bits a character: a random hexadecimal run has 3.7 or so, an identifier mostly less than 3.4
_NAMED_HASH = r"(?i)sha\d|md5|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|.*\.(?:[a-z]{2,5})"


def _looks_random(value: str) -> bool:
    """Whether a value is no word, path, name or number of anything."""
    if (
        re.fullmatch(_NAMED_HASH, value)
        or _is_a_name(value)
        or re.search(r"[a-z_]{4}\(|^\w+\(", value)
        or "/" in value[:2]
    ):
        return False
    longest = max(re.split(r"[^A-Za-z0-9]", value), key=len)
    digits = sum(map(str.isdigit, value))
    signs = sum(character in "!@#$%^&*()" for character in value)
    if (len(longest) < 12 and (signs < 3 or len(value) < 24)) or digits < 2 or digits == len(value):
        return False
    return _entropy(value) >= _LEAST_ENTROPY


def _entropy(value: str) -> float:
    shares = [value.count(character) / len(value) for character in set(value)]
    return -sum(share * log2(share) for share in shares)


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
        if (found["sets"] or "").startswith("==") or re.fullmatch(r"[A-Za-z]{2,}=\d{1,3}", secret):  # code, and a rule
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
