"""What a developer cast: a package revision with one agent bound to each role. Values only; `casting` judges them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

Branching = Literal["roles", "director"]
Focus = Literal["declared", "mentions"]

MAX_OUTPUT_TOKENS_DEFAULT = 1024
MEMORY_BEATS_DEFAULT = 12


@dataclass(frozen=True, slots=True)
class Model:
    """The model that voices an agent. `temperature` is decimal text: what is hashed holds no floats."""

    provider: str
    name: str | None = None
    temperature: str | None = None
    max_output_tokens: int = MAX_OUTPUT_TOKENS_DEFAULT


@dataclass(frozen=True, slots=True)
class Agent:
    """A performer as it was when the world was published: persona, model, and context window in tokens."""

    id: str
    name: str
    persona: str
    model: Model
    context_window: int | None = None


@dataclass(frozen=True, slots=True)
class Binding:
    """One role, the one agent that performs it, and the event types that wake it."""

    role_id: str
    agent: Agent
    subscriptions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Settings:
    """How a world plays: beats of memory a role has (0 to 50), who takes branches, who is eligible for a message."""

    memory_beats: int = MEMORY_BEATS_DEFAULT
    branching: Branching = "roles"
    focus: Focus = "declared"


@dataclass(frozen=True)
class World:
    """One published world revision: everything a session is pinned to, with the agents copied in."""

    name: str
    package_id: str
    package_revision: int
    package_digest: str
    bindings: tuple[Binding, ...]
    settings: Settings = Settings()

    @cached_property
    def binding_by_role(self) -> Mapping[str, Binding]:
        """The binding of each role."""
        return {binding.role_id: binding for binding in self.bindings}


def read_world(value: Mapping[str, Any]) -> World:
    """A world revision from its stored JSON value. Stored content is trusted: nothing is judged."""
    settings = value["settings"]
    return World(
        name=value["name"],
        package_id=value["packageId"],
        package_revision=value["packageRevision"],
        package_digest=value["packageDigest"],
        bindings=tuple(map(_read_binding, value["roles"])),
        settings=Settings(settings["memoryBeats"], settings["branching"], settings["focus"]),
    )


def write_world(world: World) -> dict[str, Any]:
    """The JSON value that is stored and digested: the world's content with each agent's snapshot in its role."""
    return {
        "name": world.name,
        "packageId": world.package_id,
        "packageRevision": world.package_revision,
        "packageDigest": world.package_digest,
        "roles": [
            {
                "roleId": binding.role_id,
                "agentId": binding.agent.id,
                "agent": write_agent(binding.agent),
                "subscriptions": list(binding.subscriptions),
            }
            for binding in world.bindings
        ],
        "settings": {
            "memoryBeats": world.settings.memory_beats,
            "branching": world.settings.branching,
            "focus": world.settings.focus,
        },
    }


def _read_binding(value: Mapping[str, Any]) -> Binding:
    return Binding(value["roleId"], read_agent(value["agentId"], value["agent"]), tuple(value["subscriptions"]))


def read_agent(agent_id: str, value: Mapping[str, Any]) -> Agent:
    """An agent from its id and its JSON value."""
    model = value["model"]
    return Agent(
        id=agent_id,
        name=value["name"],
        persona=value["persona"],
        model=Model(
            provider=model["provider"],
            name=model.get("name"),
            temperature=model.get("temperature"),
            max_output_tokens=model.get("maxOutputTokens", MAX_OUTPUT_TOKENS_DEFAULT),
        ),
        context_window=value.get("contextWindow"),
    )


def write_agent(agent: Agent) -> dict[str, Any]:
    """An agent's JSON value, without its id; absent settings stay absent."""
    model: dict[str, Any] = {"provider": agent.model.provider, "maxOutputTokens": agent.model.max_output_tokens}
    if agent.model.name is not None:
        model["name"] = agent.model.name
    if agent.model.temperature is not None:
        model["temperature"] = agent.model.temperature
    value: dict[str, Any] = {"name": agent.name, "persona": agent.persona, "model": model}
    if agent.context_window is not None:
        value["contextWindow"] = agent.context_window
    return value
