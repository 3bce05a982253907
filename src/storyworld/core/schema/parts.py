"""The parts that every schema is built from: ids, texts, integers, arrays, objects, each carrying its limit.

A part is a plain dict of JSON Schema (draft 2020-12). Beside each keyword that is a limit, `x-limits` names the limit's
declaration, so that whoever words a refusal finds the number's reason without knowing the schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from storyworld.core import limits
from storyworld.core.limits.limit import Limit

Schema = dict[str, Any]
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
X_LIMITS: Final = "x-limits"

# A bare `$` also matches before a final newline in some readers (Python's among them); `(?!\n)$` does in none.
ID_PATTERN: Final = r"^[a-z0-9][a-z0-9_-]*(?!\n)$"
RESOURCE_ID_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9_-]*(?!\n)$"
LANGUAGE_PATTERN: Final = r"^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*(?!\n)$"
TEMPERATURE_PATTERN: Final = r"^([01](\.[0-9]{1,2})?|2(\.0{1,2})?)(?!\n)$"
VISIBLE_ASCII_PATTERN: Final = r"^[\u0021-\u007e]*(?!\n)$"
# The control characters of Unicode (category Cc), less the line feed and the tab.
TEXT_PATTERN: Final = r"^[^\u0000-\u0008\u000b-\u001f\u007f-\u009f]*$"


def identifier(description: str) -> Schema:
    """An id that an author gives: lower-case letters, digits, `_` and `-`, at most 64, not starting with a sign."""
    return _bounded_text(limits.ID_MAX_CHARS, ID_PATTERN, description)


def resource_id(description: str) -> Schema:
    """An id that the engine gives to what it stores: letters, digits, `_` and `-`, at most 64."""
    return _bounded_text(limits.ID_MAX_CHARS, RESOURCE_ID_PATTERN, description)


def text(limit: Limit, description: str) -> Schema:
    """A text of 1 code point up to a limit, without control characters other than line feed and tab."""
    return shaped_text(limit, TEXT_PATTERN, description)


def shaped_text(limit: Limit, pattern: str, description: str) -> Schema:
    """A text of 1 code point up to a limit that has the shape of a pattern."""
    return {**_bounded_text(limit, pattern, description), "minLength": 1}


def _bounded_text(limit: Limit, pattern: str, description: str) -> Schema:
    return {
        "type": "string",
        "description": description,
        "pattern": pattern,
        "maxLength": limit.value,
        X_LIMITS: {"maxLength": limit.name},
    }


def integer(maximum: Limit, description: str, *, minimum: int) -> Schema:
    """An integer from `minimum` to a limit."""
    return {
        "type": "integer",
        "description": description,
        "minimum": minimum,
        "maximum": maximum.value,
        X_LIMITS: {"minimum": maximum.name, "maximum": maximum.name},
    }


def any_integer(description: str) -> Schema:
    """An integer that every JSON reader holds exactly: ±(2^53 - 1)."""
    return integer(limits.INTEGER_MAX, description, minimum=-limits.INTEGER_MAX.value)


def scalar(text_limit: Limit, description: str) -> Schema:
    """A boolean, an integer, or a text (that may be empty) up to a limit."""
    return {
        "type": ["boolean", "integer", "string"],
        "description": description,
        "minimum": -limits.INTEGER_MAX.value,
        "maximum": limits.INTEGER_MAX.value,
        "maxLength": text_limit.value,
        "pattern": TEXT_PATTERN,
        X_LIMITS: {
            "minimum": limits.INTEGER_MAX.name,
            "maximum": limits.INTEGER_MAX.name,
            "maxLength": text_limit.name,
        },
    }


def one_of(description: str, *values: str) -> Schema:
    """One of a few words."""
    return {"type": "string", "description": description, "enum": list(values)}


def array(limit: Limit, items: Schema, description: str, *, at_least: int = 0) -> Schema:
    """An array up to a limit."""
    part: Schema = {
        "type": "array",
        "description": description,
        "items": items,
        "maxItems": limit.value,
        X_LIMITS: {"maxItems": limit.name},
    }
    if at_least:
        part["minItems"] = at_least
    return part


def optional_array(limit: Limit, items: Schema, description: str) -> Schema:
    """An array up to a limit that is empty when it is absent."""
    return {**array(limit, items, description), "default": []}


def record(title: str, description: str, properties: Mapping[str, Schema], *, optional: tuple[str, ...] = ()) -> Schema:
    """An object with exactly these fields. Required are those that are neither optional nor have a default."""
    return {
        "title": title,
        "type": "object",
        "description": description,
        "properties": dict(properties),
        "required": [name for name, part in properties.items() if name not in optional and "default" not in part],
        "additionalProperties": False,
    }
