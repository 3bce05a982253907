"""The life of a server: it listens, serves, and stops without losing a beat that could still be committed.

At the first signal it takes no new beats (503, with the time to come again), ends its streams, and lets running beats
come to their end within a grace; then it closes. At the second it closes at once: what is not committed is dropped
whole, as in any kill.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from storyworld.application.house import House

_ANSWERS_SECONDS: Final = 5
"""How long answers that are on their way may take once no beat is running."""
_BACKLOG: Final = 2048
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True, slots=True)
class Manner:
    """How a server serves. `grace_seconds` is what running beats get when it stops; `concurrency_max` is how many
    requests may be open at once, streams among them.
    """

    grace_seconds: float = 30.0
    concurrency_max: int = 4096


def listen(host: str, port: int) -> socket.socket:
    """A socket that takes connections at this address; port 0 takes any that is free. Raises OSError."""
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(_BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening


class _Server(uvicorn.Server):
    """Uvicorn, whose signals are handled here, and which tells when it takes requests."""

    def __init__(self, config: uvicorn.Config, began: Callable[[], None]) -> None:
        super().__init__(config)
        self._began = began

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self._began()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def serve(
    app: ASGIApp, house: House, listening: socket.socket, manner: Manner, began: Callable[[], None]
) -> None:
    """Serve until a signal, then stop; the house is closed when this returns. `began` is called once requests are
    taken.
    """
    config = uvicorn.Config(
        app,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=True,
        limit_concurrency=manner.concurrency_max,
        timeout_graceful_shutdown=_ANSWERS_SECONDS,
    )
    server = _Server(config, began)
    stopping = asyncio.Event()

    def on_signal() -> None:
        if stopping.is_set():
            server.force_exit = server.should_exit = True
        stopping.set()

    loop = asyncio.get_running_loop()
    for name in _SIGNALS:
        loop.add_signal_handler(name, on_signal)
    stop = asyncio.create_task(_stop(server, house, stopping, manner))
    try:
        await server.serve([listening])
    finally:
        stop.cancel()
        for name in _SIGNALS:
            loop.remove_signal_handler(name)
        await house.close(0)


async def _stop(server: _Server, house: House, stopping: asyncio.Event, manner: Manner) -> None:
    await stopping.wait()
    await house.finish(manner.grace_seconds)
    server.should_exit = True
