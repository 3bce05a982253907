"""Verify a session: fold the rules over what is stored and say whether it is what they make."""

from __future__ import annotations

from collections.abc import Sequence

from storyworld.application.house import House, record_of, replies_of
from storyworld.application.ports import ProjectStore
from storyworld.core.canonical import Malformed, read_stored
from storyworld.core.errors import Refusal, refusal
from storyworld.core.replay import Difference, Verification, Worldline
from storyworld.core.state import read_state, write_state

BEATS_PER_READ = 100
"""Beats are read in pages, so that verifying a long session holds neither a transaction nor all its beats."""


async def verify_session(house: House, project_id: str, session_id: str) -> Verification | Refusal:
    """Check every beat of a session, those read through its parents included, and the state that is stored as its
    head's.

    Refusals: `session_unknown`, `world_unknown`, `package_unknown`.
    """
    project = house.project(project_id)
    session = await project.session(session_id)
    if session is None:
        return refusal("session_unknown")
    story = await house.story_of(project_id, session)
    if isinstance(story, Refusal):
        return story
    worldline = Worldline(story)
    for first in range(0, session.beat + 1, BEATS_PER_READ):
        last = min(session.beat, first + BEATS_PER_READ - 1)
        difference = await _check_page(project, session_id, worldline, first, last)
        if difference is not None:
            return Verification(worldline.level, worldline.beats, difference)
    if worldline.head is not None and worldline.head.state != read_state(read_stored(session.state)):
        found = Difference(session.beat, "state", write_state(worldline.head.state), read_stored(session.state))
        return Verification(worldline.level, session.beat, found)
    return Verification(worldline.level, worldline.beats)


async def _check_page(
    project: ProjectStore, session_id: str, worldline: Worldline, first: int, last: int
) -> Difference | None:
    stored = await project.beats(session_id, first, last)
    for beat in stored:
        try:
            record, replies = record_of(beat.record), replies_of(beat)
        except (Malformed, KeyError, TypeError):
            return Difference(beat.beat, "record", "canonical JSON", "unreadable bytes")
        difference = worldline.check(record, replies)
        if difference is not None:
            return difference
    if len(stored) != last - first + 1:
        return Difference(worldline.beats, "beat", worldline.beats, None)
    return None


async def verify_all(house: House, project_id: str) -> Sequence[tuple[str, Verification | Refusal]]:
    """Verify every session of a project, in the order of their ids."""
    project = house.project(project_id)
    found: list[tuple[str, Verification | Refusal]] = []
    after: str | None = None
    while sessions := await project.sessions(limit=BEATS_PER_READ, after=after):
        for session in sessions:
            found.append((session.session_id, await verify_session(house, project_id, session.session_id)))
        after = sessions[-1].session_id
    return found
