"""A beat is checked in one order, made once, stored before anyone is told, and finished whoever leaves."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from storyworld.application.advance import accept_event, advance, end_session, once, start_episode
from storyworld.application.commit import Committed
from storyworld.application.ports import IntegrityFailed, SchemaTooNew, StorageFull, StorageUnavailable, StoreError
from storyworld.application.verify import verify_session
from storyworld.core.call import Call
from storyworld.core.errors import Refusal
from storyworld.core.replay import Verification
from storyworld.store.memory import MemoryStore
from tests.application.playhouse import (
    PROJECT,
    Failing,
    Speaking,
    Told,
    Troubled,
    begun_session,
    code_of,
    open_house,
    request_of,
    run,
    well,
)

ADVANCE: dict[str, Any] = {"kind": "advance"}
SHOUT: dict[str, Any] = {"kind": "shout"}
NOWHERE: dict[str, Any] = {"kind": "choice", "branchId": "nowhere"}
BOARD: dict[str, Any] = {"kind": "choice", "branchId": "board"}
LIGHT: dict[str, Any] = {"op": "setFlag", "flagId": "lamp", "value": True}


class Held:
    """A performer's wait that the test ends; `reached` tells that the first call is under way."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self.released = asyncio.Event()

    async def wait(self, call: Call) -> None:
        self.reached.set()
        await self.released.wait()


def test_a_turn_is_a_beat_in_which_the_cast_speaks() -> None:
    async def whole() -> None:
        house = await open_house()
        begun = await begun_session(house)
        made = well(await advance(house, request_of(begun), {"kind": "message", "text": "Ahoy"}))
        assert [line["text"] for line in made.record["lines"]] == ["Aye.", "Aye."]
        assert (made.record["beat"], made.replayed) == (1, False)
        assert await verify_session(house, PROJECT, begun.session_id) == Verification("full", 2)

    run(whole())


def test_a_session_that_is_unknown_is_told_before_anything_else() -> None:
    async def whole() -> None:
        house = await open_house()
        begun = await begun_session(house)
        request = request_of(begun, answer=once("k", SHOUT), expected_beat=9)
        await house.store.create_project("pepper", "Pepper", house.clock.now())
        for elsewhere in (("pepper", begun.session_id), (PROJECT, "ses_none")):
            other = type(request)(*elsewhere, request.answer, None, 9)
            assert code_of(await advance(house, other, SHOUT)) == "session_unknown"

    run(whole())


def test_the_shape_of_a_trigger_is_judged_before_its_key() -> None:
    async def whole() -> None:
        house = await open_house()
        begun = await begun_session(house)
        well(await advance(house, request_of(begun, answer=once("k", ADVANCE)), ADVANCE))
        request = request_of(begun, answer=once("k", SHOUT), expected_beat=9)
        assert code_of(await advance(house, request, SHOUT)) == "trigger_refused"

    run(whole())


def test_a_stored_answer_wins_over_whatever_has_happened_since() -> None:
    async def whole() -> None:
        performer = Speaking()
        house = await open_house(performer)
        begun = await begun_session(house)
        request = request_of(begun, answer=once("k", NOWHERE | {"branchId": "board"}), expected_beat=0)
        first = well(await advance(house, request, BOARD))
        well(await end_session(house, request_of(begun)))
        calls = len(performer.calls)
        assert await advance(house, request, BOARD) == Committed(first.record, replayed=True)
        assert len(performer.calls) == calls
        other = request_of(begun, answer=once("k", ADVANCE), expected_beat=9)
        assert code_of(await advance(house, other, ADVANCE)) == "key_reused"
        fresh = request_of(begun, answer=once("new", NOWHERE), expected_beat=9)
        assert code_of(await advance(house, fresh, NOWHERE)) == "session_ended"

    run(whole())


def test_a_stale_beat_is_told_before_the_ids_of_the_trigger() -> None:
    async def whole() -> None:
        house = await open_house()
        begun = await begun_session(house)
        refused = await advance(house, request_of(begun, expected_beat=3), NOWHERE)
        assert isinstance(refused, Refusal)
        assert (refused.code, refused.facts) == ("stale_beat", {"beat": 0, "expectedBeat": 3})

    run(whole())


