"""Play a stage: alternate between planning the next seat and its one model call, then settle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from storyworld.application.house import House
from storyworld.application.ports import NewBeat, NewRun, Once
from storyworld.core.call import Call, Failure, Performance, Usage
from storyworld.core.canonical import canonical_bytes
from storyworld.core.errors import Refusal
from storyworld.core.stage import Stage
from storyworld.core.state import write_state
from storyworld.core.turn import Memories, Settled, Voice, hear, plan, settle

_CALL_POINTS = ("K2", "K3", "K4")
"""The fail-points of a beat's first, second and third model call; each has a `.before` and an `.after`."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a beat is asked for with: the session, and what makes the request the same request again."""

    project_id: str
    session_id: str
    answer: Once | None = None
    event: Once | None = None
    expected_beat: int | None = None


async def play(house: House, stage: Stage, memories: Memories) -> Settled | Refusal:
    """At most 3 model calls, one a seat; no transaction is open while one runs. Refusals as `turn.settle`."""
    voices: tuple[Voice, ...] = ()
    calls = iter(_CALL_POINTS)
    while True:
        voices, seat = plan(stage, memories, voices)
        if seat is None:
            return settle(stage, voices, house.clock.now())
        point = next(calls)
        house.fail(f"{point}.before")
        outcome = await _perform(house, seat.call)
        house.fail(f"{point}.after")
        voices = hear(stage, voices, seat, outcome)


async def _perform(house: House, call: Call) -> Performance | Failure:
    """What the performer of the call's provider gives. One that is not there any more fails like one that is down."""
    provider = call.model.provider
    performer = house.performers.get(provider)
    if performer is None:
        usage = Usage(provider, call.model.name or provider, 0, 0, attempts=0, ms=0)
        return Failure(f"there is no provider {provider}", usage)
    return await performer.perform(call)


def new_beat(settled: Settled) -> NewBeat:
    """A settled beat as the store takes it."""
    record = settled.record
    replies: dict[str, Any] = {"replies": list(settled.replies)}
    run = record["episodeRun"]
    return NewBeat(
        beat=record["beat"],
        hash=record["hash"],
        record=canonical_bytes(record),
        replies=canonical_bytes(replies),
        seats=tuple(record["seats"]),
        state=canonical_bytes(write_state(settled.state)),
        status=settled.status,
        created_at=record["createdAt"],
        tokens=sum(call["promptTokens"] + call["completionTokens"] for call in record["usage"]),
        starts_run=NewRun(run["episodeRunId"], run["episodeId"]) if record["trigger"]["kind"] == "episode" else None,
        ends_run=run["episodeRunId"] if run is not None and "ended" in run else None,
    )
