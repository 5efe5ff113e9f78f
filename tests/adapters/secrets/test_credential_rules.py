"""Credentials without a shape of their own are known by what is said of them, and however they are written."""

from __future__ import annotations

import base64
from time import process_time

import pytest
from tests.cleanroom import CACHE
from tests.secret_samples import MADE, some

from trinho.adapters.secrets.kingfisher import Kingfisher
from trinho.adapters.secrets.scanner import RuleScanner
from trinho.documents.secrets import suspects
from trinho.documents.views import views

LOWER = "abcdefghijklmnopqrstuvwxyz0123456789"
MIXED = LOWER + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
HEX = "0123456789abcdef"
SIGNS = "!@#%^&*()"
PAIR = base64.b64encode(b"admin:S3cr3t" + b"P4ss!").decode()

SAID = {
    "an AWS secret": f"aws_secret_access_key = {some(MIXED + '/+', 40)}",
    "a key in quotes": f'api_key: "{some(LOWER, 32)}"',
    "a key of the environment": f"API_KEY={some(MIXED, 40)}",
    "a key with signs": f"SECRET_KEY = '{some(MIXED + SIGNS, 50)}'",
    "a framework's key": f"DJANGO_SECRET_KEY=django-insecure-{some(LOWER + SIGNS, 50)}",
    "a token": f"token: {some(MIXED, 40)}",
    "a secret in code marks": f"Secret: `{some(MIXED, 40)}`",
    "a storage key": f"AccountName=x;AccountKey={some(MIXED + '+/', 86)}==;",
    "a bot's token": f"123456789:AA{some(MIXED, 33)}",
    "another bot's token": f"M{some(MIXED, 23)}.{some(MIXED, 6)}.{some(MIXED, 27)}",
    "a line of pgpass": f"db.host:5432:app:bob:{some(MIXED, 12)}",
    "netrc": f"machine git.host login bob password {some(MIXED, 14)}",
    "basic authorization": f"Authorization: Basic {PAIR}",
    "bearer authorization": f"Authorization: Bearer {some(HEX, 40)}",
    "a table": f"| user | password |\n|---|---|\n| bob | {some(MIXED, 10)}! |\n",
}
PASS = [
    "Password: minLength=8",
    "if password == 'test1': raise",
    "token: process.env.GITHUB_TOKEN",
    "api_key: settings.api_key_for_the_service",
    "private_key = ed25519.Ed25519PrivateKey.from_private_bytes(secret)",
    "the secret key lies in the vault under payments/prod",
    "cache_key: user-profile-version-12-eu-west",
    f"next_page_token: {some(MIXED, 40)}",
    f"public_key: {some(MIXED, 60)}",
    f"commit {some(HEX, 40)}",
    f"sha256: {some(HEX, 64)}",
    f"integrity: sha512-{some(MIXED, 80)}==",
    "Authorization: Bearer <token>",
    "Authorization: Bearer ${GITHUB_TOKEN}",
    f"hf-token: {some(MIXED, 27)}...",
    "primary_key = orders_customer_id_created_at_2",
    "access_key: 0b1c2d3e-1234-4abc-9def-0123456789ab",
    "| user | password |\n|---|---|\n| bob | in the vault |\n",
    "secret: projects/123456789/secrets/db-password/versions/3",
    "token_count: 12345678901234567890",
]
DISGUISES = {
    "full-width letters": lambda text: "".join(chr(ord(c) + 0xFEE0) for c in text),
    "percent signs": lambda text: "".join(f"%{ord(c):02x}" for c in text),
    "entities": lambda text: "".join(f"&#{ord(c)};" for c in text),
    "hexadecimal entities": lambda text: "".join(f"&#x{ord(c):x};" for c in text),
    "escapes": lambda text: "".join(f"\\u{ord(c):04x}" for c in text),
    "emphasis": lambda text: f"{text[:9]}**{text[9:15]}**{text[15:]}",
    "an entity without width": lambda text: f"{text[:9]}&#8203;{text[9:]}",
}


def rules_in(text: str) -> list[str]:
    return [suspect.rule for view in views(text) for suspect in suspects(view)]


@pytest.mark.parametrize("kind", SAID)
def test_what_is_said_to_be_one(kind: str) -> None:
    assert rules_in(f"Some notes.\n\n{SAID[kind]}\n\nAnd more.\n")


@pytest.mark.parametrize("text", PASS)
def test_what_is_none(text: str) -> None:
    assert rules_in(f"Some notes.\n\n{text}\n\nAnd more.\n") == []


@pytest.mark.parametrize("disguise", DISGUISES)
def test_in_disguise(disguise: str) -> None:
    text, _ = MADE["github-pat"]()
    scanner = RuleScanner(lambda: Kingfisher(str(CACHE / "trinho" / "secret-rules")))
    token = next(word for word in text.split() if len(word) >= 40)
    assert [each.rule for each in scanner.scan(f"see {DISGUISES[disguise](token)} there", lambda: b"salt")]


@pytest.mark.parametrize(
    "piece",
    [
        "secret",
        "token: ",
        "a_",
        "|",
        "| password |\n|---|\n",
        "machine x login ",
        "bearer ",
        "M",
        "%41",
        "&#65;",
        "x*y",
        "a:5432:b:",
        "key=key=",
        "0.a",
        "token=a1",
        "basic A",
    ],
)
def test_long_texts_take_no_time(piece: str) -> None:
    text = piece * (500_000 // len(piece))
    started = process_time()
    for view in views(text):
        for _ in suspects(view):
            pass
    assert process_time() - started < 3
