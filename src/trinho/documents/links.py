"""What a line of Markdown links to."""

from __future__ import annotations

import re
import unicodedata

_TARGET = r"<(?P<{0}pointed>[^<>\r\n]*)>|(?P<{0}plain>[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)"
_LINKS = re.compile(
    r"\]\([ \t]*(?:" + _TARGET.format("inline_") + r")"  # [text](target)
    r"|\A[ \t]*\[[^\[\]]*\]:[ \t]*(?:" + _TARGET.format("reference_") + r")"  # [text]: target
    r"|\[\[(?P<wiki>[^\[\]|\r\n]+)(?:\|[^\[\]\r\n]*)?\]\]"  # [[target|text]]
    r"|<[^<>]*?\bhref[ \t]*=[ \t]*(?P<quote>[\"'])(?P<html>[^\"'\r\n]*)(?P=quote)"  # <a href="target">
)
_OCTETS = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
# A longer name is no entry's, even decomposed; normalising thousands of stacked marks would take long.
_MAX_NAME = 300


def targets(line: str) -> list[str]:
    """What the line links to, in its order: relative paths tidied and decoded, addresses with a scheme as they are.

    A wiki link without an extension is a Markdown file.
    """
    return [target for link in _LINKS.finditer(line) if (target := _target(link))]


def _target(link: re.Match[str]) -> str:
    if link["wiki"] is not None:
        path = _tidied(link["wiki"].strip())
        return path if not path or path.endswith(".md") else path + ".md"
    groups = ("inline_pointed", "inline_plain", "reference_pointed", "reference_plain", "html")
    return _tidied(next((link[group] for group in groups if link[group]), ""))


def _tidied(target: str) -> str:
    if _SCHEME.match(target):
        return target
    return _resolved(_OCTETS.sub(_decoded, target.partition("#")[0]))


def _decoded(octets: re.Match[str]) -> str:
    try:
        return bytes.fromhex(octets[0].replace("%", "")).decode()
    except UnicodeDecodeError:
        return octets[0]


def _resolved(path: str) -> str:
    """The path composed, without empty and `.` steps; `..` takes the step before it away where there is one."""
    steps: list[str] = []
    for step in path.split("/"):
        if step == ".." and steps and steps[-1] != "..":
            steps.pop()
        elif step not in ("", "."):
            steps.append(unicodedata.normalize("NFC", step) if len(step) <= _MAX_NAME else step)
    return ("/" if path.startswith("/") else "") + "/".join(steps)
