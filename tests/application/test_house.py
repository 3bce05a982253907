"""What requests share: stories that were read, which are bounded."""

from __future__ import annotations

from storyworld.application.begin import begin_session
from storyworld.application.house import STORIES_KEPT_MAX
from storyworld.application.ports import WorkKind
from storyworld.application.publish import publish
from storyworld.core.canonical import read_stored
from storyworld.store.memory import MemoryStore
from tests.application.playhouse import (
    PROJECT,
    WORLD,
    Troubled,
    open_house,
    published_world,
    put_actor,
    run,
    well,
    world_of,
)


def test_a_story_is_read_once_and_forgotten_when_many_others_were_read() -> None:
    async def whole() -> None:
        store = Troubled(MemoryStore())
        house = await open_house(store=store)
        world = await published_world(house)
        stored = await house.project(PROJECT).revision(WorkKind.WORLD, world.work_id, 1)
        assert stored is not None
        package_id = read_stored(stored.content)["packageId"]
        agents = {"ada": await put_actor(house), "ben": await put_actor(house)}
        read: list[str] = []

        async def count(method: str) -> None:
            if method == "revision":
                read.append(method)

        for _ in range(STORIES_KEPT_MAX):
            well(await publish(house, PROJECT, WORLD, world_of(package_id, agents), world.work_id))
        store.trouble = count
        for revision in range(1, STORIES_KEPT_MAX + 1):
            well(await begin_session(house, PROJECT, world.work_id, revision))
        kept = len(read)
        well(await begin_session(house, PROJECT, world.work_id, 1))
        assert len(read) == kept
        well(await begin_session(house, PROJECT, world.work_id, STORIES_KEPT_MAX + 1))
        well(await begin_session(house, PROJECT, world.work_id, 1))
        assert len(read) == kept + 2
        well(await begin_session(house, PROJECT, world.work_id, 2))
        assert len(read) == kept + 4

    run(whole())


def test_closing_twice_is_harmless() -> None:
    async def whole() -> None:
        house = await open_house()
        await house.close()
        await house.close()

    run(whole())
