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

# Patterns are texts, compiled by `re` when a text first has a need of them: a short write pays for none of them.
# INVARIANT: they stay linear: what one repeats without a bound can be matched in one way only


class Suspect(NamedTuple):
    """What a rule takes for a secret, and its line from 1."""

    rule: str
    line: int
    secret: str

    def __repr__(self) -> str:
        return f"Suspect(rule={self.rule!r}, line={self.line})"  # INVARIANT: no message shows the secret


# Rules that tell less than one which knows whose token it is
GENERAL = frozenset({"credential-assignment", "token-by-its-prefix"})


def suspects(view: View) -> Iterator[Suspect]:
    """What our own rules find in a view. Each rule has a word without which it isn't asked."""
    text = view.text
    lower = text.lower()
    if len(lower) != len(text):  # of a few letters the small one is longer
        lower = "".join(character.lower()[0] for character in text)
    for words, rule, pattern in _SHAPES:
        if any(word in lower for word in words):
            for found in re.finditer(pattern, text):
                # What has the whole shape of a token is one, also with `EXAMPLE` in the middle of it
                if not is_placeholder(re.sub("(?i)example", "", found["secret"])):
                    yield Suspect(rule, view.line_at(found.start("secret")), found["secret"])
    yield from _in_three_parts(view)
    if "://" in lower and "@" in lower:
        yield from _in_addresses(view)
    yield from _passwords(view, lower)
    yield from _pairs(view, lower)
    if any(word in lower for word in _CREDENTIAL_WORDS):
        yield from _assigned(view, lower)
    if any(word in lower for word in ("authorization", "basic ", "bearer ")):
        yield from _authorizations(view)
    if "|" in text:
        yield from _in_tables(view)


def _places(word: str, lower: str) -> Iterator[int]:
    """Where a word stands: looked for without a pattern, which would ask at every letter."""
    at = lower.find(word)
    while at >= 0:
        yield at
        at = lower.find(word, at + len(word))


def is_placeholder(value: str) -> bool:
    """Whether it stands for a secret instead of being one."""
    bare = value.strip("\"'`*_,;.:")
    if not bare or bare[0] in "<[({%" or bare.startswith(("${", "$(", "@{")) or re.fullmatch(r"\$[A-Za-z_]\w*", bare):
        return True
    if re.search(r"(?i)xxxx|\*{3,}|•{3,}|\.{3,}|…|placeholder|redacted|dummy|change-?_?me|replace-?_?me", bare):
        return True
    if "example" in bare.lower() and len(re.findall("[0-9]", bare)) < 3:
        return True
    if re.fullmatch(r"(.)\1*", bare):
        return True
    if re.fullmatch(r"(?i)(?:your|my|some|the|insert|enter|put)[-_ ]?[a-z_ -]*", bare):
        return True
    return bare.lower() in _STAND_INS


