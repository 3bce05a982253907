"""Refusals as answers: which status a kind has, and how a problem reads (RFC 9457).

It owns the statuses. Words come from the catalogue, and no text that was sent is ever repeated.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from storyworld.api.operation import Access, Answer, Operation
from storyworld.core.errors import Refusal
from storyworld.core.errors.catalogue import CATALOGUE
from storyworld.core.errors.entry import Kind

MEDIA_TYPE: Final = "application/problem+json"
STATUSES: Final[Mapping[Kind, int]] = {
    Kind.CONTENT: 400,
    Kind.LIMIT: 400,
    Kind.UNAUTHORIZED: 401,
    Kind.FORBIDDEN: 403,
    Kind.NOT_FOUND: 404,
    Kind.METHOD: 405,
    Kind.CONFLICT: 409,
    Kind.PRECONDITION: 412,
    Kind.BODY_TOO_LARGE: 413,
    Kind.MEDIA_TYPE: 415,
    Kind.MISMATCH: 422,
    Kind.PRECONDITION_MISSING: 428,
    Kind.FAULT: 500,
    Kind.MODEL: 502,
    Kind.BUSY: 503,
    Kind.STORAGE: 503,
    Kind.INTEGRITY: 503,
    Kind.TIMEOUT: 504,
    Kind.STORAGE_FULL: 507,
}
TITLES: Final[Mapping[int, str]] = {
    400: "Refused",
    401: "No key that opens this",
    403: "The key allows less",
    404: "Not found",
    405: "Method not taken",
    409: "Not now",
    412: "Changed meanwhile",
    413: "Too large",
    415: "Not in this form",
    422: "Used before with another body",
    428: "Say what is replaced",
    500: "Fault of the server",
    502: "No model gave a line",
    503: "Not available just now",
    504: "No model answered in time",
    507: "No room left",
}
# Codes that say in a beat why a role does not speak, or why an operation falls, and here why there is no beat.
_BY_CODE: Final[Mapping[str, int]] = {"awaiting_human": 409, "model_failed": 502, "rule_broken": 409}
# Whoever is told one of these may send the very same again.
_COME_AGAIN: Final = frozenset({"session_busy", "in_progress", "stale_head"})
_STORAGE: Final = ("storage_unavailable", "storage_full", "integrity_failed")


def status_of(code: str) -> int:
    """The status with which a code of the catalogue is answered."""
    return _BY_CODE.get(code) or STATUSES[CATALOGUE[code].kind]


def problem_value(refused: Refusal, request_id: str) -> dict[str, Any]:
    """A refusal as the JSON value that is answered."""
    status = status_of(refused.code)
    value: dict[str, Any] = {
        "type": f"/docs/errors#{refused.code}",
        "title": TITLES[status],
        "status": status,
        "code": refused.code,
        "detail": refused.message,
        "detailZh": refused.message_zh,
        "remedy": refused.remedy,
        "errors": [found.to_json() for found in refused.problems],
        "requestId": request_id,
    }
    if refused.more_problems:
        value["moreProblems"] = refused.more_problems
    if refused.facts:
        value["facts"] = refused.facts
    return value


def problem_answer(refused: Refusal, request_id: str, retry_after_seconds: int) -> Answer:
    """A refusal as an answer, with the headers that its status asks for."""
    status = status_of(refused.code)
    headers: dict[str, str] = {}
    if status == 401:  # noqa: PLR2004 - a status is known by its number
        headers["WWW-Authenticate"] = "Bearer"
    if status == 503 or refused.code in _COME_AGAIN:  # noqa: PLR2004
        headers["Retry-After"] = str(retry_after_seconds)
    if refused.code == "method_unknown":
        headers["Allow"] = refused.facts["allowed"]
    return Answer(status, problem_value(refused, request_id), media_type=MEDIA_TYPE, headers=headers)


def shared_codes(operation: Operation) -> tuple[str, ...]:
    """The codes that any operation of this access and form may answer with."""
    codes: list[str] = ["fault"]
    if operation.access is not Access.OPEN:
        codes += ["key_unknown", *_STORAGE]
    if operation.access in (Access.WRITE, Access.OPERATOR):
        codes.append("scope_missing")
    if operation.body is not None:
        codes += ["request_refused", "request_body_too_large", "media_type_unknown"]
    elif any(parameter.place != "path" for parameter in operation.parameters):
        codes.append("request_refused")
    codes += [parameter.unknown for parameter in operation.parameters if parameter.place == "path"]
    return tuple(dict.fromkeys(codes))
