"""From a settled beat to an acknowledged one: the parts of the commit protocol that every kind of beat shares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from storyworld.application.faults import faults_refused
from storyworld.application.house import House, head_of, record_of
from storyworld.application.play import Played, Request, new_beat, play
from storyworld.application.ports import Appended, IntegrityFailed, Standing, StoredSession
from storyworld.application.recall import Known
from storyworld.core.beat import Record
from storyworld.core.deliberation import Candidate, commit_candidate
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
    seats. `calls` tells whether models may be asked. `candidate` is a beat that was worked out before, with its
    replies.
    """

    shape: Callable[[], Refusal | None]
    open: Callable[[Running], Stage | Settled | Refusal]
    calls: bool = False
    candidate: Candidate | None = None


async def make_beat(house: House, request: Request, making: Making) -> Committed | Refusal:
    """Check, reserve, play, append, tell: the life of every beat.

    The beat owns its task: whoever asked for it may leave, and it still commits or fails by itself. The checks go in
    one order: the session, the shape of what was sent, the key (a stored answer is given whatever has happened since),
    an ended session, a stale beat, the token budget, the trigger, a busy session. Refusals: `session_unknown`,
    `trigger_refused`, `key_reused`, `event_reused`, `in_progress`, `session_ended`, `stale_beat`,
    `token_budget_exhausted`, `stopping`, `session_busy`, `stale_head`, those of opening and settling a beat, and those
    of the store.
    """
    return await house.apart(_checked(house, request, making))


@dataclass(frozen=True, slots=True)
class _Opened:
    """A beat that may be made: what is known of the session, and what there is to play or to append."""

    story: Story
    known: Known
    beat: Stage | Settled


@faults_refused
async def _checked(house: House, request: Request, making: Making) -> Committed | Refusal:
    standing = await _standing(house, request)
    if standing is None:
        return refusal("session_unknown")
    misshapen = making.shape()
    if misshapen is not None:
        return misshapen
    key = None if request.answer is None else request.answer.key
    if key is not None and house.reservations.is_running(request.project_id, request.session_id, key):
        return refusal("in_progress")
    opened = await _open(house, request, making, standing)
    if not isinstance(opened, _Opened):
        return opened
    house.fail("K0")
    busy = house.reservations.reserve(request.project_id, request.session_id, key)
    if busy is not None:
        return refusal(busy)
    try:
        house.fail("K1")
        return await _reserved(house, request, making, opened)
    finally:
        house.reservations.release(request.project_id, request.session_id)


async def _standing(house: House, request: Request) -> Standing | None:
    return await house.project(request.project_id).standing(
        request.session_id,
        key=None if request.answer is None else request.answer.key,
        event_id=None if request.event is None else request.event.key,
    )


async def _open(house: House, request: Request, making: Making, standing: Standing) -> _Opened | Committed | Refusal:
    """Judge the request by how the session stands."""
    answer = await _known_answer(house, request, standing)
    if answer is not None:
        return answer
    session = standing.session
    if session.status == "ended":
        return refusal("session_ended")
    expected = request.expected_beat
    if expected is not None and expected != session.beat:
        facts = {"beat": session.beat, "expectedBeat": expected}
        return refusal("stale_beat", actual=session.beat, expected=expected, facts=facts)
    if making.calls and (exhausted := budget_refusal(session)) is not None:
        return exhausted
    if house.stopping:
        return refusal("stopping")
    story = await house.story_of(request.project_id, session)
    if isinstance(story, Refusal):
        return story
    known = house.recall.of(request.project_id, session) or Known(session, head_of(session))
    beat = making.open(Running(story, known.head))
    return beat if isinstance(beat, Refusal) else _Opened(story, known, beat)


async def _known_answer(house: House, request: Request, standing: Standing) -> Committed | Refusal | None:
    """What an earlier request with the same key or event id led to; None if there was none."""
    for code, asked, known in (
        ("key_reused", request.answer, standing.answer),
        ("event_reused", request.event, standing.event),
    ):
        if asked is not None and known is not None:
            if known.body_digest != asked.body_digest:
                return refusal(code)
            return await _committed(house, request, known.beat)
    return None


