"""Random walks through random stories: nothing that may never happen happens, and the same seed walks the same way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from storyworld.core import limits
from storyworld.core.call import Call, Failure, Performance
from storyworld.core.playtest.improvisation import improvise
from storyworld.core.playtest.run import Run
from storyworld.core.playtest.walk import Walk, beat_faults, walk
from storyworld.core.session import Head, Story
from storyworld.core.state import Entity
from storyworld.core.story import Relation
from storyworld.models.rehearsal import perform
from tests.core.builders import StageHand, reply, story

WALKS = 500
BEATS = 20


def rehearsed(_story: Story, _head: Head, call: Call) -> Performance | Failure:
    return perform(call)


@pytest.mark.parametrize("first", range(0, WALKS, 50))
def test_500_walks_by_rehearsal_show_no_fault(first: int) -> None:
    walks = [walk(seed, BEATS, rehearsed) for seed in range(first, first + 50)]
    assert [(done.seed, done.faults) for done in walks if done.faults] == []
    assert sum(done.beats for done in walks) > 50 * 4


@pytest.mark.parametrize("first", range(0, 60, 30))
def test_walks_with_faulty_replies_show_no_fault_either(first: int) -> None:
    assert [
        done.faults for done in (walk(seed, BEATS, improvise) for seed in range(first, first + 30)) if done.faults
    ] == []


def test_the_same_seed_makes_the_same_beats() -> None:
    assert [walk(seed, BEATS, rehearsed) for seed in range(10)] == [walk(seed, BEATS, rehearsed) for seed in range(10)]


def test_a_walk_counts_its_beats_with_the_opening() -> None:
    done = walk(1, 3, rehearsed)
    assert isinstance(done, Walk)
    assert 1 <= done.beats <= 4


def test_other_answers_make_other_beats() -> None:
    answers = iter(range(10_000))

    def restless(_story: Story, _head: Head, call: Call) -> Performance | Failure:
        return Performance(reply(f"{next(answers)}"), perform(call).usage)

    told = walk(3, 5, restless)
    assert told.faults == ()
    assert walk(3, 5, restless).hashes != told.hashes


def test_each_cap_that_a_beat_passes_is_told() -> None:
    play = StageHand(story())
    play.turn()
    record, before = play.record, play.state
    most = limits.WORLD_STATE_MAX_ENTITIES.value
    things = tuple(Entity(f"e{number}", "thing", "T", {}) for number in range(most + 1))
    ties = tuple(
        Relation("ada", "ben", f"k{number}", 1) for number in range(limits.WORLD_STATE_MAX_RELATIONS.value + 1)
    )
    over = replace(before, entities=things, relations=ties)
    assert list(beat_faults(record, before, before)) == []
    assert list(beat_faults(record, before, over)) == [
        "51 entities, 50 are allowed",
        "51 relations, 50 are allowed",
    ]
    assert list(beat_faults(record, over, over)) == []
    rejected = {**record, "patch": {"status": "rejected", "operations": []}}
    assert list(beat_faults(rejected, before, replace(before, node_id="road"))) == [
        "a rejected patch changed the state"
    ]
    assert list(beat_faults(rejected, before, before)) == []


def test_a_damaged_run_is_a_difference() -> None:
    run = Run(story(), 7, lambda call: Performance(reply("Hi."), perform(call).usage))
    run.beats[0] = ({**run.beats[0][0], "nodeId": "road"}, ())
    found = run.difference()
    assert found is not None
    assert (found.beat, found.field) == (0, "hash")
