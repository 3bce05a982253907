"""A bare Starlette on uvicorn that says where it listens: the least that a start can take."""

from __future__ import annotations

import asyncio
import socket

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route


async def _alive(request: Request) -> PlainTextResponse:
    return PlainTextResponse("ok")


async def _main() -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listening.getsockname()[1]} is served", flush=True)
    app = Starlette(routes=[Route("/healthz", _alive)])
    await uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, lifespan="off")).serve([listening])


if __name__ == "__main__":
    asyncio.run(_main())
