"""What every store promises of projects and of the keys that open them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from storyworld.application.ports import KeyScope, Project, ProjectStore, Store, StoredKey, WorkKind
from tests.conformance.conftest import Run, together
from tests.store.stored import LATER, NOW


def a_key(key_id: str, scope: KeyScope = KeyScope.WRITE) -> StoredKey:
    """A key that opens."""
    return StoredKey(key_id, f"sha256:{key_id}", scope, NOW)


def test_a_project_tells_how_many_of_its_works_are_active(run: Run, store: Store) -> None:
    project = store.for_project("salt")
    for kind, work_ids in ((WorkKind.PACKAGE, ["a"]), (WorkKind.WORLD, ["a", "b", "c"])):
        for work_id in work_ids:
            run(project.create_work(kind, work_id, NOW))
    run(project.set_archived(WorkKind.WORLD, "b", True))
    expected = Project("salt", "Salt", NOW, active_packages=1, active_worlds=2)
    assert run(store.project("salt")) == expected
    assert list(run(store.projects(limit=9))) == [expected]


def test_projects_are_listed_in_pages_in_the_order_of_their_ids(run: Run, store: Store) -> None:
    ids = ["Zed", "a-1", "a-10", "a-2", "salt", "é", "汉"]
    for project_id in reversed(ids):
        run(store.create_project(project_id, f"Project {project_id}", NOW))
    listed: list[Project] = []
    while page := run(store.projects(limit=3, after=listed[-1].project_id if listed else None)):
        assert len(page) <= 3
        listed += page
    assert [project.project_id for project in listed] == ids
    assert [project for project in listed if project.name == "Project 汉"] == [Project("汉", "Project 汉", NOW, 0, 0)]


@pytest.mark.parametrize("scope", list(KeyScope))
def test_a_key_is_found_by_its_id(run: Run, project: ProjectStore, scope: KeyScope) -> None:
    assert run(project.key("k")) is None
    assert run(project.put_key(a_key("k", scope)))
    assert run(project.key("k")) == a_key("k", scope)


def test_the_id_of_a_key_is_taken_once(run: Run, project: ProjectStore) -> None:
    run(project.put_key(a_key("k", KeyScope.READ)))
    assert not run(project.put_key(replace(a_key("k"), digest="sha256:another")))
    assert run(project.key("k")) == a_key("k", KeyScope.READ)
    run(project.revoke_key("k", LATER))
    assert not run(project.put_key(a_key("k"))), "a revoked key does not come back"


def test_a_key_is_revoked_once_and_for_ever(run: Run, project: ProjectStore) -> None:
    run(project.put_key(a_key("k")))
    assert run(project.revoke_key("k", LATER))
    assert not run(project.revoke_key("k", NOW))
    assert not run(project.revoke_key("never", NOW))
    assert run(project.key("k")) == replace(a_key("k"), revoked_at=LATER)


def test_of_those_who_revoke_a_key_at_once_one_does(run: Run, project: ProjectStore) -> None:
    run(project.put_key(a_key("k")))
    revoked = run(together(*(project.revoke_key("k", f"at {rival:02}") for rival in range(16))))
    assert sum(revoked) == 1
    key = run(project.key("k"))
    assert key is not None
    assert key.revoked_at == f"at {revoked.index(True):02}"


def test_keys_are_listed_in_pages_and_revoked_ones_among_them(run: Run, project: ProjectStore) -> None:
    for key_id in "edcba":
        run(project.put_key(a_key(key_id)))
    run(project.revoke_key("c", LATER))
    listed: list[StoredKey] = []
    while page := run(project.keys(limit=2, after=listed[-1].key_id if listed else None)):
        assert len(page) <= 2
        listed += page
    assert [(key.key_id, key.revoked_at) for key in listed] == [
        ("a", None),
        ("b", None),
        ("c", LATER),
        ("d", None),
        ("e", None),
    ]


def test_a_key_belongs_to_its_project(run: Run, store: Store) -> None:
    mine, theirs = store.for_project("salt"), store.for_project("alum")
    run(store.create_project("alum", "Alum", NOW))
    run(mine.put_key(a_key("k")))
    for stranger in (theirs, store.for_project("never")):
        assert run(stranger.key("k")) is None
        assert list(run(stranger.keys(limit=9))) == []
        assert not run(stranger.revoke_key("k", NOW))
    assert run(theirs.put_key(a_key("k", KeyScope.READ)))
    assert run(mine.key("k")) == a_key("k")


def test_a_key_of_a_project_that_was_never_created_is_a_bug(run: Run, store: Store) -> None:
    with pytest.raises(AssertionError, match="a project that exists"):
        run(store.for_project("never").put_key(a_key("k")))
