"""Whether a cast can play: what a world or an agent must be to be published.

It owns the rules that join a world to its package revision and its agents, and judges them once, on write. It must not
know where packages and agents come from, nor how a world is stored: whoever publishes brings the very revision and the
agents, and what comes back is complete, with the agents copied in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from storyworld.core import limits
from storyworld.core.canonical import canonical_bytes, digest
from storyworld.core.errors import Problem, problem
from storyworld.core.judge import find, report
from storyworld.core.normalize import normalize_agent, normalize_world
from storyworld.core.prompt_size import LargestPrompts
from storyworld.core.schema.parts import ID_PATTERN, RESOURCE_ID_PATTERN
from storyworld.core.story import StoryPackage
from storyworld.core.world import Agent, Binding, Settings, World, read_agent, write_world

_ID = re.compile(ID_PATTERN)
_RESOURCE_ID = re.compile(RESOURCE_ID_PATTERN)


@dataclass(frozen=True, slots=True)
class JudgedWorld:
    """What became of a world's content. With problems there is no `world`, and `canonical` and `digest` are empty.

    At most 1,000 problems are held; `more_problems` counts the others. `canonical` is what is stored under `digest`:
    the content with each agent's persona, model and context window copied in.
    """

    problems: tuple[Problem, ...]
    more_problems: int
    warnings: tuple[Problem, ...]
    world: World | None
    canonical: bytes
    digest: str


@dataclass(frozen=True, slots=True)
class JudgedAgent:
    """What became of an agent's content: the agent, or every problem of it."""

    problems: tuple[Problem, ...]
    more_problems: int
    agent: Agent | None


class _Subscription(NamedTuple):
    """One event type of a binding, with its place in the list."""

    place: int
    event_type: str


class _Cast(NamedTuple):
    """One binding as far as it is well-formed: what is not was named by the schema, and is absent here."""

    place: int
    role_id: str | None
    agent_id: str | None
    subscriptions: tuple[_Subscription, ...]


def judge_world(value: object, package: StoryPackage, package_digest: str, agents: Mapping[str, Agent]) -> JudgedWorld:
    """Judge a world's content against the package revision that it names and the project's agents, by id.

    Every problem is told at once: limits of arrays first, then in the order of the document. A role whose largest
    prompt and answer may not fit the declared context window of its agent is warned of as `prompt_may_not_fit`.
    """
    content = normalize_world(value)
    told = report([*find("world", content), *_problems_of_cast(content, package, agents)], content)
    if told.problems:
        return JudgedWorld(told.problems, told.more, (), None, b"", "")
    world = World(
        name=content["name"],
        package_id=content["packageId"],
        package_revision=content["packageRevision"],
        package_digest=package_digest,
        bindings=tuple(
            Binding(role["roleId"], agents[role["agentId"]], tuple(role["subscriptions"])) for role in content["roles"]
        ),
        settings=Settings(
            content["settings"]["memoryBeats"], content["settings"]["branching"], content["settings"]["focus"]
        ),
    )
    canonical = canonical_bytes(write_world(world))
    warnings = tuple(_prompts_that_may_not_fit(world, package))
    return JudgedWorld((), 0, warnings, world, canonical, digest(canonical))


def judge_agent(agent_id: str, value: object) -> JudgedAgent:
    """Judge an agent's content `{name, persona, model, contextWindow?}`; the id is the project's."""
    content = normalize_agent(value)
    told = report(find("agent", content), content)
    if told.problems:
        return JudgedAgent(told.problems, told.more, None)
    return JudgedAgent((), 0, read_agent(agent_id, content))


def _problems_of_cast(content: object, package: StoryPackage, agents: Mapping[str, Agent]) -> Iterator[Problem]:
    """What is wrong with the bindings that can be read; without an array of them there is nothing to judge."""
    roles = content.get("roles") if isinstance(content, dict) else None
    if isinstance(roles, list):
        cast = tuple(_read_cast(roles))
        yield from _events_that_wake_too_many(cast)
        yield from _roles_left_unbound(cast, package)
        yield from _problems_of_bindings(cast, package, agents)


def _read_cast(roles: list[Any]) -> Iterator[_Cast]:
    for place, role in enumerate(roles):
        if isinstance(role, dict):
            listed = role["subscriptions"] if isinstance(role["subscriptions"], list) else []
            yield _Cast(
                place,
                _well_formed(role.get("roleId"), _ID),
                _well_formed(role.get("agentId"), _RESOURCE_ID),
                tuple(_Subscription(at, item) for at, item in enumerate(listed) if _well_formed(item, _ID)),
            )


