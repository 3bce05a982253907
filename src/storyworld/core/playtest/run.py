"""A session in memory: the same functions as a live one, with performers that answer at once.

It owns what a store would: the beats, the memories of the seats, the head. It must not know where replies come from.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from storyworld.core.beat import Record
from storyworld.core.call import Call, Failure, Performance
from storyworld.core.errors import Refusal
from storyworld.core.replay import Difference, Replies, Worldline
from storyworld.core.session import Head, Story
from storyworld.core.stage import Stage, open_beat
from storyworld.core.trigger import Moving
from storyworld.core.turn import Settled, play_through
from storyworld.core.unseated import begin_episode, end, open_session

CREATED_AT = "2026-01-01T00:00:00.000Z"
"""The time that every beat bears: there is no clock here."""


@dataclass
class Run:
    """One worldline. `perform` answers each call; a refused move changes nothing."""

    story: Story
    seed: int
    perform: Callable[[Call], Performance | Failure]
    session_id: str = "ses_run"
    beats: list[tuple[Record, Replies]] = field(default_factory=list)
    episode_runs: int = 0
    head: Head = field(init=False)
    _memories: dict[str, deque[Record]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """The session opens."""
        self._keep(open_session(self.story, self.session_id, self.seed, CREATED_AT))

    @property
    def record(self) -> Record:
        """The record of the last beat."""
        return self.beats[-1][0]

    def move(self, trigger: Moving) -> Settled | Refusal:
        """Make one beat of a turn or an event."""
        stage = open_beat(self.story, self.head, trigger)
        return stage if isinstance(stage, Refusal) else self._keep(self.play(stage))

    def play(self, stage: Stage, *, candidate: int = 0) -> Settled | Refusal:
        """Play an opened stage and settle it, without keeping the beat."""
        return play_through(stage, self._memories, self.perform, CREATED_AT, candidate=candidate)

    def begin_episode(self, episode_id: str) -> Settled | Refusal:
        """Start a run of an episode."""
        begun = begin_episode(self.story, self.head, episode_id, CREATED_AT)
        self.episode_runs += isinstance(begun, Settled)
        return self._keep(begun)

    def end(self) -> Settled | Refusal:
        """End the session."""
        return self._keep(end(self.story, self.head, CREATED_AT))

    def difference(self) -> Difference | None:
        """The first difference that replay verification finds in all beats."""
        worldline = Worldline(self.story)
        for record, replies in self.beats:
            found = worldline.check(record, replies)
            if found is not None:
                return found
        return None

    def _keep(self, settled: Settled | Refusal) -> Settled | Refusal:
        if isinstance(settled, Refusal):
            return settled
        self.head = settled.head(self.seed, self.episode_runs)
        self.beats.append((settled.record, settled.replies))
        kept = max(1, self.story.world.settings.memory_beats)
        for role_id in settled.record["seats"]:
            self._memories.setdefault(role_id, deque(maxlen=kept)).append(settled.record)
        return settled
