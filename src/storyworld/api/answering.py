"""One request of one operation, from the key to the answer.

The order is that of every door: the key and its scope, the path, the query and headers, the body; then the handler. A
body that cannot be taken is told only where what the path names is there.
"""

from __future__ import annotations

import hmac
from dataclasses import replace
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse

from storyworld.api.operation import Access, Answer, Asked, Operation, Serving
from storyworld.api.problems import problem_answer
from storyworld.api.reading import ParameterReader, read_body
from storyworld.api.sse import EVENT_STREAM
from storyworld.application.access import Opened, open_with
from storyworld.application.house import House
from storyworld.application.ports import KeyScope
from storyworld.core.canonical import canonical_bytes
from storyworld.core.errors import Refusal, refusal

_BEARER = "bearer "
_GONE = 499  # the client left before its request had come; nobody reads this answer


class Answering:
    """Answers the requests of one operation."""

    def __init__(self, operation: Operation, house: House, serving: Serving) -> None:
        self.operation = operation
        self._house = house
        self._serving = serving
        self._read = ParameterReader(operation)

    async def __call__(self, request: Request) -> Response:
        """The answer, whatever is asked. Raises only for a bug."""
        try:
            answer = await self._answer(request)
        except ClientDisconnect:
            return Response(status_code=_GONE)
        if isinstance(answer, Refusal):
            answer = problem_answer(answer, request.state.request_id, self._serving.retry_after_seconds)
            request.state.code = answer.value["code"]
        return response(answer)

    async def _answer(self, request: Request) -> Answer | Refusal:
        opened = await self._opened(request)
        if isinstance(opened, Refusal):
            return opened
        request.state.project_id = opened.project_id
        path = self._read.path(request.path_params)
        if isinstance(path, Refusal):
            return path
        query = self._read.query(request.query_params.multi_items())
        headers = self._read.headers(request.headers)
        asked = Asked(
            house=self._house,
            project_id=opened.project_id,
            key_id=opened.key_id,
            path=path,
            query=query if isinstance(query, dict) else {},
            headers=headers if isinstance(headers, dict) else {},
            body=None,
            accepts_events=EVENT_STREAM in request.headers.get("accept", "").lower(),
            request_id=request.state.request_id,
            serving=self._serving,
        )
        problems = [*(query if isinstance(query, list) else ()), *(headers if isinstance(headers, list) else ())]
        body: Any = refusal("request_refused", problems=tuple(problems)) if problems else None
        if body is None and self.operation.body is not None:
            body = await read_body(request, self.operation.body)
        if isinstance(body, Refusal):
            missing = await self.operation.owner(asked) if self.operation.owner is not None else None
            return missing or body
        return await self.operation.handler(replace(asked, body=body))

    async def _opened(self, request: Request) -> Opened | Refusal:
        access = self.operation.access
        if access is Access.OPEN:
            return Opened("", "", KeyScope.READ)
        secret = _secret(request)
        if access is Access.OPERATOR:
            return self._operator(secret)
        opened = refusal("key_unknown") if secret is None else await open_with(self._house, secret)
        if isinstance(opened, Refusal):
            return opened
        if access is Access.WRITE and opened.scope is not KeyScope.WRITE:
            return refusal("scope_missing")
        return opened

    def _operator(self, secret: str | None) -> Opened | Refusal:
        key = self._serving.operator_key
        if key is None or secret is None or not hmac.compare_digest(key.encode(), secret.encode()):
            return refusal("key_unknown")
        return Opened("", "", KeyScope.WRITE)


def _secret(request: Request) -> str | None:
    """The key that the request bears; None where it bears none, or more than one."""
    sent = request.headers.getlist("authorization")
    if len(sent) != 1 or not sent[0].lower().startswith(_BEARER):
        return None
    return sent[0][len(_BEARER) :].strip()


def response(answer: Answer) -> Response:
    """An answer as it goes out."""
    if answer.events is not None:
        headers = {"X-Accel-Buffering": "no", **answer.headers}
        return StreamingResponse(answer.events, answer.status, headers=headers, media_type=EVENT_STREAM)
    content = canonical_bytes(answer.value) if answer.content is None else answer.content
    if answer.status == 204:  # noqa: PLR2004 - a status is known by its number
        return Response(status_code=answer.status, headers=dict(answer.headers))
    return Response(content, answer.status, headers=dict(answer.headers), media_type=answer.media_type)