def test_the_ids_of_a_trigger_are_told_before_a_busy_session() -> None:
    async def whole() -> None:
        held = Held()
        house = await open_house(Speaking(before=held.wait))
        begun = await begun_session(house)
        running = asyncio.create_task(advance(house, request_of(begun, answer=once("k", ADVANCE)), ADVANCE))
        await held.reached.wait()
        refused = await advance(house, request_of(begun), NOWHERE)
        assert isinstance(refused, Refusal)
        assert (refused.code, [found.code for found in refused.problems]) == ("trigger_refused", ["branch_unknown"])
        assert code_of(await advance(house, request_of(begun), BOARD)) == "session_busy"
        assert code_of(await end_session(house, request_of(begun))) == "session_busy"
        same = request_of(begun, answer=once("k", ADVANCE), expected_beat=7)
        assert code_of(await advance(house, same, ADVANCE)) == "in_progress"
        held.released.set()
        assert well(await running).record["beat"] == 1
        assert well(await advance(house, same, ADVANCE)).replayed

    run(whole())


def test_two_requests_with_one_key_at_the_same_instant_make_one_beat() -> None:
    async def whole() -> None:
        held = Held()
        house = await open_house(Speaking(before=held.wait))
        begun = await begun_session(house)
        request = request_of(begun, answer=once("k", ADVANCE), expected_beat=0)
        both = [asyncio.create_task(advance(house, request, ADVANCE)) for _ in range(2)]
        await held.reached.wait()
        held.released.set()
        answers = await asyncio.gather(*both)
        assert sorted(answer.code if isinstance(answer, Refusal) else "made" for answer in answers) == [
            "in_progress",
            "made",
        ]

    run(whole())


def test_a_request_that_waited_while_its_twin_committed_is_given_the_twins_answer() -> None:
    async def whole() -> None:
        store = MemoryStore()
        slow, fast = await open_house(store=store), await open_house(store=store)
        begun = await begun_session(slow)
        request = request_of(begun, answer=once("k", ADVANCE), expected_beat=0)
        twin: list[Committed] = []

        async def commit_first(call: Call) -> None:
            if not twin:
                twin.append(well(await advance(fast, request, ADVANCE)))

        slow.performers = {"test": Speaking(before=commit_first)}
        assert await advance(slow, request, ADVANCE) == Committed(twin[0].record, replayed=True)

    run(whole())


def test_an_answer_that_came_just_before_the_reservation_is_given_and_costs_no_call() -> None:
    async def whole() -> None:
        performer, store = Speaking(), MemoryStore()
        troubled = Troubled(store)
        house, other = await open_house(performer, store=troubled), await open_house(store=store)
        begun = await begun_session(other)
        request = request_of(begun, answer=once("k", ADVANCE), expected_beat=0)
        twin: list[Committed] = []

        async def be_faster(method: str) -> None:
            # The story is read after the key was looked up and before the session is reserved.
            if method == "revision" and not twin:
                twin.append(well(await advance(other, request, ADVANCE)))

        troubled.trouble = be_faster
        assert await advance(house, request, ADVANCE) == Committed(twin[0].record, replayed=True)
        assert performer.calls == []

    run(whole())


def test_the_beat_of_another_process_makes_this_one_stale() -> None:
    async def whole() -> None:
        store = MemoryStore()
        house, other = await open_house(store=store), await open_house(store=store)
        begun = await begun_session(house)

        async def be_faster(call: Call) -> None:
            if call.role_id == "ada":
                well(await advance(other, request_of(begun), ADVANCE))

        house.performers = {"test": Speaking(before=be_faster)}
        assert code_of(await advance(house, request_of(begun), ADVANCE)) == "stale_head"
        assert await verify_session(house, PROJECT, begun.session_id) == Verification("full", 2)

    run(whole())


def test_an_event_is_accepted_once_and_its_duplicate_is_given_the_same_beat() -> None:
    async def whole() -> None:
        performer = Speaking()
        house = await open_house(performer)
        begun = await begun_session(house)
        event = {"eventId": "e1", "type": "bell", "effects": [LIGHT]}
        request = request_of(begun, event=once("e1", event))
        first = well(await accept_event(house, request, event))
        assert (first.record["seats"], first.replayed) == (["ada", "ben"], False)
        calls = len(performer.calls)
        assert await accept_event(house, request, event) == Committed(first.record, replayed=True)
        assert len(performer.calls) == calls
        other = {**event, "type": "flood"}
        assert code_of(await accept_event(house, request_of(begun, event=once("e1", other)), other)) == "event_reused"

    run(whole())


