"""A story is made playable by one call, and only once."""

from __future__ import annotations

from storyworld.application.begin import begin_session
from storyworld.application.playable import make_playable
from storyworld.application.ports import StorageFull, WorkKind
from storyworld.core import limits
from storyworld.core.errors import Refusal
from storyworld.store.memory import MemoryStore
from tests.application.playhouse import PROJECT, Speaking, Troubled, code_of, open_house, package_bytes, run, well


def test_a_story_is_published_once_however_often_it_is_played() -> None:
    async def whole() -> None:
        house = await open_house()
        first = well(await make_playable(house, PROJECT, package_bytes(), "test"))
        again = well(await make_playable(house, PROJECT, package_bytes() + b"\n", "test"))
        assert (first.world_id, first.world_revision) == (again.world_id, again.world_revision)
        project = house.project(PROJECT)
        for kind in WorkKind:
            assert [work.latest_revision for work in await project.works(kind, limit=9)] == [1]
        assert well(await begin_session(house, PROJECT, first.world_id, first.world_revision)).opening["beat"] == 0

    run(whole())


def test_another_performer_or_another_story_is_another_world() -> None:
    async def whole() -> None:
        house = await open_house()
        house.performers = {"test": Speaking(), "other": Speaking()}
        worlds = {
            well(await make_playable(house, PROJECT, package_bytes(), "test")).world_id,
            well(await make_playable(house, PROJECT, package_bytes(), "other")).world_id,
            well(await make_playable(house, PROJECT, package_bytes(title="The Boat"), "test")).world_id,
        }
        assert len(worlds) == 3
        assert len(await house.project(PROJECT).works(WorkKind.PACKAGE, limit=9)) == 2

    run(whole())


def test_a_story_with_problems_is_refused_with_all_of_them() -> None:
    async def whole() -> None:
        house = await open_house()
        refused = await make_playable(house, PROJECT, package_bytes(title="", startNodeId="x"), "test")
        assert isinstance(refused, Refusal)
        assert (refused.code, len(refused.problems)) == ("package_refused", 2)
        assert code_of(await make_playable(house, PROJECT, b"", "test")) == "package_refused"

    run(whole())


def test_a_project_that_is_full_is_told_and_plays_what_it_has() -> None:
    async def whole() -> None:
        house = await open_house()
        well(await make_playable(house, PROJECT, package_bytes(), "test"))
        project = house.project(PROJECT)
        for number in range(limits.PROJECT_MAX_ACTIVE_WORLDS.value - 1):
            await project.create_work(WorkKind.WORLD, f"work_{number}", house.clock.now())
        assert code_of(await make_playable(house, PROJECT, package_bytes(title="B"), "test")) == "active_worlds_cap"
        well(await make_playable(house, PROJECT, package_bytes(), "test"))
        for number in range(limits.PROJECT_MAX_ACTIVE_STORY_PACKAGES.value - 2):
            await project.create_work(WorkKind.PACKAGE, f"work_{number}", house.clock.now())
        assert code_of(await make_playable(house, PROJECT, package_bytes(title="C"), "test")) == "active_packages_cap"

    run(whole())


def test_what_was_cut_off_half_way_is_finished_the_next_time() -> None:
    async def whole() -> None:
        for method in ("add_revision", "put_agent", "create_work"):
            store = Troubled(MemoryStore())
            house = await open_house(store=store)
            store.fail_with(StorageFull("full"), only=method)
            assert code_of(await make_playable(house, PROJECT, package_bytes(), "test")) == "storage_full"
            store.trouble = None
            assert well(await make_playable(house, PROJECT, package_bytes(), "test")).world_revision == 1

    run(whole())
