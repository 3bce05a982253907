"""A beat from its stage to its record: plan the next call, read what came of it, settle.

`plan`, `hear` and `settle` are pure, and the only implementation there is: a live turn alternates `plan` and a model
call, and replay verification calls the same functions with the stored replies. This file owns the order of speaking; it
must not know clocks, stores or models.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from storyworld.core import limits
from storyworld.core.beat import Heard, Line, Outcome, Patch, Place, Record, Rejected, seal
from storyworld.core.branching import Options, judge_rules, open_branches
from storyworld.core.briefing import brief_for, powers
from storyworld.core.call import Call, Failure, Performance, Usage
from storyworld.core.canonical import canonical_bytes, digest
from storyworld.core.chance import performance_draw
from storyworld.core.ending import Closing, close_beat, view_of
from storyworld.core.errors import Refusal, refusal
from storyworld.core.normalize import normalize_texts
from storyworld.core.patch import Fallen, Proposal, apply_operations, propose
from storyworld.core.prompt.compose import digest_of, fit
from storyworld.core.reply import LeftOut, read_reply
from storyworld.core.seating import Skipped, in_declared_order
from storyworld.core.secrecy import tells
from storyworld.core.session import Head, SessionStatus, read_head
from storyworld.core.stage import Stage
from storyworld.core.state import State, state_digest
from storyworld.core.trigger import Turn
from storyworld.core.unchanging import unchanging

Memories = Mapping[str, Sequence[Record]]
"""For each seated role, the records of the last beats in which it had a seat, oldest first (see
`briefing.brief_for`).
"""


@unchanging
class Voice:
    """What came of one seat: a line, or the code that says why there is none."""

    role_id: str
    line: Line | None = None
    skip: str | None = None
    operations: tuple[object, ...] = ()
    repairs: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    usage: Usage | None = None
    prompt_digest: str | None = None
    memory_left_out: int = 0
    reply: Mapping[str, Any] | None = None
    timed_out: bool = False


@unchanging
class Seat:
    """The next seat that needs a call, with the prompt that was fitted for it."""

    call: Call
    prompt_digest: str
    memory_left_out: int


@unchanging
class Settled:
    """A beat ready to be appended: its sealed record, the raw replies kept with it, and the head that it makes."""

    record: dict[str, Any]
    replies: tuple[Mapping[str, Any], ...]
    state: State
    status: SessionStatus

    def head(self, seed: int, episode_runs: int) -> Head:
        """The head that the beat makes, once it is appended."""
        return read_head(self.record, self.state, self.status, seed=seed, episode_runs=episode_runs)


def plan(
    stage: Stage, memories: Memories, voices: tuple[Voice, ...], *, candidate: int = 0
) -> tuple[tuple[Voice, ...], Seat | None]:
    """Go on to the next seat that needs a model call; None when every seat has had its turn.

    Seats that need none get their voice on the way: a human speaks, or is awaited; a prompt that fits no context window
    even without memory is skipped as `prompt_too_large`.
    """
    for role_id in stage.seating.seats[len(voices) :]:
        heard = lines_of(voices)
        if role_id in stage.story.human_roles:
            voices = (*voices, _human_voice(stage, role_id))
            continue
        model = stage.story.world.binding_by_role[role_id].agent
        fitted = fit(
            brief_for(stage, role_id, memories.get(role_id, ()), heard),
            model.context_window,
            model.model.max_output_tokens,
        )
        if fitted is None:
            voices = (*voices, Voice(role_id, skip="prompt_too_large"))
            continue
        number = performance_draw(stage.head.seed, stage.beat, role_id, candidate)
        call = Call(role_id, stage.beat, number, fitted.prompt, model.model)
        return voices, Seat(call, digest_of(fitted.prompt), fitted.memory_left_out)
    return voices, None


def _human_voice(stage: Stage, role_id: str) -> Voice:
    spoken = stage.trigger.lines.get(role_id)
    if spoken is None:
        return Voice(role_id, skip="awaiting_human")
    return Voice(role_id, Line(role_id, spoken.line, spoken.action), operations=spoken.operations)


def hear(stage: Stage, voices: tuple[Voice, ...], seat: Seat, outcome: Performance | Failure) -> tuple[Voice, ...]:
    """Read what came of a call. A reply is read once, for better or worse; no second call is ever made for it."""
    return (*voices, _failed(seat, outcome) if isinstance(outcome, Failure) else _read(stage, seat, outcome))


def _failed(seat: Seat, failure: Failure) -> Voice:
    return Voice(
        seat.call.role_id,
        skip="model_failed",
        usage=failure.usage,
        prompt_digest=seat.prompt_digest,
        memory_left_out=seat.memory_left_out,
        timed_out=failure.timed_out,
    )


def _read(stage: Stage, seat: Seat, performance: Performance) -> Voice:
    role_id = seat.call.role_id
    text = storable(performance.text)
    name = stage.story.package.role_by_id[role_id].name
    reading = read_reply(text, role_id=role_id, role_name=name, cut=performance.cut)
    return Voice(
        role_id,
        line=None if reading.line is None else Line(role_id, reading.line, reading.action),
        skip="reply_unusable" if reading.line is None else None,
        operations=reading.operations,
        repairs=reading.repairs,
        left_out=reading.left_out,
        usage=performance.usage,
        prompt_digest=seat.prompt_digest,
        memory_left_out=seat.memory_left_out,
        reply={"roleId": role_id, "text": text, "cut": performance.cut},
    )


def storable(text: str) -> str:
    """A raw reply as it is kept: U+0000 and lone surrogates, which no store can keep, stand as U+FFFD."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def lines_of(voices: Sequence[Voice]) -> tuple[Line, ...]:
    """The lines spoken so far, in speaking order."""
    return tuple(voice.line for voice in voices if voice.line is not None)


