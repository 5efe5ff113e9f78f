"""What every list of allowed secrets promises."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trinho.ports.secrets import AllowedSecret, AllowedSecrets

if TYPE_CHECKING:
    from pathlib import Path

ONE = AllowedSecret("f1", "github-pat", "revoked: đã thu hồi", "2026-12-01T00:00:00.000000Z", "principal")
TWO = AllowedSecret("f2", "private-key", "a test key", "2026-12-02T00:00:00.000000Z", "principal")


class AllowedSecretsContract:
    """A salt that is made once, and exceptions in the order in which they came."""

    def make(self, folder: Path) -> AllowedSecrets:
        raise NotImplementedError

    def test_at_first_there_is_nothing(self, tmp_path: Path) -> None:
        allowed = self.make(tmp_path)
        assert (allowed.salt(), list(allowed.all())) == (b"", [])

    def test_the_salt_is_made_once(self, tmp_path: Path) -> None:
        allowed = self.make(tmp_path)
        salt = allowed.begin()
        assert salt
        assert allowed.begin() == allowed.salt() == salt

    def test_what_is_added_stays_in_its_order(self, tmp_path: Path) -> None:
        allowed = self.make(tmp_path)
        salt = allowed.begin()
        allowed.add([ONE])
        allowed.add([TWO])
        assert list(allowed.all()) == [ONE, TWO]
        assert allowed.salt() == salt
