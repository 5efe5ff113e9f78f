"""What is taken for a secret, however it is hidden, and what isn't."""

from __future__ import annotations

import base64
import os
import re
import unicodedata
import uuid
from hashlib import sha512
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.cleanroom import CACHE
from tests.secret_samples import MADE, private_key, some

from trinho.adapters.secrets.kingfisher import Kingfisher
from trinho.adapters.secrets.scanner import RuleScanner
from trinho.documents.secret_hints import could_hold_a_secret
from trinho.errors import SecretScannerError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from trinho.ports.secrets import SecretFound

REAL = Path(__file__).resolve().parents[4] / "shared" / "data" / "adr"
WORD = some("abcdefghjkmnpqrstuvwxyz23456789", 11, "word")  # a password as people make them


@pytest.fixture(scope="module")
def scanner() -> RuleScanner:
    kingfisher = Kingfisher(str(CACHE / "trinho" / "secret-rules"))
    return RuleScanner(lambda: kingfisher)


def found(scanner: RuleScanner, text: str) -> list[SecretFound]:
    return list(scanner.scan(text, lambda: b"salt"))


def rules(scanner: RuleScanner, text: str) -> list[tuple[str, int]]:
    """Rule and line of each finding; a failing test must not print more."""
    return [(each.rule, each.line) for each in found(scanner, text)]


@pytest.mark.parametrize("rule", list(MADE))
class TestCredential:
    """Each kind is found, wherever it stands."""

    def test_in_a_sentence(self, scanner: RuleScanner, rule: str) -> None:
        text, _ = MADE[rule]()
        assert (rule, 3) in rules(scanner, f"# Notes\n\nUse {text} for it.\n\nThe rest is prose.\n")

    def test_hidden_by_what_nobody_sees(self, scanner: RuleScanner, rule: str) -> None:
        text, secret = MADE[rule]()
        middle = len(secret) // 2
        for unseen in ("\u200b", "\u2060\u00ad", "\U000e0041"):
            hidden = text.replace(secret, secret[:middle] + unseen + secret[middle:])
            assert (rule, 1) in rules(scanner, f"Use {hidden} for it.")

    def test_in_frontmatter(self, scanner: RuleScanner, rule: str) -> None:
        text, _ = MADE[rule]()
        told = text.replace("\n", "\n  ")
        assert (rule, 3) in rules(scanner, f"---\nname: x\ndescription: {told}\n---\n\nBody.\n")

    def test_in_base64(self, scanner: RuleScanner, rule: str) -> None:
        text, _ = MADE[rule]()
        once = base64.b64encode(f"it is {text}\n".encode()).decode()
        assert (rule, 2) in rules(scanner, f"Decode this:\n{once}\n")
        assert (rule, 1) in rules(scanner, base64.urlsafe_b64encode(once.encode()).decode().rstrip("="))
        assert (rule, 1) in rules(scanner, base64.encodebytes(f"it is {text}\n".encode()).decode())

    def test_nothing_that_is_told_holds_it(self, scanner: RuleScanner, rule: str) -> None:
        text, secret = MADE[rule]()
        for each in found(scanner, f"Use {text} for it."):
            assert not any(
                piece in repr(each) for piece in (secret, secret[:12], base64.b64encode(secret.encode()).decode())
            )

    def test_without_its_random_part_it_passes(self, scanner: RuleScanner, rule: str) -> None:
        text, secret = MADE[rule]()
        prefix = "" if rule in ("credentials-in-url", "password-in-words", "private-key") else secret[:4]
        for stand_in in (f"<{rule}>", f"{prefix}xxxxxxxxxxxxxxxxxxxx", "${TOKEN}", "YOUR_API_KEY"):
            rest = private_key().partition(secret)[2] or "\0"
            assert rules(scanner, f"Use {text.replace(secret, stand_in)} for it.".replace(rest, "")) == []


@pytest.mark.parametrize("rule", ["github-pat", "gitlab-pat", "anthropic-api-key", "gcp-api-key", "pypi-upload-token"])
@pytest.mark.parametrize("end", ["\n", "\n    ", " \\\n  ", "\r\n", "\n> "])
def test_split_over_a_line_end(scanner: RuleScanner, rule: str, end: str) -> None:
    text, _ = MADE[rule]()
    half = len(text) // 2
    assert (rule, 2) in rules(scanner, f"Wrapped:\n{text[:half]}{end}{text[half:]}\n")


