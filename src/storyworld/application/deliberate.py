"""Work out candidate beats without committing one; commit one of them later without another call."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from storyworld.application.commit import (
    Committed,
    Making,
    Running,
    budget_refusal,
    make_beat,
    remembering,
    spend,
)
from storyworld.application.faults import faults_refused
from storyworld.application.house import House, head_of, reading_rows
from storyworld.application.play import NOBODY, Request, tokens_of, voice
from storyworld.application.ports import (
    Deliberation as StoredSummary,
)
from storyworld.application.ports import (
    IntegrityFailed,
    NewDeliberation,
    StoredDeliberation,
    StoredSession,
)
from storyworld.application.recall import Known
from storyworld.core.beat import word_record
from storyworld.core.call import Failure, Performance, read_usage
from storyworld.core.canonical import canonical_bytes, read_stored
from storyworld.core.deliberation import Candidate, Deliberation, open_deliberation, read_deliberation
from storyworld.core.errors import Refusal, refusal, word
from storyworld.core.stage import Stage
from storyworld.core.trigger_door import judge_ids
from storyworld.core.turn import Voice, settle


@dataclass(frozen=True, slots=True)
class DeliberationView:
    """A deliberation with its candidates, each as it is answered."""

    summary: StoredSummary
    candidates: tuple[Mapping[str, Any], ...]


@faults_refused
async def deliberate(house: House, request: Request, body: object) -> DeliberationView | Refusal:
    """Work out one or two candidates for the next beat; `body` is the client's JSON value. Nothing is committed.

    Every candidate takes at most 3 calls, which count in the token budget. Refusals: `session_unknown`,
    `trigger_refused`, `session_ended`, `token_budget_exhausted`, `stopping`, `session_busy`, those of opening a beat;
    and where no candidate has a line, that of a turn without one.
    """
    return await house.apart(_deliberate(house, request, body))


@faults_refused
async def _deliberate(house: House, request: Request, body: object) -> DeliberationView | Refusal:
    session = await house.project(request.project_id).session(request.session_id)
    if session is None:
        return refusal("session_unknown")
    asked = read_deliberation(body)
    if isinstance(asked, Refusal):
        return asked
    if session.status == "ended":
        return refusal("session_ended")
    exhausted = budget_refusal(session)
    if exhausted is not None:
        return exhausted
    if house.stopping:
        return refusal("stopping")
    busy = house.reservations.reserve(request.project_id, request.session_id, None)
    if busy is not None:
        return refusal(busy)
    try:
        return await _worked_out(house, request, session, asked)
    finally:
        house.reservations.release(request.project_id, request.session_id)


async def _worked_out(
    house: House, request: Request, session: StoredSession, asked: Deliberation
) -> DeliberationView | Refusal:
    story = await house.story_of(request.project_id, session)
    if isinstance(story, Refusal):
        return story
    known = house.recall.of(request.project_id, session) or Known(session, head_of(session))
    stage = judge_ids(asked.turn, story) or open_deliberation(story, known.head, asked)
    if isinstance(stage, Refusal):
        return stage
    known = await remembering(house, request, story, known, stage)
    voices = await asyncio.gather(
        *(voice(house, stage, known.memories, NOBODY, candidate=number) for number in asked.numbers)
    )
    tokens = sum(map(tokens_of, voices))
    shown = [_shown(stage, number, said) for number, said in zip(asked.numbers, voices, strict=True)]
    refused = [one for one in shown if isinstance(one, Refusal)]
    if len(refused) == len(shown):
        await spend(house, request, tokens)
        return refused[0]
    outcomes = {
        number: canonical_bytes({"outcomes": _written_outcomes(said), "shown": _told(number, said, one)})
        for number, said, one in zip(asked.numbers, voices, shown, strict=True)
    }
    new = NewDeliberation(
        house.identity.new_id("dlb"),
        known.head.beat,
        known.head.hash,
        canonical_bytes(_written_request(asked)),
        outcomes,
        house.clock.now(),
        tokens,
    )
    with house.commits():
        stored = await house.project(request.project_id).put_deliberation(request.session_id, new)
    assert stored, "the session is there, and a new id is never taken"
    return await read_one(house, request.project_id, request.session_id, new.deliberation_id)


def _shown(stage: Stage, number: int, voices: tuple[Voice, ...]) -> Mapping[str, Any] | Refusal:
    """The record that committing the candidate would make, but for what only a committed beat has."""
    settled = settle(stage, voices, "")
    return settled if isinstance(settled, Refusal) else settled.record


def _told(number: int, voices: tuple[Voice, ...], shown: Mapping[str, Any] | Refusal) -> dict[str, Any]:
    if isinstance(shown, Refusal):
        skipped = [
            {"roleId": one.role_id, "code": one.skip, "detail": word(one.skip, role=one.role_id)}
            for one in voices
            if one.skip is not None
        ]
        nothing = {"status": "empty", "operations": []}
        told = {"lines": [], "patch": nothing, "skippedRoles": skipped, "branchOptions": [], "refused": shown.code}
        return {"candidate": number, **told}
    worded = word_record(shown)
    fields = ("lines", "patch", "skippedRoles", "branchOptions")
    return {"candidate": number, **{name: worded[name] for name in fields}, "refused": None}


@faults_refused
async def read_one(house: House, project_id: str, session_id: str, deliberation_id: str) -> DeliberationView | Refusal:
    """One deliberation. Refusals: `session_unknown`, `deliberation_unknown`."""
    project = house.project(project_id)
    stored = await project.deliberation(session_id, deliberation_id)
    if stored is None:
        unknown = await project.session(session_id) is None
        return refusal("session_unknown" if unknown else "deliberation_unknown")
    with reading_rows():
        shown = tuple(read_stored(outcome)["shown"] for _, outcome in sorted(stored.outcomes.items()))
    return DeliberationView(stored.summary, shown)


@faults_refused
async def list_deliberations(
    house: House, project_id: str, session_id: str, limit: int, after: str | None
) -> Sequence[StoredSummary] | Refusal:
    """Up to `limit` deliberations in the order of their ids, after the id `after`. Refusal: `session_unknown`."""
    project = house.project(project_id)
    found = await project.deliberations(session_id, limit=limit, after=after)
    return found if found or await project.session(session_id) is not None else refusal("session_unknown")


@faults_refused
async def commit_deliberated(house: House, request: Request, deliberation_id: str, number: int) -> Committed | Refusal:
    """Make a candidate the next beat, with the replies that it was worked out with: no model is called.

    Refusals: `session_unknown`, `deliberation_unknown`, `candidate_unknown`, `stale_deliberation`, and those of
    `commit.make_beat`.
    """
    project = house.project(request.project_id)
    stored = await project.deliberation(request.session_id, deliberation_id)
    if stored is None:
        unknown = await project.session(request.session_id) is None
        return refusal("session_unknown" if unknown else "deliberation_unknown")
    if number not in stored.outcomes:
        return refusal("candidate_unknown", candidate=number)
    candidate = _candidate(stored, number)

    def opened(running: Running) -> Stage | Refusal:
        if running.head.hash != candidate.after_hash:
            actual, expected = running.head.beat, candidate.after_beat
            facts = {"beat": actual, "expectedBeat": expected}
            return refusal("stale_deliberation", actual=actual, expected=expected, facts=facts)
        return open_deliberation(running.story, running.head, candidate.deliberation)

    return await make_beat(house, request, Making(_shapeless, opened, candidate=candidate))


def _shapeless() -> None:
    """What was sent are ids alone: there is no shape to judge."""


def _candidate(stored: StoredDeliberation, number: int) -> Candidate:
    with reading_rows():
        asked = read_deliberation(read_stored(stored.request))
        outcomes = _read_outcomes(read_stored(stored.outcomes[number])["outcomes"])
    if isinstance(asked, Refusal):
        raise IntegrityFailed("a stored deliberation is none")
    summary = stored.summary
    return Candidate(summary.deliberation_id, number, summary.after_beat, summary.after_hash, asked, outcomes)


def _written_request(asked: Deliberation) -> dict[str, Any]:
    return {"trigger": asked.turn.to_json(), "candidates": asked.candidates, "roles": asked.roles}


def _written_outcomes(voices: Sequence[Voice]) -> dict[str, Any]:
    """What came of each call, by role."""
    written: dict[str, Any] = {}
    for one in voices:
        if one.usage is not None:
            reply = None if one.reply is None else {"text": one.reply["text"], "cut": one.reply["cut"]}
            usage = one.usage.to_json(one.role_id)
            written[one.role_id] = {"reply": reply, "timedOut": one.timed_out, "usage": usage}
    return written


def _read_outcomes(written: Mapping[str, Any]) -> dict[str, Performance | Failure]:
    outcomes: dict[str, Performance | Failure] = {}
    for role_id, value in written.items():
        usage = read_usage(value["usage"])
        reply = value["reply"]
        if reply is None:
            outcomes[role_id] = Failure("", usage, value["timedOut"])
        else:
            outcomes[role_id] = Performance(reply["text"], usage, reply["cut"])
    return outcomes
