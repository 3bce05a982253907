"""A client of the HTTP API, for synchronous and asynchronous programs.

    with Client("http://127.0.0.1:8080", key) as client:
        package = client.send(api.packages.create(content))

It imports nothing of the engine, so a program that only talks to a server carries none of it.
"""

from storyworld.client import api
from storyworld.client.asynchronous import AsyncClient
from storyworld.client.errors import ApiError, ClientError, ConnectionFailed, StreamBroken
from storyworld.client.events import (
    BeatCommitted,
    BeatDiscarded,
    BeatStarted,
    LineCompleted,
    LineDelta,
    LineDiscarded,
    TurnEvent,
)
from storyworld.client.retries import Retries
from storyworld.client.synchronous import Client

__all__ = [
    "ApiError",
    "AsyncClient",
    "BeatCommitted",
    "BeatDiscarded",
    "BeatStarted",
    "Client",
    "ClientError",
    "ConnectionFailed",
    "LineCompleted",
    "LineDelta",
    "LineDiscarded",
    "Retries",
    "StreamBroken",
    "TurnEvent",
    "api",
]
