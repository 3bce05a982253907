"""What the figures of the server are taken of, in a process of its own: `python -m bench.served WHAT …`.

`engine FOLDER THINK_MS SESSIONS WORLDS` is the whole server with so many sessions, whose model answers after so many
milliseconds. `echo` gives back what it is sent, and `events` begins a stream: the least that such a server could be.
Each says in one line of JSON where it listens, and serves until it is stopped.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from pathlib import Path
from typing import Any

import uvicorn
import uvloop
from starlette.types import ASGIApp, Receive, Scope, Send

from bench.houses import Played, begin, house_in
from bench.story import CASTS, PROVIDER, answer, content
from storyworld.api.app import make_app
from storyworld.api.operation import Serving
from storyworld.api.operations import TABLE
from storyworld.application.access import create_key
from storyworld.application.ports import Hear, KeyScope, WorkKind
from storyworld.core.call import Call, Performance
from storyworld.core.errors import Refusal
from storyworld.serving.process import Manner, listen, serve
from storyworld.wiring import LOCAL_PROJECT


class Thinking:
    """The instant performer, after a while."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    async def perform(self, call: Call, hear: Hear) -> Performance:
        """Give one of the replies that lie ready."""
        if self._seconds:
            await asyncio.sleep(self._seconds)
        performance = answer(call)
        hear(performance.text)
        return performance


async def _engine(folder: Path, think_ms: int, sessions: int, worlds: int) -> None:
    house = await house_in(folder)
    house.performers = {**house.performers, PROVIDER: Thinking(think_ms / 1000)}
    project = house.project(LOCAL_PROJECT)
    for number in range(worlds):
        await project.create_work(WorkKind.WORLD, f"beside-{number}", house.clock.now())
    played: list[Played] = [await begin(house, content(CASTS[0])) for _ in range(sessions)]
    key = await create_key(house, LOCAL_PROJECT, KeyScope.WRITE)
    assert not isinstance(key, Refusal), key
    listening = listen("127.0.0.1", 0)

    def began() -> None:
        _tell(listening, key=key.secret, sessions=[one.session_id for one in played])

    await serve(make_app(house, TABLE, Serving()), house, listening, Manner(grace_seconds=5), began)


async def _echo(scope: Scope, receive: Receive, send: Send) -> None:
    """The least that can take a body and answer with one."""
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 201, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _events(scope: Scope, receive: Receive, send: Send) -> None:
    """The least that can begin a stream of events."""
    headers = [(b"content-type", b"text/event-stream")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"event: beat.started\ndata: {}\n\n", "more_body": True})
    await send({"type": "http.response.body", "body": b""})


def _tell(listening: socket.socket, **more: Any) -> None:
    print(json.dumps({"port": listening.getsockname()[1], **more}), flush=True)


async def _bare(app: ASGIApp) -> None:
    listening = listen("127.0.0.1", 0)
    _tell(listening)
    await uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, lifespan="off")).serve([listening])


def main(arguments: list[str]) -> None:
    """Serve what is named."""
    if arguments[0] == "engine":
        think_ms, sessions, worlds = map(int, arguments[2:5])
        uvloop.run(_engine(Path(arguments[1]), think_ms, sessions, worlds))
        return
    apps: dict[str, ASGIApp] = {"echo": _echo, "events": _events}
    uvloop.run(_bare(apps[arguments[0]]))


if __name__ == "__main__":
    main(sys.argv[1:])
