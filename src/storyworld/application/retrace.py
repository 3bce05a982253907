"""Look back along a worldline, by the very fold that verification uses: an earlier state, the exact prompt of a role,
who knows what, and where a secret came to those it was not given to.

Nothing of this is stored. It costs a replay of the beats up to the one that is asked about, in which others are served.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from storyworld.application.browse import no_beat
from storyworld.application.faults import faults_refused
from storyworld.application.house import House
from storyworld.application.ports import IntegrityFailed, StoredSession
from storyworld.application.verify import follow
from storyworld.core.beat import Record
from storyworld.core.errors import Refusal, refusal
from storyworld.core.knowledge import Knowledge
from storyworld.core.leaks import LeakReport, LeakSearch
from storyworld.core.prompt.brief import Prompt
from storyworld.core.prompt.compose import digest_of, estimated_tokens
from storyworld.core.replay import Worldline
from storyworld.core.session import Story
from storyworld.core.state import State, write_state


@dataclass(frozen=True, slots=True)
class PromptView:
    """A prompt as it was: its sections in order, its digest, and what it took."""

    beat: int
    role_id: str
    prompt: Prompt
    digest: str
    tokens: int

    @property
    def characters(self) -> int:
        """The code points of all sections."""
        return sum(len(section.text) for section in self.prompt.sections)


@dataclass(frozen=True, slots=True)
class KnowledgeView:
    """What every role was given up to a beat."""

    beat: int
    knowledge: Knowledge


@dataclass(frozen=True, slots=True)
class _Found:
    session: StoredSession
    story: Story
    last: int


@faults_refused
async def state_at(house: House, project_id: str, session_id: str, beat: int) -> dict[str, Any] | Refusal:
    """The state after a beat. Refusals: `session_unknown`, `beat_unknown`, `rules_unknown`, `integrity_failed`."""
    found = await _find(house, project_id, session_id, beat)
    if isinstance(found, Refusal):
        return found
    worldline = Worldline(found.story)
    await _retrace(house, project_id, found, worldline)
    state = _state_of(worldline)
    return state if isinstance(state, Refusal) else write_state(state)


@faults_refused
async def prompt_of(house: House, project_id: str, session_id: str, beat: int, role_id: str) -> PromptView | Refusal:
    """The exact prompt of a role in a committed beat, composed again and compared with its recorded digest.

    Refusals: `session_unknown`, `beat_unknown`, `prompt_unknown`, `rules_unknown`, `integrity_failed`.
    """
    found = await _find(house, project_id, session_id, beat)
    if isinstance(found, Refusal):
        return found
    composed: list[Prompt] = []

    def keep(at: int, of: str, prompt: Prompt) -> None:
        if (at, of) == (beat, role_id):
            composed.append(prompt)

    worldline = Worldline(found.story, on_prompt=keep)
    await _retrace(house, project_id, found, worldline)
    if worldline.head is None:
        return refusal("rules_unknown")
    if not composed:
        return refusal("prompt_unknown")
    return PromptView(beat, role_id, composed[0], digest_of(composed[0]), estimated_tokens(composed[0]))


@faults_refused
async def knowledge_of(house: House, project_id: str, session_id: str) -> KnowledgeView | Refusal:
    """What every role was given, and since which beat. Refusals: `session_unknown`, `rules_unknown`,
    `integrity_failed`.
    """
    found = await _find(house, project_id, session_id, None)
    if isinstance(found, Refusal):
        return found
    knowledge = Knowledge(found.story.package)
    worldline = Worldline(found.story)

    def learn(record: Record) -> None:
        if worldline.head is not None:
            knowledge.follow(record, worldline.head.state)

    await _retrace(house, project_id, found, worldline, learn)
    return KnowledgeView(found.last, knowledge) if worldline.head is not None else refusal("rules_unknown")


@faults_refused
async def leaks_of(house: House, project_id: str, session_id: str) -> LeakReport | Refusal:
    """Every secret that stands where it was not granted. Refusals: `session_unknown`; those of a story that cannot be
    read. Where the log does not hold the report says so.
    """
    found = await _find(house, project_id, session_id, None)
    if isinstance(found, Refusal):
        return found
    search = LeakSearch(found.story)
    project = house.project(project_id)
    return search.report(await follow(project, session_id, search.worldline, found.last, each=search.follow))


async def _find(house: House, project_id: str, session_id: str, beat: int | None) -> _Found | Refusal:
    session = await house.project(project_id).session(session_id)
    if session is None:
        return refusal("session_unknown")
    if beat is not None and beat > session.beat:
        return no_beat(beat, session.beat)
    story = await house.story_of(project_id, session)
    if isinstance(story, Refusal):
        return story
    return _Found(session, story, session.beat if beat is None else beat)


async def _retrace(
    house: House,
    project_id: str,
    found: _Found,
    worldline: Worldline,
    each: Callable[[Record], None] = lambda record: None,
) -> None:
    project = house.project(project_id)
    if await follow(project, found.session.session_id, worldline, found.last, each=each) is not None:
        raise IntegrityFailed("a beat of the session is not as its rules would make it")


def _state_of(worldline: Worldline) -> State | Refusal:
    return refusal("rules_unknown") if worldline.head is None else worldline.head.state
