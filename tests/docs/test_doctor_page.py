"""The page about doctor has every finding that there is, under what it is."""

from __future__ import annotations

import re
from pathlib import Path

from trinho.application import checkup
from trinho.ports.clients import TroubleKind
from trinho.ports.survey import OddityKind

PAGE = Path(__file__).parents[2] / "docs/reference/doctor.md"


def test_every_finding_is_there() -> None:
    source = Path(checkup.__file__).read_text(encoding="utf-8")
    codes = set(re.findall(r'Finding\(\s*"([A-Z_]+)"', source)) | {kind.value for kind in OddityKind}
    codes |= {kind.value for kind in TroubleKind}
    text = PAGE.read_text(encoding="utf-8")
    faults, _, warnings = text.partition("## Warnings")
    listed = [re.findall(r"^- `([A-Z_]+)`:", part, re.MULTILINE) for part in (faults, warnings)]
    assert set(listed[0]) | set(listed[1]) == codes
    assert not set(listed[0]) & set(listed[1])
    harmless = {kind.value for kind in OddityKind} - {"JOURNAL_DAMAGED", "STATE_DAMAGED", "INDEX_PAGE"}
    assert harmless <= set(listed[1])
