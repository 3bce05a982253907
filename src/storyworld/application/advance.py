"""Move a session on: turns, trusted events, episode starts, the end."""

from __future__ import annotations

from storyworld.application.commit import Committed, Making, Running, make_beat
from storyworld.application.house import House
from storyworld.application.play import Request
from storyworld.application.ports import Once
from storyworld.core.canonical import canonical_bytes, digest
from storyworld.core.errors import Refusal
from storyworld.core.stage import Stage, open_beat
from storyworld.core.trigger import Event, Turn
from storyworld.core.trigger_door import judge_ids, read_event_shape, read_turn_shape
from storyworld.core.turn import Settled
from storyworld.core.unseated import begin_episode, end


def once(key: str | None, body: object) -> Once | None:
    """What makes a request the same request: its key and the digest of its canonical body."""
    return None if key is None else Once(key, digest(canonical_bytes(body)))


async def advance(house: House, request: Request, trigger: object) -> Committed | Refusal:
    """Make one beat of a turn; `trigger` is the client's JSON value."""
    return await _move(house, request, read_turn_shape(trigger))


async def accept_event(house: House, request: Request, event: object) -> Committed | Refusal:
    """Make one beat of a trusted event; `request.event` de-duplicates it for the session's life."""
    return await _move(house, request, read_event_shape(event))


async def _move(house: House, request: Request, trigger: Turn | Event | Refusal) -> Committed | Refusal:
    def shape() -> Refusal | None:
        return trigger if isinstance(trigger, Refusal) else None

    def opened(running: Running) -> Stage | Refusal:
        assert not isinstance(trigger, Refusal), "the shape is judged first"
        return judge_ids(trigger, running.story) or open_beat(running.story, running.head, trigger)

    # An event that wakes nobody asks no model.
    calls = isinstance(trigger, Turn) or (isinstance(trigger, Event) and trigger.wake)
    return await make_beat(house, request, Making(shape, opened, calls=calls))


def _shapeless() -> None:
    """A beat without seats is asked for by ids alone: there is no shape to judge."""


async def start_episode(house: House, request: Request, episode_id: str) -> Committed | Refusal:
    """Start a run of an episode; the beat has no seats. Refusals as `stage.start_episode`."""

    def opened(running: Running) -> Settled | Refusal:
        return begin_episode(running.story, running.head, episode_id, house.clock.now())

    return await make_beat(house, request, Making(_shapeless, opened))


async def end_session(house: House, request: Request) -> Committed | Refusal:
    """End the session, and a running episode with it."""

    def opened(running: Running) -> Settled | Refusal:
        return end(running.story, running.head, house.clock.now())

    return await make_beat(house, request, Making(_shapeless, opened))
