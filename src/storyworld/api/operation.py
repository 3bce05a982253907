"""What an operation of the API is: one declaration that routes, judges, documents and answers.

This file owns the shape of a declaration; it must not know which operations there are. Handlers know nothing of HTTP
but what is handed to them here.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from storyworld.application.house import House
from storyworld.core.errors import Refusal
from storyworld.core.judge import Finding, finder
from storyworld.core.schema.parts import Schema, record

Method = Literal["GET", "POST", "PUT", "DELETE"]
Tag = Literal["Service", "Projects", "Agents", "Story packages", "Worlds", "Sessions"]


class Access(StrEnum):
    """Whose key an operation asks for."""

    OPEN = "open"  # nobody's
    OPERATOR = "operator"  # that of whoever runs the server
    READ = "read"  # any key of the project
    WRITE = "write"  # a key of the project that may change something


@dataclass(frozen=True, slots=True)
class Parameter:
    """One value beside the body. `schema` has `type` "string" or "integer", and `default` where it may be absent and
    stands for something.

    A value in the path that does not fit is answered as one that is not there: with the code `unknown`.
    """

    place: Literal["path", "query", "header"]
    name: str
    schema: Schema
    unknown: str = "route_unknown"
    required: bool = False


@dataclass(frozen=True, slots=True)
class Body:
    """What is sent. `schema` is what is published; `find` judges what is sent, less what a use case judges itself.

    An absent body is the empty object where `required` is False.
    """

    schema: Schema
    find: Callable[[object], list[Finding]]
    required: bool = True


@dataclass(frozen=True, slots=True)
class Answered:
    """One way in which an operation answers, as it is documented: with a JSON value of the `schema`, with `other`
    media types, or with nothing.
    """

    description: str
    schema: Schema | None = None
    other: Mapping[str, Schema] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def content(self) -> Mapping[str, Schema]:
        """The schema by media type."""
        return {**({} if self.schema is None else {"application/json": self.schema}), **self.other}


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that was let in. `path`, `query` and `headers` hold the declared parameters, read by their schemas;
    `body` is the value that was sent, None for an operation that takes none.

    `project_id` and `key_id` are empty where no project's key is asked for. `accepts_events` says that the client would
    rather have a stream of events. `request_id` names the request in answers and logs.
    """

    house: House
    project_id: str
    key_id: str
    path: Mapping[str, Any]
    query: Mapping[str, Any]
    headers: Mapping[str, Any]
    body: Any
    accepts_events: bool
    request_id: str
    serving: Serving


@dataclass(frozen=True, slots=True)
class Answer:
    """What an operation answers: a JSON `value`, or `content` of a media type, or `events` that are sent as they come.

    Closing `events` must leave nothing behind.
    """

    status: int
    value: Any = None
    content: bytes | None = None
    media_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    events: AsyncIterator[bytes] | None = None


Handler = Callable[[Asked], Awaitable[Answer | Refusal]]


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation.

    `answers` are its good answers by status; `refusals` the codes that only it may answer with, beside those that every
    operation of its access and form may (`problems.shared_codes`). `owner` is asked when the body cannot be taken: if
    what the path names is not there, that is answered in its place.
    """

    method: Method
    path: str
    operation_id: str
    tag: Tag
    summary: str
    access: Access
    handler: Handler
    answers: Mapping[int, Answered]
    refusals: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    body: Body | None = None
    owner: Callable[[Asked], Awaitable[Refusal | None]] | None = None
    description: str = ""


@dataclass(frozen=True, slots=True)
class Serving:
    """How this process serves. `operator_key` opens what is the operator's; None closes it. A silent stream says so
    every `heartbeat_seconds`. `metrics` writes the figures of the process. Whoever comes too early is told to come
    again after `retry_after_seconds`.
    """

    operator_key: str | None = None
    heartbeat_seconds: float = 15.0
    metrics: Callable[[], bytes] = bytes
    retry_after_seconds: int = 2


def body(
    title: str,
    description: str,
    properties: Mapping[str, Schema],
    *,
    optional: tuple[str, ...] = (),
    judged_later: tuple[str, ...] = (),
    required: bool = True,
) -> Body:
    """The body of these fields. Those in `judged_later` are taken as they come: a use case judges them."""
    published = record(title, description, properties, optional=optional)
    taken = {name: {} if name in judged_later else part for name, part in properties.items()}
    return Body(published, finder("body", record(title, description, taken, optional=optional)), required)


def unjudged(schema: Schema) -> Body:
    """A body that the use case judges by itself, by the same schema."""
    return Body(schema, lambda value: [])


def choice(title: str, description: str, bodies: Mapping[str, Body]) -> Body:
    """One of several bodies, told apart by the field that only it has: its key here. A body with none of these fields
    is judged as the first one.
    """

    def find(value: object) -> list[Finding]:
        present = [one for name, one in bodies.items() if isinstance(value, dict) and name in value]
        chosen = present[0] if present else next(iter(bodies.values()))
        return chosen.find(value)

    published: Schema = {
        "title": title,
        "description": description,
        "type": "object",
        "oneOf": [one.schema for one in bodies.values()],
    }
    return Body(published, find, all(one.required for one in bodies.values()))
