"""What a draft shows of beats, and what it never does."""

from __future__ import annotations

from typing import Any

import pytest

from storyworld.core.drafting import draft, outline
from storyworld.core.screenplay import CastMember, Element, ElementKind, Screenplay
from storyworld.core.trigger import Turn
from tests.core.builders import CONTENT, StageHand, package, reply, story

WELL_OPEN = {"op": "setFlag", "flagId": "open", "value": True}
DEEP = {"op": "setFlag", "flagId": "depth", "value": 3}
DOWN = {"op": "takeBranch", "branchId": "down"}
AWAY = {"op": "takeBranch", "branchId": "away"}


def _drafted(stage: StageHand, first: int = 0) -> Screenplay:
    records = [record for record, _ in stage.beats]
    before = records[first - 1]["nodeId"] if first else None
    return draft(stage.story.package, records[first:], node_before=before, source="a session")


def _of_beat(drafted: Screenplay, beat: int) -> list[tuple[str, str]]:
    return [(element.kind.value, element.text) for element in drafted.elements if element.beat == beat]


def test_a_draft_opens_with_the_place_and_has_each_line_below_its_cue() -> None:
    stage = StageHand(story())
    stage.turn(Turn("message", text="A bucket falls."), ada=reply("Who is there?", action="(turns round)"))
    drafted = _drafted(stage)
    assert _of_beat(drafted, 0) == [("scene_heading", "The farm - The yard"), ("action", "Dust.")]
    assert _of_beat(drafted, 1)[:5] == [
        ("action", "A bucket falls."),
        ("character", "Ada"),
        ("parenthetical", "turns round"),
        ("dialogue", "Who is there?"),
        ("character", "Ben"),
    ]
    assert {element.beat for element in drafted.elements} == {0, 1}
    assert drafted.cast == (CastMember("ada", "Ada"), CastMember("ben", "Ben"), CastMember("cy", "Cy"))
    assert (drafted.title, drafted.language, drafted.source) == ("The Well", "en", "a session")


def test_a_cue_and_its_speech_name_their_role() -> None:
    stage = StageHand(story())
    stage.turn(Turn("advance", focus_roles=("dot",)), dot=reply("Boo.", action="jumps"))
    spoken = [element for element in _drafted(stage).elements if element.beat == 1]
    assert [element.to_json() for element in spoken] == [
        {"kind": "character", "text": "Dot", "roleId": "dot", "beat": 1},
        {"kind": "parenthetical", "text": "jumps", "roleId": "dot", "beat": 1},
        {"kind": "dialogue", "text": "Boo.", "roleId": "dot", "beat": 1},
    ]


@pytest.mark.parametrize(
    ("action", "shown"),
    [("(sighs)", "sighs"), ("（叹气）", "叹气"), ("(a) and (b)", "(a) and (b)"), ("()", "()"), ("sighs", "sighs")],
)
def test_an_action_loses_only_brackets_that_hold_all_of_it(action: str, shown: str) -> None:
    stage = StageHand(story())
    stage.turn(None, ada=reply("Well.", action=action))
    assert ("parenthetical", shown) in _of_beat(_drafted(stage), 1)


def test_a_choice_is_told_and_the_beat_plays_where_it_leads() -> None:
    stage = StageHand(story())
    stage.turn(Turn("choice", branch_id="away"))
    told = _of_beat(_drafted(stage), 1)
    assert told[:2] == [("note", "→ Walk away"), ("scene_heading", "The farm - The road")]
    assert ("action", "Dust.") not in told


def test_a_branch_that_roles_took_is_told_once_and_the_next_beat_plays_there() -> None:
    stage = StageHand(story())
    stage.turn(None, ada=reply("Off we go.", AWAY), ben=reply("Yes.", AWAY))
    stage.turn()
    drafted = _drafted(stage)
    assert _of_beat(drafted, 1)[-1] == ("note", "→ Walk away")
    assert [kind for kind, _ in _of_beat(drafted, 1)].count("note") == 1
    assert _of_beat(drafted, 2)[0] == ("scene_heading", "The farm - The road")


def test_a_rejected_patch_takes_no_branch() -> None:
    stage = StageHand(story())
    stage.turn(None, ada=reply("Off we go.", AWAY, {"op": "setFlag", "flagId": "none", "value": 1}))
    assert "note" not in [kind for kind, _ in _of_beat(_drafted(stage), 1)]


def test_a_draft_of_later_beats_says_first_where_it_is() -> None:
    stage = StageHand(story())
    stage.turn(None, ada=reply("Off we go.", AWAY))
    stage.turn(Turn("message", text="Rain."))
    assert _of_beat(_drafted(stage, first=2), 2)[:3] == [
        ("scene_heading", "The farm - The road"),
        ("action", "Dust."),
        ("action", "Rain."),
    ]


def test_an_event_is_told_with_the_way_it_takes() -> None:
    stage = StageHand(story(subscriptions={"cy": ["storm"]}))
    stage.event("storm", AWAY)
    assert _of_beat(_drafted(stage), 1)[:3] == [
        ("note", "Event: storm"),
        ("note", "→ Walk away"),
        ("scene_heading", "The farm - The road"),
    ]


