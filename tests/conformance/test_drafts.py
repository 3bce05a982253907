"""What every store promises of drafts, of lists of revisions, and of the cap of active works."""

from __future__ import annotations

import pytest

from storyworld.application.ports import DraftPut, NewDraft, ProjectStore, RevisionSummary, Store, StoredDraft, WorkKind
from storyworld.core import limits
from tests.conformance.conftest import Run, together
from tests.store.stored import LATER, NOW

KINDS = list(WorkKind)
PACKAGE = WorkKind.PACKAGE


def a_draft(of: str) -> NewDraft:
    """A draft; no store looks into it."""
    return NewDraft(f'{{"title":"{of} 🜁\x00"}}'.encode() + b"\xff", f"sha256:{of}")


@pytest.mark.parametrize("kind", KINDS)
def test_a_work_is_created_with_its_draft_or_without_one(run: Run, project: ProjectStore, kind: WorkKind) -> None:
    run(project.create_work(kind, "bare", NOW))
    run(project.create_work(kind, "tide", NOW, a_draft("潮")))
    assert run(project.draft(kind, "bare")) is None
    assert run(project.draft(kind, "tide")) == StoredDraft(a_draft("潮").content, a_draft("潮").etag, NOW)
    assert [work.draft_etag for work in run(project.works(kind, limit=9))] == [None, "sha256:潮"]
    assert run(project.draft(kind, "never")) is None


def test_creating_a_work_again_leaves_its_draft_as_it_is(run: Run, project: ProjectStore) -> None:
    run(project.create_work(PACKAGE, "tide", NOW, a_draft("first")))
    assert run(project.create_work(PACKAGE, "tide", LATER, a_draft("second")))
    assert run(project.draft(PACKAGE, "tide")) == StoredDraft(a_draft("first").content, "sha256:first", NOW)


@pytest.mark.parametrize("kind", KINDS)
def test_a_draft_is_saved_over_the_one_that_was_expected(run: Run, project: ProjectStore, kind: WorkKind) -> None:
    run(project.create_work(kind, "tide", NOW))
    for expected, of, at in ((None, "first", NOW), ("sha256:first", "second", LATER)):
        saved = run(project.put_draft(kind, "tide", a_draft(of), expected_etag=expected, at=at))
        assert saved is DraftPut.SAVED
        assert run(project.draft(kind, "tide")) == StoredDraft(a_draft(of).content, f"sha256:{of}", at)
        work = run(project.work(kind, "tide"))
        assert work is not None
        assert (work.draft_etag, work.created_at, work.updated_at) == (f"sha256:{of}", NOW, at)


@pytest.mark.parametrize("expected", [None, "sha256:zeroth", ""])
def test_a_draft_over_another_than_was_expected_changes_nothing(
    run: Run, project: ProjectStore, expected: str | None
) -> None:
    run(project.create_work(PACKAGE, "tide", NOW, a_draft("first")))
    saved = run(project.put_draft(PACKAGE, "tide", a_draft("second"), expected_etag=expected, at=LATER))
    assert saved is DraftPut.MISMATCH
    assert run(project.draft(PACKAGE, "tide")) == StoredDraft(a_draft("first").content, "sha256:first", NOW)
    work = run(project.work(PACKAGE, "tide"))
    assert work is not None
    assert work.updated_at == NOW


def test_a_draft_that_is_not_there_is_none_that_was_expected(run: Run, project: ProjectStore) -> None:
    run(project.create_work(PACKAGE, "tide", NOW))
    saved = run(project.put_draft(PACKAGE, "tide", a_draft("second"), expected_etag="sha256:first", at=LATER))
    assert saved is DraftPut.MISMATCH
    assert run(project.draft(PACKAGE, "tide")) is None


@pytest.mark.parametrize("expected", [None, "sha256:first"])
def test_a_work_that_never_was_has_no_draft_to_save(run: Run, project: ProjectStore, expected: str | None) -> None:
    run(project.create_work(WorkKind.WORLD, "tide", NOW, a_draft("first")))
    saved = run(project.put_draft(PACKAGE, "tide", a_draft("second"), expected_etag=expected, at=LATER))
    assert saved is DraftPut.UNKNOWN
    assert run(project.draft(PACKAGE, "tide")) is None


def test_a_package_and_a_world_of_one_id_have_drafts_of_their_own(run: Run, project: ProjectStore) -> None:
    for kind in KINDS:
        run(project.create_work(kind, "tide", NOW, a_draft(kind)))
    run(project.put_draft(PACKAGE, "tide", a_draft("other"), expected_etag="sha256:package", at=LATER))
    world = run(project.draft(WorkKind.WORLD, "tide"))
    assert world is not None
    assert world.etag == "sha256:world"


