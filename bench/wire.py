"""HTTP by hand: a client that costs as little as a client can, so that what is measured is the server."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_END = b"\r\n\r\n"
_LENGTH = b"content-length: "


def request(method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None) -> bytes:
    """A request as it goes over the wire."""
    content = b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
    lines = [f"{method} {path} HTTP/1.1", "host: bench", f"content-length: {len(content)}"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    if body is not None:
        lines.append("content-type: application/json")
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + content


def _length(head: bytes) -> int:
    lower = head.lower()
    at = lower.index(_LENGTH) + len(_LENGTH)
    return int(lower[at : lower.index(b"\r\n", at)])


class Wire:
    """One connection that is kept, used by one caller at a time."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._heard = b""

    def ask(self, sent: bytes) -> bytes:
        """The body of the answer, whose status is a good one."""
        self._socket.sendall(sent)
        got = self._until(b"", _END)
        head, _, body = got.partition(_END)
        assert head[9:10] == b"2", got
        length = _length(head + b"\r\n")
        while len(body) < length:
            body += self._socket.recv(65536)
        return body

    def first_event(self, sent: bytes) -> None:
        """Wait for the first event of a stream, then let the stream come to its end."""
        self._socket.sendall(sent)
        self._heard = self._until(b"", b"data: ")
        assert self._heard[9:10] == b"2", self._heard

    def drain(self) -> None:
        """Read a stream, whose first event was heard, to its end."""
        self._until(self._heard, b"\r\n0\r\n\r\n")

    def _until(self, got: bytes, end: bytes) -> bytes:
        while end not in got:
            piece = self._socket.recv(65536)
            assert piece, "the server has hung up"
            got += piece
        return got

    def close(self) -> None:
        """Hang up."""
        self._socket.close()


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, sent: bytes) -> bytes:
    """The same on a connection of an event loop."""
    writer.write(sent)
    head = await reader.readuntil(_END)
    body = await reader.readexactly(_length(head))
    assert head[9:10] == b"2", head + body
    return body


class Served:
    """A process of `bench.served`, and what it said of itself."""

    def __init__(self, what: str, *arguments: object) -> None:
        command = [sys.executable, "-m", "bench.served", what, *map(str, arguments)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[1])
        assert self._process.stdout is not None
        self.told: dict[str, Any] = json.loads(self._process.stdout.readline())
        self.port: int = self.told["port"]
        self._wires: list[Wire] = []

    def wire(self) -> Wire:
        """A connection that lasts as long as the process."""
        self._wires.append(Wire(self.port))
        return self._wires[-1]

    @property
    def headers(self) -> dict[str, str]:
        """The key of the project."""
        return {"authorization": f"Bearer {self.told['key']}"}

    def memory_bytes(self) -> int:
        """What of its memory is resident."""
        pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def stop(self) -> None:
        """Hang up, and end the process."""
        for wire in self._wires:
            wire.close()
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(30)
        assert self._process.stdout is not None
        self._process.stdout.close()


@contextlib.contextmanager
def serving(what: str, *arguments: object) -> Iterator[Served]:
    """The process, for as long as the block lasts."""
    served = Served(what, *arguments)
    try:
        yield served
    finally:
        served.stop()
