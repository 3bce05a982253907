"""What moves a session on: turns, events, episode starts, deliberations, the end; and the stream of its beats."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import Any, Final

from storyworld.api.operation import (
    Access,
    Answer,
    Answered,
    Asked,
    Operation,
    Parameter,
    body,
    choice,
    unjudged,
)
from storyworld.api.operations.sessions import SESSION_ID, STORY_REFUSALS, session_missing
from storyworld.api.pages import PAGED, page
from storyworld.api.shapes import sessions as shapes
from storyworld.api.shapes.parts import TEXT, told
from storyworld.api.sse import EVENT_STREAM, Outcome, session_stream, streamed_turn
from storyworld.application.advance import accept_event, advance, end_session, once, start_episode
from storyworld.application.browse import read_run
from storyworld.application.deliberate import (
    DeliberationView,
    commit_deliberated,
    deliberate,
    list_deliberations,
    read_one,
)
from storyworld.application.play import NOBODY, Request
from storyworld.application.ports import Audience, Deliberation
from storyworld.core import limits, schema
from storyworld.core.beat import word_record
from storyworld.core.errors import Refusal
from storyworld.core.schema.parts import VISIBLE_ASCII_PATTERN, identifier, integer, resource_id, shaped_text

_KEY: Final = Parameter(
    "header",
    "Idempotency-Key",
    shaped_text(
        limits.IDEMPOTENCY_KEY_MAX_CHARS,
        VISIBLE_ASCII_PATTERN,
        "Sent again with the same body, the answer is the same.",
    ),
)
_LAST_EVENT: Final = Parameter(
    "header", "Last-Event-ID", {"type": "string", "description": "The number of the last beat that was seen."}
)
_DELIBERATION_ID: Final = Parameter("path", "deliberationId", resource_id("The deliberation."), "deliberation_unknown")
_EXPECTED: Final = integer(limits.INTEGER_MAX, "The last beat that the client knows; another one refuses.", minimum=0)
_TURN: Final = choice(
    "TurnRequest",
    "A turn, or a candidate of a deliberation that becomes the next beat.",
    {
        "trigger": body(
            "TriggeredTurn",
            "A turn.",
            {"trigger": schema.TURN_TRIGGER, "expectedBeat": _EXPECTED},
            optional=("expectedBeat",),
            judged_later=("trigger",),
        ),
        "deliberationId": body(
            "DeliberatedTurn",
            "A candidate that becomes the next beat, without another call.",
            {
                "deliberationId": resource_id("The deliberation."),
                "candidate": integer(limits.DELIBERATION_MAX_CANDIDATES, "Which of its candidates.", minimum=1),
                "expectedBeat": _EXPECTED,
            },
            optional=("expectedBeat",),
        ),
    },
)
_EPISODE: Final = body("EpisodeRunRequest", "An episode to play.", {"episodeId": identifier("The episode.")})
_END: Final = body("EndRequest", "Nothing.", {}, required=False)
# What any beat may be refused for, and what only one with a turn may.
_BEAT_REFUSALS: Final = (
    *STORY_REFUSALS,
    "session_ended",
    "stopping",
    "session_busy",
    "stale_head",
    "key_reused",
    "in_progress",
)
_CALL_REFUSALS: Final = (
    "trigger_refused",
    "token_budget_exhausted",
    "awaiting_human",
    "model_failed",
    "model_timeout",
    "branch_not_offered",
    "rule_broken",
)


def _request(asked: Asked, *, audience: Audience = NOBODY) -> Request:
    """The request of an operation that takes an idempotency key."""
    return Request(
        asked.project_id,
        asked.path["id"],
        answer=once(asked.headers["Idempotency-Key"], asked.body),
        expected_beat=asked.body.get("expectedBeat"),
        audience=audience,
    )


def _beat(made: Outcome) -> Answer | Refusal:
    if isinstance(made, Refusal):
        return made
    headers = {"Idempotent-Replayed": "true"} if made.replayed else {}
    return Answer(201, word_record(made.record), headers=headers)


async def _turn(asked: Asked) -> Answer | Refusal:
    if asked.accepts_events:
        return await streamed_turn(asked, _mover(asked))
    return _beat(await _mover(asked)(NOBODY))


def _mover(asked: Asked) -> Callable[[Audience], Coroutine[Any, Any, Outcome]]:
    async def move(audience: Audience) -> Outcome:
        request = _request(asked, audience=audience)
        if "deliberationId" in asked.body:
            wanted = (asked.body["deliberationId"], asked.body["candidate"])
            return await commit_deliberated(asked.house, request, *wanted)
        made = await advance(asked.house, request, asked.body["trigger"])
        return _under("/trigger", made) if isinstance(made, Refusal) else made

    return move


def _under(place: str, refused: Refusal) -> Refusal:
    """The same refusal, with its problems placed in the whole body."""
    if refused.code != "trigger_refused":
        return refused
    return replace(refused, problems=tuple(replace(one, path=f"{place}{one.path}") for one in refused.problems))


async def _event(asked: Asked) -> Answer | Refusal:
    sent = asked.body
    event_id = sent.get("eventId") if isinstance(sent, dict) else None
    named = once(event_id, sent) if isinstance(event_id, str) else None
    made = await accept_event(asked.house, Request(asked.project_id, asked.path["id"], event=named), sent)
    if isinstance(made, Refusal):
        return made
    value = {"eventId": event_id, "beat": word_record(made.record)}
    return Answer(200, {**value, "duplicate": True}) if made.replayed else Answer(201, value)


async def _episode(asked: Asked) -> Answer | Refusal:
    made = await start_episode(asked.house, _request(asked), asked.body["episodeId"])
    if isinstance(made, Refusal):
        return made
    run_id = made.record["episodeRun"]["episodeRunId"]
    found = await read_run(asked.house, asked.project_id, asked.path["id"], run_id)
    if isinstance(found, Refusal):
        return found
    # A replayed answer tells what the run was when it began, whatever has become of it.
    begun = {**shapes.run(found), "beatsUsed": 0, "lastBeat": None, "ended": None}
    return Answer(201, begun, headers={"Idempotent-Replayed": "true"} if made.replayed else {})


async def _end(asked: Asked) -> Answer | Refusal:
    return _beat(await end_session(asked.house, _request(asked)))


async def _deliberate(asked: Asked) -> Answer | Refusal:
    made = await deliberate(asked.house, Request(asked.project_id, asked.path["id"]), asked.body)
    return made if isinstance(made, Refusal) else Answer(201, _deliberation(made))


async def _read_deliberation(asked: Asked) -> Answer | Refusal:
    found = await read_one(asked.house, asked.project_id, asked.path["id"], asked.path["deliberationId"])
    return found if isinstance(found, Refusal) else Answer(200, _deliberation(found))


async def _list_deliberations(asked: Asked) -> Answer | Refusal:
    async def fetch(limit: int, after: str | None) -> Sequence[Deliberation] | Refusal:
        return await list_deliberations(asked.house, asked.project_id, asked.path["id"], limit, after)

    return await page(asked, fetch, shapes.deliberation_summary, lambda found: found.deliberation_id)


def _deliberation(found: DeliberationView) -> dict[str, Any]:
    return {**shapes.deliberation_summary(found.summary), "candidates": [dict(one) for one in found.candidates]}


async def _stream(asked: Asked) -> Answer | Refusal:
    return await session_stream(asked, asked.path["id"], asked.headers["Last-Event-ID"])


_ONE: Final = "/v1/sessions/{id}"
_EVENT: Final[schema.Schema] = {
    "type": "object",
    "description": "One event of the stream.",
    "properties": {"event": TEXT, "id": TEXT, "data": told("JSON.", TEXT)},
}
_STREAM: Final = {EVENT_STREAM: _EVENT}
_REPLAYED: Final = {"Idempotent-Replayed": "`true` where the answer was stored before."}
_WRITE: Final = Access.WRITE
OPERATIONS: Final = (
    Operation(
        "POST", f"{_ONE}/turns", "takeTurn", "Sessions", "Move the session on by one beat.", _WRITE, _turn,
        {
            200: Answered(
                "With `Accept: text/event-stream`: `beat.started`, `line.delta`, `line.completed`, `line.discarded`, "
                "then `beat.committed` or `beat.discarded`.", other=_STREAM, headers=_REPLAYED,
            ),
            201: Answered("The committed beat.", shapes.BEAT, headers=_REPLAYED),
        },
        (*_BEAT_REFUSALS, *_CALL_REFUSALS, "stale_beat", "deliberation_unknown", "candidate_unknown",
         "stale_deliberation"),
        (SESSION_ID, _KEY), _TURN, session_missing,
    ),
    Operation(
        "POST", f"{_ONE}/events", "sendEvent", "Sessions", "Tell of something that happened: effects, then waking.",
        _WRITE, _event,
        {
            200: Answered("It was accepted before; nothing happened now.", shapes.EVENT_ACCEPTED),
            201: Answered("Its beat.", shapes.EVENT_ACCEPTED),
        },
        (*_BEAT_REFUSALS, "trigger_refused", "token_budget_exhausted", "effects_refused", "event_reused"),
        (SESSION_ID,), unjudged(schema.EVENT), session_missing,
    ),
    Operation(
        "POST", f"{_ONE}/episode-runs", "startEpisodeRun", "Sessions", "Begin to play an episode.", _WRITE, _episode,
        {201: Answered("The run.", shapes.RUN, headers=_REPLAYED)},
        (*_BEAT_REFUSALS, "episode_unknown", "episode_running", "rule_broken", "episode_run_unknown"),
        (SESSION_ID, _KEY), _EPISODE, session_missing,
    ),
    Operation(
        "POST", f"{_ONE}/end", "endSession", "Sessions", "End the session; it can still be read, verified and forked.",
        _WRITE, _end, {201: Answered("Its last beat.", shapes.BEAT, headers=_REPLAYED)}, _BEAT_REFUSALS,
        (SESSION_ID, _KEY), _END, session_missing,
    ),
    Operation(
        "POST", f"{_ONE}/deliberations", "deliberate", "Sessions", "Work out candidates for the next beat.", _WRITE,
        _deliberate, {201: Answered("The candidates; nothing is committed.", shapes.DELIBERATION)},
        (*_BEAT_REFUSALS, *_CALL_REFUSALS, "deliberation_unknown"), (SESSION_ID,), unjudged(schema.DELIBERATION),
        session_missing,
    ),
    Operation(
        "GET", f"{_ONE}/deliberations", "listDeliberations", "Sessions", "Its deliberations, without candidates.",
        Access.READ, _list_deliberations, {200: Answered("A page of deliberations.", shapes.DELIBERATION_PAGE)}, (),
        (SESSION_ID, *PAGED),
    ),
    Operation(
        "GET", f"{_ONE}/deliberations/{{deliberationId}}", "getDeliberation", "Sessions", "One deliberation.",
        Access.READ, _read_deliberation, {200: Answered("The deliberation.", shapes.DELIBERATION)}, (),
        (SESSION_ID, _DELIBERATION_ID),
    ),
    Operation(
        "GET", f"{_ONE}/stream", "streamSession", "Sessions", "Its beats as they are committed.", Access.READ, _stream,
        {
            200: Answered("`beat.committed` events, whose id is the beat; `resync` after an id that no beat has.",
                          other=_STREAM),
            204: Answered("The session has ended and all of it was seen."),
        },
        (), (SESSION_ID, _LAST_EVENT),
    ),
)  # fmt: skip
