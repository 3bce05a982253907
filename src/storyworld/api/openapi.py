"""The OpenAPI 3.1 document, made of the table of operations.

It owns how a declaration reads in the document. Shared schemas stand once, under `components`: wherever the very same
dict is used, it is referred to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from typing import Any, Final

from storyworld.api.examples import EXAMPLES
from storyworld.api.operation import Access, Answered, Operation, Parameter
from storyworld.api.problems import MEDIA_TYPE, TITLES, shared_codes, status_of
from storyworld.api.shapes.parts import PROBLEM_ENTRY, REFUSED
from storyworld.core import schema
from storyworld.core.limits.page import CONTRACT_VERSION

_SHARED: Final[Mapping[str, schema.Schema]] = {
    "StoryPackageContent": schema.STORY_PACKAGE_CONTENT,
    "WorldContent": schema.WORLD_CONTENT,
    "AgentContent": schema.AGENT_CONTENT,
    "TurnTrigger": schema.TURN_TRIGGER,
    "Event": schema.EVENT,
    "Deliberation": schema.DELIBERATION,
    "Operation": schema.OPERATION,
    "Effect": schema.EFFECT,
    "Problem": PROBLEM_ENTRY,
    "Refused": REFUSED,
}
_SECURITY: Final[Mapping[Access, list[dict[str, list[str]]]]] = {
    Access.OPEN: [],
    Access.OPERATOR: [{"operatorKey": []}],
    Access.READ: [{"projectKey": []}],
    Access.WRITE: [{"projectKey": []}],
}
_SCOPE: Final[Mapping[Access, str]] = {
    Access.OPEN: "No key is needed.",
    Access.OPERATOR: "Needs the operator's key.",
    Access.READ: "Needs a key of the project, of any scope.",
    Access.WRITE: "Needs a key of the project with the scope `write`.",
}
_TAGS: Final = ("Service", "Projects", "Agents", "Story packages", "Worlds", "Sessions")


def openapi_document(operations: Sequence[Operation]) -> dict[str, Any]:
    """The document of these operations."""
    shared = {**_SHARED, **_titled(operations)}
    names = {id(part): name for name, part in shared.items()}
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        told = _operation(operation, EXAMPLES.get(operation.operation_id, {}))
        paths.setdefault(operation.path, {})[operation.method.lower()] = _referring(told, names)
    return {
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "info": {
            "title": "storyworld",
            "version": version("storyworld"),
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
            "description": (
                "Multi-agent interactive stories, beat by beat. Every limit stands in these schemas, and the same "
                f"schemas judge what is sent. The limits are those of the world API {CONTRACT_VERSION}. JSON is taken "
                "where no two readers could understand it differently: numbers are integers without fraction or "
                "exponent within 9007199254740991, no key stands twice, no text holds U+0000 or half a surrogate pair."
            ),
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": tag} for tag in _TAGS],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "projectKey": {"type": "http", "scheme": "bearer", "description": "A key of a project."},
                "operatorKey": {"type": "http", "scheme": "bearer", "description": "`STORYWORLD_OPERATOR_KEY`."},
            },
            "schemas": {name: _referring(part, names, root=True) for name, part in shared.items()},
        },
    }


def _titled(operations: Iterable[Operation]) -> dict[str, schema.Schema]:
    """The schemas of bodies and answers that have a title: each stands under it."""
    found: dict[str, schema.Schema] = {}
    for operation in operations:
        bodies = [operation.body.schema] if operation.body is not None else []
        answers = [part for answered in operation.answers.values() for part in answered.content.values()]
        for part in (*bodies, *answers):
            title = part.get("title")
            if title is not None and all(part is not known for known in _SHARED.values()):
                assert found.setdefault(title, part) is part, f"two schemas are called {title}"
    return found


def _referring(part: Any, names: Mapping[int, str], *, root: bool = False) -> Any:
    """The same part with references in place of shared schemas."""
    if isinstance(part, list | tuple):
        return [_referring(below, names) for below in part]
    if not isinstance(part, dict):
        return part
    if not root and id(part) in names:
        return {"$ref": f"#/components/schemas/{names[id(part)]}"}
    return {name: _referring(below, names) for name, below in part.items() if name != "$schema"}


def _operation(operation: Operation, examples: Mapping[str, Any]) -> dict[str, Any]:
    value: dict[str, Any] = {
        "operationId": operation.operation_id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": " ".join(part for part in (operation.description, _SCOPE[operation.access]) if part),
        "security": _SECURITY[operation.access],
        "parameters": [_parameter(parameter) for parameter in operation.parameters],
        "responses": _responses(operation),
    }
    if operation.body is not None:
        content: dict[str, Any] = {"schema": operation.body.schema}
        if examples:
            content["examples"] = {name: {"value": example} for name, example in examples.items()}
        value["requestBody"] = {
            "required": operation.body.required,
            "content": {"application/json": content},
        }
    return value


def _parameter(parameter: Parameter) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "in": parameter.place,
        "required": parameter.required or parameter.place == "path",
        "description": parameter.schema.get("description", ""),
        "schema": parameter.schema,
    }


def _responses(operation: Operation) -> dict[str, Any]:
    responses = {str(status): _good(answered) for status, answered in sorted(operation.answers.items())}
    codes: dict[int, list[str]] = {}
    for code in dict.fromkeys((*operation.refusals, *shared_codes(operation))):
        codes.setdefault(status_of(code), []).append(code)
    for status, of_status in sorted(codes.items()):
        responses[str(status)] = _refused(status, of_status)
    return responses


def _good(answered: Answered) -> dict[str, Any]:
    value: dict[str, Any] = {"description": answered.description}
    headers = {**answered.headers, "X-Request-Id": "The id of the request, as in the log."}
    value["headers"] = {name: {"description": what, "schema": {"type": "string"}} for name, what in headers.items()}
    if answered.content:
        value["content"] = {media_type: {"schema": part} for media_type, part in answered.content.items()}
    return value


def _refused(status: int, codes: Sequence[str]) -> dict[str, Any]:
    only = {"type": "object", "properties": {"code": {"enum": sorted(codes)}, "status": {"const": status}}}
    return {
        "description": f"{TITLES[status]}: {', '.join(f'`{code}`' for code in sorted(codes))}.",
        "content": {MEDIA_TYPE: {"schema": {"allOf": [REFUSED, only]}}},
    }
