"""What ends: a session by one of its endings, an episode run by its rules or its budget.

This file owns the order in which these are judged. It must not know seats' replies, patches or prompts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from storyworld.core.conditions import View, view
from storyworld.core.session import SessionStatus, Story
from storyworld.core.state import EpisodeRun, State, write_episode_run
from storyworld.core.unchanging import unchanging


@unchanging
class Closing:
    """The state after endings were judged, and what the beat record says of them."""

    state: State
    status: SessionStatus
    ending: Mapping[str, Any] | None
    episode_run: Mapping[str, Any] | None
    failed: tuple[str, ...] = ()


def view_of(story: Story, state: State, beat: int, *, has_seats: bool) -> View:
    """What conditions see of a state while `beat` is judged.

    `episodeBeat` is the number of this beat in the run, itself included when it has seats; 0 outside a run.
    """
    episode_beat = 0 if state.episode is None else state.episode.beats_used + has_seats
    return view(state, story.package, beat, episode_beat)


def close_beat(story: Story, state: State, beat: int, *, has_seats: bool) -> Closing:
    """Judge endings after the patch of a turn or an event.

    Inside a run only the episode's rules judge, and they end the run, as does the last beat of its budget; the
    session's endings are then not judged in that beat. Outside a run the first declared ending whose conditions hold
    ends the session.
    """
    seen = view_of(story, state, beat, has_seats=has_seats)
    if state.episode is None:
        ending_id, failed = _first_ending(story, tuple(story.package.ending_conditions.items()), seen)
        if ending_id is None:
            return Closing(state, "active", None, None, failed)
        return Closing(replace(state, ending_id=ending_id), "ended", {"endingId": ending_id}, None, failed)
    run = replace(state.episode, beats_used=state.episode.beats_used + has_seats)
    ending_id, failed = _first_ending(story, story.package.rule_conditions[run.episode_id], seen)
    if ending_id is not None:
        return _ended_run(state, run, {"reason": "ending", "endingId": ending_id}, failed)
    if run.beats_used >= story.package.episode_by_id[run.episode_id].turn_budget:
        return _ended_run(state, run, {"reason": "turn_budget_used"}, failed)
    return Closing(replace(state, episode=run), "active", None, write_episode_run(run), failed)


def end_session(state: State) -> Closing:
    """The session is ended from outside; a running episode ends with it."""
    if state.episode is None:
        return Closing(state, "ended", None, None)
    return replace(_ended_run(state, state.episode, {"reason": "session_ended"}, ()), status="ended")


def keep_going(state: State, status: SessionStatus = "active") -> Closing:
    """A beat in which no ending is judged: an opening, or the start of an episode."""
    run = None if state.episode is None else write_episode_run(state.episode)
    return Closing(state, status, None, run)


def _ended_run(state: State, run: EpisodeRun, how: Mapping[str, Any], failed: tuple[str, ...]) -> Closing:
    record = {**write_episode_run(run), "ended": dict(how)}
    return Closing(replace(state, episode=None), "active", None, record, failed)


_EndingSources = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]


def _first_ending(story: Story, endings: _EndingSources, seen: View) -> tuple[str | None, tuple[str, ...]]:
    failed: list[str] = []
    for ending_id, sources in endings:
        verdict = story.conditions.judge(sources, seen)
        failed.extend(verdict.failed)
        if verdict.holds:
            return ending_id, tuple(failed)
    return None, tuple(failed)
