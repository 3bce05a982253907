"""Before the first call of a beat: the trigger acts, or nothing happens and it is said why."""

from __future__ import annotations

from typing import Any

import pytest

from storyworld.core.errors import Refusal
from storyworld.core.trigger import Event, HumanLine, Turn
from storyworld.core.turn import Settled
from storyworld.core.world import Settings
from tests.core.builders import CONTENT, StageHand, package, reply, story

SUBSCRIBED = {"ada": ["bell"], "cy": ["bell"]}


def refused(made: object) -> Refusal:
    assert isinstance(made, Refusal)
    return made


def settled(made: object) -> dict[str, Any]:
    assert isinstance(made, Settled), made
    return made.record


def hand(**world: Any) -> StageHand:
    return StageHand(story(**world))


def test_a_choice_is_taken_before_anyone_speaks_and_the_prompts_of_its_beat_hold_no_options() -> None:
    play = hand()
    record = settled(play.turn(Turn("choice", branch_id="away")))
    assert record["nodeId"] == "road"
    kinds = [section.kind for section in play.seats[(1, "ada")].prompt.sections]
    assert "options" not in kinds
    assert "Walk away" in play.prompt(1, "ada")


def test_a_choice_that_the_last_beat_did_not_report_is_branch_not_offered() -> None:
    play = hand()
    answer = refused(play.turn(Turn("choice", branch_id="back")))
    assert (answer.code, answer.facts) == ("branch_not_offered", {"branchId": "back", "offered": ["away"]})
    assert len(play.beats) == 1


def test_a_choice_that_would_break_a_rule_is_rule_broken_and_commits_nothing() -> None:
    ruled = [{"id": "stay", "text": "Nobody leaves.", "rule": '!visited("road")'}]
    play = StageHand(story(package(constraints=ruled)))
    answer = refused(play.turn(Turn("choice", branch_id="away")))
    assert (answer.code, answer.facts) == ("rule_broken", {"path": "/constraints/0/rule"})


def test_effects_of_an_event_apply_before_the_woken_roles_are_prompted() -> None:
    play = hand(subscriptions=SUBSCRIBED)
    record = settled(play.event("bell", {"op": "setFlag", "flagId": "open", "value": True}, data={"how": "loud"}))
    assert record["seats"] == ["ada", "cy"]
    assert record["patch"]["operations"] == []
    assert record["trigger"]["effects"] == [{"op": "setFlag", "flagId": "open", "value": True}]
    assert "open (boolean) = true" in play.prompt(1, "ada")
    assert '{"how":"loud"}' in play.prompt(1, "ada")


def test_effects_are_all_or_nothing_and_the_one_at_fault_is_named() -> None:
    play = hand()
    good, bad = {"op": "setFlag", "flagId": "open", "value": True}, {"op": "setFlag", "flagId": "open", "value": 3}
    answer = refused(play.event("bell", good, bad))
    assert answer.code == "effects_refused"
    assert [(found.path, found.code) for found in answer.problems] == [("/effects/1/value", "flag_type")]
    assert play.state.flags["open"] is False


def test_effects_that_would_break_a_rule_are_refused() -> None:
    answer = refused(hand().event("bell", {"op": "setFlag", "flagId": "depth", "value": 9}))
    assert [(found.path, found.code) for found in answer.problems] == [("/constraints/1/rule", "rule_broken")]


def test_effects_commit_even_where_nobody_is_woken_and_every_role_is_not_subscribed() -> None:
    play = hand()
    record = settled(play.event("storm", {"op": "setFlag", "flagId": "depth", "value": 1}))
    assert record["seats"] == []
    assert {entry["code"] for entry in record["skippedRoles"]} == {"not_subscribed"}
    assert len(record["skippedRoles"]) == 4
    assert play.state.flags["depth"] == 1


def test_an_event_that_does_not_wake_has_neither_seats_nor_skipped_roles() -> None:
    record = settled(hand(subscriptions=SUBSCRIBED).event("bell", wake=False))
    assert (record["seats"], record["skippedRoles"], record["usage"]) == ([], [], [])


def test_an_event_can_take_a_reported_branch_and_then_no_prompt_holds_options() -> None:
    play = hand(subscriptions=SUBSCRIBED)
    record = settled(play.event("bell", {"op": "takeBranch", "branchId": "away"}))
    assert record["nodeId"] == "road"
    assert "options" not in [section.kind for section in play.seats[(1, "ada")].prompt.sections]


def test_in_a_directors_world_prompts_hold_no_options_but_choices_are_reported() -> None:
    play = hand(settings=Settings(branching="director"))
    record = settled(play.turn(ada=reply("Go.", {"op": "takeBranch", "branchId": "away"})))
    assert record["patch"]["rejected"]["code"] == "branching_director"
    assert [option["branchId"] for option in record["branchOptions"]] == ["away"]
    assert "options" not in [section.kind for section in play.seats[(1, "ada")].prompt.sections]


def test_a_line_for_a_human_role_without_a_seat_is_line_without_seat() -> None:
    play = hand(humans=["dot"])
    answer = refused(play.turn(Turn("advance", lines={"dot": HumanLine("Me too!")})))
    assert answer.code == "trigger_refused"
    assert [(found.code, found.path) for found in answer.problems] == [("line_without_seat", "/lines/dot")]


def test_an_ended_session_takes_no_turn_no_event_no_episode_and_no_end() -> None:
    play = hand()
    settled(play.end())
    for made in (play.turn(), play.turn(Event("e", "bell")), play.episode(), play.end()):
        assert refused(made).code == "session_ended"


def test_an_episode_starts_at_its_own_node_and_everything_else_goes_on() -> None:
    play = hand()
    settled(play.turn(Turn("choice", branch_id="away")))
    record = settled(play.episode())
    assert (record["nodeId"], record["seats"]) == ("yard", [])
    assert record["trigger"] == {"kind": "episode", "episodeId": "noon", "episodeRunId": "run-1"}
    assert record["episodeRun"] == {"episodeRunId": "run-1", "episodeId": "noon", "beatsUsed": 0}
    assert play.state.visited_nodes == ("yard", "road")


def test_a_second_run_is_episode_running_and_an_unknown_one_episode_unknown() -> None:
    play = hand()
    assert refused(play.episode("dusk")).code == "episode_unknown"
    settled(play.episode())
    answer = refused(play.episode())
    assert (answer.code, answer.facts) == ("episode_running", {"episodeRunId": "run-1"})


def test_an_episode_whose_start_breaks_a_rule_is_rule_broken() -> None:
    ruled = [{"id": "stay", "text": "Nobody leaves.", "rule": '!visited("road")'}]
    series = [{**CONTENT["series"][0], "startNodeId": "road"}]
    assert refused(StageHand(story(package(constraints=ruled, series=series))).episode()).code == "rule_broken"


@pytest.mark.parametrize("seats_max", [1, 2, 3])
def test_a_story_over_todays_limits_still_plays(seats_max: int) -> None:
    roles = [{"id": f"r{number}", "name": f"R{number}", "description": "D"} for number in range(30)]
    told = package(roles=roles, establishedFacts=[], initialRelations=[], flags=CONTENT["flags"])
    play = StageHand(story(told))
    record = settled(play.turn(Turn("advance", focus_roles=tuple(f"r{number}" for number in range(seats_max)))))
    assert len(record["seats"]) == seats_max
    assert len(record["skippedRoles"]) == 30 - seats_max
