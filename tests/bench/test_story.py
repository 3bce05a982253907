"""The story that is measured: sound in every cast, without an end, and the same from some beat on."""

from __future__ import annotations

from collections import Counter

import pytest

from bench.story import CASTS, answer, content, next_trigger, pure_story
from storyworld.core.content import judge_package
from storyworld.core.playtest.run import Run
from storyworld.core.trigger import read_turn

BEATS = 120
SETTLED = 40


def played(roles: int) -> Run:
    run = Run(pure_story(roles), 7, answer)
    for _ in range(BEATS):
        run.move(read_turn(next_trigger(run.record)))
    return run


@pytest.mark.parametrize("roles", CASTS)
def test_its_package_is_published_with_every_cast(roles: int) -> None:
    assert judge_package(content(roles)).problems == ()


@pytest.mark.parametrize("roles", CASTS)
def test_every_beat_has_three_lines_and_once_everything_is_there_a_patch_that_applies(roles: int) -> None:
    records = [record for record, _ in played(roles).beats[1:]]
    assert len(records) == BEATS
    assert Counter(record["patch"]["status"] for record in records[SETTLED:]) == {"applied": BEATS - SETTLED}
    assert {len(record["lines"]) for record in records} == {3}
    assert {record["trigger"]["kind"] for record in records} == {"advance", "message", "choice"}


def test_another_cast_plays_the_same_beats() -> None:
    lines = [[record["lines"] for record, _ in played(roles).beats] for roles in CASTS]
    assert lines[0] == lines[1] == lines[2]


def test_its_state_has_stopped_growing_long_before_beat_60() -> None:
    run = Run(pure_story(CASTS[0]), 7, answer)
    sizes = []
    for _ in range(BEATS):
        run.move(read_turn(next_trigger(run.record)))
        state = run.head.state
        sizes.append((len(state.entities), len(state.relations), len(state.visited_nodes), len(state.taken_branches)))
    assert set(sizes[SETTLED:]) == {sizes[-1]}
