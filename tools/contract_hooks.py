"""What no schema can say, for cases that are meant to be taken: references, providers, roles that exist.

Loaded by Schemathesis through `SCHEMATHESIS_HOOKS`. Cases that are meant to be refused are left as they are.
"""

from __future__ import annotations

import json
import os
import zlib
from typing import Any, Final

import schemathesis

from storyworld.core import limits
from storyworld.core.normalize import normalize_package
from storyworld.core.playtest.packages import random_content

_PACKAGES: Final = frozenset({
    "createStoryPackage", "validateStoryPackage", "publishStoryPackage", "validateCandidate",
})  # fmt: skip
_WORLDS: Final = frozenset({"createWorld", "validateWorld", "publishWorld"})
_AGENTS: Final = frozenset({"createAgent", "replaceAgent"})
_TRIGGERS: Final = frozenset({"takeTurn", "deliberate"})
_OPERATOR: Final = os.environ.get("STORYWORLD_OPERATOR_KEY", "")
# What is there, by the kind of thing and by the names of parameters; made by whoever runs the cases.
_IDS: Final[dict[str, str]] = json.loads(os.environ.get("STORYWORLD_CONTRACT_IDS", "{}"))
_KINDS: Final = (
    ("/v1/story-packages/", "package"),
    ("/v1/worlds/", "world"),
    ("/v1/sessions/", "session"),
)
_WORLD: Final = {"name": "World", "packageId": "pkg_nowhere", "packageRevision": 1, "roles": []}


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """Make a case that is valid by its schema one that is valid by its meaning as well."""
    if case.path.startswith("/v1/projects") and case.headers is not None and "Authorization" in case.headers:
        case.headers["Authorization"] = f"Bearer {_OPERATOR}"
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    _name_what_is_there(case)
    if not isinstance(case.body, dict):
        return
    case.body = _as_taken(case.body)
    _give_meaning(case.operation.definition.raw.get("operationId"), case.body)


def _name_what_is_there(case: Any) -> None:
    """Half of the cases are about something that is there; an id that is made up is hardly ever one. Sequences know the
    ids of what they made.
    """
    if str(case.meta.phase.name.value).lower() == "stateful":
        return
    named = json.dumps(case.path_parameters, sort_keys=True, default=str)
    kind = next((kind for place, kind in _KINDS if case.path.startswith(place)), None)
    if kind is None or not case.path_parameters or zlib.crc32(named.encode()) % 2:
        return
    for name in case.path_parameters:
        wanted = kind if name == "id" else name
        if wanted in _IDS:
            case.path_parameters[name] = _IDS[wanted]


def _give_meaning(operation: str, body: dict[str, Any]) -> None:
    if operation in _PACKAGES and "draft" not in body:
        seed = zlib.crc32(json.dumps(body, sort_keys=True, default=str).encode())
        body["content"] = normalize_package(random_content(seed))
    elif operation in _WORLDS and "draft" not in body:
        # Whether a package is there comes before what the world says of it.
        body["content"] = {**_WORLD, **body.get("content", {}), "packageId": _WORLD["packageId"]}
    elif operation in _AGENTS:
        body["model"]["provider"] = "rehearsal"
    elif operation == "importCandidate":
        body |= {"script": f"ADA\nAye.\n\n{body['script'][:1000]}", "format": "plain", "assist": "rules"}
    elif operation in _TRIGGERS and "trigger" in body:
        body["trigger"] = {"kind": "advance"}
    elif operation == "draftScript":
        body.clear()
    elif operation == "sendEvent":
        body.pop("effects", None)
        body.pop("lines", None)


def _as_taken(value: Any) -> Any:
    """The value as JSON that two readers cannot understand differently: no fractions, no text that is none."""
    most = limits.INTEGER_MAX.value
    match value:
        case dict():
            return {_as_taken(name): _as_taken(part) for name, part in value.items()}
        case list():
            return [_as_taken(part) for part in value]
        case str():
            return value.replace("\0", "").encode("utf-8", "ignore").decode()
        case float():
            return _as_taken(int(value)) if abs(value) <= most else 0
        case int() if not isinstance(value, bool):
            return max(-most, min(most, value))
        case _:
            return value
