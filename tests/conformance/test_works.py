"""What every store promises of projects, agents, packages and worlds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from storyworld.application.ports import (
    Appended,
    Project,
    ProjectStore,
    Store,
    StoredAgent,
    StoredRevision,
    Work,
    WorkKind,
)
from storyworld.core import limits
from storyworld.core.limits.limit import Limit
from tests.conformance.conftest import Run, together
from tests.store.stored import LATER, NOW, a_beat, a_session, hash_of

# Each kind of work with the limit of how many of it are active.
CAPS = [
    (WorkKind.PACKAGE, limits.PROJECT_MAX_ACTIVE_STORY_PACKAGES),
    (WorkKind.WORLD, limits.PROJECT_MAX_ACTIVE_WORLDS),
]
KINDS = [kind for kind, _ in CAPS]


def a_work(work_id: str, kind: WorkKind, **more: Any) -> Work:
    """A work as it is when it was just created."""
    new = Work(work_id, kind, None, archived=False, draft_etag=None, created_at=NOW, updated_at=NOW)
    return replace(new, **more)


def test_a_project_is_created_once(run: Run, store: Store) -> None:
    assert run(store.create_project("alum", "Alum", NOW))
    assert not run(store.create_project("alum", "Another", LATER))
    assert run(store.project("alum")) == Project("alum", "Alum", NOW, active_packages=0, active_worlds=0)
    assert [project.name for project in run(store.projects(limit=9))] == ["Alum", "Salt"]
    assert run(store.project("never")) is None


def test_an_agent_counts_its_changes(run: Run, project: ProjectStore) -> None:
    assert run(project.agent("ann")) is None
    assert run(project.put_agent("ann", "安".encode(), NOW)) == 1
    assert run(project.put_agent("ann", b"changed", LATER)) == 2
    assert run(project.agent("ann")) == StoredAgent("ann", 2, b"changed", NOW)


def test_agents_are_listed_in_pages_in_the_order_of_their_ids(run: Run, project: ProjectStore) -> None:
    ids = ["Zed", "a-1", "a-10", "a-2", "é", "汉"]
    for agent_id in reversed(ids):
        run(project.put_agent(agent_id, agent_id.encode(), NOW))
    listed: list[StoredAgent] = []
    while page := run(project.agents(limit=4, after=listed[-1].agent_id if listed else None)):
        assert len(page) <= 4
        listed += page
    assert listed == [StoredAgent(agent_id, 1, agent_id.encode(), NOW) for agent_id in ids]


def test_an_agent_is_deleted_once(run: Run, project: ProjectStore) -> None:
    run(project.put_agent("ann", b"", NOW))
    run(project.put_agent("bo", b"", NOW))
    assert run(project.delete_agent("ann"))
    assert not run(project.delete_agent("ann"))
    assert run(project.agent("ann")) is None
    assert [agent.agent_id for agent in run(project.agents(limit=9))] == ["bo"]


@pytest.mark.parametrize("kind", KINDS)
def test_revisions_are_numbered_from_1_and_never_change(run: Run, project: ProjectStore, kind: WorkKind) -> None:
    assert run(project.create_work(kind, "tide", NOW))
    assert run(project.work(kind, "tide")) == a_work("tide", kind)
    assert run(project.revision(kind, "tide", 1)) is None
    assert run(project.add_revision(kind, "tide", "潮水".encode(), "sha256:1", NOW)) == 1
    assert run(project.add_revision(kind, "tide", b"second", "sha256:2", LATER)) == 2
    assert run(project.revision(kind, "tide", 1)) == StoredRevision("tide", 1, "潮水".encode(), "sha256:1", NOW)
    assert run(project.revision(kind, "tide", 2)) == StoredRevision("tide", 2, b"second", "sha256:2", LATER)
    assert run(project.revision(kind, "tide", 0)) is None
    assert run(project.revision(kind, "tide", 3)) is None
    work = run(project.work(kind, "tide"))
    assert work == a_work("tide", kind, latest_revision=2, updated_at=LATER)


def test_nothing_is_published_to_a_work_that_never_was(run: Run, project: ProjectStore) -> None:
    assert run(project.add_revision(WorkKind.PACKAGE, "tide", b"", "sha256:0", NOW)) is None
    assert run(project.work(WorkKind.PACKAGE, "tide")) is None
    assert not run(project.set_archived(WorkKind.PACKAGE, "tide", True))


def test_a_package_and_a_world_may_bear_the_same_id(run: Run, project: ProjectStore) -> None:
    for kind in KINDS:
        run(project.create_work(kind, "tide", NOW))
        assert run(project.add_revision(kind, "tide", kind.encode(), "sha256:0", NOW)) == 1
    package = run(project.revision(WorkKind.PACKAGE, "tide", 1))
    assert package is not None
    assert package.content == b"package"


def test_revisions_published_at_once_have_numbers_without_gaps(run: Run, project: ProjectStore) -> None:
    run(project.create_work(WorkKind.PACKAGE, "tide", NOW))
    contents = [f"content {number}".encode() for number in range(20)]
    published = run(
        together(*(project.add_revision(WorkKind.PACKAGE, "tide", each, "sha256:0", NOW) for each in contents))
    )
    assert sorted(number or 0 for number in published) == list(range(1, 21))
    for number, content in zip(published, contents, strict=True):
        assert number is not None
        revision = run(project.revision(WorkKind.PACKAGE, "tide", number))
        assert revision is not None
        assert revision.content == content


def test_creating_a_work_again_leaves_it_as_it_is(run: Run, project: ProjectStore) -> None:
    run(project.create_work(WorkKind.WORLD, "tide", NOW))
    run(project.add_revision(WorkKind.WORLD, "tide", b"first", "sha256:1", NOW))
    run(project.set_archived(WorkKind.WORLD, "tide", True))
    assert run(project.create_work(WorkKind.WORLD, "tide", LATER))
    assert run(project.work(WorkKind.WORLD, "tide")) == a_work("tide", WorkKind.WORLD, latest_revision=1, archived=True)


def test_works_are_listed_by_kind_in_pages_in_the_order_of_their_ids(run: Run, project: ProjectStore) -> None:
    ids = ["Zed", "a-1", "a-10", "a-2", "b", "é", "汉"]
    for work_id in reversed(ids):
        run(project.create_work(WorkKind.WORLD, work_id, NOW))
    run(project.create_work(WorkKind.PACKAGE, "a-11", NOW))
    listed: list[Work] = []
    while page := run(project.works(WorkKind.WORLD, limit=3, after=listed[-1].work_id if listed else None)):
        listed += page
    assert listed == [a_work(work_id, WorkKind.WORLD) for work_id in ids]


def fill(run: Run, project: ProjectStore, kind: WorkKind, count: int) -> None:
    """Create so many works."""

    async def create() -> None:
        for number in range(count):
            assert await project.create_work(kind, f"work-{number:04}", NOW)

    run(create())


@pytest.mark.parametrize(("kind", "limit"), CAPS)
def test_a_race_for_the_last_active_places_leaves_exactly_as_many_as_there_are(
    run: Run, project: ProjectStore, kind: WorkKind, limit: Limit
) -> None:
    fill(run, project, kind, limit.value - 10)
    created = run(together(*(project.create_work(kind, f"rival-{rival}", NOW) for rival in range(64))))
    assert sum(created) == 10
    stored = run(project.works(kind, limit=2 * limit.value))
    assert len(stored) == limit.value
    rivals = {f"rival-{rival}" for rival, done in enumerate(created) if done}
    assert {work.work_id for work in stored if work.work_id.startswith("rival")} == rivals


@pytest.mark.parametrize(("kind", "limit"), CAPS)
def test_an_archived_work_leaves_its_place_and_needs_one_to_come_back(
    run: Run, project: ProjectStore, kind: WorkKind, limit: Limit
) -> None:
    fill(run, project, kind, limit.value)
    assert not run(project.create_work(kind, "one over", NOW))
    assert run(project.work(kind, "one over")) is None
    assert run(project.create_work(kind, "work-0000", NOW)), "it is there already and takes no place"
    for _ in range(2):
        assert run(project.set_archived(kind, "work-0000", True)), "archiving twice leaves one place"
    assert run(project.create_work(kind, "one more", NOW))
    assert not run(project.set_archived(kind, "work-0000", False))
    archived = run(project.work(kind, "work-0000"))
    assert archived is not None
    assert archived.archived
    run(project.set_archived(kind, "one more", True))
    assert run(project.set_archived(kind, "work-0000", False))
    assert not run(project.create_work(kind, "one over", NOW))


def test_the_cap_of_one_kind_leaves_the_other_and_other_projects_alone(run: Run, store: Store) -> None:
    project = store.for_project("salt")
    fill(run, project, WorkKind.WORLD, limits.PROJECT_MAX_ACTIVE_WORLDS.value)
    run(store.create_project("alum", "Alum", NOW))
    assert run(project.create_work(WorkKind.PACKAGE, "tide", NOW))
    assert run(store.for_project("alum").create_work(WorkKind.WORLD, "tide", NOW))


def test_ids_of_another_project_look_like_ids_that_never_were(run: Run, store: Store) -> None:
    mine, theirs = store.for_project("salt"), store.for_project("alum")
    run(store.create_project("alum", "Alum", NOW))
    run(mine.put_agent("ann", b"", NOW))
    run(mine.create_work(WorkKind.WORLD, "tide", NOW))
    run(mine.add_revision(WorkKind.WORLD, "tide", b"", "sha256:0", NOW))
    run(mine.create_session(a_session("ses")))
    for stranger in (theirs, store.for_project("never")):
        assert run(stranger.agent("ann")) is None
        assert list(run(stranger.agents(limit=9))) == []
        assert not run(stranger.delete_agent("ann"))
        assert run(stranger.work(WorkKind.WORLD, "tide")) is None
        assert run(stranger.revision(WorkKind.WORLD, "tide", 1)) is None
        assert list(run(stranger.works(WorkKind.WORLD, limit=9))) == []
        assert run(stranger.add_revision(WorkKind.WORLD, "tide", b"", "sha256:0", NOW)) is None
        assert not run(stranger.set_archived(WorkKind.WORLD, "tide", True))
        assert run(stranger.session("ses")) is None
        assert list(run(stranger.sessions(limit=9))) == []
        assert list(run(stranger.beats("ses", 0, 9))) == []
        appended = run(stranger.append("ses", expected_hash=hash_of("ses", 0), new=a_beat("ses", 1)))
        assert appended is Appended.STALE_HEAD
    assert run(theirs.create_session(a_session("ses", seed=8)))
    session = run(mine.session("ses"))
    assert session is not None
    assert (session.seed, session.beat) == (7, 0)


def test_to_write_into_a_project_that_was_never_created_is_a_bug(run: Run, store: Store) -> None:
    never = store.for_project("never")
    with pytest.raises(AssertionError, match="a project that exists"):
        run(never.put_agent("ann", b"", NOW))
    with pytest.raises(AssertionError, match="a project that exists"):
        run(never.create_work(WorkKind.WORLD, "tide", NOW))
    with pytest.raises(AssertionError, match="a project that exists"):
        run(never.create_session(a_session("ses")))


def test_a_store_is_closed_twice_without_harm(run: Run, store: Store) -> None:
    run(store.close())
    run(store.close())
