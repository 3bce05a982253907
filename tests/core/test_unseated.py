"""Beats without seats."""

from __future__ import annotations

from storyworld.core.session import Head
from storyworld.core.trigger import Turn
from storyworld.core.turn import Settled
from storyworld.core.unseated import next_run_id, open_fork, open_session
from tests.core.builders import NOW, StageHand, package, reply, story


def head_of(play: StageHand) -> Head:
    return play.head


def test_beat_0_opens_at_the_start_with_the_first_options_and_nothing_said() -> None:
    opened = open_session(story(), "ses_1", 7, NOW).record
    assert opened["trigger"] == {"kind": "opening", "worldRevisionDigest": "sha256:1", "seed": 7}
    assert (opened["beat"], opened["previousHash"], opened["nodeId"]) == (0, None, "yard")
    assert (opened["seats"], opened["lines"], opened["patch"]["status"]) == ([], [], "empty")
    assert [option["branchId"] for option in opened["branchOptions"]] == ["away"]


def test_a_fork_goes_on_after_its_parents_beat_with_the_same_state_and_seed() -> None:
    play = StageHand(story())
    play.turn(ada=reply("Note.", {"op": "addNote", "text": "mine"}))
    play.episode()
    fork = open_fork(play.story, head_of(play), "ses_2", NOW)
    assert fork.record["beat"] == 3
    assert fork.record["previousHash"] == play.head.hash
    assert fork.record["trigger"]["forkedFrom"] == {"sessionId": "ses_run", "beat": 2, "hash": play.head.hash}
    assert fork.record["trigger"]["seed"] == 7
    assert (fork.state, fork.status) == (play.state, "active")
    assert fork.record["episodeRun"] == {"episodeRunId": "run-1", "episodeId": "noon", "beatsUsed": 0}
    assert next_run_id(fork.head(7, 1)) == "run-2"


def test_a_fork_of_a_story_that_reached_an_ending_has_ended_and_offers_nothing() -> None:
    ending = [{"id": "fin", "title": "F", "description": "D", "conditions": ["beat >= 1"]}]
    play = StageHand(story(package(endings=ending, series=[])))
    assert isinstance(play.turn(Turn("advance")), Settled)
    fork = open_fork(play.story, head_of(play), "ses_2", NOW)
    assert (fork.status, fork.record["branchOptions"]) == ("ended", [])
