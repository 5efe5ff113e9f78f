"""Which project a folder belongs to, and a person's word on it.

INVARIANT: only the ledger says which ids there are, and only a mark with the ledger's own token or a place that the
ledger knows leads to one. What is inside a repository can name a project and never become it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trinho.access.request import ReservedAct
from trinho.domain.arguments import expect_project, expect_text
from trinho.domain.project import Checkout, Project, Registered, Sort, canonical_remote, id_of, slug_of
from trinho.errors import InvalidEntryError, StoreFullError, StoreReadOnlyError

if TYPE_CHECKING:
    from trinho.application.session import Session
    from trinho.ports.projects import ProjectLedger, Repositories

_ISOLATED = "isolated:"


def of_folder(session: Session, folder: str, *, register: bool = True) -> Project | None:
    """The project of a folder; None for the person's home and what is above it.

    With `register` a new one is remembered from now on; a repository always is, so that a rename doesn't lose it.
    """
    expect_text("folder", folder)
    repositories, ledger = session.workspace.repositories, session.workspace.ledger.projects
    checkout = repositories.checkout_of(folder)
    isolated = ledger.at(f"{_ISOLATED}{checkout.tree}")
    if isolated is not None:
        return _told(session, isolated, checkout, "this worktree was isolated")
    try:
        if checkout.sort is Sort.FOLDER:
            return _of_plain_folder(session, checkout, register=register)
        registered, why = _of_repository(session, checkout)
    except (StoreReadOnlyError, StoreFullError) as error:
        session.notices.append(f"the project is not remembered: {error.message}")
        registered, why = _new(session, checkout), "it is new, and the memory can't be written"
    return _told(session, registered, checkout, why)


def named(session: Session, name: str | None) -> str | None:
    """The id of a project by its id or, where only one has it, by its slug; what is unknown stands for itself."""
    if name is None:
        return None
    ledger = session.workspace.ledger.projects
    of_slug = [project.id for project in ledger.projects() if project.slug == name and project.id != name]
    if len(of_slug) != 1 or any(project.id == name for project in ledger.projects()):
        return name
    return name if holds_something(session, name) else of_slug[0]


def holds_something(session: Session, id: str) -> bool:
    """Whether anything is kept for a project."""
    return session.workspace.store.holds(("project", id))


def join(session: Session, folder: str, name: str) -> Project:
    """Let the folder's repository belong to another project from now on; what its own one holds stays there."""
    session.authorize_act(ReservedAct.PROJECT)
    with session.auditing("project join", None):
        expect_project(name)
        checkout = _own_place(session, folder)
        ledger = session.workspace.ledger.projects
        id = named(session, name) or name
        target = next((project for project in ledger.projects() if project.id == id), None)
        if target is None:
            if not holds_something(session, id):
                raise InvalidEntryError("project", name, "name one that `trinho project --all` lists or memory holds")
            target = Registered(id, id, _root_of(checkout), _remote_of(session, checkout), _new_token())
        _settle(session, checkout, target)
    session.record("project join", None)
    return _told(session, target, checkout, "a person joined it")


def split(session: Session, folder: str) -> Project:
    """Give the folder's repository a project of its own, which begins empty."""
    session.authorize_act(ReservedAct.PROJECT)
    with session.auditing("project split", None):
        checkout = _own_place(session, folder)
        ledger = session.workspace.ledger.projects
        known = ledger.at(checkout.common)
        if known is not None and ledger.places(known.id) == [checkout.common]:
            raise InvalidEntryError("folder", folder, f"it has `{known.id}` for itself already")
        fresh = _new(session, checkout)
        _settle(session, checkout, fresh)
    session.record("project split", None)
    return _told(session, fresh, checkout, "a person split it off")


def isolate(session: Session, folder: str) -> Project:
    """Give one worktree a project of its own, apart from the other worktrees of its repository."""
    session.authorize_act(ReservedAct.PROJECT)
    with session.auditing("project isolate", None):
        checkout = session.workspace.repositories.checkout_of(folder)
        if checkout.sort not in (Sort.WORKTREE, Sort.REPOSITORY):
            raise InvalidEntryError("folder", folder, f"name a worktree; this is a {checkout.sort}")
        ledger = session.workspace.ledger.projects
        place = f"{_ISOLATED}{checkout.tree}"
        known = ledger.at(place)
        if known is None:
            slug = slug_of(checkout.tree.rpartition("/")[2])
            own = checkout._replace(common=place)
            known = ledger.register(_new(session, own, slug)._replace(root=checkout.tree), place)
    session.record("project isolate", None)
    return _told(session, known, checkout, "this worktree was isolated")


def registered(session: Session) -> list[Project]:
    """Every project that the ledger knows."""
    return [
        Project(each.id, each.slug, each.root, each.remote, "known")
        for each in session.workspace.ledger.projects.projects()
    ]


