"""What both clients do alike with a request and its answer: nothing here sends, and nothing waits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from storyworld.client.call import Call, T
from storyworld.client.errors import ApiError
from storyworld.client.retries import IN_PROGRESS, RETRIED_STATUSES, Retries, retry_after

EVENT_STREAM: Final = "text/event-stream"
_OK: Final = 400
_CONFLICT: Final = 409


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it goes out."""

    method: str
    url: str
    headers: Mapping[str, str]
    params: Mapping[str, str]
    content: bytes | None


def request_of(call: Call[T], base_url: str, key: str | None, *, accept: str = "application/json") -> Request:
    """The request of a call."""
    headers = {"Accept": accept, **call.headers}
    if key is not None:
        headers["Authorization"] = f"Bearer {key}"
    content = None
    if call.body is not None:
        headers["Content-Type"] = "application/json"
        content = json.dumps(call.body, ensure_ascii=False, separators=(",", ":")).encode()
    return Request(call.method, base_url.rstrip("/") + call.path, headers, call.query, content)


def refused(status: int, headers: Mapping[str, str], content: bytes) -> ApiError | None:
    """The refusal that an answer is; None for a good one."""
    if status < _OK:
        return None
    try:
        problem: Any = json.loads(content)
    except ValueError:
        problem = None
    if not isinstance(problem, dict):
        # Not an answer of the API: something in between said this.
        problem = {"code": "", "detail": "the answer is not one of the API"}
    return ApiError(status, problem, retry_after(headers.get("retry-after")))


def wait_before(call: Call[Any], error: ApiError | None, attempt: int, retries: Retries) -> float | None:
    """How long to wait before a call is sent again after this error (None: the connection broke); None to give up."""
    running = error is not None and error.status == _CONFLICT and error.code == IN_PROGRESS
    not_now = error is not None and error.status in RETRIED_STATUSES
    if error is not None and not running and not not_now:
        return None
    # A request that was refused with one of these statuses did nothing, so it can be sent again in any case.
    if error is None and not call.repeatable:
        return None
    return retries.wait(attempt, None if error is None else error.retry_after)
