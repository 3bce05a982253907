"""The shapes of the typed operations of a state patch, each by its `op`: what a role may propose, what an event may do.

A relation's value has only the bounds of an integer here: one that leaves -100 to 100 is well shaped, and is refused
with a code of its own when the operation is judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from storyworld.core import limits
from storyworld.core.schema.parts import DIALECT, X_LIMITS, Schema, any_integer, identifier, record, scalar, text
from storyworld.core.schema.story import known_by

_ATTRIBUTES: Final[Schema] = {
    "type": "object",
    "description": "Its properties: texts, integers or booleans by name.",
    "propertyNames": identifier("The name of a property."),
    "additionalProperties": scalar(limits.WORLD_STATE_MAX_ATTRIBUTE_CHARS, "The value of a property."),
    "maxProperties": limits.WORLD_STATE_MAX_ATTRIBUTES.value,
    X_LIMITS: {"maxProperties": limits.WORLD_STATE_MAX_ATTRIBUTES.name},
}
_TO_ROLE: Final = identifier("The other role.")
_RELATION_KIND: Final = identifier("What sort of relation it is.")
_NOTE_TEXT: Final = text(limits.WORLD_STATE_MAX_NOTE_CHARS, "What to remember.")

# By `op`: what it does, its fields beside `op`, those that may be absent, and the field that names whose it is. A role
# acts for itself and does not name it; an event's effect must.
_Form = tuple[str, dict[str, Schema], tuple[str, ...], str | None]
_FORMS: Final[Mapping[str, _Form]] = {
    "setFlag": (
        "Give a flag a value of its type.",
        {
            "flagId": identifier("The flag."),
            "value": scalar(limits.STORY_MAX_FLAG_TEXT_CHARS, "Its new value."),
        },
        (),
        None,
    ),
    "putEntity": (
        "Make an entity, or replace it whole.",
        {
            "id": identifier("The entity."),
            "kind": identifier("What sort of thing it is."),
            "name": text(limits.WORLD_STATE_MAX_ENTITY_NAME_CHARS, "What it is called."),
            "attributes": _ATTRIBUTES,
        },
        (),
        None,
    ),
    "removeEntity": ("Take an entity away.", {"id": identifier("The entity.")}, (), None),
    "setRelation": (
        "Say how one role stands to another.",
        {
            "toRoleId": _TO_ROLE,
            "kind": _RELATION_KIND,
            "value": any_integer("How strong it is, from -100 to 100."),
            "note": text(limits.STORY_MAX_RELATION_NOTE_CHARS, "What else there is to say of it."),
        },
        ("note",),
        "fromRoleId",
    ),
    "removeRelation": (
        "End a relation to another role.",
        {"toRoleId": _TO_ROLE, "kind": _RELATION_KIND},
        (),
        "fromRoleId",
    ),
    "addNote": ("Keep a private note; the engine numbers it.", {"text": _NOTE_TEXT}, (), "roleId"),
    "removeNote": ("Drop a private note.", {"id": identifier("The note.")}, (), "roleId"),
    "establishFact": (
        "Let something be so from now on.",
        {
            "id": identifier("The new fact."),
            "text": text(limits.WORLD_STATE_MAX_FACT_CHARS, "What is so."),
            "knownBy": {**known_by(), "description": "The roles that know it, each once.", "uniqueItems": True},
        },
        ("knownBy",),
        None,
    ),
    "takeBranch": ("Follow an open branch.", {"branchId": identifier("The branch.")}, (), None),
}


def _shape(op: str, form: _Form, *, trusted: bool) -> Schema:
    description, fields, optional, owner = form
    properties: dict[str, Schema] = {"op": {"const": op, "description": "Which operation it is."}}
    if trusted and owner is not None:
        properties[owner] = identifier("The role whose it is.")
    title = f"{op[0].upper()}{op[1:]}{'Effect' if trusted else ''}"
    return record(title, description, {**properties, **fields}, optional=optional)


def _one_of(title: str, description: str, shapes: Mapping[str, Schema]) -> dict[str, Any]:
    return {
        "$schema": DIALECT,
        "title": title,
        "description": description,
        "type": "object",
        "required": ["op"],
        "oneOf": list(shapes.values()),
    }


OPERATIONS: Final[Mapping[str, Schema]] = {op: _shape(op, form, trusted=False) for op, form in _FORMS.items()}
EFFECTS: Final[Mapping[str, Schema]] = {op: _shape(op, form, trusted=True) for op, form in _FORMS.items()}
OPERATION: Final[Schema] = _one_of("Operation", "One change that a role proposes for the state.", OPERATIONS)
EFFECT: Final[Schema] = _one_of("Effect", "One change that a trusted event makes to the state, for any role.", EFFECTS)
