"""Look at sessions and their beats as they stand. Nothing here changes anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from storyworld.application.faults import faults_refused
from storyworld.application.house import House, head_of, reading_rows, record_of
from storyworld.application.ports import IntegrityFailed, ProjectStore, StoredRun, StoredSession
from storyworld.core.beat import Record, word_record
from storyworld.core.errors import Refusal, refusal
from storyworld.core.session import Story
from storyworld.core.state import write_state


@dataclass(frozen=True, slots=True)
class SessionView:
    """A session, and the record of its last beat."""

    stored: StoredSession
    last: Record


@dataclass(frozen=True, slots=True)
class RunView:
    """An episode run as it stands: `told` is what the last beat in it says of it."""

    stored: StoredRun
    turn_budget: int
    told: dict[str, Any]


@faults_refused
async def read_session(house: House, project_id: str, session_id: str) -> SessionView | Refusal:
    """One session. Refusals: `session_unknown`, and `integrity_failed` where its last beat is damaged."""
    stored = await house.project(project_id).session(session_id)
    return refusal("session_unknown") if stored is None else _view(stored)


@faults_refused
async def list_sessions(
    house: House, project_id: str, limit: int, after: str | None
) -> Sequence[SessionView] | Refusal:
    """Up to `limit` sessions in the order of their ids, after the id `after`."""
    return [_view(stored) for stored in await house.project(project_id).sessions(limit=limit, after=after)]


def _view(stored: StoredSession) -> SessionView:
    return SessionView(stored, record_of(stored.record))


@faults_refused
async def list_beats(
    house: House, project_id: str, session_id: str, limit: int, after: int | None
) -> Sequence[Record] | Refusal:
    """Up to `limit` records after the beat `after`, oldest first, worded; those before a fork are its parents'.

    Refusal: `session_unknown`.
    """
    project = house.project(project_id)
    session = await project.session(session_id)
    if session is None:
        return refusal("session_unknown")
    first = 0 if after is None else after + 1
    if first > session.beat:
        return []
    return await records_of(project, session_id, first, min(session.beat, first + limit - 1))


@faults_refused
async def read_beat(house: House, project_id: str, session_id: str, beat: int) -> Record | Refusal:
    """One record, worded. Refusals: `session_unknown`, `beat_unknown`."""
    project = house.project(project_id)
    session = await project.session(session_id)
    if session is None:
        return refusal("session_unknown")
    if beat > session.beat:
        return no_beat(beat, session.beat)
    [record] = await records_of(project, session_id, beat, beat)
    return record


async def records_of(project: ProjectStore, session_id: str, first: int, last: int) -> list[Record]:
    """The records of these beats, worded. Raises IntegrityFailed where one is missing or cannot be read."""
    stored = await project.beats(session_id, first, last)
    if len(stored) != last - first + 1:
        raise IntegrityFailed("a beat of the session is missing")
    with reading_rows():
        return [word_record(record_of(beat.record)) for beat in stored]


def no_beat(beat: int, last: int) -> Refusal:
    """The session has no such beat."""
    return refusal("beat_unknown", beat=beat, last=last, facts={"beat": beat, "lastBeat": last})


@faults_refused
async def read_head_state(house: House, project_id: str, session_id: str) -> tuple[int, dict[str, Any]] | Refusal:
    """The last beat's number and the state after it. Refusal: `session_unknown`."""
    session = await house.project(project_id).session(session_id)
    if session is None:
        return refusal("session_unknown")
    return session.beat, write_state(head_of(session).state)


@faults_refused
async def list_runs(
    house: House, project_id: str, session_id: str, limit: int, after: int | None
) -> Sequence[RunView] | Refusal:
    """Up to `limit` episode runs in the order of their numbers, after the number `after`. Refusal: `session_unknown`,
    and those of a story that cannot be read.
    """
    project = house.project(project_id)
    session = await project.session(session_id)
    if session is None:
        return refusal("session_unknown")
    story = await house.story_of(project_id, session)
    if isinstance(story, Refusal):
        return story
    runs = await project.runs(session_id, limit=limit, after=after)
    return [await _run(project, session, story, run) for run in runs]


@faults_refused
async def read_run(house: House, project_id: str, session_id: str, run_id: str) -> RunView | Refusal:
    """One episode run. Refusals: `session_unknown`, `episode_run_unknown`, those of a story that cannot be read."""
    project = house.project(project_id)
    session = await project.session(session_id)
    if session is None:
        return refusal("session_unknown")
    run = await project.run(session_id, run_id)
    if run is None:
        return refusal("episode_run_unknown")
    story = await house.story_of(project_id, session)
    return story if isinstance(story, Refusal) else await _run(project, session, story, run)


async def _run(project: ProjectStore, session: StoredSession, story: Story, run: StoredRun) -> RunView:
    last = session.beat if run.last_beat is None else run.last_beat
    [record] = await records_of(project, session.session_id, last, last)
    with reading_rows():
        return RunView(run, story.package.episode_by_id[run.episode_id].turn_budget, dict(record["episodeRun"]))
