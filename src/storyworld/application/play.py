"""Play a stage: alternate between planning the next seat and its one model call, then settle."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from storyworld.application.house import House
from storyworld.application.ports import Audience, NewBeat, NewRun, Once
from storyworld.core.call import Call, Failure, Performance, Usage
from storyworld.core.canonical import canonical_bytes
from storyworld.core.errors import Refusal, word
from storyworld.core.reply.unfolding import Unfolding
from storyworld.core.stage import Stage
from storyworld.core.state import write_state
from storyworld.core.turn import Memories, Settled, Voice, hear, plan, settle

_CALL_POINTS = ("K2", "K3", "K4")
"""The fail-points of a beat's first, second and third model call; each has a `.before` and an `.after`."""


class _Nobody:
    """The audience of a beat that nobody follows."""

    def began(self, beat: int, seats: Sequence[str], skipped: Sequence[Mapping[str, str]]) -> None:
        pass

    def line_grew(self, role_id: str, text: str) -> None:
        pass

    def line_completed(self, role_id: str, text: str, action: str | None) -> None:
        pass

    def line_discarded(self, role_id: str, code: str) -> None:
        pass


NOBODY: Audience = _Nobody()


@dataclass(frozen=True, slots=True)
class Request:
    """What a beat is asked for with: the session, what makes the request the same request again, and who follows the
    beat while it is made.
    """

    project_id: str
    session_id: str
    answer: Once | None = None
    event: Once | None = None
    expected_beat: int | None = None
    audience: Audience = NOBODY


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a stage: the beat or why there is none, and the tokens that its calls took either way."""

    outcome: Settled | Refusal
    tokens: int


async def play(house: House, stage: Stage, memories: Memories, audience: Audience) -> Played:
    """Play and settle. Refusals as `turn.settle`."""
    voices = await voice(house, stage, memories, audience)
    return Played(settle(stage, voices, house.clock.now()), tokens_of(voices))


async def voice(
    house: House, stage: Stage, memories: Memories, audience: Audience, *, candidate: int = 0
) -> tuple[Voice, ...]:
    """At most 3 model calls, one a seat; no transaction is open while one runs."""
    skipped = [
        {"roleId": one.role_id, "code": one.code, "detail": word(one.code, role=one.role_id)}
        for one in stage.seating.skipped
    ]
    audience.began(stage.beat, stage.seating.seats, skipped)
    voices: tuple[Voice, ...] = ()
    calls = iter(_CALL_POINTS)
    while True:
        planned, seat = plan(stage, memories, voices, candidate=candidate)
        _tell(audience, planned[len(voices) :])
        if audience is not NOBODY:
            # What was told goes out before the next reply is worked out, however soon that is.
            await asyncio.sleep(0)
        if seat is None:
            return planned
        point = next(calls)
        house.fail(f"{point}.before")
        outcome = await _perform(house, seat.call, audience)
        house.fail(f"{point}.after")
        voices = hear(stage, planned, seat, outcome)
        _tell(audience, voices[len(planned) :])


def tokens_of(voices: Sequence[Voice]) -> int:
    """The tokens that the calls of these voices took, prompts and replies together."""
    usages = [one.usage for one in voices if one.usage is not None]
    return sum(usage.prompt_tokens + usage.completion_tokens for usage in usages)


def _tell(audience: Audience, voices: Sequence[Voice]) -> None:
    for one in voices:
        if one.line is not None:
            audience.line_completed(one.role_id, one.line.text, one.line.action)
        elif one.skip is not None:
            audience.line_discarded(one.role_id, one.skip)


async def _perform(house: House, call: Call, audience: Audience) -> Performance | Failure:
    """What the performer of the call's provider gives. One that is not there any more fails like one that is down."""
    provider = call.model.provider
    performer = house.performers.get(provider)
    if performer is None:
        usage = Usage(provider, call.model.name or provider, 0, 0, attempts=0, ms=0)
        return Failure(f"there is no provider {provider}", usage)
    if audience is NOBODY:
        return await performer.perform(call, _pass_by)
    unfolding = Unfolding()

    def heard(piece: str) -> None:
        text = unfolding.grow(piece)
        if text:
            audience.line_grew(call.role_id, text)

    return await performer.perform(call, heard)


def _pass_by(piece: str) -> None:
    """Nobody listens to the pieces of this reply."""


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