def _well_formed(value: object, pattern: re.Pattern[str]) -> str | None:
    """The value where it is an id, which a message may name; a text never."""
    if not isinstance(value, str) or len(value) > limits.ID_MAX_CHARS.value:
        return None
    return value if pattern.fullmatch(value) else None


def _events_that_wake_too_many(cast: tuple[_Cast, ...]) -> Iterator[Problem]:
    """Each event type that more roles subscribe to than one event may wake, in order of its first subscription."""
    woken: dict[str, dict[str, None]] = {}
    for binding in cast:
        for subscription in binding.subscriptions:
            if binding.role_id is not None:
                woken.setdefault(subscription.event_type, {})[binding.role_id] = None
    limit = limits.WORLD_MAX_ROLES_PER_EVENT
    for event_type, role_ids in woken.items():
        if len(role_ids) > limit.value:
            yield problem(
                "event_wakes_too_many",
                "/roles",
                limit=limit.value,
                actual=len(role_ids),
                reason=limit.reason,
                event=event_type,
                # A list of roles that is over its own limit is told by its length; a message stays short.
                roles=", ".join(list(role_ids)[: limits.WORLD_MAX_ROLES.value]),
            )


def _roles_left_unbound(cast: tuple[_Cast, ...], package: StoryPackage) -> Iterator[Problem]:
    bound = {binding.role_id for binding in cast}
    for role_id in package.role_by_id:
        if role_id not in bound:
            yield problem("role_not_bound", "/roles", actual=role_id, role=role_id)


def _problems_of_bindings(
    cast: tuple[_Cast, ...], package: StoryPackage, agents: Mapping[str, Agent]
) -> Iterator[Problem]:
    first_of_role: dict[str, int] = {}
    role_of_agent: dict[str, str] = {}
    for binding in cast:
        if binding.role_id is not None:
            yield from _problems_of_role(binding.role_id, binding.place, package, first_of_role)
        if binding.agent_id is not None:
            yield from _problems_of_agent(binding.agent_id, binding, agents, role_of_agent)
        yield from _problems_of_subscriptions(binding)


def _problems_of_role(
    role_id: str, index: int, package: StoryPackage, first_of_role: dict[str, int]
) -> Iterator[Problem]:
    path = f"/roles/{index}/roleId"
    if role_id not in package.role_by_id:
        yield problem("role_not_in_package", path, actual=role_id)
    first = first_of_role.setdefault(role_id, index)
    if first != index:
        yield problem("role_bound_twice", path, actual=role_id, first=first)


def _problems_of_agent(
    agent_id: str, binding: _Cast, agents: Mapping[str, Agent], role_of_agent: dict[str, str]
) -> Iterator[Problem]:
    path = f"/roles/{binding.place}/agentId"
    if agent_id not in agents:
        yield problem("agent_unknown", path, actual=agent_id)
    # A binding without a readable role id is named by its place.
    role = binding.role_id or f"roles/{binding.place}"
    first_role = role_of_agent.get(agent_id)
    if first_role is not None and first_role != role:
        limit = limits.WORLD_AGENTS_PER_ROLE
        yield problem(
            "agent_bound_twice",
            path,
            limit=limit.value,
            actual=agent_id,
            reason=limit.reason,
            role=role,
            first_role=first_role,
        )
    role_of_agent.setdefault(agent_id, role)


def _problems_of_subscriptions(binding: _Cast) -> Iterator[Problem]:
    seen: set[str] = set()
    for subscription in binding.subscriptions:
        if subscription.event_type in seen:
            path = f"/roles/{binding.place}/subscriptions/{subscription.place}"
            yield problem("subscription_twice", path, actual=subscription.event_type)
        seen.add(subscription.event_type)


def _prompts_that_may_not_fit(world: World, package: StoryPackage) -> Iterator[Problem]:
    largest = LargestPrompts(package)
    for index, binding in enumerate(world.bindings):
        agent = binding.agent
        if agent.context_window is None:
            continue
        tokens = largest.tokens(binding.role_id, agent.persona) + agent.model.max_output_tokens
        if tokens > agent.context_window:
            path = f"/roles/{index}/agentId"
            yield problem("prompt_may_not_fit", path, limit=agent.context_window, actual=tokens, role=binding.role_id)