@pytest.mark.parametrize("before", [None, a_draft("first")], ids=["no draft", "a draft"])
def test_of_64_writers_that_expect_one_etag_exactly_one_saves(
    run: Run, project: ProjectStore, before: NewDraft | None
) -> None:
    run(project.create_work(PACKAGE, "tide", NOW, before))
    expected = None if before is None else before.etag
    drafts = [a_draft(f"rival {rival}") for rival in range(64)]
    saved = run(
        together(*(project.put_draft(PACKAGE, "tide", one, expected_etag=expected, at=LATER) for one in drafts))
    )
    assert sorted(saved) == [*[DraftPut.MISMATCH] * 63, DraftPut.SAVED]
    winner = drafts[saved.index(DraftPut.SAVED)]
    assert run(project.draft(PACKAGE, "tide")) == StoredDraft(winner.content, winner.etag, LATER)


def test_a_draft_lives_on_beside_revisions_and_in_the_archive(run: Run, project: ProjectStore) -> None:
    run(project.create_work(PACKAGE, "tide", NOW, a_draft("first")))
    run(project.add_revision(PACKAGE, "tide", b"published", "sha256:1", LATER))
    run(project.set_archived(PACKAGE, "tide", True))
    work = run(project.work(PACKAGE, "tide"))
    assert work is not None
    assert (work.latest_revision, work.archived, work.updated_at, work.draft_etag) == (1, True, LATER, "sha256:first")
    saved = run(project.put_draft(PACKAGE, "tide", a_draft("second"), expected_etag="sha256:first", at=LATER))
    assert saved is DraftPut.SAVED


def test_a_work_for_which_there_is_no_place_leaves_no_draft(run: Run, project: ProjectStore) -> None:
    async def fill() -> None:
        for number in range(limits.PROJECT_MAX_ACTIVE_STORY_PACKAGES.value):
            await project.create_work(PACKAGE, f"work-{number}", NOW)

    run(fill())
    assert not run(project.create_work(PACKAGE, "one over", NOW, a_draft("lost")))
    assert run(project.draft(PACKAGE, "one over")) is None


def test_revisions_are_listed_in_the_order_of_their_numbers_without_their_content(
    run: Run, project: ProjectStore
) -> None:
    run(project.create_work(PACKAGE, "tide", NOW))
    contents = ["潮水".encode() * number for number in range(12)]
    for number, content in enumerate(contents, start=1):
        run(project.add_revision(PACKAGE, "tide", content, f"sha256:{number}", NOW))
    expected = [
        RevisionSummary("tide", number, f"sha256:{number}", len(content), NOW)
        for number, content in enumerate(contents, start=1)
    ]
    listed: list[RevisionSummary] = []
    while page := run(project.revisions(PACKAGE, "tide", limit=5, after=listed[-1].revision if listed else None)):
        assert len(page) <= 5
        listed += page
    assert listed == expected
    assert list(run(project.revisions(WorkKind.WORLD, "tide", limit=5))) == []


@pytest.mark.parametrize("kind", KINDS)
def test_the_cap_is_exact_when_creation_archive_and_restore_race(run: Run, store: Store, kind: WorkKind) -> None:
    project = store.for_project("salt")
    cap = limits.PROJECT_MAX_ACTIVE_WORLDS.value

    async def fill() -> None:
        for number in range(cap + 20):
            assert await project.create_work(kind, f"work-{number:04}", NOW)
            if number < 40:
                assert await project.set_archived(kind, f"work-{number:04}", True)

    run(fill())
    # 980 are active: 20 more are archived, 40 would come back, and 24 are new. There is place for 40 of them at most.
    done = run(
        together(
            *(project.set_archived(kind, f"work-{number:04}", False) for number in range(40)),
            *(project.create_work(kind, f"rival-{rival:02}", NOW) for rival in range(24)),
            *(project.set_archived(kind, f"work-{number:04}", True) for number in range(40, 60)),
        )
    )
    assert all(done[64:]), "whatever is active may be archived"
    active = sum(not work.archived for work in run(project.works(kind, limit=2 * cap)))
    assert active == cap - 20 - 20 + sum(done[:64])
    assert active <= cap
    told = run(store.project("salt"))
    assert told is not None
    assert active == (told.active_packages if kind is PACKAGE else told.active_worlds)
    more = run(together(*(project.create_work(kind, f"late-{rival:02}", NOW) for rival in range(64))))
    assert sum(more) == cap - active


def test_drafts_of_another_project_look_like_drafts_that_never_were(run: Run, store: Store) -> None:
    run(store.create_project("alum", "Alum", NOW))
    run(store.for_project("salt").create_work(PACKAGE, "tide", NOW, a_draft("first")))
    run(store.for_project("salt").add_revision(PACKAGE, "tide", b"published", "sha256:1", NOW))
    for stranger in (store.for_project("alum"), store.for_project("never")):
        assert run(stranger.draft(PACKAGE, "tide")) is None
        saved = run(stranger.put_draft(PACKAGE, "tide", a_draft("mine"), expected_etag="sha256:first", at=LATER))
        assert saved is DraftPut.UNKNOWN
        assert list(run(stranger.revisions(PACKAGE, "tide", limit=9))) == []
    assert run(store.for_project("alum").create_work(PACKAGE, "tide", NOW))
    assert run(store.for_project("alum").draft(PACKAGE, "tide")) is None