PASSWORDS = [
    "The password is {}",
    "the password for staging is {}.",
    "Password: {}",
    "**Password:** `{}`",
    'password = "{}"',
    "DB_PASSWORD={}",
    "passphrase is '{}'",
    "| password | {} |",
    "mật khẩu là {}",
    "Mật khẩu của máy chủ là {}, đổi mỗi tháng",
    "mat khau la {}",
    "mat khau: {}",
    "Mật khẩu: {}",
    "mật-khẩu = {}",
]


@pytest.mark.parametrize("line", PASSWORDS)
def test_passwords_in_words(scanner: RuleScanner, line: str) -> None:
    assert rules(scanner, line.format(WORD)) == [("password-in-words", 1)]
    assert rules(scanner, unicodedata.normalize("NFD", line.format(WORD))) == [("password-in-words", 1)]


@pytest.mark.parametrize("line", ["password: swordfish", 'the password is "swordfish"', "pwd=swordfish"])
def test_a_plain_word_that_can_only_be_the_password(scanner: RuleScanner, line: str) -> None:
    assert rules(scanner, line) == [("password-in-words", 1)]


PROSE = """
the password is in 1Password
The password is required
password is stored in Vault, ask Ann
the password is hashed with bcrypt
the password is SHA-256 hashed
Passwords are rotated every 90 days.
password: required
password: string
password: see the wiki
Password: at least 12 characters
password is 8-16 characters long
password = getpass.getpass()
password = settings.database.password
password=$DB_PASSWORD
password: ${DB_PASSWORD}
password: {{ vault_password }}
password: "<password>"
password: ********
DB_PASSWORD=changeme
PGPASSWORD=YOUR_PASSWORD
os.environ["DB_PASSWORD"]
password | what it is for
mật khẩu nằm trong Vault
mật khẩu là bắt buộc
mật khẩu được lưu ở 1Password
mật khẩu phải có ít nhất 12 ký tự
Mật khẩu: xem trong Vault
mat khau o trong 1Password
the token is kept in the keychain
export GITHUB_TOKEN=<token>
OPENAI_API_KEY=YOUR_API_KEY
Authorization: Bearer ${TOKEN}
key: xxxxx
curl -H "Authorization: Bearer $TOKEN" https://api.example.com
https://user:pass@example.com/path
postgres://user:password@localhost:5432/db
postgres://USER:PASSWORD@HOST/db
https://${USER}:${PASSWORD}@host/
https://docs.internal:8443/@scope/package
git@github.com:trinho/trinho.git
ssh://git@github.com/trinho/trinho.git
A block that begins with -----BEGIN PRIVATE KEY----- is a key.
The AWS id looks like AKIAXXXXXXXXXXXXXXXX.
tests/docs/test_readme.py::test_every_command_prints_what_is_shown
""".strip().splitlines()


@pytest.mark.parametrize("line", PROSE)
def test_what_is_said_about_secrets_passes(scanner: RuleScanner, line: str) -> None:
    assert rules(scanner, f"Before.\n{line}\nAfter.\n") == []


def looks_alike() -> Iterator[str]:
    """What is random, or nearly, and no secret."""
    yield str(uuid.UUID(int=0x5D3C8F0A11B24E6F9A7D2C3B4E5F6071))
    yield f"id: {uuid.UUID(int=0xA5D3C8F0A11B24E6F9A7D2C3B4E5F607)}"
    yield f"commit {some('0123456789abcdef', 40)}"
    yield f"sha256:{some('0123456789abcdef', 64)}"
    yield f"md5 {some('0123456789abcdef', 32)}"
    yield f'"integrity": "sha512-{base64.b64encode(sha512(b"lock").digest()).decode()}"'
    yield f"    --hash=sha256:{some('0123456789abcdef', 64, 'b')}"
    yield f"![image](data:image/png;base64,{base64.b64encode(bytes(range(256)) * 9).decode()})"
    yield "The quick brown fox. " + base64.b64encode("chỉ là một câu văn bình thường".encode()).decode()
    yield "\n".join(some("0123456789abcdef", 40, str(n)) for n in range(9))


@pytest.mark.parametrize("text", list(looks_alike()), ids=range(10))
def test_what_looks_alike_passes(scanner: RuleScanner, text: str) -> None:
    assert rules(scanner, text) == []


def test_real_decision_records_hold_none(scanner: RuleScanner) -> None:
    files = sorted(REAL.rglob("*.md"))
    if not files:
        pytest.skip(f"{REAL} is not on this machine")
    assert {file.name: hit for file in files if (hit := rules(scanner, file.read_text(encoding="utf-8")))} == {}


