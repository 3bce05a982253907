"""How many beats a second the rules play by themselves: no store, no loop, and performers that take no time.

A beat is timed as it is moved, from its trigger to its sealed record. What the story, the move and the reply took to be
made is not the rules' time and is left out; the last row has all of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import count

from bench.figure import Gate, Row, Setting
from bench.interval import Estimate, estimate
from bench.pairs import repeat
from bench.story import CASTS, answer, next_trigger, pure_story
from storyworld.core import limits
from storyworld.core.call import Call, Failure, Performance
from storyworld.core.playtest.draws import Draws
from storyworld.core.playtest.improvisation import improvise
from storyworld.core.playtest.moves import random_move
from storyworld.core.playtest.run import Run
from storyworld.core.playtest.walk import walk
from storyworld.core.playtest.worlds import random_story
from storyworld.core.trigger import Event, Turn, read_turn
from storyworld.core.trigger_door import judge_ids
from storyworld.core.turn import Settled

_BEATS_A_SECOND_MIN = 1_000.0
_BLOCK = 40
_WALKS = 4
_WALK_BEATS = 20
_MEMORY = 30


def measure(setting: Setting) -> Iterator[Row]:
    """Beats a second, each value from a block of beats."""
    gate = Gate(_BEATS_A_SECOND_MIN, at_least=True)
    blocks = setting.many(60, 15)
    yield Row("beats a second in the pure core, three seats", "beats/s", _speed(_long_play(), blocks), gate)
    yield Row("beats a second in the pure core, random walks", "beats/s", _speed(_walked_moves(), blocks), gate)
    yield Row("random walks with stories, replies, checks and replay", "beats/s", _speed(_whole_walks(), blocks))


def _speed(seconds_a_beat: Callable[[], float], blocks: int) -> Estimate:
    return estimate([1 / seconds for seconds in repeat(seconds_a_beat, blocks)])


def _long_play() -> Callable[[], float]:
    """Goes on with one session, whose roles remember all they can."""
    run = Run(pure_story(CASTS[0]), 7, answer)
    for _ in range(_MEMORY):
        run.move(read_turn(next_trigger(run.record)))

    def load() -> float:
        spent_ns = 0
        for _ in range(_BLOCK):
            turn = read_turn(next_trigger(run.record))
            started = time.process_time_ns()
            settled = run.move(turn)
            spent_ns += time.process_time_ns() - started
            assert isinstance(settled, Settled), settled
        return spent_ns / _BLOCK / 1e9

    return load


def _walked_moves() -> Callable[[], float]:
    """Walks some random stories, others each time; only beats with a trigger to judge and seats to fill are timed."""
    seeds = count()

    def load() -> float:
        spent_ns, beats = 0, 0
        while beats < _BLOCK:
            more_ns, more = _walk_once(next(seeds))
            spent_ns, beats = spent_ns + more_ns, beats + more
        return spent_ns / beats / 1e9

    return load


def _walk_once(seed: int) -> tuple[int, int]:
    """The nanoseconds that the moves of one walk took, less those of its performer, and how many beats they made."""
    story, draws = random_story(seed), Draws(seed).apart()
    performed_ns = 0

    def perform(call: Call) -> Performance | Failure:
        nonlocal performed_ns
        started = time.process_time_ns()
        reply = improvise(story, run.head, call)
        performed_ns += time.process_time_ns() - started
        return reply

    run = Run(story, seed & limits.SEED_MAX.value, perform)
    spent_ns, beats = 0, 0
    for _ in range(_WALK_BEATS):
        move = random_move(draws, story, run.head)
        if not isinstance(move, Turn | Event) or judge_ids(move, story) is not None:
            continue
        performed_ns, started = 0, time.process_time_ns()
        settled = run.move(move)
        if isinstance(settled, Settled):
            spent_ns += time.process_time_ns() - started - performed_ns
            beats += 1
    return spent_ns, beats


def _whole_walks() -> Callable[[], float]:
    """Walks random stories from their making to their replay, as the tool for random walks does."""
    seeds = count()

    def load() -> float:
        started = time.process_time_ns()
        beats = sum(walk(next(seeds), _WALK_BEATS, improvise).beats for _ in range(_WALKS))
        return (time.process_time_ns() - started) / beats / 1e9

    return load