def settle(
    stage: Stage, voices: tuple[Voice, ...], created_at: str, *, deliberation: Mapping[str, Any] | None = None
) -> Settled | Refusal:
    """Judge the patch, endings, episode and options, and seal the beat; or say why nothing is committed.

    A turn of which no seat yields a line commits nothing: `awaiting_human`, `model_timeout` or `model_failed`. An event
    always commits, since its effects have been accepted.
    """
    if isinstance(stage.trigger, Turn) and not lines_of(voices):
        return _silence(voices)
    patch, patched, left_out, patch_failed = _judge_patch(stage, voices)
    closing = close_beat(stage.story, patched, stage.beat, has_seats=bool(stage.seating.seats))
    options = options_after(stage, closing)
    failed = (*stage.failed, *patch_failed, *closing.failed, *options.failed)
    record = seal(
        Place(stage.head.session_id, stage.beat, stage.head.hash, created_at, deliberation),
        stage.trigger,
        _heard(stage, voices, left_out),
        outcome_of(closing, patch, options, failed),
    )
    replies = tuple(voice.reply for voice in voices if voice.reply is not None)
    return Settled(record, replies, closing.state, closing.status)


def play_through(
    stage: Stage,
    memories: Memories,
    answer: Callable[[Call], Performance | Failure],
    created_at: str,
    *,
    candidate: int = 0,
    deliberation: Mapping[str, Any] | None = None,
) -> Settled | Refusal:
    """The whole beat at once, with answers that are at hand: for replays and playtests. A live turn awaits between
    steps.
    """
    voices: tuple[Voice, ...] = ()
    while True:
        voices, seat = plan(stage, memories, voices, candidate=candidate)
        if seat is None:
            return settle(stage, voices, created_at, deliberation=deliberation)
        voices = hear(stage, voices, seat, answer(seat.call))


def options_after(stage: Stage, closing: Closing) -> Options:
    """The options that the beat reports: those that the next choice is judged by. None once the session has ended."""
    if closing.status == "ended":
        return Options()
    seen = view_of(stage.story, closing.state, stage.beat, has_seats=False)
    return open_branches(stage.story.package, stage.story.conditions, closing.state, seen)


def outcome_of(closing: Closing, patch: Patch, options: Options, failed: Sequence[str]) -> Outcome:
    """What the record says that the beat did. A condition that failed more than once in the beat is named once."""
    return Outcome(
        patch=patch,
        options=options,
        node_id=closing.state.node_id,
        ending=closing.ending,
        episode_run=closing.episode_run,
        conditions_failed=tuple(dict.fromkeys(failed)),
        state_digest=state_digest(closing.state),
    )