def test_our_own_pages_hold_none(scanner: RuleScanner) -> None:
    files = sorted((Path(__file__).resolve().parents[3] / "docs").rglob("*.md"))
    assert {file.name: hit for file in files if (hit := rules(scanner, file.read_text(encoding="utf-8")))} == {}


class TestHints:
    """A text without hints is never shown to kingfisher, so nothing of what it finds may be without."""

    def test_every_kind_gives_one(self) -> None:
        missed = [rule for rule, made in MADE.items() if not could_hold_a_secret(made()[0])]
        assert set(missed) <= {"password-in-words"}  # a rule of ours, which is always asked

    @pytest.mark.parametrize("seed", range(40))
    def test_tokens_of_many_shapes_give_one(self, seed: int) -> None:
        lower, mixed = (
            "abcdefghijklmnopqrstuvwxyz0123456789",
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
        )
        for alphabet in (lower, mixed, "0123456789abcdef", mixed + "+/", lower + "_-"):
            for length in (24, 32, 40, 64):
                assert could_hold_a_secret(f"key = {some(alphabet, length, str(seed))}")

    def test_an_ordinary_document_gives_none(self) -> None:
        assert not could_hold_a_secret(
            "---\nname: indentation\ndescription: 'Indent with four spaces.'\ntype: feedback\nkind: reference\n"
            "version: 12\ncreated: 2026-12-01T00:00:00.000000Z\nupdated: 2026-12-01T11:59:59.123456Z\n---\n\n"
            "Indent with four spaces; see src/trinho/application/memory.py, test_every_command and ADR-0012.\n"
            "The password is in 1Password. Mật khẩu nằm trong Vault. https://docs.python.org/3/library/re.html\n"
        )


def refusing() -> Any:
    raise AssertionError("it was loaded")


class TestLoading:
    """The rules are loaded only for a text that gives reason to, and a bad cache is no reason to fail."""

    def test_an_ordinary_text_needs_none(self) -> None:
        lazy = RuleScanner(refusing)
        assert found(lazy, "Indent with four spaces. The password is in Vault.") == []
        assert rules(lazy, f"password: {WORD}") == [("password-in-words", 1)]

    def test_the_salt_is_asked_only_where_something_is_found(self, scanner: RuleScanner) -> None:
        assert scanner.scan("nothing", refusing) == ()

    def test_fingerprints_differ_by_salt_and_secret_and_not_by_place(self, scanner: RuleScanner) -> None:
        text, _ = MADE["github-pat"]()
        here, there = found(scanner, text), found(scanner, f"# x\n\nSee {text}, please")
        assert here[0].fingerprint == there[0].fingerprint
        assert scanner.scan(text, lambda: b"other")[0].fingerprint != here[0].fingerprint

    @pytest.mark.slow
    def test_a_damaged_cache_is_made_anew(self, tmp_path: Path) -> None:
        text, _ = MADE["github-pat"]()
        folder = tmp_path / "cache"
        assert rules(RuleScanner(lambda: Kingfisher(str(folder))), text) == [("github-pat", 1)]
        (kept,) = folder.iterdir()
        size = kept.stat().st_size
        kept.write_bytes(os.urandom(1000))
        assert rules(RuleScanner(lambda: Kingfisher(str(folder))), text) == [("github-pat", 1)]
        assert kept.stat().st_size == size

    @pytest.mark.slow
    def test_where_nothing_can_be_kept_it_works_without(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("in the way", encoding="utf-8")
        text, _ = MADE["github-pat"]()
        assert rules(RuleScanner(lambda: Kingfisher(str(tmp_path / "file" / "cache"))), text) == [("github-pat", 1)]

    def test_what_the_engine_says_of_its_trouble_goes_no_further(self, monkeypatch: pytest.MonkeyPatch) -> None:
        text, secret = MADE["github-pat"]()
        kingfisher = Kingfisher(None)
        monkeypatch.setattr(kingfisher, "_scanner", _Failing(lambda: ValueError(secret)))
        with pytest.raises(SecretScannerError) as caught:
            found(RuleScanner(lambda: kingfisher), text)
        assert secret not in re.sub(r"\s", "", f"{caught.value} {caught.value.as_dict()}")
        assert caught.value.__cause__ is caught.value.__context__ is None


class _Failing:
    def __init__(self, error: Callable[[], Exception]) -> None:
        self._error = error

    def scan(self, *_: object, **__: object) -> Any:
        raise self._error()
