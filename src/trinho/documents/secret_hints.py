"""Whether a text could hold a secret at all, answered without loading the rules that would know.

Loading them costs a third of a second, looking for hints a tenth of a millisecond a kilobyte.
"""

from __future__ import annotations

import re

# A secret is long and looks like no word: that much is common to nearly all of kingfisher's rules
_RUN = r"[A-Za-z0-9_+/=~%-]{12,}"
_LETTER_BESIDE_DIGIT = r"[A-Za-z](?=[0-9])|[0-9](?=[A-Za-z])"
_CAPITAL_INSIDE = r"[a-z](?=[A-Z])|[A-Z](?=[A-Z][a-z])"
_INSTANT = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}"  # every document has two
_LONG = r"[A-Za-z]{20}|[0-9]{14}"
_SET = r"[=:>,|_+-][\"'`=]*[A-Za-z0-9]{13,}|[=:>,|][\"'`\s=]{1,5}[A-Za-z0-9]{15,}"
# And these are the words of the rules whose secrets can be short
_WORDS = (
    "endr+",
    "-----begin", "client_secret", "refresh_token", "contribsys", "dvc_", "<add key", "mid-", "flw", "incoming+",
    "xapp-", "/services/", "linkedin", "linked_in", "linked-in", "sk_test_", "sk_live_", "sk_prod_", "rk_test_",
    "rk_live_", "rk_prod_", "xoxa", "xoxb", "xoxc", "xoxd", "xoxe", "xoxo", "xoxp", "xoxr", "xoxs",
)  # fmt: skip
_SHAPES = (
    ("://", r"://[^\s@]{0,300}@"),
    ("curl", r"\bcurl\b"),
    ("kind:", r"kind:[ \t]*[\"']?secret"),
    ("password", r"password[ \t\w.\"'-]{0,24}[=:>,|][\s\"'`=]{0,6}\"[a-z0-9=_-]{8,20}\""),
)


def could_hold_a_secret(text: str) -> bool:
    """False only where none of kingfisher's rules would find anything."""
    lower = text.lower()
    if any(word in lower for word in _WORDS):
        return True
    if any(word in lower and re.search(shape, lower) for word, shape in _SHAPES):
        return True
    return any(map(_looks_random, re.findall(_RUN, text))) or re.search(_SET, text) is not None


def _looks_random(run: str) -> bool:
    if re.fullmatch(_INSTANT, run):
        return False
    return (
        len(re.findall(_LETTER_BESIDE_DIGIT, run)) >= 2
        or len(re.findall(_CAPITAL_INSIDE, run)) >= 3
        or re.search(_LONG, run) is not None
    )
