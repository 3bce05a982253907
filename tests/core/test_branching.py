"""Which branches are open, which of them are told, and whether the story's rules hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from storyworld.core import limits
from storyworld.core.branching import BranchOption, Options, RulesVerdict, judge_rules, open_branches
from storyworld.core.conditions import Conditions, Declared, view
from storyworld.core.state import State, initial_state
from storyworld.core.story import StoryPackage
from tests.core.builders import package

OVERFLOW = "9007199254740991 * flags.depth * 2048 > 0"
"""A condition that may be published and cannot be evaluated once the depth is 1: the product is no 64-bit integer."""


def branch(branch_id: str, *conditions: str, to: str = "road", **more: Any) -> dict[str, Any]:
    return {
        "id": branch_id,
        "fromNodeId": "yard",
        "toNodeId": to,
        "label": f"Take {branch_id}",
        "conditions": list(conditions),
        **more,
    }


def options(told: StoryPackage, state: State | None = None, *, beat: int = 1, episode_beat: int = 0) -> Options:
    at = initial_state(told) if state is None else state
    return open_branches(told, Conditions(Declared.of(told)), at, view(at, told, beat, episode_beat))


def ids(found: Options) -> list[str]:
    return [option.branch_id for option in found.reported]


def state_of(told: StoryPackage, *, flags: Mapping[str, Any] | None = None, **changes: Any) -> State:
    start = initial_state(told)
    return replace(start, flags={**start.flags, **(flags or {})}, **changes)


def test_an_option_says_its_id_its_label_and_where_it_leads() -> None:
    [option] = options(package()).reported
    assert option == BranchOption("away", "Walk away", "road")
    assert option.to_json() == {"branchId": "away", "label": "Walk away", "toNodeId": "road"}


def test_a_branch_is_open_only_when_the_preconditions_of_its_target_hold_too() -> None:
    told = package()
    assert ids(options(told)) == ["away"]
    assert ids(options(told, state_of(told, flags={"open": True}))) == ["down", "away"]


def test_every_condition_of_a_branch_has_to_hold() -> None:
    told = package(branches=[branch("both", "beat > 2", "flags.depth == 0"), branch("free")])
    assert ids(options(told, beat=2)) == ["free"]
    assert ids(options(told, beat=3)) == ["both", "free"]
    assert ids(options(told, state_of(told, flags={"depth": 1}), beat=3)) == ["free"]


def test_only_branches_that_start_at_the_current_node_are_open() -> None:
    told = package()
    assert ids(options(told, state_of(told, node_id="road"))) == ["back"]
    assert options(told, state_of(told, node_id="shaft")) == Options()


def test_a_taken_branch_is_completed_unless_it_is_repeatable() -> None:
    told = package(branches=[branch("once"), branch("often", repeatable=True)])
    assert ids(options(told, state_of(told, taken_branches=("often", "once")))) == ["often"]


@pytest.mark.parametrize(("open_count", "more"), [(0, 0), (1, 0), (5, 0), (6, 1), (200, 195)])
def test_the_first_5_open_branches_are_told_and_the_others_counted(open_count: int, more: int) -> None:
    told = package(branches=[branch(f"b{number}") for number in range(open_count)])
    found = options(told)
    assert ids(found) == [f"b{number}" for number in range(min(open_count, limits.WORLD_MAX_BRANCH_OPTIONS.value))]
    assert found.more == more


def test_closed_and_completed_branches_leave_their_room_to_later_ones() -> None:
    told = package(branches=[branch("shut", "false"), *(branch(f"b{number}") for number in range(7))])
    found = options(told, state_of(told, taken_branches=("b0", "b1")))
    assert (ids(found), found.more) == (["b2", "b3", "b4", "b5", "b6"], 0)


def test_a_condition_that_cannot_be_evaluated_closes_its_branch_and_is_named() -> None:
    told = package(branches=[branch("far", "beat > 0", OVERFLOW), branch("near")])
    assert ids(options(told)) == ["near"]
    found = options(told, state_of(told, flags={"depth": 1}))
    assert (ids(found), found.failed) == (["near"], ("/branches/0/conditions/1",))


def test_a_precondition_that_cannot_be_evaluated_is_named_where_it_stands() -> None:
    nodes = [
        {"id": "yard", "sceneId": "farm", "title": "Yard", "objective": "Wait."},
        {"id": "road", "sceneId": "farm", "title": "Road", "objective": "Go.", "preconditions": [OVERFLOW]},
    ]
    told = package(nodes=nodes, branches=[branch("one"), branch("two")])
    found = options(told, state_of(told, flags={"depth": 1}))
    assert (ids(found), found.failed) == ([], ("/nodes/1/preconditions/0",) * 2)


@pytest.mark.parametrize(
    "failing", ["beat > 99", "flags.open", 'visited("shaft")', 'hasEntity("rope")', "episodeBeat > 0"]
)
def test_a_branch_sees_the_moment_that_it_is_asked_in(failing: str) -> None:
    told = package(branches=[branch("way", failing), branch("other", f"!({failing})")])
    assert ids(options(told)) == ["other"]


def rules(*texts: str | None) -> Sequence[Mapping[str, Any]]:
    return [
        {"id": f"c{number}", "text": "A law."} | ({} if text is None else {"rule": text})
        for number, text in enumerate(texts)
    ]


def verdict(told: StoryPackage, **flags: Any) -> RulesVerdict:
    state = state_of(told, flags=flags)
    return judge_rules(told, Conditions(Declared.of(told)), view(state, told, 1, 0))


def test_a_story_without_rules_keeps_them() -> None:
    assert verdict(package(constraints=rules(None, None))) == RulesVerdict(None, ())


def test_the_first_broken_rule_is_named_where_it_stands() -> None:
    told = package(constraints=rules(None, "beat > 0", "flags.depth < 9", "!flags.open"))
    assert verdict(told).broken is None
    assert verdict(told, depth=9, open=True) == RulesVerdict("/constraints/2/rule", ())
    assert verdict(told, open=True) == RulesVerdict("/constraints/3/rule", ())


def test_a_rule_that_cannot_be_evaluated_counts_as_broken() -> None:
    told = package(constraints=rules(f"!({OVERFLOW})"))
    assert verdict(told) == RulesVerdict(None, ())
    assert verdict(told, depth=1) == RulesVerdict("/constraints/0/rule", ("/constraints/0/rule",))
