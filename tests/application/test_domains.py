"""Domains: made by the first fact, opened and closed to roles by a person, and hidden altogether by `none`."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from trinho import errors
from trinho.access.domains import Permission

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cleanroom import Home

    from trinho.application.library import Memory


def fill(home: Home) -> None:
    with home.memory() as memory:
        memory.propose_fact("The vault code is changed weekly.", domain="security", topic="vault")
        memory.propose_fact("The vault code is changed monthly.", domain="security", topic="vault")
        memory.propose_policy("Never say the vault code aloud.", domain="security")
        memory.propose_fact("CI runs on GitHub.", domain="ci", topic="system")
    home.write("shared/team/vault.md", "---\ndomain: security\n---\nwhere the vault stands\n")
    home.write("shared/team/door.md", "where the door stands\n")


def everything(memory: Memory) -> str:
    """All that a role can be told, as one text."""
    task = "where does the vault stand and how often is its code changed"
    return json.dumps(
        [
            [str(row) for row in memory.entries()],
            [str(row) for row in memory.facts(everything=True)],
            [str(row) for row in memory.policies(everything=True)],
            [str(row) for row in memory.conflicts()],
            [str(domain) for domain in memory.domains()],
            [str(each) for each in memory.search(task).results],
            memory.search(task).total_considered,
            memory.preamble(task, project="alp").text,
            memory.build_memory_context(task).text,
            str(memory.manifest(task)),
            str(memory.index_status()),
            str(memory.doctor().findings),
            [str(line.event) for line in memory.audit(200) if line.event.actor == "nobody"],
            str(memory.export().files),
        ]
    )


def test_the_first_fact_makes_its_domain_and_every_role_may_write_there(home: Home) -> None:
    with home.memory("worker") as memory:
        memory.propose_fact("CI runs on GitHub.", domain="ci", topic="system")
    with home.memory() as memory:
        rows = memory.grants()
        assert {role for role, _, _ in rows} >= {"main", "worker", "search"}
        assert {held for _, _, held in rows} == {Permission.WRITE}
        assert [str(domain.key) for domain in memory.domains()] == ["ci"]


def test_one_that_only_files_say_has_no_rows_and_may_be_read(home: Home) -> None:
    home.write("shared/facts/ci/x.md", "---\nkind: fact\ndomain: ci\ntopic: a\n---\ntext\n")
    with home.memory("main") as memory:
        assert memory.propose_fact("CI runs on GitHub.", domain="ci", topic="system").outcome == "added"
        with pytest.raises(errors.InsufficientMemoryPermissionError):
            memory.propose_policy("Keep CI green.", domain="ci")


class TestHidden:
    """`none` leaves no trace, and the same answers as if there were nothing."""

    def test_of_nothing_is_anything_said(self, home: Home) -> None:
        fill(home)
        with home.memory() as memory:
            memory.set_grant("worker", "security", "none")
        with home.memory("worker") as memory:
            told = everything(memory)
        assert "vault code" not in told
        assert "security" not in told
        assert "where the vault" not in told
        assert "CI runs on GitHub" in told

    def test_answers_are_the_same_without_it(self, home: Home, tmp_path: object) -> None:
        fill(home)
        with home.memory() as memory:
            memory.set_grant("worker", "security", "none")
        with home.memory("worker") as memory:
            hidden = memory.search("where stands the door"), memory.search("code changed weekly")
        for file in [
            *(home.root / "shared/facts/security").iterdir(),
            *(home.root / "shared/policies/security").iterdir(),
        ]:
            file.unlink()
        (home.root / "shared/team/vault.md").unlink()
        with home.memory("worker") as memory:
            gone = memory.search("where stands the door"), memory.search("code changed weekly")
        for one, other in zip(hidden, gone, strict=True):
            assert [(r.entry.id, r.score) for r in one.results] == [(r.entry.id, r.score) for r in other.results]
            assert one.total_considered == other.total_considered

    @pytest.mark.parametrize("there", [True, False])
    def test_proposing_is_the_same_denial_whether_it_holds_anything(self, home: Home, there: bool) -> None:
        with home.memory() as memory:
            memory.create_domain("security")
            if there:
                memory.propose_fact("The vault code is changed weekly.", domain="security", topic="vault")
            memory.set_grant("worker", "security", "none")
        with home.memory("worker") as memory:
            for attempt in (
                lambda: memory.propose_fact("The vault code is 1.", domain="security", topic="vault"),
                lambda: memory.propose_policy("Hide the vault.", domain="security"),
                lambda: memory.search("vault", domain="security"),
                lambda: memory.get("shared:facts:security:vault-1"),
            ):
                with pytest.raises(errors.InsufficientMemoryPermissionError) as caught:
                    attempt()
                assert str(caught.value.fields["grant_that_would_open"]).startswith("worker security ")
                assert "weekly" not in str(caught.value.as_dict())

    def test_an_entry_that_says_it_is_of_it_is_as_if_it_were_not_there(self, home: Home) -> None:
        fill(home)
        with home.memory() as memory:
            memory.set_grant("worker", "security", "none")
        with home.memory("worker") as memory, pytest.raises(errors.MemoryEntryNotFoundError):
            memory.get("shared:team:vault")

    def test_other_roles_and_another_repository_s_domain_of_that_name_are_open(self, home: Home) -> None:
        fill(home)
        with home.memory() as memory:
            memory.set_grant("worker", "security", "none")
            memory.propose_fact("Alp's vault is blue.", domain="security", topic="vault", repo="alp")
        with home.memory("main") as memory:
            assert len(memory.facts(domain="security")) >= 1
        with home.memory("worker") as memory:
            assert [row.description for row in memory.facts(domain="repo:alp/security")] == ["Alp's vault is blue."]


class TestGrants:
    """Rows are a person's."""

    def test_no_agent_may_change_or_list_them(self, home: Home) -> None:
        with home.memory("main") as memory:
            for attempt in (memory.grants, lambda: memory.set_grant("worker", "ci", "none")):
                with pytest.raises(errors.UnauthorizedMemoryAccessError) as caught:
                    attempt()
                assert caught.value.error_code == "RESERVED_FOR_PRINCIPAL"

    def test_without_a_row_a_role_may_read(self, home: Home) -> None:
        fill(home)
        with home.memory() as memory:
            memory.set_grant("worker", "security", "none")
            memory.set_grant("worker", "security", None)
        with home.memory("worker") as memory:
            assert memory.facts(domain="security")
            with pytest.raises(errors.InsufficientMemoryPermissionError):
                memory.propose_policy("Say nothing.", domain="security")

    @pytest.mark.parametrize(
        ("role", "domain", "permission"), [("nobody", "ci", "read"), ("worker", "a/b", "read"), ("worker", "ci", "all")]
    )
    def test_what_there_is_not(self, home: Home, role: str, domain: str, permission: str) -> None:
        with home.memory() as memory, pytest.raises(errors.InvalidEntryError):
            memory.set_grant(role, domain, permission)

    def test_comments_of_people_stay(self, home: Home) -> None:
        home.write("access.toml", "# ours\n[domains.ci]\nlabel = 'CI'  # the machines\n")
        with home.memory() as memory:
            memory.set_grant("worker", "ci", "none")
            memory.set_grant("worker", "repo:alp/ci", "read")
        text = (home.root / "access.toml").read_text(encoding="utf-8")
        assert text.startswith("# ours\n[domains.ci]\nlabel = 'CI'  # the machines\n")
        with home.memory() as memory:
            assert {(role, str(key), held.value) for role, key, held in memory.grants()} == {
                ("worker", "ci", "none"),
                ("worker", "repo:alp/ci", "read"),
            }

    @pytest.mark.parametrize(
        "text",
        ["[domains.ci", "[domains.ci.permissions]\nworker = 'all'\n", "domains = 3\n", "\xff", "[domains.'a/b']\n"],
    )
    def test_a_file_that_cannot_be_understood_opens_nothing(self, home: Home, text: str) -> None:
        fill(home)
        (home.root / "access.toml").write_bytes(text.encode("latin-1"))
        with home.memory("worker") as memory:
            for attempt in (memory.entries, lambda: memory.search("vault")):
                with pytest.raises(errors.StoreDamagedError, match=r"access\.toml"):
                    attempt()
        with home.memory() as memory:
            assert memory.search("vault").results
            assert [each.where for each in memory.doctor().findings if each.code == "ACCESS_DAMAGED"] == ["access.toml"]


