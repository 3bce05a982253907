"""Where a client stands in the stream of a session, through every connection that it takes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

from storyworld.client.answers import Beat, Json
from storyworld.client.call import Call, get
from storyworld.client.errors import ApiError, ConnectionFailed
from storyworld.client.exchange import wait_before
from storyworld.client.retries import Retries


class Following:
    """Follows one session. Each beat is told once: one that comes again after a connection broke is passed over."""

    def __init__(self, session_id: str, after: int | None, retries: Retries) -> None:
        self._session_id = session_id
        self._after = after
        self._retries = retries
        self._in_vain = 0
        self._error: ApiError | None = None

    def call(self) -> Call[Json]:
        """The next connection."""
        call = get(Json, "sessions", self._session_id, "stream")
        headers = {} if self._after is None else {"Last-Event-ID": str(self._after)}
        return Call(call.method, call.path, call.read, headers=headers)

    def told(self, name: str, number: str | None, data: str) -> Iterator[Beat]:
        """The beat of an event, if it is a new one."""
        self._in_vain = 0
        if number is None or not number.isdecimal():
            return
        fresh = self._after is None or int(number) > self._after
        if name == "resync":
            self._after = int(number)
        elif name == "beat.committed" and fresh:
            self._after = int(number)
            yield cast("Beat", json.loads(data))

    def failed(self, error: ApiError) -> None:
        """The connection was refused. Raises the error where asking again would not help."""
        self._error = error

    def pause(self) -> float:
        """How long to wait before the next connection, in seconds. Raises where patience has an end."""
        self._in_vain += 1
        error, self._error = self._error, None
        wait = wait_before(self.call(), error, self._in_vain, self._retries)
        if wait is None:
            raise error or ConnectionFailed("the stream could not be taken up again")
        return wait
