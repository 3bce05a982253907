"""Replay verification names the first beat and field that differ, and never fails for a damaged log."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from storyworld.core.beat import record_hash
from storyworld.core.call import Failure, Performance
from storyworld.core.deliberation import Candidate, Deliberation, commit_candidate
from storyworld.core.replay import Difference, Verification, Worldline
from storyworld.core.session import Story
from storyworld.core.stage import Stage, open_beat
from storyworld.core.story import read_package
from storyworld.core.trigger import HumanLine, Turn
from storyworld.core.turn import Settled, play_through
from storyworld.core.unseated import open_fork
from storyworld.core.world import read_world
from tests.core.builders import NOW, USAGE, StageHand, reply, story

Beats = list[tuple[dict[str, Any], list[dict[str, Any]]]]
RECORDED = sorted((Path(__file__).parent.parent / "replays").glob("*.json"))


def played() -> tuple[Story, Beats]:
    """A session with every kind of beat."""
    play = StageHand(story(humans=["cy"], subscriptions={"ada": ["bell"]}))
    play.turn(Turn("message", text="Hello."), ada=reply("the rope is cut", {"op": "addNote", "text": "said it"}))
    play.episode()
    play.event("bell", {"op": "setFlag", "flagId": "open", "value": True}, data={"n": 1})
    play.turn(Turn("choice", branch_id="away", lines={"cy": HumanLine("Bye.")}), ben=Failure("down", USAGE))
    play.turn(ada=reply("No.", {"op": "fly"}))
    play.end()
    assert len(play.beats) == 7
    return play.story, copy.deepcopy([(dict(record), list(map(dict, replies))) for record, replies in play.beats])


def check(told: Story, beats: Beats) -> Difference | None:
    worldline = Worldline(told)
    for record, replies in beats:
        found = worldline.check(record, replies)
        if found is not None:
            return found
    return None


def test_a_session_of_every_kind_of_beat_holds() -> None:
    told, beats = played()
    worldline = Worldline(told)
    assert [worldline.check(record, replies) for record, replies in beats] == [None] * 7
    assert (worldline.level, worldline.beats) == ("full", 7)
    assert worldline.head is not None
    assert worldline.head.status == "ended"


OTHER: dict[str, Any] = {
    "trigger": {"kind": "advance"},
    "seats": ["ada"],
    "lines": [],
    "patch": {"status": "empty", "operations": []},
    "skippedRoles": [],
    "branchOptions": [],
    "moreBranchOptions": 4,
    "nodeId": "road",
    "ending": {"endingId": "wet"},
    "episodeRun": {"episodeRunId": "run-9", "episodeId": "noon", "beatsUsed": 0},
    "conditionsFailed": [{"path": "/x"}],
    "reveals": [],
    "memoryLeftOut": {"ada": 1},
    "repairs": [{"roleId": "ada", "code": "cut"}],
    "leftOut": [{"roleId": "ada", "code": "cut"}],
    "promptDigests": {},
    "stateDigest": "sha256:00",
}


@pytest.mark.parametrize("name", sorted(OTHER))
def test_an_edited_field_is_found_by_its_hash_and_by_name_where_the_hash_was_made_anew(name: str) -> None:
    told, beats = played()
    record = beats[1][0]
    record[name] = OTHER[name]
    found = check(told, beats)
    assert found is not None
    assert (found.beat, found.field) == (1, "hash")
    record["hash"] = record_hash(record)
    found = check(told, beats)
    assert found is not None
    assert found.beat == 1
    expected = {"trigger": "lines", "promptDigests": "promptDigests"}.get(name, name)
    assert found.field in (name, expected, "trigger", "seats", "promptDigests", "record")


@pytest.mark.parametrize("name", ["usage", "createdAt"])
def test_what_only_the_world_knew_is_covered_by_the_hash(name: str) -> None:
    told, beats = played()
    beats[1][0][name] = [] if name == "usage" else "2001-01-01T00:00:00.000Z"
    found = check(told, beats)
    assert found is not None
    assert found.field == "hash"


def test_an_edited_dropped_or_added_reply_is_named() -> None:
    for change in ("edit", "drop", "add"):
        told, beats = played()
        replies = beats[1][1]
        if change == "edit":
            replies[0]["text"] = "{}"
        elif change == "drop":
            replies.pop()
        else:
            replies.append({"roleId": "dot", "text": "{}", "cut": False})
        found = check(told, beats)
        assert found is not None
        assert (found.beat, found.field) == (1, "replyDigests")


def test_a_missing_repeated_or_swapped_beat_is_named_by_its_number() -> None:
    told, beats = played()
    missing, repeated, swapped = beats[:2] + beats[3:], beats[:2] + beats[1:], [beats[0], beats[2], beats[1]]
    for damaged, beat in ((missing, 2), (repeated, 2), (swapped, 1)):
        found = check(told, damaged)
        assert found is not None
        assert (found.beat, found.field) == (beat, "beat")


def test_a_beat_of_another_line_breaks_the_chain() -> None:
    told, beats = played()
    beats[2][0]["previousHash"] = beats[0][0]["hash"]
    found = check(told, beats)
    assert found is not None
    assert (found.beat, found.field) == (2, "previousHash")


def test_an_extra_field_with_a_good_hash_is_found() -> None:
    told, beats = played()
    record = beats[0][0]
    record["extra"] = 1
    record["hash"] = record_hash(record)
    found = check(told, beats)
    assert found is not None
    assert found.field == "hash"


def test_a_beat_that_the_rules_would_refuse_is_named_by_its_trigger() -> None:
    told, beats = played()
    record = beats[4][0]
    record["trigger"] = {"kind": "choice", "branchId": "back"}
    record["hash"] = record_hash(record)
    found = check(told, beats)
    assert found is not None
    assert (found.beat, found.field, found.expected) == (4, "trigger", "branch_not_offered")


@pytest.mark.parametrize(
    "trigger", [{"kind": "opening"}, {"kind": "message"}, {}, {"kind": "choice", "branchId": "away", "lines": 3}]
)
def test_a_record_that_no_rules_made_is_a_difference_and_no_exception(trigger: dict[str, Any]) -> None:
    told, beats = played()
    record = beats[1][0]
    record["trigger"] = trigger
    record["hash"] = record_hash(record)
    found = check(told, beats)
    assert found is not None
    assert found.beat == 1
    assert found.to_json()["field"] == found.field


def test_a_worldline_must_begin_with_an_opening() -> None:
    told, beats = played()
    record = beats[0][0]
    record["trigger"] = {"kind": "end"}
    record["hash"] = record_hash(record)
    found = check(told, beats)
    assert found is not None
    assert (found.beat, found.field) == (0, "record")


def test_of_beats_under_rules_that_this_build_lacks_only_the_chain_is_checked() -> None:
    told, beats = played()
    previous = None
    for record, _ in beats:
        record["rulesVersion"] = 99
        record["previousHash"] = previous
        record["hash"] = previous = record_hash(record)
    worldline = Worldline(told)
    assert [worldline.check(record, replies) for record, replies in beats] == [None] * 7
    assert (worldline.level, worldline.head, worldline.beats) == ("chain", None, 7)
    beats[3][0]["nodeId"] = "shaft"
    found = check(told, beats)
    assert found is not None
    assert found.field == "hash"


def test_a_fork_is_verified_through_its_parent() -> None:
    play = StageHand(story())
    play.turn()
    fork = open_fork(play.story, play.head, "ses_2", NOW)
    beats = [*play.beats, (fork.record, fork.replies)]
    worldline = Worldline(play.story)
    assert [worldline.check(record, replies) for record, replies in beats] == [None] * 3
    assert worldline.head is not None
    assert (worldline.head.session_id, worldline.head.beat) == ("ses_2", 2)


def test_a_beat_of_a_deliberation_that_asked_for_fewer_seats_is_replayed_with_as_many() -> None:
    play = StageHand(story())
    asked = Deliberation(Turn("advance"), 1, 1)
    candidate = Candidate("dlb_1", 1, 0, play.head.hash, asked, {"ada": Performance(reply("Alone."), USAGE)})
    settled = commit_candidate(play.story, play.head, {}, candidate, NOW)
    assert isinstance(settled, Settled)
    worldline = Worldline(play.story)
    assert worldline.check(*play.beats[0]) is None
    assert worldline.check(settled.record, settled.replies) is None


def test_no_deliberation_is_replayed_with_more_seats_than_a_beat_has() -> None:
    play = StageHand(story())
    stage = open_beat(play.story, play.head, Turn("advance"), seats_max=4)
    assert isinstance(stage, Stage)
    made = {"deliberationId": "dlb_1", "candidate": 1}
    settled = play_through(stage, {}, lambda _call: Performance(reply("Four!"), USAGE), NOW, deliberation=made)
    assert isinstance(settled, Settled)
    found = check(play.story, [(dict(play.record), []), (settled.record, list(map(dict, settled.replies)))])
    assert found == Difference(1, "seats", ["ada", "ben", "cy"], ["ada", "ben", "cy", "dot"])


def test_an_answer_says_whether_all_holds_how_much_was_checked_and_that_the_end_is_not_proven() -> None:
    assert Verification("full", 4).to_json() == {"ok": True, "level": "full", "end": "not_proven", "beats": 4}
    found = Difference(2, "hash", "a", "b")
    assert Verification("chain", 2, found).to_json()["firstDifference"] == found.to_json()
    assert not Verification("chain", 2, found).ok


def test_every_past_prompt_can_be_shown_again() -> None:
    play = StageHand(story())
    play.turn()
    play.turn()
    shown: dict[tuple[int, str], object] = {}

    def keep(beat: int, role_id: str, prompt: object) -> None:
        shown[(beat, role_id)] = prompt

    worldline = Worldline(play.story, on_prompt=keep)
    for record, replies in play.beats:
        assert worldline.check(record, replies) is None
    assert shown == {place: call.prompt for place, call in play.seats.items()}


def test_recorded_sessions_are_there() -> None:
    assert len(RECORDED) >= 3


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_recorded_session_still_holds(path: Path) -> None:
    recorded = json.loads(path.read_text("utf-8"))
    told = Story(read_package(recorded["package"]), read_world(recorded["world"]), recorded["worldDigest"])
    worldline = Worldline(told)
    for beat in recorded["beats"]:
        assert worldline.check(beat["record"], beat["replies"]) is None
    assert (worldline.level, worldline.beats) == ("full", len(recorded["beats"]))
