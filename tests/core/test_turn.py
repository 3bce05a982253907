"""A beat from its seats to its record."""

from __future__ import annotations

from typing import Any

import pytest

from storyworld.core import limits
from storyworld.core.call import Failure, Performance, Usage
from storyworld.core.errors import Refusal
from storyworld.core.trigger import HumanLine, Turn
from storyworld.core.turn import Settled, storable
from storyworld.core.world import Settings
from tests.core.builders import SEED, USAGE, StageHand, package, reply, story

FAILED = Failure("refused", USAGE)
LATE = Failure("late", USAGE, timed_out=True)
OPEN = {"op": "setFlag", "flagId": "open", "value": True}


def settled(made: object) -> dict[str, Any]:
    assert isinstance(made, Settled), made
    return made.record


def hand(**world: Any) -> StageHand:
    return StageHand(story(**world))


def note(text: str) -> dict[str, Any]:
    return {"op": "addNote", "text": text}


def test_a_beat_makes_one_call_for_each_seat_and_three_at_most() -> None:
    play = hand()
    record = settled(play.turn())
    assert [entry["roleId"] for entry in record["usage"]] == ["ada", "ben", "cy"]
    assert len(play.seats) == limits.WORLD_TURN_MAX_MODEL_CALLS.value
    assert record["skippedRoles"] == [{"roleId": "dot", "code": "role_cap_reached"}]


def test_the_third_seat_hears_two_lines_and_the_first_none() -> None:
    play = hand()
    settled(play.turn(ada=reply("First!", action="She waves."), ben=reply("Second!")))
    assert limits.WORLD_TURN_MAX_LINES_HEARD.value == 2
    assert "First!" in play.prompt(1, "cy")
    assert "Second!" in play.prompt(1, "cy")
    assert "She waves." in play.prompt(1, "ben")
    assert "Second!" not in play.prompt(1, "ben")
    assert "lines" not in [section.kind for section in play.seats[(1, "ada")].prompt.sections]


def test_a_failed_call_skips_only_its_role_and_is_counted() -> None:
    record = settled(hand().turn(ben=FAILED))
    assert [line["roleId"] for line in record["lines"]] == ["ada", "cy"]
    assert {"roleId": "ben", "code": "model_failed"} in record["skippedRoles"]
    assert [entry["roleId"] for entry in record["usage"]] == ["ada", "ben", "cy"]
    assert "ben" in record["promptDigests"]
    assert "ben" not in record["replyDigests"]


def test_a_turn_without_any_line_commits_nothing_and_says_why_of_every_seat() -> None:
    play = hand()
    made = play.turn(ada=FAILED, ben="I would rather not.", cy=LATE)
    assert isinstance(made, Refusal)
    assert made.code == "model_failed"
    codes = [entry["code"] for entry in made.facts["skippedRoles"]]
    assert codes == ["model_failed", "reply_unusable", "model_failed"]
    assert len(play.beats) == 1


def test_a_turn_in_which_every_seat_timed_out_is_model_timeout() -> None:
    made = hand().turn(ada=LATE, ben=LATE, cy=LATE)
    assert isinstance(made, Refusal)
    assert made.code == "model_timeout"


def test_effects_of_an_event_commit_even_if_every_woken_role_fails() -> None:
    play = hand(subscriptions={"ada": ["bell"]})
    play.replies = {"ada": FAILED}
    record = settled(play.run.move(event_of("bell", OPEN)))
    assert record["lines"] == []
    assert {"roleId": "ada", "code": "model_failed"} in record["skippedRoles"]
    assert play.state.flags["open"] is True


def event_of(event_type: str, *effects: dict[str, Any]) -> Any:
    from storyworld.core.trigger import Event

    return Event("e-1", event_type, effects=effects)


def test_a_persons_line_is_spoken_in_its_declared_seat_and_heard_after_it() -> None:
    play = hand(humans=["ben"])
    lines = {"ben": HumanLine("I am real.", "He bows.", (note("they listen"),))}
    record = settled(play.turn(Turn("advance", lines=lines)))
    assert [line["roleId"] for line in record["lines"]] == ["ada", "ben", "cy"]
    assert record["lines"][1] == {"roleId": "ben", "text": "I am real.", "action": "He bows."}
    assert "I am real." in play.prompt(1, "cy")
    assert "I am real." not in play.prompt(1, "ada")
    assert [entry["roleId"] for entry in record["usage"]] == ["ada", "cy"]
    assert play.state.notes["ben"][0].text == "they listen"


def test_a_missing_person_is_awaited_while_others_speak_and_refused_when_nobody_does() -> None:
    play = hand(humans=["ben"])
    record = settled(play.turn())
    assert {"roleId": "ben", "code": "awaiting_human"} in record["skippedRoles"]
    made = play.turn(ada=FAILED, cy=FAILED)
    assert isinstance(made, Refusal)
    assert (made.code, made.facts["roleIds"]) == ("awaiting_human", ["ben"])


