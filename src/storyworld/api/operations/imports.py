"""Scripts become candidates for story packages. Nothing is stored, and nothing is published."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from storyworld.api.operation import Access, Answer, Answered, Asked, Operation, body
from storyworld.api.operations.works import content_body
from storyworld.api.shapes import works as shapes
from storyworld.api.shapes.parts import ANY_OBJECT, COUNT, INTEGER, PROBLEM_ENTRY, TEXT, answer, listed, told
from storyworld.application import works
from storyworld.application.assist import import_with_model
from storyworld.application.ports import WorkKind
from storyworld.core import limits, schema
from storyworld.core.candidate import Candidate
from storyworld.core.content import judge_package
from storyworld.core.errors import Refusal
from storyworld.core.schema.parts import X_LIMITS, one_of
from storyworld.formats.scripts import ASKED_FORMATS, import_text_by_rules

_SCRIPT_REFUSALS: Final = (
    "script_empty",
    "script_too_long",
    "script_has_too_many_lines",
    "script_fdx_malformed",
    "script_fdx_foreign",
    "script_fdx_declarations",
)
_LINES: Final = {"type": "array", "items": INTEGER, "minItems": 2, "maxItems": 2, "description": "First and last line."}
_IMPORT: Final = body(
    "ImportRequest",
    "A script to make a candidate of.",
    {
        "script": {
            "type": "string",
            "description": (
                f'The script. With `assist` "model" at most {limits.SCRIPT_IMPORT_MAX_CHARS.value} characters.'
            ),
            "maxLength": limits.SCRIPT_IMPORT_BY_RULES_MAX_CHARS.value,
            X_LIMITS: {"maxLength": limits.SCRIPT_IMPORT_BY_RULES_MAX_CHARS.name},
        },
        "format": {**one_of("What it is; `auto` finds out.", *ASKED_FORMATS), "default": "auto"},
        "assist": {**one_of("Who reads it: rules alone, or a model as well.", "rules", "model"), "default": "rules"},
    },
)
_LEFT_OUT: Final = answer(
    "ScriptLeftOut", "Lines that became nothing.", {"code": TEXT, "lines": _LINES, "message": told("Why.", TEXT)}
)
_CANDIDATE: Final = answer(
    "Candidate",
    "What a story package could be made of, with the lines of the script that each item comes from.",
    {
        "content": told("A StoryPackageContent, as far as the script says it.", ANY_OBJECT),
        "sources": {
            "type": "object",
            "description": "By JSON Pointer into `content`: runs of lines.",
            "additionalProperties": {"type": "array", "items": _LINES},
        },
        "leftOut": listed(_LEFT_OUT, "What was not understood, or has no place in a package."),
        "problems": listed(PROBLEM_ENTRY, "What keeps it from being published."),
        "moreProblems": COUNT,
        "warnings": listed(PROBLEM_ENTRY),
    },
)


async def _import(asked: Asked) -> Answer | Refusal:
    script = asked.body["script"]
    if asked.body.get("assist", "rules") == "model":
        drawn = await import_with_model(asked.house, asked.project_id, script)
    else:
        # A long script takes longer than the loop may serve nobody else.
        drawn = await asyncio.to_thread(_by_rules, script, asked.body.get("format", "auto"))
    return drawn if isinstance(drawn, Refusal) else Answer(200, await asyncio.to_thread(_written, drawn))


def _by_rules(script: str, script_format: Any) -> Candidate | Refusal:
    imported = import_text_by_rules(script, asked=script_format)
    return imported if isinstance(imported, Refusal) else imported.candidate


def _written(candidate: Candidate) -> dict[str, Any]:
    judged = judge_package(candidate.content)
    return {
        **candidate.to_json(),
        "problems": [problem.to_json() for problem in judged.problems],
        "moreProblems": judged.more_problems,
        "warnings": [warning.to_json() for warning in judged.warnings],
    }


async def _validate(asked: Asked) -> Answer | Refusal:
    judged = await works.validate(asked.house, asked.project_id, WorkKind.PACKAGE, asked.body["content"])
    return judged if isinstance(judged, Refusal) else Answer(200, shapes.validated(judged))


OPERATIONS: Final = (
    Operation(
        method="POST",
        path="/v1/story-packages/import-candidate",
        operation_id="importCandidate",
        tag="Story packages",
        summary="Make a candidate for a story package of a script.",
        access=Access.READ,
        handler=_import,
        answers={200: Answered("The candidate.", _CANDIDATE)},
        refusals=(*_SCRIPT_REFUSALS, "assist_unavailable"),
        body=_IMPORT,
        description="Nothing is stored, and nothing is published.",
    ),
    Operation(
        method="POST",
        path="/v1/story-packages/import-candidate/validate",
        operation_id="validateCandidate",
        tag="Story packages",
        summary="Judge a candidate as publishing would, and store nothing.",
        access=Access.READ,
        handler=_validate,
        answers={200: Answered("It may be published.", shapes.VALIDATED)},
        refusals=("package_refused",),
        body=content_body("ValidateCandidateRequest", schema.STORY_PACKAGE_CONTENT),
    ),
)
