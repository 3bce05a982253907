"""The ASGI application: the operations of the table as routes, and what every answer has.

Each request has an id of its own, which stands in its answer and in the log. A fault of ours is answered with that id
and nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from starlette.requests import Request
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from storyworld.api.answering import Answering, response
from storyworld.api.operation import Operation, Serving
from storyworld.api.problems import problem_answer
from storyworld.application.house import House
from storyworld.core.errors import Refusal, refusal

_HEADERS = (
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request that was answered, as logs and figures tell of it: nothing in it was sent by anybody but the method.

    `operation` is the operation's id, None where there is none at that address; `status` is that of the answer, None
    where the client left before it began; `code` is that of a refusal; `fault` is the bug that was met.
    """

    request_id: str
    method: str
    operation: str | None
    status: int | None
    code: str | None
    project_id: str
    seconds: float
    fault: Exception | None = None


class Observer(Protocol):
    """Whoever keeps a log or figures. What it does cannot change an answer."""

    def answered(self, exchange: Exchange) -> None:
        """A request was answered to its end."""
        ...


def make_app(
    house: House, operations: Sequence[Operation], serving: Serving, observers: Sequence[Observer] = ()
) -> ASGIApp:
    """The application that answers these operations."""
    by_path: dict[str, dict[str, Answering]] = {}
    for operation in operations:
        by_path.setdefault(operation.path, {})[operation.method] = Answering(operation, house, serving)
    routes = [Route(path, _ByMethod(answerings)) for path, answerings in by_path.items()]
    router = Router(routes, redirect_slashes=False, default=_nothing_here)
    return _Exchanges(router, house, serving, observers)


class _ByMethod:
    """The operations of one address."""

    def __init__(self, answerings: Mapping[str, Answering]) -> None:
        self._taken = {**answerings, **({"HEAD": answerings["GET"]} if "GET" in answerings else {})}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answering = self._taken.get(scope["method"])
        if answering is None:
            allowed = ", ".join(sorted(self._taken))
            raise _Refused(
                refusal("method_unknown", method=scope["method"], allowed=allowed, facts={"allowed": allowed})
            )
        scope["state"]["operation"] = answering.operation.operation_id
        answer = await answering(Request(scope, receive))
        await answer(scope, receive, send)


class _Refused(Exception):
    """A request that no operation takes."""

    def __init__(self, refused: Refusal) -> None:
        super().__init__(refused.code)
        self.refused = refused


async def _nothing_here(scope: Scope, receive: Receive, send: Send) -> None:
    raise _Refused(refusal("route_unknown"))


class _Exchanges:
    """Gives every request an id, answers what no operation takes and what is a bug, and tells the observers."""

    def __init__(self, app: ASGIApp, house: House, serving: Serving, observers: Sequence[Observer]) -> None:
        self._app = app
        self._house = house
        self._serving = serving
        self._observers = observers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        request_id = self._house.identity.new_id("req")
        state = scope.setdefault("state", {})
        state.update(request_id=request_id, operation=None, code=None, project_id="")
        status: int | None = None
        fault: Exception | None = None

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *_HEADERS, (b"x-request-id", request_id.encode())]
            await send(message)

        try:
            try:
                await self._app(scope, receive, send_with_headers)
            except _Refused as refused:
                state["code"] = refused.refused.code
                await self._tell(refused.refused, scope, receive, send_with_headers)
            except Exception as bug:  # noqa: BLE001 - whatever it is, the client is told that it is ours
                fault = bug
                state["code"] = "fault"
                if status is None:
                    await self._tell(refusal("fault"), scope, receive, send_with_headers)
        finally:
            seconds = time.perf_counter() - began
            exchange = Exchange(
                request_id,
                scope["method"],
                state["operation"],
                status,
                state["code"],
                state["project_id"],
                seconds,
                fault,
            )
            for observer in self._observers:
                observer.answered(exchange)

    async def _tell(self, refused: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
        request_id = scope["state"]["request_id"]
        answer = problem_answer(refused, request_id, self._serving.retry_after_seconds)
        await response(answer)(scope, receive, send)
