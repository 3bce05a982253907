"""The leak report finds a secret wherever it was not granted, and calls a confession no leak."""

from __future__ import annotations

from typing import Any

from storyworld.core.leaks import Leak, LeakReport, report_leaks
from storyworld.core.trigger import HumanLine, Turn
from tests.core.builders import CONTENT, StageHand, package, reply, story


def report(play: StageHand) -> LeakReport:
    return report_leaks(play.story, play.beats)


def found(play: StageHand) -> list[tuple[int, str, str, str | None]]:
    told = report(play)
    assert told.difference is None
    return [(leak.beat, leak.secret, leak.place, leak.role_id) for leak in told.leaks]


def test_a_session_that_tells_nothing_has_no_leak() -> None:
    play = StageHand(story())
    play.turn()
    play.turn()
    assert found(play) == []


def test_a_role_that_tells_its_own_secret_leaks_nothing_to_those_present_now_or_later() -> None:
    play = StageHand(story())
    play.turn(ada=reply("the rope is cut"))
    play.turn()
    assert found(play) == []
    assert report(play).knowledge.is_granted("cy", "ada/0")


def test_a_secret_told_again_to_someone_who_was_not_there_is_a_leak_in_line_and_prompt() -> None:
    play = StageHand(story())
    play.turn(Turn("advance", focus_roles=("ada", "ben")), ada=reply("the rope is cut"))
    play.turn(Turn("advance", focus_roles=("ben", "dot")), ben=reply("THE ROPE IS CUT, she says", action="points"))
    assert found(play) == [(2, "ada/0", "prompt", "dot"), (2, "ada/0", "line", "dot")]


def test_a_persons_confession_is_known_to_those_who_speak_after_it() -> None:
    play = StageHand(story(humans=["ada"]))
    play.turn(Turn("advance", lines={"ada": HumanLine("the rope is cut")}))
    assert found(play) == []


def test_a_secret_in_the_players_words_is_found_in_the_prompts_of_all_who_had_none() -> None:
    play = StageHand(story())
    play.turn(Turn("message", text="I heard that he sold the bucket"))
    assert found(play) == [
        (1, "ben/0", "prompt", "ada"),
        (1, "ben/0", "prompt", "cy"),
        (1, "ben/0", "draft", None),
    ]


def test_secrets_in_options_notes_and_facts_are_found() -> None:
    branches: list[dict[str, Any]] = [{**CONTENT["branches"][1], "label": "Say that she saw Ben"}]
    play = StageHand(story(package(branches=branches)))
    note = {"op": "addNote", "text": "he sold the bucket"}
    fact = {"op": "establishFact", "id": "f", "text": "the rope is cut", "knownBy": ["ben"]}
    play.turn(ada=reply("Hm.", note, fact))
    places = {leak[1:] for leak in found(play) if leak[2] != "prompt"}
    assert places == {("dot/0", "option", None), ("ben/0", "note", "ada"), ("ada/0", "fact", "ben")}


def test_a_log_that_does_not_hold_is_reported_up_to_there() -> None:
    play = StageHand(story())
    play.turn()
    record = dict(play.beats[1][0])
    record["nodeId"] = "road"
    told = report_leaks(play.story, [play.beats[0], (record, play.beats[1][1])])
    assert told.difference is not None
    assert told.difference.field == "hash"


def test_beats_of_unknown_rules_are_searched_for_what_they_show() -> None:
    from storyworld.core.beat import record_hash

    play = StageHand(story())
    play.turn(Turn("advance", focus_roles=("ada", "cy")), cy=reply("he sold the bucket"))
    previous = None
    beats = []
    for stored, replies in play.beats:
        record = {**stored, "rulesVersion": 99, "previousHash": previous}
        previous = record["hash"] = record_hash(record)
        beats.append((record, replies))
    leaks = report_leaks(play.story, beats).leaks
    assert [leak.to_json() for leak in leaks if leak.role_id == "ada"] == [
        {"beat": 1, "secret": "ben/0", "place": "line", "roleId": "ada"}
    ]
    assert Leak(1, "ben/0", "line", "cy") in leaks