def test_a_prompt_that_fits_no_window_is_prompt_too_large_and_makes_no_call() -> None:
    play = hand(context_window=1030)
    made = play.turn()
    assert isinstance(made, Refusal)
    assert [entry["code"] for entry in made.facts["skippedRoles"]] == ["prompt_too_large"] * 3
    assert play.seats == {}


def test_the_oldest_memory_gives_way_to_the_window_and_the_beat_says_how_many() -> None:
    play = hand(context_window=2100)
    records = [settled(play.turn(ada=reply("word " * 60))) for _ in range(6)]
    assert records[-1]["memoryLeftOut"]["ada"] > 0
    assert "Beat 5" in play.prompt(6, "ada")
    assert "Beat 1\n" not in play.prompt(6, "ada")


def test_a_rejected_patch_keeps_the_lines_and_changes_nothing() -> None:
    play = hand()
    bad = {"op": "setFlag", "flagId": "open", "value": 7}
    record = settled(play.turn(ada=reply("Open.", OPEN), ben=reply("No.", bad)))
    assert record["patch"]["status"] == "rejected"
    assert record["patch"]["rejected"] == {"index": 1, "code": "flag_type", "path": "/value"}
    assert record["patch"]["operations"] == [{"proposer": "ada", **OPEN}, {"proposer": "ben", **bad}]
    assert len(record["lines"]) == 3
    assert play.state.flags["open"] is False


def test_the_proposer_at_fault_is_told_its_operation_and_code_the_others_only_that_it_fell() -> None:
    play = hand(settings=Settings(memory_beats=0))
    bad = {"op": "setFlag", "flagId": "nope", "value": 7}
    settled(play.turn(ada=reply("Open.", OPEN), ben=reply("No.", bad)))
    settled(play.turn())
    assert "flag_unknown" in play.prompt(2, "ben")
    assert '"flagId":"nope"' in play.prompt(2, "ben")
    assert "refused as a whole" in play.prompt(2, "ada")
    assert "flag_unknown" not in play.prompt(2, "ada")
    assert "refused" not in [section.kind for section in play.seats[(2, "cy")].prompt.sections]
    settled(play.turn())
    assert "refused" not in [section.kind for section in play.seats[(3, "ben")].prompt.sections]


def test_a_broken_rule_rejects_the_patch_with_no_index_and_every_proposer_hears_that_it_fell() -> None:
    play = hand()
    record = settled(play.turn(ada=reply("Down.", {"op": "setFlag", "flagId": "depth", "value": 9})))
    assert record["patch"]["rejected"] == {"index": None, "code": "rule_broken", "path": "/constraints/1/rule"}
    settled(play.turn())
    assert "refused as a whole" in play.prompt(2, "ada")


def test_an_unreadable_operation_rejects_the_patch_and_stands_as_unreadable() -> None:
    record = settled(hand().turn(ada=reply("Hm.", {"op": "fly"})))
    assert record["patch"]["operations"] == [{"proposer": "ada", "op": "unreadable"}]
    assert record["patch"]["rejected"]["code"] == "op_unknown"


def test_twenty_operations_of_a_beat_apply_and_the_twenty_first_rejects_them_all() -> None:
    play = hand()
    twenty = [note(f"note {number}") for number in range(limits.WORLD_PATCH_MAX_OPERATIONS.value)]
    assert settled(play.turn(ada=reply("Lots.", *twenty)))["patch"]["status"] == "applied"
    record = settled(hand().turn(ada=reply("Lots.", *twenty), ben=reply("More.", note("one"), note("two"))))
    assert record["patch"]["rejected"] == {"index": 20, "code": "operation_cap"}
    assert len(record["patch"]["operations"]) == 21
    assert record["leftOut"] == [{"roleId": "ben", "code": "operation_cap", "path": "/operations/1"}]


def test_the_effects_of_an_event_count_among_the_twenty() -> None:
    play = hand(subscriptions={"ada": ["bell"]})
    play.replies = {"ada": reply("Two.", note("one"), note("two"))}
    effects = [{"op": "addNote", "roleId": "ben", "text": f"{number}"} for number in range(19)]
    record = settled(play.run.move(event_of("bell", *effects)))
    assert record["patch"]["rejected"] == {"index": 1, "code": "operation_cap"}
    assert len(play.state.notes["ben"]) == 19
    assert "ada" not in play.state.notes


def test_the_same_branch_twice_is_agreement_and_two_branches_are_a_conflict() -> None:
    way = {"op": "takeBranch", "branchId": "away"}
    assert settled(hand().turn(ada=reply("Go.", way), ben=reply("Yes.", way)))["nodeId"] == "road"
    opened = package(
        flags=[{"id": "open", "description": "d", "type": "boolean", "initial": True}],
        constraints=[],
        endings=[],
        series=[],
    )
    play = StageHand(story(opened))
    down = {"op": "takeBranch", "branchId": "down"}
    record = settled(play.turn(ada=reply("Go.", way), ben=reply("No.", down)))
    assert record["patch"]["rejected"] == {"index": 1, "code": "branch_conflict", "path": "/branchId"}
    assert record["nodeId"] == "yard"


