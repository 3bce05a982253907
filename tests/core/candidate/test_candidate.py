"""What a script makes: roles, scenes, nodes, branches, where each comes from, and what was left out."""

from __future__ import annotations

from typing import Any

import pytest

from storyworld.core.candidate import Candidate, candidate_of
from storyworld.core.content import judge_package
from storyworld.core.script import LeftOut, Lines
from tests.core.candidate.script_makers import listed, said, script, titled


def _left(candidate: Candidate) -> list[tuple[str, int]]:
    return [(entry.code, entry.lines.first) for entry in candidate.left_out]


def _named(candidate: Candidate, what: str, field: str = "title") -> list[Any]:
    return [item[field] for item in candidate.content[what]]


TWO_SCENES = script(
    titled("title", "The Ferry"),
    titled("draft date", "1 May"),
    titled("author", "Nobody"),
    ("scene_heading", "EXT. QUAY - NIGHT"),
    ("synopsis", "Ada will not cross."),
    ("action", "Fog. ADA coils a rope."),
    *said("ADA", "No."),
    ("transition", "CUT TO:"),
    ("scene_heading", "INT. BOAT - NIGHT"),
    *said("BEN", "Row."),
    *said("ADA", "You row."),
    ("note", "Too short?"),
)


def test_a_script_makes_a_package_that_can_be_published() -> None:
    candidate = candidate_of(TWO_SCENES)
    assert judge_package(candidate.content).problems == ()
    assert candidate.content["title"] == "The Ferry"
    assert candidate.content["source"] == {"title": "The Ferry", "version": "1 May"}
    assert candidate.content["startNodeId"] == "node-1"


def test_each_scene_makes_a_node_and_branches_lead_through_them_in_order() -> None:
    candidate = candidate_of(TWO_SCENES)
    assert _named(candidate, "scenes") == _named(candidate, "nodes") == ["EXT. QUAY - NIGHT", "INT. BOAT - NIGHT"]
    assert _named(candidate, "scenes", "description") == ["Fog. ADA coils a rope.", "INT. BOAT - NIGHT"]
    assert _named(candidate, "nodes", "objective") == ["Ada will not cross.", "INT. BOAT - NIGHT"]
    assert [(one["fromNodeId"], one["toNodeId"], one["label"]) for one in candidate.content["branches"]] == [
        ("node-1", "node-2", "INT. BOAT - NIGHT")
    ]


def test_roles_are_those_who_speak_with_what_the_script_says_where_they_enter() -> None:
    candidate = candidate_of(TWO_SCENES)
    assert _named(candidate, "roles", "id") == ["ada", "ben"]
    assert _named(candidate, "roles", "description") == ["ADA coils a rope.", "BEN"]


def test_every_part_names_its_lines() -> None:
    sources = candidate_of(TWO_SCENES).sources
    assert sources["/title"] == [[1, 1]]
    assert sources["/source"] == [[1, 2]]
    assert sources["/roles/0"] == [[7, 8], [13, 14]]
    assert sources["/roles/0/description"] == [[6, 6]]
    assert sources["/roles/1/description"] == []
    assert sources["/scenes/0"] == [[4, 4]]
    assert sources["/scenes/0/description"] == [[6, 6]]
    assert sources["/nodes/0"] == [[4, 8]]
    assert sources["/nodes/0/objective"] == [[5, 5]]
    assert sources["/nodes/1"] == [[9, 15]]
    assert sources["/branches/0"] == [[10, 10]]
    assert sources["/language"] == []


def test_what_became_nothing_is_listed_in_order_and_in_words() -> None:
    candidate = candidate_of(
        script(
            titled("title", "T"),
            titled("author", "Nobody"),
            ("action", "House lights down."),
            listed("A MUTE"),
            ("scene_heading", "INT. A"),
            *said("ANN", "Oh."),
            *said("ALL", "Oh!"),
            ("note", "Cut?"),
            left_out=(LeftOut("script_markup_left_out", Lines(11, 12)),),
        )
    )
    assert _left(candidate) == [
        ("script_title_field_left_out", 2),
        ("script_front_matter_left_out", 3),
        ("script_cast_entry_left_out", 4),
        ("script_speech_of_several_left_out", 8),
        ("script_note_left_out", 10),
        ("script_markup_left_out", 11),
    ]
    assert candidate.to_json()["leftOut"][-1] == {
        "lines": [11, 12],
        "code": "script_markup_left_out",
        "message": "A mark for typesetting was left out.",
    }
    assert _named(candidate, "roles", "name") == ["ANN"]


def test_thirty_speakers_make_thirty_roles_and_judging_says_that_they_are_too_many() -> None:
    speeches = [part for number in range(30) for part in said(f"GUARD {number}", "Halt.")]
    candidate = candidate_of(script(("scene_heading", "INT. GATE"), *speeches))
    assert len(candidate.content["roles"]) == 30
    assert "roles exceeds 24" in [problem.message for problem in judge_package(candidate.content).problems]


def test_a_long_description_is_kept_whole_and_judging_says_that_it_is_too_long() -> None:
    candidate = candidate_of(script(("scene_heading", "INT. A"), ("action", "x" * 501), *said("ANN", "Oh.")))
    messages = [problem.message for problem in judge_package(candidate.content).problems]
    assert messages == ["scenes/0/description exceeds 500 characters"]


def test_a_script_in_which_nobody_speaks_makes_no_roles() -> None:
    candidate = candidate_of(script(("scene_heading", "INT. A"), ("action", "Silence.")))
    assert candidate.content["roles"] == []
    assert [problem.path for problem in judge_package(candidate.content).problems] == ["/roles"]


