"""What HTTP adds to a beat, and how many sessions one process carries while models think.

The yardsticks are the engine's own beat, and the least that a server on the same parts could be.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from asyncio import Runner
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from bench.figure import Gate, Row, Setting, ratio_row
from bench.houses import begin, house_in
from bench.interval import estimate
from bench.pairs import Load, interleave
from bench.stopwatch import awaiting, waiting
from bench.story import CASTS, content
from bench.wire import Served, Wire, ask, request, serving

_WORLDS_MAX: Final = 1.15
_START_MAX: Final = 2.0
_EVENT_MAX: Final = 2.5
_THINK_MS: Final = 1000
_ADDED_P50_MS, _ADDED_P99_MS = 15.0, 100.0
_BEATS_MIN: Final = 800.0
_SESSION_BYTES_MAX: Final = 200_000
_ADVANCE: Final[dict[str, Any]] = {"trigger": {"kind": "advance"}}


def measure(setting: Setting) -> Iterator[Row]:
    """A turn over HTTP, against the engine's own beat and against an echo of as many bytes."""
    pairs = setting.many(300, 60)
    with (
        Runner() as runner,
        serving("engine", setting.folder / "served", 0, 1, 0) as engine,
        serving("echo") as echo,
    ):
        house = runner.run(house_in(setting.folder / "own"))
        played = runner.run(begin(house, content(CASTS[0])))
        turn = _turning(engine)
        beat = awaiting(runner, played.beat)
        yield ratio_row(
            "a turn over HTTP, against the engine's own beat", interleave(turn, beat, pairs), ("turn", "beat")
        )
        record = engine.wire().ask(request("GET", _beat_path(engine), headers=engine.headers))
        echoed = echo.wire()
        bounced = request("POST", "/", record.decode())
        against = interleave(turn, waiting(lambda: echoed.ask(bounced)), pairs)
        yield ratio_row("a turn over HTTP, against an echo of its answer", against, ("turn", "echo"))
        runner.run(house.close())
    yield from _streamed(setting)
    yield from _beside_worlds(setting)
    yield from _started(setting)


def _turning(served: Served, *, session: int = 0) -> Load:
    wire = served.wire()
    sent = request("POST", f"/v1/sessions/{served.told['sessions'][session]}/turns", _ADVANCE, served.headers)
    return waiting(lambda: wire.ask(sent))


def _beat_path(served: Served) -> str:
    return f"/v1/sessions/{served.told['sessions'][0]}/beats/1"


def _streamed(setting: Setting) -> Iterator[Row]:
    """How soon the first event of a turn is heard."""
    with serving("engine", setting.folder / "streamed", 20, 1, 0) as engine, serving("events") as bare:
        path = f"/v1/sessions/{engine.told['sessions'][0]}/turns"
        turn = request("POST", path, _ADVANCE, {**engine.headers, "accept": "text/event-stream"})
        loads = [_first_event(engine.wire(), turn), _first_event(bare.wire(), request("GET", "/"))]
        heard = interleave(loads[0], loads[1], setting.many(200, 40))
        yield ratio_row("the first event of a turn, against a bare stream", heard, ("turn", "bare"), _EVENT_MAX)


def _first_event(wire: Wire, sent: bytes) -> Load:
    def load() -> float:
        started = time.perf_counter()
        wire.first_event(sent)
        seconds = time.perf_counter() - started
        wire.drain()
        return seconds

    return load


def _beside_worlds(setting: Setting) -> Iterator[Row]:
    """A turn in a project with 1,000 active worlds, against one in a project with one."""
    with (
        serving("engine", setting.folder / "many", 0, 1, 999) as many,
        serving("engine", setting.folder / "one", 0, 1, 0) as one,
    ):
        pairs = interleave(_turning(many), _turning(one), setting.many(300, 60))
        yield ratio_row("1,000 active worlds, against 1", pairs, ("turn", "turn"), _WORLDS_MAX)


