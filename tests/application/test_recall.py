"""What a process knows of the sessions that it moves is what another would read, and is read again where it is not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from storyworld.application.advance import accept_event, advance, end_session, once, start_episode
from storyworld.application.begin import Begun, begin_session, fork_session
from storyworld.application.house import House, head_of, record_of
from storyworld.application.ports import StoredSession
from storyworld.application.publish import publish
from storyworld.application.recall import SESSIONS_KEPT_MAX
from storyworld.application.verify import verify_session
from storyworld.core.replay import Verification
from storyworld.models.rehearsal import Rehearsal
from storyworld.store.memory import MemoryStore
from tests.application.playhouse import (
    PACKAGE,
    PROJECT,
    WORLD,
    Speaking,
    Troubled,
    begun_session,
    open_house,
    package_bytes,
    published_world,
    put_actor,
    request_of,
    run,
    well,
    world_of,
)

ADVANCE: dict[str, Any] = {"kind": "advance"}
MEMORY = 3
EPISODE = {"id": "one", "title": "One", "objective": "Cross.", "startNodeId": "quay", "turnBudget": 9}


async def stored(house: House, session_id: str) -> StoredSession:
    """The row of a session."""
    session = await house.project(PROJECT).session(session_id)
    assert session is not None
    return session


async def assert_known_as_read(house: House, session_id: str) -> None:
    """What the house knows of a session is what its rows say, type for type."""
    session = await stored(house, session_id)
    known = house.recall.of(PROJECT, session)
    assert known is not None
    assert repr(known.head) == repr(head_of(session))
    read = await house.project(PROJECT).remembered(session_id, list(known.memories), MEMORY)
    found = {role_id: [record_of(data) for data in records] for role_id, records in read.items()}
    assert {role_id: list(records) for role_id, records in known.memories.items()} == found


async def begun_forgetful(house: House) -> Begun:
    """Begin a session of the story without its ending, in a world where roles remember little."""
    package = well(await publish(house, PROJECT, PACKAGE, package_bytes(endings=[], series=[EPISODE])))
    agents = {"ada": await put_actor(house), "ben": await put_actor(house)}
    settings = {"memoryBeats": MEMORY}
    world = well(await publish(house, PROJECT, WORLD, world_of(package.work_id, agents, settings=settings)))
    return well(await begin_session(house, PROJECT, world.work_id, world.revision))


def counted(store: Troubled) -> list[str]:
    """The names of the store's methods, as they are called from now on."""
    called: list[str] = []

    async def count(method: str) -> None:
        called.append(method)

    store.trouble = count
    return called


def test_what_is_known_after_each_beat_is_what_another_process_would_read() -> None:
    async def whole() -> None:
        house = await open_house(Rehearsal())
        begun = await begun_forgetful(house)
        request = request_of(begun)
        for turn in range(6):
            well(await advance(house, request, {"kind": "message", "text": f"Turn {turn}. 潮水"}))
            await assert_known_as_read(house, begun.session_id)
        well(await start_episode(house, request, "one"))
        await assert_known_as_read(house, begun.session_id)
        event = {"eventId": "e1", "type": "bell", "effects": [{"op": "setFlag", "flagId": "lamp", "value": False}]}
        well(await accept_event(house, request_of(begun, event=once("e1", event)), event))
        await assert_known_as_read(house, begun.session_id)
        fork = well(await fork_session(house, PROJECT, begun.session_id, 4))
        for _ in range(3):
            well(await advance(house, replace(request, session_id=fork.session_id), ADVANCE))
            await assert_known_as_read(house, fork.session_id)
        well(await end_session(house, request))
        await assert_known_as_read(house, begun.session_id)

    run(whole())


def test_a_beat_after_a_beat_reads_its_session_once_and_no_memory() -> None:
    async def whole() -> None:
        store = Troubled(MemoryStore())
        house = await open_house(store=store)
        begun = await begun_session(house)
        called = counted(store)
        well(await advance(house, request_of(begun), ADVANCE))
        assert called == ["standing", "standing", "remembered", "append"]
        called.clear()
        well(await advance(house, request_of(begun), ADVANCE))
        assert called == ["standing", "append"]

    run(whole())


def test_a_session_that_another_process_has_moved_is_read_again() -> None:
    async def whole() -> None:
        store, performer = MemoryStore(), Speaking()
        house, other = await open_house(performer, store=store), await open_house(store=store)
        begun = await begun_forgetful(house)
        for turn in range(3):
            well(await advance(house, request_of(begun), ADVANCE))
            behind = {"kind": "message", "text": f"Behind your back, {turn}."}
            moved = well(await advance(other, request_of(begun), behind))
            performer.calls.clear()
            made = well(await advance(house, request_of(begun), ADVANCE))
            assert made.record["previousHash"] == moved.record["hash"]
            assert behind["text"] in repr(performer.calls[0].prompt)
            await assert_known_as_read(house, begun.session_id)
        assert await verify_session(house, PROJECT, begun.session_id) == Verification("full", 10)

    run(whole())


@pytest.mark.parametrize("field", ["state", "record", "episode_runs"])
def test_a_row_that_is_not_as_it_was_left_is_not_known(field: str) -> None:
    async def whole() -> None:
        store = MemoryStore()
        house = await open_house(store=store)
        begun = await begun_session(house)
        well(await advance(house, request_of(begun), ADVANCE))
        session = await stored(house, begun.session_id)
        changed: dict[str, Any] = {"state": session.state + b" ", "record": session.record + b" ", "episode_runs": 5}
        assert house.recall.of(PROJECT, session) is not None
        assert house.recall.of(PROJECT, replace(session, **{field: changed[field]})) is None
        assert house.recall.of("pepper", session) is None

    run(whole())


def test_the_session_that_was_moved_longest_ago_is_forgotten_first() -> None:
    async def whole() -> None:
        house = await open_house()
        world = await published_world(house)

        async def moved() -> Begun:
            begun = well(await begin_session(house, PROJECT, world.work_id, world.revision))
            well(await advance(house, request_of(begun), ADVANCE))
            return begun

        async def is_known(begun: Begun) -> bool:
            return house.recall.of(PROJECT, await stored(house, begun.session_id)) is not None

        first, second, third = [await moved() for _ in range(SESSIONS_KEPT_MAX)][:3]
        well(await advance(house, request_of(first), ADVANCE))
        await moved()
        assert [await is_known(begun) for begun in (first, second, third)] == [True, False, True]

    run(whole())
