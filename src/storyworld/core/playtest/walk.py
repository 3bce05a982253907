"""Random walks: random moves through a random story, with everything that must hold checked after each beat.

It owns what a walk must never show. It must not know who performs: answers are handed in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from storyworld.core import limits
from storyworld.core.beat import Record
from storyworld.core.call import Call, Failure, Performance
from storyworld.core.errors import Refusal
from storyworld.core.playtest.draws import Draws
from storyworld.core.playtest.moves import Begin, Move, random_move
from storyworld.core.playtest.run import Run
from storyworld.core.playtest.worlds import random_story
from storyworld.core.session import Head, Story
from storyworld.core.state import State
from storyworld.core.trigger import End
from storyworld.core.trigger_door import judge_ids
from storyworld.core.turn import Settled

Answer = Callable[[Story, Head, Call], Performance | Failure]
"""How a role answers in a walk: from the story, its head and the call, and from no other chance."""

MOVES_A_BEAT_MAX = 3
"""A walk asks this many times for each beat that it may make; refused moves make none."""


@dataclass(frozen=True, slots=True)
class Walk:
    """What came of one walk. `faults` holds, in words, everything that may never be; `outcomes` counts what was
    seen.
    """

    seed: int
    hashes: tuple[str, ...]
    faults: tuple[str, ...]
    outcomes: Counter[str]

    @property
    def beats(self) -> int:
        """How many beats were made, the opening included."""
        return len(self.hashes)


def walk(seed: int, beats_max: int, answer: Answer) -> Walk:
    """Walk a random story by random moves for at most `beats_max` beats, and replay it.

    The same seed makes the same moves and, with the same answers, the same beats to the last byte: there is no clock.
    """
    story = random_story(seed)
    draws = Draws(seed).apart()
    run = Run(story, seed & limits.SEED_MAX.value, lambda call: answer(story, run.head, call))
    faults: list[str] = []
    outcomes: Counter[str] = Counter()
    asked = 0
    while run.head.status == "active" and run.head.beat < beats_max and asked < beats_max * MOVES_A_BEAT_MAX:
        asked += 1
        before = run.head.state
        made = _make(run, random_move(draws, story, run.head))
        if isinstance(made, Refusal):
            outcomes[made.code] += 1
            continue
        outcomes[made.record["patch"]["status"]] += 1
        outcomes.update(skipped["code"] for skipped in made.record["skippedRoles"])
        faults += (f"beat {run.head.beat}: {fault}" for fault in beat_faults(made.record, before, run.head.state))
    difference = run.difference()
    faults += [] if difference is None else [f"replay: {difference.to_json()}"]
    return Walk(seed, tuple(record["hash"] for record, _ in run.beats), tuple(faults), outcomes)


def _make(run: Run, move: Move) -> Settled | Refusal:
    if isinstance(move, Begin):
        return run.begin_episode(move.episode_id)
    if isinstance(move, End):
        return run.end()
    return judge_ids(move, run.story) or run.move(move)


def beat_faults(record: Record, before: State, after: State) -> Iterator[str]:
    """The caps that a beat may not pass. A state that was over one from the start may stay there, and grow no
    further.
    """
    counts = (
        ("seats", len(record["seats"]), limits.WORLD_TURN_MAX_ROLES.value),
        ("model calls", len(record["usage"]), limits.WORLD_TURN_MAX_MODEL_CALLS.value),
        ("branch options", len(record["branchOptions"]), limits.WORLD_MAX_BRANCH_OPTIONS.value),
        ("entities", len(after.entities), max(len(before.entities), limits.WORLD_STATE_MAX_ENTITIES.value)),
        ("relations", len(after.relations), max(len(before.relations), limits.WORLD_STATE_MAX_RELATIONS.value)),
        ("facts", len(after.facts), max(len(before.facts), limits.WORLD_STATE_MAX_FACTS.value)),
        *(
            (f"notes of {role_id}", len(notes), limits.WORLD_STATE_MAX_NOTES_PER_ROLE.value)
            for role_id, notes in after.notes.items()
        ),
    )
    for name, count, most in counts:
        if count > most:
            yield f"{count} {name}, {most} are allowed"
    if record["patch"]["status"] == "rejected" and record["trigger"]["kind"] == "advance":
        changed = (before.flags, before.entities, before.relations, before.notes, before.facts, before.node_id)
        if changed != (after.flags, after.entities, after.relations, after.notes, after.facts, after.node_id):
            yield "a rejected patch changed the state"
