"""Begin a session: pin a world revision, draw a seed, commit the opening; or fork one at a beat."""

from __future__ import annotations

from dataclasses import dataclass

from storyworld.application.faults import faults_refused
from storyworld.application.house import House
from storyworld.application.play import new_beat
from storyworld.application.ports import ForkPoint, NewSession, WorkKind
from storyworld.application.verify import follow
from storyworld.core.beat import Record
from storyworld.core.errors import Refusal, refusal
from storyworld.core.replay import Worldline
from storyworld.core.unseated import open_fork, open_session


@dataclass(frozen=True, slots=True)
class Begun:
    """A new session and the record of its opening beat."""

    session_id: str
    seed: int
    opening: Record


@faults_refused
async def begin_session(
    house: House,
    project_id: str,
    world_id: str,
    revision: int,
    *,
    seed: int | None = None,
    token_budget: int | None = None,
) -> Begun | Refusal:
    """Start a session of a world revision. `seed` is 0 to 2^53 - 1; without one it is drawn, and told. `token_budget`
    is at least 1; without one nothing bounds what the session spends.

    Refusals: `world_unknown`, `package_unknown`, and those of the store.
    """
    story = await house.story(project_id, world_id, revision)
    if isinstance(story, Refusal):
        return story
    session_id = house.identity.new_id("ses")
    chosen = house.identity.new_seed() if seed is None else seed
    opening = open_session(story, session_id, chosen, house.clock.now())
    new = NewSession(session_id, world_id, revision, chosen, new_beat(opening), token_budget=token_budget)
    created = await house.project(project_id).create_session(new)
    assert created, "a new id is never taken"
    return Begun(session_id, chosen, opening.record)


@faults_refused
async def start_session(
    house: House,
    project_id: str,
    world_id: str,
    *,
    revision: int | None = None,
    seed: int | None = None,
    token_budget: int | None = None,
) -> Begun | Refusal:
    """Start a session of a world that is not archived; without a `revision`, of its latest.

    Refusals: `world_archived`, `world_unpublished`, and those of `begin_session`.
    """
    work = await house.project(project_id).work(WorkKind.WORLD, world_id)
    if work is None:
        return refusal("world_unknown")
    if work.archived:
        return refusal("world_archived")
    chosen = work.latest_revision if revision is None else revision
    if chosen is None:
        return refusal("world_unpublished")
    return await begin_session(house, project_id, world_id, chosen, seed=seed, token_budget=token_budget)


@faults_refused
async def fork_session(
    house: House, project_id: str, session_id: str, beat: int, *, token_budget: int | None = None
) -> Begun | Refusal:
    """Start a session that continues another one after `beat`, under the same seed and the same revisions. It has spent
    no tokens, and has no budget but the one that it is given.

    The state of that beat is found by the fold that replay verification uses. Refusals: `session_unknown`,
    `beat_unknown`, `rules_unknown` where that beat was made under rules that are gone, and those of the store.
    """
    project = house.project(project_id)
    session = await project.session(session_id)
    if session is None:
        return refusal("session_unknown")
    if not 0 <= beat <= session.beat:
        return refusal("beat_unknown", beat=beat, last=session.beat, facts={"beat": beat, "lastBeat": session.beat})
    story = await house.story_of(project_id, session)
    if isinstance(story, Refusal):
        return story
    worldline = Worldline(story)
    if await follow(project, session_id, worldline, beat) is not None:
        return refusal("integrity_failed")
    head = worldline.head
    if head is None:
        return refusal("rules_unknown")
    fork_id = house.identity.new_id("ses")
    opening = open_fork(story, head, fork_id, house.clock.now())
    new = NewSession(
        session_id=fork_id,
        world_id=session.world_id,
        world_revision=session.world_revision,
        seed=head.seed,
        opening=new_beat(opening),
        episode_runs=head.episode_runs,
        forked_from=ForkPoint(head.session_id, head.beat, head.hash),
        token_budget=token_budget,
    )
    created = await project.create_session(new)
    assert created, "a new id is never taken, and committed beats do not change"
    return Begun(fork_id, head.seed, opening.record)