def _silence(voices: Sequence[Voice]) -> Refusal:
    skipped = [{"roleId": voice.role_id, "code": voice.skip} for voice in voices]
    awaited = [voice.role_id for voice in voices if voice.skip == "awaiting_human"]
    if awaited:
        return refusal("awaiting_human", role=", ".join(awaited), facts={"roleIds": awaited, "skippedRoles": skipped})
    silent = ", ".join(voice.role_id for voice in voices)
    code = "model_timeout" if all(voice.timed_out for voice in voices) else "model_failed"
    return refusal(code, role=silent, facts={"skippedRoles": skipped})


_Judged = tuple[Patch, State, tuple[dict[str, Any], ...], tuple[str, ...]]


def _judge_patch(stage: Stage, voices: Sequence[Voice]) -> _Judged:
    """The patch, the state after it, what was left out of it, and the rules that failed to evaluate.

    One operation beyond the cap is enough to reject the patch, so the record keeps one and names where the rest began.
    """
    proposals, left_out = _proposals(stage, voices)
    operations = tuple(proposal.to_json() for proposal in proposals)
    if not proposals:
        return Patch(), stage.state, left_out, ()
    applied = apply_operations(stage.story.package, stage.working, proposals, already=stage.effects)
    if isinstance(applied, Fallen):
        rejected = Rejected(applied.index, applied.refused.code, applied.refused.path)
        return Patch(operations, rejected), stage.state, left_out, ()
    seen = view_of(stage.story, applied.state, stage.beat, has_seats=True)
    rules = judge_rules(stage.story.package, stage.story.conditions, seen)
    if rules.broken is not None:
        return Patch(operations, Rejected(None, "rule_broken", rules.broken)), stage.state, left_out, rules.failed
    return Patch(operations), applied.state, left_out, rules.failed


def _proposals(stage: Stage, voices: Sequence[Voice]) -> tuple[list[Proposal], tuple[dict[str, Any], ...]]:
    kept_max = limits.WORLD_PATCH_MAX_OPERATIONS.value + 1
    proposals: list[Proposal] = []
    left_out: list[dict[str, Any]] = []
    for place, voice in enumerate(voices):
        if voice.line is None or not voice.operations:
            continue
        allowed = powers(stage, voice.role_id, lines_of(voices[:place]))
        room = kept_max - len(proposals)
        proposals += [propose(allowed, normalize_texts(operation)) for operation in voice.operations[:room]]
        if len(voice.operations) > room:
            left_out.append({"roleId": voice.role_id, "code": "operation_cap", "path": f"/operations/{room}"})
    return proposals, tuple(left_out)


def _heard(stage: Stage, voices: Sequence[Voice], left_out: Sequence[Mapping[str, Any]]) -> Heard:
    silent = (Skipped(voice.role_id, voice.skip) for voice in voices if voice.skip is not None)
    return Heard(
        seats=stage.seating.seats,
        lines=lines_of(voices),
        skipped=in_declared_order(stage.story, (*stage.seating.skipped, *silent)),
        usage=tuple(voice.usage.to_json(voice.role_id) for voice in voices if voice.usage is not None),
        repairs=tuple({"roleId": voice.role_id, "code": code} for voice in voices for code in voice.repairs),
        left_out=(
            *(entry.to_json(voice.role_id) for voice in voices for entry in voice.left_out),
            *left_out,
        ),
        reveals=tuple(reveal for voice in voices for reveal in _reveals(stage, voice)),
        memory_left_out={voice.role_id: voice.memory_left_out for voice in voices if voice.memory_left_out},
        prompt_digests={voice.role_id: voice.prompt_digest for voice in voices if voice.prompt_digest is not None},
        reply_digests={
            voice.role_id: digest(canonical_bytes(voice.reply)) for voice in voices if voice.reply is not None
        },
    )


def _reveals(stage: Stage, voice: Voice) -> list[dict[str, Any]]:
    """The secrets that a role tells of itself: recorded, and from then on known to the seats of the beat."""
    if voice.line is None:
        return []
    said = (voice.line.text, voice.line.action or "")
    secrets = stage.story.package.role_by_id[voice.role_id].secrets
    return [
        {"roleId": voice.role_id, "secretIndex": index}
        for index, secret in enumerate(secrets)
        if any(tells(text, secret) for text in said)
    ]
