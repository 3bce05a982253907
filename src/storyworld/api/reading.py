"""From a request to values: its parameters and its body, by what the operation declares.

Bytes become JSON only through the one strict parser. Everything that is wrong is told at once, and nothing is ignored.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from starlette.requests import Request

from storyworld.api.operation import Body, Operation, Parameter
from storyworld.core import limits
from storyworld.core.canonical import Malformed, parse
from storyworld.core.errors import Problem, Refusal, problem, refusal
from storyworld.core.judge import finder, report

_INTEGER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,15})")
_PLAIN_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_JSON: Final = re.compile(r"application/json\s*(?:;\s*charset\s*=\s*\"?utf-8\"?\s*)?", re.IGNORECASE)
# Reading and judging a body of this size takes milliseconds, in which the loop would serve nobody else.
_APART_BYTES: Final = 100_000


class ParameterReader:
    """Reads the parameters of one operation."""

    def __init__(self, operation: Operation) -> None:
        self._by_place: dict[str, tuple[Parameter, ...]] = {
            place: tuple(one for one in operation.parameters if one.place == place)
            for place in ("path", "query", "header")
        }
        for parameter in self._by_place["path"]:
            refusal(parameter.unknown)  # a code whose words nobody gives is told here, and not at the first request
        self._find = {parameter.name: finder(parameter.name, parameter.schema) for parameter in operation.parameters}

    def path(self, raw: Mapping[str, str]) -> dict[str, Any] | Refusal:
        """The values in the path; the refusal of the first that cannot be one."""
        values: dict[str, Any] = {}
        for parameter in self._by_place["path"]:
            value = _typed(parameter, raw[parameter.name])
            if value is None or self._find[parameter.name](value):
                return refusal(parameter.unknown)
            values[parameter.name] = value
        return values

    def query(self, raw: Sequence[tuple[str, str]]) -> dict[str, Any] | list[Problem]:
        """The parameters of the query, or everything that is wrong with them."""
        declared = {parameter.name: parameter for parameter in self._by_place["query"]}
        counts = Counter(name for name, _ in raw)
        problems = [_stranger(name, declared) for name in counts if name not in declared]
        problems += [
            problem("query_repeated", f"/{name}", actual=count)
            for name, count in counts.items()
            if count > 1 and name in declared
        ]
        sent = {name: value for name, value in raw if name in declared}
        values = self._values(declared, sent, problems)
        return problems or values

    def headers(self, raw: Mapping[str, str]) -> dict[str, Any] | list[Problem]:
        """The declared headers, or everything that is wrong with them."""
        declared = {parameter.name: parameter for parameter in self._by_place["header"]}
        problems: list[Problem] = []
        sent = {name: raw[name] for name in declared if name in raw}
        values = self._values(declared, sent, problems)
        return problems or values

    def _values(
        self, declared: Mapping[str, Parameter], sent: Mapping[str, str], problems: list[Problem]
    ) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for name, parameter in declared.items():
            if name not in sent:
                values[name] = parameter.schema.get("default")
                continue
            value = _typed(parameter, sent[name])
            if value is None:
                problems.append(problem("query_not_integer", f"/{name}"))
                continue
            problems += [replace(found, path=f"/{name}").word() for found in self._find[name](value)]
            values[name] = value
        return values


def _typed(parameter: Parameter, text: str) -> Any:
    """The value of a parameter; None where its text is no integer and must be one."""
    if parameter.schema["type"] != "integer":
        return text
    if not _INTEGER.fullmatch(text) or abs(int(text)) > limits.INTEGER_MAX.value:
        return None
    return int(text)


def _stranger(name: str, declared: Mapping[str, Parameter]) -> Problem:
    shown = f"/{name}" if _PLAIN_NAME.fullmatch(name) else ""
    return problem("query_unknown", shown, allowed=", ".join(declared) or "none")


async def read_body(request: Request, declared: Body) -> Any | Refusal:
    """The value that was sent, judged by the shape that the operation declares.

    Refusals: `media_type_unknown`, `request_body_too_large` as soon as it is known, `request_refused` with every
    problem. Raises ClientDisconnect where the client has gone before the end.
    """
    data = await _bytes(request)
    if isinstance(data, Refusal):
        return data
    if not data and not declared.required:
        return {}
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        return refusal("media_type_unknown")
    if len(request.headers.getlist("content-type")) != 1 or not _JSON.fullmatch(request.headers["content-type"]):
        return refusal("media_type_unknown")
    if len(data) > _APART_BYTES:
        return await asyncio.to_thread(_judged, data, declared)
    return _judged(data, declared)


def _judged(data: bytes, declared: Body) -> Any | Refusal:
    try:
        value = parse(data)
    except Malformed as malformed:
        return refusal("request_refused", problems=(malformed.problem,))
    findings = declared.find(value)
    if findings:
        told = report(findings, value)
        return refusal("request_refused", problems=told.problems, more_problems=told.more)
    return value


async def _bytes(request: Request) -> bytes | Refusal:
    most = limits.REQUEST_MAX_BYTES.value
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > most:
        return _too_large(int(announced))
    pieces: list[bytes] = []
    size = 0
    async for piece in request.stream():
        size += len(piece)
        if size > most:
            return _too_large(size)
        pieces.append(piece)
    return b"".join(pieces)


def _too_large(actual: int) -> Refusal:
    limit = limits.REQUEST_MAX_BYTES.value
    return refusal("request_body_too_large", facts={"limit": limit, "actual": actual}, limit=limit, actual=actual)
