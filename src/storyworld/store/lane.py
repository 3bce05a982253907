"""Threads in which transactions run one after another, so that the event loop never waits for a disk.

A hop through this queue costs half of one through an executor's. It must not know what a link does.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, Generic, Protocol, TypeVar


class Link(Protocol):
    """One connection, used by one thread at a time."""

    def close(self) -> None:
        """Give the connection back."""
        ...


L = TypeVar("L", bound=Link)
T = TypeVar("T")


class Lane(Generic[L]):
    """A thread for each link, and one queue in front of them."""

    def __init__(self, name: str, links: Sequence[L]) -> None:
        self._process_id = os.getpid()
        self._queue: SimpleQueue[Callable[[L], None] | None] = SimpleQueue()
        # A lane that nobody closed does not keep its process alive; a commit that is cut off so was told to nobody.
        self._threads = [Thread(target=self._serve, args=(link,), name=name, daemon=True) for link in links]
        self._is_closed = False
        for thread in self._threads:
            thread.start()

    async def hop(self, work: Callable[[L], T]) -> T:
        """Run `work` with a link, in its thread. Whoever waits may be cancelled: the work still ends."""
        assert os.getpid() == self._process_id, "a store is opened by the process that uses it"
        assert not self._is_closed, "a store is used before it is closed"
        loop = asyncio.get_running_loop()
        told: asyncio.Future[T] = loop.create_future()

        def run(link: L) -> None:
            try:
                result = work(link)
            except BaseException as error:  # noqa: BLE001 - whatever it is, it is for whoever waits
                _tell(loop, told, told.set_exception, error)
            else:
                _tell(loop, told, told.set_result, result)

        self._queue.put(run)
        return await told

    def close(self) -> None:
        """Let the work that was asked for end, then give everything back. Closing twice is harmless."""
        if not self._is_closed:
            self._is_closed = True
            for _ in self._threads:
                self._queue.put(None)
        for thread in self._threads:
            thread.join()

    def _serve(self, link: L) -> None:
        while (run := self._queue.get()) is not None:
            run(link)
            del run  # while this waits, what was asked for last is not kept alive
        link.close()


def _tell(loop: asyncio.AbstractEventLoop, told: asyncio.Future[T], tell: Callable[[Any], None], what: object) -> None:
    """Tell whoever waits in the loop, unless they have left."""

    def in_loop() -> None:
        if not told.done():
            tell(what)

    with suppress(RuntimeError):  # the loop was closed: nobody is in it
        loop.call_soon_threadsafe(in_loop)
