"""The story that comes along, played by the offline performer: it moves, and it ends by itself."""

from __future__ import annotations

import pytest

from storyworld.core.call import Call, Performance, Usage
from storyworld.core.playtest.run import Run
from storyworld.core.trigger import Turn
from storyworld.core.turn import Settled
from storyworld.models.rehearsal import rehearse
from tests.stories.test_stories import BEATS_MAX, cast, package

USAGE = Usage("rehearsal", "rehearsal", prompt_tokens=1, completion_tokens=1, attempts=1, ms=1)


def performed(call: Call) -> Performance:
    return Performance(rehearse(call.prompt, call.beat, call.draw), USAGE)


@pytest.mark.parametrize("seed", range(8))
def test_the_default_story_is_rehearsed_to_an_ending_whoever_is_on_stage(seed: int) -> None:
    story = cast(package())
    roles = tuple(story.package.role_by_id)
    run = Run(story, seed, performed)
    while run.head.status == "active":
        first = run.head.beat * 3 % len(roles)
        on_stage = (roles + roles)[first : first + 3] if seed % 2 else None
        assert isinstance(run.move(Turn("advance", focus_roles=on_stage)), Settled)
    assert run.head.beat < BEATS_MAX
    assert run.head.state.ending_id != "still-talking"
    assert run.difference() is None
