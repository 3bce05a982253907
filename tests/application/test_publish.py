"""What is published is judged, bounded in number, and never changed."""

from __future__ import annotations

from typing import Any

from storyworld.application.begin import begin_session
from storyworld.application.ports import StorageFull, WorkKind
from storyworld.application.publish import publish, put_agent
from storyworld.core import limits
from storyworld.core.canonical import digest
from storyworld.core.errors import Refusal
from storyworld.store.memory import MemoryStore
from tests.application.playhouse import (
    PACKAGE,
    PROJECT,
    WORLD,
    Troubled,
    code_of,
    open_house,
    package_bytes,
    published_world,
    put_actor,
    run,
    well,
    world_of,
)


def test_a_package_is_published_as_revision_1_under_its_digest() -> None:
    async def whole() -> None:
        house = await open_house()
        published = well(await publish(house, PROJECT, PACKAGE, package_bytes()))
        stored = await house.project(PROJECT).revision(WorkKind.PACKAGE, published.work_id, 1)
        assert stored is not None
        assert published.revision == 1
        assert published.digest == stored.digest == digest(stored.content)
        assert published.size_bytes == len(stored.content)
        again = well(await publish(house, PROJECT, PACKAGE, package_bytes(title="The Boat"), published.work_id))
        assert (again.work_id, again.revision) == (published.work_id, 2)

    run(whole())


def test_a_package_with_problems_is_refused_with_all_of_them_and_nothing_is_stored() -> None:
    async def whole() -> None:
        house = await open_house()
        refused = await publish(house, PROJECT, PACKAGE, package_bytes(title="", startNodeId="nowhere"))
        assert isinstance(refused, Refusal)
        assert refused.code == "package_refused"
        assert [found.path for found in refused.problems] == ["/startNodeId", "/title"]
        assert await house.project(PROJECT).works(WorkKind.PACKAGE, limit=10) == []

    run(whole())


def test_the_next_revision_of_what_is_unknown_is_refused() -> None:
    async def whole() -> None:
        house = await open_house()
        assert code_of(await publish(house, PROJECT, PACKAGE, package_bytes(), "pkg_none")) == "package_unknown"
        world = await published_world(house)
        stored = await house.project(PROJECT).revision(WorkKind.WORLD, world.work_id, 1)
        assert stored is not None
        agents = {"ada": await put_actor(house), "ben": await put_actor(house)}
        package = well(await publish(house, PROJECT, PACKAGE, package_bytes()))
        value = world_of(package.work_id, agents)
        assert code_of(await publish(house, PROJECT, WORLD, value, "wld_none")) == "world_unknown"
        assert well(await publish(house, PROJECT, WORLD, value, world.work_id)).revision == 2

    run(whole())


def test_one_active_work_more_than_a_project_may_have_is_refused() -> None:
    async def whole() -> None:
        house = await open_house()
        world = await published_world(house)
        project = house.project(PROJECT)
        for kind, most in (
            (WorkKind.PACKAGE, limits.PROJECT_MAX_ACTIVE_STORY_PACKAGES.value),
            (WorkKind.WORLD, limits.PROJECT_MAX_ACTIVE_WORLDS.value),
        ):
            for number in range(most - 1):
                assert await project.create_work(kind, f"work_{number}", house.clock.now())
        refused = await publish(house, PROJECT, PACKAGE, package_bytes())
        assert code_of(refused) == "active_packages_cap"
        assert isinstance(refused, Refusal)
        assert refused.message == "active story packages exceeds 1000"
        packages = await project.works(WorkKind.PACKAGE, limit=1)
        agents = {"ada": await put_actor(house), "ben": await put_actor(house)}
        value = world_of(packages[0].work_id, agents)
        refused = await publish(house, PROJECT, WORLD, value)
        assert code_of(refused) == "active_worlds_cap"
        assert isinstance(refused, Refusal)
        assert refused.message == "active worlds exceeds 1000"
        # A revision of what is active already takes no place.
        assert well(await publish(house, PROJECT, WORLD, value, world.work_id)).revision == 2

    run(whole())


def test_a_world_keeps_the_agents_that_it_was_published_with() -> None:
    async def whole() -> None:
        house = await open_house()
        package = well(await publish(house, PROJECT, PACKAGE, package_bytes()))
        agents = {"ada": await put_actor(house), "ben": await put_actor(house)}
        world = well(await publish(house, PROJECT, WORLD, world_of(package.work_id, agents)))
        changed = {"name": "Player", "persona": "Shouts.", "model": {"provider": "human"}}
        assert well(await put_agent(house, PROJECT, changed, agents["ada"])) == agents["ada"]
        story = well(await house.story(PROJECT, world.work_id, 1))
        assert {binding.agent.persona for binding in story.world.bindings} == {"Speaks softly."}
        again = well(await publish(house, PROJECT, WORLD, world_of(package.work_id, agents), world.work_id))
        later = well(await house.story(PROJECT, world.work_id, again.revision))
        assert later.world.binding_by_role["ada"].agent.persona == "Shouts."

    run(whole())


def test_a_world_is_refused_with_every_problem() -> None:
    async def whole() -> None:
        house = await open_house()
        package = well(await publish(house, PROJECT, PACKAGE, package_bytes()))
        agent = await put_actor(house)
        refused = await publish(house, PROJECT, WORLD, world_of(package.work_id, {"ada": agent, "ben": agent}))
        assert isinstance(refused, Refusal)
        assert (refused.code, [found.code for found in refused.problems]) == ("world_refused", ["agent_bound_twice"])
        refused = await publish(house, PROJECT, WORLD, world_of(package.work_id, {"ada": "agt_none"}))
        assert isinstance(refused, Refusal)
        assert [found.code for found in refused.problems] == ["role_not_bound", "agent_unknown"]

    run(whole())


def test_a_world_without_a_package_is_told_its_own_problems_first() -> None:
    async def whole() -> None:
        house = await open_house()
        values: list[Any] = [None, 5, [], {}, {"packageId": 7}, world_of("pkg_1", {}, packageRevision="1")]
        for value in values:
            assert code_of(await publish(house, PROJECT, WORLD, value)) == "world_refused"
        agents = {"ada": await put_actor(house), "ben": await put_actor(house)}
        assert code_of(await publish(house, PROJECT, WORLD, world_of("pkg_none", agents))) == "package_unknown"

    run(whole())


def test_an_agent_with_problems_is_refused_with_all_of_them() -> None:
    async def whole() -> None:
        house = await open_house()
        refused = await put_agent(house, PROJECT, {"name": "", "model": {}})
        assert isinstance(refused, Refusal)
        assert refused.code == "agent_refused"
        assert [found.path for found in refused.problems] == ["/name", "/model/provider", "/persona"]

    run(whole())


def test_what_another_project_published_is_unknown() -> None:
    async def whole() -> None:
        house = await open_house()
        await house.store.create_project("pepper", "Pepper", house.clock.now())
        world = await published_world(house)
        assert code_of(await begin_session(house, "pepper", world.work_id, 1)) == "world_unknown"
        assert code_of(await begin_session(house, PROJECT, world.work_id, 2)) == "world_unknown"

    run(whole())


def test_a_store_without_room_refuses_to_publish() -> None:
    async def whole() -> None:
        store = Troubled(MemoryStore())
        house = await open_house(store=store)
        store.fail_with(StorageFull("full"))
        assert code_of(await publish(house, PROJECT, PACKAGE, package_bytes())) == "storage_full"
        assert code_of(await put_agent(house, PROJECT, {"name": "A", "persona": "B", "model": {"provider": "test"}}))

    run(whole())
