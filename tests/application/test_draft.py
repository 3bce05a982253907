"""Which beats a draft covers, and how one that cannot be made is refused."""

from __future__ import annotations

from typing import Any

import pytest

from storyworld.application.advance import advance, start_episode
from storyworld.application.begin import Begun, fork_session
from storyworld.application.draft import DraftRequest, ScriptDraft, draft_session
from storyworld.application.house import House
from storyworld.core import limits
from storyworld.store.memory import MemoryStore
from tests.application.playhouse import PROJECT, begun_session, code_of, open_house, request_of, run, well
from tests.application.rows import rewrite_beat

ADVANCE = {"kind": "advance"}


async def _played(beats: int, store: MemoryStore | None = None) -> tuple[House, Begun]:
    house = await open_house(store=store or MemoryStore())
    begun = await begun_session(house)
    for _ in range(beats):
        well(await advance(house, request_of(begun), ADVANCE))
    return house, begun


async def _drafted(house: House, session_id: str, **request: Any) -> ScriptDraft:
    return well(await draft_session(house, PROJECT, session_id, DraftRequest(**request)))


async def _refused(house: House, session_id: str, **request: Any) -> str:
    return code_of(await draft_session(house, PROJECT, session_id, DraftRequest(**request)))


def _beats(drafted: ScriptDraft) -> list[int | None]:
    return sorted({element.beat for element in drafted.screenplay.elements}, key=lambda beat: beat or 0)


def test_without_a_range_the_whole_session_is_drafted() -> None:
    async def whole() -> None:
        house, begun = await _played(3)
        drafted = await _drafted(house, begun.session_id)
        assert (drafted.from_beat, drafted.to_beat, _beats(drafted)) == (0, 3, [0, 1, 2, 3])
        assert drafted.screenplay.source == f"session {begun.session_id}, beats 0 to 3"

    run(whole())


def test_a_range_covers_its_first_and_its_last_beat_and_says_where_it_plays() -> None:
    async def whole() -> None:
        house, begun = await _played(4)
        drafted = await _drafted(house, begun.session_id, from_beat=2, to_beat=3)
        assert (drafted.session_id, _beats(drafted)) == (begun.session_id, [2, 3])
        assert drafted.screenplay.elements[0].text == "The harbour - The quay"

    run(whole())


@pytest.mark.parametrize("bounds", [(2, 1), (-1, 2), (0, 4), (4, None)])
def test_beats_that_the_session_does_not_have_are_refused(bounds: tuple[int, int | None]) -> None:
    async def whole() -> None:
        house, begun = await _played(3)
        refused = await _refused(house, begun.session_id, from_beat=bounds[0], to_beat=bounds[1])
        assert refused == "draft_range_unknown"

    run(whole())


def test_an_episode_run_is_drafted_from_its_start_to_its_end() -> None:
    async def whole() -> None:
        house, begun = await _played(2)
        request = request_of(begun)
        well(await start_episode(house, request, "one"))
        for _ in range(3):
            well(await advance(house, request_of(begun), ADVANCE))
        first = 3
        drafted = await _drafted(house, begun.session_id, episode_run_id="run-1")
        assert (drafted.from_beat, drafted.to_beat) == (first, first + 2)
        assert await _refused(house, begun.session_id, episode_run_id="run-2") == "episode_run_unknown"

    run(whole())


def test_beats_and_a_run_together_are_refused() -> None:
    async def whole() -> None:
        house, begun = await _played(1)
        refused = await _refused(house, begun.session_id, to_beat=1, episode_run_id="run-1")
        assert refused == "draft_range_and_run"

    run(whole())


def test_an_unknown_session_is_refused() -> None:
    async def whole() -> None:
        house = await open_house()
        assert await _refused(house, "ses_none") == "session_unknown"

    run(whole())


def test_a_draft_covers_500_beats_and_no_more() -> None:
    async def whole() -> None:
        most = limits.SCRIPT_DRAFT_MAX_BEATS.value
        house, begun = await _played(most)
        assert len(_beats(await _drafted(house, begun.session_id, from_beat=1))) == most
        assert len(_beats(await _drafted(house, begun.session_id, to_beat=most - 1))) == most
        refused = await draft_session(house, PROJECT, begun.session_id, DraftRequest())
        assert code_of(refused) == "draft_too_long"
        assert refused.facts == {"limit": most, "actual": most + 1}  # type: ignore[union-attr]

    run(whole())


def test_a_fork_is_drafted_with_the_beats_of_its_parent() -> None:
    async def whole() -> None:
        house, begun = await _played(2)
        fork = well(await fork_session(house, PROJECT, begun.session_id, 1))
        drafted = await _drafted(house, fork.session_id)
        assert (drafted.from_beat, drafted.to_beat, _beats(drafted)[:2]) == (0, 2, [0, 1])

    run(whole())


@pytest.mark.parametrize("damage", [{"nodeId": "nowhere"}, {"lines": None}], ids=["no such node", "no lines"])
def test_a_damaged_beat_is_told_as_damage(damage: dict[str, Any]) -> None:
    async def whole() -> None:
        store = MemoryStore()
        house, begun = await _played(3, store)
        rewrite_beat(store, begun.session_id, 2, **damage)
        assert await _refused(house, begun.session_id) == "integrity_failed"

    run(whole())


def test_a_beat_that_is_missing_is_told_as_damage() -> None:
    async def whole() -> None:
        store = MemoryStore()
        house, begun = await _played(3, store)
        del store._projects[PROJECT].sessions[begun.session_id].beats[2]
        assert await _refused(house, begun.session_id) == "integrity_failed"

    run(whole())


def test_a_story_that_is_gone_is_refused() -> None:
    async def whole() -> None:
        store = MemoryStore()
        _, begun = await _played(1, store)
        store._projects[PROJECT].revisions.clear()
        other = await open_house(store=store)
        assert await _refused(other, begun.session_id) == "world_unknown"

    run(whole())
