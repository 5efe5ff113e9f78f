"""The documentation holds together: links lead somewhere, decisions have their form, the glossary has its order."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
DECISIONS = sorted((DOCS / "decisions").glob("*.md"))
TOP_PAGES = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]
PAGES = [*TOP_PAGES, *sorted(str(page.relative_to(ROOT)) for page in DOCS.rglob("*.md"))]
WORDS_ON_A_PAGE = 450

GLOSSARY_LINE = re.compile(r"- \*\*(?P<term>[^*]+)\*\* — (?P<meaning>\S.*\.)")
TERMS = """
    remember, observe, log, propose, consolidate, harmonize, dream, kind, type, memory_type, memory ID, scope, segment,
    grant, role, principal, entry, version, root, index, ledger, audit, run, trash, held, quarantine, veracity,
    preamble, recall, fence
"""


def without_code(markdown: str) -> str:
    fenced = re.sub(r"^```.*?^```", "", markdown, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", fenced)


def relative_links(page: Path) -> list[str]:
    targets = re.findall(r"\]\(<?([^)\s>]+)>?\)", without_code(page.read_text(encoding="utf-8")))
    return [target for target in targets if not re.match(r"[a-z]+:", target)]


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", without_code(page.read_text(encoding="utf-8")), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def fault_of(link: str, page: Path) -> str | None:
    path, _, anchor = unquote(link).partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.is_relative_to(ROOT):
        return f"{link} leads out of the repository"
    if not target.exists():
        return f"{link} leads nowhere"
    if anchor and anchor not in anchors(target):
        return f"{link} names a heading that isn't there"
    return None


def frontmatter(page: Path) -> dict[str, str]:
    block = re.match(r"---\n(.*?\n)---\n", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert block, f"{page.name} has no frontmatter"
    fields: dict[str, str] = yaml.load(block[1], Loader=yaml.BaseLoader)
    return fields


def title(decision: Path) -> tuple[int, str]:
    heading = re.search(r"^# (\d+)\. (.+)$", decision.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert heading, f"{decision.name} has no numbered title"
    return int(heading[1]), heading[2]


@pytest.mark.parametrize("page", PAGES)
def test_every_relative_link_resolves(page: str) -> None:
    faults = [fault_of(link, ROOT / page) for link in relative_links(ROOT / page)]
    assert [fault for fault in faults if fault] == []


def test_every_page_is_linked_from_the_index() -> None:
    linked = {(DOCS / unquote(link).partition("#")[0]).resolve() for link in relative_links(DOCS / "index.md")}
    pages = {page.resolve() for page in DOCS.rglob("*.md")} - {DOCS / "index.md"}
    assert sorted(str(page.relative_to(ROOT)) for page in pages - linked) == []


def test_decisions_are_numbered_without_gaps() -> None:
    numbers = [int(decision.name[:4]) for decision in DECISIONS]
    assert numbers
    assert numbers == list(range(1, len(numbers) + 1))


def test_the_index_lists_the_decisions_by_number_and_title() -> None:
    listed = re.findall(r"^(\d+)\. \[(.+)\]\(decisions/", (DOCS / "index.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert [(int(number), text) for number, text in listed] == [title(decision) for decision in DECISIONS]


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda path: path.stem)
class TestDecision:
    """A decision is one page with a fixed form, and a good memory."""

    def test_is_named_by_its_number(self, decision: Path) -> None:
        assert re.fullmatch(r"\d{4}(-[a-z0-9]+)+", decision.stem)
        assert title(decision)[0] == int(decision.name[:4])

    def test_has_the_four_headings(self, decision: Path) -> None:
        headings = re.findall(r"^## (.+)$", decision.read_text(encoding="utf-8"), flags=re.MULTILINE)
        assert headings == ["Status", "Context", "Decision", "Consequences"]

    def test_has_the_frontmatter_of_a_decision(self, decision: Path) -> None:
        fields = frontmatter(decision)
        assert list(fields) == ["name", "description", "type", "kind"]
        assert (fields["type"], fields["kind"]) == ("project", "decision")
        assert fields["name"]
        assert fields["description"]

    def test_fits_on_one_page(self, decision: Path) -> None:
        assert len(decision.read_text(encoding="utf-8").split()) <= WORDS_ON_A_PAGE


def glossary_lines() -> list[str]:
    """Every line below the introduction, which ends where the first term begins."""
    text = (DOCS / "reference" / "glossary.md").read_text(encoding="utf-8")
    return [line for line in text[text.index("\n- ") :].splitlines() if line]


def glossary_terms() -> list[str]:
    return [match["term"] for match in map(GLOSSARY_LINE.fullmatch, glossary_lines()) if match]


class TestGlossary:
    """One line a term, in alphabetical order."""

    def test_has_exactly_one_line_for_each_term(self) -> None:
        assert [line for line in glossary_lines() if not GLOSSARY_LINE.fullmatch(line)] == []
        assert len(set(glossary_terms())) == len(glossary_terms())

    def test_is_in_alphabetical_order(self) -> None:
        assert glossary_terms() == sorted(glossary_terms(), key=str.casefold)

    def test_explains_every_term_of_the_product(self) -> None:
        required = {" ".join(term.split()) for term in TERMS.split(",")}
        assert required - set(glossary_terms()) == set()