async def _committed(house: House, request: Request, beat: int) -> Committed:
    stored = await house.project(request.project_id).beats(request.session_id, beat, beat)
    if not stored:
        raise IntegrityFailed("the beat that an answer names is missing")
    return Committed(record_of(stored[0].record), replayed=True)


async def _reserved(house: House, request: Request, making: Making, opened: _Opened) -> Committed | Refusal:
    """Make and append the beat.

    Another one may have come before the reservation, the very one that is asked for here among them. So the request is
    judged again, but where the session was found as this process itself left it last: then only another process can
    have been faster, and the append tells.
    """
    if house.recall.of(request.project_id, opened.known.session) is None:
        again = await _open(house, request, making, await _standing_still(house, request))
        if not isinstance(again, _Opened):
            return again
        opened = again
    known, played = await _settled(house, request, making, opened)
    settled = played.outcome
    if isinstance(settled, Refusal):
        await spend(house, request, played.tokens)
        return settled
    house.fail("K5")
    # The tokens of a candidate were counted when it was worked out.
    new = replace(new_beat(settled), tokens=played.tokens)
    with house.commits():
        appended = await house.project(request.project_id).append(
            request.session_id,
            expected_hash=known.head.hash,
            new=new,
            answer=request.answer,
            event=request.event,
            deliberation_id=None if making.candidate is None else making.candidate.deliberation_id,
        )
    if appended is not Appended.DONE:
        # Another process was faster. Its beat may be the very one that was asked for here.
        await spend(house, request, played.tokens)
        standing = await _standing_still(house, request)
        return await _known_answer(house, request, standing) or refusal("stale_head")
    house.fail("K8")
    head = settled.head(known.head.seed, known.head.episode_runs + (new.starts_run is not None))
    house.recall.keep(request.project_id, known.after(new, head, settled.record, _memory_max(opened.story)))
    house.fail("K9")
    for watcher in (house.watching, *house.watchers):
        watcher.committed(request.project_id, request.session_id, settled.record["beat"])
    return Committed(settled.record)


async def _standing_still(house: House, request: Request) -> Standing:
    standing = await _standing(house, request)
    assert standing is not None, "sessions are not deleted"
    return standing


async def _settled(house: House, request: Request, making: Making, opened: _Opened) -> tuple[Known, Played]:
    """The beat, played where it has seats; and what is known of the session, the memories of the seats among it."""
    known, beat = opened.known, opened.beat
    if isinstance(beat, Settled):
        return known, Played(beat, 0)
    known = await remembering(house, request, opened.story, known, beat)
    if making.candidate is not None:
        now = house.clock.now()
        return known, Played(commit_candidate(opened.story, known.head, known.memories, making.candidate, now), 0)
    return known, await play(house, beat, known.memories, request.audience)


async def remembering(house: House, request: Request, story: Story, known: Known, stage: Stage) -> Known:
    """What is known of the session, with the memories of every seat of the stage."""
    unknown = [role_id for role_id in stage.seating.seats if role_id not in known.memories]
    if not unknown:
        return known
    stored = await house.project(request.project_id).remembered(request.session_id, unknown, _memory_max(story))
    read = {role_id: tuple(record_of(data) for data in records) for role_id, records in stored.items()}
    return replace(known, memories={**known.memories, **read})


def budget_refusal(session: StoredSession) -> Refusal | None:
    """`token_budget_exhausted` where a session has spent what it may."""
    budget, spent = session.token_budget, session.tokens_spent
    if budget is None or spent < budget:
        return None
    facts = {"tokenBudget": budget, "tokensSpent": spent}
    return refusal("token_budget_exhausted", budget=budget, spent=spent, facts=facts)


async def spend(house: House, request: Request, tokens: int) -> None:
    """Count the tokens of calls that committed nothing."""
    if tokens:
        await house.project(request.project_id).spend_tokens(request.session_id, tokens)


def _memory_max(story: Story) -> int:
    """Beats that a role remembers: at least its last one, which tells what became of its operations."""
    return max(1, story.world.settings.memory_beats)
