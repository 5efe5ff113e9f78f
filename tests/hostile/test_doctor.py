"""What an examination finds, each with the command that mends it; and mending loses nothing."""

from __future__ import annotations

import itertools
import os
import shutil
import unicodedata
from typing import TYPE_CHECKING

import apsw
import pytest
from tests.faults.crashing import CrashingFileSystem, Say, fork
from tests.faults.scenes import bring_in, entries, open_at
from tests.secret_samples import MADE

from trinho import errors

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cleanroom import Home, Terminal

TEXT = "---\nname: x\n---\n\nbody\n"


def found(home: Home, actor: str | None = None) -> list[tuple[str, str, int]]:
    with home.memory(actor) as memory:
        return [(finding.code, finding.where, finding.line) for finding in memory.doctor().findings]


def sound(home: Home) -> None:
    with home.memory() as memory:
        memory.create("shared:sound", "x")


class TestTexts:
    """What stands in entries that are otherwise sound."""

    def test_the_same_text_twice(self, home: Home) -> None:
        with home.memory() as memory:
            memory.create("shared:b", "says this")
            memory.create("shared:a", "says this")
            memory.create("private:main:c", "says this")
            memory.create("shared:d", " ")
            memory.create("shared:e", " ")
            findings = memory.doctor().findings
        assert [(f.code, f.where, f.what) for f in findings] == [
            ("SAME_TEXT", "shared/a.md", "it says the same as `private:main:c`"),
            ("SAME_TEXT", "shared/b.md", "it says the same as `private:main:c`"),
        ]
        with home.memory("worker") as memory:
            [finding] = memory.doctor().findings
        assert finding.what == "it says the same as `shared:a`"

    def test_hidden_text(self, home: Home) -> None:
        home.write("shared/x.md", f"{TEXT}one\ntwo \u202e three\n")
        home.write("shared/y.md", "hello\U000e0069\U000e0067\n")
        assert found(home) == [("HIDDEN_TEXT", "shared/x.md", 7), ("HIDDEN_TEXT", "shared/y.md", 1)]

    def test_a_date_to_come_and_a_word_that_there_is_not(self, home: Home) -> None:
        home.write("shared/x.md", "---\nname: x\nupdated: 9999-12-31\ncreated: 0001-01-01\ntype: opinion\n---\nbody\n")
        assert found(home) == [("ASSUMED", "shared/x.md", 0), ("FUTURE_DATE", "shared/x.md", 0)]


class TestTree:
    """What lies about."""

    def test_markdown_that_no_id_reaches(self, home: Home) -> None:
        sound(home)
        for path in (
            "shared/UPPER.MD",
            "shared/other.markdown",
            "loose.md",
            "Shared/x.md",
            "README.md",
            "shared/a.png",
        ):
            home.write(path, TEXT)
        assert found(home) == [
            ("NOT_READ", where, 0) for where in ("Shared", "loose.md", "shared/UPPER.MD", "shared/other.markdown")
        ]

    def test_links_to_folders(self, home: Home, tmp_path: Path, trinho: Terminal) -> None:
        sound(home)
        (home.root / "shared/linked").symlink_to(tmp_path)
        (home.root / "shared/file.txt").symlink_to(tmp_path)
        (home.root / "projects").symlink_to(tmp_path)
        assert found(home) == [("QUARANTINED", "projects", 0), ("QUARANTINED", "shared/linked", 0)]
        mends = [each["mend"] for each in trinho("doctor", "--json").json["findings"]]
        assert all("in place of the link" in mend for mend in mends)

    def test_two_forms_of_one_name_are_told_once(self, home: Home) -> None:
        sound(home)
        for form in ("NFC", "NFD"):
            home.write(f"shared/{unicodedata.normalize(form, 'café')}.md", f"{form} is what this one says\n")
        [(code, where, _)] = found(home)
        assert (code, unicodedata.normalize("NFC", where)) == ("QUARANTINED", "shared/café.md")

    def test_what_every_user_may_write_into(self, home: Home) -> None:
        sound(home)
        home.root.joinpath("shared").chmod(0o777)
        home.root.joinpath("shared/sound.md").chmod(0o666)
        assert found(home) == [("OPEN_TO_ALL", "shared", 0), ("OPEN_TO_ALL", "shared/sound.md", 0)]

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file away")
    def test_what_belongs_to_somebody_else(self, home: Home) -> None:
        sound(home)
        os.chown(home.root / "shared/sound.md", 12345, -1)
        assert found(home) == [("OTHER_OWNER", "shared/sound.md", 0)]

    def test_an_agent_is_told_nothing_of_it(self, home: Home) -> None:
        sound(home)
        home.root.joinpath("shared").chmod(0o777)
        home.write("loose.md", TEXT)
        home.write("shared/MEMORY.md", "- [x](gone.md)\n")
        assert found(home, "worker") == []


