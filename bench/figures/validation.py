"""What it costs to judge the largest package, and what each condition in it adds.

The yardstick is orjson, which reads the same bytes and judges nothing: no program that looks at them can be faster.
Conditions are told apart, because what one costs has nothing to do with the size of a package.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count, cycle
from typing import Any

import orjson

from bench.figure import Gate, Row, Setting, milliseconds, ratio_row
from bench.pairs import Load, Pairs, interleave
from bench.stopwatch import computing
from bench.story import content
from storyworld.core import limits
from storyworld.core.canonical import canonical_bytes
from storyworld.core.content import Judged, judge_package, judge_package_bytes
from storyworld.core.playtest.draws import Draws
from storyworld.core.playtest.expressions import Things, random_condition
from storyworld.core.playtest.maximal import maximal_content
from storyworld.core.playtest.texts import SCRIPTS, filling
from storyworld.core.references import condition_sources

_LARGEST = limits.STORY_PACKAGE_MAX_BYTES.value
_VALIDATION_MAX = 8.0
_CONDITION_MS_MAX = 0.3
# Room for the conditions: with them the package must not be larger than a package may be.
_WITHOUT_CONDITIONS = 600_000
_CHINESE_BYTES = 3
_AROUND_A_TEXT = len(b'"",')


def measure(setting: Setting) -> Iterator[Row]:
    """Two packages of Chinese texts without conditions and without a byte to spare: as authors come to be so large, by
    long texts, and with every array at its limit.
    """
    yield _judged_against_read(_long_texts(), "900,000 bytes of long texts are judged, against orjson.loads", setting)
    fullest = canonical_bytes(maximal_content(_LARGEST, conditions=False))
    yield _judged_against_read(fullest, "the same with every array at its limit", setting)


def _long_texts() -> bytes:
    """A whole cast with goals and secrets as long as they may be: what an author writes to come to so many bytes."""
    normalized = judge_package(content(limits.STORY_MAX_ROLES.value)).content
    assert normalized is not None
    package = _stripped(normalized)
    longest = _CHINESE_BYTES * limits.STORY_MAX_TEXT_CHARS.value
    texts, rest = divmod(_LARGEST - len(canonical_bytes(package)), longest + _AROUND_A_TEXT)
    # The last two share what is left, so that the package is full to the byte and neither is empty.
    left = longest + _AROUND_A_TEXT + rest
    sizes = (*[longest] * (texts - 1), left // 2 - _AROUND_A_TEXT, left - left // 2 - _AROUND_A_TEXT)
    lists = cycle(role[kind] for role in package["roles"] for kind in ("goals", "secrets"))
    for size in sizes:
        chinese, letters = divmod(size, _CHINESE_BYTES)
        next(lists).append(filling(SCRIPTS["zh"], 0, chinese) + "x" * letters)
    return canonical_bytes(package)


def _judged_against_read(data: bytes, title: str, setting: Setting) -> Row:
    assert len(data) == _LARGEST
    _sound(judge_package_bytes(data))
    pairs = interleave(
        computing(lambda: judge_package_bytes(data)), computing(lambda: orjson.loads(data)), setting.many(81, 21)
    )
    return ratio_row(title, pairs, ("judged", "read"), _VALIDATION_MAX)


def measure_conditions(setting: Setting) -> Iterator[Row]:
    """The same package judged with conditions and without them; what is more, for each condition."""
    bare = maximal_content(_WITHOUT_CONDITIONS, conditions=False)
    places = len(bare["nodes"]) + len(bare["branches"])
    pairs = interleave(_drawn_anew(bare), _judging(canonical_bytes(bare)), setting.many(31, 7))
    yield _row(f"a condition is judged, {places} that all differ", pairs, places)

    full = maximal_content(_LARGEST)
    conditions = len(list(condition_sources(full)))
    pairs = interleave(_judging(canonical_bytes(full)), _judging(canonical_bytes(_stripped(full))), setting.many(15, 5))
    yield _row(f"a condition is judged, {conditions:,} in the fullest package", pairs, conditions)


def _row(title: str, pairs: Pairs, conditions: int) -> Row:
    costs = {"with": milliseconds(pairs.load), "without": milliseconds(pairs.yardstick)}
    return Row(title, "ms", pairs.difference(conditions).scaled(1000), Gate(_CONDITION_MS_MAX), costs)


def _sound(judged: Judged) -> None:
    assert judged.package is not None, judged.problems


def _judging(data: bytes) -> Load:
    _sound(judge_package_bytes(data))
    return computing(lambda: judge_package_bytes(data))


def _drawn_anew(bare: dict[str, Any]) -> Load:
    """Judges the package with one condition for each node and branch, other ones each time."""
    package = judge_package(bare).package
    assert package is not None
    things = replace(Things.of(package), nodes=tuple(node["id"] for node in bare["nodes"]))
    seeds = count()

    def load() -> float:
        draws = Draws(next(seeds))
        drawn: dict[str, None] = {}
        while len(drawn) < len(bare["nodes"]) + len(bare["branches"]):
            drawn[random_condition(draws, things)] = None
        conditions = iter(drawn)
        nodes = [{**node, "preconditions": [next(conditions)]} for node in bare["nodes"]]
        branches = [{**branch, "conditions": [next(conditions)]} for branch in bare["branches"]]
        data = canonical_bytes({**bare, "nodes": nodes, "branches": branches})
        return computing(lambda: judge_package_bytes(data))()

    return load


def _stripped(content: dict[str, Any]) -> dict[str, Any]:
    """The same package without one condition: no other text differs."""
    return {
        **content,
        "nodes": [{**node, "preconditions": []} for node in content["nodes"]],
        "branches": [{**branch, "conditions": []} for branch in content["branches"]],
        "endings": [{**ending, "conditions": []} for ending in content["endings"]],
        "constraints": [{"id": law["id"], "text": law["text"]} for law in content["constraints"]],
        "series": [{**episode, "endingRules": []} for episode in content["series"]],
    }
