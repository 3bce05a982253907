"""The parts that answers are built from. An answer's fields are all there unless they are named as optional."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from storyworld.core import limits
from storyworld.core.schema.parts import Schema, record

TEXT: Final[Schema] = {"type": "string"}
INTEGER: Final[Schema] = {"type": "integer"}
COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
BOOLEAN: Final[Schema] = {"type": "boolean"}
ANY_OBJECT: Final[Schema] = {"type": "object"}
TIME: Final[Schema] = {"type": "string", "description": "UTC, as 2026-11-30T21:00:00.000Z."}
DIGEST: Final[Schema] = {"type": "string", "description": "`sha256:` and 64 hexadecimal digits."}
RESOURCE_ID: Final[Schema] = {"type": "string", "maxLength": limits.ID_MAX_CHARS.value}


def told(description: str, part: Schema) -> Schema:
    """The part with a description of its own."""
    return {**part, "description": description}


def nullable(part: Schema) -> Schema:
    """The part, or null."""
    return {"anyOf": [part, {"type": "null"}]}


def listed(items: Schema, description: str = "") -> Schema:
    """An array."""
    return {"type": "array", "items": items, **({"description": description} if description else {})}


def answer(title: str, description: str, fields: Mapping[str, Schema], *, optional: tuple[str, ...] = ()) -> Schema:
    """An object with exactly these fields."""
    return record(title, description, fields, optional=optional)


def page(title: str, items: Schema) -> Schema:
    """One page of a list."""
    cursor = told("What to ask the next page with; null on the last page.", nullable(TEXT))
    return answer(title, "One page of a list.", {"items": listed(items), "nextCursor": cursor})


def either(description: str, **shapes: Any) -> Schema:
    """One of several shapes."""
    return {"description": description, "oneOf": list(shapes.values())}


PROBLEM_ENTRY: Final = answer(
    "Problem",
    "One thing that is wrong, in one place.",
    {
        "path": told("Where: a JSON Pointer into what was sent.", TEXT),
        "code": TEXT,
        "message": told("What was found and what is allowed. Never a text that was sent.", TEXT),
        "messageZh": told("The same in Chinese.", TEXT),
        "limit": INTEGER,
        "actual": {"type": ["integer", "string"], "description": "A count, a type or an id."},
        "reason": TEXT,
        "remedy": TEXT,
    },
    optional=("limit", "actual"),
)
REFUSED: Final = answer(
    "Refused",
    "Why nothing was done (RFC 9457).",
    {
        "type": TEXT,
        "title": TEXT,
        "status": INTEGER,
        "code": told("The code of the catalogue.", TEXT),
        "detail": TEXT,
        "detailZh": told("The same in Chinese.", TEXT),
        "remedy": TEXT,
        "errors": listed(PROBLEM_ENTRY, "Every problem, in the order of what was sent."),
        "moreProblems": told("How many there are beyond those in `errors`.", COUNT),
        "facts": told("Ids and counts, for a program.", ANY_OBJECT),
        "requestId": TEXT,
    },
    optional=("moreProblems", "facts"),
)