class TestIndexPage:
    """MEMORY.md is written by people, too."""

    def test_lines_that_lead_nowhere(self, home: Home) -> None:
        sound(home)
        page = home.root / "shared/MEMORY.md"
        page.write_text(page.read_text() + "- [gone](gone.md)\n- [web](https://example.org/x.md)\nsee [x](prose.md)\n")
        assert found(home) == [("DANGLING", "shared/MEMORY.md", 4)]

    def test_a_line_to_a_file_that_is_quarantined_leads_somewhere(self, home: Home) -> None:
        sound(home)
        home.write("shared/role.md", "---\nname: [\n---\ntext\n")
        page = home.root / "shared/MEMORY.md"
        page.write_text(page.read_text() + "- [Role](role.md)\n")
        assert found(home) == [("QUARANTINED", "shared/role.md", 3)]

    def test_more_than_is_loaded(self, home: Home) -> None:
        sound(home)
        page = home.root / "shared/MEMORY.md"
        page.write_text(page.read_text() + "a line\n" * 250)
        assert found(home) == [("INDEX_LONG", "shared/MEMORY.md", 0)]

    @pytest.mark.parametrize("kind", ["a link", "a folder"])
    def test_that_is_no_file(self, home: Home, kind: str) -> None:
        sound(home)
        page = home.root / "shared/MEMORY.md"
        page.unlink()
        if kind == "a link":
            page.symlink_to("sound.md")
        else:
            page.mkdir()
        assert ("INDEX_PAGE", "shared/MEMORY.md", 0) in found(home)


class TestState:
    """What Trinho itself keeps."""

    def _killed_import(self, root: Path) -> None:
        """Killed at the first call at which the plan stands."""
        template = root.with_name("template")
        shutil.copytree(root, template)
        for n in itertools.count(1):
            shutil.rmtree(root)
            shutil.copytree(template, root)

            def work(_: Say, n: int = n) -> None:
                fs = CrashingFileSystem()
                memory = open_at(root, fs)
                fs.arm(n, "after")
                bring_in(memory)

            assert fork(work).end()[0] < 0
            if list((root / ".trinho/journal").glob("*.json")):
                return

    def test_an_interrupted_act_is_told_and_finished(self, home: Home, trinho: Terminal) -> None:
        sound(home)
        self._killed_import(home.root)
        assert [code for code, _, _ in found(home)] == ["UNFINISHED"]
        answer = trinho("doctor", "--fix", "--json")
        assert answer.status == 0
        assert "finished" in answer.json["mended"][0]
        assert answer.json["findings"] == []
        assert len(entries(home.root)) == 4

    def test_a_plan_that_is_damaged(self, home: Home, trinho: Terminal) -> None:
        sound(home)
        self._killed_import(home.root)
        [plan] = (home.root / ".trinho/journal").glob("*.json")
        os.truncate(plan, 40)
        answer = trinho("doctor", "--json")
        assert answer.status == 8
        assert [each["code"] for each in answer.json["findings"]] == ["JOURNAL_DAMAGED"]
        assert trinho("create", "shared:y", "--body", "y").status == 8
        plan.rename(home.folder / "plan")
        assert trinho("doctor", "--fix").status == 0
        assert trinho("create", "shared:y", "--body", "y").status == 0

    def test_an_index_that_tells_something_else(self, home: Home, trinho: Terminal) -> None:
        sound(home)
        os.utime(home.root / "shared/sound.md", (1_700_000_000, 1_700_000_000))
        with home.memory() as memory:
            memory.entries()
        connection = apsw.Connection(str(home.root / ".trinho/index.db"))
        connection.execute("UPDATE files SET sha256 = ?", ("0" * 64,))
        connection.close()
        assert [code for code, _, _ in found(home)] == ["INDEX_DAMAGED"]
        answer = trinho("doctor", "--fix", "--json")
        assert answer.json["mended"] == ["the index: rebuilt from the files"]
        assert found(home) == []

    def test_a_ledger_that_was_lost(self, home: Home) -> None:
        sound(home)
        for file in (home.root / ".trinho").glob("ledger.db*"):
            file.unlink()
        assert [code for code, _, _ in found(home)] == ["AUDIT_UNSURE"]


