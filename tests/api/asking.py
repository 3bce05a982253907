"""A server for tests, without sockets: the application on a house in memory, and a client that asks it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx2

from storyworld.api.app import Exchange, make_app
from storyworld.api.operation import Operation, Serving
from storyworld.api.operations import TABLE
from storyworld.application.access import create_key
from storyworld.application.house import House
from storyworld.application.ports import KeyScope
from tests.application.playhouse import PROJECT, open_house, well

T = TypeVar("T")
OPERATOR_KEY = "operator-of-the-tests"


class Heard:
    """An observer that remembers."""

    def __init__(self) -> None:
        self.exchanges: list[Exchange] = []

    def answered(self, exchange: Exchange) -> None:
        self.exchanges.append(exchange)


@dataclass
class Server:
    """The application, with two keys of the project `salt`."""

    house: House
    client: httpx2.AsyncClient
    write_key: str
    read_key: str
    heard: Heard = field(default_factory=Heard)

    async def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        key: str | None = "",
        headers: Mapping[str, str] | None = None,
        content: bytes | None = None,
    ) -> httpx2.Response:
        """Ask with a JSON body, or with bytes as they are. `key` is the project's write key where none is named, and
        none at all where it is None.
        """
        sent = dict(headers or {})
        if key is not None:
            sent.setdefault("Authorization", f"Bearer {key or self.write_key}")
        if content is None and body is not None:
            content = json.dumps(body, ensure_ascii=False).encode()
        if content is not None:
            sent.setdefault("Content-Type", "application/json")
        return await self.client.request(method, path, content=content, headers=sent)


def serve(
    work: Callable[[Server], Awaitable[T]],
    *,
    house: House | None = None,
    open_house: Callable[[], Awaitable[House]] = open_house,
    operations: Sequence[Operation] = TABLE,
    operator_key: str | None = OPERATOR_KEY,
    heartbeat_seconds: float = 15.0,
) -> T:
    """Do the work against a server that lives as long."""

    async def served() -> T:
        own = house if house is not None else await open_house()
        write_key = well(await create_key(own, PROJECT, KeyScope.WRITE))
        read_key = well(await create_key(own, PROJECT, KeyScope.READ))
        heard = Heard()
        serving = Serving(operator_key=operator_key, heartbeat_seconds=heartbeat_seconds)
        app: Any = make_app(own, operations, serving, [heard])
        transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx2.AsyncClient(transport=transport, base_url="http://test") as client:
            server = Server(own, client, write_key.secret, read_key.secret, heard)
            try:
                return await work(server)
            finally:
                await own.close()

    return asyncio.run(served())
