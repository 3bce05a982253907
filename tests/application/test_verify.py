"""What verify says of stored sessions: that they hold, or the first beat and field that differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from storyworld.application.advance import advance
from storyworld.application.begin import Begun, begin_session, fork_session
from storyworld.application.house import House
from storyworld.application.ports import StorageUnavailable
from storyworld.application.verify import BEATS_PER_READ, verify_all, verify_session
from storyworld.core.errors import Refusal
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


async def _played(store: MemoryStore, beats: int) -> tuple[House, Begun]:
    house = await open_house(store=store)
    begun = await begun_session(house)
    for _ in range(beats):
        well(await advance(house, request_of(begun), ADVANCE))
    return house, begun


async def _verified(house: House, begun: Begun) -> Verification:
    return well(await verify_session(house, PROJECT, begun.session_id))


def test_a_session_longer_than_a_page_holds() -> None:
    async def whole() -> None:
        house, begun = await _played(MemoryStore(), BEATS_PER_READ + 1)
        verification = await _verified(house, begun)
        assert verification == Verification("full", BEATS_PER_READ + 2)
        assert (verification.ok, verification.end) == (True, "not_proven")

    run(whole())


@pytest.mark.parametrize(
    ("damage", "field"),
    [
        (lambda beat: replace(beat, record=b"\xff"), "record"),
        (lambda beat: replace(beat, record=b"[]"), "record"),
        (lambda beat: replace(beat, hash="sha256:0"), "hash"),
        (lambda beat: replace(beat, replies=b"[]"), "record"),
        (lambda beat: replace(beat, replies=b'{"replies":[]}'), "replyDigests"),
        (lambda beat: replace(beat, record=beat.record.replace(b"Aye.", b"Nay.")), "hash"),
    ],
    ids=[
        "no JSON",
        "no record",
        "another hash in its row",
        "replies of another shape",
        "replies gone",
        "a line changed",
    ],
)
def test_a_damaged_beat_is_named(damage: Callable[[Any], Any], field: str) -> None:
    async def whole() -> None:
        store = MemoryStore()
        house, begun = await _played(store, 3)
        rows = store._projects[PROJECT].sessions[begun.session_id]
        rows.beats[2] = damage(rows.beats[2])
        verification = await _verified(house, begun)
        assert verification.difference is not None
        assert (verification.beats, verification.difference.beat, verification.difference.field) == (2, 2, field)
        assert not verification.ok

    run(whole())


def test_a_forged_beat_whose_hash_was_made_anew_is_named() -> None:
    async def whole() -> None:
        store = MemoryStore()
        house, begun = await _played(store, 2)
        rewrite_beat(store, begun.session_id, 2, nodeId="boat")
        difference = (await _verified(house, begun)).difference
        assert difference is not None
        assert (difference.beat, difference.field, difference.expected, difference.found) == (
            2,
            "nodeId",
            "quay",
            "boat",
        )

    run(whole())


@pytest.mark.parametrize("gone", [0, 1, 2])
def test_a_missing_beat_is_named(gone: int) -> None:
    async def whole() -> None:
        store = MemoryStore()
        house, begun = await _played(store, 2)
        del store._projects[PROJECT].sessions[begun.session_id].beats[gone]
        difference = (await _verified(house, begun)).difference
        assert difference is not None
        assert (difference.beat, difference.field) == (gone, "beat")

    run(whole())


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"hash": "sha256:0"}, "hash"),
        ({"status": "ended"}, "status"),
        ({"seed": 12}, "seed"),
        ({"episode_runs": 1}, "episodeRuns"),
        ({"state": b"{}"}, "state"),
        ({"state": b"\xff"}, "state"),
    ],
)
def test_a_head_that_is_not_what_the_beats_lead_to_is_named(changed: dict[str, Any], field: str) -> None:
    async def whole() -> None:
        store = MemoryStore()
        house, begun = await _played(store, 1)
        rows = store._projects[PROJECT].sessions[begun.session_id]
        rows.head = replace(rows.head, **changed)
        verification = await _verified(house, begun)
        assert verification.difference is not None
        assert (verification.beats, verification.difference.beat, verification.difference.field) == (1, 1, field)

    run(whole())


@pytest.mark.parametrize("heard", [[], [1, 2, 2], [1]])
def test_a_role_that_would_remember_other_beats_than_it_heard_is_named(heard: list[int]) -> None:
    async def whole() -> None:
        store = MemoryStore()
        house, begun = await _played(store, 2)
        assert (await _verified(house, begun)).ok
        store._projects[PROJECT].sessions[begun.session_id].seats["ben"] = heard
        difference = (await _verified(house, begun)).difference
        assert difference is not None
        assert (difference.beat, difference.field, difference.expected, difference.found) == (
            2,
            "memory of ben",
            [1, 2],
            heard,
        )

    run(whole())


def test_a_beat_that_is_committed_while_a_session_is_verified_is_no_difference() -> None:
    async def whole() -> None:
        store = Troubled(MemoryStore())
        house = await open_house(store=store)
        begun = await begun_session(house)
        well(await advance(house, request_of(begun), ADVANCE))

        async def play_on(method: str) -> None:
            if method == "remembered":
                store.trouble = None
                well(await advance(house, request_of(begun), ADVANCE))

        store.trouble = play_on
        assert await _verified(house, begun) == Verification("full", 2)
        assert await _verified(house, begun) == Verification("full", 3)

    run(whole())


def test_no_beat_is_made_on_a_head_that_cannot_be_read() -> None:
    async def whole() -> None:
        damages: list[dict[str, Any]] = [{"state": b"\xff"}, {"state": b"{}"}, {"record": b"5"}]
        for damage in damages:
            store = MemoryStore()
            house, begun = await _played(store, 1)
            rows = store._projects[PROJECT].sessions[begun.session_id]
            rows.head = replace(rows.head, **damage)
            assert code_of(await advance(house, request_of(begun), ADVANCE)) == "integrity_failed"

    run(whole())


def test_a_fork_is_verified_from_its_parents_first_beat() -> None:
    async def whole() -> None:
        store = MemoryStore()
        house, begun = await _played(store, 2)
        fork = well(await fork_session(house, PROJECT, begun.session_id, 1))
        assert await _verified(house, fork) == Verification("full", 3)
        rewrite_beat(store, begun.session_id, 1, lines=[])
        difference = (await _verified(house, fork)).difference
        assert difference is not None
        assert (difference.beat, difference.field) == (1, "lines")

    run(whole())


def test_every_session_is_verified_in_the_order_of_ids_whatever_becomes_of_one() -> None:
    async def whole() -> None:
        store = MemoryStore()
        house = await open_house(store=store)
        world = await published_world(house)
        sessions = [well(await begin_session(house, PROJECT, world.work_id, 1)) for _ in range(BEATS_PER_READ + 1)]
        rewrite_beat(store, sessions[1].session_id, 0, seats=["ada"])
        found = await verify_all(house, PROJECT)
        assert [session_id for session_id, _ in found] == sorted(begun.session_id for begun in sessions)
        failed = [session_id for session_id, told in found if isinstance(told, Refusal) or not told.ok]
        assert failed == [sessions[1].session_id]

    run(whole())


def test_a_session_whose_world_is_damaged_is_told_as_such() -> None:
    async def whole() -> None:
        store = MemoryStore()
        house, begun = await _played(store, 1)
        again = await open_house(store=store)
        for (kind, _), stored in store._projects[PROJECT].revisions.items():
            if kind.value == "world":
                stored[0] = replace(stored[0], content=b"{}")
        assert code_of(await verify_session(again, PROJECT, begun.session_id)) == "integrity_failed"
        # What was read before the damage is kept, and holds.
        assert (await _verified(house, begun)).ok

    run(whole())


def test_what_cannot_be_found_or_reached_is_refused() -> None:
    async def whole() -> None:
        store = Troubled(MemoryStore())
        house = await open_house(store=store)
        assert code_of(await verify_session(house, PROJECT, "ses_none")) == "session_unknown"
        store.fail_with(StorageUnavailable("away"))
        assert code_of(await verify_session(house, PROJECT, "ses_none")) == "storage_unavailable"

    run(whole())


def test_a_session_whose_world_is_gone_can_neither_be_verified_nor_forked() -> None:
    async def whole() -> None:
        store = MemoryStore()
        _, begun = await _played(store, 1)
        again = await open_house(store=store)
        revisions = store._projects[PROJECT].revisions
        for place in [place for place in revisions if place[0].value == "world"]:
            del revisions[place]
        assert code_of(await verify_session(again, PROJECT, begun.session_id)) == "world_unknown"
        assert code_of(await fork_session(again, PROJECT, begun.session_id, 0)) == "world_unknown"
        assert code_of(await advance(again, request_of(begun), ADVANCE)) == "world_unknown"

    run(whole())
