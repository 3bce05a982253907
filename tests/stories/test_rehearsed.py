"""The stories that come along, played by the offline performer: they move, and they end by themselves."""

from __future__ import annotations

import pytest

from storyworld.core.call import Call, Performance, Usage
from storyworld.core.playtest.run import Run
from storyworld.core.trigger import Turn
from storyworld.core.turn import Settled
from storyworld.models.rehearsal import rehearse
from storyworld.models.rehearsal_part import Part, part_of
from storyworld.stories import story_names
from tests.stories.test_stories import BEATS_MAX, cast, package

USAGE = Usage("rehearsal", "rehearsal", prompt_tokens=1, completion_tokens=1, attempts=1, ms=1)


def performed(call: Call) -> Performance:
    return Performance(rehearse(call.prompt, call.beat, call.draw), USAGE)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", story_names())
def test_a_story_that_comes_along_is_rehearsed_to_an_ending_whoever_is_on_stage(name: str, seed: int) -> None:
    story = cast(package(name))
    roles = tuple(story.package.role_by_id)
    run = Run(story, seed, performed)
    while run.head.status == "active":
        first = run.head.beat * 3 % len(roles)
        on_stage = (roles + roles)[first : first + 3] if seed % 2 else None
        assert isinstance(run.move(Turn("advance", focus_roles=on_stage)), Settled)
    assert run.head.beat < BEATS_MAX
    assert run.head.state.ending_id != "still-talking"
    assert run.difference() is None


@pytest.mark.parametrize("name", story_names())
def test_every_role_of_such_a_story_has_wishes_that_it_can_say_aloud_without_its_secrets(name: str) -> None:
    parts: dict[str, Part] = {}

    def noted(call: Call) -> Performance:
        part = part_of(call.prompt.fixed)
        parts[part.name] = part
        return performed(call)

    content = package(name)
    run = Run(cast(content), 1, noted)
    for role in content.roles:
        assert isinstance(run.move(Turn("advance", focus_roles=(role.id,))), Settled)
        assert len(parts[role.name].aims) >= 2, role.name