def test_an_event_whose_effects_cannot_apply_leaves_its_id_unused() -> None:
    async def whole() -> None:
        house = await open_house()
        begun = await begun_session(house)
        event: dict[str, Any] = {"eventId": "e1", "type": "bell", "effects": [{**LIGHT, "value": 3}]}
        refused = await accept_event(house, request_of(begun, event=once("e1", event)), event)
        assert code_of(refused) == "effects_refused"
        mended = {**event, "effects": [LIGHT]}
        assert not well(await accept_event(house, request_of(begun, event=once("e1", mended)), mended)).replayed

    run(whole())


def test_a_misshapen_event_is_refused() -> None:
    async def whole() -> None:
        house = await open_house()
        begun = await begun_session(house)
        assert code_of(await accept_event(house, request_of(begun), {"type": "bell"})) == "trigger_refused"

    run(whole())


def test_an_ending_ends_the_session() -> None:
    async def whole() -> None:
        house = await open_house()
        begun = await begun_session(house)
        well(await advance(house, request_of(begun), BOARD))
        event = {"eventId": "e1", "type": "fire", "effects": [LIGHT]}
        made = well(await accept_event(house, request_of(begun, event=once("e1", event)), event))
        assert made.record["ending"] == {"endingId": "over"}
        assert code_of(await advance(house, request_of(begun), ADVANCE)) == "session_ended"
        assert code_of(await start_episode(house, request_of(begun), "one")) == "session_ended"

    run(whole())


def test_a_choice_that_was_not_offered_is_refused() -> None:
    async def whole() -> None:
        house = await open_house()
        begun = await begun_session(house)
        well(await advance(house, request_of(begun), BOARD))
        assert code_of(await advance(house, request_of(begun), BOARD)) == "branch_not_offered"

    run(whole())


def test_an_episode_run_is_counted_and_one_goes_at_a_time() -> None:
    async def whole() -> None:
        house = await open_house()
        begun = await begun_session(house)
        started = well(await start_episode(house, request_of(begun, answer=once("k", "one")), "one"))
        assert started.record["episodeRun"]["episodeRunId"] == "run-1"
        assert well(await start_episode(house, request_of(begun, answer=once("k", "one")), "one")).replayed
        assert code_of(await start_episode(house, request_of(begun), "one")) == "episode_running"
        assert code_of(await start_episode(house, request_of(begun), "two")) == "episode_unknown"
        for _ in range(2):
            well(await advance(house, request_of(begun), ADVANCE))
        again = well(await start_episode(house, request_of(begun), "one"))
        assert again.record["episodeRun"]["episodeRunId"] == "run-2"
        assert await verify_session(house, PROJECT, begun.session_id) == Verification("full", 5)

    run(whole())


def test_a_session_is_ended_by_whoever_asks_and_once() -> None:
    async def whole() -> None:
        house = await open_house()
        begun = await begun_session(house)
        ended = well(await end_session(house, request_of(begun)))
        assert ended.record["trigger"]["kind"] == "end"
        assert code_of(await end_session(house, request_of(begun))) == "session_ended"

    run(whole())


@pytest.mark.parametrize(("timed_out", "code"), [(False, "model_failed"), (True, "model_timeout")])
def test_a_turn_without_a_line_commits_nothing_and_frees_its_key(timed_out: bool, code: str) -> None:
    async def whole() -> None:
        house = await open_house(Failing(timed_out=timed_out))
        begun = await begun_session(house)
        request = request_of(begun, answer=once("k", ADVANCE))
        assert code_of(await advance(house, request, ADVANCE)) == code
        house.performers = {"test": Speaking()}
        made = well(await advance(house, request, ADVANCE))
        assert (made.record["beat"], made.replayed) == (1, False)

    run(whole())


