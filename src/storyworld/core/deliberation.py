"""Deliberation: one or two beats worked out for the same moment, of which one may be committed without another call.

Candidates have the same prompts and other draws. This file owns what may be asked for and when a candidate has gone
stale; it must not know where candidates are kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from storyworld.core import limits
from storyworld.core.call import Call, Failure, Performance
from storyworld.core.errors import Refusal, refusal
from storyworld.core.judge import find, report
from storyworld.core.normalize import normalize_texts
from storyworld.core.session import Head, Story
from storyworld.core.stage import Stage, open_beat
from storyworld.core.trigger import Turn, read_turn
from storyworld.core.turn import Memories, Settled, play_through


@dataclass(frozen=True, slots=True)
class Deliberation:
    """What is worked out: a turn, how many candidates (1 or 2, numbered from 1), and how many seats (1 to 3)."""

    turn: Turn
    candidates: int = limits.DELIBERATION_MAX_CANDIDATES.value
    roles: int = limits.DELIBERATION_MAX_ROLES.value

    @property
    def numbers(self) -> range:
        """The numbers of the candidates. An ordinary turn is candidate 0."""
        return range(1, self.candidates + 1)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One candidate as it is kept: the beat that it follows, and what came of each call."""

    deliberation_id: str
    number: int
    after_beat: int
    after_hash: str
    deliberation: Deliberation
    outcomes: Mapping[str, Performance | Failure]


def read_deliberation(value: object) -> Deliberation | Refusal:
    """A deliberation from a client's JSON value, or `trigger_refused` with every problem.

    Asking for more than the contract's 2 candidates or 3 roles is `candidates exceeds 2` and `roles exceeds 3`.
    """
    sent = normalize_texts(value)
    findings = find("deliberation", sent)
    trigger = sent.get("trigger") if isinstance(sent, Mapping) else None
    if isinstance(trigger, Mapping):
        findings += [replace(found, path=f"/trigger{found.path}") for found in find("turn_trigger", trigger)]
    if findings:
        return refusal("trigger_refused", problems=report(findings, sent).problems)
    assert isinstance(sent, Mapping), "the schema takes objects only"
    assert isinstance(trigger, Mapping), "and so does its trigger"
    return Deliberation(
        read_turn(trigger),
        sent.get("candidates", limits.DELIBERATION_MAX_CANDIDATES.value),
        sent.get("roles", limits.DELIBERATION_MAX_ROLES.value),
    )


def open_deliberation(story: Story, head: Head, deliberation: Deliberation) -> Stage | Refusal:
    """The stage on which every candidate is played; refusals as `stage.open_beat`. It commits nothing."""
    return open_beat(story, head, deliberation.turn, seats_max=deliberation.roles)


def commit_candidate(
    story: Story, head: Head, memories: Memories, candidate: Candidate, created_at: str
) -> Settled | Refusal:
    """Settle a candidate as the next beat, with the replies that it was worked out with: no model is called.

    Refusal: `stale_deliberation` when the session has gone on since.
    """
    if head.hash != candidate.after_hash:
        facts = {"beat": head.beat, "expectedBeat": candidate.after_beat}
        return refusal("stale_deliberation", actual=head.beat, expected=candidate.after_beat, facts=facts)
    stage = open_deliberation(story, head, candidate.deliberation)
    if isinstance(stage, Refusal):
        return stage
    deliberation = {"deliberationId": candidate.deliberation_id, "candidate": candidate.number}

    def answer(call: Call) -> Performance | Failure:
        return candidate.outcomes[call.role_id]

    return play_through(stage, memories, answer, created_at, deliberation=deliberation)
