"""What ends a session, what ends an episode run, and in which order they are judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from storyworld.core import limits
from storyworld.core.ending import Closing, close_beat, end_session, keep_going, view_of
from storyworld.core.session import Story
from storyworld.core.state import EpisodeRun, State, initial_state
from tests.core.builders import package, story

OVERFLOW = "9007199254740991 * flags.depth * 2048 > 0"
"""It may be published, and cannot be evaluated once the depth is 1: the product is no 64-bit integer."""


def ending(ending_id: str, *conditions: str) -> dict[str, Any]:
    return {"id": ending_id, "title": ending_id, "description": "So it ends.", "conditions": list(conditions)}


def rule(ending_id: str, *conditions: str) -> dict[str, Any]:
    return {"endingId": ending_id, "conditions": list(conditions)}


def told(*endings: dict[str, Any], rules: Sequence[dict[str, Any]] = (), budget: int = 3) -> Story:
    episode = {
        "id": "noon",
        "title": "Noon",
        "objective": "Drink.",
        "startNodeId": "yard",
        "turnBudget": budget,
        "endingRules": list(rules),
    }
    return story(package(endings=list(endings), series=[episode]))


def state_of(tale: Story, *, used: int | None = None, **flags: Any) -> State:
    """The opening state with some flags set; `used` beats of the episode are played, or none is running."""
    start = initial_state(tale.package)
    run = None if used is None else EpisodeRun("run-1", "noon", used)
    return replace(start, flags={**start.flags, **flags}, episode=run)


def closed(tale: Story, *, beat: int = 1, has_seats: bool = True, used: int | None = None, **flags: Any) -> Closing:
    return close_beat(tale, state_of(tale, used=used, **flags), beat, has_seats=has_seats)


# Outside a run


def test_a_session_ends_when_all_conditions_of_an_ending_hold() -> None:
    tale = told(ending("dry", "beat >= 2", "!flags.open"))
    assert closed(tale, beat=1).status == "active"
    assert closed(tale, beat=2, open=True).ending is None
    end = closed(tale, beat=2)
    assert (end.status, end.ending, end.episode_run, end.state.ending_id) == (
        "ended",
        {"endingId": "dry"},
        None,
        "dry",
    )


def test_of_several_endings_the_first_declared_is_reached() -> None:
    tale = told(ending("never", "false"), ending("second", "true"), ending("third", "true"))
    assert closed(tale).ending == {"endingId": "second"}


def test_an_ending_without_conditions_never_happens_by_itself() -> None:
    assert closed(told(ending("by-hand"))).status == "active"


def test_a_beat_without_seats_can_end_the_session_too() -> None:
    assert closed(told(ending("dry", "beat == 1")), has_seats=False).ending == {"endingId": "dry"}


def test_an_ending_that_cannot_be_evaluated_does_not_happen_and_is_named() -> None:
    tale = told(ending("far", "true", OVERFLOW), ending("near", "flags.open"))
    quiet = closed(tale, depth=1)
    assert (quiet.status, quiet.failed) == ("active", ("/endings/0/conditions/1",))
    loud = closed(tale, depth=1, open=True)
    assert (loud.ending, loud.failed) == ({"endingId": "near"}, ("/endings/0/conditions/1",))


# Inside a run


def test_inside_a_run_only_the_rules_of_the_episode_judge() -> None:
    tale = told(ending("dry", "true"), ending("wet"), rules=[rule("wet", "flags.open")])
    running = closed(tale, used=0)
    assert (running.status, running.ending, running.state.ending_id) == ("active", None, None)
    assert running.episode_run == {"episodeRunId": "run-1", "episodeId": "noon", "beatsUsed": 1}
    assert running.state.episode == EpisodeRun("run-1", "noon", 1)


def test_a_rule_ends_the_run_and_not_the_session() -> None:
    tale = told(ending("dry", "true"), ending("wet"), rules=[rule("wet", "flags.open", "episodeBeat >= 2")])
    assert closed(tale, used=0, open=True).state.episode is not None
    done = closed(tale, used=1, open=True)
    assert (done.status, done.ending, done.state.episode, done.state.ending_id) == ("active", None, None, None)
    assert done.episode_run == {
        "episodeRunId": "run-1",
        "episodeId": "noon",
        "beatsUsed": 2,
        "ended": {"reason": "ending", "endingId": "wet"},
    }


def test_of_several_rules_the_first_that_holds_is_kept() -> None:
    tale = told(ending("a"), ending("b"), rules=[rule("b", "false"), rule("a", "true"), rule("b", "true")])
    record = closed(tale, used=0).episode_run
    assert record is not None
    assert record["ended"] == {"reason": "ending", "endingId": "a"}


def test_the_last_beat_of_its_budget_ends_a_run_without_an_ending() -> None:
    tale = told(ending("dry", "true"), budget=3)
    assert closed(tale, used=1).state.episode == EpisodeRun("run-1", "noon", 2)
    spent = closed(tale, used=2)
    assert (spent.status, spent.ending, spent.state.episode) == ("active", None, None)
    assert spent.episode_run == {
        "episodeRunId": "run-1",
        "episodeId": "noon",
        "beatsUsed": 3,
        "ended": {"reason": "turn_budget_used"},
    }


def test_an_ending_reached_in_the_last_beat_of_the_budget_is_kept() -> None:
    record = closed(told(ending("wet"), rules=[rule("wet", "true")], budget=1), used=0).episode_run
    assert record is not None
    assert record["ended"] == {"reason": "ending", "endingId": "wet"}


@pytest.mark.parametrize("budget", [1, limits.STORY_MAX_TURN_BUDGET.value])
def test_a_run_has_as_many_beats_as_its_budget(budget: int) -> None:
    tale = told(budget=budget)
    state, beats = state_of(tale, used=0), 0
    while state.episode is not None:
        beats += 1
        state = close_beat(tale, state, beats, has_seats=True).state
    assert beats == budget


def test_a_beat_without_seats_is_judged_in_a_run_and_does_not_count() -> None:
    tale = told(ending("wet"), rules=[rule("wet", "episodeBeat == 2")], budget=3)
    waiting = closed(tale, used=1, has_seats=False)
    assert waiting.state.episode == EpisodeRun("run-1", "noon", 1)
    by_event = closed(tale, used=2, has_seats=False)
    assert by_event.episode_run is not None
    assert by_event.episode_run["ended"] == {"reason": "ending", "endingId": "wet"}
    assert by_event.episode_run["beatsUsed"] == 2


def test_a_rule_that_cannot_be_evaluated_is_named_where_it_stands() -> None:
    tale = told(ending("wet"), rules=[rule("wet", "false"), rule("wet", OVERFLOW)])
    running = closed(tale, used=0, depth=1)
    assert running.failed == ("/series/0/endingRules/1/conditions/0",)
    assert closed(tale, used=2, depth=1).failed == ("/series/0/endingRules/1/conditions/0",)


def test_the_number_of_a_beat_in_its_run_counts_the_beat_itself_when_it_has_seats() -> None:
    tale = told()
    numbers = [
        view_of(tale, state_of(tale, used=used), 9, has_seats=has_seats).episode_beat
        for used, has_seats in ((None, True), (None, False), (0, False), (0, True), (2, True))
    ]
    assert numbers == [0, 0, 0, 1, 3]


# From outside


def test_ending_a_session_ends_its_run() -> None:
    tale = told()
    done = end_session(state_of(tale, used=2))
    assert (done.status, done.ending, done.state.episode) == ("ended", None, None)
    assert done.episode_run == {
        "episodeRunId": "run-1",
        "episodeId": "noon",
        "beatsUsed": 2,
        "ended": {"reason": "session_ended"},
    }


def test_ending_a_session_outside_a_run_leaves_its_state_as_it_was() -> None:
    state = state_of(told())
    assert end_session(state) == Closing(state, "ended", None, None)


def test_a_beat_in_which_nothing_is_judged_says_the_running_episode() -> None:
    tale = told(ending("dry", "true"))
    assert keep_going(state_of(tale)) == Closing(state_of(tale), "active", None, None)
    running = keep_going(state_of(tale, used=1), "ended")
    assert (running.status, running.state) == ("ended", state_of(tale, used=1))
    assert running.episode_run == {"episodeRunId": "run-1", "episodeId": "noon", "beatsUsed": 1}
