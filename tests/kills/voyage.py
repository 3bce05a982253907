"""What the process does that tests kill: it opens a session where it lies, makes beats, and tells of each one.

What was told is acknowledged: nothing that happens afterwards may take it back.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from storyworld.application.advance import advance, once
from storyworld.application.commit import Committed
from storyworld.application.house import House
from storyworld.application.play import Request
from storyworld.application.ports import FailPoint, StorageFull, StoreError
from storyworld.core.errors import Refusal
from storyworld.models.rehearsal import Rehearsal
from storyworld.store.points import pass_by
from storyworld.store.sqlite import open_sqlite
from storyworld.wiring import LOCAL_PROJECT, RandomIdentity, SystemClock

ATTEMPTS_MAX = 3
_SET_PTRACER = 0x59616D61
_ANY_PROCESS = ctypes.c_ulong(-1)


@dataclass(frozen=True)
class Voyage:
    """Where a session lies, how many beats are made of it, and where the process stops itself.

    It stops at the `nth` time that it passes the fail-point `point`; without one it comes home.
    """

    folder: Path
    session_id: str
    beats: int
    point: str | None = None
    nth: int = 1


async def open_house(folder: Path, fail: FailPoint = pass_by) -> House:
    """The engine as it is wired, with fail-points."""
    store = await open_sqlite(folder, fail=fail)
    return House(store, {"rehearsal": Rehearsal()}, SystemClock(), RandomIdentity(), fail=fail)


async def make_beat(house: House, session_id: str, beat: int) -> Committed | Refusal:
    """Ask for the beat of this number, with a key of its own."""
    trigger = {"kind": "message", "text": f"The tide turns for the {beat}. time. 潮水"}
    request = Request(LOCAL_PROJECT, session_id, answer=once(f"key-{beat}", trigger), expected_beat=beat - 1)
    return await advance(house, request, trigger)


def kill_at(point: str | None, nth: int) -> FailPoint:
    """Kill this process, as if by `kill -9`, when it passes the point for the nth time."""
    passed = 0

    def fail(reached: str) -> None:
        nonlocal passed
        passed += reached == point
        if passed == nth:
            os.kill(os.getpid(), signal.SIGKILL)

    return fail


def sail(voyage: Voyage, home: Connection) -> None:
    """Wait to be told to go, then make the beats. Sends `ack <beat> <hash>` of each, `refused <code>` of a fault."""
    # Where only a parent may trace its children, this lets the tracer in, which is a child of the parent.
    ctypes.CDLL(None).prctl(_SET_PTRACER, _ANY_PROCESS, 0, 0, 0)
    home.send_bytes(b"ready")
    home.recv_bytes()
    asyncio.run(_sail(voyage, lambda message: home.send_bytes(message.encode())))


async def _sail(voyage: Voyage, tell: Callable[[str], None]) -> None:
    house = await _open_in_the_end(voyage, tell)
    for beat in range(1, voyage.beats + 1):
        for _ in range(ATTEMPTS_MAX):
            made = await make_beat(house, voyage.session_id, beat)
            if isinstance(made, Committed):
                tell(f"ack {beat} {made.record['hash']}")
                break
            tell(f"refused {made.code}")
    await house.store.close()


async def _open_in_the_end(voyage: Voyage, tell: Callable[[str], None]) -> House:
    for _ in range(ATTEMPTS_MAX - 1):
        try:
            return await open_house(voyage.folder, kill_at(voyage.point, voyage.nth))
        except StoreError as error:
            tell("refused storage_full" if isinstance(error, StorageFull) else "refused storage_unavailable")
    return await open_house(voyage.folder, kill_at(voyage.point, voyage.nth))