def test_an_ending_stands_below_the_beat_that_reached_it() -> None:
    stage = StageHand(story())
    stage.turn(None, ada=reply("Open.", WELL_OPEN, DEEP))
    stage.turn(None, ada=reply("Down.", DOWN))
    assert _of_beat(_drafted(stage), 2)[-3:] == [("centered", "Wet"), ("action", "Water."), ("centered", "THE END")]


def test_a_session_that_is_ended_from_outside_ends_without_an_ending() -> None:
    stage = StageHand(story())
    stage.turn()
    stage.end()
    assert _of_beat(_drafted(stage), 2) == [("centered", "THE END")]
    assert [element.kind for element in _drafted(stage, first=2).elements] == [ElementKind.CENTERED]


def test_an_episode_is_a_section_and_its_end_is_told() -> None:
    stage = StageHand(story())
    stage.episode()
    stage.turn(None, ada=reply("Open.", WELL_OPEN))
    stage.turn()
    drafted = _drafted(stage, first=1)
    assert _of_beat(drafted, 1)[:2] == [("section", "Noon"), ("scene_heading", "The farm - The yard")]
    assert _of_beat(drafted, 3)[-3:] == [("centered", "Wet"), ("action", "Water."), ("centered", "End of Noon")]


def test_an_episode_whose_budget_is_used_has_no_ending() -> None:
    stage = StageHand(story())
    stage.episode()
    for _ in range(3):
        stage.turn()
    drafted = _drafted(stage)
    assert _of_beat(drafted, 4)[-1] == ("centered", "End of Noon")
    assert ("centered", "Wet") not in _of_beat(drafted, 4)


@pytest.mark.parametrize(
    ("language", "end_of_story"),
    [("zh-Hans", "剧终"), ("zh", "剧终"), ("zh-TW", "劇終"), ("ja", "終"), ("ko-KR", "끝"), ("fr", "THE END")],
)
def test_the_end_is_said_in_the_language_of_the_story(language: str, end_of_story: str) -> None:
    stage = StageHand(story(package(language=language)))
    stage.end()
    assert _drafted(stage).elements[-1] == Element(ElementKind.CENTERED, end_of_story, None, 1)


def test_a_place_that_is_called_as_what_happens_there_is_named_once() -> None:
    nodes: list[dict[str, Any]] = [{"id": "yard", "sceneId": "farm", "title": "The farm", "objective": "Drink."}]
    stage = StageHand(story(package(nodes=nodes, branches=[], endings=[], series=[])))
    assert _drafted(stage).elements[0].text == "The farm"


def test_a_place_that_is_described_by_its_name_alone_is_not_described_again() -> None:
    scenes = [{"id": "farm", "title": "The farm", "description": "The farm"}]
    stage = StageHand(story(package(scenes=scenes)))
    assert _of_beat(_drafted(stage), 0) == [("scene_heading", "The farm - The yard")]
    assert "The farm" not in [element.text for element in outline(package(scenes=scenes)).elements]


def test_names_with_line_breaks_stand_on_one_line() -> None:
    roles = [{**CONTENT["roles"][0], "name": "Ada\nof the well"}]
    stage = StageHand(story(package(roles=roles, initialRelations=[], establishedFacts=[])))
    stage.turn()
    assert "Ada of the well" in [element.text for element in _drafted(stage).elements]


def test_two_roles_of_one_name_have_cues_that_tell_them_apart() -> None:
    members = (CastMember("ada", "Ann"), CastMember("ben", "Ann"), CastMember("cy", "Cy"))
    screenplay = Screenplay("Two Anns", "en", members, ())
    assert screenplay.cue_by_role == {"ada": "Ann (ada)", "ben": "Ann (ben)", "cy": "Cy"}
    assert screenplay.name_by_role["ben"] == "Ann"


def test_the_outline_of_a_story_has_its_nodes_and_ways_and_no_beats() -> None:
    told = [(element.kind.value, element.text) for element in outline(package()).elements]
    assert told[:7] == [
        ("section", "Noon"),
        ("synopsis", "Drink."),
        ("scene_heading", "The farm - The yard"),
        ("synopsis", "Find water."),
        ("action", "Dust."),
        ("note", "→ Climb down: The farm - The shaft"),
        ("note", "→ Walk away: The farm - The road"),
    ]
    assert told[-2:] == [("centered", "Never"), ("action", "By hand only.")]
    assert {element.beat for element in outline(package()).elements} == {None}
    assert Element(ElementKind.NOTE, "x").to_json() == {"kind": "note", "text": "x"}


def test_no_secret_goal_or_note_reaches_a_draft_or_an_outline() -> None:
    stage = StageHand(story())
    stage.turn(None, ada=reply("Hm.", {"op": "addNote", "text": "the rope is my doing"}))
    texts = "\n".join(element.text for element in (*_drafted(stage).elements, *outline(package()).elements))
    for hidden in ("rope", "bucket", "she saw Ben", "keep it shut", "Ada owes Ben"):
        assert hidden not in texts