@pytest.mark.parametrize(
    "made", [os.mkfifo, os.mkdir, lambda path: os.symlink("/etc/hostname", path)], ids=["pipe", "folder", "link"]
)
def test_something_else_in_the_place_of_the_file(home: Home, made: Callable[[str], None]) -> None:
    fill(home)
    (home.root / "access.toml").unlink()
    made(str(home.root / "access.toml"))
    with home.memory("worker") as memory, pytest.raises(errors.StoreError, match=r"access\.toml"):
        memory.entries()
    with home.memory() as memory:
        assert memory.facts()
        with pytest.raises(errors.StoreError, match=r"access\.toml"):
            memory.set_grant("worker", "ci", "none")


def test_what_is_said_to_be_of_a_hidden_domain_is_not_there_for_a_change_either(home: Home) -> None:
    """Also where the file alone says so: a change answers with the entry, and must not."""
    with home.memory() as memory:
        memory.create_domain("hr")
        memory.set_grant("main", "hr", "none")
        memory.create("shared:seed", "A seed.")
    home.write(
        "shared/salaries.md",
        "---\nname: p\ndescription: d\ntype: project\nkind: reference\nversion: 1\ndomain: hr\n---\nSecret numbers.\n",
    )
    with home.memory("main") as memory:
        acts: list[Callable[[], object]] = [
            lambda: memory.get("shared:salaries"),
            lambda: memory.update("shared:salaries", description="z", expected_version=1),
            lambda: memory.move("shared:salaries", "private:main:s"),
            lambda: memory.delete("shared:salaries", expected_version=1),
        ]
        for act in acts:
            with pytest.raises(errors.MemoryEntryNotFoundError):
                act()
    with home.memory() as memory:
        assert "Secret numbers." in memory.get("shared:salaries").body
