"""What a running session is made of: the story that it is pinned to, and the head that its next beat starts from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from storyworld.core.branching import BranchOption
from storyworld.core.conditions import Conditions, Declared
from storyworld.core.prompt.brief import FixedPart
from storyworld.core.state import State
from storyworld.core.story import StoryPackage
from storyworld.core.unchanging import unchanging
from storyworld.core.world import World

SessionStatus = Literal["active", "ended"]
HUMAN = "human"
"""The provider that stands for a person: no model is called for such a role."""


@dataclass(frozen=True, eq=False)
class Story:
    """A world revision with its package revision, ready to run. It is never judged again by today's limits.

    Compiled conditions are remembered here, so one value serves every session that is pinned to the same revisions.
    """

    package: StoryPackage
    world: World
    world_digest: str

    @cached_property
    def conditions(self) -> Conditions:
        """The story's conditions, compiled when first needed."""
        return Conditions(Declared.of(self.package))

    @cached_property
    def prepared(self) -> dict[str, FixedPart]:
        """The fixed parts of prompts that have been needed so far, by role. They follow from the story alone."""
        return {}

    @cached_property
    def subscribers(self) -> Mapping[str, tuple[str, ...]]:
        """The roles that an event type wakes, in the order in which the package declares them."""
        woken: dict[str, list[str]] = {}
        for role in self.package.roles:
            for event_type in self.world.binding_by_role[role.id].subscriptions:
                woken.setdefault(event_type, []).append(role.id)
        return {event_type: tuple(roles) for event_type, roles in woken.items()}

    @cached_property
    def human_roles(self) -> frozenset[str]:
        """The roles that people play."""
        return frozenset(binding.role_id for binding in self.world.bindings if binding.agent.model.provider == HUMAN)


@unchanging
class Head:
    """Where a session stands after its last committed beat: all that the next beat needs but memory."""

    session_id: str
    seed: int
    status: SessionStatus
    beat: int
    hash: str
    state: State
    options: tuple[BranchOption, ...]
    episode_runs: int


def read_head(record: Mapping[str, Any], state: State, status: SessionStatus, *, seed: int, episode_runs: int) -> Head:
    """The head of a session from the record of its last beat and the state after it."""
    return Head(
        session_id=record["sessionId"],
        seed=seed,
        status=status,
        beat=record["beat"],
        hash=record["hash"],
        state=state,
        options=tuple(
            BranchOption(option["branchId"], option["label"], option["toNodeId"]) for option in record["branchOptions"]
        ),
        episode_runs=episode_runs,
    )
