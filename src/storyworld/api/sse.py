"""Server-sent events: how one is written, the stream of a turn, and the stream of a session.

Every event's data is JSON on one line, so that no text can begin an event of its own. Nothing is queued for a slow
reader of a session: it reads from the store in its own time.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from typing import Any, Final

from storyworld.api.operation import Answer, Asked
from storyworld.api.problems import problem_value
from storyworld.application.browse import list_beats, read_session
from storyworld.application.commit import Committed
from storyworld.application.ports import Audience
from storyworld.core import limits
from storyworld.core.beat import Record, word_record
from storyworld.core.canonical import canonical_bytes
from storyworld.core.errors import Refusal, refusal

EVENT_STREAM: Final = "text/event-stream"
_HEARTBEAT: Final = b": still here\n\n"
# A key that was revoked closes its streams this soon.
_LOOK_AGAIN_SECONDS: Final = 5.0
Outcome = Committed | Refusal


def event(name: str, value: object, number: int | None = None) -> bytes:
    """One event. `number` is its id, for streams that can be taken up again."""
    numbered = b"" if number is None else b"id: %d\n" % number
    return b"event: %s\n%sdata: %s\n\n" % (name.encode(), numbered, canonical_bytes(value))


def committed(record: Record) -> bytes:
    """The event of a committed beat."""
    return event("beat.committed", word_record(record), record["beat"])


class _Told:
    """An audience that writes down what it is told as events. What a beat can tell is bounded, so its queue is."""

    def __init__(self) -> None:
        self.events: asyncio.Queue[bytes] = asyncio.Queue()

    def began(self, beat: int, seats: Sequence[str], skipped: Sequence[Mapping[str, str]]) -> None:
        self._tell("beat.started", {"beat": beat, "seats": list(seats), "skippedRoles": list(skipped)})

    def line_grew(self, role_id: str, text: str) -> None:
        self._tell("line.delta", {"roleId": role_id, "text": text})

    def line_completed(self, role_id: str, text: str, action: str | None) -> None:
        value = {"roleId": role_id, "text": text}
        self._tell("line.completed", value if action is None else {**value, "action": action})

    def line_discarded(self, role_id: str, code: str) -> None:
        self._tell("line.discarded", {"roleId": role_id, "code": code})

    def _tell(self, name: str, value: Mapping[str, Any]) -> None:
        self.events.put_nowait(event(name, value))


async def streamed_turn(asked: Asked, move: Callable[[Audience], Coroutine[Any, Any, Outcome]]) -> Answer | Refusal:
    """The events of a turn as they come. A refusal before the beat has begun is a plain one; an answer that was stored
    before is told at once. The beat goes on though its client leaves.
    """
    told = _Told()
    making = asyncio.ensure_future(move(told))
    first = asyncio.ensure_future(told.events.get())
    both: set[asyncio.Future[Any]] = {making, first}
    await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    if not first.done():
        first.cancel()
        outcome = making.result()
        if isinstance(outcome, Refusal):
            return outcome
        headers = {"Idempotent-Replayed": "true"} if outcome.replayed else {}
        return Answer(200, events=_at_once(committed(outcome.record)), headers=headers)
    return Answer(200, events=_as_they_come(asked, first.result(), told.events, making))


async def _at_once(only: bytes) -> AsyncIterator[bytes]:
    yield only


async def _as_they_come(
    asked: Asked, first: bytes, events: asyncio.Queue[bytes], making: asyncio.Future[Outcome]
) -> AsyncIterator[bytes]:
    yield first
    following = asyncio.ensure_future(events.get())
    try:
        while True:
            waiting: set[asyncio.Future[Any]] = {making, following}
            await asyncio.wait(waiting, timeout=asked.serving.heartbeat_seconds, return_when=asyncio.FIRST_COMPLETED)
            if following.done():
                yield following.result()
                following = asyncio.ensure_future(events.get())
            elif making.done():
                yield _end(asked, making)
                return
            else:
                yield _HEARTBEAT
    finally:
        following.cancel()


def _end(asked: Asked, making: asyncio.Future[Outcome]) -> bytes:
    """How the stream of a turn ends: with the beat, or with the problem for which there is none."""
    fault = making.exception()
    outcome = refusal("fault") if fault is not None else making.result()
    if isinstance(outcome, Refusal):
        return event("beat.discarded", problem_value(outcome, asked.request_id))
    return committed(outcome.record)


async def session_stream(asked: Asked, session_id: str, last_seen: str | None) -> Answer | Refusal:
    """The committed beats of a session after the one that was seen last, as they are committed; without that, those
    that are committed from now on.

    Of an id that no beat of the session has, `resync` tells the last beat, and the stream goes on from there. Where
    nothing can come any more the answer is 204, on which browsers stop asking. Refusal: `session_unknown`.
    """
    found = await read_session(asked.house, asked.project_id, session_id)
    if isinstance(found, Refusal):
        return found
    head = found.stored.beat
    number = int(last_seen) if last_seen is not None and last_seen.isascii() and last_seen.isdecimal() else None
    known = number is not None and len(str(last_seen)) <= len(str(limits.INTEGER_MAX.value)) and number <= head
    after = number if known and number is not None else head
    if found.stored.status == "ended" and after == head and (known or last_seen is None):
        return Answer(204)
    opening = b"" if known or last_seen is None else event("resync", {"beat": head}, head)
    return Answer(200, events=_beats_as_they_come(asked, session_id, after, opening))


async def _beats_as_they_come(asked: Asked, session_id: str, after: int, opening: bytes) -> AsyncIterator[bytes]:
    # Headers go out with the first bytes, and a client that waits for its first beat wants to know that it is heard.
    yield opening or _HEARTBEAT
    house, loop = asked.house, asyncio.get_running_loop()
    silent_since = loop.time()
    with house.watching.following(asked.project_id, session_id) as woken:
        while True:
            woken.clear()
            found = await list_beats(house, asked.project_id, session_id, limits.PAGE_MAX_ITEMS.value, after)
            if isinstance(found, Refusal):
                return
            for record in found:
                yield committed(record)
                after, silent_since = record["beat"], loop.time()
            if len(found) == limits.PAGE_MAX_ITEMS.value:
                continue
            if house.stopping or await _is_over(asked, session_id, after):
                return
            try:
                await asyncio.wait_for(woken.wait(), min(_LOOK_AGAIN_SECONDS, asked.serving.heartbeat_seconds))
            except TimeoutError:
                if loop.time() - silent_since >= asked.serving.heartbeat_seconds:
                    silent_since = loop.time()
                    yield _HEARTBEAT


async def _is_over(asked: Asked, session_id: str, after: int) -> bool:
    """Whether the session has ended and all of it was told, or the key of the stream opens nothing any more."""
    project = asked.house.project(asked.project_id)
    key, session = await project.key(asked.key_id), await project.session(session_id)
    if key is None or key.revoked_at is not None or session is None:
        return True
    return session.status == "ended" and after >= session.beat
