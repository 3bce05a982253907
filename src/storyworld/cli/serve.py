"""`storyworld serve`: the HTTP API on a data folder."""

from __future__ import annotations

import asyncio
import socket
import sys
from pathlib import Path

import click
from rich.text import Text

from storyworld.api.app import make_app
from storyworld.api.operation import Serving
from storyworld.api.operations import TABLE
from storyworld.application.faults import refusal_of
from storyworld.application.ports import StoreError
from storyworld.cli.answer import EXIT_STORAGE, EXIT_USAGE, console
from storyworld.serving.claim import AlreadyServed, Claim
from storyworld.serving.logs import Logs
from storyworld.serving.metrics import Metrics
from storyworld.serving.process import Manner, listen, serve
from storyworld.settings import SettingsError, data_folder, setting
from storyworld.wiring import open_house


@click.command("serve")
@click.option("--host", metavar="HOST", help="The address to listen at.  [default: 127.0.0.1]")
@click.option("--port", metavar="PORT", help="The port to listen at; 0 takes any that is free.  [default: 8080]")
@click.option("--data", metavar="DIR", help="The data folder, made where it is new.  [default: storyworld-data]")
def command(host: str | None, port: str | None, data: str | None) -> None:
    """Serve the HTTP API until it is interrupted. One process serves a data folder.

    The first interrupt lets running beats come to their end; a second one stops at once.
    """
    try:
        folder = data_folder(data)
        listening = _listening(setting("host", host), setting("port", port))
        with Claim(folder):
            _run(folder, listening)
    except SettingsError as error:
        _end(EXIT_USAGE, str(error))
    except AlreadyServed as error:
        _end(EXIT_STORAGE, f"{error}; stop it, or serve another folder with --data")
    except StoreError as error:
        _end(EXIT_STORAGE, f"{refusal_of(error).code}  {error}")
    except OSError as error:
        _end(EXIT_STORAGE, f"{error.filename or data}: {error.strerror or error}")


def _listening(host: str, port: int) -> socket.socket:
    try:
        return listen(host, port)
    except OSError as error:
        raise SettingsError(f"{host}:{port} cannot be listened at: {error.strerror or error}") from error


def _end(code: int, why: str) -> None:
    console(stderr=True).print(Text(why, style="red"))
    sys.exit(code)


def _run(folder: Path, listening: socket.socket) -> None:
    try:
        import uvloop
    except ImportError:
        asyncio.run(_serve(folder, listening))
    else:
        uvloop.run(_serve(folder, listening))


async def _serve(folder: Path, listening: socket.socket) -> None:
    as_json = setting("log_format") == "json" or (setting("log_format") == "auto" and not sys.stderr.isatty())
    logs, metrics = Logs(as_json=as_json, level=setting("log_level")), Metrics()
    serving = Serving(
        operator_key=setting("operator_key"),
        heartbeat_seconds=setting("heartbeat_seconds"),
        metrics=metrics.written,
    )
    manner = Manner(setting("grace_seconds"), setting("concurrency_max"))
    house = await open_house(folder)
    metrics.watch(house, lambda: logs.dropped)

    def began() -> None:
        host, port = listening.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        click.echo(f"storyworld serves http://{shown}:{port} from {folder}")
        click.echo(f"make a key with: storyworld key create --project NAME --data {folder}")
        sys.stdout.flush()
        logs.say("serving", host=host, port=port)

    await serve(make_app(house, TABLE, serving, [logs, metrics]), house, listening, manner, began)
    logs.say("stopped")
