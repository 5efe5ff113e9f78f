"""What every store of domains promises."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from trinho.access.domains import Domain, DomainKey, Permission

if TYPE_CHECKING:
    from pathlib import Path

    from trinho.ports.domains import DomainStore

CI, ALP = DomainKey("ci"), DomainKey("ci", "alp")


class DomainsContract:
    """Subclass it and give `make`."""

    def make(self, folder: Path) -> DomainStore:
        raise NotImplementedError

    @pytest.fixture
    def store(self, tmp_path: Path) -> DomainStore:
        return self.make(tmp_path)

    def test_nothing_means_read(self, store: DomainStore) -> None:
        assert store.read().all() == []
        assert store.read().permission("worker", CI) is Permission.READ
        assert store.read().hidden_from("worker") == frozenset()

    def test_a_domain_comes_back(self, store: DomainStore) -> None:
        made = Domain(CI, 'Máy "CI"', "what\nbuilds", "worker", {"main": Permission.WRITE, "worker": Permission.NONE})
        store.add(made)
        assert store.read().all() == [made]
        assert store.read().permission("main", CI) is Permission.WRITE
        assert store.read().hidden_from("worker") == {CI}

    def test_a_repository_s_is_another(self, store: DomainStore) -> None:
        store.set_permission(ALP, "worker", Permission.NONE)
        assert store.read().hidden_from("worker") == {ALP}
        assert store.read().permission("worker", CI) is Permission.READ

    def test_a_row_goes(self, store: DomainStore) -> None:
        store.set_permission(CI, "worker", Permission.WRITE)
        store.set_permission(CI, "worker", Permission.NONE)
        store.set_permission(CI, "worker", None)
        store.set_permission(CI, "main", None)
        assert store.read().permission("worker", CI) is Permission.READ
