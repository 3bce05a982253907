"""Small stories for tests of the core, and a stage hand that plays them with given replies."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from storyworld.core.beat import Record
from storyworld.core.call import Call, Failure, Performance, Usage
from storyworld.core.errors import Refusal
from storyworld.core.normalize import normalize_package
from storyworld.core.playtest.run import Run
from storyworld.core.replay import Difference, Replies
from storyworld.core.session import Head, Story
from storyworld.core.state import State
from storyworld.core.story import StoryPackage, read_package
from storyworld.core.trigger import Event, Moving, Turn
from storyworld.core.turn import Settled
from storyworld.core.world import Agent, Binding, Model, Settings, World

NOW = "2026-11-30T21:00:00.000Z"
SEED = 7
USAGE = Usage("scripted", "scripted", 10, 5, 1, 1)

CONTENT: Mapping[str, Any] = {
    "title": "The Well",
    "language": "en",
    "startNodeId": "yard",
    "roles": [
        {
            "id": "ada",
            "name": "Ada",
            "description": "Keeps the well.",
            "goals": ["keep it shut"],
            "secrets": ["the rope is cut"],
        },
        {"id": "ben", "name": "Ben", "description": "Thirsty.", "goals": ["drink"], "secrets": ["he sold the bucket"]},
        {"id": "cy", "name": "Cy", "description": "Passing by.", "goals": ["leave"], "secrets": []},
        {"id": "dot", "name": "Dot", "description": "A child.", "goals": ["play"], "secrets": ["she saw Ben"]},
    ],
    "scenes": [{"id": "farm", "title": "The farm", "description": "Dust."}],
    "nodes": [
        {"id": "yard", "sceneId": "farm", "title": "The yard", "objective": "Find water."},
        {
            "id": "shaft",
            "sceneId": "farm",
            "title": "The shaft",
            "objective": "Go down.",
            "preconditions": ["flags.open"],
        },
        {"id": "road", "sceneId": "farm", "title": "The road", "objective": "Leave."},
    ],
    "branches": [
        {"id": "down", "fromNodeId": "yard", "toNodeId": "shaft", "label": "Climb down"},
        {"id": "away", "fromNodeId": "yard", "toNodeId": "road", "label": "Walk away"},
        {"id": "back", "fromNodeId": "road", "toNodeId": "yard", "label": "Come back", "repeatable": True},
    ],
    "endings": [
        {"id": "wet", "title": "Wet", "description": "Water.", "conditions": ['visited("shaft")', "flags.depth > 2"]},
        {"id": "never", "title": "Never", "description": "By hand only."},
    ],
    "establishedFacts": [
        {"id": "dry", "text": "It has not rained."},
        {"id": "debt", "text": "Ada owes Ben.", "knownBy": ["ada", "ben"]},
    ],
    "canon": [{"id": "law", "text": "Wells are shared."}],
    "constraints": [
        {"id": "kind", "text": "No one dies."},
        {"id": "safe", "text": "Not too deep.", "rule": "flags.depth < 9"},
    ],
    "flags": [
        {"id": "open", "description": "the well is open", "type": "boolean", "initial": False},
        {"id": "depth", "description": "how deep", "type": "integer", "initial": 0},
        {"id": "word", "description": "the password", "type": "text", "initial": "hush"},
    ],
    "initialRelations": [{"fromRoleId": "ada", "toRoleId": "ben", "kind": "trust", "value": 10}],
    "series": [
        {
            "id": "noon",
            "title": "Noon",
            "objective": "Drink.",
            "startNodeId": "yard",
            "turnBudget": 3,
            "endingRules": [{"endingId": "wet", "conditions": ["flags.open", "episodeBeat >= 2"]}],
        }
    ],
}


def package(**changes: Any) -> StoryPackage:
    """The small story with some of its fields replaced; normalized, and not judged."""
    return read_package(normalize_package({**CONTENT, **changes}))


def story(
    content: StoryPackage | None = None,
    *,
    settings: Settings | None = None,
    humans: Sequence[str] = (),
    subscriptions: Mapping[str, Sequence[str]] | None = None,
    context_window: int | None = None,
) -> Story:
    """The small story in a world: every role with an agent of its own."""
    told = package() if content is None else content
    bindings = tuple(
        Binding(
            role.id,
            Agent(
                f"agt_{role.id}",
                role.name,
                "An actor.",
                Model("human" if role.id in humans else "scripted"),
                context_window,
            ),
            tuple((subscriptions or {}).get(role.id, ())),
        )
        for role in told.roles
    )
    return Story(told, World("The well", "pkg_1", 1, "sha256:0", bindings, settings or Settings()), "sha256:1")


def reply(line: str, *operations: Mapping[str, Any], action: str | None = None) -> str:
    """A well-formed reply."""
    value: dict[str, Any] = {"line": line, "operations": list(operations)}
    if action is not None:
        value["action"] = action
    return json.dumps(value, ensure_ascii=False)


Reply = str | Performance | Failure
"""What a role answers: text, or a performance or failure as a performer would give it."""


@dataclass
class StageHand:
    """Plays a story beat by beat with given replies, as a live session does, and keeps what would be stored."""

    story: Story
    run: Run = field(init=False)
    seats: dict[tuple[int, str], Call] = field(default_factory=dict)
    replies: Mapping[str, Reply] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """The session opens."""
        self.run = Run(self.story, SEED, self._answer)

    @property
    def head(self) -> Head:
        """The head of the session."""
        return self.run.head

    @property
    def state(self) -> State:
        """The state of the session."""
        return self.run.head.state

    @property
    def record(self) -> Record:
        """The record of the last beat."""
        return self.run.record

    @property
    def beats(self) -> list[tuple[Record, Replies]]:
        """Every beat with its raw replies."""
        return self.run.beats

    def _answer(self, call: Call) -> Performance | Failure:
        self.seats[(call.beat, call.role_id)] = call
        given = self.replies.get(call.role_id, reply(f"I am {call.role_id}."))
        return Performance(given, USAGE) if isinstance(given, str) else given

    def prompt(self, beat: int, role_id: str) -> str:
        """The prompt that a role got in a beat, as one text."""
        return "\n".join(section.text for section in self.seats[(beat, role_id)].prompt.sections)

    def turn(self, trigger: Moving | None = None, /, **replies: Reply) -> Settled | Refusal:
        """One beat; a role without a given reply says its own id. A refusal changes nothing."""
        self.replies = replies
        return self.run.move(trigger or Turn("advance"))

    def event(self, event_type: str, *effects: Mapping[str, Any], **fields: Any) -> Settled | Refusal:
        """One trusted event."""
        return self.turn(Event(f"event-{len(self.beats)}", event_type, effects=effects, **fields))

    def episode(self, episode_id: str = "noon") -> Settled | Refusal:
        """Start an episode."""
        return self.run.begin_episode(episode_id)

    def end(self) -> Settled | Refusal:
        """End the session."""
        return self.run.end()

    def difference(self) -> Difference | None:
        """The first difference that replay verification finds in what was kept."""
        return self.run.difference()
