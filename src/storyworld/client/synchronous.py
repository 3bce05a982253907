"""The client for programs without an event loop."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any

import httpx2

from storyworld.client import api
from storyworld.client.answers import Beat, Page
from storyworld.client.call import Call, T
from storyworld.client.errors import ConnectionFailed, StreamBroken
from storyworld.client.events import BeatCommitted, BeatDiscarded, Frames, TurnEvent, turn_event
from storyworld.client.exchange import EVENT_STREAM, Request, refused, request_of, wait_before
from storyworld.client.following import Following
from storyworld.client.retries import Retries


class Client:
    """Sends calls to one server with one key. Use it in a `with` block, or close it.

    `timeout` is in seconds for each wait on the network; a turn may take as long as its models. Redirects are not
    followed: a key goes to nobody else. Raises ApiError, ConnectionFailed and StreamBroken.
    """

    def __init__(
        self, base_url: str, key: str | None = None, *, timeout: float = 120.0, retries: Retries | None = None
    ) -> None:
        self._base_url = base_url
        self._key = key
        self._retries = retries or Retries()
        self._http = httpx2.Client(timeout=timeout, follow_redirects=False)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        """Without the key."""
        return f"Client({self._base_url!r})"

    def close(self) -> None:
        """Give the connections back."""
        self._http.close()

    def send(self, call: Call[T]) -> T:
        """Send a call and read its answer; where it is safe it is sent again."""
        request = request_of(call, self._base_url, self._key)
        attempt = 0
        while True:
            attempt += 1
            try:
                answer = self._http.send(self._built(request))
            except httpx2.TransportError as fault:
                failed = ConnectionFailed(type(fault).__name__)
                wait = wait_before(call, None, attempt, self._retries)
                if wait is None:
                    raise failed from None
            else:
                error = refused(answer.status_code, answer.headers, answer.content)
                if error is None:
                    return call.read(answer.content)
                wait = wait_before(call, error, attempt, self._retries)
                if wait is None:
                    raise error
            time.sleep(wait)

    def each(self, pages: Call[Page[T]]) -> Iterator[T]:
        """Every item of a list, page after page."""
        call = pages
        while True:
            page = self.send(call)
            yield from page["items"]
            if page["nextCursor"] is None:
                return
            call = Call(call.method, call.path, call.read, query={**call.query, "cursor": page["nextCursor"]})

    def stream_turn(
        self, session_id: str, trigger: Mapping[str, Any], *, expected_beat: int | None = None, key: str | None = None
    ) -> Iterator[TurnEvent]:
        """Take a turn and tell it as it is made; the last event says that the beat is committed or discarded.

        Raises StreamBroken where neither came: send the same turn with the same key to learn which it is.
        """
        call = api.take_turn(session_id, trigger, expected_beat=expected_beat, key=key)
        request = request_of(call, self._base_url, self._key, accept=EVENT_STREAM)
        received = 0
        try:
            with self._http.stream(
                request.method, request.url, headers=request.headers, content=request.content
            ) as answer:
                if answer.status_code != httpx2.codes.OK:
                    error = refused(answer.status_code, answer.headers, answer.read())
                    if error is not None:
                        raise error
                frames = Frames()
                for piece in answer.iter_bytes():
                    for name, _, data in frames.feed(piece):
                        event = turn_event(name, data)
                        if event is None:
                            continue
                        received += 1
                        yield event
                        if isinstance(event, BeatCommitted | BeatDiscarded):
                            return
        except httpx2.TransportError:
            raise StreamBroken(received) from None
        raise StreamBroken(received)

    def follow(self, session_id: str, *, after: int | None = None) -> Iterator[Beat]:
        """The beats of a session as they are committed, each once and none left out, until it ends.

        They begin after the beat `after`, or with the next one. A connection that breaks is taken up again.
        """
        following = Following(session_id, after, self._retries)
        while True:
            request = request_of(following.call(), self._base_url, self._key, accept=EVENT_STREAM)
            try:
                with self._http.stream(request.method, request.url, headers=request.headers) as answer:
                    if answer.status_code == httpx2.codes.NO_CONTENT:
                        return
                    error = refused(answer.status_code, answer.headers, answer.read() if answer.is_error else b"")
                    if error is not None:
                        following.failed(error)
                    else:
                        frames = Frames()
                        for piece in answer.iter_bytes():
                            for frame in frames.feed(piece):
                                yield from following.told(*frame)
            except httpx2.TransportError:
                pass
            time.sleep(following.pause())

    def _built(self, request: Request) -> httpx2.Request:
        return self._http.build_request(
            request.method, request.url, headers=request.headers, params=request.params, content=request.content
        )
