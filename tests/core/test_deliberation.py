"""Deliberation: other draws, the same prompts, nothing committed until one is chosen."""

from __future__ import annotations

from typing import Any

import pytest

from storyworld.core import limits
from storyworld.core.call import Call, Performance
from storyworld.core.deliberation import Candidate, Deliberation, commit_candidate, open_deliberation, read_deliberation
from storyworld.core.errors import Refusal
from storyworld.core.stage import Stage
from storyworld.core.trigger import Turn
from storyworld.core.turn import Settled, play_through
from tests.core.builders import NOW, USAGE, StageHand, reply, story

ADVANCE = {"kind": "advance"}


def problems(value: object) -> list[tuple[str, str]]:
    answer = read_deliberation(value)
    assert isinstance(answer, Refusal)
    return [(found.path, found.message) for found in answer.problems]


def test_by_default_two_candidates_of_three_roles_are_worked_out() -> None:
    assert read_deliberation({"trigger": ADVANCE}) == Deliberation(Turn("advance"), 2, 3)
    assert list(Deliberation(Turn("advance")).numbers) == [1, 2]


@pytest.mark.parametrize(("candidates", "roles"), [(1, 1), (2, 3)])
def test_fewer_may_be_asked_for(candidates: int, roles: int) -> None:
    asked = read_deliberation({"trigger": ADVANCE, "candidates": candidates, "roles": roles})
    assert asked == Deliberation(Turn("advance"), candidates, roles)


def test_more_than_2_candidates_or_3_roles_are_refused_by_name() -> None:
    # DELIBERATION_MAX_CANDIDATES and DELIBERATION_MAX_ROLES, at the bound in the test above.
    over = {
        "trigger": ADVANCE,
        "candidates": limits.DELIBERATION_MAX_CANDIDATES.value + 1,
        "roles": limits.DELIBERATION_MAX_ROLES.value + 1,
    }
    assert problems(over) == [("/candidates", "candidates exceeds 2"), ("/roles", "roles exceeds 3")]
    assert [path for path, _ in problems({"trigger": ADVANCE, "candidates": 0, "roles": 0})] == [
        "/candidates",
        "/roles",
    ]


@pytest.mark.parametrize("value", [None, [], {}, {"trigger": 3}, {"trigger": {"kind": "fly"}}, {"trigger": {}}])
def test_a_misshapen_deliberation_is_trigger_refused(value: Any) -> None:
    assert problems(value)


def test_candidates_have_the_same_prompts_and_other_draws() -> None:
    play = StageHand(story())
    stage = open_deliberation(play.story, play.head, Deliberation(Turn("advance"), 2, 2))
    assert isinstance(stage, Stage)
    assert stage.seating.seats == ("ada", "ben")
    seen: list[list[Call]] = [[], []]
    for number in (1, 2):

        def answer(call: Call, calls: list[Call] = seen[number - 1]) -> Performance:
            calls.append(call)
            return Performance(reply("Same."), USAGE)

        assert isinstance(play_through(stage, {}, answer, NOW, candidate=number), Settled)
    assert [call.prompt for call in seen[0]] == [call.prompt for call in seen[1]]
    assert all(one.draw != other.draw for one, other in zip(*seen, strict=True))


def candidate(play: StageHand, **outcomes: Performance) -> Candidate:
    asked = Deliberation(Turn("advance", focus_roles=("ada",)), 1, 3)
    return Candidate("dlb_1", 2, play.head.beat, play.head.hash, asked, outcomes)


def test_a_candidate_is_committed_with_the_replies_it_was_worked_out_with() -> None:
    play = StageHand(story())
    settled = commit_candidate(
        play.story, play.head, {}, candidate(play, ada=Performance(reply("Chosen."), USAGE)), NOW
    )
    assert isinstance(settled, Settled)
    assert settled.record["lines"] == [{"roleId": "ada", "text": "Chosen."}]
    assert settled.record["deliberation"] == {"deliberationId": "dlb_1", "candidate": 2}


def test_a_candidate_for_an_older_beat_is_stale_deliberation() -> None:
    play = StageHand(story())
    kept = candidate(play)
    play.turn()
    answer = commit_candidate(play.story, play.head, {}, kept, NOW)
    assert isinstance(answer, Refusal)
    assert (answer.code, answer.facts) == ("stale_deliberation", {"beat": 1, "expectedBeat": 0})


def test_a_candidate_of_a_session_that_has_ended_is_refused() -> None:
    play = StageHand(story())
    play.end()
    answer = commit_candidate(play.story, play.head, {}, candidate(play), NOW)
    assert isinstance(answer, Refusal)
    assert answer.code == "session_ended"