def test_a_role_whose_provider_is_gone_is_skipped_like_one_whose_model_is_down() -> None:
    async def whole() -> None:
        house = await open_house()
        house.performers = {"test": Speaking(), "gone": Speaking()}
        begun = await begun_session(house, providers=("test", "gone"))
        house.performers = {"test": Speaking()}
        made = well(await advance(house, request_of(begun), ADVANCE))
        assert made.record["skippedRoles"] == [{"roleId": "ben", "code": "model_failed"}]
        assert await verify_session(house, PROJECT, begun.session_id) == Verification("full", 2)

    run(whole())


def test_a_person_speaks_with_the_turn_in_their_seat() -> None:
    async def whole() -> None:
        house = await open_house()
        begun = await begun_session(house, providers=("human", "test"))
        made = well(await advance(house, request_of(begun), {**ADVANCE, "lines": {"ada": {"line": "All aboard."}}}))
        assert [line["text"] for line in made.record["lines"]] == ["All aboard.", "Aye."]

    run(whole())


def test_a_beat_is_finished_though_whoever_asked_for_it_has_left() -> None:
    async def whole() -> None:
        held, told = Held(), Told()
        house = await open_house(Speaking(before=held.wait), watchers=(told,))
        begun = await begun_session(house)
        asking = asyncio.create_task(advance(house, request_of(begun), ADVANCE))
        await held.reached.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        held.released.set()
        await house.close()
        assert told.beats == [(PROJECT, begun.session_id, 1)]
        assert await verify_session(house, PROJECT, begun.session_id) == Verification("full", 2)

    run(whole())


def test_a_performer_that_is_broken_leaves_the_session_free() -> None:
    async def whole() -> None:
        async def fall(call: Call) -> None:
            raise RuntimeError("a bug")

        house = await open_house(Speaking(before=fall))
        begun = await begun_session(house)
        with pytest.raises(RuntimeError, match="a bug"):
            await advance(house, request_of(begun), ADVANCE)
        house.performers = {"test": Speaking()}
        assert well(await advance(house, request_of(begun), ADVANCE)).record["beat"] == 1

    run(whole())


def test_watchers_are_told_after_the_commit_and_once() -> None:
    async def whole() -> None:
        points: list[str] = []
        told = Told()
        house = await open_house(watchers=(told,), fail=points.append)
        begun = await begun_session(house)
        request = request_of(begun, answer=once("k", ADVANCE))
        well(await advance(house, request, ADVANCE))
        well(await advance(house, request, ADVANCE))
        assert told.beats == [(PROJECT, begun.session_id, 1)]
        assert points == ["K0", "K1", "K2.before", "K2.after", "K3.before", "K3.after", "K5", "K8", "K9"]

    run(whole())


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (StorageUnavailable("away"), "storage_unavailable"),
        (SchemaTooNew("newer"), "storage_unavailable"),
        (StorageFull("full"), "storage_full"),
        (IntegrityFailed("damaged"), "integrity_failed"),
    ],
)
@pytest.mark.parametrize("only", ["standing", "remembered", "append"])
def test_a_store_that_fails_is_told_and_nothing_has_changed(error: StoreError, code: str, only: str) -> None:
    async def whole() -> None:
        told = Told()
        store = Troubled(MemoryStore())
        house = await open_house(store=store, watchers=(told,))
        begun = await begun_session(house)
        request = request_of(begun, answer=once("k", ADVANCE))
        store.fail_with(error, only=only)
        assert code_of(await advance(house, request, ADVANCE)) == code
        store.trouble = None
        assert told.beats == []
        session = await house.project(PROJECT).session(begun.session_id)
        assert session is not None
        assert session.beat == 0
        made = well(await advance(house, request, ADVANCE))
        assert (made.record["beat"], made.replayed) == (1, False)

    run(whole())


def test_an_answer_whose_beat_is_missing_is_damage() -> None:
    async def whole() -> None:
        store = MemoryStore()
        house = await open_house(store=store)
        begun = await begun_session(house)
        request = request_of(begun, answer=once("k", ADVANCE))
        well(await advance(house, request, ADVANCE))
        store._projects[PROJECT].sessions[begun.session_id].beats.pop()
        assert code_of(await advance(house, request, ADVANCE)) == "integrity_failed"

    run(whole())
