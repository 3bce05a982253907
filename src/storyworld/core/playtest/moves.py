"""Random moves: all that can be asked of a running session, and some of what cannot.

It owns which moves there are. It must not know what comes of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from storyworld.core import limits
from storyworld.core.normalize import normalize_texts
from storyworld.core.playtest.draws import Draws
from storyworld.core.playtest.expressions import Things
from storyworld.core.playtest.improvisation import random_operation
from storyworld.core.playtest.texts import SCRIPTS, phrase
from storyworld.core.seating import fill_seats
from storyworld.core.session import Head, Story
from storyworld.core.trigger import End, Event, HumanLine, Moving, Turn, read_event, read_turn

EVENT_TYPES: Final = ("bell", "night-fall", "rain_2", "storm")
"""The event types that roles of generated worlds subscribe to; `storm` wakes nobody."""


@dataclass(frozen=True, slots=True)
class Begin:
    """An episode is to be started."""

    episode_id: str


Move = Turn | Event | Begin | End
"""What can be asked of a session."""


def random_move(draws: Draws, story: Story, head: Head) -> Move:
    """A turn, mostly; else an event, the start of an episode, or, seldom, the end. Some moves are to be refused."""
    if draws.once_in(80):
        return End()
    if story.package.series and draws.once_in(8):
        return Begin(draws.pick(tuple(story.package.episode_by_id)))
    moving = _event(draws, story, head) if draws.once_in(4) else _turn(draws, story, head)
    spoken = replace(moving, lines=_lines(draws, story, head, moving))
    # Texts are normalized at the door of a session, and only there.
    sent = normalize_texts(spoken.to_json())
    return read_event(sent) if isinstance(moving, Event) else read_turn(sent)


def _turn(draws: Draws, story: Story, head: Head) -> Turn:
    focus = _focus(draws, story) if draws.once_in(3) else None
    kind = draws.below(3)
    choices = [option.branch_id for option in head.options]
    if draws.once_in(12):
        choices = list(story.package.branch_by_id)
    if kind == 0 and choices:
        return Turn("choice", branch_id=draws.pick(choices), focus_roles=focus)
    if kind == 1:
        return Turn("message", text=_message(draws, story), focus_roles=focus)
    return Turn("advance", focus_roles=focus)


def _focus(draws: Draws, story: Story) -> tuple[str, ...] | None:
    """Some roles in any order; an unknown one now and then."""
    named = draws.some(tuple(story.package.role_by_id), limits.TRIGGER_MAX_FOCUS_ROLES.value)
    return (*named, "no-such-role") if draws.once_in(20) else tuple(named) or None


def _message(draws: Draws, story: Story) -> str:
    """A text; now and then it names a role."""
    text = phrase(draws, draws.pick(tuple(SCRIPTS.values())), limits.STORY_MAX_TEXT_CHARS.value)
    return f"{text} {draws.pick(story.package.roles).name}" if draws.once_in(3) else text


def _lines(draws: Draws, story: Story, head: Head, moving: Moving) -> Mapping[str, HumanLine]:
    """Lines for most of the roles that people play and that have a seat; now and then for one that has none."""
    things = Things.of(story.package)
    lines: dict[str, HumanLine] = {}
    on_stage = story.package.role_by_id if draws.once_in(20) else fill_seats(story, moving).seats
    for role_id in on_stage:
        if role_id in story.human_roles and len(lines) < limits.WORLD_TURN_MAX_ROLES.value and not draws.once_in(4):
            script = draws.pick(tuple(SCRIPTS.values()))
            operations = tuple(random_operation(draws, things, head, role_id) for _ in range(draws.below(3)))
            action = phrase(draws, script, 60) if draws.once_in(3) else None
            lines[role_id] = HumanLine(phrase(draws, script, 200), action, operations)
    return lines


def _event(draws: Draws, story: Story, head: Head) -> Event:
    things = Things.of(story.package)
    data: Mapping[str, Any] | None = {"how": draws.between(0, 9), "词": "雨"} if draws.once_in(2) else None
    return Event(
        event_id=f"event-{head.beat}-{draws.bits():016x}",
        type=draws.pick(EVENT_TYPES),
        data=data,
        effects=tuple(random_operation(draws, things, head, None) for _ in range(draws.below(3))),
        wake=not draws.once_in(4),
    )
