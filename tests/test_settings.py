"""The command line beats the environment, which beats the user's own file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from trinho.errors import InvalidRootError, InvalidSettingError
from trinho.settings import DEFAULT_ROOT, load_settings

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "config.toml"
    path.write_text('root = "/of/config"\nactor = "worker"\nproject = "alp"\nlock_wait_seconds = 2\n', encoding="utf-8")
    return path


class TestRelativeRoot:
    """A root of the user's file that is no whole path lies beside that file, wherever the command runs."""

    @pytest.mark.parametrize(
        ("root", "place"), [("memory", "/memory"), ("../m", "/../m"), ("/whole", None), ("~/of/home", None)]
    )
    def test_of_the_users_file(self, tmp_path: Path, root: str, place: str | None) -> None:
        path = tmp_path / "config.toml"
        path.write_text(f'root = "{root}"\n', encoding="utf-8")
        found = load_settings({"TRINHO_CONFIG": str(path)})
        assert found.root == (root if place is None else f"{tmp_path}{place}")

    def test_beside_a_file_in_the_current_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "config.toml").write_text('root = "memory"\n', encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        assert load_settings({"TRINHO_CONFIG": "config.toml"}).root == "memory"


def test_an_empty_root_is_no_call_for_another() -> None:
    with pytest.raises(InvalidRootError, match="it is empty"):
        load_settings({"TRINHO_MEMORY_ROOT": "/r"}, root="")


class TestPrecedence:
    """Strongest first."""

    def test_the_users_file(self, config: Path) -> None:
        found = load_settings({"TRINHO_CONFIG": str(config)})
        assert (found.root, found.actor, found.project, found.lock_wait_seconds) == ("/of/config", "worker", "alp", 2.0)

    def test_the_environment_beats_it(self, config: Path) -> None:
        environment = {"TRINHO_CONFIG": str(config), "TRINHO_MEMORY_ROOT": "/e", "TRINHO_ACTOR": "main"}
        found = load_settings({**environment, "TRINHO_PROJECT": "beta"})
        assert (found.root, found.actor, found.project) == ("/e", "main", "beta")

    def test_the_command_line_beats_both(self, config: Path) -> None:
        environment = {"TRINHO_CONFIG": str(config), "TRINHO_MEMORY_ROOT": "/e", "TRINHO_ACTOR": "main"}
        found = load_settings(environment, root="/c", actor="review", project="gamma")
        assert (found.root, found.actor, found.project) == ("/c", "review", "gamma")

    def test_nothing_at_all(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
        found = load_settings({})
        assert (found.root, found.actor, found.project) == (DEFAULT_ROOT, "principal", None)

    def test_the_platforms_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("platformdirs.user_config_dir", lambda name: str(tmp_path / name))
        (tmp_path / "trinho").mkdir()
        (tmp_path / "trinho" / "config.toml").write_text('actor = "review"\n', encoding="utf-8")
        assert load_settings({}).actor == "review"

    def test_the_alias_of_the_root(self) -> None:
        assert load_settings({"ALP_MEMORY_ROOT": "/a"}).root == "/a"
        assert load_settings({"ALP_MEMORY_ROOT": "/a", "TRINHO_MEMORY_ROOT": "/t"}).root == "/t"


@pytest.mark.parametrize("how", ["TRINHO_MEMORY_ROOT", "ALP_MEMORY_ROOT", "--root"])
def test_a_root_that_is_named_reads_no_settings_of_the_person(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(name: str) -> Path:
        raise AssertionError(name)

    monkeypatch.setattr("platformdirs.user_config_path", never)
    found = load_settings({}, root="/r") if how == "--root" else load_settings({how: "/r"})
    assert (found.root, found.config_file, found.roles_file, found.actor) == ("/r", None, None, "principal")


class TestFaults:
    """A bad setting names its file."""

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("root = ", "Invalid value"),
            ("colour = 1", "`colour`"),
            ("root = 1", "root must be a text"),
            ("actor = []", "actor must be a text"),
            ("lock_wait_seconds = true", "from 0 to 3600"),
            ("lock_wait_seconds = -1", "from 0 to 3600"),
            ('lock_wait_seconds = "2"', "from 0 to 3600"),
        ],
    )
    def test_in_the_file(self, tmp_path: Path, text: str, reason: str) -> None:
        path = tmp_path / "config.toml"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InvalidSettingError) as error:
            load_settings({"TRINHO_CONFIG": str(path)})
        assert str(path) in error.value.message
        assert reason in error.value.message

    def test_not_utf8(self, tmp_path: Path) -> None:
        path = tmp_path / "config.toml"
        path.write_bytes(b"\xff")
        with pytest.raises(InvalidSettingError):
            load_settings({"TRINHO_CONFIG": str(path)})

    def test_a_folder(self, tmp_path: Path) -> None:
        with pytest.raises(InvalidSettingError):
            load_settings({"TRINHO_CONFIG": str(tmp_path)})

    def test_a_file_that_is_named_and_missing_is_empty(self, tmp_path: Path) -> None:
        path = tmp_path / "config.toml"
        assert load_settings({"TRINHO_CONFIG": str(path)}).roles_file == str(tmp_path / "roles.yaml")


class TestFilesThatAreNone:
    """A pipe or a device in the place of the user's file is refused, and nobody waits for it."""

    def test_a_pipe(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "config.toml")
        with pytest.raises(InvalidSettingError, match="no plain file"):
            load_settings({"TRINHO_CONFIG": str(tmp_path / "config.toml")})

    def test_a_device(self) -> None:
        with pytest.raises(InvalidSettingError, match="no plain file"):
            load_settings({"TRINHO_CONFIG": "/dev/zero"})

    def test_one_that_is_too_large(self, tmp_path: Path) -> None:
        (tmp_path / "config.toml").write_text("#" * (1 << 20) + "\n")
        with pytest.raises(InvalidSettingError, match="more than"):
            load_settings({"TRINHO_CONFIG": str(tmp_path / "config.toml")})


def test_the_name_of_a_session_is_short() -> None:
    assert load_settings({"TRINHO_SESSION": "s" * 200, "TRINHO_MEMORY_ROOT": "/r"}).session == "s" * 200
    with pytest.raises(InvalidSettingError, match="200"):
        load_settings({"TRINHO_SESSION": "s" * 201, "TRINHO_MEMORY_ROOT": "/r"})
