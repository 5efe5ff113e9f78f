"""Credentials made up at run time, so that no file of the repository holds one."""

from __future__ import annotations

import random
import string
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_LETTERS = string.ascii_letters
_MIXED = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"
_LOWER = string.ascii_lowercase + string.digits


def some(alphabet: str, length: int, seed: str = "") -> str:
    """Random characters, the same in every run for the same seed; each alphabet shows in them."""
    dice = random.Random(f"{alphabet}{length}{seed}")
    while True:
        made = "".join(dice.choice(alphabet) for _ in range(length))
        if len(set(made)) > min(len(alphabet), length) // 3:
            return made


def private_key() -> str:
    lines = "\n".join(some(_MIXED + "+/", 64, str(number)) for number in range(4))
    return f"-----BEGIN RSA {'PRIVATE'} KEY-----\n{lines}\n-----END RSA {'PRIVATE'} KEY-----"


# Rule → a text with such a secret in it, and the part of it that must never be shown
MADE: dict[str, Callable[[], tuple[str, str]]] = {
    "aws-access-key-id": lambda: _bare("AK" + "IA" + some("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16, "2")),
    "gcp-api-key": lambda: _bare("AI" + "za" + some(_MIXED, 35)),
    "azure-ad-client-secret": lambda: _bare(some(_MIXED, 3) + "8Q" + "~" + some(_MIXED, 34)),
    "digitalocean-pat": lambda: _bare("dop" + "_v1_" + some(_HEX, 64)),
    "digitalocean-access-token": lambda: _bare("doo" + "_v1_" + some(_HEX, 64)),
    "anthropic-api-key": lambda: _bare("sk-" + "ant-api03-" + some(_MIXED, 93) + "AA"),
    "anthropic-admin-api-key": lambda: _bare("sk-" + "ant-admin01-" + some(_MIXED, 93) + "AA"),
    "openai-api-key": lambda: _bare("sk-" + some(_MIXED, 20, "a") + "T3Blbk" + "FJ" + some(_MIXED, 20, "b")),
    "huggingface-access-token": lambda: _bare("hf" + "_" + some(_LETTERS, 34)),
    "github-pat": lambda: _bare("gh" + "p_" + some(_MIXED, 36)),
    "github-fine-grained-pat": lambda: _bare("github" + "_pat_" + some(_MIXED, 82)),
    "github-app-token": lambda: _bare("gh" + "s_" + some(_MIXED, 36)),
    "github-oauth": lambda: _bare("gh" + "o_" + some(_MIXED, 36)),
    "github-refresh-token": lambda: _bare("gh" + "r_" + some(_MIXED, 36)),
    "gitlab-pat": lambda: _bare("gl" + "pat-" + some(_MIXED, 20)),
    "gitlab-deploy-token": lambda: _bare("gl" + "dt-" + some(_MIXED, 20)),
    "slack-bot-token": lambda: _bare(
        "xo" + f"xb-{some('123456789', 12)}-{some('123456789', 12, 'b')}-{some(_MIXED, 24)}"
    ),
    "slack-user-token": lambda: _bare(
        "xo" + "xp-" + "-".join(some("123456789", 12, each) for each in "abc") + "-" + some(_HEX, 32)
    ),
    "slack-app-token": lambda: _bare(
        "xa" + f"pp-1-A{some(_MIXED.upper(), 10)}-{some('123456789', 13)}-{some(_HEX, 64)}"
    ),
    "twilio-api-key": lambda: _bare("S" + "K" + some(_HEX, 32)),
    "sendgrid-api-token": lambda: _bare("S" + "G." + some(_MIXED, 22) + "." + some(_MIXED, 43)),
    "npm-access-token": lambda: _bare("np" + "m_" + some(_LOWER, 36)),
    "pypi-upload-token": lambda: _bare("py" + "pi-AgEIcHlwaS5v" + "cmc" + some(_MIXED, 70)),
    "databricks-api-token": lambda: _bare("da" + "pi" + some(_HEX, 32)),
    "hashicorp-tf-api-token": lambda: _bare(some(_LOWER, 14) + ".atlas" + "v1." + some(_LOWER, 66)),
    "pulumi-api-token": lambda: _bare("pu" + "l-" + some(_HEX, 40)),
    "postman-api-token": lambda: _bare("PM" + "AK-" + some(_HEX, 24) + "-" + some(_HEX, 34)),
    "grafana-api-key": lambda: _bare("eyJr" + "Ijoi" + some(_MIXED, 80)),
    "grafana-cloud-api-token": lambda: _bare("gl" + "c_" + some(_MIXED, 60)),
    "grafana-service-account-token": lambda: _bare("gl" + "sa_" + some(_MIXED, 32) + "_" + some(_HEX, 8)),
    "sentry-user-token": lambda: _bare("sntry" + "u_" + some(_HEX, 64)),
    "sentry-org-token": lambda: _bare(
        "sntry" + "s_eyJpYXQiO" + some(_MIXED, 30) + "LCJyZWdpb25fdXJs" + some(_MIXED, 30) + "_" + some(_MIXED, 43)
    ),
    "stripe-access-token": lambda: _bare("sk" + "_live_" + some(_MIXED, 24)),
    "shopify-access-token": lambda: _bare("shp" + "at_" + some(_HEX, 32)),
    "shopify-shared-secret": lambda: _bare("shp" + "ss_" + some(_HEX, 32)),
    "private-key": lambda: (private_key(), some(_MIXED + "+/", 64, "0")),
    "credentials-in-url": lambda: _around("postgres://app:", some(_MIXED, 12), "@db.internal:5432/app"),
    "password-in-words": lambda: _around("The password is ", some(_MIXED, 10, "3"), "."),
}


def _bare(secret: str) -> tuple[str, str]:
    return secret, secret


def _around(before: str, secret: str, after: str) -> tuple[str, str]:
    return f"{before}{secret}{after}", secret