class TestMending:
    """`--fix` is for a person, and loses nothing."""

    def test_no_agent_mends(self, home: Home) -> None:
        with home.memory("worker") as memory, pytest.raises(errors.UnauthorizedMemoryAccessError) as caught:
            memory.doctor(fix=True)
        assert caught.value.error_code == "RESERVED_FOR_PRINCIPAL"
        assert home.told()[-1] == ("worker", "doctor --fix", None, "denied", "RESERVED_FOR_PRINCIPAL")

    def test_lines_of_the_index_come_back(self, home: Home) -> None:
        sound(home)
        page = home.root / "shared/MEMORY.md"
        text = page.read_text()
        page.write_text("# mine\n")
        with home.memory() as memory:
            assert memory.doctor(fix=True).mended == ("shared/MEMORY.md: its lines are those of the entries",)
            assert memory.doctor(fix=True).mended == ()
        assert page.read_text() == "# mine\n" + text.splitlines(keepends=True)[-1]

    def test_a_value_gets_the_quotes_that_it_lacks(self, home: Home, trinho: Terminal) -> None:
        text = "---\nname: x\ndescription: use tabs: always\n# mine\nown: [a,  b]\n---\nbody\n"
        file = home.write("shared/x.md", text)
        [finding] = trinho("doctor", "--json").json["findings"]
        assert (finding["line"], finding["what"]) == (3, "a value holds `: `; put it in double quotes")
        answer = trinho("doctor", "--fix", "--json")
        assert (answer.status, len(answer.json["mended"])) == (0, 2)
        assert file.read_text() == text.replace("use tabs: always", '"use tabs: always"')
        assert trinho("get", "shared:x", "--json").json["description"] == "use tabs: always"
        assert trinho("undo").status == 0
        assert file.read_text() == text

    def test_a_secret_is_not_brought_into_recall(self, home: Home, trinho: Terminal) -> None:
        text, secret = MADE["github-pat"]()
        for place in ("shared/leak.md", "private/main/leak.md"):
            home.write(place, f"---\nname: n\ndescription: a: {text}\n---\nbody\n")
        trinho("doctor", "--fix")
        assert not (home.root / "shared/MEMORY.md").exists()
        assert secret not in str(home.audit())
        assert "description: a: " in (home.root / "shared/leak.md").read_text()
        assert 'description: "a: ' in (home.root / "private/main/leak.md").read_text()

    def test_a_sound_root_stays_as_it_is(self, home: Home, trinho: Terminal) -> None:
        sound(home)
        before = {path: path.read_bytes() for path in (home.root / "shared").rglob("*") if path.is_file()}
        answer = trinho("doctor", "--fix")
        assert (answer.status, answer.out) == (0, "1 entry, 0 faults, 0 warnings\n")
        assert {path: path.read_bytes() for path in (home.root / "shared").rglob("*") if path.is_file()} == before
