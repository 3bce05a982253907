"""The shapes of what moves a session on: the triggers of a turn, each by its `kind`, and a trusted event.

Operations inside a line or an event are only objects here: each is judged for itself when its patch is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from storyworld.core import limits
from storyworld.core.schema.parts import (
    DIALECT,
    VISIBLE_ASCII_PATTERN,
    Schema,
    array,
    identifier,
    integer,
    record,
    shaped_text,
    text,
)

_FOCUS_ROLES: Final[Schema] = {
    **array(
        limits.TRIGGER_MAX_FOCUS_ROLES,
        identifier("The id of a declared role."),
        "The roles that are eligible, each once; their order means nothing.",
        at_least=1,
    ),
    "uniqueItems": True,
}
_LINE: Final = record(
    "HumanLine",
    "What a human role says and proposes in this beat.",
    {
        "line": text(limits.LINE_MAX_CHARS, "What it says."),
        "action": text(limits.ACTION_MAX_CHARS, "What it does on stage."),
        "operations": {
            "type": "array",
            "description": "What it proposes for the state; judged with the patch of the beat, its number included.",
            "items": {"type": "object", "description": "An Operation."},
        },
    },
    optional=("action", "operations"),
)
_LINES: Final[Schema] = {
    "type": "object",
    "description": "Lines of human roles, by role id.",
    "propertyNames": identifier("The id of a role that a human voices."),
    "additionalProperties": _LINE,
    "maxProperties": limits.WORLD_TURN_MAX_ROLES.value,
    "x-limits": {"maxProperties": limits.WORLD_TURN_MAX_ROLES.name},
}


def _trigger(kind: str, title: str, description: str, own: Mapping[str, Schema]) -> Schema:
    properties = {
        "kind": {"const": kind, "description": "Why the beat happens."},
        **own,
        "focusRoles": _FOCUS_ROLES,
        "lines": _LINES,
    }
    return record(title, description, properties, optional=("focusRoles", "lines"))


TURN_TRIGGERS: Final[Mapping[str, Schema]] = {
    "message": _trigger(
        "message",
        "MessageTrigger",
        "Somebody says something to the stage.",
        {"text": text(limits.TRIGGER_MAX_TEXT_CHARS, "What is said.")},
    ),
    "choice": _trigger(
        "choice",
        "ChoiceTrigger",
        "One of the reported options is taken.",
        {"branchId": identifier("The option that is taken.")},
    ),
    "advance": _trigger("advance", "AdvanceTrigger", "The story goes on by itself.", {}),
}
TURN_TRIGGER: Final[Schema] = {
    "$schema": DIALECT,
    "title": "TurnTrigger",
    "description": "Why the next beat happens.",
    "type": "object",
    "required": ["kind"],
    "oneOf": list(TURN_TRIGGERS.values()),
}
EVENT: Final[Schema] = {
    "$schema": DIALECT,
    **record(
        "Event",
        "A trusted event: its effects are applied first, then it wakes the roles subscribed to its type.",
        {
            "eventId": shaped_text(
                limits.EVENT_ID_MAX_CHARS, VISIBLE_ASCII_PATTERN, "Its id: sent again, it is the same event."
            ),
            "type": identifier("Its type."),
            "data": {
                "type": "object",
                "description": f"More of it: as canonical JSON at most {limits.EVENT_MAX_DATA_CHARS.value} characters.",
            },
            "effects": array(
                limits.EVENT_MAX_EFFECTS,
                {"type": "object", "description": "An Effect."},
                "What it changes, all or nothing.",
            ),
            "wake": {"type": "boolean", "description": "Whether it wakes the roles subscribed to it.", "default": True},
            "lines": _LINES,
        },
        optional=("data", "effects", "lines"),
    ),
}
DELIBERATION: Final[Schema] = {
    "$schema": DIALECT,
    **record(
        "Deliberation",
        "Beats to work out without committing one: asked for a turn's trigger, one candidate or two.",
        {
            "trigger": {"type": "object", "description": "A TurnTrigger."},
            "candidates": {
                **integer(limits.DELIBERATION_MAX_CANDIDATES, "How many candidates.", minimum=1),
                "default": limits.DELIBERATION_MAX_CANDIDATES.value,
            },
            "roles": {
                **integer(limits.DELIBERATION_MAX_ROLES, "How many roles are seated.", minimum=1),
                "default": limits.DELIBERATION_MAX_ROLES.value,
            },
        },
    ),
}
