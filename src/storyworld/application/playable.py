"""Make a story playable at once: publish it, give every role an agent of its own, publish a world.

Ids follow from what is published, so that playing the same story again finds what is already there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from storyworld.application.faults import faults_refused
from storyworld.application.house import House
from storyworld.application.ports import WorkKind
from storyworld.application.publish import publish, put_agent
from storyworld.core.canonical import canonical_bytes, digest
from storyworld.core.content import judge_package_bytes
from storyworld.core.errors import Problem, Refusal, refusal
from storyworld.core.story import StoryPackage

PERSONA = "You are an actor in an improvised play. Stay in your role, say what it would say, and let the others speak."
_ID_CHARACTERS = 32
_FIRST_REVISION = 1


@dataclass(frozen=True, slots=True)
class Playable:
    """A world revision in which every role is bound, and the warnings of its package."""

    world_id: str
    world_revision: int
    package: StoryPackage
    warnings: tuple[Problem, ...]


@faults_refused
async def make_playable(house: House, project_id: str, content: bytes, provider: str) -> Playable | Refusal:
    """Publish `content` and a world that binds each of its roles to an agent of `provider`; or find them published.

    Refusals as `publish`.
    """
    judged = judge_package_bytes(content)
    if judged.package is None:
        return refusal("package_refused", problems=judged.problems, more_problems=judged.more_problems)
    package_id = await _published_package(house, project_id, content, judged.digest)
    if isinstance(package_id, Refusal):
        return package_id
    world_id = await _published_world(house, project_id, judged.package, package_id, provider)
    if isinstance(world_id, Refusal):
        return world_id
    return Playable(world_id, _FIRST_REVISION, judged.package, judged.warnings)


async def _published_package(house: House, project_id: str, content: bytes, of: str) -> str | Refusal:
    package_id = _derived_id("pkg", of)
    if await _is_published(house, project_id, WorkKind.PACKAGE, package_id):
        return package_id
    published = await publish(house, project_id, WorkKind.PACKAGE, content, new_id=package_id)
    return published if isinstance(published, Refusal) else published.work_id


async def _published_world(
    house: House, project_id: str, package: StoryPackage, package_id: str, provider: str
) -> str | Refusal:
    world_id = _derived_id("wld", f"{package_id} {provider}")
    if await _is_published(house, project_id, WorkKind.WORLD, world_id):
        return world_id
    bindings: list[dict[str, Any]] = []
    for role in package.roles:
        agent = {"name": role.name, "persona": PERSONA, "model": {"provider": provider}}
        agent_id = await put_agent(house, project_id, agent, _derived_id("agt", f"{world_id} {role.id}"))
        if isinstance(agent_id, Refusal):
            return agent_id
        bindings.append({"roleId": role.id, "agentId": agent_id, "subscriptions": []})
    value = {
        "name": package.title,
        "packageId": package_id,
        "packageRevision": _FIRST_REVISION,
        "roles": bindings,
    }
    published = await publish(house, project_id, WorkKind.WORLD, value, new_id=world_id)
    return published if isinstance(published, Refusal) else published.work_id


async def _is_published(house: House, project_id: str, kind: WorkKind, work_id: str) -> bool:
    work = await house.project(project_id).work(kind, work_id)
    return work is not None and work.latest_revision is not None


def _derived_id(prefix: str, of: str) -> str:
    return f"{prefix}_{digest(canonical_bytes(of)).removeprefix('sha256:')[:_ID_CHARACTERS]}"
