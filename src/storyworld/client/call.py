"""A call of the API as a value: what is sent, and how the answer is read. Both clients send the same calls."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar, cast
from urllib.parse import quote

T = TypeVar("T")
Method = Literal["GET", "POST", "PUT", "DELETE"]


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """One request, and what its answer is. `repeatable` tells whether sending it twice is the same as sending it once:
    only then is it sent again by itself.
    """

    method: Method
    path: str
    read: Callable[[bytes], T]
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    repeatable: bool = True


def answered(content: bytes) -> Any:
    """A JSON answer."""
    return json.loads(content)


def nothing(content: bytes) -> None:
    """An answer without a body."""


def as_bytes(content: bytes) -> bytes:
    """A file."""
    return content


def at(*parts: str | int) -> str:
    """A path below `/v1` of these parts, each of them escaped."""
    return "/v1/" + "/".join(quote(str(part), safe="") for part in parts)


def get(kind: type[T], *parts: str | int, **query: object) -> Call[T]:
    """Read something. Parameters that are None are left out."""
    told = {name: str(value) for name, value in query.items() if value is not None}
    return Call("GET", at(*parts), cast("Callable[[bytes], T]", answered), query=told)


def make(kind: type[T], body: object, *parts: str | int) -> Call[T]:
    """Make something that a second request would make again."""
    return Call("POST", at(*parts), cast("Callable[[bytes], T]", answered), body, repeatable=False)


def ask(kind: type[T], body: object, *parts: str | int) -> Call[T]:
    """Have something worked out of which nothing is stored, or that is the same however often it is done."""
    return Call("POST", at(*parts), cast("Callable[[bytes], T]", answered), body)


def once(kind: type[T], body: object, key: str | None, *parts: str | int) -> Call[T]:
    """Make a beat: with its key, which is drawn where none is given, it is made once however often it is sent."""
    headers = {"Idempotency-Key": key or secrets.token_urlsafe(24)}
    return Call("POST", at(*parts), cast("Callable[[bytes], T]", answered), body, headers)


def put(kind: type[T], body: object, *parts: str | int, headers: Mapping[str, str] | None = None) -> Call[T]:
    """Put something in the place of what is there."""
    # A draft that the first of two requests has saved has another etag by the second.
    read = cast("Callable[[bytes], T]", answered)
    return Call("PUT", at(*parts), read, body, headers or {}, repeatable=not headers)


def delete(*parts: str | int) -> Call[None]:
    """Take something away."""
    return Call("DELETE", at(*parts), nothing, repeatable=False)


def given(**fields: object) -> dict[str, object]:
    """The fields that have a value."""
    return {name: value for name, value in fields.items() if value is not None}
