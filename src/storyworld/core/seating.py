"""Who is on stage in a beat, and why everyone else is not.

This file owns the filling of the seats. It must not know prompts, models or what is said.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from storyworld.core import limits
from storyworld.core.mentions import mentioned_roles
from storyworld.core.session import Story
from storyworld.core.trigger import Event, Moving, Turn
from storyworld.core.unchanging import unchanging


@unchanging
class Skipped:
    """A role that does not speak in the beat, and the code that says why."""

    role_id: str
    code: str

    def to_json(self) -> dict[str, Any]:
        """The entry of the beat record; the detail is worded when it is read."""
        return {"roleId": self.role_id, "code": self.code}


@unchanging
class Seating:
    """The roles on stage, at most 3, in the order in which they speak, and every other role with its reason."""

    seats: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()


def fill_seats(story: Story, trigger: Moving, *, seats_max: int = limits.WORLD_TURN_MAX_ROLES.value) -> Seating:
    """Seat the first eligible roles in the order in which the package declares them.

    `seats_max` (1 to 3) is lower only in a deliberation that asks for fewer. An event that wakes nobody lists every
    role as `not_subscribed`; one with `wake` false has neither seats nor skipped roles.
    """
    if isinstance(trigger, Event) and not trigger.wake:
        return Seating()
    eligible, reason = _eligible(story, trigger)
    seats: list[str] = []
    skipped: list[Skipped] = []
    for role in story.package.roles:
        if role.id not in eligible:
            skipped.append(Skipped(role.id, reason))
        elif len(seats) == seats_max:
            skipped.append(Skipped(role.id, "role_cap_reached"))
        else:
            seats.append(role.id)
    return Seating(tuple(seats), tuple(skipped))


def _eligible(story: Story, trigger: Moving) -> tuple[Collection[str], str]:
    if isinstance(trigger, Event):
        return story.subscribers.get(trigger.type, ()), "not_subscribed"
    return _focused(story, trigger), "not_in_focus"


def _focused(story: Story, turn: Turn) -> Collection[str]:
    """An explicit focus wins; then, where the world asks for it, the roles that a message names; else everyone."""
    if turn.focus_roles is not None:
        return turn.focus_roles
    if story.world.settings.focus == "mentions" and turn.text is not None:
        named = mentioned_roles(turn.text, {role.id: role.name for role in story.package.roles})
        if named:
            return named
    return story.package.role_by_id.keys()


def in_declared_order(story: Story, skipped: Iterable[Skipped]) -> tuple[Skipped, ...]:
    """The skipped roles in the order in which the package declares them."""
    places = {role.id: place for place, role in enumerate(story.package.roles)}
    return tuple(sorted(skipped, key=lambda entry: places[entry.role_id]))
