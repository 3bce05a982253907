"""Sessions begin at an opening beat, and fork at any beat that was committed."""

from __future__ import annotations

from dataclasses import replace

from storyworld.application.advance import accept_event, advance, once, start_episode
from storyworld.application.begin import begin_session, fork_session
from storyworld.application.commit import Committed
from storyworld.application.ports import StorageUnavailable
from storyworld.application.verify import verify_session
from storyworld.core.canonical import canonical_bytes, read_stored
from storyworld.core.replay import Verification
from storyworld.store.memory import MemoryStore
from tests.application.playhouse import (
    PROJECT,
    Troubled,
    begun_session,
    code_of,
    open_house,
    published_world,
    request_of,
    run,
    well,
)
from tests.application.rows import rewrite_beat

ADVANCE = {"kind": "advance"}


def test_a_session_begins_with_its_opening_committed() -> None:
    async def whole() -> None:
        house = await open_house()
        begun = await begun_session(house)
        session = await house.project(PROJECT).session(begun.session_id)
        assert session is not None
        assert (session.beat, session.hash) == (0, begun.opening["hash"])
        assert begun.opening["trigger"]["kind"] == "opening"
        assert [option["branchId"] for option in begun.opening["branchOptions"]] == ["board"]

    run(whole())


def test_a_seed_is_taken_as_given_else_drawn_and_told() -> None:
    async def whole() -> None:
        house = await open_house()
        world = await published_world(house)
        drawn = well(await begin_session(house, PROJECT, world.work_id, 1))
        given = well(await begin_session(house, PROJECT, world.work_id, 1, seed=0))
        assert (drawn.seed, given.seed) == (11, 0)
        assert given.opening["trigger"]["seed"] == 0

    run(whole())


def test_a_fork_continues_the_story_and_leaves_its_parent_alone() -> None:
    async def whole() -> None:
        house = await open_house()
        begun = await begun_session(house)
        event = {"eventId": "e1", "type": "bell", "effects": [{"op": "setFlag", "flagId": "lamp", "value": True}]}
        rung = well(await accept_event(house, request_of(begun, event=once("e1", event)), event))
        well(await start_episode(house, request_of(begun), "one"))
        well(await advance(house, request_of(begun, answer=once("k", ADVANCE)), ADVANCE))
        fork = well(await fork_session(house, PROJECT, begun.session_id, 2))
        assert fork.seed == begun.seed
        trigger = fork.opening["trigger"]
        assert (fork.opening["beat"], trigger["forkedFrom"]["beat"]) == (3, 2)
        assert fork.opening["episodeRun"]["episodeRunId"] == "run-1"
        # The events of its past are known, the keys of its parent are not.
        again = well(await accept_event(house, request_of(fork, event=once("e1", event)), event))
        assert again == Committed(rung.record, replayed=True)
        made = well(await advance(house, request_of(fork, answer=once("k", ADVANCE)), ADVANCE))
        assert (made.replayed, made.record["beat"]) == (False, 4)
        assert await verify_session(house, PROJECT, fork.session_id) == Verification("full", 5)
        parent = await house.project(PROJECT).session(begun.session_id)
        assert parent is not None
        assert parent.beat == 3

    run(whole())


def test_only_a_committed_beat_can_be_forked() -> None:
    async def whole() -> None:
        house = await open_house()
        begun = await begun_session(house)
        assert code_of(await fork_session(house, PROJECT, begun.session_id, 1)) == "beat_unknown"
        assert code_of(await fork_session(house, PROJECT, begun.session_id, -1)) == "beat_unknown"
        assert code_of(await fork_session(house, PROJECT, "ses_none", 0)) == "session_unknown"

    run(whole())


def test_a_beat_of_rules_that_are_gone_is_not_forked() -> None:
    async def whole() -> None:
        store = MemoryStore()
        house = await open_house(store=store)
        begun = await begun_session(house)
        rewrite_beat(store, begun.session_id, 0, rulesVersion="0")
        assert code_of(await fork_session(house, PROJECT, begun.session_id, 0)) == "rules_unknown"
        assert await verify_session(house, PROJECT, begun.session_id) == Verification("chain", 1)

    run(whole())


def test_a_damaged_beat_is_not_forked() -> None:
    async def whole() -> None:
        store = MemoryStore()
        house = await open_house(store=store)
        begun = await begun_session(house)
        well(await advance(house, request_of(begun), ADVANCE))
        rows = store._projects[PROJECT].sessions[begun.session_id]
        whole_rows = list(rows.beats)
        for damaged in (
            [replace(whole_rows[0], record=b"\xff"), whole_rows[1]],
            [replace(whole_rows[0], replies=b'{"replies":[{"roleId":"ada"}]}'), whole_rows[1]],
            [whole_rows[0]],
        ):
            rows.beats[:] = damaged
            assert code_of(await fork_session(house, PROJECT, begun.session_id, 1)) == "integrity_failed"
        record = read_stored(whole_rows[1].record)
        rows.beats[:] = [whole_rows[0], replace(whole_rows[1], record=canonical_bytes({**record, "nodeId": "boat"}))]
        assert code_of(await fork_session(house, PROJECT, begun.session_id, 1)) == "integrity_failed"

    run(whole())


def test_a_session_of_a_damaged_world_or_package_does_not_begin() -> None:
    async def whole() -> None:
        for place in ("package", "world"):
            store = MemoryStore()
            house = await open_house(store=store)
            world = await published_world(house)
            revisions = store._projects[PROJECT].revisions
            for (kind, _), stored in revisions.items():
                if kind.value == place:
                    stored[0] = replace(stored[0], content=stored[0].content.replace(b"Ferry", b"Fairy"))
            assert code_of(await begin_session(house, PROJECT, world.work_id, 1)) == "integrity_failed"

    run(whole())


def test_a_package_that_was_exchanged_does_not_play() -> None:
    async def whole() -> None:
        store = MemoryStore()
        house = await open_house(store=store)
        world = await published_world(house)
        for (kind, _), stored in store._projects[PROJECT].revisions.items():
            if kind.value == "package":
                stored[0] = replace(stored[0], digest="sha256:0")
        assert code_of(await begin_session(house, PROJECT, world.work_id, 1)) == "integrity_failed"

    run(whole())


def test_a_world_whose_package_is_gone_does_not_play() -> None:
    async def whole() -> None:
        store = MemoryStore()
        house = await open_house(store=store)
        world = await published_world(house)
        revisions = store._projects[PROJECT].revisions
        for place in [place for place in revisions if place[0].value == "package"]:
            del revisions[place]
        assert code_of(await begin_session(house, PROJECT, world.work_id, 1)) == "package_unknown"

    run(whole())


def test_a_store_that_cannot_be_reached_refuses_to_begin_and_to_fork() -> None:
    async def whole() -> None:
        store = Troubled(MemoryStore())
        house = await open_house(store=store)
        begun = await begun_session(house)
        store.fail_with(StorageUnavailable("away"))
        assert code_of(await fork_session(house, PROJECT, begun.session_id, 0)) == "storage_unavailable"
        assert code_of(await begin_session(house, PROJECT, "wld_new", 1)) == "storage_unavailable"

    run(whole())