def _started(setting: Setting) -> Iterator[Row]:
    """From the start of the process to its first answer, against a bare Starlette."""
    own = [sys.executable, "-m", "storyworld", "serve", "--port", "0", "--data", str(setting.folder / "started")]
    bare = [sys.executable, "-m", "bench.bare"]
    pairs = interleave(_first_answer(own), _first_answer(bare), setting.many(15, 5))
    yield ratio_row("start to first answer, against a bare Starlette", pairs, ("server", "bare"), _START_MAX)


def _first_answer(command: list[str]) -> Load:
    def load() -> float:
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=_ROOT)
        assert process.stdout is not None
        line = process.stdout.readline().decode()
        port = int(line.partition("http://127.0.0.1:")[2].split()[0])
        wire = Wire(port)
        wire.ask(request("GET", "/healthz"))
        seconds = time.perf_counter() - started
        wire.close()
        process.kill()
        process.wait()
        process.stdout.close()
        return seconds

    return load


_ROOT: Final = Path(__file__).parents[2]


def measure_crowd(setting: Setting) -> Iterator[Row]:
    """500 sessions at once, each beat one call of a model that thinks for a second; then 1,000, as fast as they go."""
    rounds = setting.many(8, 3)
    few, many = setting.many(500, 500), setting.many(1000, 1000)
    with serving("engine", setting.folder / "few", _THINK_MS, few, 0) as engine:
        added = sorted(asyncio.run(_crowd(engine, rounds)))
        for name, share, most in (("half", 0.5, _ADDED_P50_MS), ("99 of 100", 0.99, _ADDED_P99_MS)):
            gate = Gate(most)
            found = estimate([added[int(share * (len(added) - 1))] * 1000])
            yield Row(f"500 sessions, model of 1 s: added to {name} of the beats at most", "ms", found, gate)
    with serving("engine", setting.folder / "many", _THINK_MS, many, 0) as engine:
        before = engine.memory_bytes()
        started = time.perf_counter()
        beats = len(asyncio.run(_crowd(engine, rounds)))
        # The first second passes before any model has answered.
        rate = beats / (time.perf_counter() - started - 1)
        yield Row("1,000 sessions, model of 1 s", "beats/s", estimate([rate]), Gate(_BEATS_MIN, at_least=True))
        grown = (engine.memory_bytes() - before) / many
        yield Row("memory for each of 1,000 sessions", "B", estimate([grown]), Gate(_SESSION_BYTES_MAX))
    yield from _saturated(setting)


def _saturated(setting: Setting) -> Iterator[Row]:
    """Durable beats a second when no model takes any time: what one process can do at most."""
    with serving("engine", setting.folder / "flat", 0, 64, 0) as engine:
        started = time.perf_counter()
        beats = len(asyncio.run(_crowd(engine, setting.many(60, 10))))
        yield Row(
            "durable beats of one seat over HTTP, one process",
            "beats/s",
            estimate([beats / (time.perf_counter() - started)]),
        )


async def _crowd(engine: Served, rounds: int) -> list[float]:
    """Every session takes so many turns, one after the other; what each took beyond its model, in seconds."""
    sessions: list[str] = engine.told["sessions"]
    think = _THINK_MS / 1000
    added: list[float] = []

    async def play(number: int, session_id: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", engine.port)
        trigger = {"kind": "advance", "focusRoles": ["role-0"]}
        sent = request("POST", f"/v1/sessions/{session_id}/turns", {"trigger": trigger}, engine.headers)
        # They come as players do, not in step.
        await asyncio.sleep(think * number / len(sessions))
        for _ in range(rounds):
            started = time.perf_counter()
            await ask(reader, writer, sent)
            added.append(time.perf_counter() - started - think)
        writer.close()
        await writer.wait_closed()

    await asyncio.gather(*(play(number, session_id) for number, session_id in enumerate(sessions)))
    return added
