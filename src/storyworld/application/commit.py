"""From a settled beat to an acknowledged one: the parts of the commit protocol that every kind of beat shares."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from storyworld.application.faults import faults_refused
from storyworld.application.house import House, head_of, record_of
from storyworld.application.play import Request, new_beat, play
from storyworld.application.ports import Appended, IntegrityFailed, StoredSession
from storyworld.core.beat import Record
from storyworld.core.errors import Refusal, refusal
from storyworld.core.session import Head, Story
from storyworld.core.stage import Stage
from storyworld.core.turn import Settled


@dataclass(frozen=True, slots=True)
class Committed:
    """A beat that survives any kill. `replayed` tells that an earlier request with the same key made it."""

    record: Record
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Running:
    """A session that is reserved for this beat: its story and the head that the beat starts from."""

    story: Story
    head: Head


@dataclass(frozen=True, slots=True)
class Making:
    """How a kind of beat is made.

    `shape` judges what was sent by itself. `open` judges it against the story and the head; it is pure, so it is asked
    before the session is reserved and again if the head has moved. It gives a stage to be played, or a beat without
    seats.
    """

    shape: Callable[[], Refusal | None]
    open: Callable[[Running], Stage | Settled | Refusal]
    starts_run: bool = False


async def make_beat(house: House, request: Request, making: Making) -> Committed | Refusal:
    """Check, reserve, play, append, tell: the life of every beat.

    The beat owns its task: whoever asked for it may leave, and it still commits or fails by itself. The checks go in
    one order: the session, the shape of what was sent, the key (a stored answer is given whatever has happened since),
    an ended session, a stale beat, the trigger, a busy session. Refusals: `session_unknown`, `trigger_refused`,
    `key_reused`, `event_reused`, `in_progress`, `session_ended`, `stale_beat`, `session_busy`, `stale_head`, those of
    opening and settling a beat, and those of the store.
    """
    task = asyncio.create_task(_checked(house, request, making))
    # The loop itself does not keep a task alive that nobody waits for any more.
    house.beats.add(task)
    task.add_done_callback(house.beats.discard)
    return await asyncio.shield(task)


@faults_refused
async def _checked(house: House, request: Request, making: Making) -> Committed | Refusal:
    session = await house.project(request.project_id).session(request.session_id)
    if session is None:
        return refusal("session_unknown")
    misshapen = making.shape()
    if misshapen is not None:
        return misshapen
    key = None if request.answer is None else request.answer.key
    if key is not None and house.reservations.is_running(request.project_id, request.session_id, key):
        return refusal("in_progress")
    known = await _known_answer(house, request)
    if known is not None:
        return known
    opened = await _open(house, request, making, session)
    if isinstance(opened, Refusal):
        return opened
    house.fail("K0")
    busy = house.reservations.reserve(request.project_id, request.session_id, key)
    if busy is not None:
        return refusal(busy)
    try:
        house.fail("K1")
        return await _reserved(house, request, making)
    finally:
        house.reservations.release(request.project_id, request.session_id)


async def _open(house: House, request: Request, making: Making, session: StoredSession) -> Stage | Settled | Refusal:
    if session.status == "ended":
        return refusal("session_ended")
    expected = request.expected_beat
    if expected is not None and expected != session.beat:
        facts = {"beat": session.beat, "expectedBeat": expected}
        return refusal("stale_beat", actual=session.beat, expected=expected, facts=facts)
    story = await house.story_of(request.project_id, session)
    return story if isinstance(story, Refusal) else making.open(Running(story, head_of(session)))


async def _known_answer(house: House, request: Request) -> Committed | Refusal | None:
    """What an earlier request with the same key or event id led to; None if there was none."""
    project = house.project(request.project_id)
    if request.answer is not None:
        stored = await project.answer(request.session_id, request.answer.key)
        if stored is not None:
            if stored.body_digest != request.answer.body_digest:
                return refusal("key_reused")
            return await _committed(house, request, stored.beat)
    if request.event is not None:
        accepted = await project.event(request.session_id, request.event.key)
        if accepted is not None:
            if accepted.body_digest != request.event.body_digest:
                return refusal("event_reused")
            return await _committed(house, request, accepted.beat)
    return None


async def _committed(house: House, request: Request, beat: int) -> Committed:
    stored = await house.project(request.project_id).beats(request.session_id, beat, beat)
    if not stored:
        raise IntegrityFailed("the beat that an answer names is missing")
    return Committed(record_of(stored[0].record), replayed=True)


async def _reserved(house: House, request: Request, making: Making) -> Committed | Refusal:
    """Make and append the beat. Another one may have come before the reservation, the very one that is asked for here
    among them, so the answer and the head are read again.
    """
    known = await _known_answer(house, request)
    if known is not None:
        return known
    project = house.project(request.project_id)
    session = await project.session(request.session_id)
    assert session is not None, "sessions are not deleted"
    opened = await _open(house, request, making, session)
    settled = await play(house, request, opened) if isinstance(opened, Stage) else opened
    if isinstance(settled, Refusal):
        return settled
    house.fail("K5")
    appended = await project.append(
        request.session_id,
        expected_hash=session.hash,
        new=new_beat(settled),
        answer=request.answer,
        event=request.event,
        starts_run=making.starts_run,
    )
    if appended is not Appended.DONE:
        # Another process was faster. Its beat may be the very one that was asked for here.
        return await _known_answer(house, request) or refusal("stale_head")
    house.fail("K8")
    house.fail("K9")
    for watcher in house.watchers:
        watcher.committed(request.project_id, request.session_id, settled.record["beat"])
    return Committed(settled.record)
