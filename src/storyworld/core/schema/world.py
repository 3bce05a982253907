"""The schemas of a world's and of an agent's content."""

from __future__ import annotations

from typing import Final

from storyworld.core import limits
from storyworld.core.schema.parts import (
    DIALECT,
    TEMPERATURE_PATTERN,
    Schema,
    array,
    identifier,
    integer,
    one_of,
    optional_array,
    record,
    resource_id,
    shaped_text,
    text,
)
from storyworld.core.world import MAX_OUTPUT_TOKENS_DEFAULT, MEMORY_BEATS_DEFAULT

_BINDING: Final = record(
    "Binding",
    "One role of the package, the one agent that performs it, and the event types that wake it.",
    {
        "roleId": identifier("The role of the package."),
        "agentId": resource_id("The agent that performs it, and no other role."),
        "subscriptions": optional_array(
            limits.WORLD_MAX_SUBSCRIPTIONS_PER_ROLE, identifier("An event type."), "The event types that wake the role."
        ),
    },
)
_SETTINGS: Final[Schema] = {
    **record(
        "WorldSettings",
        "How the world plays.",
        {
            "memoryBeats": {
                **integer(limits.WORLD_MAX_MEMORY_BEATS, "How many of its own beats a role remembers.", minimum=0),
                "default": MEMORY_BEATS_DEFAULT,
            },
            "branching": {
                **one_of("Who takes branches: the roles themselves, or only whoever sends turns.", "roles", "director"),
                "default": "roles",
            },
            "focus": {
                **one_of(
                    "Who is eligible for a message: as the turn declares, or also the roles that it mentions.",
                    "declared",
                    "mentions",
                ),
                "default": "declared",
            },
        },
    ),
    "default": {},
}
WORLD_CONTENT: Final[Schema] = {
    "$schema": DIALECT,
    **record(
        "WorldContent",
        "A story package revision with one agent bound to each of its roles.",
        {
            "name": text(limits.WORLD_MAX_NAME_CHARS, "What the world is called."),
            "packageId": resource_id("The story package."),
            "packageRevision": integer(limits.INTEGER_MAX, "Which of its revisions.", minimum=1),
            "roles": array(limits.WORLD_MAX_ROLES, _BINDING, "Every role of the package, each bound once."),
            "settings": _SETTINGS,
        },
    ),
}

_MODEL: Final = record(
    "Model",
    "What voices the agent.",
    {
        "provider": identifier("A provider that the operator declared, or the built-in rehearsal or human."),
        "name": text(limits.AGENT_MAX_NAME_CHARS, "The provider's name of the model."),
        "temperature": shaped_text(
            limits.ID_MAX_CHARS, TEMPERATURE_PATTERN, 'Decimal text from "0" to "2", two places at most.'
        ),
        "maxOutputTokens": {
            **integer(limits.AGENT_MAX_OUTPUT_TOKENS, "The most tokens that a reply may take.", minimum=1),
            "default": MAX_OUTPUT_TOKENS_DEFAULT,
        },
    },
    optional=("name", "temperature"),
)
AGENT_CONTENT: Final[Schema] = {
    "$schema": DIALECT,
    **record(
        "AgentContent",
        "A performer: a persona and what voices it.",
        {
            "name": text(limits.AGENT_MAX_NAME_CHARS, "What the agent is called."),
            "persona": text(limits.AGENT_MAX_PERSONA_CHARS, "Who the performer is, whatever it plays."),
            "model": _MODEL,
            "contextWindow": integer(
                limits.AGENT_MAX_CONTEXT_WINDOW, "How many tokens a prompt and its reply may take together.", minimum=1
            ),
        },
        optional=("contextWindow",),
    ),
}
