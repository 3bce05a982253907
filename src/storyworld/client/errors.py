"""What can go wrong for a client. No error holds a key, or a text that was sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class ClientError(Exception):
    """Anything that this client raises."""


class ApiError(ClientError):
    """The server refused. `code` is that of its catalogue, `problems` says every place and reason.

    `retry_after` is in seconds, None where the server did not say.
    """

    def __init__(self, status: int, problem: Mapping[str, Any], retry_after: float | None = None) -> None:
        self.status = status
        self.code: str = str(problem.get("code", ""))
        self.detail: str = str(problem.get("detail", ""))
        self.remedy: str = str(problem.get("remedy", ""))
        self.problems: Sequence[Mapping[str, Any]] = problem.get("errors", [])
        self.facts: Mapping[str, Any] = problem.get("facts", {})
        self.request_id: str = str(problem.get("requestId", ""))
        self.retry_after = retry_after
        messages = "; ".join(str(one.get("message", "")) for one in self.problems)
        told = f"{status} {self.code}: {self.detail}{f' ({messages})' if messages else ''} {self.remedy}".strip()
        super().__init__(told)


class ConnectionFailed(ClientError):
    """The server could not be reached, or the connection broke before its answer had come."""


class StreamBroken(ClientError):
    """A stream ended before its last event. `received` says how many events had come; whether the beat was committed
    is told by sending the same turn again with the same key.
    """

    def __init__(self, received: int) -> None:
        self.received = received
        super().__init__(f"the stream broke after {received} events")
