"""Publish what was written: agents, story packages and worlds, as immutable numbered revisions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from storyworld.application.faults import faults_refused
from storyworld.application.house import House, reading_rows
from storyworld.application.ports import NewDraft, ProjectStore, StoredRevision, WorkKind
from storyworld.core import limits
from storyworld.core.canonical import canonical_bytes, read_stored
from storyworld.core.casting import judge_agent, judge_world
from storyworld.core.content import Judged, judge_package, judge_package_bytes
from storyworld.core.errors import Problem, Refusal, problem, refusal
from storyworld.core.judge import judge
from storyworld.core.normalize import normalize_world
from storyworld.core.session import HUMAN
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
    providers = (*house.performers, HUMAN)
    if judged.agent.model.provider not in providers:
        allowed = ", ".join(sorted(providers))
        return refusal("agent_refused", problems=(problem("provider_unknown", "/model/provider", allowed=allowed),))
    content = canonical_bytes(write_agent(judged.agent))
    await house.project(project_id).put_agent(chosen, content, house.clock.now())
    return chosen


@dataclass(frozen=True, slots=True)
class JudgedWork:
    """What became of content: with problems `refused` says so; without, `canonical` is what would be stored."""

    refused: Refusal | None
    problems: tuple[Problem, ...]
    more_problems: int
    warnings: tuple[Problem, ...]
    canonical: bytes
    size_bytes: int
    digest: str


async def judge_for_publishing(project: ProjectStore, kind: WorkKind, content: object) -> JudgedWork:
    """Judge a package or a world. A package may also come as the bytes that somebody sent.

    A world is judged with the package revision that it names, and the agents, as they are now.
    """
    if kind is WorkKind.WORLD:
        return await _judge_world(project, content)
    # A large package takes milliseconds, in which the loop would serve nobody else.
    judge_it: Callable[[Any], Judged] = judge_package_bytes if isinstance(content, bytes) else judge_package
    judged = await asyncio.to_thread(judge_it, content)
    refused = None
    if judged.package is None:
        refused = refusal("package_refused", problems=judged.problems, more_problems=judged.more_problems)
    return JudgedWork(
        refused,
        judged.problems,
        judged.more_problems,
        judged.warnings,
        judged.canonical,
        judged.size_bytes,
        judged.digest,
    )


async def _judge_world(project: ProjectStore, value: object) -> JudgedWork:
    content = normalize_world(value)
    pinned = await _pinned(project, content)
    if pinned is None:
        problems = tuple(judge("world", content))
        unpinned = refusal("world_refused", problems=problems) if problems else refusal("package_unknown")
        return JudgedWork(unpinned, problems or (problem("package_unknown", "/packageId"),), 0, (), b"", 0, "")
    with reading_rows():
        package = read_package(read_stored(pinned.content))
    agents = await _agents(project, content)
    judged = judge_world(content, package, pinned.digest, agents)
    refused = None
    if judged.world is None:
        refused = refusal("world_refused", problems=judged.problems, more_problems=judged.more_problems)
    size = len(judged.canonical)
    return JudgedWork(
        refused, judged.problems, judged.more_problems, judged.warnings, judged.canonical, size, judged.digest
    )


@faults_refused
async def publish(
    house: House,
    project_id: str,
    kind: WorkKind,
    content: object,
    work_id: str | None = None,
    *,
    new_id: str | None = None,
    draft: NewDraft | None = None,
) -> Published | Refusal:
    """Publish content as the next revision of a package or world, or as the first of a new one, whose id is `new_id` or
    drawn and which begins with `draft`. A world pins its package revision, and its agents are copied in.

    Refusals: `package_refused` or `world_refused` with every problem and nothing stored; `active_packages_cap`,
    `active_worlds_cap`; `package_unknown`, `world_unknown`.
    """
    project = house.project(project_id)
    if work_id is not None and await project.work(kind, work_id) is None:
        return unknown(kind)
    judged = await judge_for_publishing(project, kind, content)
    if judged.refused is not None:
        return judged.refused
    chosen = work_id or new_id or house.identity.new_id("pkg" if kind is WorkKind.PACKAGE else "wld")
    now = house.clock.now()
    if work_id is None and not await project.create_work(kind, chosen, now, draft):
        return cap_refusal(kind)
    revision = await project.add_revision(kind, chosen, judged.canonical, judged.digest, now)
    assert revision is not None, "packages and worlds are never deleted"
    return Published(chosen, revision, judged.digest, judged.size_bytes, judged.warnings)


def unknown(kind: WorkKind) -> Refusal:
    """There is no such package, or world."""
    return refusal("package_unknown" if kind is WorkKind.PACKAGE else "world_unknown")


def cap_refusal(kind: WorkKind) -> Refusal:
    """As many packages, or worlds, are active as may be."""
    if kind is WorkKind.PACKAGE:
        limit = limits.PROJECT_MAX_ACTIVE_STORY_PACKAGES.value
        return refusal("active_packages_cap", limit=limit, facts={"limit": limit})
    limit = limits.PROJECT_MAX_ACTIVE_WORLDS.value
    return refusal("active_worlds_cap", limit=limit, facts={"limit": limit})


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
