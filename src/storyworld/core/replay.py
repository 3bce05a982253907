"""Replay verification: the rules of a live beat folded over the stored beats, with no second implementation.

It needs no model and no clock: replies, usage and times are read from the beats. It names the first beat and field that
differ. It must not know where beats are stored.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from storyworld.core import limits
from storyworld.core.beat import Record, record_hash
from storyworld.core.call import Call, Failure, Performance, read_usage
from storyworld.core.canonical import canonical_bytes, digest
from storyworld.core.errors import Refusal
from storyworld.core.prompt.brief import Prompt
from storyworld.core.rules import KNOWN_RULES
from storyworld.core.session import Head, Story
from storyworld.core.stage import open_beat
from storyworld.core.trigger import End, EpisodeStart, Moving, Opening, Trigger, read_trigger
from storyworld.core.turn import Settled, play_through
from storyworld.core.unseated import begin_episode, end, open_fork, open_session

Replies = Sequence[Mapping[str, Any]]
"""The raw replies that are kept with a beat: `{roleId, text, cut}`."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing that is not as the rules would have made it."""

    beat: int
    field: str
    expected: object
    found: object

    def to_json(self) -> dict[str, Any]:
        """The difference as a JSON value."""
        return {"beat": self.beat, "field": self.field, "expected": self.expected, "found": self.found}


@dataclass(frozen=True, slots=True)
class Verification:
    """What was checked and what was found. `beats` counts the beats that hold, from beat 0 on.

    `level` is `full`, or `chain` when some beat was made under rules that this build no longer has: from there on only
    hashes and order are checked. `end` says whether the last beat is known to be the last; without an anchor it is not.
    """

    level: Literal["full", "chain"]
    beats: int
    difference: Difference | None = None
    end: Literal["anchored", "not_proven"] = "not_proven"

    @property
    def ok(self) -> bool:
        """Whether every beat holds."""
        return self.difference is None

    def to_json(self) -> dict[str, Any]:
        """The answer as a JSON value."""
        value: dict[str, Any] = {"ok": self.ok, "level": self.level, "end": self.end, "beats": self.beats}
        if self.difference is not None:
            value["firstDifference"] = self.difference.to_json()
        return value


@dataclass
class Worldline:
    """The fold over a worldline, from beat 0 on, its parents' beats included: the head and the memories as they stand
    after the beats that were followed so far.

    `head` is None before the opening, and from the first beat on whose rules this build does not have. `on_prompt` is
    told of every prompt that is composed again, with its beat and role: that is how a past prompt is shown.
    """

    story: Story
    beats: int = 0
    level: Literal["full", "chain"] = "full"
    head: Head | None = None
    previous_hash: str | None = None
    memories: dict[str, deque[Record]] = field(default_factory=dict)
    on_prompt: Callable[[int, str, Prompt], None] | None = None

    def check(self, record: Record, replies: Replies) -> Difference | None:
        """Check one stored beat and go on to it; on a difference the fold stays where it was."""
        try:
            return self._broken_link(record, replies) or self._follow(record, replies)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, AssertionError) as error:
            # Only a record that the rules never made gets here: one whose hash was made anew after it was edited.
            return Difference(self.beats, "record", "a record that these rules can read", type(error).__name__)

    def _broken_link(self, record: Record, replies: Replies) -> Difference | None:
        if record["beat"] != self.beats:
            return Difference(self.beats, "beat", self.beats, record["beat"])
        if record["previousHash"] != self.previous_hash:
            return Difference(self.beats, "previousHash", self.previous_hash, record["previousHash"])
        expected = record_hash(record)
        if record["hash"] != expected:
            return Difference(self.beats, "hash", expected, record["hash"])
        digests = {reply["roleId"]: digest(canonical_bytes(reply)) for reply in replies}
        if record["replyDigests"] != digests:
            return Difference(self.beats, "replyDigests", record["replyDigests"], digests)
        return None

    def _follow(self, record: Record, replies: Replies) -> Difference | None:
        if record["rulesVersion"] not in KNOWN_RULES or self.level == "chain":
            self.level, self.head = "chain", None
            self._pass(record)
            return None
        trigger = read_trigger(record["trigger"])
        again = self._settle_again(trigger, record, replies)
        if isinstance(again, Refusal):
            return Difference(self.beats, "trigger", again.code, record["trigger"]["kind"])
        # A field too many is found as well: the hash covers it, and the record that is made anew has none.
        for name, expected in again.record.items():
            if record.get(name) != expected:
                return Difference(self.beats, name, expected, record.get(name))
        seed = trigger.seed if isinstance(trigger, Opening) else self._known_head().seed
        runs = 0 if self.head is None else self.head.episode_runs
        self.head = again.head(seed, runs + isinstance(trigger, EpisodeStart))
        self._pass(record)
        return None

    def _pass(self, record: Record) -> None:
        self.beats += 1
        self.previous_hash = record["hash"]
        kept = max(1, self.story.world.settings.memory_beats)
        for role_id in record["seats"]:
            self.memories.setdefault(role_id, deque(maxlen=kept)).append(record)

    def _settle_again(self, trigger: Trigger, record: Record, replies: Replies) -> Settled | Refusal:
        created_at = record["createdAt"]
        if isinstance(trigger, Opening):
            if trigger.forked_from is None:
                return open_session(self.story, record["sessionId"], trigger.seed, created_at)
            return open_fork(self.story, self._known_head(), record["sessionId"], created_at)
        head = self._known_head()
        if isinstance(trigger, EpisodeStart):
            return begin_episode(self.story, head, trigger.episode_id, created_at)
        if isinstance(trigger, End):
            return end(self.story, head, created_at)
        return self._play_again(head, trigger, record, replies)

    def _play_again(self, head: Head, trigger: Moving, record: Record, replies: Replies) -> Settled | Refusal:
        deliberation = record["deliberation"]
        seats_max = limits.WORLD_TURN_MAX_ROLES.value
        if deliberation is not None:
            # It may have asked for fewer seats; how many it got is what it asked for, or all that were eligible.
            seats_max = min(seats_max, max(1, len(record["seats"])))
        stage = open_beat(self.story, head, trigger, seats_max=seats_max)
        if isinstance(stage, Refusal):
            return stage
        outcomes = _stored_outcomes(record, replies)

        def answer(call: Call) -> Performance | Failure:
            if self.on_prompt is not None:
                self.on_prompt(call.beat, call.role_id, call.prompt)
            return outcomes[call.role_id]

        return play_through(stage, self.memories, answer, record["createdAt"], deliberation=deliberation)

    def _known_head(self) -> Head:
        assert self.head is not None, "only an opening has no beat before it"
        return self.head


def _stored_outcomes(record: Record, replies: Replies) -> dict[str, Performance | Failure]:
    replied = {reply["roleId"]: reply for reply in replies}
    outcomes: dict[str, Performance | Failure] = {}
    for entry in record["usage"]:
        usage = read_usage(entry)
        reply = replied.get(entry["roleId"])
        outcomes[entry["roleId"]] = (
            Failure("", usage) if reply is None else Performance(reply["text"], usage, reply["cut"])
        )
    return outcomes
