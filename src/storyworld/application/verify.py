"""Verify a session: fold the rules over what is stored and say whether it is what they make."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from storyworld.application.faults import faults_refused
from storyworld.application.house import House, record_of, replies_of
from storyworld.application.ports import IntegrityFailed, ProjectStore, StoredBeat, StoredSession
from storyworld.core.beat import Record
from storyworld.core.canonical import canonical_bytes, digest
from storyworld.core.errors import Refusal, refusal
from storyworld.core.replay import Difference, Verification, Worldline
from storyworld.core.state import write_state

BEATS_PER_READ = 100
"""Beats are read in pages, so that verifying a long session holds neither a transaction nor all its beats."""


@faults_refused
async def verify_session(house: House, project_id: str, session_id: str) -> Verification | Refusal:
    """Check every beat of a session, those read through its parents included, and what the next beat will be made from:
    the state that is stored as its head's, and what each role is stored to have heard.

    A beat that cannot be read differs. Refusals: `session_unknown`, `world_unknown`, `package_unknown`, and those of
    the store; `integrity_failed` is said of a damaged world or package.
    """
    project = house.project(project_id)
    session = await project.session(session_id)
    if session is None:
        return refusal("session_unknown")
    story = await house.story_of(project_id, session)
    if isinstance(story, Refusal):
        return story
    worldline = Worldline(story)
    difference = await follow(project, session_id, worldline, session.beat)
    if difference is not None:
        return Verification(worldline.level, worldline.beats, difference)
    difference = _head_differs(session, worldline) or await _memory_differs(project, session, worldline)
    return Verification(worldline.level, worldline.beats if difference is None else session.beat, difference)


async def follow(
    project: ProjectStore,
    session_id: str,
    worldline: Worldline,
    last: int,
    *,
    each: Callable[[Record], None] = lambda record: None,
) -> Difference | None:
    """Follow the stored beats 0 to `last` of a session; the first thing that differs, or None if all of them hold.

    `each` is told of every beat that holds, once the worldline has gone on to it. Others are served between beats.
    """
    for first in range(0, last + 1, BEATS_PER_READ):
        page_last = min(last, first + BEATS_PER_READ - 1)
        stored = await project.beats(session_id, first, page_last)
        for beat in stored:
            try:
                record, replies = record_of(beat.record), replies_of(beat)
            except IntegrityFailed:
                return Difference(worldline.beats, "record", "canonical JSON", "unreadable bytes")
            difference = _row_differs(beat, record) or worldline.check(record, replies)
            if difference is not None:
                return difference
            each(record)
            await asyncio.sleep(0)
        if worldline.beats != page_last + 1:
            return Difference(worldline.beats, "beat", worldline.beats, None)
    return None


def _row_differs(beat: StoredBeat, record: Record) -> Difference | None:
    """What the row says of its record beside it: forks find their parent's beat by the hash of its row."""
    if not isinstance(record, dict) or record.get("hash") == beat.hash:
        return None
    return Difference(beat.beat, "hash", record.get("hash"), beat.hash)


def _head_differs(session: StoredSession, worldline: Worldline) -> Difference | None:
    """What the session's own row says of its last beat, against what the beats lead to.

    From a beat on whose rules are gone only its hash is known.
    """
    told: list[tuple[str, object, object]] = [("hash", worldline.previous_hash, session.hash)]
    head = worldline.head
    if head is not None:
        told += [
            ("status", head.status, session.status),
            ("seed", head.seed, session.seed),
            ("episodeRuns", head.episode_runs, session.episode_runs),
            ("state", digest(canonical_bytes(write_state(head.state))), digest(session.state)),
        ]
    differing = (Difference(session.beat, name, expected, found) for name, expected, found in told if expected != found)
    return next(differing, None)


async def _memory_differs(project: ProjectStore, session: StoredSession, worldline: Worldline) -> Difference | None:
    """The beats that a role would be said to remember, against those in which it had a seat.

    Where a beat is committed meanwhile, roles remember that one, too, and nothing is said.
    """
    limit = max(1, worldline.story.world.settings.memory_beats)
    role_ids = [role.id for role in worldline.story.package.roles]
    for role_id, stored in (await project.remembered(session.session_id, role_ids, limit)).items():
        found = [record_of(data)["beat"] for data in stored]
        expected = [record["beat"] for record in worldline.memories.get(role_id, ())]
        if found != expected and await project.session(session.session_id) == session:
            return Difference(session.beat, f"memory of {role_id}", expected, found)
    return None


async def verify_all(house: House, project_id: str) -> Sequence[tuple[str, Verification | Refusal]]:
    """Verify every session of a project, in the order of their ids. Raises StoreError where they cannot be listed."""
    project = house.project(project_id)
    found: list[tuple[str, Verification | Refusal]] = []
    after: str | None = None
    while sessions := await project.sessions(limit=BEATS_PER_READ, after=after):
        for session in sessions:
            found.append((session.session_id, await verify_session(house, project_id, session.session_id)))
        after = sessions[-1].session_id
    return found
