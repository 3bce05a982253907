"""What is sent to the engine, as JSON Schema (draft 2020-12): plain data, built from the declared limits.

It owns shapes and bounds, and must not know who judges by them or what a refusal says. These very dicts stand in the
published OpenAPI document, so what is judged and what is documented cannot differ. They describe normalized values.
"""

from storyworld.core.schema.operation import EFFECT, EFFECTS, OPERATION, OPERATIONS
from storyworld.core.schema.parts import Schema
from storyworld.core.schema.story import STORY_PACKAGE_CONTENT
from storyworld.core.schema.trigger import DELIBERATION, EVENT, TURN_TRIGGER, TURN_TRIGGERS
from storyworld.core.schema.world import AGENT_CONTENT, WORLD_CONTENT

__all__ = [
    "AGENT_CONTENT",
    "DELIBERATION",
    "EFFECT",
    "EFFECTS",
    "EVENT",
    "OPERATION",
    "OPERATIONS",
    "STORY_PACKAGE_CONTENT",
    "TURN_TRIGGER",
    "TURN_TRIGGERS",
    "WORLD_CONTENT",
    "Schema",
]
