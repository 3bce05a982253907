"""Walk random stories at random and say whether anything happened that may never happen.

python tools/random_walks.py --walks 10000 --beats 20

Each walk is made twice: the same seed must give the same beats. The last line counts walks, beats and faults; the exit
code is 1 where there was a fault, whose seed makes it again.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from storyworld.core.call import Call, Failure, Performance
from storyworld.core.playtest.improvisation import improvise
from storyworld.core.playtest.walk import Answer, Walk, walk
from storyworld.core.session import Head, Story
from storyworld.models.rehearsal import perform


def by_rehearsal(_story: Story, _head: Head, call: Call) -> Performance | Failure:
    """The rehearsal's answer: it is told nothing but the prompt, the beat and the draw."""
    return perform(call)


ANSWERS: dict[str, Answer] = {"rehearsal": by_rehearsal, "improvised": improvise}


def walk_twice(performer: str, beats: int, seed: int) -> Walk:
    """One walk, and a fault where a second one under the same seed differs."""
    first, second = (walk(seed, beats, ANSWERS[performer]) for _ in range(2))
    if first.hashes == second.hashes:
        return first
    return Walk(seed, first.hashes, (*first.faults, "the same seed gave other beats"), first.outcomes)


def main() -> int:
    """Walk, and print what was seen."""
    parser = ArgumentParser(description="Walk random stories at random.")
    parser.add_argument("--walks", type=int, default=500)
    parser.add_argument("--beats", type=int, default=20)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--performer", choices=tuple(ANSWERS), default="rehearsal")
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    seeds = range(asked.first_seed, asked.first_seed + asked.walks)
    started = time.monotonic()
    beats, faults, outcomes = 0, 0, Counter[str]()
    with ProcessPoolExecutor(asked.processes) as pool:
        for done in pool.map(partial(walk_twice, asked.performer, asked.beats), seeds, chunksize=25):
            beats += done.beats
            outcomes += done.outcomes
            for fault in done.faults:
                faults += 1
                print(f"seed {done.seed}: {fault}")
    print(", ".join(f"{name} {count}" for name, count in sorted(outcomes.items())))
    seconds = time.monotonic() - started
    print(f"{asked.walks} walks by {asked.performer}, {beats} beats, {faults} faults, {seconds:.0f} s")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
