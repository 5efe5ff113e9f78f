"""Which project a folder is, with a real git: the memory of a checkout goes with it, and to no other."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from trinho.domain.project import canonical_remote, slug_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cleanroom import Home, Terminal

URL = "git@example.org:ann/Lantern.git"
pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git isn't installed")


def git(folder: Path, *arguments: str) -> str:
    name = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "protocol.file.allow=always")
    done = subprocess.run(
        ["git", *name, *arguments], cwd=folder, capture_output=True, check=True, text=True, env=dict(os.environ)
    )
    return done.stdout.strip()


@pytest.fixture
def lantern(home: Home) -> Path:
    """A repository with a commit and a remote."""
    folder = home.folder / "work" / "lantern"
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    (folder / "README").write_text("Lantern")
    (folder / "src").mkdir()
    (folder / "src/a.py").write_text("")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "first")
    git(folder, "remote", "add", "origin", URL)
    return folder


@pytest.fixture
def project(trinho: Terminal) -> Callable[[Path], dict[str, Any]]:
    def ask(folder: Path) -> dict[str, Any]:
        answer = trinho("project", "--folder", str(folder), "--json")
        assert answer.status == 0, answer
        document: dict[str, Any] = answer.json
        return document

    return ask


class TestOneMemory:
    """Each way to be in the same repository."""

    def test_the_root_and_what_is_below_it(self, lantern: Path, project: Callable[[Path], dict[str, Any]]) -> None:
        told = project(lantern)
        assert told["slug"] == "lantern"
        assert told["id"].startswith("lantern-")
        assert told["root"] == str(lantern)
        assert told["remote"] == "example.org/ann/Lantern"
        assert "repository" in told["why"]
        for folder in (lantern, lantern / "src", lantern / "src/a.py", lantern / ".git", lantern / ".git/refs"):
            assert project(folder)["id"] == told["id"]

    def test_a_worktree_and_its_subfolder(self, lantern: Path, project: Callable[[Path], dict[str, Any]]) -> None:
        git(lantern, "worktree", "add", "-q", "../other", "-b", "other")
        other = lantern.parent / "other"
        assert project(other)["id"] == project(lantern)["id"]
        assert project(other / "src")["id"] == project(lantern)["id"]
        assert "worktree" in project(other)["why"]

    def test_a_worktree_that_was_moved(self, lantern: Path, project: Callable[[Path], dict[str, Any]]) -> None:
        git(lantern, "worktree", "add", "-q", "../other", "-b", "other")
        git(lantern, "worktree", "move", "../other", "../third")
        assert project(lantern.parent / "third")["id"] == project(lantern)["id"]

    def test_a_detached_head(self, lantern: Path, project: Callable[[Path], dict[str, Any]]) -> None:
        before = project(lantern)["id"]
        git(lantern, "checkout", "-q", "--detach")
        assert project(lantern)["id"] == before

    def test_a_link_to_the_folder(self, lantern: Path, project: Callable[[Path], dict[str, Any]]) -> None:
        link = lantern.parent / "link"
        link.symlink_to(lantern)
        assert project(link / "src")["id"] == project(lantern)["id"]

    def test_renamed(self, lantern: Path, project: Callable[[Path], dict[str, Any]]) -> None:
        before = project(lantern)
        renamed = lantern.rename(lantern.parent / "lamp")
        after = project(renamed)
        assert after["id"] == before["id"]
        assert after["root"] == str(renamed)
        assert str(lantern) in after["why"]

    def test_moved_to_another_disk(self, lantern: Path, project: Callable[[Path], dict[str, Any]]) -> None:
        """Which is a copy whose original goes."""
        before = project(lantern)["id"]
        shutil.copytree(lantern, lantern.parents[1] / "disk" / "lantern", symlinks=True)
        shutil.rmtree(lantern)
        moved = lantern.parents[1] / "disk" / "lantern"
        assert project(moved)["id"] == before
        assert project(moved)["id"] == before

    def test_a_remote_that_changes(self, lantern: Path, project: Callable[[Path], dict[str, Any]]) -> None:
        before = project(lantern)["id"]
        git(lantern, "remote", "set-url", "origin", "https://example.org/new/place.git")
        assert project(lantern)["id"] == before


class TestAnother:
    """Each way to be another one."""

    def test_a_submodule(self, lantern: Path, project: Callable[[Path], dict[str, Any]]) -> None:
        whole = lantern.parent / "whole"
        whole.mkdir()
        git(whole, "init", "-q")
        git(whole, "submodule", "add", "-q", str(lantern), "part")
        told = project(whole / "part")
        assert told["id"] not in (project(whole)["id"], project(lantern)["id"])
        assert told["slug"] == "part"
        assert "submodule" in told["why"]
        assert project(whole / "part" / "src")["id"] == told["id"]

    def test_a_bare_repository(self, lantern: Path, project: Callable[[Path], dict[str, Any]]) -> None:
        git(lantern.parent, "clone", "-q", "--bare", str(lantern), "lantern.git")
        bare = lantern.parent / "lantern.git"
        told = project(bare)
        assert told["slug"] == "lantern"
        assert "bare" in told["why"]
        assert project(bare / "objects")["id"] == told["id"]
        git(bare, "worktree", "add", "-q", "../tree", "-b", "tree")
        assert project(lantern.parent / "tree")["id"] == told["id"]

    def test_a_shallow_second_clone_is_offered_and_not_joined(
        self, lantern: Path, project: Callable[[Path], dict[str, Any]], trinho: Terminal
    ) -> None:
        first = project(lantern)["id"]
        git(lantern.parent, "clone", "-q", "--depth", "1", f"file://{lantern}", "second")
        second = lantern.parent / "second"
        git(second, "remote", "set-url", "origin", "https://ann:hunter2@EXAMPLE.org/ann/Lantern.git/")
        told = project(second)
        assert told["id"] != first
        assert told["same_remote"] == [first]
        assert "hunter2" not in json.dumps(told)
        assert f"trinho project join {first}" in trinho("project", "--folder", str(second)).err
        joined = trinho("project", "join", first, "--folder", str(second), "--yes", "--json").json
        assert joined["id"] == first
        assert project(second)["id"] == first
        assert project(lantern)["id"] == first
        shutil.rmtree(lantern)
        assert project(second)["id"] == first

    def test_a_copy_whose_original_is_still_there(
        self, lantern: Path, project: Callable[[Path], dict[str, Any]]
    ) -> None:
        before = project(lantern)["id"]
        copy = lantern.parent / "copy"
        shutil.copytree(lantern, copy)
        told = project(copy)
        assert told["id"] != before
        assert "copy" in told["why"]
        assert project(lantern)["id"] == before
        shutil.rmtree(lantern)
        assert project(copy)["id"] == told["id"]

    def test_two_of_one_name(self, lantern: Path, home: Home, project: Callable[[Path], dict[str, Any]]) -> None:
        other = home.folder / "elsewhere" / "lantern"
        other.mkdir(parents=True)
        git(other, "init", "-q")
        assert project(other)["slug"] == project(lantern)["slug"]
        assert project(other)["id"] != project(lantern)["id"]

    def test_no_git(self, home: Home, project: Callable[[Path], dict[str, Any]]) -> None:
        folder = home.folder / "Sổ tay của Đức"
        (folder / "deep").mkdir(parents=True)
        told = project(folder)
        assert told["slug"] == "so-tay-cua-duc"
        assert "no git repository" in told["why"]
        assert project(folder / "deep")["id"] == told["id"]
        assert project(home.folder)["id"] is None

    def test_a_repository_in_the_home(self, home: Home, project: Callable[[Path], dict[str, Any]]) -> None:
        git(home.folder, "init", "-q")
        (home.folder / "x").mkdir()
        assert project(home.folder / "x")["root"] == str(home.folder)


class TestHostile:
    """A repository from somebody else that claims to be ours."""

    @pytest.fixture
    def ours(self, lantern: Path, home: Home, project: Callable[[Path], dict[str, Any]]) -> str:
        id: str = project(lantern)["id"]
        with home.memory() as memory:
            memory.create(f"project:{id}:plan", "The plan of the lantern.")
        return id

    @pytest.fixture
    def hostile(self, home: Home) -> Path:
        folder = home.folder / "hostile"
        folder.mkdir()
        git(folder, "init", "-q")
        return folder

    def test_a_mark_without_the_token(
        self, hostile: Path, ours: str, project: Callable[[Path], dict[str, Any]]
    ) -> None:
        for mark in (ours, f"{ours} ", f"{ours} {'0' * 32}", f"{ours} *", f"{ours} %"):
            git(hostile, "config", "--add", "trinho.mark", mark)
        assert project(hostile)["id"] != ours

    def test_a_git_file_that_leads_to_us(
        self, home: Home, lantern: Path, ours: str, project: Callable[[Path], dict[str, Any]]
    ) -> None:
        for number, text in enumerate((f"gitdir: {lantern}/.git\n", f"gitdir: {lantern}/.git/worktrees/x\n")):
            folder = home.folder / f"hostile{number}"
            folder.mkdir()
            (folder / ".git").write_text(text)
            told = project(folder)
            assert told["id"] != ours
            assert told["root"] == str(folder)

    def test_a_git_file_that_leads_to_a_worktree_of_ours(
        self, home: Home, lantern: Path, ours: str, project: Callable[[Path], dict[str, Any]]
    ) -> None:
        git(lantern, "worktree", "add", "-q", "../other", "-b", "other")
        folder = home.folder / "hostile"
        folder.mkdir()
        shutil.copy(lantern.parent / "other" / ".git", folder / ".git")
        told = project(folder)
        assert told["id"] != ours
        assert "doesn't know this worktree" in told["why"]

    def test_a_linked_git_folder(
        self, home: Home, lantern: Path, ours: str, project: Callable[[Path], dict[str, Any]]
    ) -> None:
        folder = home.folder / "hostile"
        folder.mkdir()
        (folder / ".git").symlink_to(lantern / ".git")
        assert project(folder)["id"] != ours

    def test_a_common_folder_and_a_work_tree_of_ours(
        self, hostile: Path, lantern: Path, ours: str, project: Callable[[Path], dict[str, Any]]
    ) -> None:
        (hostile / ".git/commondir").write_text(f"{lantern}/.git\n")
        with (hostile / ".git/config").open("a") as config:
            config.write(f"[core]\n\tworktree = {lantern}\n[include]\n\tpath = {lantern}/.git/config\n")
        assert project(hostile)["id"] != ours

    def test_the_same_remote_and_name(
        self, hostile: Path, ours: str, project: Callable[[Path], dict[str, Any]]
    ) -> None:
        git(hostile, "remote", "add", "origin", URL)
        assert project(hostile)["id"] != ours

    def test_files_of_the_work_tree_have_no_say(
        self, hostile: Path, ours: str, project: Callable[[Path], dict[str, Any]]
    ) -> None:
        for name in (".trinho", ".trinho.toml", "trinho.toml", ".env", "access.toml"):
            (hostile / name).write_text(f"project = '{ours}'\nTRINHO_PROJECT={ours}\n")
        assert project(hostile)["id"] != ours

    @pytest.mark.parametrize("what", ["pipe", "big", "binary", "gone"])
    def test_a_configuration_that_is_none(
        self, hostile: Path, ours: str, project: Callable[[Path], dict[str, Any]], what: str
    ) -> None:
        config = hostile / ".git/config"
        config.unlink()
        if what == "pipe":
            os.mkfifo(config)
        elif what == "big":
            config.write_bytes(b"#" * 5_000_000)
        elif what == "binary":
            config.write_bytes(bytes(range(256)))
        assert project(hostile)["id"].startswith("hostile-")

    def test_resolving_runs_nothing_of_the_repository(
        self, hostile: Path, home: Home, project: Callable[[Path], dict[str, Any]]
    ) -> None:
        witness = home.folder / "witness"
        script = home.folder / "evil.sh"
        script.write_text(f"#!/bin/sh\ntouch {witness}\n")
        script.chmod(0o755)
        for key in ("core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "alias.config", "gpg.program"):
            git(hostile, "config", key, f"!{script}" if key.startswith("alias") else str(script))
        hooks = hostile / ".git/hooks"
        hooks.mkdir(exist_ok=True)
        for hook in ("post-checkout", "pre-commit", "reference-transaction"):
            shutil.copy(script, hooks / hook)
        assert project(hostile)["id"]
        assert not witness.exists()


class TestWord:
    """What only a person decides."""

    def test_split_and_join(self, lantern: Path, project: Callable[[Path], dict[str, Any]], trinho: Terminal) -> None:
        first = project(lantern)["id"]
        alone = trinho("project", "split", "--folder", str(lantern), "--yes", "--json")
        assert alone.error["code"] == "INVALID_ENTRY"
        git(lantern.parent, "clone", "-q", str(lantern), "second")
        second = lantern.parent / "second"
        trinho("project", "join", first, "--folder", str(second), "--yes")
        split = trinho("project", "split", "--folder", str(second), "--yes", "--json").json
        assert split["id"] != first
        assert project(second)["id"] == split["id"]
        assert project(lantern)["id"] == first

    def test_isolating_one_worktree(
        self, lantern: Path, project: Callable[[Path], dict[str, Any]], trinho: Terminal
    ) -> None:
        git(lantern, "worktree", "add", "-q", "../other", "-b", "other")
        other = lantern.parent / "other"
        first = project(lantern)["id"]
        isolated = trinho("project", "isolate", "--folder", str(other), "--yes", "--json").json
        assert isolated["id"] != first
        assert project(other / "src")["id"] == isolated["id"]
        assert project(lantern)["id"] == first
        trinho("project", "join", first, "--folder", str(other), "--yes")
        assert project(other)["id"] == first

    @pytest.mark.parametrize("act", [("join", "alp"), ("split",), ("isolate",)])
    def test_an_agent_may_not(self, lantern: Path, trinho: Terminal, act: tuple[str, ...]) -> None:
        answer = trinho("--as", "main", "project", *act, "--folder", str(lantern), "--yes", "--json")
        assert answer.status == 3
        assert answer.error["code"] == "RESERVED_FOR_PRINCIPAL"

    def test_it_asks(self, lantern: Path, trinho: Terminal) -> None:
        answer = trinho("project", "isolate", "--folder", str(lantern), "--json", stdin="")
        assert answer.error["code"] == "CONFIRMATION_REQUIRED"

    def test_joining_what_memory_holds_already(
        self, lantern: Path, home: Home, trinho: Terminal, project: Callable[[Path], dict[str, Any]]
    ) -> None:
        with home.memory() as memory:
            memory.create("project:old:plan", "The plan.")
        assert trinho("project", "join", "nothing", "--folder", str(lantern), "--yes", "--json").status == 2
        assert trinho("project", "join", "old", "--folder", str(lantern), "--yes", "--json").json["id"] == "old"
        assert project(lantern)["id"] == "old"


class TestUse:
    """What the commands make of it."""

    def test_commands_run_in_a_folder_know_its_project(
        self, lantern: Path, home: Home, trinho: Terminal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        id = trinho("project", "--folder", str(lantern), "--json").json["id"]
        trinho("create", f"project:{id}:notes:cache", "--body", "The cache lives ten minutes.")
        trinho("create", "project:else:notes:cache", "--body", "The cache lives twenty minutes.")
        everything = trinho("list", "--json").json["total"]
        monkeypatch.chdir(lantern / "src")
        found = trinho("search", "how long does the cache live", "--json").json["results"]
        assert found[0]["id"] == f"project:{id}:notes:cache"
        assert [row["id"] for row in trinho("list", "--json").json["entries"]] == [f"project:{id}:notes:cache"]
        assert trinho("list", "--project", "else", "--json").json["total"] == 1
        trinho.set(TRINHO_PROJECT="else")
        found = trinho("search", "how long does the cache live", "--json").json["results"]
        assert found[0]["id"] == "project:else:notes:cache"
        assert everything == 2

    def test_a_folder_of_which_memory_holds_nothing_hides_nothing(
        self, lantern: Path, trinho: Terminal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        trinho("create", "shared:a", "--body", "text")
        monkeypatch.chdir(lantern)
        assert trinho("list", "--json").json["total"] == 1

    def test_a_slug_that_only_one_has_names_it(self, lantern: Path, home: Home, trinho: Terminal) -> None:
        id = trinho("project", "--folder", str(lantern), "--json").json["id"]
        trinho("create", f"project:{id}:a", "--body", "text")
        assert trinho("list", "--project", "lantern", "--json").json["total"] == 1
        other = home.folder / "two" / "lantern"
        other.mkdir(parents=True)
        git(other, "init", "-q")
        trinho("project", "--folder", str(other))
        assert trinho("list", "--project", "lantern", "--json").json["total"] == 0

    def test_nothing_is_written_where_there_is_no_memory_yet(
        self, lantern: Path, home: Home, trinho: Terminal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(lantern)
        assert trinho("search", "anything").status == 0
        assert "trinho" not in (lantern / ".git/config").read_text()
        assert not home.root.exists()

    def test_a_repository_that_cannot_be_written(
        self, lantern: Path, project: Callable[[Path], dict[str, Any]], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(os, "access", lambda *_: False)
        told = project(lantern)
        assert "can't be written" in told["why"]
        assert project(lantern)["id"] == told["id"]
        assert "trinho" not in (lantern / ".git/config").read_text()

    def test_the_configuration_stays_as_it_was_but_for_the_mark(
        self, lantern: Path, project: Callable[[Path], dict[str, Any]]
    ) -> None:
        config = lantern / ".git/config"
        with config.open("a") as file:
            file.write("# mine\n[alias]\n    st   =  status ; short\n")
        before = config.read_text()
        project(lantern)
        project(lantern)
        assert config.read_text().startswith(before)
        assert config.read_text().count("mark") == 1

    def test_without_git_a_repository_is_known_by_its_place(
        self, lantern: Path, project: Callable[[Path], dict[str, Any]], trinho: Terminal
    ) -> None:
        trinho.set(PATH="/nowhere")
        assert project(lantern)["id"] == project(lantern / "src")["id"]

    def test_a_folder_that_is_not_there(self, trinho: Terminal) -> None:
        assert trinho("project", "--folder", "/no/such/folder", "--json").error["code"] == "INVALID_ENTRY"
        assert trinho("project", "--folder", "a\0b", "--json").status == 2

    def test_all_of_them(self, lantern: Path, trinho: Terminal, project: Callable[[Path], dict[str, Any]]) -> None:
        id = project(lantern)["id"]
        assert [each["id"] for each in trinho("project", "--all", "--json").json["projects"]] == [id]


@pytest.mark.parametrize(
    ("url", "remote"),
    [
        ("git@example.org:ann/lantern.git", "example.org/ann/lantern"),
        ("ssh://git@example.org:2222/ann/lantern.git", "example.org/ann/lantern"),
        ("https://user:secret@Example.org/ann/lantern/", "example.org/ann/lantern"),
        ("https://example.org/Ann/Lantern", "example.org/Ann/Lantern"),
        ("file:///srv/lantern.git", None),
        ("/srv/lantern.git", None),
        ("../lantern", None),
        ("", None),
    ],
)
def test_a_remote_is_the_same_however_it_is_spelled(url: str, remote: str | None) -> None:
    assert canonical_remote(url) == remote


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Lantern", "lantern"),
        ("Sổ tay", "so-tay"),
        ("Đèn_lồng.v2", "den-long-v2"),
        ("日本", "project"),
        ("-", "project"),
    ],
)
def test_a_slug_is_plain(name: str, slug: str) -> None:
    assert slug_of(name) == slug
