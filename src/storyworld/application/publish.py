"""Publish what was written: agents, story packages and worlds, as immutable numbered revisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from storyworld.application.faults import faults_refused
from storyworld.application.house import House, reading_rows
from storyworld.application.ports import ProjectStore, StoredRevision, WorkKind
from storyworld.core import limits
from storyworld.core.canonical import canonical_bytes, read_stored
from storyworld.core.casting import judge_agent, judge_world
from storyworld.core.content import judge_package_bytes
from storyworld.core.errors import Problem, Refusal, refusal
from storyworld.core.judge import judge
from storyworld.core.normalize import normalize_world
from storyworld.core.story import read_package
from storyworld.core.world import Agent, read_agent, write_agent


@dataclass(frozen=True, slots=True)
class Published:
    """A new revision: where it stands, its digest and size in bytes, and the warnings that did not stop it."""

    work_id: str
    revision: int
    digest: str
    size_bytes: int
    warnings: tuple[Problem, ...]


@faults_refused
async def put_agent(house: House, project_id: str, value: object, agent_id: str | None = None) -> str | Refusal:
    """Store an agent, new or changed, and return its id. Worlds that are published keep the agent as it was."""
    chosen = agent_id or house.identity.new_id("agt")
    judged = judge_agent(chosen, value)
    if judged.agent is None:
        return refusal("agent_refused", problems=judged.problems, more_problems=judged.more_problems)
    content = canonical_bytes(write_agent(judged.agent))
    await house.project(project_id).put_agent(chosen, content, house.clock.now())
    return chosen


@faults_refused
async def publish_package(
    house: House, project_id: str, content: bytes, package_id: str | None = None, *, new_id: str | None = None
) -> Published | Refusal:
    """Publish content as the next revision of a package, or as the first of a new one, whose id is `new_id` or drawn.

    Refusals: `package_refused` with every problem and nothing stored, `active_packages_cap`, `package_unknown`.
    """
    judged = judge_package_bytes(content)
    if judged.package is None:
        return refusal("package_refused", problems=judged.problems, more_problems=judged.more_problems)
    project = house.project(project_id)
    work_id = await _work(house, project, WorkKind.PACKAGE, package_id, new_id)
    if isinstance(work_id, Refusal):
        return work_id
    now = house.clock.now()
    revision = await project.add_revision(WorkKind.PACKAGE, work_id, judged.canonical, judged.digest, now)
    if revision is None:
        return refusal("package_unknown")
    return Published(work_id, revision, judged.digest, judged.size_bytes, judged.warnings)


@faults_refused
async def publish_world(
    house: House, project_id: str, value: object, world_id: str | None = None, *, new_id: str | None = None
) -> Published | Refusal:
    """Publish a world as the next revision, or as the first of a new one: pins the package, copies the agents in.

    Refusals: `package_unknown`, `world_refused` with every problem and nothing stored, `active_worlds_cap`,
    `world_unknown`.
    """
    project = house.project(project_id)
    content = normalize_world(value)
    pinned = await _pinned(project, content)
    if pinned is None:
        problems = tuple(judge("world", content))
        return refusal("world_refused", problems=problems) if problems else refusal("package_unknown")
    with reading_rows():
        package = read_package(read_stored(pinned.content))
    agents = await _agents(project, content)
    judged = judge_world(content, package, pinned.digest, agents)
    if judged.world is None:
        return refusal("world_refused", problems=judged.problems, more_problems=judged.more_problems)
    work_id = await _work(house, project, WorkKind.WORLD, world_id, new_id)
    if isinstance(work_id, Refusal):
        return work_id
    now = house.clock.now()
    revision = await project.add_revision(WorkKind.WORLD, work_id, judged.canonical, judged.digest, now)
    if revision is None:
        return refusal("world_unknown")
    return Published(work_id, revision, judged.digest, len(judged.canonical), judged.warnings)


async def _work(
    house: House, project: ProjectStore, kind: WorkKind, work_id: str | None, new_id: str | None
) -> str | Refusal:
    """The work to add a revision to: the one named, or a new one where the cap of active ones allows it."""
    if work_id is not None:
        return work_id
    chosen = new_id or house.identity.new_id("pkg" if kind is WorkKind.PACKAGE else "wld")
    if await project.create_work(kind, chosen, house.clock.now()):
        return chosen
    if kind is WorkKind.PACKAGE:
        return refusal("active_packages_cap", limit=limits.PROJECT_MAX_ACTIVE_STORY_PACKAGES.value)
    return refusal("active_worlds_cap", limit=limits.PROJECT_MAX_ACTIVE_WORLDS.value)


async def _pinned(project: ProjectStore, content: object) -> StoredRevision | None:
    """The package revision that a world's content names; None where it names none or there is none."""
    if not isinstance(content, dict):
        return None
    package_id, revision = content.get("packageId"), content.get("packageRevision")
    if not isinstance(package_id, str) or type(revision) is not int:
        return None
    return await project.revision(WorkKind.PACKAGE, package_id, revision)


async def _agents(project: ProjectStore, content: Mapping[str, Any]) -> dict[str, Agent]:
    """The agents that the world names and that exist; which are missing is judged with everything else."""
    agents: dict[str, Agent] = {}
    for agent_id in islice(_named_agents(content), limits.PROBLEMS_MAX_REPORTED.value):
        stored = await project.agent(agent_id)
        if stored is not None:
            with reading_rows():
                agents[agent_id] = read_agent(agent_id, read_stored(stored.content))
    return agents


def _named_agents(content: Mapping[str, Any]) -> dict[str, None]:
    """The agent ids in the world, each once, in its order, as far as it is well-formed enough to tell.

    Of a list that is far too long no more are looked up than problems are told.
    """
    roles = content.get("roles")
    bindings = [role for role in roles if isinstance(role, dict)] if isinstance(roles, list) else []
    named = [binding.get("agentId") for binding in bindings]
    return {agent_id: None for agent_id in named if isinstance(agent_id, str)}