def test_a_script_of_nothing_but_front_matter_makes_an_empty_candidate() -> None:
    candidate = candidate_of(script(("action", "Prose.")), named="prose")
    assert (candidate.content["title"], candidate.content["nodes"]) == ("prose", [])
    assert "startNodeId" not in candidate.content
    assert candidate_of(script(("action", "Prose."))).content["title"] == ""
    only_a_plan = candidate_of(script(("section", "Act 1"), ("synopsis", "They meet.")))
    assert _left(only_a_plan) == [("script_front_matter_left_out", 1), ("script_front_matter_left_out", 2)]


@pytest.mark.parametrize(("named", "title"), [("my-play", "my-play"), (None, "INT. A")])
def test_a_script_without_a_title_is_called_as_its_file_or_its_first_heading(named: str | None, title: str) -> None:
    candidate = candidate_of(script(("scene_heading", "INT. A"), *said("ANN", "Oh.")), named=named)
    assert candidate.content["title"] == title
    assert candidate.sources["/title"] == ([] if named else [[1, 1]])


def test_a_script_without_a_date_is_cited_by_its_digest() -> None:
    one, other = (
        candidate_of(script(("scene_heading", "INT. A"), *said("ANN", text))).content["source"]["version"]
        for text in ("Oh.", "Ah.")
    )
    assert one.startswith("sha256:")
    assert one != other


def test_a_place_that_comes_again_is_one_scene_with_two_nodes() -> None:
    again = (("scene_heading", "INT. A"), *said("ANN", "Oh."), ("scene_heading", "INT. B"), ("scene_heading", "INT. A"))
    candidate = candidate_of(script(*again))
    assert _named(candidate, "scenes") == ["INT. A", "INT. B"]
    assert _named(candidate, "nodes", "sceneId") == ["scene-1", "scene-2", "scene-1"]
    assert candidate.sources["/scenes/0"] == [[1, 1], [5, 5]]
    assert len(candidate_of(script(*again, format="plain")).content["scenes"]) == 3


def test_a_scene_of_a_play_is_called_after_its_act() -> None:
    candidate = candidate_of(
        script(
            ("section", "ACT I"),
            ("scene_heading", "SCENE I"),
            *said("ANN", "Oh."),
            ("section", "ACT II"),
            ("section 2", "Part 1"),
            ("scene_heading", "SCENE I"),
            *said("ANN", "Ah."),
            format="plain",
        )
    )
    assert _named(candidate, "nodes") == ["ACT I · SCENE I", "ACT II · Part 1 · SCENE I"]
    assert _named(candidate, "scenes") == _named(candidate, "nodes")
    assert candidate.sources["/nodes/1"] == [[5, 9]]


def test_speech_before_any_heading_is_a_scene_and_so_is_a_section_without_one() -> None:
    candidate = candidate_of(
        script(
            titled("title", "Loose"),
            *said("ANN", "Oh."),
            ("section", "Part 2"),
            ("synopsis", "Ann leaves."),
            ("note", "soon"),
            *said("ANN", "Bye."),
            ("section", "Part 3"),
            ("action", "An empty stage."),
        )
    )
    assert _named(candidate, "nodes") == ["Loose", "Part 2"]
    assert _named(candidate, "nodes", "objective") == ["Loose", "Ann leaves."]
    assert candidate.sources["/nodes/1"] == [[4, 10]]
    assert candidate.sources["/scenes/0"] == []


def test_a_synopsis_of_a_section_is_the_purpose_of_its_first_scene() -> None:
    candidate = candidate_of(
        script(
            ("section", "Act 1"),
            ("synopsis", "They meet."),
            ("scene_heading", "INT. A"),
            ("transition", "FADE IN:"),
            ("synopsis", "Later."),
            *said("ANN", "Oh."),
            ("transition", "OUT."),
            ("synopsis", "She goes."),
            ("action", "She goes."),
            ("scene_heading", "INT. B"),
        )
    )
    assert _named(candidate, "nodes", "objective") == ["Later.\nShe goes.", "Act 1 · INT. B"]
    told = candidate_of(script(("section", "Act 1"), ("synopsis", "They meet."), ("scene_heading", "INT. A")))
    assert _named(told, "nodes", "objective") == ["They meet."]
    assert told.sources["/nodes/0/objective"] == [[2, 2]]


def test_a_direction_after_somebody_spoke_does_not_describe_the_place() -> None:
    candidate = candidate_of(
        script(("scene_heading", "INT. A"), ("note", "n"), *said("ANN", "Oh."), ("action", "She goes."))
    )
    assert _named(candidate, "scenes", "description") == ["INT. A"]


def test_who_comes_does_not_describe_the_place() -> None:
    entering = (("action", "Enter ANN and lords."), ("action", "A wood near Athens."))
    candidate = candidate_of(script(("scene_heading", "SCENE I"), *entering, *said("ANN", "Oh."), format="plain"))
    assert _named(candidate, "scenes", "description") == ["A wood near Athens."]


def test_a_declared_language_is_taken_and_another_told_from_the_text() -> None:
    declared = script(titled("language", "fr"), ("scene_heading", "INT. A"), *said("ANN", "Oh."))
    assert candidate_of(declared).content["language"] == "fr"
    assert candidate_of(declared).sources["/language"] == [[1, 1]]
    read = script(("scene_heading", "INT. A"), *said("ANN", "Oh."), language="de")
    assert candidate_of(read).content["language"] == "de"