def test_a_role_may_tie_itself_to_whom_it_has_heard_in_this_beat_and_to_no_stranger() -> None:
    tie = {"op": "setRelation", "toRoleId": "ada", "kind": "envy", "value": 5}
    assert settled(hand().turn(cy=reply("Hm.", tie)))["patch"]["status"] == "applied"
    stranger = {**tie, "toRoleId": "dot"}
    assert settled(hand().turn(cy=reply("Hm.", stranger)))["patch"]["rejected"]["code"] == "not_yours"


def test_only_one_ending_is_reached_the_first_declared_and_then_no_options_are_left() -> None:
    both = [
        {"id": "first", "title": "F", "description": "D", "conditions": ["flags.open"]},
        {"id": "second", "title": "S", "description": "D", "conditions": ["flags.open"]},
    ]
    play = StageHand(story(package(endings=both, series=[])))
    record = settled(play.turn(ada=reply("Open.", OPEN)))
    assert (record["ending"], record["branchOptions"]) == ({"endingId": "first"}, [])
    assert play.head.status == "ended"
    assert play.state.ending_id == "first"


def test_inside_a_run_only_its_rules_judge_and_they_end_the_run_not_the_session() -> None:
    play = hand()
    settled(play.episode())
    settled(play.turn(ada=reply("Open.", OPEN, {"op": "setFlag", "flagId": "depth", "value": 5})))
    record = settled(play.turn(ada=reply("Down.", {"op": "takeBranch", "branchId": "down"})))
    assert record["nodeId"] == "shaft"
    assert record["episodeRun"]["ended"] == {"reason": "ending", "endingId": "wet"}
    assert (record["ending"], play.head.status, play.state.episode) == (None, "active", None)
    assert settled(play.turn())["ending"] == {"endingId": "wet"}


def test_the_last_beat_of_the_budget_ends_the_run_and_beats_without_seats_do_not_count() -> None:
    play = hand()
    settled(play.episode())
    settled(play.event("storm"))
    assert [settled(play.turn())["episodeRun"]["beatsUsed"] for _ in range(2)] == [1, 2]
    record = settled(play.turn())
    assert record["episodeRun"]["ended"] == {"reason": "turn_budget_used"}
    assert settled(play.turn())["episodeRun"] is None


def test_the_end_of_a_session_ends_its_run() -> None:
    play = hand()
    settled(play.episode())
    record = settled(play.end())
    assert record["episodeRun"]["ended"] == {"reason": "session_ended"}
    assert record["trigger"] == {"kind": "end"}


def test_a_condition_that_cannot_be_evaluated_is_false_and_named_once() -> None:
    faulty = [{"id": "never", "title": "N", "description": "D", "conditions": ["1 / flags.depth > 0"]}]
    record = settled(StageHand(story(package(endings=faulty, series=[]))).turn())
    assert record["conditionsFailed"] == [{"path": "/endings/0/conditions/0"}]


def test_a_role_that_tells_its_own_secret_reveals_it_and_a_strangers_is_no_reveal() -> None:
    record = settled(hand().turn(ada=reply("Fine: THE  rope is cut."), ben=reply("the rope is cut?")))
    assert record["reveals"] == [{"roleId": "ada", "secretIndex": 0}]
    acted = settled(hand().turn(ada=reply("Look.", action="shows that the rope is cut")))
    assert acted["reveals"] == [{"roleId": "ada", "secretIndex": 0}]


def test_what_was_mended_or_left_out_of_a_reply_stands_in_the_record_by_role() -> None:
    record = settled(hand().turn(ada='```json\n{"line": "Tea.", "mood": "calm"}\n```'))
    assert record["repairs"]
    assert record["repairs"][0]["roleId"] == "ada"
    assert [entry["roleId"] for entry in record["leftOut"]] == ["ada"]


def test_a_raw_reply_is_kept_as_a_store_can_keep_it() -> None:
    assert storable("a\0b\ud800c") == "a\ufffdb?c"
    play = hand()
    settled(play.turn(ada=Performance('{"line": "Hi\0"}', USAGE)))
    assert play.difference() is None


def test_cached_tokens_stand_in_the_usage_where_a_provider_tells_them() -> None:
    usage = Usage("p", "m", 10, 5, 1, 3, cached_tokens=8)
    record = settled(hand().turn(ada=Performance(reply("Hi."), usage)))
    assert record["usage"][0]["cachedTokens"] == 8
    assert "cachedTokens" not in record["usage"][1]
    assert "cached" not in str(record["usage"][2])


@pytest.mark.parametrize("memory_beats", [0, 12])
def test_the_same_seed_gives_the_same_lines_and_state_digests(memory_beats: int) -> None:
    def lines() -> list[Any]:
        play = hand(settings=Settings(memory_beats=memory_beats))
        for number in range(4):
            settled(play.turn(Turn("message", text=f"turn {number}"), ada=reply("Note.", note(f"n {number}"))))
        return [(record["lines"], record["stateDigest"], record["promptDigests"]) for record, _ in play.beats]

    assert lines() == lines()
    assert 0 <= SEED <= limits.SEED_MAX.value
