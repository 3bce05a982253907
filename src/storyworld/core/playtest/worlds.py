"""Random stories, ready to run: a random package in a random world, each role with an agent of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from storyworld.core import limits
from storyworld.core.canonical import canonical_bytes, digest
from storyworld.core.casting import judge_world
from storyworld.core.normalize import normalize_package
from storyworld.core.playtest.draws import Draws
from storyworld.core.playtest.moves import EVENT_TYPES
from storyworld.core.playtest.packages import random_content
from storyworld.core.session import HUMAN, Story
from storyworld.core.story import StoryPackage, read_package
from storyworld.core.world import Agent, Model


def random_story(seed: int) -> Story:
    """A random package in a random world, both such as may be published; people play some of the roles."""
    content = normalize_package(random_content(seed))
    package = read_package(content)
    draws = Draws(~seed)
    cast = {f"agt_{place}": _agent(draws, f"agt_{place}", role.name) for place, role in enumerate(package.roles)}
    judged = judge_world(_world(draws, package, tuple(cast)), package, digest(canonical_bytes(content)), cast)
    assert judged.world is not None, judged.problems
    return Story(package, judged.world, judged.digest)


def _agent(draws: Draws, agent_id: str, name: str) -> Agent:
    provider = HUMAN if draws.once_in(10) else "rehearsal"
    window = draws.between(1_500, 12_000) if draws.once_in(6) else None
    return Agent(agent_id, name, "An actor.", Model(provider), window)


def _world(draws: Draws, package: StoryPackage, agent_ids: tuple[str, ...]) -> Mapping[str, Any]:
    woken_max = limits.WORLD_MAX_ROLES_PER_EVENT.value
    woken = {event_type: draws.some(tuple(package.role_by_id), woken_max) for event_type in EVENT_TYPES[:-1]}
    return {
        "name": "A random world",
        "packageId": "pkg_1",
        "packageRevision": 1,
        "roles": [
            {
                "roleId": role.id,
                "agentId": agent_id,
                "subscriptions": [event_type for event_type, roles in woken.items() if role.id in roles],
            }
            for role, agent_id in zip(package.roles, agent_ids, strict=True)
        ],
        "settings": {
            "memoryBeats": draws.pick((0, 1, 3, 12, limits.WORLD_MAX_MEMORY_BEATS.value)),
            "branching": draws.pick(("roles", "roles", "director")),
            "focus": draws.pick(("declared", "mentions")),
        },
    }
