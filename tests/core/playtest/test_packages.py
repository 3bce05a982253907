"""Random packages: of every form that there is, and none with a problem."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

from storyworld.core import limits
from storyworld.core.conditions import Conditions, Declared, view
from storyworld.core.content import Judged, judge_package
from storyworld.core.playtest.draws import Draws
from storyworld.core.playtest.expressions import Things, random_condition
from storyworld.core.playtest.packages import random_content
from storyworld.core.playtest.texts import SCRIPTS, Script, filling, phrase
from storyworld.core.state import initial_state
from storyworld.core.story import StoryPackage

PACKAGES = 300


@cache
def judged(seed: int) -> Judged:
    return judge_package(random_content(seed))


def package(seed: int) -> StoryPackage:
    found = judged(seed).package
    assert found is not None, f"seed {seed}"
    return found


def test_no_random_package_has_a_problem() -> None:
    found = {seed: judged(seed).problems for seed in range(PACKAGES)}
    assert {seed: problems for seed, problems in found.items() if problems} == {}


def test_random_packages_have_every_form() -> None:
    packages = [package(seed) for seed in range(PACKAGES)]
    branches = [branch for one in packages for branch in one.branches]
    facts = [fact for one in packages for fact in (*one.canon, *one.established_facts)]
    assert {len(one.roles) for one in packages} == set(range(1, 9))
    assert {len(one.nodes) for one in packages} == set(range(1, 13))
    assert {"en", "zh-Hant", "ja", "ko", "de"} <= {one.language for one in packages}
    assert {branch.from_node_id == branch.to_node_id for branch in branches} == {True, False}
    assert {branch.repeatable for branch in branches} == {True, False}
    assert {fact.known_by is None for fact in facts} == {True, False}
    assert any(fact.known_by == () for fact in facts)
    assert any(one.rules for one in packages)
    assert any(episode.ending_rules for one in packages for episode in one.series)
    assert any(len(one.branches_from) < len(one.nodes) for one in packages)
    assert any(len(node.id) == limits.ID_MAX_CHARS.value for one in packages for node in one.nodes)
    assert {flag.type for one in packages for flag in one.flags} == {"boolean", "integer", "text"}


def test_random_packages_come_as_an_author_may_send_them() -> None:
    contents = {seed: random_content(seed) for seed in range(PACKAGES)}
    assert {"series" in content for content in contents.values()} == {True, False}
    assert any(content != judged(seed).content for seed, content in contents.items())
    assert random_content(7) == random_content(7)
    assert random_content(7) != random_content(8)


def test_no_secret_of_a_random_package_stands_anywhere_else_in_it() -> None:
    for seed in range(PACKAGES):
        one = package(seed)
        secrets = [secret for role in one.roles for secret in role.secrets]
        texts = _texts(judged(seed).content)
        assert all(sum(secret in text for text in texts) == 1 for secret in secrets)


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in _texts(part)]


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_random_conditions_hold_do_not_hold_and_fail(seed: int) -> None:
    one = next(found for found in map(package, range(10 * seed, PACKAGES)) if len(found.flags) > 3)
    declared = Declared.of(one)
    draws = Draws(seed)
    texts = {random_condition(draws, Things.of(one)) for _ in range(600)}
    assert Conditions(declared).check(("", text) for text in texts) == []
    conditions = Conditions(declared)
    seen = view(initial_state(one), one, 4, 0)
    verdicts = Counter(conditions.judge((("", text),), seen) for text in texts)
    assert {(verdict.holds, verdict.failed) for verdict in verdicts} == {(True, ()), (False, ()), (False, ("",))}


def test_a_random_condition_that_grew_too_long_gives_way_to_a_short_one() -> None:
    things = Things(roles=["r" * 64], nodes=["n" * 64], branches=[], flags={}, facts=["f" * 64])
    draws = Draws(1)
    texts = [random_condition(draws, things) for _ in range(1000)]
    assert max(map(len, texts)) > 400
    assert all(len(text) <= limits.STORY_MAX_TEXT_CHARS.value for text in texts)
    declared = Declared({}, set(things.nodes), set(), set(things.roles))
    assert Conditions(declared).check(("", text) for text in texts) == []


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_a_text_keeps_within_its_characters_once_it_is_trimmed(script: Script) -> None:
    draws = Draws(6)
    texts = [phrase(draws, script, chars) for chars in (1, 12, 500) for _ in range(400)]
    assert all(text.strip() for text in texts)
    assert {len(text) for text in texts[:400] if text == text.strip()} == {1}
    assert max(len(text.strip()) for text in texts) == 500
    assert any(text != text.strip() for text in texts)


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_a_filling_has_exactly_the_wanted_characters(script: Script) -> None:
    for chars in range(1, 60):
        text = filling(script, chars, chars)
        assert len(text) == chars
        assert text.strip() == text
