"""Random moves: all that can be asked of a running session, and some of what cannot.

It owns which moves there are. It must not know what comes of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from storyworld.core import limits
from storyworld.core.normalize import normalize_texts
from storyworld.core.playtest.draws import Draws
from storyworld.core.playtest.expressions import Things
from storyworld.core.playtest.improvisation import random_operation
from storyworld.core.playtest.texts import SCRIPTS, phrase
from storyworld.core.session import Head, Story
from storyworld.core.trigger import End, Event, HumanLine, Turn, read_event, read_turn

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
    # Texts are normalized at the door of a session, and only there.
    if draws.once_in(4):
        return read_event(normalize_texts(_event(draws, story, head).to_json()))
    return read_turn(normalize_texts(_turn(draws, story, head).to_json()))


def _turn(draws: Draws, story: Story, head: Head) -> Turn:
    focus = _focus(draws, story) if draws.once_in(3) else None
    lines = _lines(draws, story, head)
    kind = draws.below(3)
    if kind == 0 and story.package.branches:
        offered = [option.branch_id for option in head.options]
        any_branch = tuple(story.package.branch_by_id)
        branch_id = draws.pick(any_branch if draws.once_in(10) else offered or any_branch)
        return Turn("choice", branch_id=branch_id, focus_roles=focus, lines=lines)
    if kind == 1:
        return Turn("message", text=_message(draws, story), focus_roles=focus, lines=lines)
    return Turn("advance", focus_roles=focus, lines=lines)


def _focus(draws: Draws, story: Story) -> tuple[str, ...] | None:
    """Some roles in any order; an unknown one now and then."""
    named = draws.some(tuple(story.package.role_by_id), limits.TRIGGER_MAX_FOCUS_ROLES.value)
    return (*named, "no-such-role") if draws.once_in(20) else tuple(named) or None


def _message(draws: Draws, story: Story) -> str:
    """A text; now and then it names a role."""
    text = phrase(draws, draws.pick(tuple(SCRIPTS.values())), limits.STORY_MAX_TEXT_CHARS.value)
    return f"{text} {draws.pick(story.package.roles).name}" if draws.once_in(3) else text


def _lines(draws: Draws, story: Story, head: Head) -> Mapping[str, HumanLine]:
    """Lines for most of the roles that people play."""
    things = Things.of(story.package)
    lines: dict[str, HumanLine] = {}
    for role_id in sorted(story.human_roles):
        if not draws.once_in(4):
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
        lines=_lines(draws, story, head),
    )