_SHAPES = (
    (("hf_", "api_org_"), "huggingface-access-token", r"\b(?P<secret>(?:hf|api_org)_[A-Za-z0-9]{30,})\b"),
    (
        ("akia", "asia", "abia", "acca", "a3t"),
        "aws-access-key-id",
        r"\b(?P<secret>(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)(?=[A-Z]*[0-9])[A-Z0-9]{16})\b",
    ),
    (
        ("aiza", "whsec_", "glpat-", "_live_", "_test_", "github_pat_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "sk-"),
        "token-by-its-prefix",
        (
            r"(?<![A-Za-z0-9_-])(?P<secret>(?:AIza|whsec_|[sr]k_(?:live|test)_|github_pat_|gh[pousr]_|glpat-"
            r"|sk-(?:[a-z]{2,6}[0-9]{0,2}-){0,3})(?=[A-Za-z]{0,80}[0-9])[A-Za-z0-9_]{16,200})(?![A-Za-z0-9_])"
        ),
    ),
    ((":aa",), "telegram-bot-token", r"(?<![\w:])(?P<secret>\d{8,10}:AA[A-Za-z0-9_-]{33})(?![\w-])"),
    (
        ("accountkey", "accesskey"),
        "azure-storage-key",
        r"(?i)(?:Account|Access)Key=(?P<secret>[A-Za-z0-9+/]{40,120}={0,2})",
    ),
    (
        ("login",),
        "netrc",
        (
            r"(?i)\b(?P<machine>machine\s{1,8}\S{1,200}\s{1,8})?login\s{1,8}\S{1,200}\s{1,8}password\s{1,8}"
            r"(?P<secret>(?(machine)|(?=[^\s\d]{0,200}\d))[^\s`\"']{4,200})"
        ),
    ),
    (
        (":5432:", ":5433:", ":6432:", ":*:"),
        "pgpass",
        (
            r"(?<![^\s`\"'>])(?:[\w.-]{1,200}|\*):(?:\d{4,5}|\*):[^\s:]{1,64}:[^\s:]{1,64}:"
            r"(?P<secret>[^\s:`\"']{4,200})(?![^\s`\"'])"
        ),
    ),
    (("q~",), "azure-ad-client-secret", r"(?<![\w~.-])(?P<secret>[\w~.]{3}\dQ~[\w~.-]{31,34})(?![\w~-])"),
    (
        ("-----begin",),
        "private-key",
        (
            r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
            r"(?:\\n|\\r|[\s\"',>|+]|[A-Za-z-]{4,20}: [^\n]{0,200}\n){0,99}(?P<secret>[A-Za-z0-9+/=]{40,})"
        ),
    ),
)


def _in_three_parts(view: View) -> Iterator[Suspect]:
    """Tokens of Discord, looked for from their middle: that is rare, while every word could be their beginning."""
    text = view.text
    for found in re.finditer(r"\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![\w.-])", text):
        head = re.search(r"(?<![\w.-])[MNO](?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{22,27}\Z", text[: found.start()][-29:])
        if head:
            yield Suspect("discord-bot-token", view.line_at(found.start()), head[0] + found[0])


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


_CREDENTIAL_WORDS = ("secret", "token", "key", "credential", "khóa", "khoá", "truy cập", "bí mật")
# A run that could be random, and what stands before one that is said to be a credential
_RUN = r"[A-Za-z0-9+/_.~!@#$%^&*()=-]{16,256}"
_BEFORE = 72
_NAMED = r"""(?xi)
(?P<name>credentials?|secrets?|tokens?|keys?|kh(?:óa|oá)(?:[ ](?:api|bí[ ]mật|riêng))?|mã[ ](?:truy[ ]cập|bí[ ]mật))
(?:[_-]?(?:value|base|prod|dev|live|test|staging|v?[0-9]{1,2})){0,2}(?![a-z0-9_.])
["'`*_\\\])}]{0,4}(?:[ \t]\([^()\n]{0,30}\))?
(?P<clause>[ \t][^:=|>,\n]{0,40}?)??
(?:[ \t]*(?P<sets>:=|[=-]>|→|[:=|>]|,(?=[ ]?["']))|[ \t](?P<says>is|was|là)(?:[ \t](?:now|still))?|(?P<bare>))
[ \t"'`*\\]{0,8}(?:\n[ \t>]{0,12}(?:```[a-z]{0,12}\n)?){0,3}["'`*]{0,3}\Z
"""
_FOR_WHAT = r"[ \t](?:for|of|to|from|on|in|at|cho|của|cua|trên|ở|api|value)\b"
# What makes of a plain `key` one that opens something
_OPENS = (
    r"(?i)(?:api|access|account|auth|private|secret|encrypt\w*|sign\w*|master|service|client|deploy|bot|admin|consumer"
    r"|shared|storage|subscription|webhook|session|jwt|hmac|aes|app|license)[\W_]{0,3}$"
)
# Names of what is shown to everybody, or is made anew each time
_SHOWN = (
    r"(?i:publi[cs]|pubkey|page|cursor|next|[cx]srf|sync|continuation|idempoten|cache|count|limit|hash|digest|commit"
    r"|sha\d|md5|checksum|etag|integrity|print\b|uuid|guid|version|revision|site_?key|\block|(?<![a-z])id(?![a-z]))"
    r"|[a-z]Id(?![a-z])"
)
# And of a plain `key`, which is a name of data more often than not
_LOOKED_UP = (
    r"(?i)primary|foreign|partition|sort|row|object|record|issue|ticket|project|doc|file|sheet|board|index|map|dict"
    r"|locale|message|route|host|hot|short|s3|bucket|figma|track|measure|gpg|pgp|user|order|item|test"
)


def _assigned(view: View, lower: str) -> Iterator[Suspect]:
    text = view.text
    past = 0
    for found in re.finditer(_RUN, text):
        start, end = found.span()
        name, equals, _ = found[0].partition("=")
        if equals and any(word in name.lower() for word in _CREDENTIAL_WORDS):
            start += len(name) + 1
        said = lower[max(past, start - _BEFORE) : start]
        if found[0].endswith("...") or not any(word in said for word in _CREDENTIAL_WORDS):
            continue
        secret = text[start:end].rstrip(".!?)*").lstrip("*(.=")
        if _looks_random(secret) and not is_placeholder(secret):
            at = text.index(secret, start)
            before = text[max(past, at - _BEFORE) : at]
            past = at + len(secret)
            if _is_said_to_be_a_credential(before, secret):
                yield Suspect("credential-assignment", view.line_at(at), secret)


def _is_said_to_be_a_credential(before: str, value: str) -> bool:
    said = re.search(_NAMED, before)
    if said is None:
        return False
    head = re.split(r"[\n,;:(|]", before[: said.start()])[-1]
    head = " ".join(head.split(" ")[-2:])  # the name, as far as it goes on before, and a word that qualifies it
    clause = said["clause"] or ""
    if re.search(_SHOWN, head + said["name"] + clause):
        return False
    hexadecimal = re.fullmatch(r"[0-9a-fA-F-]*", value) is not None
    bare = said["bare"] is not None and "\n" not in said[0]
    if (said["bare"] is not None and "YOUR" in head) or (said["sets"] == ">" and "\n" in said[0]):  # placeholders
        return False
    if (bare and hexadecimal) or (clause and (bare or hexadecimal) and not re.match(_FOR_WHAT, clause)):
        return False
    if said["name"].lower() not in ("key", "keys") or re.search(_OPENS, head) or re.match(r"(?i)[ ]api\b", clause):
        return True
    mixed = re.search("[a-z]", value) and re.search("[A-Z]", value) and len(value) >= 24
    return bool(mixed) and not re.search(r"[a-z]$", head) and not re.search(_LOOKED_UP, head + clause)


_NO_CREDENTIAL = (
    r"(?i)sha\d{1,3}[-_:/].*|md5[-_:/].*|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|.*\.[a-z]{2,5}"
    r"|AAAA[BCE][3Q].*|(?:.?/|~/).*"
)


def _looks_random(value: str) -> bool:
    """Whether a value is no word, path, name or number of anything."""
    digits = len(re.findall("[0-9]", value))
    if len(value) < 16 or digits == len(value) or re.fullmatch(_NO_CREDENTIAL, value) or _is_a_name(value):
        return False
    if re.search(r"[A-Za-z_]{5}\(|^[A-Za-z_.]+\d?\(", value):  # a call
        return False
    pieces = re.findall(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[!@#$%^&*+=?~()]+", value)
    length = sum(map(len, pieces)) / len(pieces) if pieces else 99.0
    unbroken = max(map(len, re.split(r"[^A-Za-z0-9]", value)))
    if unbroken < 9 and len(re.findall(r"[!@#$%^&*()=+]", value)) < 4:
        return False
    if len(value) < 24:
        mixed = digits and re.search("[a-z]", value) and re.search("[A-Z]", value)
        return length <= (2.6 if mixed else 3.4 if digits >= 3 else 0) and unbroken >= 12 and _entropy(value) >= 2.9
    # Without digits, words written together are told from it by their length alone
    return length <= (4.2 if digits >= 2 else 3.2) and _entropy(value) >= 3.2


def _entropy(value: str) -> float:
    """Bits a character: a random hexadecimal run has 3.6 or so, a mixed one 4 to 5."""
    shares = [value.count(character) / len(value) for character in set(value)]
    return -sum(share * log2(share) for share in shares)


_AUTHORIZATION = (
    r"(?i)\b(?:authorization[\"'`]{0,2}[:=][ \t\"'`]{0,3}[a-z]{0,12}|basic|bearer)"
    r"[ \t]{1,4}[\"'`]?(?P<secret>[A-Za-z0-9+/_.=~-]{12,400})"
)


def _authorizations(view: View) -> Iterator[Suspect]:
    for found in re.finditer(_AUTHORIZATION, view.text):
        secret = found["secret"].rstrip(".")
        if found["secret"].endswith("...") or is_placeholder(secret):
            continue
        if _is_user_and_password(secret) or _looks_random(secret):
            yield Suspect("authorization-header", view.line_at(found.start("secret")), secret)


def _is_user_and_password(encoded: str) -> bool:
    try:
        text = b64decode(encoded + "=" * (-len(encoded) % 4), validate=True).decode()
    except (Base64Error, UnicodeDecodeError):
        return False
    user, colon, password = text.partition(":")
    return bool(user and colon and password) and text.isprintable() and not is_placeholder(password)


_TABLE = r"(?m)^(?P<head>[^\n|]*\|[^\n]*)\n[ \t]*\|?[ \t]*:?-[ \t:|-]*\n(?P<rows>(?:[^\n|]*\|[^\n]*(?:\n|\Z))+)"
_OF_PASSWORDS_IN_TABLE = r"(?i)pass(?:word|wd|phrase|code)|\b(?:pwd|pw|pass|mk)\b|mật khẩu|mat khau"
_OF_TOKENS_IN_TABLE = r"(?i)secret|token|\bkey\b|credential"


def _in_tables(view: View) -> Iterator[Suspect]:
    """Cells below a head that says that they are passwords or tokens."""
    for table in re.finditer(_TABLE, view.text):
        heads = _cells(table["head"])
        passwords = [n for n, cell in enumerate(heads) if re.search(_OF_PASSWORDS_IN_TABLE, cell)]
        tokens = [n for n, cell in enumerate(heads) if re.search(_OF_TOKENS_IN_TABLE, cell) and n not in passwords]
        if not passwords and not tokens:
            continue
        at = table.start("rows")
        for row in table["rows"].splitlines(keepends=True):
            cells = _cells(row)
            said = [cells[n] for n in passwords if n < len(cells) and _is_a_password_in_a_cell(cells[n])]
            said += [
                cells[n]
                for n in tokens
                if n < len(cells)
                and re.fullmatch(_RUN, cells[n])
                and _looks_random(cells[n])
                and _is_said_to_be_a_credential(heads[n] + ": ", cells[n])
            ]
            for secret in said:
                yield Suspect("password-in-table", view.line_at(at), secret)
            at += len(row)


def _cells(row: str) -> list[str]:
    return [cell.strip().strip("`*") for cell in row.strip().removeprefix("|").split("|")]


def _is_a_password_in_a_cell(value: str) -> bool:
    return (
        len(value) >= 6
        and not re.search(r"\s", value)
        and _is_no_word(value)
        and not (is_placeholder(value) or _is_a_name(value) or re.fullmatch(_OF_PASSWORDS, value))
    )


_PAIR_WORDS = ("creds", "credential", "login", "account", "user", "tài khoản", "đăng nhập", "tk:")
# Who, and behind it the password: `login: bob / …`
_PAIR = r"""(?x)
[^\n:=/]{0,24}(?:/[ ]?pass(?:word)?)?[:=][ \t"'`*]{0,4}
(?P<user>[^\s/:|,"'`=]{2,60})["'`]?[ \t]{0,2}[/:|][ \t]{0,2}["'`]?(?P<secret>[^\s"'`/|]{8,200})
"""


def _pairs(view: View, lower: str) -> Iterator[Suspect]:
    pair = re.compile(_PAIR)
    for at in (at + len(word.rstrip(":")) for word in _PAIR_WORDS for at in _places(word, lower)):
        found = pair.match(view.text, at)
        if found is None:
            continue
        secret = found["secret"].rstrip(".,;:!?*)")
        if _is_made_up(secret) and not is_placeholder(secret) and not re.fullmatch(_OF_PASSWORDS, secret):
            yield Suspect("password-in-words", view.line_at(found.start("secret")), secret)


_PASSWORD_WORDS = (
    "password", "passwd", "passphrase", "passcode", "pwd", "khẩu", "khau",
    "passwort", "kennwort", "contraseña", "mot de passe", "senha", "пароль", "密码", "密碼", "パスワード", "비밀번호",
)  # fmt: skip
# These are other words as well: what they name must look like a password by itself
_SHORT_WORDS = ("pass", "pw", "mk")
_MAT = r"m[aàáạảãăằắặẳẵâầấậẩẫ]t[ \t_-]?\Z"
# What stands behind the word
_SAID = r"""(?xi)
["'`*_\])]{0,4}[ \t]{0,3}
(?:\([^()\n]{0,40}\)[ \t]{0,3})?
(?:(?:for|of|to|on|at|cho|của|cua|vào|vao|trên|tren|ở)[ \t]+(?:[^\s:=|]{1,40}[ \t]+){0,4}?(?:[^\s:=|]{1,40}[ \t]*))?
(?:
  (?P<says>(?:\b|(?<=[ \t"'`*]))(?:is|là|la|ist|es|est|é)[ \t]+
    (?:(?:now|currently|still|set[ \t]to|hiện[ \t]là)[ \t]+)?)
  |(?P<sets>(?::=|:{1,2}|：|=>|={1,3}|->|→|\||は|是|为)[ \t"'`*_]{0,3}[ \t]{0,3}
    (?:\n[ \t>]{0,12}(?:```[a-z]{0,12}[ \t]{0,3}(?=\n))?){0,3})
  |(?P<bare>(?:\n[ \t>]{0,12}(?:```[a-z]{0,12}[ \t]{0,3}(?=\n))?){0,3}(?<=\s))
)
(?P<quote>["'`“‘«*]{0,3})
(?P<secret>[^\s"'`“”‘’«»|]{4,200})
(?P<after>["'`”’»]?[ \t]{0,40}(?P<next>[^\s"'`,;)}\]]{0,40}))
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


def _passwords(view: View, lower: str) -> Iterator[Suspect]:
    said = re.compile(_SAID)
    text = view.text
    for word in (*_PASSWORD_WORDS, *_SHORT_WORDS):
        past = 0
        for at in _places(word, lower):
            end = at + len(word)
            found = said.match(text, end) if at >= past and _is_the_word(lower, at, word) else None
            if found is None:
                continue
            past = found.end("secret")
            secret = found["secret"].rstrip(".,;:!?*_…")
            if not _is_no_password(secret, found["after"]) and _is_meant(found, secret, at, word):
                yield Suspect("password-in-words", view.line_at(found.start("secret")), secret)


def _is_no_password(value: str, after: str) -> bool:
    return (
        len(value) < 4
        or is_placeholder(value)
        or _is_a_name(value)
        or re.match(_UNITS, after) is not None
        or re.fullmatch(_OF_PASSWORDS, value) is not None
        or re.fullmatch(r"[A-Za-z]{2,}=\d{1,3}", value) is not None
    )


def _is_the_word(lower: str, at: int, word: str) -> bool:
    if word in _SHORT_WORDS:
        around = lower[at - 1 : at] + lower[at + len(word) : at + len(word) + 1]
        return re.search(r"[\w-]", around) is None
    return not word.startswith("kh") or re.search(_MAT, lower[max(0, at - 4) : at]) is not None


def _is_under_a_head(found: re.Match[str], value: str, at: int) -> bool:
    """Nothing says of a value behind the mere word that it is one, but its look."""
    if not _is_made_up(value):
        return False
    if "\n" not in found["bare"]:
        return re.search("[!@#$%^&*]", value) is not None and re.search("[0-9]", value) is not None
    line = found.string[max(0, at - 40) : at].rpartition("\n")[2]
    return line.lstrip().startswith(("#", "*")) and not found["next"]


def _is_meant(found: re.Match[str], value: str, at: int, word: str) -> bool:
    if found["bare"] is not None:
        return _is_under_a_head(found, value, at)
    sets = found["sets"] or ""
    below = sets.count("\n")
    # What is compared, further down or only perhaps called a password must look like one by itself
    if sets.startswith("==") or word in _SHORT_WORDS or below > 1:
        return _is_made_up(value) and not (below and found["next"])
    if below:
        return _is_no_word(value) and (not found["next"] or _is_made_up(value))
    if sets and not found["quote"] and re.fullmatch(r"[A-Z]?[a-z]+\d{1,2}", value):
        return not re.match(r"[ \t]+[a-z]{2,}[ \t]+[a-z]{2,}", found.string[found.end("secret") :][:80])
    return _is_no_word(value) or _stands_alone(found, value)


def _is_made_up(value: str) -> bool:
    """Whether it is what somebody types for a password: characters of several kinds, in turns."""
    if len(value) < 8 or re.fullmatch(r"[A-Za-z]+[-_]?v?\d+(?:\.\w+)*", value):
        return False
    pieces = re.findall(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[!@#$%^&*+=?~]+", value)
    kinds = sum(re.search(kind, value) is not None for kind in ("[a-z]", "[A-Z]", "[0-9]", "[!@#$%^&*+=?~]"))
    return len(pieces) >= 3 and (kinds >= 3 or (kinds >= 2 and len(pieces) >= 5))


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
    return "|" not in (found["sets"] or "|") and not found["next"] and value.isascii() and len(value) > 5
