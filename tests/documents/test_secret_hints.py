"""Whatever kingfisher finds something in gives a hint, rule by rule: also where a newer one brings new rules."""

from __future__ import annotations

import random
import re
import string
from typing import Any

import pytest
from kingfisher_sdk import Rules, Scanner
from tests.cleanroom import CACHE

from trinho.documents.secret_hints import could_hold_a_secret

# The parser of `re` says what a pattern is made of; it has no public name
PARSER: Any = __import__("re._parser", fromlist=["parse"])
EACH = 12
MARKS = "!#$%&*+,-./:;=?@^_~"
CATEGORIES = {
    "CATEGORY_DIGIT": string.digits,
    "CATEGORY_WORD": string.ascii_letters + string.digits + "_",
    "CATEGORY_SPACE": " ",
    "CATEGORY_NOT_SPACE": string.ascii_letters + string.digits + MARKS,
}
# Rust's spellings that Python's parser doesn't know; letters keep the case in which the rule has them
SPELLINGS = (("[[:alnum:]]", "[A-Za-z0-9]"), (r"\z", "$"), (r"\A", "^"))


def parsed(pattern: str) -> Any:
    for theirs, ours in SPELLINGS:
        pattern = pattern.replace(theirs, ours)
    pattern = re.sub(r"\(\?[isx]+\)", "", pattern)
    return PARSER.parse(re.sub(r"\(\?-?[is]+:", "(?:", pattern))


def made(tree: Any, dice: random.Random) -> str:
    """A text that the pattern fits, its characters drawn as those of a real token are."""
    return "".join(_piece(str(operation), argument, dice) for operation, argument in tree)


def _piece(operation: str, argument: Any, dice: random.Random) -> str:
    if operation == "LITERAL":
        return chr(argument)
    if operation in ("ANY", "NOT_LITERAL"):
        return dice.choice(string.ascii_letters + string.digits)
    if operation == "IN":
        return dice.choice(_members(argument))
    if operation in ("MAX_REPEAT", "MIN_REPEAT"):
        least, most, inner = argument
        times = dice.choice([least, dice.randint(least, min(int(most), least + 3))])
        return "".join(made(inner, dice) for _ in range(times))
    if operation == "SUBPATTERN":
        return made(argument[-1], dice)
    return made(dice.choice(argument[1]), dice) if operation == "BRANCH" else ""


def _members(items: Any) -> list[str]:
    members: set[str] = set()
    negated = False
    for operation, argument in items:
        name = str(operation)
        negated = negated or name == "NEGATE"
        if name == "LITERAL":
            members.add(chr(argument))
        elif name == "RANGE":
            members |= {chr(code) for code in range(argument[0], min(argument[1], 126) + 1)}
        elif name == "CATEGORY":
            members |= set(CATEGORIES[str(argument)])
    if negated:
        members = set(string.ascii_letters + string.digits + MARKS) - members
    return sorted(character for character in members if " " <= character <= "~") or [" "]


@pytest.mark.slow
def test_no_rule_finds_anything_without_a_hint() -> None:
    rules = Rules(cache_dir=str(CACHE / "trinho" / "secret-rules"))
    scanner = Scanner(rules, base64=False)
    dice = random.Random(7)
    fruitful, missed = set(), set()
    for rule in (each["id"] for each in rules.metadata() if each["visible"]):
        tree = parsed(rules.detail(rule)["detection_regex"] or rules.detail(rule)["pattern"])
        for _ in range(EACH):
            text = made(tree, dice)
            found = [finding.rule_id for finding in scanner.scan(text) if finding.visible]
            fruitful.update(found)
            if found and not could_hold_a_secret(text):
                missed.add(rule)
    assert missed == set()
    assert len(fruitful) > 350  # the others want two parts, or a shape that chance doesn't make
