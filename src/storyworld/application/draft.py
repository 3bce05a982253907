"""Turn committed beats of a session into a screenplay."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from storyworld.application.faults import faults_refused
from storyworld.application.house import House, reading_rows, record_of
from storyworld.application.ports import IntegrityFailed, ProjectStore
from storyworld.core import limits
from storyworld.core.beat import Record
from storyworld.core.drafting import draft
from storyworld.core.errors import Refusal, refusal
from storyworld.core.screenplay import Screenplay


@dataclass(frozen=True, slots=True)
class DraftRequest:
    """What to draft: the beats from `from_beat` to `to_beat`, both included (None: the first, the last), or those of an
    episode run.
    """

    from_beat: int | None = None
    to_beat: int | None = None
    episode_run_id: str | None = None


@dataclass(frozen=True, slots=True)
class ScriptDraft:
    """A screenplay of committed beats, and which they are."""

    session_id: str
    from_beat: int
    to_beat: int
    screenplay: Screenplay

    @property
    def draft_id(self) -> str:
        """An id that says what is covered: committed beats never change, so a draft of them is always the same."""
        return f"b{self.from_beat}-{self.to_beat}"


_DRAFT_ID: Final = re.compile(r"b(0|[1-9][0-9]{0,15})-(0|[1-9][0-9]{0,15})")


@faults_refused
async def draft_again(house: House, project_id: str, session_id: str, draft_id: str) -> ScriptDraft | Refusal:
    """The draft of this id. Refusals: `draft_unknown` where no draft of the session can have it, and those of
    `draft_session`.
    """
    named = _DRAFT_ID.fullmatch(draft_id)
    if named is None:
        unknown = await house.project(project_id).session(session_id) is None
        return refusal("session_unknown" if unknown else "draft_unknown")
    drafted = await draft_session(house, project_id, session_id, DraftRequest(int(named[1]), int(named[2])))
    refused = isinstance(drafted, Refusal) and drafted.code in {"draft_range_unknown", "draft_too_long"}
    return refusal("draft_unknown") if refused else drafted


@faults_refused
async def draft_session(house: House, project_id: str, session_id: str, request: DraftRequest) -> ScriptDraft | Refusal:
    """Draft a session, or a part of it; beats before a fork are read through its parents.

    Refusals: `session_unknown`; `draft_range_and_run` when both beats and a run are named; `draft_range_unknown` for
    beats that the session does not have; `episode_run_unknown`; `draft_too_long` over `SCRIPT_DRAFT_MAX_BEATS`; those
    of a story that cannot be read, and of the store.
    """
    project = house.project(project_id)
    session = await project.session(session_id)
    if session is None:
        return refusal("session_unknown")
    story = await house.story_of(project_id, session)
    if isinstance(story, Refusal):
        return story
    covered = await _covered(project, session_id, session.beat, request)
    if isinstance(covered, Refusal):
        return covered
    first, last = covered
    too_long = _too_long(first, last)
    if too_long is not None:
        return too_long
    # The beat before the first one says where the story was.
    records = await _records(project, session_id, max(0, first - 1), last)
    source = f"session {session_id}, beats {first} to {last}"
    with reading_rows():
        node_before = records.pop(0)["nodeId"] if first > 0 else None
        screenplay = draft(story.package, records, node_before=node_before, source=source)
    return ScriptDraft(session_id, first, last, screenplay)


async def _covered(
    project: ProjectStore, session_id: str, last_beat: int, request: DraftRequest
) -> tuple[int, int] | Refusal:
    """The first and the last beat that are asked for."""
    if request.episode_run_id is not None:
        if request.from_beat is not None or request.to_beat is not None:
            return refusal("draft_range_and_run")
        found = await project.run(session_id, request.episode_run_id)
        if found is None:
            return refusal("episode_run_unknown")
        return found.first_beat, last_beat if found.last_beat is None else found.last_beat
    first = 0 if request.from_beat is None else request.from_beat
    last = last_beat if request.to_beat is None else request.to_beat
    if not 0 <= first <= last <= last_beat:
        return refusal("draft_range_unknown", first=first, last=last, actual=last_beat)
    return first, last


def _too_long(first: int, last: int) -> Refusal | None:
    limit, actual = limits.SCRIPT_DRAFT_MAX_BEATS.value, last - first + 1
    if actual <= limit:
        return None
    return refusal("draft_too_long", facts={"limit": limit, "actual": actual}, limit=limit, actual=actual)


async def _records(project: ProjectStore, session_id: str, first: int, last: int) -> list[Record]:
    """The records of these beats, all of them; IntegrityFailed where one is missing or cannot be read."""
    records = [record_of(stored.record) for stored in await project.beats(session_id, first, last)]
    with reading_rows():
        found = [record["beat"] for record in records]
    if found != list(range(first, last + 1)):
        raise IntegrityFailed("a beat of the session is missing")
    return records