def _of_plain_folder(session: Session, checkout: Checkout, *, register: bool) -> Project | None:
    repositories, ledger = session.workspace.repositories, session.workspace.ledger.projects
    homes = repositories.homes()
    place = checkout.tree
    while place not in homes:
        known = ledger.at(place)
        if known is not None:
            why = "the folder is known" if place == checkout.tree else f"it lies in {place}, which is known"
            return _told(session, known, checkout, why)
        place = place.rpartition("/")[0] or "/"
    if checkout.tree in homes:
        return None
    fresh = _new(session, checkout)
    if register:
        fresh = ledger.register(fresh, checkout.tree)
    return _told(session, fresh, checkout, "it is in no git repository, so the folder is the project")


def _of_repository(session: Session, checkout: Checkout) -> tuple[Registered, str]:
    repositories, ledger = session.workspace.repositories, session.workspace.ledger.projects
    place = checkout.common
    known, marked = ledger.at(place), _marked(repositories, ledger, place)
    if marked is not None and (known is None or known.id == marked.id):
        if known is not None:
            return known, "its git configuration is marked"
        originals = [other for other in ledger.places(marked.id) if not other.startswith(_ISOLATED)]
        there = [other for other in originals if _mark(marked) in repositories.marks(other)]
        if not there:
            moved = marked._replace(root=_root_of(checkout))
            ledger.settle(moved, place, originals[0] if originals else None)
            return moved, f"it was moved here from {marked.root}"
        fresh = ledger.register(_new(session, checkout), place)
        repositories.mark(place, _mark(fresh), _mark(marked))
        return fresh, f"it is a copy of {marked.root}, which is still there"
    if known is not None:
        was_marked = repositories.mark(place, _mark(known), None if marked is None else _mark(marked))
        return known, "its place is known" if was_marked else "its place is known; its configuration can't be written"
    fresh = ledger.register(_new(session, checkout), place)
    if repositories.mark(place, _mark(fresh)):
        return fresh, "it is new, and its git configuration is marked from now on"
    return fresh, "it is new; its git configuration can't be written, so its place is what it is known by"


def _marked(repositories: Repositories, ledger: ProjectLedger, place: str) -> Registered | None:
    marks = set(repositories.marks(place))
    if not marks:
        return None
    return next((project for project in ledger.projects() if _mark(project) in marks), None)


def _mark(project: Registered) -> str:
    return f"{project.id} {project.token}"


def _own_place(session: Session, folder: str) -> Checkout:
    checkout = session.workspace.repositories.checkout_of(folder)
    if checkout.tree in session.workspace.repositories.homes():
        raise InvalidEntryError("folder", folder, "your home is no project; go into the folder that is one")
    return checkout


def _settle(session: Session, checkout: Checkout, project: Registered) -> None:
    """The project from now on, in ledger and mark."""
    repositories, ledger = session.workspace.repositories, session.workspace.ledger.projects
    before = ledger.at(checkout.common)
    ledger.settle(project, checkout.common, f"{_ISOLATED}{checkout.tree}")
    if checkout.sort is not Sort.FOLDER:
        repositories.mark(checkout.common, _mark(project), None if before is None else _mark(before))


def _new(session: Session, checkout: Checkout, slug: str | None = None) -> Registered:
    remote = _remote_of(session, checkout)
    if slug is None:
        slug = slug_of(checkout.name if remote is None else remote.rpartition("/")[2])
    taken = {project.id for project in session.workspace.ledger.projects.projects()}
    more = 0
    while (id := id_of(slug, checkout.common, more)) in taken:
        more += 1
    return Registered(id, slug, _root_of(checkout), remote, _new_token())


def _remote_of(session: Session, checkout: Checkout) -> str | None:
    url = session.workspace.repositories.remote(checkout)
    return None if url is None else canonical_remote(url)


def _root_of(checkout: Checkout) -> str:
    if checkout.sort in (Sort.REPOSITORY, Sort.WORKTREE):
        return checkout.common.removesuffix("/.git")
    return checkout.tree


def _told(session: Session, project: Registered, checkout: Checkout, why: str) -> Project:
    same: tuple[str, ...] = ()
    if project.remote is not None:
        others = session.workspace.ledger.projects.projects()
        same = tuple(each.id for each in others if each.remote == project.remote and each.id != project.id)
    told = f"{checkout.sort}: {why}"
    if checkout.doubt is not None:
        told += f"; {checkout.doubt}"
    return Project(project.id, project.slug, project.root, project.remote, told, same)


def _new_token() -> str:
    from secrets import token_hex  # most folders are known already, and it loads what a cold start doesn't need

    return token_hex(16)
