"""Beats without seats: a session opens, is forked, starts an episode, is ended. Nothing else changes a session but
turns and events.
"""

from __future__ import annotations

from storyworld.core.beat import Heard, Patch, Place, seal
from storyworld.core.branching import Options, open_branches
from storyworld.core.ending import Closing, end_session, keep_going, view_of
from storyworld.core.errors import Refusal, refusal
from storyworld.core.session import Head, SessionStatus, Story
from storyworld.core.stage import start_episode
from storyworld.core.state import initial_state
from storyworld.core.trigger import End, EpisodeStart, ForkedFrom, Opening, Trigger
from storyworld.core.turn import Settled, outcome_of


def open_session(story: Story, session_id: str, seed: int, created_at: str) -> Settled:
    """Beat 0 of a new session: the start node, the first options, nothing said."""
    place = Place(session_id, 0, None, created_at)
    return _settle(story, place, Opening(story.world_digest, seed), keep_going(initial_state(story.package)))


def open_fork(story: Story, parent: Head, session_id: str, created_at: str) -> Settled:
    """The opening of a fork: the beat after the one it leaves its parent at, with the same state.

    `parent` is the parent's head as it was at that beat. A fork of a story that has reached an ending has ended too.
    """
    fork = ForkedFrom(parent.session_id, parent.beat, parent.hash)
    place = Place(session_id, parent.beat + 1, parent.hash, created_at)
    status: SessionStatus = "active" if parent.state.ending_id is None else "ended"
    return _settle(story, place, Opening(story.world_digest, parent.seed, fork), keep_going(parent.state, status))


def next_run_id(head: Head) -> str:
    """The id of the next episode run: `run-1`, `run-2`, … within a session, those of its parents included."""
    return f"run-{head.episode_runs + 1}"


def begin_episode(story: Story, head: Head, episode_id: str, created_at: str) -> Settled | Refusal:
    """Start a run of an episode. Refusals as `stage.start_episode`."""
    start = EpisodeStart(episode_id, next_run_id(head))
    begun = start_episode(story, head, start)
    if isinstance(begun, Refusal):
        return begun
    state, failed = begun
    return _settle(story, _next_place(head, created_at), start, keep_going(state), failed)


def end(story: Story, head: Head, created_at: str) -> Settled | Refusal:
    """End the session, and a running episode with it. Refusal: `session_ended`."""
    if head.status == "ended":
        return refusal("session_ended")
    return _settle(story, _next_place(head, created_at), End(), end_session(head.state))


def _next_place(head: Head, created_at: str) -> Place:
    return Place(head.session_id, head.beat + 1, head.hash, created_at)


def _settle(story: Story, place: Place, trigger: Trigger, closing: Closing, failed: tuple[str, ...] = ()) -> Settled:
    options = Options()
    if closing.status == "active":
        seen = view_of(story, closing.state, place.beat, has_seats=False)
        options = open_branches(story.package, story.conditions, closing.state, seen)
    outcome = outcome_of(closing, Patch(), options, (*failed, *options.failed))
    return Settled(seal(place, trigger, Heard(), outcome), (), closing.state, closing.status)
