"""What an author is warned of, and that no warning claims what could be false."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from storyworld.core import limits
from storyworld.core.content import judge_package
from storyworld.core.errors import CATALOGUE, Kind, Problem
from storyworld.core.prompt_size import LargestPrompts
from storyworld.core.story import StoryPackage
from tests.core.package_makers import Content, of_bytes, whole, with_value


def branch(branch_id: str, start: str, end: str, *conditions: str, repeatable: bool = False) -> Content:
    return {
        "id": branch_id,
        "fromNodeId": start,
        "toNodeId": end,
        "label": "L",
        "conditions": list(conditions),
        "repeatable": repeatable,
    }


def story(nodes: str, branches: Sequence[Content] = (), **more: Any) -> Content:
    """A story over nodes of one letter, the first of which is the start. Its ending is possible."""
    return {
        "title": "T",
        "language": "en",
        "startNodeId": nodes[0],
        "roles": [{"id": "ada", "name": "Ada", "description": "D"}, {"id": "ben", "name": "Ben", "description": "D"}],
        "scenes": [{"id": "farm", "title": "T", "description": "D"}],
        "nodes": [{"id": node_id, "sceneId": "farm", "title": "T", "objective": "O"} for node_id in nodes],
        "branches": list(branches),
        "endings": [ending("end", "flags.done")],
        "flags": [{"id": "done", "description": "D", "type": "boolean", "initial": False}],
        **more,
    }


def ending(ending_id: str, *conditions: str) -> Content:
    return {"id": ending_id, "title": "T", "description": "D", "conditions": list(conditions)}


def episode(start: str, *rules: tuple[str, str]) -> Content:
    return {
        "id": f"from-{start}",
        "title": "T",
        "objective": "O",
        "startNodeId": start,
        "turnBudget": 9,
        "endingRules": [{"endingId": ending_id, "conditions": [condition]} for ending_id, condition in rules],
    }


def warnings(content: Content) -> tuple[Problem, ...]:
    judged = judge_package(content)
    assert judged.problems == ()
    return judged.warnings


def told(content: Content) -> list[tuple[str, str]]:
    return [(warning.code, warning.path) for warning in warnings(content)]


def package_of(content: Content) -> StoryPackage:
    judged = judge_package(content)
    assert judged.package is not None
    return judged.package


def test_a_story_without_a_flaw_has_no_warnings() -> None:
    assert told(whole()) == []


def test_a_node_that_no_path_reaches_is_told() -> None:
    content = story("abc", [branch("go", "a", "b"), branch("astray", "c", "b")])
    (warning,) = warnings(content)
    assert (warning.code, warning.path, warning.actual) == ("node_out_of_reach", "/nodes/2", "c")


def test_a_node_is_reached_from_the_start_of_an_episode_too() -> None:
    assert told(story("abc", [branch("go", "a", "b")], series=[episode("c")])) == []


def test_a_node_behind_a_branch_that_never_opens_is_out_of_reach() -> None:
    content = story("abcd", [branch("shut", "a", "b", 'visited("d")'), branch("on", "b", "c", 'taken("shut")')])
    assert told(content) == [
        ("node_out_of_reach", "/nodes/1"),
        ("node_out_of_reach", "/nodes/2"),
        ("node_out_of_reach", "/nodes/3"),
        ("condition_never_holds", "/branches/0/conditions/0"),
    ]


def test_a_node_with_a_precondition_that_never_holds_is_out_of_reach() -> None:
    content = story("ab", [branch("go", "a", "b")])
    content["nodes"][1]["preconditions"] = ["1 > 2"]
    assert told(content) == [("node_out_of_reach", "/nodes/1"), ("condition_never_holds", "/nodes/1/preconditions/0")]


def test_ways_that_fall_one_by_one_all_fall() -> None:
    letters = "abcdefg"
    chain = [
        branch(f"to-{end}", start, end, *([f'taken("to-{start}")'] if start != "a" else ["false"]))
        for start, end in pairwise(letters)
    ]
    codes = told(story(letters, chain))
    assert [path for code, path in codes if code == "node_out_of_reach"] == [f"/nodes/{n}" for n in range(1, 7)]


def test_a_very_long_chain_of_doubt_ends_with_fewer_warnings_not_with_wrong_ones() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    content = story(letters, [branch("first", "a", "b", "false")])
    # Each of these is ruled out only when the one before it is.
    content["branches"] += [
        branch(f"to-{end}", "a", end, f'visited("{start}")') for start, end in pairwise(letters[1:])
    ]
    out_of_reach = [path for code, path in told(content) if code == "node_out_of_reach"]
    assert "/nodes/1" in out_of_reach
    assert 1 < len(out_of_reach) < 26


def test_an_ending_without_conditions_or_rule_is_told() -> None:
    content = story("a", endings=[ending("end", "flags.done"), ending("lost"), ending("ruled")])
    content["series"] = [episode("a", ("ruled", "flags.done"))]
    (warning,) = warnings(content)
    assert (warning.code, warning.path, warning.actual) == ("ending_without_conditions", "/endings/1", "lost")


def test_an_ending_that_nothing_can_bring_about_is_told() -> None:
    content = story("ab", endings=[ending("end", "flags.done"), ending("lost", "flags.done", 'visited("b")')])
    assert told(content) == [
        ("node_out_of_reach", "/nodes/1"),
        ("ending_out_of_reach", "/endings/1"),
        ("condition_never_holds", "/endings/1/conditions/1"),
    ]


def test_an_ending_that_only_a_rule_can_bring_about_is_possible() -> None:
    content = story("a", endings=[ending("end", "false")], series=[episode("a", ("end", "flags.done"))])
    assert told(content) == [("condition_never_holds", "/endings/0/conditions/0")]
    content["series"] = [episode("a", ("end", "1 > 2"))]
    assert ("ending_out_of_reach", "/endings/0") in told(content)


def test_a_node_with_no_way_on_and_no_ending_is_a_dead_end() -> None:
    content = story(
        "abc", [branch("left", "a", "b"), branch("right", "a", "c")], endings=[ending("end", 'visited("b")')]
    )
    (warning,) = warnings(content)
    assert (warning.code, warning.path, warning.actual) == ("dead_end", "/nodes/2", "c")


def test_an_ending_that_the_way_there_may_have_earned_is_no_dead_end() -> None:
    ways = [branch("left", "a", "b"), branch("on", "b", "c"), branch("right", "a", "c")]
    assert told(story("abc", ways, endings=[ending("end", 'visited("b")')])) == []
    assert told(story("abc", ways, endings=[ending("end", 'taken("on")')])) == []


def test_an_episode_may_have_come_from_anywhere() -> None:
    ways = [branch("left", "a", "b")]
    content = story("abc", ways, endings=[ending("end", 'visited("b")')], series=[episode("c")])
    assert told(content) == []


@pytest.mark.parametrize(
    "condition", ["flags.done", 'hasFact("x")', 'hasEntity("x")', 'relation("ada", "ben", "x") > 0', "beat > 3"]
)
def test_an_ending_that_roles_or_time_can_bring_about_leaves_no_dead_end(condition: str) -> None:
    assert told(story("a", endings=[ending("end", condition)])) == []


def test_a_story_without_endings_ends_in_dead_ends() -> None:
    assert told(story("a", endings=[])) == [("dead_end", "/nodes/0")]


def test_each_cycle_is_told_once_with_a_way_around() -> None:
    ways = [branch("ab", "a", "b"), branch("bc", "b", "c"), branch("ca", "c", "a"), branch("cd", "c", "d")]
    (warning,) = warnings(story("abcd", [*ways, branch("ac", "a", "c")]))
    assert (warning.code, warning.path) == ("cycle", "/nodes/0")
    assert warning.message == "nodes/0 is a, which lies on a cycle of branches: a → c → a"


def test_a_branch_from_a_node_to_itself_is_a_cycle() -> None:
    (warning,) = warnings(story("ab", [branch("ab", "a", "b"), branch("bb", "b", "b")]))
    assert warning.message == "nodes/1 is b, which lies on a cycle of branches: b → b"


def test_two_cycles_are_two_warnings() -> None:
    ways = [branch("ab", "a", "b"), branch("ba", "b", "a"), branch("bc", "b", "c"), branch("cd", "c", "d")]
    assert told(story("abcd", [*ways, branch("dc", "d", "c")])) == [("cycle", "/nodes/0"), ("cycle", "/nodes/2")]


def test_a_long_cycle_is_named_by_its_first_nodes() -> None:
    letters = "abcdefghij"
    ways = [branch(f"from-{a}", a, b) for a, b in zip(letters, f"{letters[1:]}a", strict=True)]
    (warning,) = warnings(story(letters, ways))
    assert warning.message.endswith("a → b → c → d → e → f → g → h → …")


def repeatable(count: int, *conditions: str) -> list[Content]:
    return [branch(f"again-{number}", "a", "a", *conditions, repeatable=True) for number in range(count)]


def test_a_branch_behind_five_that_are_always_open_is_hidden_for_ever() -> None:
    content = story("ab", [*repeatable(5), branch("last", "a", "b")])
    assert told(content) == [("node_out_of_reach", "/nodes/1"), ("cycle", "/nodes/0"), ("branch_hidden", "/branches/5")]
    assert limits.WORLD_MAX_BRANCH_OPTIONS.value == 5
    warning = warnings(content)[-1]
    assert (warning.limit, warning.actual) == (5, "last")


@pytest.mark.parametrize("open_sometimes", [[], ["flags.done"], ["flags.done || true", "beat > 3"]])
def test_a_branch_behind_four_that_are_always_open_is_not_hidden(open_sometimes: list[str]) -> None:
    fifth = branch("fifth", "a", "b", *open_sometimes)
    assert told(story("ab", [*repeatable(4), fifth, branch("last", "a", "b")])) == [("cycle", "/nodes/0")]


def test_a_repeatable_branch_whose_condition_always_holds_hides_too() -> None:
    content = story("ab", [*repeatable(5, 'visited("a")'), branch("last", "a", "b")])
    assert ("branch_hidden", "/branches/5") in told(content)


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("true", "condition_always_holds"),
        ("1 < 2", "condition_always_holds"),
        ('visited("a")', "condition_always_holds"),
        ('hasFact("dry")', "condition_always_holds"),
        ('!visited("c")', "condition_always_holds"),
        ("false", "condition_never_holds"),
        ('visited("c")', "condition_never_holds"),
        ('taken("astray")', "condition_never_holds"),
        ("1 / 0 == 1", "condition_never_holds"),
    ],
)
def test_a_condition_with_a_settled_outcome_is_told(condition: str, code: str) -> None:
    content = story("abc", [branch("go", "a", "b"), branch("astray", "c", "b")])
    content["establishedFacts"] = [{"id": "dry", "text": "So."}]
    content["endings"].append(ending("other", condition, "flags.done"))
    assert (code, "/endings/1/conditions/0") in told(content)


@pytest.mark.parametrize(
    "condition", ['visited("b")', 'taken("go")', "flags.done || true", 'hasFact("x")', "beat >= 0"]
)
def test_a_condition_that_anything_could_change_is_not_told(condition: str) -> None:
    content = story("ab", [branch("go", "a", "b")])
    content["endings"].append(ending("other", condition))
    assert told(content) == []


def test_a_condition_is_judged_at_the_node_where_it_is_asked() -> None:
    content = story("abc", [branch("ab", "a", "b"), branch("bc", "b", "c", 'visited("b")')])
    assert told(content) == [("condition_always_holds", "/branches/1/conditions/0")]


def test_conditions_of_branches_that_are_never_asked_are_passed_over() -> None:
    content = story("abc", [branch("ab", "a", "b"), branch("cb", "c", "b", "false")])
    assert told(content) == [("node_out_of_reach", "/nodes/2")]


def test_rules_of_constraints_and_episodes_are_judged_too() -> None:
    content = story("a", constraints=[{"id": "c", "text": "T", "rule": "true"}], series=[episode("a", ("end", "true"))])
    assert told(content) == [
        ("condition_always_holds", "/constraints/0/rule"),
        ("condition_always_holds", "/series/0/endingRules/0/conditions/0"),
    ]


def relations(count: int) -> list[Content]:
    return [{"fromRoleId": "ada", "toRoleId": "ben", "kind": f"k{number}", "value": 1} for number in range(count)]


def test_dense_relations_are_told_before_they_meet_the_limit_of_the_state() -> None:
    assert told(story("a", initialRelations=relations(39))) == []
    (warning,) = warnings(story("a", initialRelations=relations(40)))
    assert (warning.code, warning.path) == ("relations_dense", "/initialRelations")
    assert (warning.limit, warning.actual) == (50, 40)


def test_texts_near_the_limit_are_told_in_one_warning() -> None:
    content = with_value("/roles/0/goals", ["short", "x" * 449, "x" * 450, "井" * 500])
    (warning,) = warnings(content)
    assert (warning.code, warning.path, warning.actual) == ("texts_near_limit", "/roles/0/goals/2", 2)
    assert told(with_value("/roles/0/goals", ["x" * 449])) == []


def test_a_large_package_is_told_what_spends_its_bytes() -> None:
    assert "package_near_limit" not in [code for code, _ in told(of_bytes(674_999))]
    (warning,) = [found for found in warnings(of_bytes(675_000)) if found.code == "package_near_limit"]
    assert warning.path == ""
    assert warning.message.startswith("story package is 675000 bytes of 900000; most are spent by roles (674")


def test_the_largest_prompt_of_all_is_told_when_small_models_could_not_hold_it() -> None:
    content = story("a")
    content["roles"][0]["goals"] = ["井" * 440] * 18
    content["roles"][1]["goals"] = ["井" * 440] * 19
    (warning,) = warnings(content)
    assert (warning.code, warning.path, warning.limit) == ("prompt_large", "/roles/1", 8192)
    assert warning.actual == LargestPrompts(package_of(content)).tokens("ben", "")
    content["roles"][0]["goals"], content["roles"][1]["goals"] = content["roles"][1]["goals"], []
    assert told(content) == [("prompt_large", "/roles/0")]


def test_a_prompt_that_small_models_just_hold_is_not_told() -> None:
    content = story("a")
    content["roles"][0]["goals"] = goals = ["井" * 440] * 12

    def tokens() -> int:
        return LargestPrompts(package_of(content)).tokens("ada", "")

    goals += ["井" * 440] * ((8192 - tokens()) // 500) + ["井"]
    goals[-1] *= 1 + 8192 - tokens()
    assert (tokens(), told(content)) == (8192, [])
    goals[-1] += "井"
    assert (tokens(), told(content)) == (8193, [("prompt_large", "/roles/0")])


def test_a_warning_never_refuses() -> None:
    judged = judge_package(story("ab", endings=[]))
    assert judged.package is not None
    assert {CATALOGUE[warning.code].kind for warning in judged.warnings} == {Kind.WARNING}


def test_a_graph_of_full_size_is_analysed_alike_each_time() -> None:
    nodes = [f"n{number}" for number in range(200)]
    content = story("a")
    content["startNodeId"] = "n0"
    content["nodes"] = [{"id": node_id, "sceneId": "farm", "title": "T", "objective": "O"} for node_id in nodes]
    content["branches"] = [
        branch(f"b{number}", node_id, nodes[(number * 7 + 1) % 200], f'visited("{nodes[number // 2]}")')
        for number, node_id in enumerate(nodes)
    ]
    first = warnings(content)
    assert warnings(content) == first
