"""How much a beat asks of models: characters of its prompts and calls, counted, with casts of 3, 8 and 24 roles.

What a role is told must not grow with the cast: the same three roles are seated each time, and the others are only
there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from bench.figure import Gate, Row, Setting
from bench.interval import Estimate, estimate, exactly
from bench.story import CASTS, answer, next_trigger, pure_story
from storyworld.core import limits
from storyworld.core.call import Call, Performance
from storyworld.core.playtest.run import Run
from storyworld.core.trigger import read_turn

_BEATS = 36
_FLAT = 1.0


@dataclass
class _Asked:
    """What each beat asked, from the first on; `perform` notes it and answers."""

    characters: list[int] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)

    def next_beat(self) -> None:
        self.characters.append(0)
        self.calls.append(0)

    def perform(self, call: Call) -> Performance:
        prompt = call.prompt
        sections = (*prompt.fixed.sections, *prompt.memory, *prompt.envelope)
        self.characters[-1] += sum(len(section.text) for section in sections)
        self.calls[-1] += 1
        return answer(call)


def measure(_setting: Setting) -> Iterator[Row]:
    """Counted over the same beats with each cast; how far the counts are from flat, and the most calls."""
    asked = {roles: _play(roles) for roles in CASTS}
    smallest = asked[CASTS[0]].characters
    for roles, counts in asked.items():
        yield Row(f"characters of a beat's prompts, {roles} roles", "characters", estimate(counts.characters))
    for roles in CASTS[1:]:
        ratios = [more / fewer for more, fewer in zip(asked[roles].characters, smallest, strict=True)]
        found = Estimate(estimate(ratios).median, min(ratios), max(ratios), len(ratios))
        yield Row(f"characters with {roles} roles, against {CASTS[0]}", "x", found, Gate(_FLAT))
    gate = Gate(limits.WORLD_TURN_MAX_MODEL_CALLS.value)
    for roles, counts in asked.items():
        most = exactly(max(counts.calls), len(counts.calls))
        yield Row(f"calls in a beat at most, {roles} roles", "calls", most, gate)


def _play(roles: int) -> _Asked:
    asked = _Asked()
    run = Run(pure_story(roles), 7, asked.perform)
    for _ in range(_BEATS):
        asked.next_beat()
        run.move(read_turn(next_trigger(run.record)))
    return asked
