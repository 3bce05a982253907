"""The largest packages: every array at its limit, exactly as many bytes as wanted, and sound."""

from __future__ import annotations

from typing import Any

import pytest

from storyworld.core import limits
from storyworld.core.branching import open_branches
from storyworld.core.canonical import canonical_bytes
from storyworld.core.conditions import Conditions, Declared, view
from storyworld.core.content import judge_package
from storyworld.core.playtest.maximal import SEATED, cast_of, maximal_content
from storyworld.core.playtest.texts import SCRIPTS, Script
from storyworld.core.state import initial_state

SIZE = limits.STORY_PACKAGE_MAX_BYTES.value
ARRAYS = {
    "roles": limits.STORY_MAX_ROLES,
    "scenes": limits.STORY_MAX_SCENES,
    "nodes": limits.STORY_MAX_NODES,
    "branches": limits.STORY_MAX_BRANCHES,
    "endings": limits.STORY_MAX_ENDINGS,
    "establishedFacts": limits.STORY_MAX_ESTABLISHED_FACTS,
    "canon": limits.STORY_MAX_CANON,
    "constraints": limits.STORY_MAX_CONSTRAINTS,
    "flags": limits.STORY_MAX_FLAGS,
    "initialRelations": limits.STORY_MAX_INITIAL_RELATIONS,
    "series": limits.STORY_MAX_SERIES,
}


def longest_of(content: dict[str, Any], array: str, field: str) -> int:
    return max(len(part[field]) for part in content[array])


@pytest.mark.parametrize("conditions", [True, False])
@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_the_largest_package_is_sound_at_900000_bytes_in_every_script(script: Script, conditions: bool) -> None:
    judged = judge_package(maximal_content(SIZE, script=script, conditions=conditions))
    assert judged.problems == ()
    assert judged.size_bytes == SIZE


@pytest.mark.parametrize("size", [SIZE - 1, SIZE + 1, 700_000])
def test_the_largest_package_has_exactly_the_wanted_bytes(size: int) -> None:
    content = maximal_content(size)
    assert len(canonical_bytes(content)) == size
    judged = judge_package(content)
    assert judged.content == content
    assert [problem.code for problem in judged.problems] == (["package_too_large"] if size > SIZE else [])


def test_every_array_of_the_largest_package_is_at_its_limit() -> None:
    content = maximal_content(SIZE)
    assert {name: len(content[name]) for name in ARRAYS} == {name: limit.value for name, limit in ARRAYS.items()}
    assert longest_of(content, "roles", "goals") == limits.STORY_MAX_GOALS_PER_ROLE.value
    assert longest_of(content, "roles", "secrets") == limits.STORY_MAX_SECRETS_PER_ROLE.value
    assert longest_of(content, "nodes", "preconditions") == limits.STORY_MAX_PRECONDITIONS_PER_NODE.value
    assert longest_of(content, "branches", "conditions") == limits.STORY_MAX_CONDITIONS_PER_BRANCH.value
    assert longest_of(content, "endings", "conditions") == limits.STORY_MAX_CONDITIONS_PER_ENDING.value
    assert longest_of(content, "series", "endingRules") == limits.STORY_MAX_ENDING_RULES_PER_EPISODE.value
    rules = [rule for episode in content["series"] for rule in episode["endingRules"]]
    assert {len(rule["conditions"]) for rule in rules} == {limits.STORY_MAX_CONDITIONS_PER_ENDING_RULE.value}
    assert all("rule" in constraint for constraint in content["constraints"])


def test_without_conditions_the_largest_package_has_none() -> None:
    content = maximal_content(SIZE, conditions=False)
    assert b"beat >" not in canonical_bytes(content)


def test_the_same_seed_makes_the_same_package_and_another_seed_other_texts() -> None:
    assert maximal_content(SIZE, seed=1) == maximal_content(SIZE, seed=1)
    assert maximal_content(SIZE, seed=1) != maximal_content(SIZE, seed=2)


def test_the_largest_package_offers_more_branches_than_are_reported_and_ends_by_nothing() -> None:
    package = judge_package(maximal_content(SIZE)).package
    assert package is not None
    conditions = Conditions(Declared.of(package))
    seen = view(initial_state(package), package, 150, 0)
    options = open_branches(package, conditions, initial_state(package), seen)
    assert len(options.reported) == limits.WORLD_MAX_BRANCH_OPTIONS.value
    assert options.more > 0
    for sources in package.ending_conditions.values():
        assert conditions.judge(sources[:-1], seen).holds
        assert not conditions.judge(sources, seen).holds


@pytest.mark.parametrize("roles", [SEATED, 12])
def test_a_smaller_cast_of_it_is_sound_and_equal_but_for_what_names_the_others(roles: int) -> None:
    whole = maximal_content(SIZE)
    fewer = cast_of(whole, roles)
    judged = judge_package(fewer)
    assert judged.problems == ()
    assert fewer["roles"] == whole["roles"][:roles]
    alike = whole.keys() - {"roles", "canon", "establishedFacts", "initialRelations"}
    assert all(fewer[name] == whole[name] for name in alike)
    gone = {role["id"] for role in whole["roles"][roles:]}
    for name in ("canon", "establishedFacts"):
        for one, other in zip(whole[name], fewer[name], strict=True):
            assert one["text"] == other["text"]
            assert set(one.get("knownBy", ())) - gone == set(other.get("knownBy", ()))
    seated = {role["id"] for role in whole["roles"][:SEATED]}
    lost = [relation for relation in whole["initialRelations"] if relation not in fewer["initialRelations"]]
    assert all(seated.isdisjoint((relation["fromRoleId"], relation["toRoleId"])) for relation in lost)


@pytest.mark.parametrize("size", [100_000, 10_000_000])
def test_a_size_that_no_texts_can_make_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match="bytes are missing, and the texts have room for"):
        maximal_content(size)
